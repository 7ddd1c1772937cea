"""Finds the names of a page's subject in its opening, and no other names."""

import pytest

from dfactscore._text.lead_names import lead_names, people_of

CASES = {
    "Ann Maria Lee (4 May 1901 – 3 June 1980) was a nun.": ["Ann Maria Lee"],
    "Ann Lee (born Anna Maria Hill; May 4, 1901) is a nun.": ["Ann Lee", "Anna Maria Hill"],
    "Ann Lee, née Hill, was a nun.": ["Ann Lee", "Ann Hill"],
    "Ann Lee (born May 4, 1901, in Leeds) was a nun.": ["Ann Lee"],
    "Rosa Maria Hill (1901–1980), better known by her stage name Ann Lee, was a nun.": [
        "Rosa Maria Hill", "Ann Lee",
    ],
    "Ann Lee (1901–1980), also known as Annie Lee and Nan Lee, was a nun.": [
        "Ann Lee", "Annie Lee", "Nan Lee",
    ],
    "'''Ann Maria Lee''' (born 1901) is a nun. Her pen name was \"A. M. Elm\".": [
        "Ann Maria Lee", "A. M. Elm",
    ],
    "Dame Ann Lee DBE (born 1901), nicknamed \"Nan\", is a nun.": ["Ann Lee", "Nan"],
    "George Lee was her father. She sang.": [],
    "In 1901 Ann Lee was a nun.": [],
    "She was a nun known as Nan Lee.": [],
    "": [],
}  # fmt: skip


@pytest.mark.parametrize("text", CASES)
def test_names_of_leads(text: str) -> None:
    assert [name.text for name in lead_names(text, "Ann Lee (nun)")] == CASES[text]


def test_names_of_people_are_titles_redirects_and_those_of_leads() -> None:
    text = "Ann Maria Lee (born 1901) is a nun."
    pages = [("Ann Lee (nun)", text), ("Ann Lee (nun)", "She sang."), ("Tom Hill", "He sang.")]
    people = people_of(pages, ["Nan Lee"])
    written = [[name.text for name in names] for names in people]
    assert written == [["Ann Lee", "Ann Maria Lee", "Nan Lee"], ["Tom Hill"]]


def test_each_text_without_a_title_is_a_person() -> None:
    people = people_of([("", "Ann Lee (born 1901) is a nun."), ("", "She sang.")])
    assert [[name.text for name in names] for names in people] == [["Ann Lee"]]
