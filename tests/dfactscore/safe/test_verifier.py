"""SAFE's steps, its columns, and what a failure counts as."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import replace

import numpy as np
import pytest
from search_service import refuse

from dfactscore._asking.search import SearchClient, SearchError, SearchLimits, open_search
from dfactscore._jobs.engines import build_engine
from dfactscore._jobs.job import Job
from dfactscore._jobs.settings import Config
from dfactscore._readers import read_biographies
from dfactscore._records import Biography, Document, Entity, Fact, Verdict
from dfactscore.engines._roles import Verifier
from dfactscore.engines._wrapping import OPEN, CascadeVerifier
from dfactscore.examples import example
from dfactscore.retrieval import open_source
from dfactscore.safe import SearchVerifier, safe_scores

pytestmark = pytest.mark.xdist_group("search")  # the examples are searched once

QUICK = SearchLimits(retries=4, backoff=0.005)


def people(*ids):
    wanted = set(ids)
    every = read_biographies(example("people").biographies).biographies
    return [b for b in every if not wanted or b.id in wanted]


def fill(biographies, spec, *, inner=None, limits=QUICK, **options):
    """Records that a search verifier judged, and its client."""
    engine = build_engine(Config())
    client = SearchClient(open_search(spec), limits=limits)
    verifier = SearchVerifier(inner or engine.verifier, client, **options)
    job = Job(replace(engine, verifier=verifier), source=open_source(example("people").pages))

    async def work():
        try:
            return [await job.fill(biography) for biography in biographies]
        finally:
            await client.aclose()

    return asyncio.run(work()), client


class Script:
    """A model that answers from a list, then always the same."""

    settings = {"name": "script"}

    def __init__(self, *answers):
        self.answers = list(answers)
        self.calls = []

    async def next_query(self, fact, queries, found):
        self.calls.append((fact.text, tuple(queries), len(found)))
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


class Says(Verifier):
    """A verifier that supports facts whose evidence holds a word."""

    settings = {"name": "says"}

    def __init__(self, word):
        self.word = word

    def verify(self, biography, facts, entity):
        found = any(self.word in document.text for document in entity.documents)
        return [Verdict("supported" if found else "not_supported") for _ in facts]


@pytest.fixture(scope="module")
def by_index(index_folder):
    """The shipped examples, judged by what an index finds, and the client."""
    return fill(people(), f"index:{index_folder}", per_entity=True)


def test_shipped_examples_against_their_gold(by_index):
    lines = example("people").gold.read_text(encoding="utf-8").splitlines()
    gold = {row["id"]: row for row in map(json.loads, lines)}
    records, client = by_index
    rows = [(gold[r.id], safe_scores(r)) for r in records]
    rows = [(g, s) for g, s in rows if s is not None and g.get("dfs") is not None]
    assert len(rows) == 27
    safe = np.array([s.safe for _, s in rows])
    fs, dfs = (np.array([g[key] for g, _ in rows]) for key in ("fs", "dfs"))
    own = np.array([s.d_safe for _, s in rows])
    assert abs(safe.mean() - fs.mean()) <= 0.045
    assert np.corrcoef(safe, fs)[0, 1] >= 0.60  # one text alone is far below 1
    assert abs(own.mean() - dfs.mean()) <= 0.03
    assert np.abs(own - dfs).mean() <= 0.06
    assert np.corrcoef(own, dfs)[0, 1] >= 0.92
    assert np.corrcoef(safe - own, fs - dfs)[0, 1] >= 0.92
    mixed = [s for g, s in rows if g["kind"] == "mixed"]
    clean = [s for g, s in rows if g["kind"] == "clean"]
    assert np.mean([s.safe for s in mixed]) >= 0.94
    assert np.mean([s.d_safe for s in mixed]) <= 0.70
    assert sum(s.namesake for s in mixed) >= 36
    assert sum(s.namesake for s in clean) == 0
    assert np.mean([s.safe - s.d_safe for s in clean]) <= 0.03
    assert 0 < client.searches <= sum(len(s.steps) for r in records for s in r.searches)


def test_open_search_alone_gives_safe_and_no_d_fs(index_folder):
    (record,), _ = fill(people("hanley-mixed"), f"index:{index_folder}")
    assert [e.id for e in record.entities] == [OPEN]
    assert record.scores.fs >= 0.8
    assert record.scores.dfs is None
    assert "--per-entity" in record.scores.dfs_reason
    scores = safe_scores(record)
    assert (scores.safe, scores.d_safe, scores.any) == (record.scores.fs, None, None)


@pytest.mark.parametrize(
    ("kind", "addresses"),
    [("serper", True), pytest.param("searxng", False, marks=pytest.mark.slow)],
)
def test_a_service_gives_the_links_and_scores_of_the_index(service, by_index, kind, addresses):
    names = ("hanley-mixed", "hemming-mixed", "collins-clean", "smith-mixed")
    own = [r for r in by_index[0] if r.biography.id in names]
    service.addresses = addresses
    found, client = fill(people(*names), f"{kind}:{service.url}", per_entity=True)
    facts = sum(len(r.facts) for r in found)
    candidates = max(len(r.entities) - 1 for r in found)
    assert client.searches <= (1.5 if addresses else 1 + candidates) * facts
    for a, b in zip(own, found, strict=True):
        assert [link.entity for link in a.links] == [link.entity for link in b.links]
    mean = [np.mean([safe_scores(r).d_safe for r in rows]) for rows in (own, found)]
    assert abs(mean[0] - mean[1]) <= (0.02 if addresses else 0.06)


def test_every_result_says_whose_it_is(service):
    service.addresses = False
    (record,), _ = fill(people("hanley-mixed"), f"serper:{service.url}", per_entity=True)
    *own, open_ = record.entities
    assert open_.id == OPEN
    assert all(re.match("about (no candidate|Dick Hanley.*): ", d.note) for d in open_.documents)
    assert any(d.note for e in own for d in e.documents)
    handle = [s.query for f in record.searches for s in f.steps if s.entity.endswith("(swimmer)")]
    assert handle
    assert all("swim" in query for query in handle)


def test_steps_until_the_limit_without_a_sure_verifier(service):
    (biography,) = people("hanley-clean")
    script = Script(*(f"query {n}" for n in range(500)))
    records, client = fill(
        [biography], f"serper:{service.url}", inner=Says("swimmer"), writer=script, steps=5
    )
    facts = len(records[0].facts)
    assert client.searches == 5 * facts
    assert len(script.calls) == 4 * facts
    assert {s.ended for s in records[0].searches} == {"steps"}


@pytest.mark.parametrize(
    ("answers", "ended", "searches"),
    [
        ([False], "enough", 1),
        ([None], "unreadable", 1),
        (["more", "MORE"], "repeated", 2),
        (["more", False], "enough", 2),
    ],
)
def test_why_a_search_ends(service, answers, ended, searches):
    biography = Biography("0", "Dick Hanley", "x", facts=(Fact("Dick Hanley swam."),))
    records, client = fill(
        [biography], f"serper:{service.url}", inner=Says("swam"), writer=Script(*answers)
    )
    (search,) = records[0].searches
    assert (search.ended, client.searches) == (ended, searches)
    assert len(search.steps) == searches


def test_a_cascade_that_is_sure_asks_for_nothing_more(service):
    class Lukewarm(Verifier):
        settings = {"name": "lukewarm"}
        threshold = 0.5

        def verify(self, biography, facts, entity):
            sure = "swimmer" in " ".join(d.text for d in entity.documents)
            return [Verdict("supported", 0.99 if sure else 0.5) for _ in facts]

    asked = []

    class Second(Verifier):
        settings = {"name": "second"}

        def verify(self, biography, facts, entity):
            asked.extend(facts)
            return [Verdict("not_supported", 0.01) for _ in facts]

    facts = (Fact("Dick Hanley was a swimmer."), Fact("Zebulon Qwerty vexed."))
    biography = Biography("0", "Dick Hanley", "x", facts=facts)
    script = Script("one", "two", "three")
    records, _ = fill(
        [biography],
        f"serper:{service.url}",
        inner=CascadeVerifier(Lukewarm(), Second(), low=0.2, high=0.8),
        writer=script,
        steps=3,
    )
    sure, unsure = records[0].searches
    assert (sure.ended, len(sure.steps)) == ("sure", 1)
    assert unsure.ended in ("sure", "steps")
    assert not any(text == facts[0].text for text, _, _ in script.calls)
    assert facts[0] not in asked


def test_faults_that_pass_change_nothing(service):
    names = ("hanley-mixed", "collins-clean")
    plain, _ = fill(people(*names), f"serper:{service.url}", per_entity=True)
    service.fault = lambda n: refuse(503) if n % 5 == 0 else None
    faulty, _ = fill(people(*names), f"serper:{service.url}", per_entity=True)
    for a, b in zip(plain, faulty, strict=True):
        assert a.matrix == b.matrix
        assert a.scores == b.scores
        assert a.searches == b.searches


def test_a_search_that_fails_is_an_honest_status_and_counted(service):
    service.fault = lambda n: refuse(400, b"no such thing") if n == 2 else None
    facts = tuple(Fact(f"Dick Hanley swam {n}.") for n in range(4))
    biography = Biography("0", "Dick Hanley", "x", facts=facts)
    limits = SearchLimits(concurrency=1)
    records, _ = fill([biography], f"serper:{service.url}", per_entity=True, limits=limits)
    matrix = records[0].matrix
    assert (matrix.status[1] == 4).all()  # error, in every column
    assert records[0].scores.n_facts == 4
    scores = safe_scores(records[0])
    assert (scores.n, scores.unreadable) == (4, 1)


def test_nothing_found_is_not_supported_and_counted(service):
    service.retriever = None
    biography = Biography("0", "Dick Hanley", "x", facts=(Fact("Dick Hanley swam."),))
    records, _ = fill([biography], f"serper:{service.url}")
    scores = safe_scores(records[0])
    assert (scores.safe, scores.nothing, scores.n) == (0.0, 1, 1)
    assert records[0].matrix.probability[0, 0] == 0.0


def test_a_service_that_refuses_everything_stops_the_run(service):
    service.fault = lambda n: refuse(403)
    with pytest.raises(SearchError, match="SERPER_API_KEY is not accepted"):
        fill(people("hanley-mixed"), f"serper:{service.url}", limits=SearchLimits(concurrency=1))
    assert service.requests == 1


def test_evidence_points_into_the_documents_of_its_column(by_index):
    seen = 0
    for record in by_index[0]:
        if record.matrix is None:
            continue
        for fact in range(len(record.facts)):
            for column, entity in enumerate(record.entities):
                place = record.matrix.evidence_at(fact, column)
                if place is not None:
                    seen += 1
                    text = entity.documents[place.document].text
                    assert 0 <= place.start < place.end <= len(text)
    assert seen > 100


def test_given_groups_and_links_hold_with_searched_evidence(index_folder):
    entity = Entity("Dick Hanley (swimmer)", "Dick Hanley (swimmer)", (Document("t", "x"),))
    engine = build_engine(Config())
    client = SearchClient(open_search(f"index:{index_folder}"))
    verifier = SearchVerifier(engine.verifier, client, per_entity=True)
    found = asyncio.run(
        verifier.find_and_verify(
            Biography("0", "Dick Hanley", "x"),
            [Fact("Dick Hanley was an American swimmer.")],
            verifier.columns([entity]),
        )
    )
    assert [e.id for e in found.entities] == [entity.id, OPEN]
    assert {d.title for d in found.entities[0].documents} == {entity.id}
