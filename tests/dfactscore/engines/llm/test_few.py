"""Two calls per text give the same scores as one per entity, with fewer tokens."""

from __future__ import annotations

import asyncio
import json

import numpy as np

from dfactscore import Scorer
from dfactscore._asking.cache import AnswerCache
from dfactscore._asking.client import ChatClient
from dfactscore._asking.messages import BudgetError
from dfactscore._asking.settings import OpenAIModel
from dfactscore._records import Biography, Fact
from dfactscore._runs import load_run
from dfactscore._text.sentences import split_sentences
from dfactscore.engines._llm.roles.grouper import LLMGrouper
from dfactscore.engines._llm.roles.reader import LLMReader, ReadGroups
from dfactscore.linking import STATUSES


def cells(folder):
    """The facts, groups and statuses of a run."""
    return [
        (
            [(f.text, f.sentence) for f in one.facts],
            [g.facts for g in one.groups],
            one.matrix.status.tolist(),
        )
        for one in load_run(folder).records()
    ]


def scores(folder):
    found = json.loads((folder / "summary.json").read_text("utf-8"))
    return {name: found[name] for name in ("fs", "dfs", "n_bio", "n_ent", "coverage")}


def test_few_calls_give_the_same_scores_for_fewer_tokens(job, stub):
    by_entity = job("entity")
    before = stub.stats()
    stub.set()
    few = job("few", calls="few")
    after = stub.stats()
    assert cells(few) == cells(by_entity)
    assert scores(few) == scores(by_entity)
    assert after["requests"] == 2 * 12 + 1  # and the request that probes the form of answers
    assert before["requests"] == 4 * 12 + 1


def test_sentences_are_named_as_evidence(job):
    folder = job("few", calls="few", evidence=True)
    assert cells(folder) == cells(job("entity"))
    seen = 0
    for record in load_run(folder).records(texts=True):
        for (fact, column), status in np.ndenumerate(record.matrix.status):
            place = record.matrix.evidence_at(fact, column)
            assert (place is not None) == (STATUSES[status] == "supported")
            if place is not None:
                text = record.entities[column].documents[place.document].text
                assert split_sentences(text[place.start : place.end])
                seen += 1
    assert seen > 20


def test_a_run_stopped_anywhere_ends_with_the_same_bytes_and_pays_nothing_twice(
    job, stub, contents
):
    whole = job("whole", calls="few", limit=6)
    stub.set()
    for _ in range(20):
        try:
            parts = job("parts", calls="few", limit=6, max_calls=2, concurrency=2)
            break
        except BudgetError:
            pass
    assert contents(parts) == contents(whole)
    stats = stub.stats()
    assert (stats["requests"], stats["repeated"]) == (13, 0)


def test_groups_are_those_of_the_call_for_facts_where_a_run_was_stopped_between(stub, tmp_path):
    cache = AnswerCache(tmp_path / "c.sqlite")
    text = "Anna Berg was born in Malmo and painted. She won a medal."
    biography = Biography("1", "Anna Berg", text)

    def reader():
        client = ChatClient(OpenAIModel("stub-a", base_url=stub.base_url), cache=cache)
        return LLMReader(client, LLMGrouper(client))

    async def both(first, second):
        facts = await first.decompose(biography)
        groups = await ReadGroups(second).group(biography, facts)
        await first.client.aclose()
        await second.client.aclose()
        return facts, groups

    one = reader()
    assert asyncio.run(both(one, one)) == asyncio.run(both(reader(), reader()))
    assert stub.stats()["by_stage"] == {"probe": 1, "read": 1}
    other = [Fact("Anna Berg won a medal.")]  # facts of the input are grouped in a separate call
    assert [g.facts for g in asyncio.run(ReadGroups(one).group(biography, other))] == [(0,)]
    assert stub.stats()["by_stage"]["group"] == 1
    cache.close()


def test_what_is_too_long_or_unreadable_is_asked_by_entity_and_marked(job, stub):
    by_entity = job("entity", limit=3)
    stub.set(rate=1.1, kinds=["broken"], unbounded=True, stages=["verify_all"])
    broken = job("broken", calls="few", limit=3)
    stub.set()
    narrow = job("narrow", calls="few", limit=3, context=300)
    assert stub.stats()["by_stage"] == {"probe": 1, "decompose": 3, "group": 3, "verify": 6}
    for folder, apart in ((broken, 3), (narrow, 6)):
        assert cells(folder) == cells(by_entity)
        assert json.loads((folder / "summary.json").read_text())["faults"] == {"apart": apart}
        for record in load_run(folder).records():
            assert record.matrix.sent.all()


def test_a_cascade_asks_about_all_open_pairs_at_once(job, stub):
    roles = {"decomposer": "builtin", "grouper": "builtin", "verifier": "cascade"}
    band = {"cascade_low": 0.0, "cascade_high": 1.0}
    job("few", calls="few", **roles, **band)
    assert stub.stats()["by_stage"] == {"probe": 1, "verify_all": 12}


def test_a_dry_run_counts_few_calls(job, stub, capsys):
    job("few", calls="few", dry_run=True)
    total = json.loads(capsys.readouterr().out)[-1]
    assert (total["calls"], stub.stats()["requests"]) == (2 * 12 + 1, 0)


def test_scorer_asks_few_calls_in_any_loop(stub):
    model = OpenAIModel("stub-a", base_url=stub.base_url)
    scorer = Scorer(model=model, llm={"calls": "few", "no_cache": True})
    pages = {"Anna Berg": "Anna Berg was born in Malmo in 1950.", "Lund": "Lund is a town."}
    for year in (1950, 1951):
        found = scorer.score(
            f"Anna Berg was born in Malmo in {year}.", name="Anna Berg", pages=pages
        )
        assert found.fs == 1.0
    assert stub.stats()["by_stage"] == {"probe": 1, "read": 2, "verify_all": 2}
