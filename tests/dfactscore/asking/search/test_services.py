"""Results and refusals of each search service."""

from __future__ import annotations

import asyncio
import json
import time

import pytest
from search_service import KEY, bomb, refuse

from dfactscore._asking.cache import AnswerCache
from dfactscore._asking.messages import BudgetError
from dfactscore._asking.search import (
    SearchClient,
    SearchError,
    SearchFailed,
    SearchLimits,
    open_search,
)
from dfactscore._asking.search.json_services import SerperResponse, _rows
from dfactscore._errors import InputError

QUICK = SearchLimits(retries=3, backoff=0.01)


def ask(service, query="Dick Hanley swam in Melbourne.", k=3, *, limits=QUICK, **more):
    client = SearchClient(service, limits=limits, **more)

    async def work():
        try:
            return await client.search(query, k)
        finally:
            await client.aclose()

    return asyncio.run(work())


def test_serper_and_searxng_find_what_the_index_finds(service, index_folder):
    own = ask(open_search(f"index:{index_folder}"))
    assert own[0].title == "Dick Hanley (swimmer)"
    for spec in (f"serper:{service.url}", f"searxng:{service.url}/"):
        found = ask(open_search(spec))
        assert [(r.title, r.rank) for r in found] == [(r.title, r.rank) for r in own]
        # The index completes what it finds to whole sentences.
        assert all(a.text in b.text for a, b in zip(found, own, strict=True))
        assert found[0].address == "https://en.wikipedia.org/wiki/Dick_Hanley_%28swimmer%29"
    assert service.keys == {KEY: 1}


def test_serper_reads_answer_box_and_knowledge_graph():
    answer = {
        "answerBox": {"title": "Ann Lee", "snippetHighlighted": ["1901", "in <b>Leeds</b>"]},
        "knowledgeGraph": {"title": "Ann Lee", "type": "Painter", "attributes": {"Born": "1901"}},
        "organic": [
            {"title": "A\x07", "snippet": None, "link": "https://a.example"},
            {"title": "B", "snippet": "b", "position": [2]},
        ],
    }
    assert list(_rows(SerperResponse.model_validate(answer))) == [
        ("Ann Lee", "1901 in Leeds", "", ""),
        ("Ann Lee", "Ann Lee: Painter. Ann Lee Born: 1901.", "", ""),
        ("A\ufffd", "", "https://a.example", ""),
        ("B", "b", "", ""),
    ]
    bare = {"knowledgeGraph": {"title": "A", "attributes": None}, "organic": []}
    assert list(_rows(SerperResponse.model_validate(bare))) == []


@pytest.mark.parametrize(
    "organic",
    [None, {}, "x", [None], ["x"], [[]], [{"snippet": "x"}], [{"title": "x", "snippet": 5}],
     [{"title": "x"}], [{"title": "x", "snippet": "\ud800"}], [{"heading": "x", "body": "y"}]],
)  # fmt: skip
def test_results_that_cannot_be_read_are_not_nothing_found(service, organic):
    """Before, such answers were "nothing found", and their facts not supported."""
    said = json.dumps({"organic": organic}).encode()
    service.fault = lambda number: refuse(200, said)
    with pytest.raises(SearchFailed, match=r"serper at .*cannot be read.*Dick Hanley swam"):
        ask(open_search(f"serper:{service.url}"))
    assert service.requests == 4
    service.fault = lambda number: refuse(200, b'{"organic": []}')
    assert ask(open_search(f"serper:{service.url}")) == ()


@pytest.mark.parametrize("spec", ["serper", "searxng"])
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (refuse(401), "401"),
        (refuse(403, b"Not enough credits"), "no credit left"),
        (refuse(307, b"", Location="http://elsewhere.example/"), "a redirect"),
        (refuse(404), "a wrong address"),
    ],
)
def test_what_every_search_would_meet_stops_at_once(service, spec, fault, said):
    service.fault = lambda number: fault
    with pytest.raises(SearchError, match=said) as caught:
        ask(open_search(f"{spec}:{service.url}"))
    assert service.requests == 1
    assert KEY not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_searxng_without_json_says_what_to_set(service):
    service.fault = lambda number: refuse(403, b"<html>Forbidden</html>")
    with pytest.raises(SearchError, match=r"search\.formats in its settings\.yml"):
        ask(open_search(f"searxng:{service.url}"))


