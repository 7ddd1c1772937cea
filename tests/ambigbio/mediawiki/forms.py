# ruff: noqa: E501, W291
"""Disambiguation pages in the forms of Wikipedia's; all names are invented.

The pages are written like editors' pages: headings, columns, hatnotes, ranks, relatives, pen names.
`FORMS` has the bearers of each name; all other links lead to existing pages (people with another
name, or things), so that wrong entries are counted. Each page lists its links to things and to
missing pages.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import ModuleType

_LINK = re.compile(r"\[\[:?([^\[\]|#]+)(?:\||\]\])")


@dataclass(frozen=True)
class Form:
    """A name page, the bearers of the name, and its links to things and missing pages."""

    title: str
    text: str
    people: tuple[str, ...]
    things: tuple[str, ...] = ()
    red: tuple[str, ...] = ()
    template: str = "hndis"
    name: str = ""


def _titles(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(";") if part.strip())


FORMS: list[Form] = []
ARTICLES: dict[str, str] = {}
"""Wikitext of the pages that cases write themselves, by title."""


def form(
    title: str,
    text: str,
    people: str,
    *,
    things: str = "",
    red: str = "",
    template: str = "hndis",
    name: str = "",
    own: bool = False,
) -> None:
    """Adds a page; with `own`, `article` adds the linked pages."""
    FORMS.append(
        Form(title, text.strip(), _titles(people), _titles(things), _titles(red), template, name)
    )


def article(title: str, text: str) -> None:
    """Adds a page that is not a name page."""
    ARTICLES[title] = text


form(
    "Walter Pryce",
    """
'''Walter Pryce''' may refer to:
{{TOC right}}
==Politicians==
*[[Walter Pryce (MP)]] (c. 1560–1613), [[Member of Parliament]] for [[Radnorshire]]
*[[Walter Pryce (Australian politician)]] (1857–1931), member of the [[Victorian Legislative Assembly]]

==Sportspeople==
*[[Walter Pryce (footballer)|Wally Pryce]] (1888–1915), footballer for [[Fulham F.C.]]
*[[Wal Pryce]] (born 1949), Australian rules footballer

==Others==
*[[W. H. Pryce]] (Walter Henry Pryce, 1790–1850), engineer
*[[Sir Walter Pryce, 2nd Baronet]] (1722–1791), landowner

==See also==
*[[Walter Price (disambiguation)]]
*[[Pryce (surname)]]
""",
    "Walter Pryce (MP); Walter Pryce (Australian politician); Walter Pryce (footballer); Wal Pryce; W. H. Pryce; Sir Walter Pryce, 2nd Baronet",
    things="Member of Parliament; Radnorshire; Victorian Legislative Assembly; Fulham F.C.; Pryce (surname); Walter Price (disambiguation)",
)

form(
    "Edmund Crake (disambiguation)",
    """
'''[[Edmund Crake]]''' (1811–1879) was a British botanist.

'''Edmund Crake''' may also refer to:
* [[Edmund Crake (priest)]] (1690–1755), Dean of [[Wells]]
* [[Eddie Crake]] (born 1961), English snooker player
* ''[[Edmund Crake (novel)|Edmund Crake]]'', an 1893 novel by [[Amelia Stote]]

{{hndis|Crake, Edmund}}
""",
    "Edmund Crake; Edmund Crake (priest); Eddie Crake",
    things="Wells; Edmund Crake (novel)",
)

form(
    "Lionel Tharp",
    """
