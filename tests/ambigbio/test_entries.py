# ruff: noqa: E501
"""Lines of name pages: the smallest source of each kind, with more of the kind."""

import pytest
from bounded import processor_seconds

from dfactscore.ambigbio._bearers import bears
from dfactscore.ambigbio._entries import read_entries
from dfactscore.ambigbio._languages import language
from dfactscore.ambigbio._titles import Site

EN, DE = language("en"), language("de")
SITE = Site(
    "https://en.wikipedia.org/wiki/Main_Page",
    frozenset({"category", "file", "image", "template", "user", "wikipedia"}),
)


def targets(text, title="Ann Lee", words=EN):
    found = read_entries(text, title=title, site=SITE, language=words).entries
    marks = [("!" if entry.primary else "") + ("?" if entry.doubtful else "") for entry in found]
    return [mark + entry.target for mark, entry in zip(marks, found, strict=True)]


@pytest.mark.parametrize(
    ("text", "title", "expected"),
    [
        ("'''Ann Lee''' most often refers to [[Ann Lee]] (1886–1934)", "Ann Lee (disambiguation)",
         ["!Ann Lee"]),
        ("Sir '''[[Ann Lee]]''' was a judge.", "Ann Lee (disambiguation)", ["!Ann Lee"]),
        ("'''Ann Lee''' may refer to [[A]] or [[B]].", "Ann Lee", ["A", "B"]),
        ("The poet '''Ann Lee''', see [[Ann Lee (poet)]].", "Ann Lee", ["!Ann Lee (poet)"]),
        ("'''Ann Lee''' is a name of [[German]] origin.", "Ann Lee", ["!German"]),
        ("'''Ann Lee''' refers to several [[judge]]s of [[Leeds]].", "Ann Lee", []),
        ("* [[Admiral (Royal Navy)|Admiral]] [[Ann Lee (a)]] (1750–1820)", "Ann Lee",
         ["Ann Lee (a)"]),
        ("* [[Rugby union]] player [[Annie Lee]] of [[Leeds]]", "Ann Lee", ["Annie Lee"]),
        ("* [[Bishop of Ely]] [[Jo Moss]] (1801–1850)", "Ann Lee", ["?Bishop of Ely", "?Jo Moss"]),
        ("* [[Ann Lee (a)]] (1800–1850) and her son [[Ann Lee (b)]]", "Ann Lee",
         ["Ann Lee (a)", "Ann Lee (b)"]),
        ("* [[A]]<br>[[B]]<BR />[[C]]; [[D]]", "Ann Lee", ["?A", "?B", "?C", "?D"]),
        ("* [[A]]<br>She knew [[B]]", "Ann Lee", ["?A"]),
        ("** his wife [[Bertha Sommer]]\n* His pupil [[Hans Herbst]]", "Karl Sommer", ["?Bertha Sommer", "?Hans Herbst"]),
        ("* Daughter of [[Bob Lee]], [[Ann Lee (b)]]", "Ann Lee", ["Ann Lee (b)"]),
        ("* sister-in-law of [[Bob Lee]]\n* whose [[Jo Lee]]", "Ann Lee", ["?Bob Lee", "?Jo Lee"]),
        ("* Ann Lee (poet), see [[Joan Dee]]\n* Ann Lee; see also [[Jo Dee]]", "Ann Lee",
         ["Joan Dee"]),
        ("* Ann Lee, professional name of [[Joan Dee]]\n* Ann Lee, a name used by [[Jo Dee]]\n"
         "* Ann Lee, full name of [[Anlee]]", "Ann Lee", ["Joan Dee", "Jo Dee", "Anlee"]),
        ("* Ann Lee, pen name of the mother of [[Joan Dee]]", "Ann Lee", ["?Joan Dee"]),
        ("{{columns-list|colwidth=30em|\n* [[A]]\n* [[B]]\n}}", "Ann Lee", ["?A", "?B"]),
        ("{{plainlist|\n* [[A]]\n}}\n{{div col}}\n* [[B]]\n{{div col end}}", "Ann Lee",
         ["?A", "?B"]),
        ("{{ubl|[[A]]|[[B|b]] (1800–1850)}}\n{{hatnote|* [[C]]}}", "Ann Lee", ["?A", "?B"]),
        ("* [[Ann Lee (a)|Ann [Anna] Lee]]\n* [[:Ann Lee (b)|Ann]]", "Ann Lee",
         ["Ann Lee (a)", "Ann Lee (b)"]),
        ("* [[Ann Lee (a)|[Ann] Lee]] and [[Leeds]]", "Ann Lee", ["Ann Lee (a)"]),
        ("* [[A]]\n'''See also:'''\n* [[B]]", "Ann Lee", ["?A"]),
        ("* [[A]]\nSee also:\n* [[B]]\n== Others ==\n* [[C]]", "Ann Lee", ["?A", "?C"]),
        ("* [[A]]\n''See also:''\n* [[B]]", "Ann Lee", ["?A"]),
        ("* See also [[B]]\n* [[A]]\n* ''see also:'' [[C]]", "Ann Lee", ["?A"]),
        ("== People with similar names ==\n* [[B]]\n== People ==\n* [[A]]", "Ann Lee", ["?A"]),
        ("* [[A]], not to be confused with [[Ann Lee (b)]]", "Ann Lee", ["?A"]),
        ("* [[A]]\n== References ==\n* [[B]], ''Lives''\n== Notes & sources ==\n* [[C]]",
         "Ann Lee", ["?A"]),
        (": [[Ann Lee (a)]]\n:: [[B]]\n{|\n| [[Ann Lee (c)]] || [[D]]\n|}", "Ann Lee",
         ["Ann Lee (a)", "?B", "Ann Lee (c)"]),
        ("* [[A]] (1800–1850), whose [[pupil]]s were many", "Ann Lee", ["?A", "?Pupil"]),
        ("* [[Jo Lee]], mother of Ann Lee", "Ann Lee", ["?Jo Lee"]),
        ("* [[Ann Lee House]], home of [[Ann Lee (a)]]", "Ann Lee", ["Ann Lee (a)"]),
        ("* Father [[Ann Leeson]] (1700–1750)\n* assistant coach [[Annie Lee]]\n"
         "* Assistant to [[Jo Dee]]\n* her assistant [[Jo Dee]]", "Ann Lee",
         ["?Ann Leeson", "Annie Lee", "?Jo Dee", "?Jo Dee"]),
        ("* Ann Lee, known professionally as [[Dolly]]\n* Ann Lee, who writes as \"[[Polly]]\"\n"
         "* Ann Lee, better known by her stage name [[Molly]]\n* Ann Lee, née [[Ann Roe]]\n"
         "* Ann Lee, as a child, knew [[Jo Dee]]\n* Ann Lee, later married [[Bob Dee]]", "Ann Lee",
         ["Dolly", "Polly", "Molly", "Ann Roe", "?Jo Dee", "?Bob Dee"]),
        ("* {{sortname|Ann|Lee|Ann Lee (a)}}\n* {{sortname|Ann|Leigh}}", "Ann Lee",
         ["Ann Lee (a)", "?Ann Leigh"]),
        ("* [[A]]\n== Spellings and see also ==\n* [[B]]\n== People of the same surname ==\n* [[C]]"
         "\n== Same surname ==\n* [[D]]", "Ann Lee", ["?A"]),
        ("See also [[B]].\n* [[A]]\n'''See also:''' [[C]]\n* [[D]]", "Ann Lee", ["?A"]),
        ("* [[Anna Lee]], sister of [[Ann Lee (a)]]", "Ann Lee", ["?Anna Lee", "Ann Lee (a)"]),
    ],
)  # fmt: skip
def test_lines(text, title, expected):
    assert targets(text, title) == expected


