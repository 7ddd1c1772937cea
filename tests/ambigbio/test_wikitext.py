import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore.ambigbio._languages import language
from dfactscore.ambigbio._titles import Site
from dfactscore.ambigbio._wikitext import plain_text

EN = language("en")
SITE = Site("https://en.wikipedia.org/wiki/Main_Page", frozenset({"category", "file", "image"}))


def plain(text):
    return plain_text(text, site=SITE, language=EN)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("'''Ann ''B.'' Lee''' is a [[judge]] of [[Leeds, Ohio|Leeds]].",
         "Ann B. Lee is a judge of Leeds."),
        ("Ann<ref name=a>{{cite|x}}</ref> Lee<ref name=a /> is<!-- x --> a judge.",
         "Ann Lee is a judge."),
        ("Ann ({{birth date and age|1950|3|4|df=y}}) is.", "Ann (4 March 1950) is."),
        ("Ann ({{circa|1650}} – 1700) was.", "Ann (c. 1650 – 1700) was."),
        ("It is {{convert|5|km|mi}} long, {{lang|fr|''chez nous''}}.",
         "It is 5 km long, chez nous."),
        ("Ann ({{IPAc-en|x}}; {{unknown|y}}) is a judge.", "Ann is a judge."),
        ("Ann ({{unknown}}, born 1950) is.", "Ann (born 1950) is."),
        ("See [https://x.org the ''site''] and [https://x.org].", "See the site and."),
        ("[[File:A.jpg|thumb|A [[link]] here]]Text.[[Category:X]]", "Text."),
        ("[[Image:A.jpg|thumb|{{nowrap|[[x]]}}]]Text [[:Category:X|of X]].", "Text of X."),
        ("{| class=x\n| a || b\n{|\n| c\n|}\n|}\nText.", "Text."),
        ("* one\n* two\n# three\n: four", "one\ntwo\nthree\nfour"),
        ("A<br/>B &amp; C&nbsp;D <b>E</b> <sup>2</sup> <math>x</math>.", "A\nB & C D E 2."),
        ("__NOTOC__Text.{{DEFAULTSORT:Lee, Ann}}", "Text."),
        ("{{Infobox person\n| name = Ann\n| x = {{a|b}}\n}}\nAnn is.", "Ann is."),
        ("", ""),
    ],
)  # fmt: skip
def test_prose(text, expected):
    assert plain(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{As of|2020}}, he lives in {{w|Leeds}}.", "As of 2020, he lives in Leeds."),
        ("He led it {{as of|2019|5|lc=y}}.", "He led it as of May 2019."),
        ("He won for the {{ordinal|3}} time.", "He won for the 3rd time."),
        ("The {{ordinal|11}}, {{ordinal|22}} and {{nth|1}}.", "The 11th, 22nd and 1st."),
        ("He ranked {{nts|12}}th of {{formatnum:12345}}.", "He ranked 12th of 12,345."),
        ("Built in {{year|1980}}.", "Built in 1980."),
        ("He died at {{age|1951|5|4|2001|1|1}}.", "He died at 49."),
        ("It is {{convert|5|-|10|km|mi}} long.", "It is 5–10 km long."),
        ("He paid {{INR|500}} for {{frac|3|1|2}} acres.", "He paid ₹500 for 3 1/2 acres."),
        # A sentence with unknown words is left out completely.
        ("He is a poet. He is {{age|1951|5|4}} years old. He sings.", "He is a poet. He sings."),
        ("He sings. He moved to {{place of the month}}. He died.", "He sings. He died."),
        ("He sings. He came {{rank|3}}rd. He died.", "He sings. He died."),
        ("{{date of today}}, he lives in Leeds.", "He lives in Leeds."),
        ("He lives ({{unknown|x}}) in Leeds.", "He lives in Leeds."),
        # A template without words removes no sentence.
        ("He sings.{{sfn|Roe|1999}} He moved{{cn|date=May 2020}} to Leeds.",
         "He sings. He moved to Leeds."),
        ("He moved {{citation needed}} to Leeds.", "He moved to Leeds."),
        ("He came to <s>York</s> Leeds. {{flagicon|UK}} Ann Roe won.",
         "He came to Leeds. Ann Roe won."),
    ],
)  # fmt: skip
def test_templates_leave_words_or_no_sentence(text, expected):
    assert plain(text) == expected


def test_sections_are_kept_and_those_without_prose_are_not():
    text = (
        "Lead.\n\n== Life ==\nBorn.\n\n=== Youth ===\nYoung.\n\n== Empty ==\n{{x}}\n\n"
        "== Outer ==\n=== Inner ===\nDeep.\n\n== References ==\n{{Reflist}}\n=== Notes ===\nA.\n\n"
        "== External links ==\n* [https://x.org Site]\n== Legacy of ''X'' ==\nLate."
    )
    assert plain(text) == (
        "Lead.\n\nLife\nBorn.\n\nYouth\nYoung.\n\nOuter\n\nInner\nDeep.\n\nLegacy of X\nLate."
    )
    assert plain_text(text, site=SITE, language=EN, lead_only=True) == "Lead."


def test_german_apparatus():
    text = "A.\n== Leben ==\nB.\n== Einzelnachweise ==\nC."
    assert plain_text(text, site=SITE, language=language("de")) == "A.\n\nLeben\nB."


HOSTILE = [" ", "= ", "=", "(\n", "(,", ", ", "\t", "; ", "[[ ", "{{ ", "<ref ",
           "{{", "[[", "}}", "]]", "<b>", "<ref>", "</b>", "{|\n", "[[a|", "{{{", "{{a|[[b|{{{c|",
           "[http://a ", "'''''a ''b'''", "== a ", "[[{{", "<", "&", "*", "{|a||{{", "<!--", "''",
           "<b><i>", "<div style='", "{{a}}", "[[a]]", "{{a|{{b|", "[[File:", "{{a|b=", "-{",
           "~~~~", "<nowiki>", "</nowiki>", "<table>", "\n;a:b", "{{lang|x|", "&#x",
           "__A__", "(,", " )"]  # fmt: skip


@pytest.mark.parametrize("times", [4_000, pytest.param(20_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_repetition_ends(piece, times):
    plain(piece * times)
    for start in ("=", "(", "[[", "{{"):
        plain(start + piece * (times // 4))
    plain(f"Text. {piece * 300} {piece * 300}\n\n== A ==\n{piece * 50}")


wikitext = st.lists(st.sampled_from(HOSTILE) | st.text(max_size=8), max_size=120).map("".join)


@given(wikitext)
def test_no_text_breaks_the_converter(text):
    assert isinstance(plain(text), str)


def test_prose_is_kept_beside_broken_markup():
    text = "Ann Lee is a judge. " + "<b>" * 5000 + " She was born in [[Leeds]]. {{x|" * 3
    assert "Ann Lee is a judge." in plain(text)
    assert "She was born in Leeds." in plain(text)
