"""Invented pages full of traps, as a MediaWiki export that serves as import and as dump.

Pages are numbered in the order in which `importDump` numbers them (1 is the main page), so that
the file gives the same ids through the API and as a dump. `EXPECTED` has the people of each name
page, `REFUSED` the pages that are not names, with the reason.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from xml.sax.saxutils import escape, quoteattr

ADDRESS = "http://wiki.test/wiki/Main_Page"


@dataclass
class Export:
    """Pages in the order in which they are numbered."""

    language: str = "en"
    pages: list[tuple[str, int, str, str | None]] = field(default_factory=list)

    def page(self, title: str, text: str, namespace: int = 0) -> None:
        self.pages.append((title, namespace, text.strip(), None))

    def redirect(self, source: str, target: str) -> None:
        self.pages.append((source, 0, f"#REDIRECT [[{target}]]", target))

    def person(
        self,
        title: str,
        name: str,
        born: int | None,
        died: int | None,
        job: str,
        *,
        categories: tuple[str, ...] | None = None,
        short: str | None = None,
        text: str = "",
    ) -> None:
        years = f"{born or '?'}–{died}" if died else f"born {born}"
        draw = random.Random(title)
        last = name.split()[-1]
        start = born or (died or 1900) - 60
        career = "\n\n".join(
            f"From {start + 20 + 5 * step} {last} {draw.choice(['taught', 'worked', 'lived'])} in "
            f"[[{draw.choice(['Leeds', 'Boston', 'Perth'])}]] and gave {draw.randint(10, 400)} "
            f"[[lecture]]s.<ref>Annual report, p. {draw.randint(1, 90)}.</ref>"
            for step in range(3)
        )
        if categories is None:
            categories = (
                *((f"{born} births",) if born else ()),
                f"{died} deaths" if died else "Living people",
            )
        short = f"{job[0].upper()}{job[1:]} ({years})" if short is None else short
        head = f"{{{{Short description|{short}}}}}\n" if short else ""
        tail = "\n".join(f"[[Category:{category}]]" for category in categories)
        self.page(
            title,
            f"{head}{{{{Infobox person|name={name}|occupation={job}}}}}\n"
            f"'''{name}''' ({years}) {'was' if died else 'is'} {job}. {text}\n\n"
            f"== Life ==\n{last} was born in [[Leeds|the city of ''Leeds'']].\n\n"
            f"== Career ==\n{career}\n\n=== Later work ===\n"
            "A later work was ''The Long Field''.\n\n"
            f"== References ==\n{{{{Reflist}}}}\n\n{tail}",
        )

    def xml(self) -> str:
        names = {10: "Template", 14: "Category"}
        if self.language == "de":
            names = {10: "Vorlage", 14: "Kategorie", 6: "Datei"}
        spaces = "".join(
            f'<namespace key="{key}" case="first-letter">{name}</namespace>'
            for key, name in sorted(names.items())
        )
        out = [
            '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" '
            f'xml:lang="{self.language}">\n  <siteinfo>\n    <sitename>TestWiki</sitename>\n'
            f"    <dbname>wiki</dbname>\n    <base>{ADDRESS}</base>\n"
            "    <generator>fixture</generator>\n    <case>first-letter</case>\n"
            f'    <namespaces><namespace key="0" case="first-letter" />{spaces}</namespaces>\n'
            "  </siteinfo>\n"
        ]
        for number, (title, namespace, text, target) in enumerate(self.pages, 2):
            redirect = (
                f"    <redirect title={quoteattr(target.partition('#')[0])} />\n" if target else ""
            )
            out.append(
                f"  <page>\n    <title>{escape(title)}</title>\n    <ns>{namespace}</ns>\n"
                f"    <id>{number}</id>\n{redirect}    <revision>\n      <id>{number}</id>\n"
                f"      <timestamp>2026-01-{1 + number // 1440 % 28:02}T{number // 60 % 24:02}:"
                f"{number % 60:02}:00Z</timestamp>\n"
                "      <contributor><username>Fixture</username><id>1</id></contributor>\n"
                "      <model>wikitext</model>\n      <format>text/x-wiki</format>\n"
                f'      <text bytes="{len(text.encode())}" xml:space="preserve">'
                f"{escape(text)}</text>\n"
                "    </revision>\n  </page>\n"
            )
        return "".join(out) + "</mediawiki>\n"


EXPECTED: dict[str, tuple[str, ...]] = {}
"""Titles of the people by name, in order."""

REFUSED: dict[str, str] = {}
"""Words of the reason by title, of pages in the category that are not names."""


def _templates(wiki: Export) -> None:
    names = "Category:Human name disambiguation pages"
    all_pages = "[[Category:All disambiguation pages]]"
    only = "<includeonly>{}</includeonly>".format
    wiki.page(
        "Template:Hndis",
        only(f"__DISAMBIG__[[{names}|{{{{{{1|{{{{PAGENAME}}}}}}}}}}]]{all_pages}"),
        10,
    )
    wiki.page("Template:Human name disambiguation", "#REDIRECT [[Template:Hndis]]", 10)
    wiki.page(
        "Template:Disambiguation",
        only(
            "__DISAMBIG__{{#switch:{{{1|}}}|hn|human name=[[" + names + "]]"
            "|#default=[[Category:Disambiguation pages]]}}" + all_pages
        ),
        10,
    )
    wiki.page("Template:Surname", only("[[Category:Surnames]]"), 10)
    wiki.page("Template:Given name", only("[[Category:Given names]]"), 10)
    wiki.page("Template:Short description", only("{{SHORTDESC:{{{1|}}}}}"), 10)
    wiki.page("Template:Infobox person", only("{| class=infobox\n| {{{name|}}}\n|}"), 10)
    wiki.page("Template:Reflist", only("<references />"), 10)
    wiki.page("Template:Canned search", only("* [[Karl Voss]] (search)"), 10)
    wiki.page("Template:Annotated link", only("[[{{{1}}}]]"), 10)


def _name(
    wiki: Export, title: str, text: str, people: tuple[str, ...], *, template: str = "hndis"
) -> None:
    wiki.page(title, text.strip() + f"\n\n{{{{{template}}}}}")
    EXPECTED[title.removesuffix(" (disambiguation)")] = people


def _no_name(wiki: Export, title: str, text: str, reason: str, *, template: str = "hndis") -> None:
    wiki.page(title, text.strip() + f"\n\n{{{{{template}}}}}")
    REFUSED[title] = reason


def _first(wiki: Export) -> None:
    """Years and jobs, piped links, red links, a film, See also, an article moved long ago."""
    _name(
        wiki,
        "John Harrow",
        """'''John Harrow''' may refer to:

