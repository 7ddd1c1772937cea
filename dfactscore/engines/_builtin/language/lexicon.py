"""Small, readable English word tables written for the alignment features."""

# ruff: noqa: SIM905 (word lists read better as text)

from __future__ import annotations

STOP_WORDS = frozenset(
    """
    a an the this that these those there here it its itself he him his himself she her hers
    herself they them their theirs themselves who whom whose which what where when while as at by
    for from in into of off on onto out over to under until up upon with within without about
    after before between during through against among along around across and or but nor so yet if
    then than also too very just both each either neither other others another such same own some
    any all more most many much several few is am are was were be been being do does did doing has
    have had having will would shall should can could may might must later well known one s t d ll
    re ve mr mrs ms however including included include became become becoming
    """.split()
)

PRONOUNS = frozenset("he she it they his her its their him them this who".split())

NEGATIONS = frozenset("not no never none neither nor without cannot n't nt unable nobody".split())

_MONTHS = (
    "january february march april may june july august september october november december".split()
)
MONTHS = {
    **{name: f"month{i}" for i, name in enumerate(_MONTHS, 1)},
    **{name[:3]: f"month{i}" for i, name in enumerate(_MONTHS, 1) if name != "may"},
    "sept": "month9",
}

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty"
).split()
_ORDINALS = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
    "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
).split()
_TENS = "thirty forty fifty sixty seventy eighty ninety".split()
NUMBER_WORDS = {
    **{word: str(i) for i, word in enumerate(_UNITS) if i != 1},
    **{word: f"{i}th" for i, word in enumerate(_ORDINALS) if i},
    **{word: str(10 * i) for i, word in enumerate(_TENS, 3)},
    "hundred": "100",
    "thousand": "1000",
    "million": "1000000",
    "once": "1",
    "twice": "2",
}

# Forms that no suffix rule covers, by lemma.
_IRREGULAR = """
    win: won  write: wrote written  make: made  take: took taken  give: gave given  get: got gotten
    go: went gone  come: came  begin: began begun  see: saw seen  know: knew known  grow: grew grown
    sing: sang sung song  run: ran  hold: held  lead: led  leave: left  lose: lost  meet: met
    teach: taught  think: thought  buy: bought  bring: brought  build: built  send: sent
    spend: spent  sell: sold  tell: told  keep: kept  feel: felt  find: found
    found: founded founder
    fight: fought  speak: spoke spoken speech  break: broke broken  choose: chose chosen choice
    rise: rose risen  fall: fell fallen  draw: drew drawn  fly: flew flown  drive: drove driven
    swim: swam swum
    become: became  wife: wives  life: lives  child: children  man: men  woman: women
    person: people  movie: movies
    study: studied studies  bear: bore  put: put  strike: struck  sit: sat  stand: stood  wear: wore
    receive: receipt  succeed: success successor  die: died dying death dead dies deceased
    marry: married marriage marries  serve: served service serving  play: played player plays
    act: actor actress acting  sculpt: sculptor sculpture  paint: painter painting
    analysis: analyses  elect: election  govern: governor government governed
    """.split("  ")


def _irregular() -> dict[str, str]:
    table = {}
    for entry in " ".join(" ".join(_IRREGULAR).split()).replace(": ", ":").split():
        if ":" in entry:
            lemma, first = entry.split(":")
            table[first] = lemma
        else:
            table[entry] = lemma
    return table


IRREGULAR = _irregular()

# Words ending in -er or -or that do not name a person who does something.
NOT_AGENTS = frozenset(
    """
    former number member together another whether center corner winter summer letter matter
    chapter quarter charter disaster character register order border cancer career minister
    sister monster master easter western eastern river silver timber border tender gender
    senior junior major minor interior exterior superior inferior honor labor armor harbor mirror
    tractor factor sector anchor
    """.split()
)

# Words that mean the same in a short biography; the first of a line is the key.
_SYNONYMS = """
    die perish
    footballer soccer football
    movie film
    attend study educate education student pupil graduate graduated alumnus
    university college
    teach teacher professor lecturer instructor
    lawyer attorney barrister solicitor
    doctor physician surgeon
    compete competitor
    represent representative
    job occupation profession
    spouse wife husband marry
    son daughter child
    parent father mother
    brother sister sibling
    author writer write
    poet poem poetry
    singer vocalist sing vocal
    begin start commence
    leader head chief
    soldier military army
    priest clergyman cleric minister reverend
    bishop episcopal
    company firm business
    businessman businesswoman entrepreneur
    earn obtain receive award get
    doctorate phd doctoral dphil
    appoint appointment name
    create found establish
    live reside resident
    relocate move
    join joined member
    uk british britain
    us usa american america
    journalist reporter journalism
    cricketer cricket
    basketball nba
    club team side
    coach manager
    retire retirement
    born birth birthplace birthday birthdate
    include involve
    oversee supervise
    numerous various several
    famous renowned prominent notable celebrated distinguished acclaimed famed popular
    work job career
    accomplishment achievement success
    """.strip().splitlines()

