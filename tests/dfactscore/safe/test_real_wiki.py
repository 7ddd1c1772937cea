"""D-SAFE with a real MediaWiki on loopback as the search service."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dfactscore._asking.search import SearchClient, open_search
from dfactscore._asking.search.wiki import WikiSearch
from dfactscore._jobs.engines import build_engine
from dfactscore._jobs.job import Job
from dfactscore._jobs.settings import Config
from dfactscore._readers import read_biographies
from dfactscore.examples import example
from dfactscore.retrieval import open_source, read_pages
from dfactscore.safe import SearchVerifier, safe_scores

HERE = Path(__file__).resolve().parents[2] / "ambigbio" / "mediawiki"
TEXTS = ("hanley-mixed", "hemming-mixed", "collins-clean", "smith-mixed", "hanley-clean")


def _module(name):
    full = f"dfactscore_tests_mediawiki_{name}"
    if full not in sys.modules:
        spec = importlib.util.spec_from_file_location(full, HERE / f"{name}.py")
        sys.modules[full] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[full])
    return sys.modules[full]


@pytest.fixture
def wiki(tmp_path):
    mediawiki = _module("wiki")
    try:
        mediawiki.tree()
    except mediawiki.Unavailable as reason:
        pytest.skip(f"no MediaWiki here: {reason}")
    export = _module("fixture").Export()
    for page in read_pages(example("people").pages):
        export.page(page.title, page.text)
    server = mediawiki.Server(mediawiki.make_wiki(export.xml()), tmp_path / "wiki")
    # An import fills the index of titles alone.
    mediawiki.maintenance(server.folder, "rebuildtextindex")
    yield server
    server.stop()


def fill(service):
    engine = build_engine(Config())
    verifier = SearchVerifier(engine.verifier, SearchClient(service), per_entity=True)
    job = Job(replace(engine, verifier=verifier), source=open_source(example("people").pages))
    every = {b.id: b for b in read_biographies(example("people").biographies).biographies}

    async def work():
        try:
            return [await job.fill(every[text]) for text in TEXTS]
        finally:
            await service.aclose()

    return asyncio.run(work())


@pytest.mark.slow
def test_the_wikis_own_search_gives_the_d_safe_of_an_index(wiki, index_folder, tmp_path):
    own = [safe_scores(r) for r in fill(open_search(f"index:{index_folder}"))]
    service = WikiSearch(
        wiki.api, contact="tests@example.org", cache=tmp_path / "wiki.sqlite", interval=0.0
    )
    records = fill(service)
    found = [safe_scores(r) for r in records]
    assert abs(np.mean([s.d_safe for s in own]) - np.mean([s.d_safe for s in found])) <= 0.05
    assert abs(np.mean([s.safe for s in own]) - np.mean([s.safe for s in found])) <= 0.05
    # The same query is asked once, pages come fifty a request.
    assert len(wiki.requests()) <= 3 * sum(s.n for s in found)
    documents = [d for r in records for e in r.entities for d in e.documents]
    assert all("/wiki/" in d.address for d in documents)