'''Lionel Tharp''' usually refers to [[Lionel Tharp]], the composer (1901–1966). It may also refer to:
* [[Lionel Tharp (judge)]] (1880–1944)
* Lieutenant-Colonel [[Lionel Tharp (soldier)]] (1790–1856)
* [[Squadron leader|Squadron Leader]] [[Lionel Tharp (pilot)]] (1918–1944), [[RAF]] fighter pilot
""",
    "Lionel Tharp; Lionel Tharp (judge); Lionel Tharp (soldier); Lionel Tharp (pilot)",
    things="Squadron leader; RAF",
)
# The page's own title would collide with the primary topic.
FORMS[-1] = Form(
    "Lionel Tharp (disambiguation)",
    *[getattr(FORMS[-1], f) for f in ("text", "people", "things", "red", "template", "name")],
)

form(
    "George Ansty",
    """
'''George Ansty''' may refer to [[George Ansty (bishop)]] or [[George Ansty (lawyer)]].
""",
    "George Ansty (bishop); George Ansty (lawyer)",
)

form(
    "Bill Corran",
    """
'''Bill''' or '''William Corran''' may refer to:
* [[William Corran (clockmaker)]] (1730–1801), Manx clockmaker
* [[Bill Corran (rugby league)]], Australian [[rugby league]] player of the 1920s
* [[Billy Corran]] (1899–1971), [[jockey]]
* [[Willie Corran]], Irish hurler
""",
    "William Corran (clockmaker); Bill Corran (rugby league); Billy Corran; Willie Corran",
    things="rugby league; jockey",
)

form(
    "Kim Sun-oh",
    """
{{family name hatnote|Kim|lang=Korean}}
'''Kim Sun-oh''' ({{korean|hangul=김선오}}) is a Korean name consisting of the family name ''[[Kim (Korean surname)|Kim]]'' and the given name ''[[Sun-oh]]'', and may also refer to:

* [[Kim Sun-oh (footballer, born 1983)]], South Korean footballer
* [[Kim Sun-oh (footballer, born 1991)]], South Korean footballer
* [[Kim Sun-oh (actress)]] (born 1975), South Korean actress
* [[Sunoh Kim]] (born 1980), South Korean-American architect
""",
    "Kim Sun-oh (footballer, born 1983); Kim Sun-oh (footballer, born 1991); Kim Sun-oh (actress); Sunoh Kim",
    things="Kim (Korean surname); Sun-oh",
)

form(
    "Rosalind Peake",
    """
'''Rosalind Peake''' may refer to:
{{columns-list|colwidth=22em|
* [[Rosalind Peake (actress)]] (1920–2004), English actress
* [[Rosalind Peake (historian)]] (born 1951), British historian
* [[Rosalind Peake (swimmer)|Rosalind (Rosie) Peake]], Canadian swimmer
}}
{{refbegin}}{{refend}}
""",
    "Rosalind Peake (actress); Rosalind Peake (historian); Rosalind Peake (swimmer)",
)

form(
    "Thomas Ludd",
    """
'''Thomas''', '''Tom''' or '''Tommy Ludd''' may refer to:

===Arts and entertainment===
* [[Thomas Ludd (engraver)]] (1711–1780), English engraver
* [[Tommy Ludd (comedian)]] (born 1960)
** ''[[The Tommy Ludd Show]]'', his television show
* Tom Ludd, a character in the soap opera ''[[Canal Street (TV series)|Canal Street]]''
* Tom Ludd, pen name of [[Frances Ware]] (1880–1950), author of westerns

===Sports===
* [[Tom Ludd (baseball)]] (1870–1902), American [[baseball]] player
* [[1908 Summer Olympics]] medallist [[Thomas Ludd (athlete)]]
""",
    "Thomas Ludd (engraver); Tommy Ludd (comedian); Frances Ware; Tom Ludd (baseball); Thomas Ludd (athlete)",
    things="The Tommy Ludd Show; Canal Street (TV series); baseball; 1908 Summer Olympics",
)

form(
    "Matilda Fenn",
    """
