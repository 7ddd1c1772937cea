"""Search services that break HTTP, JSON or their own form: results, or a reason that names them.

The whole matrix with commands: ``python tests/robustness/search_faults.py``.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tracemalloc
from pathlib import Path

import pytest

from dfactscore._asking.search import (
    SearchClient,
    SearchError,
    SearchFailed,
    SearchLimits,
    open_search,
)

sys.path.insert(0, str(Path(__file__).parent))
import search_faults

sys.path.remove(str(Path(__file__).parent))
FAULTS = search_faults.FAULTS
QUERY = "Dick Hanley swam in Melbourne."
QUICK = SearchLimits(retries=1, backoff=0.01, max_wait=0.1)
# A few of each sort; all others are slow.
SAMPLE = {
    "mediawiki": ("query null", "continue the same for ever", "pages are null", "gzip twice, 10 GB",
                  "500", "nested deep", "maxlag for ever"),
    "serper": ("rows missing", "rows are texts", "no text", "text half a surrogate", "zstd, 2 GB",
               "drips for ever", "rows say the key escaped"),
    "searxng": ("rows null", "half of the rows null", "deflate, 2 GB", "100 for ever", "NaN"),
}  # fmt: skip


@pytest.fixture(scope="module")
def server():
    found = search_faults.SearchServer()
    yield found
    found.close()


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("SERPER_API_KEY", search_faults.KEY)


def ask(server, service, fault, *, passing=False, timeout=0.4):
    """Returns the results of a search, or the error that it raises."""
    for kept in Path(os.environ["XDG_CACHE_HOME"]).rglob("*.sqlite*"):
        kept.unlink()
    server.set(fault, passing=passing)
    found = open_search(
        server.spec(service), contact="a@example.org", interval=0, timeout=timeout, limits=QUICK
    )
    client = SearchClient(found, limits=QUICK)

    async def one():
        try:
            return [(r.title, r.text, r.address) for r in await client.search(QUERY, 3)]
        except (SearchError, SearchFailed) as error:
            return error
        finally:
            await client.aclose()

    return asyncio.run(asyncio.wait_for(one(), 60))


def check(server, service, name):
    clean = ask(server, service, None, timeout=5)
    assert clean[0][0] == "Dick Hanley (swimmer)"
    for passing in (True, False):
        found = ask(server, service, FAULTS[service][name], passing=passing)
        assert server.faults
        if isinstance(found, Exception):
            said = str(found)
            assert len(said.splitlines()) == 1
            assert server.url in said
            assert QUERY in said
        elif "key" not in name:
            assert found == clean
        # Serper alone was sent the key.
        assert service != "serper" or search_faults.KEY not in str(found)


@pytest.mark.parametrize(
    ("service", "name"), [(service, name) for service in SAMPLE for name in SAMPLE[service]]
)
def test_a_fault_is_a_result_or_a_reason(server, service, name):
    check(server, service, name)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("service", "name"),
    [(s, n) for s in FAULTS for n in FAULTS[s] if n not in SAMPLE[s]],
)
def test_every_fault_is_a_result_or_a_reason(server, service, name):
    check(server, service, name)


def test_there_are_as_many_kinds_as_were_tried():
    assert all(len(kinds) >= 70 for kinds in FAULTS.values())


@pytest.mark.parametrize("service", search_faults.SERVICES)
@pytest.mark.parametrize("name", ["gzip twice, 10 GB", "deflate, 2 GB", "zstd, 2 GB"])
def test_no_packing_is_unpacked_without_end(server, service, name):
    fault = FAULTS[service][name]
    list(fault(b"{}"))  # made once, before it is measured
    tracemalloc.start()
    found = ask(server, service, fault, timeout=5)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert isinstance(found, Exception)
    assert peak < 100e6