* [[John Harrow (politician)|John Harrow]] (born 1950), English politician
* [[John Harrow (cricketer)]] (1871–1936), English cricketer
* [[John Harrow (chemist)|John B. Harrow]] (1902–1980), Scottish chemist
* [[John Harrow (bishop)]] (died 1688), bishop of Ely
* [[Jack Harrow]] (1888–1958), English footballer
* ''[[John Harrow (film)]]'', 1972 film

== See also ==
* [[Jon Harrow]]
* [[Harrow (surname)]]
=== Similar ===
* [[John Harrod]]""",
        ("John Harrow (politician)", "John Harrow (cricketer)", "John Harrow (chemist)",
         "Jack Harrow"),
    )  # fmt: skip
    wiki.person("John Harrow (politician)", "John Harrow", 1950, None, "an English politician")
    wiki.person("John Harrow (cricketer)", "John Harrow", 1871, 1936, "an English cricketer")
    wiki.person("John Harrow (chemist)", "John Bell Harrow", 1902, 1980, "a Scottish chemist")
    wiki.person("Jack Harrow", "John Harrow", 1888, 1958, "an English footballer")
    wiki.page(
        "John Harrow (film)",
        "{{Short description|1972 film}}\n'''''John Harrow''''' is a film about "
        "[[John Harrow (cricketer)]].\n\n[[Category:1972 films]]",
    )
    wiki.person("John Harrod", "John Harrod", 1734, 1793, "an American pioneer")
    wiki.redirect("J. Harrow", "John Harrow")
    wiki.redirect("John Harrow (footballer)", "Jack Harrow")
    wiki.redirect("John B. Harrow", "John Harrow (chemist)")
    wiki.redirect("The Long Field (book)", "John Harrow (chemist)#Later work")


def _headings(wiki: Export) -> None:
    """Nested headings; a bridge, a ship without a page, a See also in the middle."""
    _name(
        wiki,
        "Mary Quill",
        """'''Mary Quill''' may refer to:

== People ==
=== Arts ===
* [[Mary Quill (painter)]] (1820–1899), Irish painter
* [[Mary Quill (singer)|Mary "May" Quill]] (born 1981), American singer
=== See also ===
* [[John Harrod]], who knew her
=== Sport ===
* [[Mary Quill (swimmer)]] (born 1990), Australian swimmer
==== Paralympics ====
* [[Mary Quill (judoka)]] (born 1993), Irish judoka

== Other uses ==
* [[Mary Quill Bridge]], a bridge in Perth
* [[MV Mary Quill]], a ship

;See also
* [[Karl Voss]]""",
        ("Mary Quill (painter)", "Mary Quill (singer)", "Mary Quill (swimmer)"),
        template="disambiguation|hn",
    )
    wiki.person("Mary Quill (painter)", "Mary Quill", 1820, 1899, "an Irish painter")
    wiki.person("Mary Quill (singer)", "Mary Ann Quill", 1981, None, "an American singer")
    wiki.person("Mary Quill (swimmer)", "Mary Quill", 1990, None, "an Australian swimmer")
    wiki.page("Mary Quill Bridge", "A bridge in [[Perth]].\n\n[[Category:Bridges]]")


def _primary(wiki: Export) -> None:
    """A primary topic in the lead line."""
    _name(
        wiki,
        "David Tarn (disambiguation)",
        """'''[[David Tarn]]''' (born 1944) is an American novelist, a friend of [[Karl Voss]].

'''David Tarn''' may also refer to:
* [[David Tarn (engineer)]] (1910–1977), Welsh engineer
* [[David Tarn (rugby union)]] (born 1966), [[Wales|Welsh]] rugby union player
* [[Dave Tarn]] (born 1970), Canadian drummer of [[The Lanterns]]
* [[The Lanterns]], his band""",
        ("David Tarn", "David Tarn (engineer)", "David Tarn (rugby union)", "Dave Tarn"),
    )
    wiki.person("David Tarn", "David Tarn", 1944, None, "an American novelist")
    wiki.person("David Tarn (engineer)", "David Tarn", 1910, 1977, "a Welsh engineer")
    wiki.person("David Tarn (rugby union)", "David Tarn", 1966, None, "a Welsh player")
    wiki.person("Dave Tarn", "David Lee Tarn", 1970, None, "a Canadian drummer")
    wiki.page("The Lanterns", "{{Short description|Canadian rock band (1990–2004)}}\n'''The "
              "Lanterns''' were a band.\n\n[[Category:Canadian bands]]")  # fmt: skip
    wiki.redirect("David Tarn (novelist)", "David Tarn")
    wiki.redirect("D. Tarn", "David Tarn (novelist)")


def _lines(wiki: Export) -> None:
    """Sub-bullets, links to sections, relatives, a pen name, a possessive, a template's links."""
    _name(
        wiki,
        "Anna Voss",
        """'''Anna Voss''' is the name of:
* [[Anna Voss (physicist)]] (1899–1971), German physicist
** her niece [[Anna Voss (violinist)]] (born 1941)
* [[Voss family#Anna|Anna Voss]], wife of the banker [[Karl Voss]]
* [[Anna Voss (banker's wife)]], another wife of his
* Anna Voss (1702–1760), mother of [[Karl Voss]]
* Anna Voss, pen name of [[Ada Lund]] (born 1955), Norwegian writer
* [[Karl Voss]]'s daughter
* Anna Voss, a character in [[Winter Street]]
* [[:Category:Voss family]]
* [[:de:Anna Voss]]
{{Canned search}}""",
        ("Anna Voss (physicist)", "Anna Voss (violinist)", "Ada Lund"),
        template="Hndis|Voss, Anna",
    )
    wiki.person("Anna Voss (physicist)", "Anna Voss", 1899, 1971, "a German physicist")
    wiki.person("Anna Voss (violinist)", "Anna Voss", 1941, None, "a German violinist")
    wiki.person("Karl Voss", "Karl Voss", 1860, 1930, "a German banker")
    wiki.person("Ada Lund", "Ada Lund", 1955, None, "a Norwegian writer")
    wiki.page("Voss family", "Bankers.\n\n== Anna ==\nShe married [[Karl Voss]].")
    wiki.redirect("Anna Voss (banker's wife)", "Voss family#Anna")
    wiki.page("Winter Street", "{{Short description|Series (1990–1995)}}\nA television series.")