'''Matilda Fenn''' is the name of:
* [[Matilda Fenn (educator)]] (1840–1919), American educator
* [[Matilda Fenn (writer)]] (1780–1851), Scottish poet, and her daughter [[Matilda Fenn (diarist)]] (1810–1890)
* Matilda Fenn, wife of the explorer [[Gideon Fenn]]
* [[Gideon Fenn]], explorer, and his wife Matilda
""",
    "Matilda Fenn (educator); Matilda Fenn (writer); Matilda Fenn (diarist)",
)

form(
    "Otto Brandl",
    """
'''Otto Brandl''' may refer to:
* [[Otto Brandl (chemist)]] (1855–1933), Austrian chemist
** his son [[Erich Brandl]] (1890–1966), physicist
** His student [[Lise Kohn]] (1882–1941)
* [[Otto Brandl (skier)]] (born 1947), Austrian skier

See also:
* [[Otto Brandel]]
* [[Otto Brändle]]
""",
    "Otto Brandl (chemist); Otto Brandl (skier)",
)

form(
    "Iris Molloy",
    """
'''Iris Molloy''' may refer to:
* [[Iris Molloy (politician)]] (1922–2011), Irish politician
* [[Iris Molloy (camogie)]] (born 1988), Irish [[camogie]] player

'''''See also'''''
* [[Iris Malloy]]
""",
    "Iris Molloy (politician); Iris Molloy (camogie)",
    things="camogie",
)

form(
    "Harald Vik",
    """
'''Harald Vik''' may refer to:
* [[Harald Vik (sailor)]] (1885–1960), Norwegian sailor
* [[Harald Vik (skater)]] (born 1932), Norwegian speed skater
* See also [[Harald Wiik]] and [[Harald Viik]]
""",
    "Harald Vik (sailor); Harald Vik (skater)",
)

form(
    "Ernest Dow",
    """
'''Ernest Dow''' may refer to:

* [[Ernest Dow (architect)]] (1864–1937), American architect
* [[Ernest Dow (trade unionist)]] (1901–1980)

== People with similar names ==
* [[Ernst Dow]]
* [[Ernest Dowe]]
""",
    "Ernest Dow (architect); Ernest Dow (trade unionist)",
)

form(
    "Lucy Vane",
    """
'''Lucy Vane''' may refer to:
* [[Lucy Vane (painter)]] (1843–1923), English painter
* [[Lucy Vane (activist)]] (born 1970), American activist
* Lucy Vane, professional name of [[Lucinda Marsh]] (1915–1999), American dancer
* Lucy Vane, birth name of [[Lucy Holt]] (born 1946), Scottish poet
* Lucy Vane (singer), see [[Luzia Wahn]]
* A pseudonym of the American novelist [[Harold Keene]]
""",
    "Lucy Vane (painter); Lucy Vane (activist); Lucinda Marsh; Lucy Holt; Luzia Wahn; Harold Keene",
)

form(
    "Peter Sallow",
    """
'''Peter Sallow''' may refer to:
* [[Peter Sallow (cricketer, born 1850)|Peter Sallow (1850–1921)]], English cricketer
* [[Peter Sallow (cricketer, born 1902)|Peter [Percy] Sallow]] (1902–1971), English cricketer
* [[:Peter Sallow (curate)|Peter Sallow]] (d. 1640), curate
""",
    "Peter Sallow (cricketer, born 1850); Peter Sallow (cricketer, born 1902); Peter Sallow (curate)",
)

form(
    "James Warrick",
    """
'''James Warrick''' may refer to:
* [[Sir James Warrick, 1st Baronet]] (1620–1681), of the [[Warrick baronets]]
* [[James Warrick, 3rd Earl of Ross]] (1790–1858)
* [[James Warrick Jr.]] (1930–2000), American lawyer
* [[James Warrick III]] (born 1960), his grandson
* [[James A. Warrick]] (1850–1910), Wisconsin state senator
* [[James Warrick House]], in Ohio
* [[General officer|General]] [[Jim Warrick]] (1900–1980), US Army general
""",
    "Sir James Warrick, 1st Baronet; James Warrick, 3rd Earl of Ross; James Warrick Jr.; James Warrick III; James A. Warrick; Jim Warrick",
    things="Warrick baronets; James Warrick House; General officer",
)

form(
    "Emil Strand",
    """
