"""Word classes that the rules need: verb forms, roles of people, relatives, connectives."""

from __future__ import annotations

from functools import lru_cache

__all__ = [
    "ADVERBS",
    "AUXILIARIES",
    "DEMONYMS",
    "DETERMINERS",
    "MONTHS",
    "PARTICIPLES",
    "PASSIVE",
    "PREPOSITIONS",
    "PRONOUNS",
    "RELATIVES",
    "TITLES",
    "is_adjective_ed",
    "is_demonym",
    "is_finite_form",
    "is_role",
    "past_of_any_gerund",
    "past_of_gerund",
]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


AUXILIARIES = _words(
    "is was are were has had have does did 's ’s will would can could may might must shall "
    "should am"
)
PRONOUNS = _words("he she they it this these those")
DETERMINERS = _words(
    "a an the this that these those his her their its my our your some any every each no several "
    "many various numerous other another two three four five six seven eight nine ten both all"
)
PREPOSITIONS = _words(
    "of in on at to for from with by as into onto under over during after before between among "
    "through throughout against about around near within without until till since upon across "
    "along alongside behind beyond despite toward towards via like including regarding concerning "
    "following per off out up amid beside besides above below versus because while when where"
)
ADVERBS = _words(
    "also later then subsequently currently previously now still often eventually briefly once "
    "never first soon again always even thus therefore further furthermore additionally instead "
    "today sometimes twice afterwards afterward ultimately himself herself themselves both too "
    "only just almost nearly not already formerly best better together finally initially "
    "reportedly famously however nevertheless nonetheless moreover meanwhile similarly likewise "
    "conversely alternatively overall indeed perhaps elsewhere"
)
MONTHS = _words(
    "january february march april may june july august september october november december"
)
RELATIVES = _words(
    "father mother son sons daughter daughters brother brothers sister sisters wife husband spouse "
    "partner uncle aunt nephew niece cousin cousins grandfather grandmother grandson granddaughter "
    "grandchildren grandparents parents parent child children sibling siblings stepfather "
    "stepmother stepson stepdaughter stepbrother stepsister half-brother half-sister twin "
    "father-in-law mother-in-law son-in-law daughter-in-law brother-in-law sister-in-law family "
    "great-grandfather great-grandson widow widower heir fiancé fiancée girlfriend boyfriend "
    "godfather godson namesake descendant ancestor great-uncle great-nephew grand-nephew"
)
TITLES = _words(
    "mr mrs ms miss dr prof professor sir dame lord lady rev reverend hon honourable honorable "
    "captain capt colonel col general gen lieutenant lt major maj admiral rear-admiral "
    "vice-admiral brigadier sergeant sgt commander corporal private marshal saint st blessed pope "
    "cardinal bishop archbishop father fr brother sister king queen prince princess duke duchess "
    "archduke archduchess count countess earl baron baroness viscount emperor empress senator sen "
    "president judge justice governor gov mayor rabbi sheikh imam the late don doña dom mother"
)
PASSIVE = _words(
    "born raised educated baptized baptised buried elected re-elected appointed promoted awarded "
    "inducted named knighted drafted selected signed arrested captured released imprisoned "
    "nominated ordained consecrated honored honoured recognized recognised executed killed "
    "murdered assassinated exiled hired fired dismissed chosen crowned married called commissioned "
    "admitted sworn taken given shot wounded traded loaned transferred beatified canonized "
    "canonised interred sentenced convicted acquitted deposed succeeded invited assigned employed "
    "ranked listed featured known considered regarded described credited published acclaimed "
    "decorated removed capped accepted trained taught brought granted created made voted "
    "designated "
    "adopted engaged posted stationed forced cast used associated based involved called-up "
    "influenced inspired mentioned written directed produced founded established"
)
PARTICIPLES = _words(
    "born known written given taken seen done begun drawn chosen sworn shown grown sung been "
    "driven flown spoken stolen thrown worn torn broken forgotten frozen hidden ridden risen "
    "shaken woken beaten eaten fallen named called based located situated entitled titled "
    "nicknamed née headquartered dubbed gone come become run overseen undergone undertaken "
    "laid paid"
)
_PAST = _words(
    "was were had did began became wrote won led made took gave went came grew held left built "
    "taught met lost found fought kept spent set stood thought told understood wore drew drove "
    "flew forgave got hit knew lay let met put ran rose said sang sat saw sent shot spoke swam "
    "swore threw withdrew underwent undertook oversaw brought bought caught chose cut dealt fell "
    "felt heard hung laid lent meant paid read rode sold sought shook slept struck stole strove "
    "taught bore broke beat bred forbade froze hid rang sank spread swept tore wed woke wove "
    "died tied vied arose awoke befell foresaw bound dwelt fled rebuilt retook rewrote"
)
_NOT_VERBS_ED = _words(
    "united hundred sacred beloved aforementioned naked wicked rugged hatred kindred shed bed red "
    "led-zeppelin embed infrared speed breed need seed feed indeed exceed"
)
_ADJECTIVES_ED = _words(
    "retired renowned noted acclaimed distinguished celebrated talented respected accomplished "
    "experienced skilled dedicated related mixed animated esteemed decorated gifted named called "
    "advanced applied limited united noted unrelated aged armed combined detailed extended "
    "influenced inspired based associated so-called learned"
)
_PRESENT = _words(
    "plays works lives serves teaches writes holds has is does runs owns leads resides performs "
    "represents specializes specialises focuses studies hosts directs produces coaches manages "
    "remains continues includes includes features covers appears stars contributes advocates "
    "competes operates collaborates lectures publishes edits sings acts trains tours owns "
    "receives enjoys attends belongs comes goes makes takes gives becomes begins explores "
    "concentrates graduates hails chairs practices practises speaks sits shares combines "
    "contains describes examines encompasses spans refers wins uses dies helps covers records "
    "maintains races fights fences boxes dances paints draws translates researches supports "
    "deserves merits advises consults presents reports blogs tweets divides splits derives "
    "stands says argues "
    "believes aims seeks boasts currently-plays lists joins moves marries publishes defeats signs "
    "discusses mentions concerns remain continue include emphasize reflect contain explore appear "
    "returns founds lies ranks oversees heads drives designs creates composes conducts"
)
_GERUNDS = {
    "becoming": "became",
    "winning": "won",
    "making": "made",
    "taking": "took",
    "leading": "led",
    "writing": "wrote",
    "holding": "held",
    "beginning": "began",
    "leaving": "left",
    "spending": "spent",
    "running": "ran",
    "building": "built",
    "teaching": "taught",
    "giving": "gave",
    "losing": "lost",
    "setting": "set",
    "beating": "beat",
    "bringing": "brought",
    "finding": "found",
    "getting": "got",
    "going": "went",
    "selling": "sold",
    "rising": "rose",
    "overseeing": "oversaw",
    "fighting": "fought",
    "hitting": "hit",
    "putting": "put",
    "singing": "sang",
    "swimming": "swam",
    "riding": "rode",
    "driving": "drove",
    "dying": "died",
    "falling": "fell",
    "meeting": "met",
    "keeping": "kept",
    "drawing": "drew",
    "speaking": "spoke",
    "standing": "stood",
    "seeing": "saw",
    "throwing": "threw",
    "growing": "grew",
    "coming": "came",
    "seeking": "sought",
    "shooting": "shot",
    "breaking": "broke",
    "batting": "batted",
    "striking": "struck",
    "netting": "netted",
    "ending": "ended",
    "being": "was",
    "buying": "bought",
    "catching": "caught",
    "choosing": "chose",
    "feeling": "felt",
    "forgetting": "forgot",
    "hearing": "heard",
    "hiding": "hid",
    "knowing": "knew",
    "lying": "lay",
    "paying": "paid",
    "reading": "read",
    "sending": "sent",
    "showing": "showed",
    "sitting": "sat",
    "sleeping": "slept",
    "stealing": "stole",
    "thinking": "thought",
    "undergoing": "underwent",
    "understanding": "understood",
    "wearing": "wore",
    "withdrawing": "withdrew",
}
_NOT_GERUNDS = _words(
    "including during regarding concerning following according engineering something anything "
    "nothing everything evening morning wedding painting meaning"
)
_REGULAR_GERUNDS = _words(
    "earn serve play work score perform complete receive study publish graduate attend reach "
    "represent finish coach record appear retire advocate represent release settle join move "
    "return start succeed defeat contribute focus specialise specialize establish found direct "
    "produce star host create develop live reside marry defend rank place compete participate "
    "manage captain succeed gain amass achieve obtain pursue launch co-found patent paint design "
    "edit translate compose conduct remain travel collect lecture campaign tour tie equal document "
    "explore introduce help support promote inherit capture collaborate practice practise command "
    "claim attract sign"
)
_BASE_FORMS = _REGULAR_GERUNDS | _words(
    "promote write sing make take lead win build teach give set bring find fight draw speak become "
    "protect preserve improve encourage inspire educate raise act run hold spread address provide "
    "combat advance expand increase reduce maintain strengthen protect entertain perform spread "
    "raise fund share tell use play push change shape engage empower continue"
)

