"""Decides which names may refer to one person."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore._text.names import is_form_of, may_be_one
from dfactscore._text.person_names import read_name

PAGE = ("Paul Robinson (engineer)", "Paul William Robinson")
ACTOR = ("Steve McQueen", 'Terrence Stephen "Steve" McQueen')


def form_of(text: str, names: tuple[str, ...]) -> bool:
    return is_form_of(read_name(text), map(read_name, names))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Paul Robinson", PAGE), ("Paul W. Robinson", PAGE), ("P. W. Robinson", PAGE),
        ("P. Robinson", PAGE), ("Robinson", PAGE), ("Sir Paul Robinson", PAGE), ("Paul", PAGE),
        ("Paul Robinson Jr.", PAGE), ("Prof. Robinson", PAGE), ("PW Robinson", PAGE),
        ("Terrence McQueen", ACTOR), ("T. S. McQueen", ACTOR), ("Steve", ACTOR),
        ("Mr. McQueen", ACTOR), ("Bob Hill", ("Robert Hill",)), ("Min-seo Kim", ("Minseo Kim",)),
        ("Ludwig Beethoven", ("Ludwig van Beethoven",)), ("Ann Lee Hill", ("Ann Hill",)),
        ("Otunba Paul Robinson", PAGE), ("Private First Class Steve McQueen", ACTOR),
        ("Maria Curie", ("Maria Skłodowska-Curie",)), ("Pope Cyril", ("Cyril VI",)),
    ],
)  # fmt: skip
def test_forms_of_a_person(text: str, names: tuple[str, ...]) -> None:
    assert form_of(text, names)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Paul Peter Robinson", PAGE), ("Paul P. Robinson", PAGE), ("Peter Robinson", PAGE),
        ("Robinson Paul", PAGE), ("Paul Roberts", PAGE), ("William Robinson Paul", PAGE),
        ("Steve Michael McQueen", ACTOR), ("Godfrey John", ("John Godfrey",)),
        ("Martin King Sr.", ("Martin King Jr.",)), ("Cyril V", ("Cyril VI",)),
        ("A. Robinson", PAGE), ("T. F. Hill", ("Francis Hill",)), ("Dean Hill", ("Robert Hill",)),
        ("Hills", ("Ann Hill",)),
    ],
)  # fmt: skip
def test_other_people(text: str, names: tuple[str, ...]) -> None:
    assert not form_of(text, names)


NAMES = st.lists(
    st.sampled_from(["Ann", "A.", "Maria", "M.", "Bob", "Robert", "Hill", "Lee", "Jr.", "van"]),
    min_size=1,
    max_size=4,
).map(" ".join)


@given(NAMES, NAMES)
def test_one_person_either_way(one: str, other: str) -> None:
    first, second = read_name(one), read_name(other)
    assert may_be_one(first, second) == may_be_one(second, first)


@given(NAMES)
def test_title_makes_no_other_person(name: str) -> None:
    plain = read_name(name)
    if len(plain.words) > 1:
        assert may_be_one(plain, plain)
        assert may_be_one(plain, read_name(f"Dr. {name}"))