'''Emil Strand''' may refer to:
{| 
|- valign=top
|
* [[Emil Strand (composer)]] (1876–1947), Swedish composer
* [[Emil Strand (wrestler)]] (1901–1969), Swedish wrestler
|
* [[Emil Strand (ice hockey)]] (born 1990), Danish [[ice hockey]] player
|}
""",
    "Emil Strand (composer); Emil Strand (wrestler); Emil Strand (ice hockey)",
    things="ice hockey",
)

form(
    "Nora Quayle",
    """
; Nora Quayle
* [[Nora Quayle (nurse)]] (1880–1950), Manx nurse
* [[Nora Quayle (broadcaster)]] (born 1965), British broadcaster
; Norah Quayle
* [[Norah Quayle]] (1910–1988), Irish writer
; See also:
* [[Nora Quail]]
""",
    "Nora Quayle (nurse); Nora Quayle (broadcaster); Norah Quayle",
)

form(
    "Jorge Almeida Pinto",
    """
'''Jorge Almeida Pinto''' may refer to:
* [[Jorge Almeida Pinto (footballer)]] (born 1978), Portuguese footballer
* [[Jorge de Almeida Pinto]] (1890–1960), Brazilian poet
* [[Jorge Pinto (politician)|Jorge Almeida Pinto]] (born 1951), Portuguese politician
* [[Jorge Pinto Airport]], named for him
""",
    "Jorge Almeida Pinto (footballer); Jorge de Almeida Pinto; Jorge Pinto (politician)",
    things="Jorge Pinto Airport",
)

form(
    "Alfred Moyle",
    """
'''Alfred Moyle''' may refer to:
* [[Alfred Moyle (boxer)]] (1888–1940), English [[Boxing|boxer]], older brother of [[Fred Moyle]]
* [[Alfred Moyle (sculptor)]] (1829–1888), father of the painter [[Grace Moyle]]
* ''[[Alfred Moyle (ship)|Alfred Moyle]]'', a tugboat
* [[Moyle, Alfred]], see above
""",
    "Alfred Moyle (boxer); Alfred Moyle (sculptor)",
    things="Boxing; Alfred Moyle (ship)",
    red="Moyle, Alfred",
)

form(
    "Hugo Lindh",
    """
'''Hugo Lindh''' may refer to:<br>
[[Hugo Lindh (admiral)]] (1820–1899), Swedish admiral<br>
[[Hugo Lindh (gymnast)]] (1889–1950), Swedish gymnast<br>
* [[Hugo Lindh (jurist)]]<br />[[Hugo Lindh (physician)]]
""",
    "Hugo Lindh (admiral); Hugo Lindh (gymnast); Hugo Lindh (jurist); Hugo Lindh (physician)",
)

form(
    "Clara Nye",
    """
'''Clara Nye''' may refer to:
{{plainlist|
* [[Clara Nye (suffragist)]] (1860–1941)
* [[Clara Nye (golfer)]] (born 1985)
}}
{{div col|colwidth=20em}}
* [[Clara Nye (chemist)]] (1905–1990)
{{div col end}}
{{ubl|[[Clara Nye (pilot)]] (1912–1938)|[[Clara Nye (chess player)]]}}
== References ==
* [[Bernard Moss]], ''Lives of the Nyes''
""",
    "Clara Nye (suffragist); Clara Nye (golfer); Clara Nye (chemist); Clara Nye (pilot); Clara Nye (chess player)",
)

form(
    "Eli Stroud",
    """
