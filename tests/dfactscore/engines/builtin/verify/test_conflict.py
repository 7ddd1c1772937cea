"""Conflicts: other values on the page for facts that it does not support."""

from __future__ import annotations

import pytest

from dfactscore._records import Biography, Document, Entity, Fact
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier

PAGE = Document(
    "Vera Holt",
    "Vera Holt (12 May 1901 – 3 March 1980) was an English novelist. She was born in Leeds and "
    "moved to Durham in 1923. Her first novel appeared in 1929. In 1951 she married the painter "
    "Carl Brandt. She won three prizes and had two daughters.",
)
VERIFIER = BuiltinVerifier()


def conflict(fact: str) -> str | None:
    entity = Entity("holt", "Vera Holt", (Document("Other", "Someone else sang."), PAGE))
    (verdict,) = VERIFIER.verify(Biography("1", "Vera Holt", ""), [Fact(fact)], entity)
    if verdict.conflict is None:
        return None
    assert verdict.status == "not_supported"
    document, start, end = verdict.conflict
    return entity.documents[document].text[start:end]


@pytest.mark.parametrize(
    ("fact", "other"),
    [
        ("Vera Holt moved to Durham in 1951.", "1923"),
        ("She married the painter Carl Brandt in 1929.", "1951"),
        ("She won five prizes.", "three"),
        ("Her first novel appeared in 1951.", "1929"),
        ("Vera Holt was born in 1910.", "12 May 1901"),
        ("Vera Holt died in 1985.", "3 March 1980"),
        ("Vera Holt was born in 1980.", "12 May 1901"),
        ("Vera Holt was born in York.", "Leeds"),
    ],
)
def test_the_value_of_the_page_is_shown(fact: str, other: str) -> None:
    assert conflict(fact) == other


def test_the_year_of_a_life_in_a_bracket_is_shown() -> None:
    page = Document("", "Ann Lee (1834–1907) was a poet. In 1906 she moved to York.")
    entity = Entity("a", "a", (page,))
    facts = [Fact("Ann Lee was born in 1835."), Fact("Ann Lee died in 1906.")]
    verdicts = VERIFIER.verify(Biography("1", "Ann Lee", ""), facts, entity)
    places = [verdict.conflict for verdict in verdicts]
    assert [page.text[p.start : p.end] for p in places if p] == ["1834", "1907"]


def test_verdicts_say_why_not() -> None:
    facts = ["She was born in Leeds.", "She won five prizes.", "She collected stamps."]
    entity = Entity("holt", "Vera Holt", (PAGE,))
    verdicts = VERIFIER.verify(Biography("1", "Vera Holt", ""), list(map(Fact, facts)), entity)
    assert [v.why_not for v in verdicts] == [None, "contradicted", "not_stated"]


@pytest.mark.parametrize(
    "fact",
    [
        "Vera Holt moved to Durham in 1923.",  # supported
        "She climbed a mountain in 1951.",  # absent, not contradicted
        "Vera Holt collected stamps.",
    ],
)
def test_what_the_page_does_not_speak_of_is_no_conflict(fact: str) -> None:
    assert conflict(fact) is None


@pytest.mark.parametrize(
    ("page", "denied", "said"),
    [
        ("Ann Lee was a weaver. She did not marry.", "She married.", "She was a weaver."),
        ("Ann Lee never recorded the sonata.", "She recorded the sonata.", ""),
        ("He is not related to the poet Max Lee.", "He is related to the poet Max Lee.", ""),
        ("She did not finish school but became a lawyer.", "", "She became a lawyer."),
    ],
)
def test_what_the_page_denies_is_not_supported(page: str, denied: str, said: str) -> None:
    if denied:
        (verdict,) = VERIFIER.verify(
            Biography("1", "Ann Lee", ""), [Fact(denied)], Entity("a", "a", (Document("", page),))
        )
        assert verdict.probability <= 0.1
        assert verdict.why_not == "contradicted"
        assert verdict.conflict == verdict.evidence
    if said:
        (value,) = VERIFIER.probabilities([said], [page], "Ann Lee")
        assert value > 0.1


@pytest.mark.parametrize(
    ("page", "fact"),
    [
        ("She won the Emmy in 1960. She married eight times, twice to Bo Hall.", "two Emmy Awards"),
        ("She recorded albums and toured twice.", "six albums"),
        ("She won the cup in 1990. She has been married three times.", "the cup twice"),
        ("She was the author of books. She lived with two cats and four dogs.", "ten books"),
        ("She had four children, two with Bo Hall. She won cups.", "three cups"),
    ],
)
def test_a_count_of_other_things_contradicts_nothing(page, fact):
    entity = Entity("Ann Lee", "Ann Lee", (Document("Ann Lee", f"Ann Lee was a singer. {page}"),))
    facts = [Fact(f"Ann Lee {verb} {fact}.") for verb in ("won", "recorded", "wrote")]
    for verdict in VERIFIER.verify(Biography("1", "Ann Lee", ""), facts, entity):
        assert verdict.why_not != "contradicted", (page, fact, verdict)


@pytest.mark.parametrize(
    ("page", "fact"),
    [
        ("Her brother wrote plays. She wrote three novels.", "wrote five novels"),
        ("She released six albums. She toured twice.", "released four albums"),
        ("She won the cup three times. She married in 1990.", "won the cup twice"),
        (
            "She is the author of twelve books. She lives with five cats.",
            "is the author of five books",
        ),
    ],
)
def test_another_count_of_the_same_things_contradicts(page, fact):
    entity = Entity("Ann Lee", "Ann Lee", (Document("Ann Lee", f"Ann Lee is a writer. {page}"),))
    (verdict,) = VERIFIER.verify(Biography("1", "Ann Lee", ""), [Fact(f"Ann Lee {fact}.")], entity)
    assert verdict.why_not == "contradicted"