@pytest.mark.parametrize(
    "fault",
    [
        refuse(429, b"slow", Retry_After="0"),
        refuse(503, b"<h1>later</h1>"),
        refuse(200, b""),
        refuse(200, b"<html>"),
        refuse(200, b"[1]"),
        refuse(200, b'{"organic": [' + b"[" * 100_000),
        lambda handler: handler.connection.close(),
    ],
)
def test_what_may_pass_is_asked_again(service, fault):
    service.fault = lambda number: fault if number < 3 else None
    found = ask(open_search(f"serper:{service.url}"))
    assert found[0].title == "Dick Hanley (swimmer)"
    assert service.requests == 3
    service.requests, service.fault = 0, lambda number: fault
    with pytest.raises(SearchFailed):
        ask(open_search(f"serper:{service.url}"))
    assert service.requests == 4


def test_a_small_answer_with_gigabytes_inside_is_not_read(service):
    service.fault = lambda number: bomb
    with pytest.raises(SearchFailed, match="more than 4 MiB"):
        ask(open_search(f"serper:{service.url}"))


def test_a_service_that_hangs_runs_out_of_time(service):
    service.fault = lambda number: lambda handler: time.sleep(1)
    with pytest.raises(SearchFailed, match=r"no answer within 0\.2 s"):
        ask(open_search(f"searxng:{service.url}", timeout=0.2), limits=SearchLimits(retries=0))


def test_a_wait_beyond_the_limit_stops_the_run(service):
    service.fault = lambda number: refuse(429, b"slow", Retry_After="9999")
    with pytest.raises(SearchError, match="asks to wait 9999 s"):
        ask(open_search(f"serper:{service.url}"))


def test_an_unreachable_service_is_an_error_with_a_remedy(service):
    service.server.close()
    with pytest.raises(SearchError, match=r"cannot be reached.*the same command resumes"):
        ask(open_search(f"serper:{service.url}"), limits=SearchLimits(retries=1, backoff=0.01))


def test_the_same_query_is_paid_once(service, tmp_path):
    cache = AnswerCache(tmp_path / "cache.sqlite")
    client = SearchClient(open_search(f"serper:{service.url}"), cache=cache, limits=QUICK)

    async def work():
        both = await asyncio.gather(*(client.search("Dick Hanley", 3) for _ in range(5)))
        assert len(set(both)) == 1
        await client.aclose()

    asyncio.run(work())
    assert service.requests == 1
    again = ask(open_search(f"serper:{service.url}"), "Dick  Hanley", cache=cache)
    assert again[0].title.startswith("Dick Hanley")
    assert service.requests == 1
    ask(open_search(f"serper:{service.url}"), "Dick Hanley", 4, cache=cache)
    old = SearchLimits(cache_days=0)
    time.sleep(1.1)
    ask(open_search(f"serper:{service.url}"), "Dick Hanley", cache=cache, limits=old)
    assert service.requests == 3
    cache.close()
    assert KEY.encode() not in (tmp_path / "cache.sqlite").read_bytes()


def test_a_result_says_when_it_was_found(service, tmp_path, monkeypatch, index_folder):
    cache = AnswerCache(tmp_path / "cache.sqlite")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    first = ask(open_search(f"serper:{service.url}"), cache=cache)
    assert {r.time for r in first} == {"1970-01-02T00:00:00Z"}
    # What the cache holds was found when it was paid for.
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert ask(open_search(f"serper:{service.url}"), cache=cache) == first
    assert service.requests == 1
    cache.close()
    assert "1970" not in ask(open_search(f"serper:{service.url}"))[0].time[:4]
    assert {r.time for r in ask(open_search(f"index:{index_folder}"))} == {""}


def test_a_limit_on_searches_stops_before_it_is_exceeded(service):
    client = SearchClient(open_search(f"serper:{service.url}"), limits=SearchLimits(most=2))

    async def work():
        for query in ("a", "b"):
            await client.search(query, 1)
        with pytest.raises(BudgetError, match="--max-searches 2"):
            await client.search("c", 1)
        await client.aclose()

    asyncio.run(work())
    assert service.requests == 2


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("sepper", "did you mean serper"),
        ("index", "index:FOLDER"),
        ("searxng:localhost", "is not an address"),
        ("searxng:http://user:word@host/", "contains a user name or password"),
        ("mediawiki:http://x:99999999/", "is not an address"),
    ],
)
def test_services_are_named_rightly(spec, said):
    with pytest.raises(InputError, match=said):
        open_search(spec, contact="a@example.org")


def test_serper_without_a_key(monkeypatch):
    monkeypatch.delenv("SERPER_API_KEY", raising=False)
    with pytest.raises(InputError, match="set SERPER_API_KEY"):
        open_search("serper")