'''Eli Stroud''' may refer to:
* [[Eli Stroud (outlaw)]] (1851–1882), American outlaw
* [[Eli Stroud (running back)]] (born 1999), [[American football]] running back
* [[Wide receiver]] [[Eli Stroud (wide receiver)]] (born 1972)
* [[Methodist]] minister [[Elias Stroud]] (1810–1877)

== Fictional characters ==
* Eli Stroud, in the film ''[[Dry River (film)|Dry River]]'', played by [[Cole Bassett]]
* [[Eli Stroud (Harbor)]], in the series ''[[Harbor (TV series)|Harbor]]''

== Sources ==
* [[Herbert Onslow]]: ''Outlaws''
""",
    "Eli Stroud (outlaw); Eli Stroud (running back); Eli Stroud (wide receiver); Elias Stroud",
    things="American football; Wide receiver; Methodist; Dry River (film); Eli Stroud (Harbor); Harbor (TV series)",
)

form(
    "Sophie Karst",
    """
'''Sophie Karst''' may refer to:
* [[Sophie Karst (mezzo-soprano)]], German [[mezzo-soprano]]
* [[Sophie von Karst]] (1750–1811), German noblewoman
* [[Sophia Karst]] (1801–1860), Danish actress
* Countess [[Sophie Karst (courtier)|Sophie]] (1690–1750), mistress of [[Augustus of Ravenstein]]
* Sophie Karst, married name of [[Sofia Lind]] (1900–1980), Swedish skier
* Sophie Karst, mother of [[Heinrich Karst]]
""",
    "Sophie Karst (mezzo-soprano); Sophie von Karst; Sophia Karst; Sophie Karst (courtier); Sofia Lind",
    things="mezzo-soprano",
)

form(
    "Samuel Tice",
    """
'''Samuel Tice''' may refer to:
#[[Samuel Tice (missionary)]] (1801–1872), American missionary
#[[Samuel Tice (mayor)]] (1840–1911), mayor of [[Dayton]]
#[[Sam Tice]] (born 1975), American guitarist of the band [[Low Sun]]

'''See also:''' [[Samuel Tyce]], [[Tice (surname)]]
""",
    "Samuel Tice (missionary); Samuel Tice (mayor); Sam Tice",
    things="Dayton; Low Sun; Tice (surname)",
)

form(
    "Marguerite Sol",
    """
'''Marguerite Sol''' can refer to:
: [[Marguerite Sol (singer)]] (1899–1970), French singer
: [[Marguerite Sol (resistance member)]] (1905–1944)
* [[Marguerite Sol (fencer)]] (born 1930), French fencer
""",
    "Marguerite Sol (singer); Marguerite Sol (resistance member); Marguerite Sol (fencer)",
)

form(
    "Tadeusz Wrona",
    """
'''Tadeusz Wrona''' may refer to:
* [[Tadeusz Wrona (footballer)]] (born 1955), Polish footballer
* [[Tadeusz Wrona (canoeist)]] (1948–2009), Polish [[canoe sprint|sprint canoer]]
* {{ill|Tadeusz Wrona (priest)|pl}} (1886–1940), Polish priest
* [[Tadeusz Wrona (linguist)]] (1910–1989), Polish linguist; not to be confused with [[Tadeusz Wronka]]
""",
    "Tadeusz Wrona (footballer); Tadeusz Wrona (canoeist); Tadeusz Wrona (linguist)",
    things="canoe sprint",
    red="Tadeusz Wrona (priest)",
)

form(
    "Beatrix Holm",
    """
{{distinguish|Beatrice Holme}}
'''Beatrix Holm''' most often refers to [[Beatrix Holm (novelist)]] (1866–1943), English novelist.
* [[Beatrix Holm (physician)]] (born 1957), Danish physician
* [[Beatrix Holm (murder victim)]] (1991–2009)
* [[Murder of Beatrix Holm]]
""",
    "Beatrix Holm (novelist); Beatrix Holm (physician); Beatrix Holm (murder victim)",
    things="Murder of Beatrix Holm",
)

form(
    "Chester Boone",
    """