# Adjective or inhabitant to country, where the ending does not show it.
_DEMONYMS = """
    scotland scottish scots scotsman; england english englishman; wales welsh welshman;
    ireland irish irishman; france french frenchman; germany german germans; spain spanish spaniard;
    portugal portuguese; netherlands dutch holland; belgium belgian; switzerland swiss;
    austria austrian; italy italian; greece greek; turkey turkish turk ottoman; poland polish pole;
    denmark danish dane; sweden swedish swede; norway norwegian; finland finnish finn;
    iceland icelandic; russia russian soviet ussr; ukraine ukrainian; hungary hungarian;
    czech czechoslovakia bohemian; slovakia slovak; slovenia slovene slovenian;
    croatia croatian croat;
    serbia serbian serb yugoslav yugoslavia; bulgaria bulgarian; romania romanian; albania albanian;
    israel israeli; iran iranian persian persia; iraq iraqi; india indian; pakistan pakistani;
    bangladesh bangladeshi; china chinese; japan japanese; korea korean; thailand thai;
    vietnam vietnamese; philippines filipino philippine; malaysia malaysian; indonesia indonesian;
    australia australian; zealand zealander; canada canadian; mexico mexican; brazil brazilian;
    argentina argentine argentinian; chile chilean; peru peruvian; colombia colombian; cuba cuban;
    venezuela venezuelan; jamaica jamaican; egypt egyptian; nigeria nigerian; ghana ghanaian;
    kenya kenyan; ethiopia ethiopian; morocco moroccan; algeria algerian; tunisia tunisian;
    cameroon cameroonian; senegal senegalese; lebanon lebanese; syria syrian; nepal nepalese nepali;
    rome roman; catalonia catalan; tasmania tasmanian; flanders flemish; prussia prussian;
    bavaria bavarian; saxony saxon; judaism jewish jew; europe european; africa african; asia asian;
    texas texan; california californian; lanka lankan; lithuania lithuanian; latvia latvian;
    estonia estonian; georgia georgian; armenia armenian; scandinavia scandinavian
    """


def _canonical() -> dict[str, str]:
    table: dict[str, str] = {}
    for line in (*_SYNONYMS, *_DEMONYMS.split(";")):
        words = line.split()
        for word in words[1:]:
            table.setdefault(word, words[0])
    return table


CANONICAL = _canonical()

# A place on a page that also says the country: "in Ohio" supports "American".
_STATES = """
    alabama alaska arizona arkansas california colorado connecticut delaware florida hawaii idaho
    illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota
    mississippi missouri montana nebraska nevada ohio oklahoma oregon pennsylvania tennessee texas
    utah vermont virginia wisconsin wyoming chicago boston philadelphia brooklyn manhattan detroit
    """
_PLACES = {
    **dict.fromkeys(_STATES.split(), "us"),
    **dict.fromkeys("england scotland wales london yorkshire lancashire".split(), "uk"),
    **dict.fromkeys("ontario quebec toronto montreal alberta manitoba".split(), "canada"),
    **dict.fromkeys("sydney melbourne queensland tasmania victoria".split(), "australia"),
}

# More general roles: "a novelist" supports "a writer".
_HYPERNYMS = """
    writer: novelist playwright dramatist essayist biographer screenwriter columnist poet
    musician: guitarist pianist violinist drummer bassist cellist organist saxophonist trumpeter
    flautist composer singer songwriter percussionist harpist vocalist
    artist: painter sculptor engraver illustrator printmaker
    scientist: physicist chemist biologist botanist zoologist astronomer geologist
    politician: senator congressman congresswoman mayor mp legislator assemblyman alderman
    councillor governor parliament
    athlete: swimmer runner sprinter gymnast cyclist rower boxer hurdler footballer cricketer
    player: midfielder defender goalkeeper quarterback linebacker outfielder shortstop
    academic: professor lecturer
    clergyman: bishop archbishop vicar rector
    nobleman: duke earl baron viscount marquess
    soldier: sergeant corporal infantryman
    """


def _hypernyms() -> dict[str, str]:
    table: dict[str, str] = {}
    general = ""
    for word in _HYPERNYMS.split():
        if word.endswith(":"):
            general = word[:-1]
        else:
            table[word] = general
    return table


IMPLIED = {**_hypernyms(), **_PLACES}
