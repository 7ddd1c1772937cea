# ruff: noqa: E501
"""Links without the name are entries if their article has the name."""

import pytest

from dfactscore.ambigbio._entries import read_entries
from dfactscore.ambigbio._evidence import article_bears_name
from dfactscore.ambigbio._languages import language
from dfactscore.ambigbio._page_names import names_of_page
from dfactscore.ambigbio._sources import RawPage
from dfactscore.ambigbio._titles import Site

EN = language("en")
SITE = Site("https://en.wikipedia.org/wiki/Main_Page", frozenset({"category"}))


@pytest.mark.parametrize(
    ("text", "aliases", "says"),
    [
        ("'''Dolly Moon''' (1900–1950) was a singer.", (), False),
        ("'''Dolly Moon''' (born '''Ann Mary Lee''', 1900) is a singer.", (), True),
        ("'''Dolly Moon''' (born Ann Lee; 3 May 1900) is a singer.", (), True),
        ("{{Infobox person\n| name = Dolly\n| birth_name = Ann Lee\n}}\n'''Dolly''' is a singer.", (), True),
        ("{{Infobox person|name=Dolly|other_names={{ubl|Moon|Ann B. Lee}}}}", (), True),
        ("{{Infobox person|name=Dolly|spouse=Ann Lee}}\n'''Dolly Moon''' married [[Ann Lee (b)|Ann Lee]].", (), False),
        ("'''Dolly Moon''' was a singer, later known as '''Ann Lee'''.", (), True),
        ("'''Dolly Moon''' was killed by Ann Lee.\n== Life ==\n'''Ann Lee'''", (), False),
        ("'''Dolly Moon''' (1900–1950) was a singer.", ("Ann Lee (singer)",), True),
        ("'''Margaret \"Ann\" Lee'''", (), True),
        ("'''[[Ann Lee (film)|Ann]]''' and '''Lee'''", (), False),
        ("'''Ann, Countess of Lee''' (1701–1770) was a patron.", (), False),
    ],
)  # fmt: skip
def test_what_an_article_calls_its_subject(text, aliases, says):
    page = RawPage("Dolly Moon", 1, 1, "", text, aliases)
    assert article_bears_name(page, names_of_page("Ann Lee", ""), EN) is says


@pytest.mark.parametrize(
    "line",
    ["A play by [[Jo Moss]]", "[[Jo Moss]] song", "Killer of [[Jo Moss]]", "Manager of [[Jo Moss]]",
     "[[Jo Moss]], his father", "[[Jo Moss]], who murdered a woman of this name",
     "For the novelist, see [[Jo Moss]]", "For the judge, see [[Anna Leigh]]",
     "[[Bob Lee]], her father", "A painting by [[Robert Lee]]", "Ann Lee, taught by [[Jo Moss]]",
     "Ann Lee, pen name of the wife of [[Jo Moss]]", "Daughter of [[Adam Lee]]"],
)  # fmt: skip
def test_another_is_left_to_the_article(line):
    found = read_entries(f"* {line}", title="Ann Lee", site=SITE, language=EN).entries
    assert [entry.doubtful for entry in found] == [True]


@pytest.mark.parametrize(
    "line",
    ["Ann Lee, pen name of [[Jo Moss]]", "Ann Lee ([[Jo Moss]])", "[[Jo Moss]] (born Ann Lee, 1950)",
     "Pseudonym of the novelist [[Jo Moss]]", "Ann Lee, see [[Jo Moss]]", "[[Annie Lee]], a judge",
     "[[Jo Moss]], from 1931 Ann Lee", "[[Jo Moss]], who signed his works Ann Lee",
     "[[Rugby]] player [[Annie Lee]]", "Ann Lee, alias used in the war by [[Jo Moss]]"],
)  # fmt: skip
def test_the_line_itself_says_so(line):
    found = read_entries(f"* {line}", title="Ann Lee", site=SITE, language=EN).entries
    assert [entry.doubtful for entry in found] == [False]


@pytest.mark.parametrize(
    "text",
    [
        "* Ann Lee, pen name of [[Wales|Welsh]] [[poet]] [[Dolly Moon]], wife of [[Bob Dee]]",
        "'''Ann Lee''' was the stage name of [[Wales|Welsh]] [[poet]] [[Dolly Moon]] and of [[Bob Dee]].",
    ],
)
def test_a_country_may_be_linked_before_the_person(text):
    found = read_entries(text, title="Ann Lee", site=SITE, language=EN).entries
    assert [entry.target for entry in found] == ["Wales", "Poet", "Dolly Moon"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("'''Ann Lee''' is a pen name of [[Dolly Moon]].", "Dolly Moon"),
        (
            "'''Ann Lee''' is the stage name of English singer [[Dolly Moon]] (born 1950).",
            "Dolly Moon",
        ),
        ("'''Ann Lee''' (born [[Dolly Moon]])", "Dolly Moon"),
        ("* Ann Lee ([[Dolly Moon]])", "Dolly Moon"),
        ("; [[Ann Lee (a)]] : judge", "Ann Lee (a)"),
        ("; Judges\n* {{nobr|1=[[Ann Lee (a)]]}}", "Ann Lee (a)"),
        ("* {{a line|[[Ann Lee (a)]]|1900}}", "Ann Lee (a)"),
        ("* {{a line|who={{b|1=[[Ann Lee (a)]]}}|x}}", "Ann Lee (a)"),
        ("{{Lee list}}", "Ann Lee (z)"),
    ],
)
def test_what_was_lost(text, found):
    page = read_entries(
        text, title="Ann Lee", site=SITE, language=EN, lists={"Lee list": "* [[Ann Lee (z)]]"}
    )
    assert [(entry.target, entry.doubtful) for entry in page.entries] == [(found, False)]
    assert not page.dropped


def test_a_transliteration_is_an_entry_and_the_other_gender_is_not():
    text = "* [[Oleg Petroff]] (1870–1931)\n* [[Olga Petrova]]\n* [[Oleg Petrovsky]]"
    found = read_entries(text, title="Oleg Petrov", site=SITE, language=EN).entries
    assert [entry.target for entry in found if not entry.doubtful] == ["Oleg Petroff"]