'''Chester Boone''' may refer to:
* [[Chester Boone (fighter)]] (born 1981), American [[mixed martial arts|MMA]] fighter
* [[Mixed martial arts|MMA]] fighter [[Chester Boone (heavyweight)]] (born 1990)
* Justice [[Chester Boone (jurist)]] of the [[Supreme Court of Iowa]]
* The [[Reverend]] [[Chester Boone (preacher)]] (1777–1850)
* [[Chester]], a city, and [[Boone]], a town
""",
    "Chester Boone (fighter); Chester Boone (heavyweight); Chester Boone (jurist); Chester Boone (preacher)",
    things="mixed martial arts; Mixed martial arts; Supreme Court of Iowa; Reverend; Chester; Boone",
)

form(
    "Wilhelm Aust",
    """
'''Wilhelm Aust''' ist der Name folgender Personen:

* [[Wilhelm Aust (Maler)]] (1860–1921), painter
* [[Wilhelm Aust (General)]] (1790–1862)
** dessen Enkel [[Wilhelm Aust (Jurist)]] (1870–1944)

''See also:''
* [[Wilhelm August]]
""",
    "Wilhelm Aust (Maler); Wilhelm Aust (General); Wilhelm Aust (Jurist)",
)

form(
    "Frank Hollis",
    """
'''Frank Hollis''' may refer to:
*'''[[Frank Hollis (bassist)]]''' (born 1950), bassist with [[Stone Fox]]
*''[[Frank Hollis (sitcom)|Frank Hollis]]'', a sitcom
*[[Francis Hollis]] (1850–1913), known as Frank, English cricketer
*[[J. Frank Hollis]] (1877–1941), American politician
*"[[Frank Hollis (song)|Frank Hollis]]", a song by [[Stone Fox]]
*[[Franklin Hollis|Frank Hollis]] (1899–1969), British pianist; son of [[Albert Hollis]]
""",
    "Frank Hollis (bassist); Francis Hollis; J. Frank Hollis; Franklin Hollis",
    things="Stone Fox; Frank Hollis (sitcom); Frank Hollis (song)",
)

form(
    "Amir Nazari",
    """
'''Amir Nazari''' ({{lang-fa|امیر نظری}}) may refer to:
* [[Amir Nazari (footballer)]] (born 1994), Iranian footballer
* [[Amir-Hossein Nazari]] (born 1988), Iranian [[futsal]] player
* [[Amir Nazari (wrestler)|{{nowrap|Amir Nazari}}]] (born 1979), Iranian wrestler<!-- [[Ali Nazari]] -->
* [[Mohammad Amir Nazari]] (born 1990), Afghan cricketer
""",
    "Amir Nazari (footballer); Amir-Hossein Nazari; Amir Nazari (wrestler); Mohammad Amir Nazari",
    things="futsal",
)

form(
    "Ellen Marsh (actors)",
    """
'''Ellen Marsh''' may refer to these actors:
* [[Ellen Marsh (silent film actress)]] (1894–1975), American actress
* [[Ellen Marsh (Irish actress)]] (born 1944), Irish actress
""",
    "Ellen Marsh (silent film actress); Ellen Marsh (Irish actress)",
    name="Ellen Marsh",
)

form(
    "Giovanni Serra",
    """
'''Giovanni Serra''' may refer to:
* [[Giovanni Serra (cardinal)]] (died 1623), Italian cardinal, nephew of Cardinal [[Antonio Serra]]
* [[Giovanni Battista Serra]] (1586–1655), Genoese diplomat
* [[Giovanni Serra (cyclist)]] (born 1954), Italian cyclist
* Brother of [[Marco Serra]], [[Giovanni Serra (architect)]] (1700–1771)
* the son of [[Antonio Serra]]
""",
    "Giovanni Serra (cardinal); Giovanni Battista Serra; Giovanni Serra (cyclist); Giovanni Serra (architect)",
)

form(
    "Percy Gaunt",
    """
