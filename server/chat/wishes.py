"""What a message asks to be done, beyond a question: whole documents, files, pieces of writing, people. By rules."""

import re
from dataclasses import dataclass
from typing import Literal

Task = Literal["summarise", "compare", "classify", "extract", "send", "list", "write", "hand_over", ""]
PASTE = 1500  # characters; a message this long brings the text that it is about

POLITE = re.compile(
    r"^(?:(?:would you like|do you want) me to|please|kindly|"
    r"now|ok(?:ay)?|then|and|can you|could you|would you|will you|can i (?:have|get|see)|"
    r"may i (?:have|see)|i(?:'d| would) like (?:you )?(?:to )?|i (?:need|want)(?: you)?(?: to)?|let's|"
    r"(?:shall|should) i|i can|bitte|kannst du|können sie|(?:soll|darf) ich|"
    r"peux-tu|pouvez-vous|puedes|podrías|s'il (?:te|vous) plaît|por favor)\b[\s,:]*",
    re.I,
)
MAKE = r"(?:(?:give|make|write|create|prepare|show|get|produce|provide)\b(?: me| us)?\s+)?(?:(?:a|an|the|me|us)\s+)*"
SIZE = r"(?:(?:short|brief|quick|concise|detailed|one-page|\w+-sentence|executive)\s+)*"
SUMMARISE = re.compile(
    rf"^(?:summari[sz]e|sum up|{MAKE}{SIZE}(?:summary|overview|synopsis|tl;?dr|gist|key points)(?: of| for)?\b|"
    r"fasse?\b(?=.*\bzusammen\b)|résume[rz]?|resume\b(?! (?:is|was|of))|resumen de|resume el|riassumi)\s*",
    re.I,
)
COMPARE = re.compile(
    r"^(?:compare|contrast|vergleiche?|compare[rz]|compara|(?:what (?:are|is)|list|show|find)?(?: me)? ?(?:the )?"
    r"differences? between)\s+",
    re.I,
)
CLASSIFY = re.compile(r"^(?:classify|categori[sz]e|klassifiziere|classe[rz]?\b)\s+", re.I)
EXTRACT = re.compile(
    r"^(?:extract|extrahiere|extrais|extrae|(?:list|find|pull out|collect) (?:all|every|each)(?: of)?(?: the)?)\s+"
    r"(?P<what>.+?)\s+(?:from|in|out of|aus|de|mentioned in)\s+",
    re.I | re.S,
)
SEND = re.compile(
    r"^(?:(?:send|e-?mail|give|hand|show|bring|fetch|get)\s+(?:me|us|over|it to me)\b|(?:send|download|attach)\b|"
    r"schicke?\b(?: mir)?|sende\b(?: mir)?|envoie(?:-moi)?|envíame)\s*",
    re.I,
)
FILE_WORD = re.compile(
    r"\b(?:file|document|pdf|docx?|xlsx?|pptx?|spreadsheet|original|attachment|cv|resume|datei|dokument|fichier|"
    r"archivo|documento)\b|\.\w{2,5}\b",
    re.I,
)
LIST = re.compile(
    r"^(?:(?:which|what) (?:documents|files) (?:do (?:i|we|you) have|are (?:there|here|in here|uploaded)|can you "
    r"(?:see|read|search))|(?:list|show)(?: me)?(?: all)?(?: of)? (?:my |the |our )?(?:documents|files)|"
    r"(?:my|our) documents)\W*$",
    re.I,
)
WRITE = re.compile(
    r"^(?:write|draft|compose|formulate|prepare|create|make|generate|produce|build|schreibe?|verfasse|entwirf|"
    r"rédige[rz]?|escribe|redacta|turn (?:this|that|it|them) into|put (?:this|that|it|them) (?:in|into))\b"
    r"[^.?!\n]{0,60}?\b(?:e-?mails?|mails?|letter|table|list|memo|message|report|note|post|reply|response|answer|invitation|speech|"
    r"faq|checklist|text|paragraph|announcement|agenda|brief|tabelle|brief|liste|lettre|tableau|carta|tabla|correo)\b",
    re.I,
)
REWORK = re.compile(
    r"^\s*(?:translate|rewrite|rephrase|proofread|correct|shorten|improve|edit|summari[sz]e|übersetze|überarbeite|"
    r"kürze|traduis|traduce|fix the (?:grammar|spelling))\b",
    re.I | re.M,
)
HAND_OVER = re.compile(
    r"\b(?:(?:pass|hand) (?:my|your|this|the) question (?:on|over)|"
    r"hand (?:this|it|me|that|my question)(?: question)? over|(?:forward|pass|send|give) (?:this|it|that|"
    r"my question)(?: question)?(?: on)? to (?:a|an|the|some|your)?\s*(?:human|person|colleague|expert|team|support|"
    r"desk|someone)|(?:talk|speak|chat) (?:to|with) (?:a|an|some)\s*(?:human|person|real person|colleague|expert)|"
    r"ask (?:a|an) (?:human|person|colleague|expert) (?:for me|instead|about this)|mit einem menschen sprechen|"
    r"parler à (?:un humain|quelqu'un)|hablar con una persona)\b",
    re.I,
)
ADVICE = re.compile(
    r"^(?:how (?:should|would) (?:i|we|one|someone|people|you)\b|what(?:'s| is) (?:the best|a good) "
    r"way\b|what should (?:i|we) (?:do|say|wear|ask|bring|know)\b|should (?:i|we)\b|(?:give me|any|i need|do you have)"
    r"(?: some)? (?:tips|advice)\b|(?:tips|advice) (?:for|on|about)\b|is it (?:wise|a good idea|better)\b|"
    r"wie (?:sollte|soll) (?:ich|man)\b|comment (?:devrais-je|devrait-on)\b|cómo (?:debo|debería)\b)",
    re.I,
)
OUTSIDE = re.compile(
    r"^(?:what(?:'s| is) (?:the )?(?:weather|time|date)(?: like)?(?: (?:today|now|tomorrow|in [\w ]{2,30})){0,2}|"
    r"what (?:time|day) is it(?: now| today)?|(?:tell|sing) me a (?:joke|song|story)|who (?:are|made|built) you|"
    r"what (?:can|do) you do|what are you|are you (?:an? )?(?:human|robot|ai|bot|person|real)|wer bist du|"
    r"wie (?:ist|wird) das wetter(?: heute| morgen)?|wie spät ist es|quel temps fait-il|quelle heure est-il|"
    r"qué hora es|qui es-tu|quién eres)\W*$",
    re.I,
)
TABLE = re.compile(
    r"\b(?:how many|average|mean|median|sum|total|count|group(?:ed)? by|per (?:month|year|customer)|top \d+)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Wish:
    """A task and what it is about, in the words of the message; `what`: what is to be extracted, or labels."""

    task: Task
    about: str = ""
    what: str = ""


NONE = Wish("")


def plain(message: str) -> str:
    """A message without its politeness."""
    text = message.strip()
    while match := POLITE.match(text):
        text = text[match.end() :]
    return text


def wish(message: str) -> Wish:
    """What the message asks to be done; NONE for a question."""
    text = plain(message)
    if len(message) >= PASTE:
        return Wish("write", "") if REWORK.search(text[:300]) or REWORK.search(text[-300:]) else NONE
    if LIST.match(text):
        return Wish("list")
    if HAND_OVER.search(text):
        return Wish("hand_over")
    if WRITE.match(text) and not SUMMARISE.match(text):
        return Wish("write", text)
    sent = SEND.match(text)
    if sent and FILE_WORD.search(text):
        return Wish("send", text[sent.end() :])
    return _of_documents(text)


def _of_documents(text: str) -> Wish:
    if match := COMPARE.match(text):
        return Wish("compare", text[match.end() :])
    if match := SUMMARISE.match(text):
        return Wish("summarise", text[match.end() :])
    if match := EXTRACT.match(text):
        return Wish("extract", text[match.end() :], match["what"])
    if match := CLASSIFY.match(text):
        about, _, labels = re.sub(r"\b(?:as|into|in|by)\b\s*:?", "|", text[match.end() :], count=1).partition(
            "|"
        )
        return Wish("classify", about, labels)
    return NONE
