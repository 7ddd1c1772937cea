"""The client with the real wiki: its requests, waits and error messages."""

import configparser
import itertools
import threading
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import parse_qsl

import httpx
import pytest
import wikipediaapi

from dfactscore.ambigbio import AmbigBioError
from dfactscore.ambigbio._api_source import ApiSource
from dfactscore.ambigbio._cache import ResponseCache
from dfactscore.ambigbio._errors import WikiError
from dfactscore.ambigbio._languages import language
from dfactscore.ambigbio._wiki_client import _NEEDED, WikiClient, check_contact, user_agent
from dfactscore.ambigbio._wiki_transport import FinalError, Pace, PoliteTransport

QUERY = {"titles": "Leeds", "prop": "info"}


@pytest.fixture
def client(wiki, api_source):
    return api_source(wiki.api).client


def ask(client, **parameters):
    return list(client.query({**QUERY, **parameters}))


def test_what_is_built_on_in_wikipedia_api(wiki, client):
    """The client calls one private name, of a capped version, and overrides nothing."""
    library = client._library
    assert type(library) is wikipediaapi.Wikipedia
    client._transport.address = client.api_url
    page = library._get("en", {"action": "query", "titles": "Leeds", "format": "json"})
    assert next(iter(page["query"]["pages"].values()))["title"] == "Leeds"
    (request,) = wiki.requests()
    assert "gzip" in request["encoding"]
    assert request["agent"].startswith("dfactscore-ambigbio/")
    assert "(mailto:tests@example.org)" in request["agent"]
    capped = configparser.ConfigParser()
    capped.read(Path(__file__).parents[2] / "setup.cfg", encoding="utf-8")
    assert f"wikipedia-api{_NEEDED}" in capped["options.extras_require"]["wikipedia"].split()


def waits(wiki):
    """Returns seconds between the end of each response and the start of the next request."""
    requests = wiki.requests()
    return [later["start"] - earlier["end"] for earlier, later in itertools.pairwise(requests)]


@pytest.mark.parametrize(
    ("fault", "wait"),
    [
        ({"status": 429, "headers": {"Retry-After": "1"}}, 1),
        ({"status": 503, "headers": {"Retry-After": "2"}, "body": "<html>"}, 2),
        ({"status": 200, "headers": {"Retry-After": "1"},
          "body": '{"error": {"code": "maxlag", "info": "Waiting for a host"}}'}, 1),
        ({"status": 200, "headers": {"Retry-After": "1"},
          "body": '{"error": {"code": "ratelimited", "info": "slow down"}}'}, 1),
        ({"status": 200, "headers": {"Retry-After": "1"},
          "body": '{"error": {"code": "readonly", "info": "locked"}}'}, 1),
        ({"status": 500, "body": "x"}, 1),
        ({"status": 200, "body": '{"error": {"code": "internal_api_error_DBQueryError"}}'}, 1),
    ],
    ids=["429", "503", "maxlag", "ratelimited", "readonly", "500", "internal"],
)  # fmt: skip
def test_waits_as_long_as_it_is_asked_to(wiki, client, fault, wait):
    wiki.faults(fault)
    ask(client)
    assert len(wiki.requests()) == 2
    assert waits(wiki)[0] >= wait


@pytest.mark.slow
def test_waits_until_an_http_date(wiki, client):
    when = datetime.now(UTC) + timedelta(seconds=3)
    wiki.faults({"status": 503, "headers": {"Retry-After": format_datetime(when, usegmt=True)}})
    ask(client)
    assert wiki.requests()[1]["start"] >= int(when.timestamp())


@pytest.mark.slow
def test_the_wikis_own_maxlag_error_is_waited_for(wiki, client):
    # the server believes that it lags, and reports this itself
    wiki.faults({"status": 200, "real": {"maxlag": "-1"}})
    ask(client)
    assert len(wiki.requests()) == 2
    assert client.waits == (("maxlag", 5.0),)
    assert waits(wiki)[0] >= 5


def test_a_wait_that_is_too_long_stops_and_keeps_what_there_is(wiki, api_source):
    client = api_source(wiki.api, max_wait=10).client
    ask(client)
    wiki.faults({"status": 429, "headers": {"Retry-After": "3600"}})
    with pytest.raises(WikiError, match=r"wait 3600 seconds.*same command.*1 answers are kept"):
        ask(client, prop="categories")
    assert len(wiki.requests()) == 2


def test_gives_up_after_the_last_retry(wiki, api_source):
    client = api_source(wiki.api, retries=1).client
    ask(client)
    wiki.faults({"status": 503, "times": 9})
    with pytest.raises(WikiError, match="status 503: try again later"):
        ask(client, prop="categories")
    assert len(wiki.requests()) == 3


def test_gives_up_when_it_is_asked_to_wait_again_and_again(wiki, api_source):
    client = api_source(wiki.api, retries=1).client
    wiki.faults({"status": 429, "headers": {"Retry-After": "0"}, "times": 9})
    with pytest.raises(WikiError, match=r"keeps asking to wait \(status 429\)"):
        ask(client)
    assert len(wiki.requests()) == 2


