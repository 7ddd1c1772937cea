"""Preambles, Markdown and citation marks around a fact do not change its verdict."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore.engines._builtin.verify.reading import plain_fact, with_dashes, without_citations
from dfactscore.engines._builtin.verify.verifier import support_probability

PAGE = (
    "Vera Holt (12 May 1901 – 3 March 1980) was an English novelist. She was elected a Fellow of "
    "the Royal Society of Literature in 1951 and received a doctorate from Durham University. "
    "She did not play the violin."
)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("According to Document 1, he swam.", "he swam."),
        ("According to the provided documents, he swam.", "he swam."),
        ("Based on the given passages, he swam.", "he swam."),
        ("As stated in Passage [2], he swam.", "he swam."),
        ("Document 2 states that Hanley swam.", "Hanley swam."),
        ("The page mentions that he swam.", "he swam."),
        ("It is worth noting that he swam.", "he swam."),
        ("From Documents [1] and [2], he swam.", "he swam."),
        ("He swam [1][2].", "He swam."),
        ("He swam (Document 3).", "He swam."),
        ("He swam, according to the passage.", "He swam."),
        ("- **He** swam in *Rome*.", "He swam in Rome."),
        ("## He swam", "He swam"),
        ("3. He swam.", "He swam."),
        ("He [swam](https://a.example/b).", "He swam."),
    ],
)
def test_what_is_no_part_of_the_fact_is_dropped(written: str, read: str) -> None:
    assert plain_fact(written) == read


@pytest.mark.parametrize(
    "fact",
    [
        "According to Forbes, he is rich.",
        "In 1956, he swam.",
        "From 1920 to 1930, he swam.",
        "1956 was his year.",
        "7 times he won.",
        "He wrote for The Document.",
        "According to the passage,",
        "**",
        "",
    ],
)
def test_the_fact_itself_stays(fact: str) -> None:
    assert plain_fact(fact) == fact


@given(st.text(max_size=80))
def test_reading_twice_changes_nothing_more(text: str) -> None:
    once = plain_fact(text)
    assert any(map(str.isalnum, once)) == any(map(str.isalnum, text))
    assert without_citations(without_citations(text)) == without_citations(
        without_citations(without_citations(text))
    )


@pytest.mark.parametrize(
    "frame",
    [
        "According to Document 1, {}.",
        "**{}** [1].",
        "- {}",
        "The provided passages state that {}.",
        "{} (Document 2).",
    ],
)
def test_a_frame_changes_no_probability(frame: str) -> None:
    fact = "Vera Holt was an English novelist"
    bare = support_probability(f"{fact}.", [PAGE], name="Vera Holt")
    assert support_probability(frame.format(fact), [PAGE], name="Vera Holt") == bare


@pytest.mark.parametrize(
    ("told", "other"),
    [
        ("Vera Holt died at the age of 78.", "Vera Holt died at the age of 71."),
        ("Vera Holt was a writer.", "Vera Holt was a sculptor."),
        ("She was elected to the FRSL in 1951.", "She was elected to the RIBA in 1951."),
        ("She got a PhD from Durham University.", "She got a PhD from Leeds University."),
        ("She was awarded a doctorate.", "She was awarded a medal."),
        ("She never played the violin.", "She played the violin."),
    ],
)
def test_the_same_in_other_words_is_likelier_than_something_else(told: str, other: str) -> None:
    page = PAGE.replace("Society of Literature", "Society Literature")
    first = support_probability(told, [page], name="Vera Holt")
    assert first > support_probability(other, [page], name="Vera Holt")


@pytest.mark.parametrize(
    ("dates", "apart"),
    [
        ("27 February 194021 May 2011", "27 February 1940 – 21 May 2011"),
        ("31 May 18279 April 1905", "31 May 1827 – 9 April 1905"),
        ("February 28, 1971March 14, 2003", "February 28, 1971 – March 14, 2003"),
    ],
)
def test_dates_that_lost_the_dash_between_them_are_a_birth_and_a_death(
    dates: str, apart: str
) -> None:
    assert with_dashes(dates) == apart
    page = "Alan Mott ({}) was an English actor."
    both = [page.format(dates), page.format(apart)]
    born, died = apart.split(" – ")
    for fact in (f"Alan Mott was born on {born}.", f"Alan Mott died on {died}."):
        values = [support_probability(fact, [text], name="Alan Mott") for text in both]
        assert values[0] == values[1] > 0.9
    assert support_probability(f"Alan Mott died on {born}.", both[:1], name="Alan Mott") < 0.5


@pytest.mark.parametrize(
    "text", ["He won in 1940 21 May 2011", "No. 1940215 May 2011", "code 194045 May 2011"]
)
def test_other_numbers_stay_together(text: str) -> None:
    assert with_dashes(text) == text
