"""Cascade, relevance, no-context, repeats, mixed engines, and the Python interface."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest

from dfactscore import OpenAIModel, Scorer
from dfactscore._asking.client import ChatClient
from dfactscore._cli.score import rescore
from dfactscore._errors import InputError
from dfactscore._readers.records import biography_from_record
from dfactscore._records import Biography, Document, Entity, Fact, Verdict
from dfactscore._runs import load_run
from dfactscore._scoring import Record, judge
from dfactscore.comparison import compare
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
from dfactscore.engines._llm.roles.decomposer import LLMDecomposer
from dfactscore.engines._llm.roles.facts_step import RelevanceLabeler
from dfactscore.engines._llm.roles.grouper import LLMGrouper
from dfactscore.engines._llm.roles.verifier import LLMVerifier, NoContextVerifier, StrictVerifier
from dfactscore.engines._roles import Decomposer, Grouper, RoleError, Verifier
from dfactscore.engines._wrapping import CascadeVerifier

PAGE = Entity(
    "Anna Berg",
    "Anna Berg",
    (Document("Anna Berg", "Anna Berg was born in Malmo in 1950. She painted landscapes."),),
)
BIOGRAPHY = Biography("1", "Anna Berg", "Anna Berg was born in Malmo. She played the violin.")
FACTS = [Fact("Anna Berg was born in Malmo."), Fact("Anna Berg played the violin in Oslo.")]


@pytest.fixture
def client(stub) -> ChatClient:
    return ChatClient(OpenAIModel("stub-a", base_url=stub.base_url, backoff=0.01))


def run(client: ChatClient, coroutine):
    async def job():
        try:
            return await coroutine
        finally:
            await client.aclose()

    return asyncio.run(job())


def test_the_roles_are_roles(client: ChatClient) -> None:
    assert isinstance(LLMDecomposer(client), Decomposer)
    assert isinstance(RelevanceLabeler(BuiltinDecomposer(), client), Decomposer)
    assert isinstance(LLMGrouper(client), Grouper)
    for kind in (LLMVerifier, StrictVerifier, NoContextVerifier):
        assert isinstance(kind(client), Verifier)
        assert kind(client).threshold is None
        assert json.dumps(kind(client).settings)


def test_facts_know_their_sentences(client: ChatClient) -> None:
    text = "  Anna Berg was born in Malmo.  She played the violin and sang songs."
    facts = run(client, LLMDecomposer(client).decompose(Biography("1", "Anna Berg", text)))
    assert [f.sentence for f in facts] == [0, 1, 1]
    for fact in facts:
        assert fact.span is not None
        start, end = fact.span
        assert text[start:end] in (
            "Anna Berg was born in Malmo.",
            "She played the violin and sang songs.",
        )


def test_long_texts_take_several_calls_and_lose_nothing(client: ChatClient, stub) -> None:
    text = " ".join(f"Anna Berg painted picture {i}." for i in range(95))
    facts = run(client, LLMDecomposer(client).decompose(Biography("1", "Anna Berg", text)))
    assert [f.sentence for f in facts] == list(range(95))
    assert stub.stats()["by_stage"]["decompose"] == 3
    one = run(client, LLMDecomposer(client, form="sentence").decompose(BIOGRAPHY))
    assert [f.sentence for f in one] == [0, 1]
    assert stub.stats()["by_stage"]["decompose"] == 5


def test_a_text_of_nothing_makes_no_call(client: ChatClient, stub) -> None:
    assert run(client, LLMDecomposer(client).decompose(Biography("1", "A", " "))) == ()
    assert run(client, LLMGrouper(client).group(BIOGRAPHY, [])) == ()
    assert run(client, LLMVerifier(client).verify(BIOGRAPHY, [], PAGE)) == ()
    assert stub.stats()["requests"] == 0


def test_many_facts_take_several_calls_in_order(client: ChatClient, stub) -> None:
    facts = [FACTS[i % 2] for i in range(23)]
    verifier = LLMVerifier(client, facts_per_call=5)
    found = run(client, verifier.verify(BIOGRAPHY, facts, PAGE))
    assert [v.status == "supported" for v in found] == [i % 2 == 0 for i in range(23)]
    assert all(v.probability is not None for v in found)
    # The same five facts need one call; the last call has three.
    assert stub.stats()["by_stage"]["verify"] == 3


def test_a_small_answer_cap_makes_smaller_calls(stub) -> None:
    model = OpenAIModel("stub-a", base_url=stub.base_url, max_answer_tokens=64)
    assert LLMVerifier(ChatClient(model)).facts_per_call == 6


def test_the_cascade_asks_only_about_what_is_unsure(client: ChatClient, stub) -> None:
    first = BuiltinVerifier()
    sure = [v.probability for v in first.verify(BIOGRAPHY, FACTS, PAGE)]
    cascade = CascadeVerifier(first, LLMVerifier(client))
    assert cascade.low < first.threshold < cascade.high
    every = CascadeVerifier(first, LLMVerifier(client), low=0, high=1, weight=None)
    none = CascadeVerifier(first, LLMVerifier(client), low=0.5, high=0.5)
    assert 0.5 not in sure
    assert run(client, none.verify(BIOGRAPHY, FACTS, PAGE)) == tuple(
        first.verify(BIOGRAPHY, FACTS, PAGE)
    )
    assert stub.stats()["requests"] == 0
    alone = run(client, LLMVerifier(client).verify(BIOGRAPHY, FACTS, PAGE))
    asked = run(client, every.verify(BIOGRAPHY, FACTS, PAGE))
    assert asked == tuple(replace(verdict, sent=True) for verdict in alone)
    with pytest.raises(InputError, match="cascade band"):
        CascadeVerifier(first, LLMVerifier(client), low=0.9, high=0.1)
    with pytest.raises(InputError, match="cascade weight"):
        CascadeVerifier(first, LLMVerifier(client), weight=0)


def test_the_cascade_adds_log_odds(client: ChatClient) -> None:
    cascade = CascadeVerifier(BuiltinVerifier(), LLMVerifier(client), weight=0.5)
    threshold = cascade.threshold
    assert threshold is not None
    combine = cascade._combine

    def lean(probability: float) -> Verdict:
        return Verdict("not_supported", probability)

    # A guess changes nothing, a confident answer overrules; the scale is the first verifier's.
    assert combine(lean(0.7), Verdict("supported", 0.5)).probability == 0.7
    assert combine(lean(0.7), Verdict("supported", 0.999)).status == "supported"
    assert combine(lean(0.8), Verdict("not_supported", 0.001)).status == "not_supported"
    odds = 3.0 * (0.9 / 0.1) ** 0.5
    found = combine(lean(0.75), Verdict("supported", 0.9))
    assert found.probability == pytest.approx(odds / (1 + odds), abs=1e-6)
    # Without a probability the second verdict holds; unreadable cells stay unreadable.
    assert combine(lean(0.7), Verdict("supported")) == Verdict("supported")
    assert combine(lean(0.7), Verdict("unparsed")) == Verdict("unparsed")


def test_the_share_of_the_cascade_is_in_the_manifest(job) -> None:
    folder = job(
        "run",
        decomposer="builtin",
        grouper="builtin",
        verifier="cascade",
        cascade_low=0.0,
        cascade_high=0.9,
    )
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert 0 < manifest["cascade_share"] < 1
    assert manifest["llm"]["models"][0]["structured"] == "json_schema"
    matrices = [one.matrix for one in load_run(folder).records()]
    sent = sum(int(m.sent.sum()) for m in matrices if m.sent is not None)
    alone = BuiltinVerifier()
    cascade = CascadeVerifier(alone, alone, low=0.0, high=0.9)
    unsure = sum(
        len(asyncio.run(cascade.unsure(one.biography, one.facts, entity)))
        for one in load_run(folder).records()
        for entity in one.entities
    )
    assert sent == unsure
    pairs = sum(m.status.size for m in matrices)
    assert manifest["cascade_share"] == round(sent / pairs, 6)


def test_relevance_labels_and_keeps_every_fact(client: ChatClient, stub) -> None:
    labeler = RelevanceLabeler(BuiltinDecomposer(), client)
    facts = run(
        client, labeler.label_facts(BIOGRAPHY, [Fact(f"Anna did {i} things.") for i in range(30)])
    )
    assert len(facts) == 30
    assert {f.label for f in facts} == {None, "irrelevant"}
    stub.set(rate=1.1, kinds=["broken"], unbounded=True)
    with pytest.raises(RoleError, match="relevance unparsed"):
        run(client, labeler.decompose(BIOGRAPHY))


def test_a_job_with_relevance(job) -> None:
    folder = job("run", relevance=True)
    labels = {f.label for j in load_run(folder).records() for f in j.facts}
    assert labels == {None, "irrelevant"}


def test_no_context_gives_fs_and_says_why_no_more(job, stub, capsys) -> None:
    folder = job("run", verifier="no-context")
    summary = json.loads((folder / "summary.json").read_text("utf-8"))
    assert summary["fs"] > 0
    assert (summary["dfs"], summary["n_ent"]) == (None, None)
    assert "tell" in (folder / "scores.csv").read_text("utf-8")
    capsys.readouterr()
    rescore({}, run=folder)
    shown = capsys.readouterr().out
    assert "no D-FActScore of 12 of 12: the verifier reads no documents and cannot tell" in shown
    other = job("other")
    found = compare([folder, other], resamples=100)
    assert {d.measure for d in found.differences} == {"fs"}
    assert any("run: no D-FActScore and no number of entities" in note for note in found.notes)
    stub.set()
    job("again", verifier="no-context")
    assert stub.stats()["by_stage"]["no_context"] == 12


def test_repeats_give_the_spread(job, stub, tmp_path: Path) -> None:
    folder = job("runs", repeats=3, seed=1)
    found = json.loads((folder / "repeats.json").read_text("utf-8"))
    assert found["repeats"] == 3
    assert found["fs"]["sd"] == 0  # The stub is deterministic.
    assert found["flipped"] == 0
    assert (folder / "repeat-3" / "scores.csv").exists()
    stages = stub.stats()["by_stage"]
    assert (stages["decompose"], stages["verify"]) == (12, 3 * 24)


def test_a_mixed_engine_pays_only_for_its_part(job, stub) -> None:
    job("run", decomposer="builtin", grouper="builtin")
    assert set(stub.stats()["by_stage"]) == {"probe", "verify"}


def test_scorer_with_a_model(stub) -> None:
    model = OpenAIModel("stub-a", base_url=stub.base_url)
    scorer = Scorer(model=model, llm={"no_cache": True})
    pages = {"Anna Berg": "Anna Berg was born in Malmo in 1950."}
    result = scorer.score("Anna Berg was born in Malmo.", name="Anna Berg", pages=pages)
    assert result.fs == 1.0

    async def notebook():
        same = await scorer.ascore("Anna Berg was born in Malmo.", name="Anna Berg", pages=pages)
        # The synchronous function works inside a running loop, too.
        again = scorer.score("Anna Berg was born in Malmo.", name="Anna Berg", pages=pages)
        await scorer.aclose()
        return same, again

    for found in asyncio.run(notebook()):
        assert found.fs == 1.0
    with pytest.raises(InputError, match="llm settings: needs a model"):
        Scorer(llm={"strict": True})


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"max_callz": 1}, "no setting 'max_callz'; did you mean max_calls"),
        ({"model": "x"}, r"'model' is not a setting of the engine here.*OpenAIModel\(model="),
        ({"verifier": "lmm"}, "llm: verifier: 'lmm' is unknown; .*did you mean llm"),
    ],
)
def test_settings_that_scorer_cannot_use(stub, settings, said: str) -> None:
    with pytest.raises(InputError, match=said):
        Scorer(model=OpenAIModel("m", base_url=stub.base_url), llm=settings)


def test_a_model_is_no_name() -> None:
    with pytest.raises(InputError, match=r"expected OpenAIModel\(NAME\)"):
        Scorer(model="gpt-4o")  # type: ignore[arg-type]


def test_relevance_labels_facts_that_come_with_the_input(stub) -> None:
    model = OpenAIModel("stub-a", base_url=stub.base_url)
    settings = {"no_cache": True, "relevance": True, "verifier": "builtin"}
    facts = [{"text": f"Anna did {i} things."} for i in range(30)]
    facts[0]["label"] = "irrelevant"  # a label from the input
    record = {"name": "Anna", "text": "Anna did things.", "facts": facts}
    engine = Scorer(model=model, llm=settings).engine
    biography = biography_from_record(record, default_id="0")
    found = asyncio.run(judge(Record(biography, entities=(PAGE,)), engine))
    labels = [fact.label for fact in found.facts]
    assert len(labels) == 30
    assert labels[0] == "irrelevant"
    assert 1 < labels.count("irrelevant") < 30
    assert stub.stats()["by_stage"]["relevance"] == 1
