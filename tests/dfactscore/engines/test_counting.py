"""A dry run counts the requests of a user's roles like those of the shipped ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dfactscore import Fact, FactGroup, Verdict
from dfactscore._jobs.estimate import estimate
from dfactscore._jobs.job import Job
from dfactscore._records import Biography, Passage
from dfactscore._util.tasks import run_sync
from dfactscore.engines._answers import count_facts
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
from dfactscore.engines._roles import Decomposer, Engine, Grouper, Verifier, as_role
from dfactscore.engines._wrapping import CascadeVerifier, CorpusVerifier, WrappingVerifier
from dfactscore.factscorer import FactScorer
from dfactscore.retrieval import BuildOptions, Retriever, build_index
from dfactscore.retrieval import Passage as Indexed
from dfactscore.work import Asked, count_asked

TEXT = "Ann Lee is a painter. She lived in Leeds."
LEE = Biography(
    "1", "Ann Lee", TEXT,
    passages=(Passage("Ann Lee (painter)", "Ann Lee is a painter."),
              Passage("Ann Lee (rower)", "Ann Lee rowed for Canada.")),
)  # fmt: skip


class PaidDecomposer:
    """Has no base class."""

    settings = {"name": "mine"}

    def decompose(self, biography):
        raise AssertionError("a dry run asks nothing")

    def asks(self, biography, facts):
        if biography.facts is None:
            yield Asked("facts", "mine", len(biography.text), len(facts), cost=0.25)


class PaidGrouper(Grouper):
    settings = {"name": "mine"}

    def group(self, biography, facts):
        return [FactGroup(tuple(range(len(facts))))]

    async def asks(self, biography, facts):
        yield Asked("group", "mine", len(facts), cost=0.5)


class PaidVerifier(Verifier):
    settings = {"name": "mine"}

    def verify(self, biography, facts, entity):
        return [Verdict("supported")] * len(facts)

    def asks(self, biography, asked):
        return [Asked("verify", "mine", key=(f.text, e.id)) for facts, e in asked for f in facts]


class Wrapped(WrappingVerifier):
    settings = {"name": "wrapped"}

    def verify(self, biography, facts, entity):
        return self.inner.verify(biography, facts, entity)


def count(verifier, biography=LEE):
    decomposer = as_role(PaidDecomposer(), Decomposer, "decomposer")
    would = estimate(Job(engine=Engine(decomposer, PaidGrouper(), verifier)), [biography])
    return {s: models["mine"]["calls"] for s, models in would.usage.to_dict().items()}, would.usage


def test_own_roles_are_counted():
    stages, usage = count(PaidVerifier())
    assert stages == {"facts": 1, "group": 1, "verify": 4}  # two facts, two pages
    assert usage.total().cost == 0.75


def test_facts_of_the_input_are_not_counted():
    given = replace(LEE, facts=(Fact("Ann Lee sang."),))
    stages, _ = count(PaidVerifier(), given)
    assert stages == {"group": 1, "verify": 2}


def test_a_wrapped_verifier_is_counted():
    assert count(Wrapped(PaidVerifier()))[0]["verify"] == 4


def test_a_cascade_counts_what_its_first_verifier_leaves_open():
    class First(Verifier):
        settings = {"name": "first"}

        async def verify(self, biography, facts, entity):
            sure = entity.id == "Ann Lee (rower)"
            return [Verdict("supported", 0.99 if sure else 0.5) for _ in facts]

    stages, _ = count(CascadeVerifier(First(), PaidVerifier()))
    assert stages == {"facts": 1, "group": 1, "verify": 2}
    assert count(CascadeVerifier(First(), Wrapped(PaidVerifier())))[0] == stages
    assert "verify" not in count(CascadeVerifier(First(), BuiltinVerifier()))[0]


def test_the_column_of_a_corpus_is_counted(tmp_path):
    passages = [Indexed("Rowing", "Ann lived in Leeds.", "1"), Indexed("B", "Xyz.", "2")]
    build_index(passages, tmp_path / "index", BuildOptions(snapshot="2020-01-01"))
    stages, _ = count(CorpusVerifier(PaidVerifier(), Retriever(tmp_path / "index")))
    assert 4 < stages["verify"] <= 6  # each fact for which the index has a passage, once more


def test_a_verifier_without_documents_is_asked_once():
    class Blind(PaidVerifier):
        tells_entities_apart = False

    assert count(Blind())[0]["verify"] == 2


def test_known_facts_are_taken():
    class Stored(PaidDecomposer):
        def known_facts(self, biography):
            return [Fact("One."), Fact("Two."), Fact("Three.")]

    found = []
    facts = run_sync(count_facts(LEE, as_role(Stored(), Decomposer, "decomposer"), found))
    assert [fact.text for fact in facts] == ["One.", "Two.", "Three."]
    assert count_asked(found).total().completion_tokens == 3


@pytest.mark.parametrize("evidence", ["page", "top5"])
def test_the_factscore_interface_counts_own_roles(tmp_path, evidence):
    fs = FactScorer(
        cache_dir=tmp_path, data_dir=tmp_path, evidence=evidence,
        decomposer=PaidDecomposer(), verifier=PaidVerifier(),
    )  # fmt: skip
    fs.add_pages("mine", {"Ann Lee": "Ann Lee is a painter. She rowed for Canada."})
    assert fs.count_calls("Ann Lee", TEXT, None, "mine") == 3  # facts, and a verdict on each
