"""The built-in verifier: cases, invariants, and arbitrary texts."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore._errors import InputError
from dfactscore._records import Biography, Document, Entity, Fact, Verdict
from dfactscore.engines._builtin.verify.contained import containment
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier, support_probability
from dfactscore.engines._roles import Verifier
from dfactscore.linking import Evidence

HANLEY = Document(
    "Dick Hanley (swimmer)",
    "Dick Hanley (swimmer) Richard Hanley (born February 19, 1936) is an American former swimmer. "
    "He won a silver medal in the relay at the 1956 Summer Olympics in Melbourne. "
    "Hanley attended the University of Michigan, where he swam from 1957 to 1959.",
)
BRUCE = Document(
    "John Bruce (historian)",
    "John Bruce (1744–1826) was a Scottish academic, politician and historian of the East India "
    "Company. He studied at the University of Edinburgh. He never married.",
)
VERIFIER = BuiltinVerifier()


def support_probabilities(facts, texts, *, name=""):
    return VERIFIER.probabilities(facts, texts, name)


def supported(fact: str, page: Document, name: str) -> bool:
    return support_probability(fact, [page], name=name) >= VERIFIER.threshold


@pytest.mark.parametrize(
    "fact",
    [
        "Dick Hanley was born on February 19, 1936.",
        "Hanley was born in 1936.",
        "Dick Hanley was a swimmer.",
        "He won a silver medal.",
        "He attended the University of Michigan.",
        "Hanley was American.",
        "Dick Hanley competed at the 1956 Summer Olympics.",
    ],
)
def test_what_the_swimmers_page_says_is_supported(fact: str) -> None:
    assert supported(fact, HANLEY, "Dick Hanley")


@pytest.mark.parametrize(
    "fact",
    [
        "Dick Hanley was born in 1895.",  # another year
        "Dick Hanley died in 1936.",  # a birth made a death
        "Dick Hanley was a football coach.",
        "He coached the Northwestern Wildcats.",
        "Hanley attended Washington State University.",
        "He won two gold medals at the 1960 Summer Olympics in Rome.",
        "Patrick Kane was born in Buffalo.",  # another person
    ],
)
def test_what_it_does_not_say_is_not(fact: str) -> None:
    assert not supported(fact, HANLEY, "Dick Hanley")


COACH = Document(
    "Dick Hanley",
    "Dick Hanley (1894 – December 16, 1970) was an American football coach. He coached "
    "Northwestern University from 1927 to 1934 and died in Palo Alto, California.",
)


@pytest.mark.parametrize("noun", ["swimmer", "politician", "painter", "novelist", "lawyer"])
def test_an_adjective_does_not_carry_a_profession_that_the_page_lacks(noun: str) -> None:
    assert not supported(f"Dick Hanley was an American {noun}.", COACH, "Dick Hanley")
    assert supported("Dick Hanley was an American football coach.", COACH, "Dick Hanley")


def test_another_spelling_of_the_name_costs_less_than_another_name() -> None:
    page = Document("Akhter Husain", "Akhter Husain (1902–1983) was Governor of West Pakistan.")
    fact = "{} served as the Governor of West Pakistan."
    spelt, other = support_probabilities(
        [fact.format("Akhtar Hussain"), fact.format("Walter Moss")], [page], name="Akhtar Hussain"
    )
    assert spelt > other
    assert spelt >= VERIFIER.threshold


def test_years_in_parentheses_are_birth_and_death_in_that_order() -> None:
    yes = ["John Bruce was born in 1744.", "John Bruce died in 1826.", "Bruce was Scottish."]
    no = ["John Bruce was born in 1826.", "John Bruce died in 1744.", "Bruce was born in 1745."]
    values = support_probabilities(yes + no, [BRUCE], name="John Bruce")
    assert (values[:3] >= VERIFIER.threshold).all()
    assert (values[3:] < VERIFIER.threshold).all()


def test_a_negation_lowers_the_probability() -> None:
    says = support_probability("John Bruce was Scottish.", [BRUCE], name="John Bruce")
    denies = support_probability("John Bruce was not Scottish.", [BRUCE], name="John Bruce")
    assert denies < VERIFIER.threshold < says


def test_the_name_alone_is_no_support() -> None:
    facts = ["John Bruce was a goalkeeper.", "Bruce played the cello in Vienna."]
    values = support_probabilities(facts, [BRUCE], name="John Bruce")
    assert (values < VERIFIER.threshold).all()


def test_it_is_a_verifier_with_settings() -> None:
    assert isinstance(VERIFIER, Verifier)
    assert VERIFIER.settings["threshold"] == VERIFIER.threshold
    assert BuiltinVerifier(threshold=0.4).settings != VERIFIER.settings


@pytest.mark.parametrize("threshold", [-0.1, 1.01, float("nan")])
def test_a_threshold_outside_the_unit_interval_is_refused(threshold: float) -> None:
    with pytest.raises(InputError, match="threshold"):
        BuiltinVerifier(threshold=threshold)


def test_verdicts_carry_status_probability_and_evidence() -> None:
    entity = Entity("swimmer", "Dick Hanley", (BRUCE, HANLEY))
    facts = [Fact("He won a silver medal."), Fact("He studied at Edinburgh."), Fact("Xyzzy qwert.")]
    verdicts = VERIFIER.verify(Biography("1", "Dick Hanley", ""), facts, entity)
    medal, study, nonsense = verdicts
    assert medal.status == "supported"
    assert medal.evidence is not None
    document, start, end = medal.evidence
    assert entity.documents[document].text[start:end].startswith("He won a silver medal")
    assert study.evidence is not None
    assert study.evidence.document == 0
    assert nonsense.status == "not_supported"
    assert nonsense.evidence is None


def test_status_is_decided_on_the_rounded_probability() -> None:
    value = support_probability("He was a swimmer.", [HANLEY], name="Dick Hanley")
    entity = Entity("a", "a", (HANLEY,))
    for threshold, status in ((value, "supported"), (value + 1e-6, "not_supported")):
        verdict = BuiltinVerifier(threshold=threshold).verify(
            Biography("1", "Dick Hanley", ""), [Fact("He was a swimmer.")], entity
        )[0]
        assert verdict.probability == round(value, 6)
        assert verdict.status == status


def test_without_facts_or_documents() -> None:
    biography = Biography("1", "Dick Hanley", "")
    assert VERIFIER.verify(biography, [], Entity("a", "a", (HANLEY,))) == []
    for documents in ((), (Document("Dick Hanley", ""),)):
        verdict = VERIFIER.verify(biography, [Fact("He swam.")], Entity("a", "a", documents))[0]
        assert (verdict.status, verdict.probability, verdict.evidence) == ("not_supported", 0, None)


def test_a_text_without_words_is_never_supported() -> None:
    assert support_probabilities([".", "", " ", "—!?"], [HANLEY]).tolist() == [0, 0, 0, 0]


def test_the_order_and_repetition_of_documents_change_no_probability() -> None:
    facts = ["He studied at the University.", "He won a medal.", "Bruce was born in 1936."]
    one = support_probabilities(facts, [HANLEY, BRUCE], name="John Bruce")
    other = support_probabilities(facts, [BRUCE, HANLEY, BRUCE], name="John Bruce")
    assert one.tolist() == other.tolist()


def test_facts_are_judged_one_by_one() -> None:
    facts = ["He won a silver medal.", "He was born in 1895.", "He attended the University."]
    together = support_probabilities(facts, [HANLEY], name="Dick Hanley")
    alone = [support_probability(fact, [HANLEY], name="Dick Hanley") for fact in facts]
    assert together.tolist() == alone


ANY = st.text(st.characters(), max_size=60)


@given(st.lists(ANY, max_size=4), st.lists(st.tuples(ANY, ANY), max_size=3), ANY)
def test_any_text_gives_a_probability_and_the_same_one_again(
    facts: list[str], documents: list[tuple[str, str]], name: str
) -> None:
    entity = Entity("a", "a", tuple(Document(*document) for document in documents))
    biography = Biography("1", name, "")
    asked = [Fact(fact) for fact in facts]
    verdicts = VERIFIER.verify(biography, asked, entity)
    assert len(verdicts) == len(facts)
    for verdict in verdicts:
        assert verdict.probability is not None
        assert 0 <= verdict.probability <= 1
        assert verdict.probability == round(verdict.probability, 6)
        threshold = VERIFIER.threshold
        assert (verdict.status == "supported") == (verdict.probability >= threshold)
        if verdict.evidence is not None:
            document, start, end = verdict.evidence
            assert 0 <= start < end <= len(entity.documents[document].text)
    assert verdicts == BuiltinVerifier().verify(biography, asked, entity)


@given(st.permutations([HANLEY, BRUCE, Document("", "He was a poet. He died in 1901.")]), ANY)
def test_any_fact_is_judged_alike_whatever_the_order(pages: list[Document], fact: str) -> None:
    facts = [fact, "He was a poet", "born in 1744"]
    one = support_probabilities(facts, pages, name="John Bruce")
    other = support_probabilities(
        facts, sorted(pages, key=lambda page: page.text), name="John Bruce"
    )
    assert one.tolist() == other.tolist()


@pytest.mark.parametrize(
    "text",
    [
        "\x00\x00 born in \x00 1744",
        "\ud800 was born \udfff in 1744.",
        "ולד בשנת 1744 ‏בירושלים.",
        "🏊‍♂️ won 🥈 in 1956 🎉.",
        "李 于 1744 年出生。",
        "((((((((" * 500 + "1744–1826",
        "born " * 3000,
        "1" * 10_000,
        "a." * 5000,
    ],
)
def test_hard_texts_are_judged(text: str) -> None:
    for fact, page in ((text, HANLEY.text), (HANLEY.text, text), (text, text)):
        assert 0 <= support_probability(fact, [page], name=text[:50]) <= 1


@pytest.mark.slow
def test_a_megabyte_is_judged() -> None:
    chance = np.random.default_rng(0)
    text = " ".join(f"Word{n} sat down." for n in chance.integers(0, 40_000, 60_000))
    assert len(text) > 900_000
    values = support_probabilities(["Word17 sat.", text, "He swam in 1936."] * 3, [text, HANLEY])
    assert ((values >= 0) & (values <= 1)).all()
    assert support_probability("Hanley attended the University of Michigan.", [text, HANLEY]) > 0.5


def test_entities_are_judged_together_as_one_by_one() -> None:
    other = "\n".join(
        f"Peter Lamb painted house number {n} in Rome in 19{n}." for n in range(11, 99)
    )
    entities = [
        Entity(name, name, documents)
        for name, documents in {
            "swimmer": (HANLEY,),
            "none": (),
            "historian": (BRUCE,),
            "marks": (Document("", "... !"),),
            "long": (Document("John Bruce", f"{other}\n{BRUCE.text}\n{other}"), HANLEY),
        }.items()
    ]
    facts = [
        Fact(text)
        for text in (
            "Dick Hanley was born on February 19, 1936.",
            "John Bruce was born in 1826.",
            "!",
            "Peter Lamb painted house 34 in Rome in 1956.",
            "He swam for the University of Edinburgh from 1957 to 1959 and never married.",
        )
    ]
    biography = Biography("b", "John Bruce", "")
    asked = [(facts[:size], entity) for size in (5, 2, 0) for entity in entities]
    together = VERIFIER.verify_together(biography, asked)
    assert together == [VERIFIER.verify(biography, *one) for one in asked]
    assert {v.status for row in together for v in row} == {"supported", "not_supported"}
    assert any(v.conflict for row in together for v in row)


def test_a_verifier_takes_its_pages_with_it():
    """Pages are large, so they are freed without waiting for the garbage collector."""
    verifier = BuiltinVerifier()
    page = Document("Ann Lee", "Ann Lee sang.")
    verifier.verify(
        Biography("Ann Lee", "Ann Lee", ""), [Fact("She sang.")], Entity("a", "a", (page,))
    )
    gone = weakref.ref(verifier)
    gc.disable()
    try:
        del verifier
        assert gone() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("year", ["1936", "1937", "1901"])
def test_a_contradiction_halves_the_odds_and_changes_no_verdict(year):
    page = Document("Dick Hanley", "Dick Hanley (born February 19, 1936) is an American swimmer.")
    facts = [
        Fact(f"Dick Hanley was born in {year}."),
        Fact("Dick Hanley is a swimmer."),
    ]
    asked = Biography("b", "Dick Hanley", ""), facts, Entity("e", "e", (page,))
    plain = BuiltinVerifier()
    plain._model = replace(plain._model, second_step={})
    for verdict, before in zip(VERIFIER.verify(*asked), plain.verify(*asked), strict=True):
        assert replace(verdict, probability=before.probability) == before
        p = before.probability
        halved = round(p / (2 - p), 6)
        assert verdict.probability == (p if verdict.conflict is None else halved)
        assert (verdict.probability >= VERIFIER.threshold) == (verdict.status == "supported")


def test_a_contradicted_fact_is_still_as_probable_as_a_longer_one():
    contained = containment(("Ann Lee sang.", "Ann Lee sang in York."))
    there = Evidence(0, 0, 1)
    verdicts = [
        Verdict("not_supported", 0.6, None, there),
        Verdict("not_supported", 0.5, None),
    ]
    found = VERIFIER._doubted(verdicts, contained)
    assert [verdict.probability for verdict in found] == [0.5, 0.5]


@pytest.mark.parametrize("words", [270, 280, 545, 555, 1095, 1105])
def test_one_more_word_moves_no_probability_far(words):
    facts = ["Dick Hanley was born in 1936.", "Dick Hanley is a coach.", "Dick Hanley swam."]
    start = "Dick Hanley (born 1936) is an American swimmer."
    texts = [start + " It rained." * (n // 2) for n in (words, words + 10)]
    short, longer = (VERIFIER.probabilities(facts, [text], "Dick Hanley") for text in texts)
    assert abs(short - longer).max() < 0.02
