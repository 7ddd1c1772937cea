# ruff: noqa: E501
"""More name pages, read from their wikitext only: each gives exactly its people."""

import pytest

from dfactscore.ambigbio._entries import read_entries
from dfactscore.ambigbio._languages import language
from dfactscore.ambigbio._titles import Site

EN, DE = language("en"), language("de")
SITE = Site(
    "https://en.wikipedia.org/wiki/Main_Page",
    frozenset({"category", "file", "image", "template", "user", "wikipedia", "portal", "help"}),
)
PAGES = []


def page(title, text, people, things=(), words=EN):
    """Adds a page; things are expected too, since the test of people comes later."""
    PAGES.append((title, text, people, things, words))


page(
    "Otto Wels",
    "* [[Otto Wels (SPD)]] (1873–1939), [[Social Democratic Party of Germany|SPD]] chairman\n* [[Otto Wels (chess)]], German [[chess]] master, nephew of the above",
    ["Otto Wels (SPD)", "Otto Wels (chess)"],
)
page(
    "Nils Berg",
    "'''Nils Berg''' may refer to the following people:\n*[[Nils Berg (sailor)]] – Norwegian sailor\n*[[Nils Berg (actor)]] — Swedish actor\n*[[Nils-Erik Berg]]: Finnish skier\n*[[Nicolai Berg]] aka Nils\n\n{{wiktionary|berg}}",
    ["Nils Berg (sailor)", "Nils Berg (actor)", "Nils-Erik Berg", "Nicolai Berg"],
)
page(
    "Mo Ali",
    "* [[Mohammed Ali (footballer)|Mo Ali]], born 1979\n* [[Mo Ali (filmmaker)]]\n* Short form of [[Mohamed Ali Osman]]",
    ["Mohammed Ali (footballer)", "Mo Ali (filmmaker)", "Mohamed Ali Osman"],
)
page(
    "Jane Doe (disambiguation)",
    "A '''[[Jane Doe]]''' is a placeholder name.\n\n'''Jane Doe''' may also refer to:\n== Music ==\n* ''[[Jane Doe (album)]]''\n* [[Jane Doe (singer)]], stage name of [[Janet Dow]]\n== People ==\n* [[Jane Doe (activist)]]",
    ["Jane Doe (singer)", "Jane Doe (activist)"],
    ("Jane Doe", "Jane Doe (album)"),
)
page(
    "Ed Stone",
    "* [[Edward Stone (clergyman)]] (1702–1768), discovered the active ingredient of [[aspirin]]\n* [[Ed Stone (physicist)|Edward C. Stone]] (1936–2024)\n* [[Edward Durell Stone Jr.]], landscape architect, son of [[Edward Durell Stone]], architect\n* [[Eddie Stone]], English footballer for [[Crystal Palace F.C.|Crystal Palace]]",
    ["Edward Stone (clergyman)", "Ed Stone (physicist)", "Edward Durell Stone Jr.", "Eddie Stone"],
)
page(
    "William Hay",
    "* [[William Hay, 1st Lord Hay of Yester]] (died 1478)\n* [[Lord William Hay]], later the [[William Hay, 10th Marquess of Tweeddale|10th Marquess of Tweeddale]]\n* [[William Delisle Hay]], British author\n* Sir [[William Hay (police commissioner)]]",
    [
        "William Hay, 1st Lord Hay of Yester",
        "Lord William Hay",
        "William Hay, 10th Marquess of Tweeddale",
        "William Delisle Hay",
        "William Hay (police commissioner)",
    ],
)
page(
    "Li Wei",
    "'''Li Wei''' (李伟 or 李卫) may refer to:\n{{div col|colwidth=30em}}\n*[[Li Wei (Qing dynasty)]] (1687–1738), Qing official\n*[[Wei Li]], American computer scientist\n*[[Li Wei (artist)]] (born 1970)\n*[[Lee Wei (actor)]], Singaporean actor\n{{div col end}}\n==See also==\n*[[Li (surname 李)]]\n*[[Li Wai]]",
    ["Li Wei (Qing dynasty)", "Wei Li", "Li Wei (artist)"],
)
page(
    "Arthur Moss",
    "==Footballers==\n{| class=wikitable\n! Name !! Born\n|-\n| [[Arthur Moss (footballer, born 1887)|Arthur Moss]] || 1887\n|-\n| [[Arthur Moss (footballer, born 1900)]] || 1900\n|}\n==Others==\n# [[Arthur Moss (politician)]]",
    [
        "Arthur Moss (footballer, born 1887)",
        "Arthur Moss (footballer, born 1900)",
        "Arthur Moss (politician)",
    ],
)
page(
    "Rob Kerr",
    "*[[Rob Kerr (rugby)]], Scottish\n*[[Bob Kerr]], his brother\n*[[Robert Kerr (sprinter)]], also known as Bobby\n*[[Robert Kerr, Lord Kerr]]; father of [[Walter Kerr, Earl of X]]",
    ["Rob Kerr (rugby)", "Robert Kerr (sprinter)", "Robert Kerr, Lord Kerr"],
)
page(
    "Ida Noack",
    "* [[Ida Noack (Malerin)]] (1850–1900)\n* [[Ida Noack (Ärztin)]] (* 1960), deutsche Ärztin, Tochter von [[Fritz Noack]]\n* Ehefrau von [[Karl Noack]]\n'''Siehe auch:''' [[Ida Nowak]]\n* [[Nowack]]",
    ["Ida Noack (Malerin)", "Ida Noack (Ärztin)"],
    (),
    DE,
)
page(
    "Hans Beck",
    "'''Hans Beck''' ist der Name folgender Personen:\n{{Mehrspaltige Liste|breite=20em|anzahl=|liste=\n* [[Hans Beck (Maler)]] (1850–1900)\n* [[Hans Beck (Jurist)]] (1901–1970)\n}}\n{{Personenleiste}}",
    ["Hans Beck (Maler)", "Hans Beck (Jurist)"],
    (),
    DE,
)
page(
    "Tom Hart",
    "* [[Tom Hart (comics)|Tom Hart]] (born 1969)\n* \"Tom Hart\", pseudonym used by [[Thomas Hardy (spy)]] during the war\n* Tom Hart was also the birth name of [[Tommy Heart]]\n* Tom Hart, the father in ''[[The Harts]]''\n* Tom Hart, played by [[Jim Carver (actor)]]\n* Tom Hart, portrayed by [[Ann Carver]] in [[Film X]]",
    ["Tom Hart (comics)", "Thomas Hardy (spy)", "Tommy Heart"],
)
page(
    "Carl Lund",
    "The name '''Carl Lund''' may refer to:\n*[[Carl Lund (A)]], and\n*[[Carl Lund (B)]].\nFor other people named Lund, see [[Lund (surname)]].\nFor the painter, see [[Karl Lund]].",
    ["Carl Lund (A)", "Carl Lund (B)"],
)
page(
    "Joan Fell",
    "*'''1.''' [[Joan Fell (A)]]\n*2. [[Joan Fell (B)]]\n*(c) [[Joan Fell (C)]]\n* [[Image:J.jpg|20px]] [[Joan Fell (D)]]\n* [[USA]] – [[Joan Fell (E)]]\n* {{flag|USA}} [[Joanie Fell]]",
    [
        "Joan Fell (A)",
        "Joan Fell (B)",
        "Joan Fell (C)",
        "Joan Fell (D)",
        "Joan Fell (E)",
        "Joanie Fell",
    ],
)
page(
    "Max Orr",
    "* [[Max Orr (A)]], teammate of [[Max Orr (B)]]\n* [[1990 NFL draft|1990]] draft pick [[Maxwell Orr]]\n* [[Mayor of Ely|mayor]] and poet [[Maximilian Orr]] (1800–1850)\n* Teammate of [[Jo Bell]]\n* a pupil, [[Sid Orr]] (1900–1950)",
    ["Max Orr (A)", "Max Orr (B)", "Maxwell Orr", "Maximilian Orr"],
)
page(
    "Ana Cruz",
    "'''Ana Cruz''' or '''Anna Cruz''' may refer to:\n* [[Ana Cruz (swimmer)]]\n* [[Anna Cruz]], basketball player\n* [[Ana Cruz Kayne]]\n* [[Ana de la Cruz]]\n\n== Persons with the same surname ==\n* [[Penélope Cruz]]\n\n== Not to be confused with ==\n* [[Ana Kruz]]",
    ["Ana Cruz (swimmer)", "Anna Cruz", "Ana Cruz Kayne", "Ana de la Cruz"],
)
page(
    "Sir John Reid",
    "* [[Sir John Reid, 1st Baronet]]\n* [[Sir John James Reid]] (1805–1876)\n* [[John Reid (British Army officer)|Sir John Reid]]\n* [[Reid baronets]]",
    ["Sir John Reid, 1st Baronet", "Sir John James Reid", "John Reid (British Army officer)"],
    ("Reid baronets",),
)
page(
    "Plato (disambiguation)",
    "'''[[Plato]]''' was a Greek philosopher.\n\n'''Plato''' may also refer to:\n*[[Plato (comic poet)]]\n*[[Plato of Bactria]], king\n*[[Dean Plato]]\n*[[Dana Plato]], actress\n*[[Plato (crater)]]\n*[[PLATO (spacecraft)]]",
    ["Plato", "Plato (comic poet)", "Plato of Bactria", "Dean Plato", "Dana Plato"],
    ("Plato (crater)", "PLATO (spacecraft)"),
)

