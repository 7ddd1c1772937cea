"""Words and their normal forms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore.engines._builtin.language.tokens import token, tokens, words


def key(form: str) -> str:
    return token(form).key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Scottish", "Scotland"),
        ("American", "US"),
        ("film", "movies"),
        ("Italian", "Italy"),
        ("studied", "studies"),
        ("founded", "founder"),
        ("creating", "create"),
        ("lived", "live"),
        ("families", "family"),
        ("Smith's", "Smith"),
        ("Smith’s", "smith"),
        ("François", "Francois"),
        ("Łódź", "Lodz"),
        ("Ska\u0301lholt", "Skálholt"),
        ("October", "Oct"),
        ("1,000", "1000"),
        ("twelve", "12"),
        ("third", "3rd"),
        ("U.S", "USA"),
        ("death", "died"),
        ("wife", "married"),
    ],
)
def test_forms_that_mean_the_same_share_a_key(one: str, other: str) -> None:
    assert key(one) == key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("born", "died"), ("Ireland", "Iceland"), ("1744", "1745"), ("son", "brother"), ("3rd", "3")],
)
def test_forms_that_differ_keep_different_keys(one: str, other: str) -> None:
    assert key(one) != key(other)


def test_letters_with_their_accents_apart_are_one_word() -> None:
    assert words("He saw Ska\u0301lholt.") == ["He", "saw", "Skálholt"]


def test_may_is_a_month_only_with_a_capital() -> None:
    assert token("May").kind == 2
    assert token("may").kind == 0


def test_a_year_also_says_its_decade_and_century() -> None:
    assert {"1840s", "19th", "century"} <= set(token("1845").terms)


def test_passed_away_and_united_states_are_read_as_one_word() -> None:
    said = {item.key for item in tokens("He passed away in the United States.")}
    assert {"die", "us"} <= said


@pytest.mark.parametrize("form", ["²", "٣", "１９", "9" * 5000 + "th", "IX", "I", "ª"])
def test_odd_numbers_are_words_too(form: str) -> None:
    assert token(form).exact


@given(st.text())
def test_every_word_has_a_token(text: str) -> None:
    for form in words(text):
        item = token(form)
        assert item.kind in (0, 1, 2, 3)
        assert item == token(form)


@pytest.mark.parametrize(
    ("verb", "agent"),
    [("swam", "swimmer"), ("skated", "skater"), ("golf", "golfer"), ("directed", "director")],
)
def test_who_does_it_begins_like_the_verb(verb: str, agent: str) -> None:
    assert token(verb).loose == token(agent).loose


@pytest.mark.parametrize(("word", "other"), [("former", "form"), ("winter", "win")])
def test_other_words_in_er_keep_their_end(word: str, other: str) -> None:
    assert token(word).loose != token(other).loose
