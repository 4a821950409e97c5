"""Words by which one message alone says that somebody is in danger (D8), and what is then answered (D9)."""

import re

# First person and present: what somebody says of themselves, not what a document or a story says.
SELF_HARM: dict[str, re.Pattern[str]] = {
    "en": re.compile(
        r"\b(?:i|i['’]?m|im|i['’]ve|me)\b(?:(?!\bnot\b)[^.!?\n]){0,40}?"
        r"\b(?:kill(?:ing)? myself|end(?:ing)? (?:my (?:own )?life|it all)|tak(?:e|ing) my (?:own )?life|"
        r"(?:hurt|harm|cut|starv)(?:t?ing)? myself|want(?:ed)? to die|wish (?:i|that i) (?:was|were) dead|"
        r"(?:don['’]?t|do not|no longer) want to (?:live|be alive|be here any ?more|wake up)|"
        r"(?:feel(?:ing)?|be(?:en)?|am|['’]m|im) suicidal|thinking (?:about|of) suicide|commit(?:ting)? suicide|"
        r"better off dead|no reason to (?:live|go on)|(?:can['’]?t|cannot) go on (?:living|any ?more|like this))\b"
        r"|\b(?:kill myself|suicidal thoughts|how (?:do|can|could|would) i (?:kill myself|end my life))\b"
        r"|\bim suicidal\b|\bi['’]?m suicidal\b|\bpainless(?:ly)? (?:way )?to (?:die|kill myself)\b",
        re.I,
    ),
    "de": re.compile(
        r"\bich\b[^.!?\n]{0,40}\b(?:bringe? mich um|mich umbringen|mir das leben nehmen|mich (?:selbst )?töten|"
        r"mich (?:selbst )?verletzen|mich ritzen|nicht mehr leben|will sterben|möchte sterben|suizidal|"
        r"selbstmordgedanken|suizidgedanken)\b|\bwie (?:kann|soll) ich mich umbringen\b",
        re.I,
    ),
    "fr": re.compile(
        r"\b(?:je|j['’])[^.!?\n]{0,40}\b(?:me (?:tuer|suicider|faire du mal|mutiler)|en finir(?: avec la vie)?|"
        r"mettre fin à mes jours|veux mourir|voudrais mourir|ne veux plus vivre|pensées suicidaires|suicidaire)\b",
        re.I,
    ),
    "es": re.compile(
        r"\b(?:quiero|voy a|pienso en|he pensado en|deseo|tengo)\b[^.!?\n]{0,25}\b(?:matarme|suicidarme|"
        r"quitarme la vida|hacerme daño|cortarme|morirme|morir|ideas suicidas|acabar con mi vida)\b"
        r"|\bno quiero (?:vivir|seguir viviendo)\b",
        re.I,
    ),
    "it": re.compile(
        r"\b(?:voglio|vorrei|penso di|sto per|ho)\b[^.!?\n]{0,25}\b(?:uccidermi|suicidarmi|ammazzarmi|morire|"
        r"togliermi la vita|farmi del male|farla finita|pensieri suicidi)\b|\bnon voglio più vivere\b",
        re.I,
    ),
    "pt": re.compile(
        r"\b(?:quero|vou|penso em|pensando em)\b[^.!?\n]{0,25}\b(?:me matar|matar-me|suicidar-me|morrer|"
        r"tirar a minha vida|acabar com a minha vida|me machucar)\b|\bnão quero mais viver\b",
        re.I,
    ),
    "nl": re.compile(
        r"\bik\b[^.!?\n]{0,40}\b(?:mezelf (?:van kant maken|doden|pijn doen|snijden)|zelfmoord|wil dood|"
        r"niet meer leven|een einde aan mijn leven)\b",
        re.I,
    ),
}