DEMONYMS = _words(
    "american english british scottish welsh irish french german italian spanish portuguese dutch "
    "belgian swiss austrian polish czech slovak hungarian romanian bulgarian serbian croatian "
    "slovenian slovene bosnian montenegrin macedonian albanian greek turkish cypriot russian "
    "ukrainian belarusian lithuanian latvian estonian finnish swedish norwegian danish icelandic "
    "canadian mexican cuban jamaican haitian dominican guatemalan honduran salvadoran nicaraguan "
    "panamanian colombian venezuelan ecuadorian peruvian bolivian chilean argentine argentinian "
    "uruguayan paraguayan brazilian australian japanese chinese korean vietnamese thai indonesian "
    "malaysian filipino burmese indian pakistani bangladeshi nepalese afghan iranian persian iraqi "
    "syrian lebanese israeli palestinian jordanian saudi yemeni egyptian libyan tunisian algerian "
    "moroccan sudanese ethiopian eritrean somali kenyan ugandan tanzanian rwandan congolese "
    "nigerian ghanaian senegalese malian ivorian cameroonian angolan zambian zimbabwean namibian "
    "soviet yugoslav yugoslavian czechoslovak roman byzantine ottoman jewish catholic puerto rican "
    "georgian armenian azerbaijani kazakh uzbek mongolian maltese samoan fijian tongan trinidadian "
    "barbadian bermudian singaporean guyanese scots saxon anglo-irish flemish bavarian prussian "
    "african european asian venetian sicilian catalan basque galician cornish mauritian "
    "botswanan malawian mozambican"
)