def test_german_forms():
    text = "* [[Hans Vogt (Maler)]]\n** dessen Sohn [[Karl Vogt]]\n'''Siehe auch:'''\n* [[Vogt]]"
    assert targets(text, "Hans Vogt", DE) == ["Hans Vogt (Maler)", "?Karl Vogt"]
    text = "* [[Hans Vogt (Maler)]]; siehe auch [[Hans Voigt]]\n== Ähnliche Namen ==\n* [[Voigt]]"
    assert targets(text, "Hans Vogt", DE) == ["Hans Vogt (Maler)"]
    text = "* Hans Vogt, Pseudonym von [[Jo Moss]]\n* Hans Vogt, Schüler von [[Emil Moss]]"
    assert targets(text, "Hans Vogt", DE) == ["Jo Moss", "?Emil Moss"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("* Ann Lee, a cook", "no link"),
        ("* [[Lee family#Ann|Ann Lee]]", "section"),
        ("* [[Bob Lee]]'s wife", "possessive"),
        ("* See also [[Jo Dee]]", "similar names"),
        ("* [[Ann Lee]] herself", "this page itself"),
        ("{{Some list of Lees}}", "template"),
        ("== See also ==\n* [[Jo Dee]]", "under similar names"),
        ("== Notes ==\n* [[Jo Dee]]", "under references"),
        ("* [[A]]\n: of [[Jo Dee]]", "not a line of a list"),
        ("It is a [[German]] name.", "of the lead"),
    ],
)
def test_a_dropped_line_has_its_reason(line, reason):
    page = read_entries(line, title="Ann Lee", site=SITE, language=EN)
    assert [why for _, why in page.dropped if reason in why], page
    assert all(len(shown) <= 210 and "[[" not in shown for shown, _ in page.dropped)