def test_an_interval_is_kept(monkeypatch):
    now, slept = [100.0], []

    def sleep(seconds):
        slept.append(round(seconds, 6))
        now[0] += seconds

    clock = SimpleNamespace(monotonic=lambda: now[0], sleep=sleep)
    monkeypatch.setattr("dfactscore.ambigbio._wiki_transport.time", clock)
    inner = Scripted(*(httpx.Response(200, json={"query": {}}) for _ in range(4)))
    transport = PoliteTransport(Pace(interval=0.3, max_wait=60.0), inner=inner)
    transport.address = "https://wiki.example/w/api.php"
    with httpx.Client(transport=transport) as http:
        for passed in (0.0, 0.1, 0.2, 5.0):
            now[0] += passed
            http.get("https://en.wikipedia.org/w/api.php")
    assert slept == [0.2, 0.1]


def test_answers_are_kept(wiki, client, tmp_path):
    first = ask(client)
    again = WikiClient(
        wiki.api, contact="tests@example.org", cache=ResponseCache(tmp_path / "answers.sqlite")
    )
    assert ask(again) == first
    assert (again.requests, again.cached) == (0, 1)
    assert len(wiki.requests()) == 1
    again.close()


def test_errors_are_not_kept(wiki, client):
    wiki.faults({"status": 200, "body": '{"error": {"code": "badvalue", "info": "no"}}'})
    with pytest.raises(WikiError, match="refuses the request: badvalue: no"):
        ask(client)
    assert len(client.cache) == 0
    assert ask(client)


@pytest.mark.parametrize("body", ['{"batchcomplete": true, "query": {"pages": [{"pag', '{"a', ""])
def test_half_an_answer_is_asked_for_again(wiki, client, body, monkeypatch):
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    whole = ask(client, titles="John Harrow")
    half = {"status": 200, "headers": {"Content-Type": "application/json"}, "body": body}
    wiki.faults(half)
    assert ask(client, titles="John Harrow|") != [] or whole
    assert len(wiki.requests()) == 3
    wiki.faults({**half, "times": 9})
    with pytest.raises(WikiError, match="keeps failing"):
        ask(client, titles="David Tarn")


def test_the_wikis_own_refusal(client):
    with pytest.raises(WikiError, match="refuses the request: badinteger"):
        ask(client, list="categorymembers", cmtitle="Category:A", cmlimit="many")


def test_many_long_titles_go_by_post(wiki, client):
    titles = "|".join(f"伊万·奥尔洛夫·奥尔洛夫 {number}" for number in range(50))
    [part] = client.query({"titles": titles, "redirects": "1"})
    assert len(part["pages"]) == 50
    assert wiki.requests()[0]["method"] == "POST"


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ({"status": 200, "headers": {"Content-Type": "text/html"}, "body": "<!DOCTYPE html><p>"},
         r"text/html \('<!DOCTYPE html><p>'\) instead of JSON.*api\.php"),
        ({"status": 200, "body": "[1]"}, "instead of JSON"),
        ({"status": 200, "body": '{"hello": 1}'}, r"without 'query'.*hello"),
        ({"status": 404, "body": "x"}, "status 404: check the address"),
        ({"status": 403, "body": "<b>Blocked</b>"},
         "status 403 .'Blocked'.: .*--contact.*another network.*--dump"),
        ({"status": 301, "headers": {"Location": "http://other/"}}, "moved to http://other/"),
    ],
)  # fmt: skip
def test_what_is_no_api_is_said_in_one_line(wiki, client, fault, message, monkeypatch):
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    wiki.faults({**fault, "times": 3})
    with pytest.raises(WikiError, match=message) as caught:
        ask(client)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("body", ["<!DOCTYPE html><p>", "[1]", '{"hello": 1}', "null", "3"])
def test_an_odd_answer_is_asked_again_from_the_first_one_on(wiki, client, body, monkeypatch):
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    wiki.faults({"status": 200, "body": body})
    assert ask(client, titles="John Harrow")
    wiki.faults({"status": 200, "body": body, "times": 9})
    with pytest.raises(WikiError, match=r"keeps failing.*asked for 'David Tarn'"):
        ask(client, titles="David Tarn")


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:9/w/api.php", "http://no.such.host.invalid/w/api.php"]
)
def test_a_wrong_host_is_said_at_once(api_source, address, monkeypatch):
    waits = []
    monkeypatch.setattr(time, "sleep", waits.append)
    with pytest.raises(WikiError, match="cannot be reached"):
        ask(api_source(address, retries=6).client)
    assert api_source(address).client.requests == 0
    assert not waits  # retries of a host that responded once take 63 s


@pytest.mark.parametrize("address", ["not an address", "ftp://x/y", ""])
def test_what_is_no_address(api_source, address):
    with pytest.raises(WikiError, match="address"):
        ask(api_source(address).client)


