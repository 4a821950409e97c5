"""The words of people who greet, thank and agree, in the languages we know them in."""

import re

from server.chat.sentences import word_set

WORD = re.compile(r"[\w'’]+", re.UNICODE)

# A message is small talk when all its words are social and at least one of them can stand alone.
ALONE = word_set(
    """
    hi hello hey hiya howdy yo greetings morning afternoon evening goodnight thanks thank thx ty cheers ok
    okay k cool great nice perfect awesome wonderful lovely bye goodbye ciao sup welcome sorry lol haha yes
    yeah yep no nope hallo moin servus danke dank tschüss hola gracias adiós bonjour bonsoir salut merci
    buongiorno buonasera grazie olá obrigado obrigada goedemorgen bedankt hej tack cześć dziękuję ahoj merhaba
    teşekkürler привет здравствуйте спасибо مرحبا شكرا こんにちは こんばんは おはよう おはようございます ありがとう
    ありがとうございます 你好 您好 谢谢 谢谢你 안녕하세요 감사합니다
    """
)
SOCIAL = ALONE | word_set(
    """
    good day night to you there all everyone team again so very much a lot for the help your are how doing
    is it going today what's whats what’s up see ya later then that's thats that’s and oh well my friend
    please got guten gute tag morgen abend nacht vielen schön sehr buenos buenas días tardes noches muchas bon
    beaucoup mille bom boa dia tarde noite добрый доброе день утро вечер большое
    """
)
PHRASES = (
    *("what's up", "whats up", "what’s up", "how are you", "how's it going", "see you", "got it", "good day"),
    *("good night", "guten tag", "guten morgen", "guten abend", "gute nacht", "buenos días", "buenas tardes"),
    *("buenas noches", "bom dia", "boa tarde", "boa noite", "добрый день", "добрый вечер", "доброе утро"),
)
AFFIRMATIONS = word_set(
    """
    yes yeah yep sure please ok okay do it go ahead of course absolutely ja oui sí
    """
)
GREETINGS = word_set(
    """
    hi hello hey hiya howdy yo greetings morning afternoon evening hallo moin servus hola bonjour bonsoir salut
    buongiorno buonasera olá goedemorgen hej ahoj merhaba привет здравствуйте مرحبا こんにちは こんばんは おはよう
    おはようございます 你好 您好 안녕하세요 guten buenos buenas bom boa добрый доброе cześć ciao
    """
)
THANKS = word_set(
    """
    thanks thank thx ty cheers ok okay k cool great nice perfect awesome wonderful lovely yes yeah yep no nope
    danke vielen gracias muchas merci grazie obrigado obrigada bedankt tack dziękuję teşekkürler спасибо большое
    شكرا ありがとう ありがとうございます 谢谢 谢谢你 감사합니다 got
    """
)


def words_of(message: str) -> list[str]:
    return [w.casefold() for w in WORD.findall(message)]


def social_kind(message: str) -> str | None:
    """greeting | acknowledgement | small_talk for a message that wants nothing looked up, else None."""
    words = words_of(message)
    if not words:
        return "small_talk"
    if len(words) > 8 or not all(word in SOCIAL for word in words):
        return None
    if not (any(word in ALONE for word in words) or any(phrase in message.casefold() for phrase in PHRASES)):
        return None
    if words[0] in THANKS:
        return "acknowledgement"
    return "greeting" if words[0] in GREETINGS and "how" not in words and "up" not in words else "small_talk"


def agrees(message: str) -> bool:
    """Whether a message is nothing but a yes."""
    words = words_of(message)
    return 0 < len(words) <= 5 and words[0] in AFFIRMATIONS and all(w in AFFIRMATIONS for w in words)