def _mixed(wiki: Export) -> None:
    """People, a place and an album, not marked as a name: only a list of names finds it."""
    wiki.page(
        "Robin Vale",
        """'''Robin Vale''' may refer to:
; Places
* [[Robin Vale, Victoria]], a town
; People
* [[Robin Vale (actor)]] (born 1958), British actor
* [[Robin Vale (botanist)]] (1801–1870)

{{disambiguation}}""",
    )
    wiki.person("Robin Vale (actor)", "Robin Vale", 1958, None, "a British actor")
    wiki.person("Robin Vale (botanist)", "Robin Vale", 1801, 1870, "a British botanist")
    wiki.page("Robin Vale, Victoria", "A town.\n\n[[Category:Towns in Victoria]]")


def _scripts(wiki: Export) -> None:
    """Letters beyond ASCII, other scripts, and titles with / & ' " + ? % in them."""
    _name(
        wiki,
        "José Ibarra",
        """'''José Ibarra''' may refer to:
* [[José Ibarra (poet)]] (1920–1999), Chilean poet
* [[jose&#x301; Ibarra (boxer)|José Ibarra]] (born 1975), Mexican boxer
* [[José_María__Ibarra]] (1830–1891), Mexican general""",
        ("José Ibarra (poet)", "José Ibarra (boxer)", "José María Ibarra"),
    )
    wiki.person("José Ibarra (poet)", "José Ibarra", 1920, 1999, "a Chilean poet")
    wiki.person("José Ibarra (boxer)", "José Ibarra", 1975, None, "a Mexican boxer")
    wiki.person("José María Ibarra", "José María Ibarra", 1830, 1891, "a Mexican general")
    wiki.redirect("Jose Ibarra", "José Ibarra")
    _name(
        wiki,
        'Pat O\'Dea & "Sons"',
        """'''Pat O'Dea''', a name that is hard on addresses:
* [[Pat O'Dea]] (1872–1962), kicker
* [[Pat "Red" O'Dea]] (born 1940), singer
* [[Pat O&#39;Dea/Lee]] (born 1941), both names
* [[Pat O'Dea &amp; Lee]] (born 1942), with an ampersand
* [[Pat O%27Dea?]] (born 1943), with a question mark
* [[Pat O'Dea+]] (born 1944), with a plus""",
        ("Pat O'Dea", 'Pat "Red" O\'Dea', "Pat O'Dea/Lee", "Pat O'Dea & Lee", "Pat O'Dea?",
         "Pat O'Dea+"),
    )  # fmt: skip
    wiki.person("Pat O'Dea", "Pat O'Dea", 1872, 1962, "an Australian kicker")
    for year, title in enumerate(EXPECTED['Pat O\'Dea & "Sons"'][1:], 1940):
        wiki.person(title, title, year, None, "an Irish person")
    _name(
        wiki,
        "Иван Орлов",
        """'''Иван Орлов''':
* [[Орлов, Иван Ильич]] (1845—1900), художник
* [[오르로프]] (born 1950), a Korean of that name
* [[伊万·奥尔洛夫|Иван]] (c. 300 – 250 BC), general""",
        ("Орлов, Иван Ильич", "오르로프", "伊万·奥尔洛夫"),
    )
    wiki.person("Орлов, Иван Ильич", "Иван Орлов", 1845, 1900, "a Russian painter")
    wiki.person("오르로프", "오르로프", 1950, None, "a Korean poet",
                text="He signed '''Иван Орлов'''.")  # fmt: skip
    wiki.person("伊万·奥尔洛夫", "伊万", None, None, "a general", short="General (died 250 BC)",
                categories=("250 BC deaths",))  # fmt: skip