_ROLE_SUFFIXES = ("ist", "ician", "ologist", "ographer", "woman", "man", "smith", "keeper")
_ROLES = _words(
    "hero heroine maker lady-in-waiting "
    "person individual figure man woman boy girl people character member leader head chief founder "
    "co-founder president vice-president chairman chairwoman chair ceo director co-director "
    "executive manager officer official secretary minister ambassador diplomat consul governor "
    "mayor senator congressman representative delegate councillor councilor commissioner "
    "politician statesman activist advocate campaigner reformer abolitionist revolutionary rebel "
    "lawyer barrister solicitor judge justice jurist attorney prosecutor magistrate sheriff "
    "doctor physician surgeon nurse dentist pharmacist veterinarian midwife psychiatrist "
    "psychologist therapist teacher professor lecturer academic scholar researcher scientist "
    "physicist chemist biologist mathematician astronomer engineer inventor philosopher historian "
    "historiographer theologian linguist philologist archaeologist anthropologist economist "
    "sociologist geologist botanist naturalist zoologist librarian educator educationist tutor "
    "dean provost chancellor vice-chancellor rector principal student fellow author writer poet "
    "novelist playwright dramatist screenwriter essayist critic editor publisher journalist "
    "reporter correspondent columnist commentator broadcaster presenter host anchor announcer "
    "actor actress comedian entertainer performer singer songwriter singer-songwriter rapper "
    "musician composer conductor guitarist bassist drummer pianist violinist cellist saxophonist "
    "trumpeter trombonist organist soprano tenor baritone dj producer filmmaker "
    "cinematographer cameraman dancer choreographer model artist painter sculptor illustrator "
    "photographer designer architect cartoonist animator printmaker engraver potter craftsman "
    "soldier sailor general admiral colonel captain lieutenant major commander marshal sergeant "
    "brigadier pilot aviator astronaut cosmonaut spy agent warrior knight nobleman noblewoman "
    "king queen prince princess duke duchess earl count countess baron baronet lord lady emperor "
    "monarch ruler sultan pharaoh ealdorman landowner landgrave margrave bishop archbishop "
    "cardinal priest pastor clergyman minister missionary monk nun friar abbot rabbi imam saint "
    "preacher evangelist pope deacon vicar prelate jesuit explorer adventurer mountaineer climber "
    "pioneer settler colonist planter farmer rancher businessman businesswoman entrepreneur "
    "merchant trader banker investor philanthropist industrialist manufacturer financier "
    "accountant consultant analyst strategist hotelier restaurateur chef cook brewer winemaker "
    "athlete footballer cricketer golfer boxer wrestler swimmer diver runner sprinter hurdler "
    "jumper thrower cyclist gymnast rower sailor skier skater fencer archer shooter jockey "
    "equestrian driver racer rider player coach trainer umpire referee goalkeeper defender "
    "midfielder forward striker winger fullback full-back linebacker quarterback cornerback "
    "lineman receiver kicker punter pitcher catcher outfielder "
    "infielder shortstop batsman bowler all-rounder wicketkeeper wicket-keeper hurler hooker prop "
    "flanker wrestler sumo bodybuilder weightlifter paralympian olympian champion medalist "
    "medallist recruit scout roadie hacker programmer developer astrologer magician juggler "
    "gambler bookmaker criminal murderer killer gangster outlaw pirate slave freedman servant "
    "worker laborer labourer miner carpenter blacksmith printer bookseller collector curator "
    "dealer auctioneer horticulturist gardener plantsman forester fisherman hunter native "
    "personality celebrity star icon socialite heiress youtuber streamer influencer blogger "
    "podcaster webcomics-artist mystic prophet healer shaman hermit martyr queen-consort regent "
    "chieftain chancellor speaker treasurer auditor clerk bureaucrat administrator civil-servant "
    "public-servant servant legislator lawmaker parliamentarian republican democrat socialist "
    "communist anarchist feminist suffragette unionist nationalist patriot counterpart "
    "bridge-player "
    "archivist antiquary antiquarian genealogist cartographer surveyor navigator whaler tycoon "
    "magnate mogul baronetess orchestrator arranger lyricist librettist dramaturge impresario "
    "ventriloquist stuntman puppeteer bodyguard policeman detective firefighter warden jailer "
    "intellectual thinker humorist satirist memoirist biographer translator interpreter polymath "
    "graduate alumnus professional amateur veteran trailblazer virtuoso prodigy "
    "multi-instrumentalist "
    "instrumentalist vocalist frontman bandleader keyboardist beatmaker songwriter hitmaker"
)
_NOT_ROLES = _words(
    "list exist assist consist gist mist twist fist wrist artist's woman's man's roman german "
    "ottoman norman human batman superman talisman caiman protagonist midlist playlist shortlist "
    "goldsmiths checklist"
)


