"""Facts are judged by their statement, whatever form the subject's name has."""

import pytest

from dfactscore import score
from dfactscore._records import Biography, Document, Entity, Fact
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier

VERIFIER = BuiltinVerifier()
HILL = Document(
    "Tom Hill (engineer)",
    "Thomas William Hill (4 May 1901 – 3 June 1980), known as Willy Hill, was a Welsh engineer. He "
    "studied at Leeds and built the Elm Bridge in 1936. He was knighted in 1950.",
)
SAID = ("{} was a Welsh engineer.", "{} built the Elm Bridge.", "{} was knighted in 1950.")


def supported(subject: str, *, facts: tuple[str, ...] = SAID, aliases: tuple[str, ...] = ()):
    entity = Entity("a", "a", (HILL,), aliases=aliases)
    row = [Fact(fact.format(subject)) for fact in facts]
    return VERIFIER.verify(Biography("1", "Tom Hill", ""), row, entity)


@pytest.mark.parametrize(
    "subject",
    [
        "Sir Tom Hill", "Dr. Tom Hill", "Rev. Tom Hill", "Saint Tom Hill", "Baron Tom Hill",
        "Senator Tom Hill", "Herr Tom Hill", "Professor Emeritus Tom Hill", "Tom Hill KBE",
        "Tom Hill, PhD,", "Tom Hill, 1st Baron Hill of Elm,", 'Tom "Tommy" Hill',
        "Tom (Tommy) Hill",
        "T. Hill", "T. W. Hill", "Thomas Hill", "Thomas William Hill", "Tom W. Hill", "Willy Hill",
        "Tom Hill Jr.", "Maestro Hill", "The late Lieutenant General Sir Thomas William Hill, DSO,",
        "In his youth, Sir Tom Hill", "Philosopher Tom Hill",
    ],
)  # fmt: skip
def test_any_form_of_the_person(subject: str) -> None:
    plain = supported("Tom Hill")
    assert all(v.status == "supported" for v in plain)
    titled = supported(subject)
    assert [v.status for v in titled] == ["supported"] * len(SAID)
    if not subject.startswith(("In ", "Philosopher")):
        assert titled == plain


@pytest.mark.parametrize(
    "subject",
    ["Thomas Peter Hill", "Peter Hill", "Hill Thomas", "Dr. Thomas Peter Hill", "Gwen Hill"],
)
def test_other_full_names_are_missing_on_the_page(subject: str) -> None:
    assert not any(v.status == "supported" for v in supported(subject))


def test_names_of_redirects_are_the_persons() -> None:
    (fact,) = supported("Gwilym Rhys", facts=SAID[1:2])
    (known,) = supported("Gwilym Rhys", facts=SAID[1:2], aliases=("Gwilym Rhys",))
    assert (fact.status, known.status) == ("not_supported", "supported")


def test_what_is_said_still_counts() -> None:
    false = ("{} was a Swiss cyclist.", "{} was knighted in 1961.", "{} was named Sir Tom Elm.")
    assert not any(v.status == "supported" for v in supported("Sir Tom Hill", facts=false))


@pytest.mark.parametrize("head", ["Thomas William Hill", "Sir Tom Hill", 'Tom "Tommy" Hill'])
def test_forms_hide_no_second_person(head: str) -> None:
    pages = {
        HILL.title: HILL.text,
        "Tom Hill (cyclist)": "Tom Anthony Hill (born 1957) is a Swiss cyclist. He won the Tour of "
        "Basel in 1981. He opened a shop in Bern.",
    }
    text = f"{head} was a Welsh engineer. He built the Elm Bridge. He was knighted in 1950. "
    result = score(
        text + "He won the Tour of Basel. He opened a shop.", name="Tom Hill", pages=pages
    )
    assert result.scores is not None
    assert result.scores.mixed_groups
    assert result.scores.fs > result.scores.dfs