def _short(wiki: Export) -> None:
    """Names with too few people: only one page, no page, red links only."""
    _no_name(
        wiki,
        "Peter Oake",
        """'''Peter Oake''' may refer to:
* [[Peter Oake (organist)]] (1700–1761), English organist
* [[Peter Oake (jockey)]], Irish jockey""",
        "has 1 of the 2",
    )
    wiki.person("Peter Oake (organist)", "Peter Oake", 1700, 1761, "an English organist")
    _no_name(wiki, "Rosa Nil", "'''Rosa Nil''' may refer to no one.", "has 0 of the 2")
    _no_name(
        wiki,
        "Jack Harrow (disambiguation)",
        "* [[Jack Harrow]], footballer\n* [[John Harrow (footballer)]], the same",
        "has 1 of the 2",
    )


def _same(wiki: Export) -> None:
    """Redirects and double mentions, chains and loops of redirects, comments, nowiki."""
    _name(
        wiki,
        "Lee Min-seo",
        """'''Lee Min-seo''' (Korean: ''이민서'') may refer to:<!-- keep sorted
* [[Karl Voss]] -->
* [[Lee Min-seo (scholar)]] (1633&ndash;1688), Joseon scholar
* [[Min Seo Lee]] (born 1985), South Korean curler
* [[Lee Min-seo (golfer)]] (born 1998), South Korean golfer; see also [[Karl Voss]]
* [[Lee Min-seo (curler)]], again
* [[Lee Min-seo (chain)]], a redirect to a redirect: the golfer again
* [[Lee Min-seo (loop)]], a redirect to itself by way of another
* [[Lee Min-seo (home)]], a redirect to this page
* <nowiki>[[Karl Voss]]</nowiki>
* <ref>[[Karl Voss]]</ref>none
* [[File:Lee.jpg|thumb|[[Karl Voss]]]]
* {{annotated link|Lee Min-seo (judge)}}
* {{cite web|title=[[Karl Voss]]}} nothing""",
        ("Lee Min-seo (scholar)", "Lee Min-seo (curler)", "Lee Min-seo (golfer)",
         "Lee Min-seo (judge)"),
        template="hndis|Lee, Min-seo",
    )  # fmt: skip
    wiki.person("Lee Min-seo (scholar)", "Lee Min-seo", 1633, 1688, "a Joseon scholar")
    wiki.person("Lee Min-seo (curler)", "Lee Min-seo", 1985, None, "a South Korean curler")
    wiki.person("Lee Min-seo (golfer)", "Lee Min-seo", 1998, None, "a South Korean golfer")
    wiki.person("Lee Min-seo (judge)", "Lee Min-seo", 1970, None, "a South Korean judge")
    wiki.redirect("Min Seo Lee", "Lee Min-seo (curler)")
    wiki.redirect("Lee Min-seo (chain)", "Lee Min-seo (link)")
    wiki.redirect("Lee Min-seo (link)", "Lee Min-seo (golfer)")
    wiki.redirect("Lee Min-seo (loop)", "Lee Min-seo (pool)")
    wiki.redirect("Lee Min-seo (pool)", "Lee Min-seo (loop)")
    wiki.redirect("Lee Min-seo (home)", "Lee Min-seo")