@lru_cache(maxsize=20000)
def is_role(word: str) -> bool:
    """Whether a word names what a person is or does ("poet", "chairwoman")."""
    low = word.lower().removesuffix("'s").removesuffix("’s")
    if low in _NOT_ROLES:
        return False
    if low in _ROLES or low.rsplit("-", 1)[-1] in _ROLES:
        return True
    return len(low) > 5 and low.endswith(_ROLE_SUFFIXES)


@lru_cache(maxsize=20000)
def is_finite_form(word: str) -> bool:
    """Whether a lower-case word can be a finite verb; regular pasts are guessed by their ending."""
    if word in AUXILIARIES or word in _PAST or word in _PRESENT:
        return True
    if word in PARTICIPLES or word in _NOT_VERBS_ED:
        return False
    return len(word) > 4 and word.endswith("ed")


def is_base_form(word: str) -> bool:
    """Whether a word is the plain form of a known verb ("promote")."""
    return word in _BASE_FORMS


def is_adjective_ed(word: str) -> bool:
    """Whether a word in -ed usually describes a noun ("renowned", "retired")."""
    return word in _ADJECTIVES_ED


def is_demonym(word: str) -> bool:
    """Whether a word names a nationality, also in pairs ("Irish-American")."""
    return all(part in DEMONYMS for part in word.lower().replace("–", "-").split("-"))


def _gerund(verb: str) -> str:
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return verb[:-1] + "ing"
    return verb + "ing"


def _past(verb: str) -> str:
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ied"
    return verb + "ed"


_PAST_OF = {_gerund(verb): _past(verb) for verb in _REGULAR_GERUNDS} | _GERUNDS


def past_of_any_gerund(word: str) -> str:
    """The past of a form in -ing, guessed where it is not known; empty for other words.

    Example:
        >>> [past_of_any_gerund(w) for w in ("citing", "planning", "studying", "king")]
        ['cited', 'planned', 'studied', '']
    """
    known = _PAST_OF.get(word)
    if known is not None:
        return known
    stem = word.removesuffix("ing")
    if stem == word or len(stem) < 3 or not any(v in stem for v in "aeiou") or word in _NOT_GERUNDS:
        return ""
    return _past(stem)


def past_of_gerund(word: str) -> str | None:
    """The past of a well-known verb given its -ing form: ``"earning"`` gives ``"earned"``."""
    return _PAST_OF.get(word)