page(
    "Guy Lamb",
    "* [[Guy Lamb]]'s wife [[Una Lamb]]\n* [[Guy Lamb (A)]] & [[Guy Lamb (B)]]\n* [[Guy Lamb (C)]]/[[Guy Lamb (D)]]\n* [[Guy Lamb (E)]], who succeeded [[Ian Holt]]\n* the [[Guy Lamb (F)|Guy Lamb]] who painted [[Una Lamb]]\n* '''Guy Lamb''', Baron Lamb (1800–1850), see [[Baron Lamb]]",
    [
        "Guy Lamb (A)",
        "Guy Lamb (B)",
        "Guy Lamb (C)",
        "Guy Lamb (D)",
        "Guy Lamb (E)",
        "Guy Lamb (F)",
    ],
    ("Baron Lamb",),
)
page(
    "Ben Cole",
    "* Brother [[Ben Cole (monk)]]\n* Father [[Benedict Cole]] (1700–1750), Jesuit\n* Sister [[Bernadette Cole]]\n* Master [[Ben Cole (builder)]]\n* [[Partner (business)|Partner]] [[Ben Cole (lawyer)]]\n* Mother Ben Cole, see [[Benita Cole]]",
    ["Ben Cole (monk)", "Benedict Cole", "Ben Cole (builder)", "Ben Cole (lawyer)", "Benita Cole"],
    ("Bernadette Cole",),
)
page(
    "Lou Hill",
    "* [[Lou Hill (A)]], English cricketer; not related to [[Lou Hill (B)]], his successor\n* [[Lou Hill (C)]], assistant of [[Ann Fox]]\n* [[Louis Hill (editor)|L. Hill]], editor, and [[Louise Hill]], his wife\n* assistant coach [[Louie Hill]]\n* former teacher and politician [[Lou Hill (D)]]\n* Assistant Secretary [[Lucas Hill]] (1900–1950)",
    [
        "Lou Hill (A)",
        "Lou Hill (B)",
        "Lou Hill (C)",
        "Louis Hill (editor)",
        "Louie Hill",
        "Lou Hill (D)",
    ],
)
page(
    "Eva Stern",
    "* Eva Stern (1900–1980), known professionally as [[Evita Star]]\n* Eva Stern, who performs as [[DJ Star]]\n* Eva Stern, better known by her stage name [[Starlet]]\n* Eva Stern, née [[Eva Mond]]\n* Eva Stern (nurse), redirects to [[Nurses of Leeds]]\n* Eva Stern, later [[Eva Blum]]\n* Eva Stern, who was married to [[Sol Blum]]\n* Eva Stern, murderer of [[Ed Blum]]\n* Eva Stern, the author of [[Big Book]]\n* Eva Stern, a former member of [[Abba]]",
    ["Evita Star", "DJ Star", "Starlet"],
    ("Nurses of Leeds", "Eva Mond", "Eva Blum"),
)
page(
    "Ray Dunn",
    "'''Ray Dunn''' may refer to:\n\n*[[Ray Dunn (A)]]\n\n*[[Ray Dunn (B)]]\n\nThe name may also be a variant of [[Ray Dun]].\n\n{{hndis}}\n\n[[Category:X]]\n[[de:Ray Dunn]]",
    ["Ray Dunn (A)", "Ray Dunn (B)"],
)
page("Ivy Gray", "* [[Ivy Gray (A)]]\n----\nSee also\n----\n* [[Ivy Grey]]", ["Ivy Gray (A)"])
page(
    "Max Kohl", "* [[Max Kohl (A)]]\n<big>'''See also'''</big>\n* [[Max Cole]]\n", ["Max Kohl (A)"]
)
page(
    "Sol Katz",
    "* [[Sol Katz (A)]]\n* {{Anl|Sol Katz (B)}}\n* {{ill|Sol Katz (C)|de|Sol Katz (Arzt)}}\n* {{sortname|Sol|Katz|Sol Katz (D)}}\n* {{interlanguage link|Sol Katz (E)|fr}}\n* {{visible anchor|Sol Katz}}, see [[Solomon Katz]]",
    [
        "Sol Katz (A)",
        "Sol Katz (B)",
        "Sol Katz (C)",
        "Sol Katz (D)",
        "Sol Katz (E)",
        "Solomon Katz",
    ],
)
page(
    "Al Voss",
    "== See also: ==\n* [[Al Foss]]\n== Persons ==\n* [[Al Voss (A)]]\n=== See also (similar) ===\n* [[El Voss]]\n== Related names ==\n* [[Ali Voss]]\n== Other spellings and See also ==\n* [[Al Vos]]",
    ["Al Voss (A)"],
)
page(
    "Kay Lowe",
    "<ul><li>[[Kay Lowe (A)]]</li><li>[[Kay Lowe (B)]]</li></ul>\n<br/>\n* [[Kay Lowe (C)]]<ref>[[Kay Lowe (D)]]</ref>",
    ["Kay Lowe (A)", "Kay Lowe (B)", "Kay Lowe (C)"],
)


@pytest.mark.parametrize(
    ("title", "text", "people", "things", "words"), PAGES, ids=[page[0] for page in PAGES]
)
def test_a_page(title, text, people, things, words):
    found = read_entries(text, title=title, site=SITE, language=words).entries
    assert [
        entry.target for entry in found if not entry.doubtful and entry.target not in things
    ] == list(people)