TEXTS: dict[str, str] = {
    "en": (
        "I am sorry that things are this hard right now, and I am glad you said it. You do not have to carry this "
        "alone. If you might act on it, please call your local emergency number (112 in Europe, 911 in the US and "
        "Canada) or go to someone who is near.\n\n"
        "Somebody is there to talk at any hour: in the US and Canada call or text 988; in the UK and Ireland "
        "Samaritans, 116 123; elsewhere https://findahelpline.com lists free lines by country.\n\n"
        "If you like, tell me what is going on. I am a program and cannot replace a person, but I will not turn "
        "you away."
    ),
    "de": (
        "Es tut mir leid, dass es gerade so schwer ist, und es ist gut, dass du es sagst. Du musst damit nicht "
        "allein bleiben. Wenn du dir etwas antun könntest, ruf bitte den Notruf 112 oder geh zu jemandem in deiner "
        "Nähe.\n\n"
        "Zu jeder Stunde hört jemand zu: in Deutschland die TelefonSeelsorge, 0800 111 0 111 oder 116 123; in "
        "Österreich 142; in der Schweiz die Dargebotene Hand, 143. Andere Länder: https://findahelpline.com"
    ),
    "fr": (
        "Je suis désolé que ce soit si dur en ce moment, et c'est bien de l'avoir dit. Vous n'êtes pas seul. Si vous "
        "risquez de passer à l'acte, appelez le 112 ou le 15, ou allez vers quelqu'un de proche.\n\n"
        "Quelqu'un écoute à toute heure : en France le 3114, en Belgique le 0800 32 123, en Suisse le 143, au "
        "Canada le 988. Ailleurs : https://findahelpline.com"
    ),
    "es": (
        "Siento que estés pasando por algo tan duro, y me alegra que lo digas. No tienes que llevarlo a solas. Si "
        "puedes hacerte daño, llama al 112 o busca a alguien cerca.\n\n"
        "Alguien te escucha a cualquier hora: en España el 024, en México 800 911 2000, en Estados Unidos el 988 "
        "(opción 2). Otros países: https://findahelpline.com"
    ),
    "it": (
        "Mi dispiace che sia così difficile in questo momento, ed è bene che tu l'abbia detto. Non devi restare "
        "solo. Se pensi di farti del male, chiama il 112 o va' da qualcuno che ti è vicino.\n\n"
        "C'è chi ascolta: in Italia Telefono Amico, 02 2327 2327, e Samaritans, 06 77208977. Altri paesi: "
        "https://findahelpline.com"
    ),
}  # fmt: skip

_SOMEBODY = (
    r"(?:him|her|them|you|someone|somebody|everyone|everybody|people|(?:my|our|his|her|their|the|a|an|some|that|this) "
    r"(?:\w+ )?(?:wife|husband|girlfriend|boyfriend|partner|ex|boss|colleagues?|co-?workers?|neighbou?rs?|teachers?|"
    r"mother|father|mom|mum|dad|brother|sister|son|daughter|kids?|child(?:ren)?|family|friends?|man|woman|men|women|"
    r"girl|boy|guy|person|people|students?|class|school|doctor|judge|police(?:man)?|officer|landlord|tenant)s?)"
)
_HARM = r"(?:kill|murder|stab|shoot(?: up)?|strangle|poison|beat up|beat .{0,12}to death|hurt|attack|bomb|rape|torture)"
# Somebody's own intent against a person. "Kill the process" and "shoot me an e-mail" have no such object.
VIOLENCE = re.compile(
    rf"\b(?:i['’]?m going to|i['’]?m gonna|i am going to|i will|i['’]ll|i want to|i wanna|i plan to|i['’]m planning to|"
    rf"help me|how (?:do|can|could|would|should) i|(?:what|which)(?:['’]s| is) the best way to|ways? to)\b"
    rf"(?:(?!\bnot\b)[^.!?\n]){{0,20}}?\b{_HARM} {_SOMEBODY}\b"
    r"(?! (?:feelings?|chances?|idea|argument|process|job|an? e-?mail))",
    re.I,
)
VIOLENCE_TEXT = (
    "I cannot help with hurting somebody. If you are angry or afraid enough to think of it, please talk to someone "
    "before you do anything; if anybody is in danger now, call your emergency number (112 in Europe, 911 in the US)."
)
