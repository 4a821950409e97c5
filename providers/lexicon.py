"""Words that tell names from other words, and what kind of name it is. English, with legal forms of elsewhere."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# After a company's name, and no part of it.
LEGAL = _set(
    "plc inc incorporated ltd limited llc llp lp gmbh ag sa sas sarl spa srl bv nv oy oyj ab asa as aps kg kgaa "
    "co corp pty pte bhd tbk kk se pcl jsc ooo oao"
)
# Before a person's name, and no part of it.
HONORIFICS = _set(
    "mr mrs ms miss mx dr prof professor sir dame lady lord rev reverend fr hon captain capt colonel col "
    "general gen major maj lieutenant lt sergeant sgt admiral commander judge justice inspector"
)
# Before a person's name, and often a part of it: both spellings are kept.
RANKS = _set(
    "king queen prince princess duke duchess earl count countess baron baroness viscount marquess margrave "
    "landgrave elector emperor empress tsar pope archbishop bishop cardinal saint st president chancellor "
    "governor senator minister mayor sultan shah emir caliph archduke archduchess infante infanta"
)
ORGANISATIONS = _set(
    "exchange mills shipping foods bank university college school institute ministry department agency "
    "committee council commission association society foundation company corporation group holdings "
    "industries airlines airways "
    "records studios pictures entertainment press club team orchestra church court hospital laboratory "
    "laboratories party union federation partners systems technologies services motors energy "
    "pharmaceuticals service authority board trust network"
)
PLACES = _set(
    "city county river lake mountain mountains island islands bay sea ocean province district state republic "
    "kingdom village town township valley peninsula street road avenue harbor harbour port airport park"
)
# Words that begin sentences, questions and headings and name nothing by themselves.
PLAIN = _set(
    "the a an this that these those it its he she they we you i his her their our my your him them us me in on "
    "at for from to and but or nor so yet if when while as according by with without of is are was were be been "
    "being has have had do does did can could will would shall should may might must not no yes what which who "
    "whom whose where why how there here then than thus hence however therefore moreover furthermore although "
    "though because since until unless after before during between among within under over above below through "
    "about against despite upon into onto off out up down again also only just even still already both each "
    "every either neither some any many most more much few fewer less least several all none one two three four "
    "five six seven eight nine ten first second third last next another other others such same own new old "
    "please tell show give list find name describe explain compare summarise summarize note see use using used "
    "based given made born died written directed produced released founded located known called later early "
    "recently currently today once often usually sometimes never always instead meanwhile finally additionally "
    "overall similarly specifically generally typically especially particularly indeed perhaps maybe section "
    "chapter table figure page part appendix introduction conclusion summary abstract background methods "
    "results discussion references overview contents example examples notes warning important default let make "
    "set get run add check everyone someone nobody anything everything something nothing hello hi thanks thank "
    "ok okay dear january february march april june july august september october november december monday "
    "tuesday wednesday thursday friday saturday sunday film films movie song album series novel book director "
    "actor author"
)
# Small words that stand between the words of a name.
JOINERS = (
    r"of|the|and|for|de|la|le|les|von|van|der|den|di|da|do|dos|das|du|del|della|al|el|bin|ibn|ben|y|zu|zur"
)
# What people are somewhere; any word in -ologist besides.
JOBS = (
    r"\b(?:director|manager|chair(?:man|woman|person)?|president|officer|engineer|doctor|physician|surgeon|nurse|"
    r"[a-z]+ologist|chemist|physicist|teacher|professor|lecturer|researcher|scientist|clerk|accountant|lawyer|"
    r"attorney|partner|head|lead|chief|secretary|treasurer|captain|pilot|driver|welder|architect|designer|"
    r"developer|programmer|analyst|consultant|editor|reporter|journalist|founder|owner|employee|member|coach|"
    r"trainer|mechanic|technician|baker|cook|chef|farmer|student|fellow|curator|librarian|inspector|agent|broker|"
    r"trader|auditor|controller|supervisor|foreman|master)\b"
)