def _kinds(wiki: Export) -> None:
    """People, and things that look like people."""
    _name(
        wiki,
        "Tom Bell",
        """'''Tom Bell''' may refer to:
* [[Tom Bell (footballer)]], several footballers
* [[Tom Bell (monk)]] (died 1401), monk
* [[Tom Bell (judge)]] (1877–1950), judge
* [[Tom Bell (horse)]] (foaled 1990), a racehorse
* [[Tom Bell (duo)]], a duo of singers
* [[Tom Bell (hero)]], a hero of novels
* [[Tom Bell (year missing)]], priest
* [[Tom Bell (ancient)]], of the 3rd century
* [[Bell (surname)]]""",
        ("Tom Bell (monk)", "Tom Bell (judge)", "Tom Bell (year missing)", "Tom Bell (ancient)"),
    )
    _no_name(
        wiki,
        "Tom Bell (footballer)",
        "* [[Tom Bell (goalkeeper)]] (1900–1960)\n* [[Tom Bell (striker)]] (born 1980)",
        "has a page for all who bear it",
        template="Human name disambiguation",
    )
    wiki.person("Tom Bell (goalkeeper)", "Tom Bell", 1900, 1960, "a Scottish goalkeeper")
    wiki.person("Tom Bell (striker)", "Tom Bell", 1980, None, "an English striker")
    wiki.person("Tom Bell (monk)", "Tom Bell", None, 1401, "a monk", short="",
                categories=("1401 deaths",))  # fmt: skip
    wiki.person("Tom Bell (judge)", "Tom Bell", 1877, 1950, "a judge",
                short="Canadian judge (1877–1950)", categories=("Judges in Canada",))  # fmt: skip
    wiki.page("Tom Bell (horse)", "{{Short description|Racehorse (1990–2011)}}\nA horse.\n"
              "[[Category:1990 racehorse births]]\n[[Category:2011 racehorse deaths]]")  # fmt: skip
    wiki.page("Tom Bell (duo)", "{{Short description|Singing duo (born in Perth)}}\nTwo singers.\n"
              "[[Category:Musical groups established in 1990]]")  # fmt: skip
    wiki.page("Tom Bell (hero)", "A hero, born 1990.<!-- [[Category:1990 births]] -->\n"
              "<nowiki>[[Category:Living people]]</nowiki>\n[[:Category:1990 births]]")  # fmt: skip
    wiki.person("Tom Bell (year missing)", "Tom Bell", 1800, None, "a priest", short="",
                categories=("Year of birth missing",))  # fmt: skip
    wiki.person("Tom Bell (ancient)", "Tom Bell", None, 260, "a Roman", short="",
                categories=("3rd-century births",))  # fmt: skip
    wiki.page("Bell (surname)", "'''Bell''' is a surname.\n* [[Tom Bell (judge)]]\n\n{{surname}}")


def _others(wiki: Export) -> None:
    """Pages in the category that are not disambiguation pages of names, and set indexes."""
    _no_name(
        wiki,
        "Harrow Quill",
        "* [[John Harrow (politician)]]\n* [[Mary Quill (painter)]]\n{{surname}}",
        "of surnames",
    )
    wiki.page(
        "Ada Lund (life)",
        "An article that someone put there.\n* [[Ada Lund]]\n* [[Karl Voss]]\n"
        "[[Category:Human name disambiguation pages]]",
    )
    REFUSED["Ada Lund (life)"] = "not a disambiguation page"
    wiki.page("Harrow (surname)", "'''Harrow''' is a surname.\n* [[Jack Harrow]]\n\n{{surname}}")
    wiki.page("Quilliam", "A given name.\n* [[Quilliam Price]]\n\n{{given name}}")
    wiki.person("Quilliam Price", "Quilliam Price", 1931, None, "a Manx writer")
    _name(
        wiki,
        "Ann Twice",
        "'''Ann Twice''':\n* [[Ann Twice (nurse)]] (born 1920)\n* [[Mary Quill (painter)]] (called "
        "Ann Twice too)\n* [[Ann Twice (page)|page]]",
        ("Ann Twice (nurse)", "Mary Quill (painter)"),
    )
    wiki.person("Ann Twice (nurse)", "Ann Twice", 1920, None, "a nurse")
    wiki.page("Category:Living people", "People who live.", 14)
    wiki.page("Category:Human name disambiguation pages", "Tracking.", 14)
    for place in ("Leeds", "Boston", "Perth", "Wales"):
        wiki.page(place, f"'''{place}''' is a place.\n\n[[Category:Places]]")


