import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore.ambigbio._disambiguation import is_disambiguation, marked_as_name, refusal
from dfactscore.ambigbio._entries import read_entries
from dfactscore.ambigbio._languages import language
from dfactscore.ambigbio._titles import Site

EN = language("en")
SITE = Site(
    "https://en.wikipedia.org/wiki/Main_Page",
    frozenset({"category", "file", "image", "template", "user", "wikipedia"}),
)


def targets(text, title="Ann Lee"):
    found = read_entries(text, title=title, site=SITE, language=EN).entries
    marks = [("!" if entry.primary else "") + ("?" if entry.doubtful else "") for entry in found]
    return [mark + entry.target for mark, entry in zip(marks, found, strict=True)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("* [[Ann Lee (judge)]] (born 1950), [[Leeds]] judge", ["Ann Lee (judge)"]),
        ("** her niece [[Ann Lee (poet)]]", ["Ann Lee (poet)"]),
        ("# [[ann_Lee (poet)|A]]", ["Ann Lee (poet)"]),
        ("* Sir [[Ann Lee (judge)|Ann]]", ["Ann Lee (judge)"]),
        ("<li>[[Ann Lee (judge)]]", ["Ann Lee (judge)"]),
        ("* '''''[[Ann Lee (film)]]'''''", ["Ann Lee (film)"]),
        ("'''[[Ann Lee]]''' (born 1950) is a judge of [[Leeds]].", []),
        ("* [[#People|people]]\n* [[Family#Ann|Ann]], of [[Leeds]]", ["?Leeds"]),
        ("* [[File:A.jpg|thumb|a [[Leeds]] view]]", []),
        ("* [[Category:Lee]] \n* [[:Category:Lee]] \n* [[:fr:Ann Lee]]", []),
        ("* Ann Lee, mother of [[John Lee]]", ["?John Lee"]),
        ("* Ann Lee (1900–1950), a sister of [[John Lee]]", ["?John Lee"]),
        ("* Ann Lee, pen name of [[Joan Dee]]", ["Joan Dee"]),
        ("* [[John Lee]]'s sister\n* ''[[John Lee]]''’s niece", []),
        ("* {{flagicon|GBR}} [[Ann Lee (judge)]]", ["Ann Lee (judge)"]),
        ("* {{annotated link|Ann Lee (judge)}}", ["Ann Lee (judge)"]),
        ("* {{a|{{b|[[Leeds]]}}}} none", ["?Leeds"]),
        ("<!-- * [[A]] -->\n* <nowiki>[[B]]</nowiki>\n* <ref>[[C]]</ref>", []),
        ("* [[A]]\n<!-- never closed\n* [[B]]", ["?A"]),
        ("== See also ==\n* [[B]]\n=== Sub ===\n* [[C]]\n== People ==\n* [[D]]", ["?D"]),
        ("=== See also ===\n* [[B]]\n=== Others ===\n* [[C]]", ["?C"]),
        ("* [[A]]\n;See also\n* [[B]]\n;Others\n* [[C]]", ["?A", "?C"]),
        ("* [[A]]\n'''See also'''\n* [[B]]", ["?A"]),
        ("'''Ann Lee''' is a [[German]] name\n* [[A]]", ["?A"]),
        ("'''[[Ann Leigh]]''' is a judge\n* [[A]]\n[[B]] after", ["!?Ann Leigh", "?A"]),
        ("* [[Ann Lee]] itself", []),
        ("* no link\n* [[]]\n* [[|x]]\n* [[a<b]]", []),
    ],
)
def test_entries(text, expected):
    assert targets(text) == expected


def test_the_primary_topic_of_a_page_with_a_suffix():
    text = "'''[[Ann Lee]]''' (1950–2001) was a judge.\n* [[Ann Lee (poet)]]"
    assert targets(text, "Ann Lee (disambiguation)") == ["!Ann Lee", "Ann Lee (poet)"]


def test_labels_descriptions_and_years():
    text = "* [[Ann Lee (judge)|Ann ''B.'' Lee]] (c. 1650 – 17 May 1700), judge &amp; [[poet]]"
    [entry] = read_entries(text, title="Ann Lee", site=SITE, language=EN).entries
    assert (entry.label, entry.description) == ("Ann B. Lee", "judge & poet")
    assert entry.lifespan == (1650, 1700)


def test_years_and_dashes_written_by_templates():
    text = "* [[Ann Lee (judge)]] ({{circa|1400}}{{snd}}1450), judge\n* [[B]] ({{fl.}} 1500), poet"
    first, second = read_entries(text, title="Ann Lee", site=SITE, language=EN).entries
    assert (first.lifespan, first.description) == ((1400, 1450), "judge")
    assert (second.lifespan, second.description) == ((None, None), "(fl. 1500), poet")


@pytest.mark.parametrize(
    ("text", "categories", "reason"),
    [
        ("{{hndis|Lee, Ann}}", (), None),
        ("{{Hndis}}", (), None),
        ("{{disambiguation|hn}}", (), None),
        ("{{Disambiguation| Human name }}", (), None),
        ("{{disambiguation}}", ("Human name disambiguation pages",), None),
        ("__DISAMBIG__", ("Human name disambiguation pages",), None),
        ("{{disambiguation}}", (), "not a disambiguation page of human names"),
        ("{{hndis}}{{surname|x}}", (), "surnames"),
        ("{{hndis}}", ("Given names",), "given names"),
        ("An article", ("Human name disambiguation pages",), "not a disambiguation page"),
    ],
)
def test_what_a_name_page_is(text, categories, reason):
    got = refusal(text, categories, disambiguation=False, named=True, language=EN)
    assert (got is None) if reason is None else (got is not None and reason in got)


def test_what_the_wiki_says_counts_too():
    assert refusal("x", ["Human name disambiguation pages"], disambiguation=True, named=True,
                   language=EN) is None  # fmt: skip
    assert refusal("{{dab}}", [], disambiguation=False, named=False, language=EN) is None


wikitext = st.text(
    alphabet=st.sampled_from(list("[]{}|*#:;='<>!-&/aZ é\n")) | st.characters(), max_size=300
)


@given(wikitext)
def test_no_text_breaks_the_parser(text):
    for entry in read_entries(text, title="A", site=SITE, language=EN).entries:
        assert entry.target
        assert "[[" not in entry.label
    is_disambiguation(text, EN)
    marked_as_name(text, EN)


@pytest.mark.parametrize(
    "piece", [" ", "= ", "; ", "[[ ", "* (", "<ref ", "{{", "[[", "}}", "<!--",
              "<nowiki>", "<ref>", "* [[a|", "{{a|[[b|", "'''", "=", "(",
              "* [[A]] (", "* [[A]] (born ", "* " + "9" * 9, "{{{", "<li>[[", "[[File:",
              "* [[x]] - "]
)  # fmt: skip
def test_hostile_repetition_ends(piece):
    # with 60,000 of them, only linear code finishes
    text = piece * 20_000
    for start in ("=", ";", "* ", "'''", "[[", "{{"):
        read_entries(start + text, title="A", site=SITE, language=EN).entries
    read_entries(f"{text}\n{text}", title="A", site=SITE, language=EN).entries
    refusal(text, (), disambiguation=False, named=True, language=EN)