@pytest.mark.parametrize("contact", [None, "", "me", "me@", "@x.org", "https://"])
def test_no_contact_no_requests(contact):
    with pytest.raises(AmbigBioError, match=r"contact|neither.*10 requests a minute"):
        check_contact(contact)


def test_the_user_agent_names_the_contact():
    assert "(mailto:me@example.org)" in user_agent("me@example.org")
    assert "(https://example.org/me)" in user_agent("https://example.org/me")


def test_a_library_that_does_not_fit_is_refused(monkeypatch, tmp_path):
    def old(self, **options):
        raise TypeError("Client() got multiple values for keyword argument 'transport'")

    monkeypatch.setattr(wikipediaapi.Wikipedia, "__init__", old)
    with pytest.raises(AmbigBioError, match=r"wikipedia-api .* does not fit .*pip install 'wiki"):
        WikiClient("http://x", contact="a@b.org", cache=ResponseCache(tmp_path / "c"))


def test_waits_are_told(wiki, api_source):
    said = []
    client = api_source(wiki.api, report=said.append).client
    wiki.faults({"status": 429, "headers": {"Retry-After": "1"}})
    ask(client)
    assert said == [f"{wiki.api} asks to wait 1 s (status 429)"]
    assert waits(wiki)[0] >= 1


class Scripted(httpx.AsyncBaseTransport):
    """Returns responses, or raises faults, in turn."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []
        self.closed = False

    async def handle_async_request(self, request):
        self.asked.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        body = httpx.ByteStream(answer.content)  # read once, as from a network
        return httpx.Response(answer.status_code, headers=answer.headers, stream=body)

    async def aclose(self):
        self.closed = True


def send(*answers, address="https://wiki.example/w/api.php", params=None, **options):
    """Returns the response through the transport, and the requests sent."""
    inner = Scripted(*answers)
    options = {"interval": 0.0, "max_wait": 60.0, **options}
    transport = PoliteTransport(Pace(**options), inner=inner)
    transport.address = address
    with httpx.Client(transport=transport, headers={"User-Agent": "me"}) as http:
        found = [http.get("https://en.wikipedia.org/w/api.php", params=params) for _ in answers]
    assert inner.closed
    return found, inner.asked, transport


def test_the_transport_readdresses_and_keeps_what_was_asked():
    found, asked, _ = send(httpx.Response(200, json={"query": 1}), params={"titles": "Ä|B c"})
    assert found[0].json() == {"query": 1}
    assert str(asked[0].url) == "https://wiki.example/w/api.php?titles=%C3%84%7CB+c"
    assert asked[0].headers["host"] == "wiki.example"
    assert asked[0].headers["user-agent"] == "me"
    assert asked[0].extensions["timeout"]["read"] == 60.0
    long = {"titles": "Ä" * 1000}
    _, asked, _ = send(httpx.Response(200, json={}), params=long)
    assert (asked[0].method, str(asked[0].url)) == ("POST", "https://wiki.example/w/api.php")
    assert dict(parse_qsl(asked[0].content.decode())) == long


@pytest.mark.parametrize(
    ("answer", "status", "header"),
    [
        (httpx.Response(503, headers={"Retry-After": "1.2"}), 429, "2"),
        (httpx.Response(503), 503, None),
        (httpx.Response(429), 429, None),
        (httpx.Response(200, json={"error": {"code": "maxlag"}}), 429, "5"),
        (httpx.Response(200, json={"error": {"code": "internal_api_error_X"}}), 500, None),
        (httpx.Response(404), 404, None),
    ],
)
def test_the_transport_speaks_http(answer, status, header):
    (found,), _, transport = send(answer)
    assert (found.status_code, found.headers.get("Retry-After")) == (status, header)
    assert len(transport.waits) == (status == 429)


def test_missing_page_views_are_none():
    (found,), _, _ = send(httpx.Response(404), address="https://x.org/metrics/pageviews/Ann")
    assert found.json() == {"items": []}


def test_a_host_that_answered_once_is_asked_again():
    broken = httpx.ReadError("reset")
    with pytest.raises(FinalError, match=r"cannot be reached \(ReadError: reset\)"):
        send(broken)
    with pytest.raises(httpx.ConnectError, match="reset"):
        send(httpx.Response(200, json={}), broken)
    with pytest.raises(httpx.ReadTimeout):
        send(httpx.ReadTimeout("late"))


def test_the_server_sees_the_default_interval(tmp_path):
    """The interval also applies after the first request, which waits for its connection."""
    arrived = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            arrived.append(time.monotonic())
            body = b'{"batchcomplete": true, "warnings": {"main": {"warnings": "x"}}, "query": {}}'
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/api.php"
    client = WikiClient(address, contact="a@b.org", cache=ResponseCache(tmp_path / "c"))
    try:
        for title in ("A", "B", "C"):
            list(client.query({"titles": title}))
        with pytest.raises(WikiError, match=r"without site information \(it lacks 'general'\)"):
            ApiSource(client, language("en")).list_names()
    finally:
        client.close()
        server.shutdown()
        server.server_close()
    assert min(b - a for a, b in itertools.pairwise(arrived)) >= Pace().interval