def english() -> Export:
    """The English wiki."""
    EXPECTED.clear()
    REFUSED.clear()
    wiki = Export()
    for part in (_templates, _first, _headings, _primary, _lines, _mixed, _scripts, _short, _same,
                 _kinds, _others):  # fmt: skip
        part(wiki)
    return wiki


GERMAN_EXPECTED = {
    "Hans Vogt": ("Hans Vogt (Maler)", "Hans Vogt (Richter)", "Hans Vogt"),
    "Eva Lenz": ("Eva Lenz (Ärztin)", "Eva Lenz (Sängerin)"),
}


def german() -> Export:
    """A German wiki: no category of human names, years written with * and †."""
    wiki = Export("de")
    mark = "<includeonly>__DISAMBIG__[[Kategorie:Begriffsklärung]]</includeonly>"
    wiki.page("Vorlage:Begriffsklärung", mark, 10)
    wiki.page(
        "Hans Vogt (Begriffsklärung)",
        "'''Hans Vogt''' ist der Name folgender Personen:\n\n"
        "* [[Hans Vogt (Maler)]] (1899–1971), deutscher Maler\n"
        "* [[Hans Vogt (Richter)|Hans F. Vogt]] (* 3. März 1941), Schweizer Richter\n"
        "* [[Hans Vogt]] († um 1510), Bildhauer\n"
        "== Siehe auch ==\n* [[Eva Lenz (Ärztin)]]\n{{Begriffsklärung}}",
    )
    wiki.page(
        "Eva Lenz",
        "'''Eva Lenz''':\n* [[Eva Lenz (Ärztin)]] (* 1950)\n* [[Eva Lenz (Sängerin)]]\n"
        "* [[Lenz (Roman)]], Roman\n{{Begriffsklärung}}",
    )
    wiki.page(
        "Lenz",
        "'''Lenz''':\n* [[Eva Lenz (Ärztin)]]\n* [[Eva Lenz (Sängerin)]]\n* [[Lenz (Roman)]]\n"
        "* [[Lenz (Ort)]]\n* [[Lenz (Fluss)]]\n{{Begriffsklärung}}",
    )
    people = {
        "Hans Vogt (Maler)": ("Geboren 1899", "Gestorben 1971", "Mann"),
        "Hans Vogt (Richter)": ("Geboren 1941", "Mann"),
        "Hans Vogt": ("Geboren im 15. Jahrhundert", "Gestorben im 16. Jahrhundert", "Mann"),
        "Eva Lenz (Ärztin)": ("Geboren 1950", "Frau"),
        "Eva Lenz (Sängerin)": ("Frau",),
    }
    for title, categories in people.items():
        tail = "\n".join(f"[[Kategorie:{category}]]" for category in categories)
        wiki.page(title, f"'''{title}''' lebt.\n\n== Leben ==\nText.\n\n{tail}")
    for title in ("Lenz (Roman)", "Lenz (Ort)", "Lenz (Fluss)"):
        wiki.page(title, f"'''{title}'''.\n\n[[Kategorie:Werk]]")
    return wiki


def generated(names: int, people: int, *, paragraphs: int = 3) -> Export:
    """A wiki of many similar names; the disambiguation pages come first."""
    wiki = Export()
    _templates(wiki)
    for name in range(names):
        lines = "\n".join(
            f"* [[Name {name:05} Person{name:05} ({job})]] "
            f"({1900 + job}–{1960 + job}), worker {job}"
            for job in range(people)
        )
        wiki.page(f"Name {name:05} Person{name:05}", f"May refer to:\n{lines}\n\n{{{{hndis}}}}")
    for name in range(names):
        for job in range(people):
            title = f"Name {name:05} Person{name:05} ({job})"
            wiki.person(title, title[:22], 1900 + job, 1960 + job, f"worker {job}")
    return wiki


if __name__ == "__main__":
    print(english().xml(), end="")