'''Percy Gaunt''' may refer to:
* [[Percy Gaunt (composer)]] (1852–1896), American composer
* [[Percy Gaunt (rower)]] (1890–1916), English rower
===See also===
* [[Percy Gant]]
* [[Gaunt (surname)]]
{{intitle}}
===Fiction===
* [[Percy Gaunt (character)]], in ''[[Gormley]]''
""",
    "Percy Gaunt (composer); Percy Gaunt (rower)",
    things="Gaunt (surname); Percy Gaunt (character); Gormley",
)

form(
    "Hélène Roux",
    """
'''Hélène Roux''' or '''Helene Roux''' may refer to:
* [[Helene Roux (gymnast)]] (born 1996), South African gymnast
* [[Hélène Roux-Lambert]] (1903–1987), French botanist
* [[Hélène Roux (painter)|H. Roux]] (1850–1921), French painter
* Tennis player [[Helène Roux (tennis)]] (born 1985)
""",
    "Helene Roux (gymnast); Hélène Roux-Lambert; Hélène Roux (painter); Helène Roux (tennis)",
)

form(
    "Dick Farrow",
    """
'''Dick Farrow''' or '''Richard Farrow''' is the name of:

'''Politics'''
* [[Richard Farrow (New Zealand politician)]] (1830–1900)
'''Sport'''
* [[Dick Farrow (baseball)]] (1925–1991), American baseball player
* [[Dickie Farrow]] (1906–1974), English footballer
'''Similar names'''
* [[Rick Farrow]], American guitarist
""",
    "Richard Farrow (New Zealand politician); Dick Farrow (baseball); Dickie Farrow",
)

form(
    "Ivan Beltsov",
    """
'''Ivan Beltsov''' may refer to:
* [[Ivan Beltsov (cosmonaut)]] (1934–1999), Soviet cosmonaut
* [[Ivan Beltsov (partisan)]] (1910–1943), [[Hero of the Soviet Union]]
* Character in [[Distant Stars]]
* Nickname of [[John Bell (wrestler)]], American wrestler
* Captain Ivan Beltsov, commander of the [[icebreaker]] [[Lazarev (ship)]]
""",
    "Ivan Beltsov (cosmonaut); Ivan Beltsov (partisan); John Bell (wrestler)",
    things="Hero of the Soviet Union; Distant Stars; icebreaker; Lazarev (ship)",
)

form(
    "Margaret Poole",
    """
'''Margaret Poole''' may refer to:
* [[Margaret Poole (baroness)]] (1473–1541), English peeress
* [[Margaret Poole (nurse)|Margaret Ann Poole]] (1850–1930)
* [[Peggy Poole]] (1925–2016), English poet
* [[Mayor of Leeds]] [[Margaret Poole (mayor)]]
* ''[[Portrait of Margaret Poole]]'' by [[Hans Eberlin]]
* [[Margaret Poole School]]
""",
    "Margaret Poole (baroness); Margaret Poole (nurse); Peggy Poole; Margaret Poole (mayor)",
    things="Mayor of Leeds; Portrait of Margaret Poole; Margaret Poole School",
)

form(
    "Anton Reiter",
    """
'''Anton Reiter''' may refer to:
* [[Anton Reiter (politician)]] (1901–1972), Austrian politician
* [[Anton Reiter (artist)]] (born 1950); his wife is the artist [[Eva Reiter]]
* [[Anton Reiter (luger)]] (born 1966), and his brother and teammate [[Josef Reiter]]
* Toni Reiter, full name [[Anton Josef Reiter]] (1933–1999), skier
* A name used by [[Karl Unger]] (1911–1980), spy
""",
    "Anton Reiter (politician); Anton Reiter (artist); Anton Reiter (luger); Anton Josef Reiter; Karl Unger",
)

form(
    "Agnes Lund",
    """