@pytest.mark.parametrize(
    ("title", "name", "same"),
    [
        ("José Ibarra (poet)", "Jose Ibarra", True),
        ("J. B. Harrow", "John Harrow", True),
        ("John Bell Harrow", "John Harrow", True),
        ("John B. Harrow Jr.", "John Harrow", True),
        ("Sir John Harrow, 3rd Baronet", "John Harrow", True),
        ("Harrow, John", "John Harrow", True),
        ("Lee Minseo", "Lee Min-seo", True),
        ("J.-P. Harrow", "Jean-Paul Harrow", True),
        ("John Harrow", "J. Harrow", True),
        ("J. Frank Hollis", "Frank Hollis", True),
        ("Łukasz Żak", "Lukasz Zak", True),
        ("John Harrow House", "John Harrow", False),
        ("Mary Harrow", "John Harrow", False),
        ("Mary John Harrow", "John Harrow", False),
        ("John Harrow-Smith", "John Harrow", False),
        ("John", "John Harrow", False),
        ("Harrow", "John Harrow", False),
        ("Saint John", "John", True),
        ("John Harrow", "John", False),
        ("", "John", False),
    ],
)
def test_bearing_a_name(title, name, same):
    assert bears(title, name, EN) is same


LONG = 400_000
BLANK = {
    "a line": " " * LONG,
    "lines": "\n" * LONG,
    "a template of lines": "{{x|" + "\n" * LONG + "}}",
    "a template of blanks": "{{x|" + " " * LONG + "a}}",
    "a list of lines": "{{plainlist|" + "\n" * LONG + "}}",
    "a bullet": "*" + " " * LONG,
    "a tag": "* [[A]]<br" + " " * LONG,
    "a tag that ends": "* [[A]]<br" + " " * LONG + "x",
    "a heading": "==" + " " * LONG + "x",
    "before a link": "* a" + " " * LONG + "[[",
    "in a link": "* [[" + " " * LONG,
}


@pytest.mark.parametrize("kind", BLANK)
def test_blanks_take_time_by_their_number(kind):
    """One step per pair of blanks would take hours."""
    with processor_seconds(60):
        page = read_entries(
            BLANK[kind] + "\n* [[Ann Lee (rower)]]", title="Ann Lee", site=SITE, language=EN
        )
    assert [entry.target for entry in page.entries][-1:] == ["Ann Lee (rower)"]


@pytest.mark.parametrize("title", ["Ann Lee (rower)" + " " * LONG, "Ann Lee" + " " * LONG + "(x"])
def test_blanks_in_a_title(title):
    with processor_seconds(60):
        assert bears(title, "Ann Lee", EN) == title.endswith(" ")