QUERY = "Dick Hanley swam in Melbourne."
HIT = {"title": "Dick Hanley", "content": "He swam in 1956.", "snippet": "He swam in 1956."}
BLANK = {"title": "Dick", "content": "<b>\u200b</b> \u3164", "snippet": "<b>\u200b</b> \u3164"}
BARE = {"content": "He ran.", "snippet": "He ran."}
ENGINES = [["google", "CAPTCHA"], ["bing", "timeout"]]
# Kinds of answers with status 200, with what is right: how many results, or words of the fault.
SAID = {
    "all engines silent": ({"unresponsive_engines": ENGINES}, "no answer from google: CAPTCHA"),
    "an engine silent": ({"unresponsive_engines": ["bing"]}, "no answer from bing"),
    "engines in an object": ({"unresponsive_engines": {"bing": "timeout"}}, "bing: timeout"),
    "some silent": ({"rows": [HIT], "unresponsive_engines": ENGINES}, 1),
    "none silent": ({"unresponsive_engines": [], "number_of_results": 0}, 0),
    "counted and not given": ({"number_of_results": 12000}, "counts 12000 results"),
    "echo of another": ({"echo": "Tom Hale rowed"}, "answers another query"),
    "echo of another, with results": ({"rows": [HIT], "echo": "Tom Hale rowed"}, "another query"),
    "echo of a fact beside": ({"echo": "Dick Hanley swam in Rome."}, "answers another query"),
    "echo in another case": ({"rows": [HIT], "echo": "dick hanley  swam in melbourne"}, 1),
    "echo that is cut": ({"rows": [HIT], "echo": "Dick Hanley swam"}, 1),
    "echo that is a word": ({"rows": [HIT], "echo": "q"}, 1),
    "echo that is a word, with nothing": ({"echo": "q"}, "answers another query"),
    "echo null": ({"rows": [HIT], "echo": None}, 1),
    "no credit": ({"message": "Not enough credits"}, "no credit left"),
    "no credit in an object": (
        {"error": {"text": "your credit balance is exhausted"}},
        "no credit",
    ),
    "an error beside nothing": ({"error": "backend failed"}, "says: backend failed"),
    "errors beside nothing": ({"errors": ["x"]}, "has no results, and says"),
    "errors that are none": ({"errors": [], "error": None, "message": ""}, 0),
    "blank rows only": ({"rows": [BLANK, BLANK]}, "not one of 2 results has a title and a text"),
    "a blank row": ({"rows": [BLANK, HIT]}, 1),
    "a row without a title": ({"rows": [BARE, HIT, {"title": None, **BARE}]}, 1),
    "a row without a text": ({"rows": [{"title": "x"}, HIT, {"title": "x", "snippet": None}]}, 1),
    "rows without a title only": ({"rows": [BARE]}, "cannot be read"),
    "a title that is blank": ({"rows": [{**HIT, "title": "\u200b"}, HIT]}, 1),
}
OF_SEARXNG = ("unresponsive_engines", "number_of_results")


def said_by(kind, fields):
    """An answer of a service, with the names that it has for these fields."""
    fields = dict(fields)
    rows = fields.pop("rows", [])
    if kind == "searxng":
        echo = {"query": fields.pop("echo")} if "echo" in fields else {}
        return {"results": rows, **echo, **fields}
    echo = {"searchParameters": {"q": fields.pop("echo")}} if "echo" in fields else {}
    return {"organic": rows, **echo, **fields}


@pytest.mark.parametrize(
    ("kind", "name"),
    [("searxng", name) for name in SAID]
    + [("serper", name) for name in SAID if not set(OF_SEARXNG) & set(SAID[name][0])],
)
def test_an_answer_that_is_not_whole_is_not_nothing_found(service, tmp_path, kind, name, caplog):
    caplog.set_level("INFO", "dfactscore")
    fields, right = SAID[name]
    data = json.dumps(said_by(kind, fields)).encode()
    service.fault = lambda number: refuse(200, data)
    cache = AnswerCache(tmp_path / "cache.sqlite")
    spec = f"{kind}:{service.url}"
    if isinstance(right, int):
        found = ask(open_search(spec), QUERY, cache=cache)
        assert len(found) == right
        assert cache.stats().answers == 1
        lines = caplog.messages
        assert lines == ([line for line in lines if "google: CAPTCHA" in line][:1])
        assert bool(lines) == (name == "some silent")
    else:
        with pytest.raises((SearchFailed, SearchError), match=right) as caught:
            ask(open_search(spec), QUERY, cache=cache)
        assert isinstance(caught.value, SearchError) == ("credit" in right)
        assert service.requests == (1 if "credit" in right else 4)
        assert cache.stats().answers == 0
        service.fault = lambda number: None  # it recovers, and so does the search
        assert ask(open_search(spec), QUERY, cache=cache)
    cache.close()