'''Agnes Lund''' is the name of
* [[Agnes Lund (politician)]] (1868–1930)
and
* [[Agnes Lund (sculptor)]] (born 1940)
== See also ==
{{plainlist|
* [[Agnete Lund]]
}}
== External links ==
* [[Ole Bakke]]'s list
""",
    "Agnes Lund (politician); Agnes Lund (sculptor)",
)


def _templates(wiki: ModuleType) -> None:
    """Adds templates that are defined only in the wiki."""
    for source, target in (
        ("Hnd", "Hndis"),
        ("Personal name disambiguation", "Human name disambiguation"),
        ("Dis", "Disambiguation"),
        ("SD", "Short description"),
    ):
        wiki.page(f"Template:{source}", f"#REDIRECT [[Template:{target}]]", 10)
    wiki.page("Template:Namen", "<includeonly>{{hndis|{{{1|{{PAGENAME}}}}}}}</includeonly>Doc.", 10)
    wiki.page(
        "Template:BD",
        "{{#if:{{{1|}}}|[[Category:{{{1}}} births]]}}{{#if:{{{2|}}}|[[Category:{{{2}}} deaths]]}}"
        "<noinclude>[[Category:Templates]]</noinclude>",
        10,
    )
    wiki.page(
        "Template:Lifetime",
        "<includeonly>{{BD|{{{born|}}}|{{{died|}}}}}</includeonly>{{Lifetime/doc}}",
        10,
    )
    wiki.page("Template:List of Cranes", "#REDIRECT [[Template:Crane list]]", 10)
    wiki.page("Template:Crane list", "* [[Ivo Crane (b)]] (1800–1850)\n{{nobr|1=* [[Ivo Crane (c)]]}}"
              "<noinclude>\n* [[Ivo Crane (d)]]</noinclude>", 10)  # fmt: skip
    wiki.page("Template:Built", "[[Category:{{{1}}} establishments in England]]", 10)
    wiki.page("Template:Infobox character", "A character.", 10)
    wiki.page("Template:Infobox officeholder", "A ruler.", 10)
    wiki.page("Template:Infobox football biography", "A player.", 10)


def wiki_of(fixture: ModuleType, *cases: ModuleType) -> ModuleType:
    """Exports the forms and cases with the pages that they link to."""
    if not ARTICLES:
        for part in cases:
            part.define(form, article)
    wiki = fixture.Export()
    fixture._templates(wiki)
    _templates(wiki)
    have: set[str] = set()
    for item in FORMS:
        mark = f"\n\n{{{{{item.template}}}}}" if item.template else ""
        wiki.page(item.title, item.text + ("" if "{{hndis" in item.text else mark))
        have.add(item.title)
    for title, text in ARTICLES.items():
        leads = re.match(r"#REDIRECT \[\[(.+)\]\]", text)
        wiki.redirect(title, leads[1]) if leads else wiki.page(title, text)
        have.add(title)
    red = {title for item in FORMS for title in item.red}
    things = {title for item in FORMS for title in item.things}
    for item in FORMS:
        for link in dict.fromkeys(_LINK.findall(item.text)):
            title = " ".join(link.replace("_", " ").split())
            title = title[:1].upper() + title[1:]
            if title in have or title in red or title.startswith(("Category:", "File:", "Fr:")):
                continue
            have.add(title)
            if title in things or link.strip() in things:
                wiki.page(title, f"'''{title}''' is a thing.\n\n[[Category:Things]]")
            else:
                year = 1700 + sum(map(ord, title)) % 280
                wiki.person(title, re.sub(r" \(.*", "", title), year, None, "a person")
    return wiki


def expected() -> dict[str, tuple[str, ...]]:
    """The people of each name, in the order of the page."""
    return {
        item.name or item.title.removesuffix(" (disambiguation)"): item.people for item in FORMS
    }
