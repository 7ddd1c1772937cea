"""The client against the real wiki: what it asks, how it waits, what it says when it fails."""

import itertools
import time
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

import pytest
import wikipediaapi
from dfactscore.ambigbio import AmbigBioError
from dfactscore.ambigbio.cache import ResponseCache
from dfactscore.ambigbio.errors import WikiError
from dfactscore.ambigbio.wiki_client import WikiClient, check_contact, retry_after, user_agent

QUERY = {"titles": "Leeds", "prop": "info"}


@pytest.fixture
def client(wiki, api_source):
    return api_source(wiki.api).client


def ask(client, **parameters):
    return list(client.query({**QUERY, **parameters}))


def test_the_seams_of_wikipedia_api_are_where_they_were(wiki, client):
    """All private names that are built on; a new release that moves one fails here."""
    polite = client._polite
    library = wikipediaapi.Wikipedia
    for name in ("_build_url", "_do_get", "_get", "_process_response"):
        assert getattr(type(polite), name) is not None
        assert hasattr(library, name)
    assert polite._build_url("http://x/api.php") == "http://x/api.php"
    assert polite._max_retries == 3
    assert polite._client.headers["accept-encoding"].startswith("gzip")
    page = polite._get(client.api_url, {"action": "query", "titles": "Leeds", "format": "json"})
    assert next(iter(page["query"]["pages"].values()))["title"] == "Leeds"
    error = wikipediaapi.WikiRateLimitError("http://x", 2.5)
    assert error.retry_after == 2.5


def waits(wiki):
    """Seconds between the end of each answer and the start of the next request."""
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


def test_waits_until_an_http_date(wiki, client):
    when = datetime.now(timezone.utc) + timedelta(seconds=3)
    wiki.faults({"status": 503, "headers": {"Retry-After": format_datetime(when, usegmt=True)}})
    ask(client)
    assert wiki.requests()[1]["start"] >= int(when.timestamp())


def test_the_wikis_own_maxlag_error_is_waited_for(wiki, client):
    # the server is made to lag by its own reckoning, and says so itself
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


def test_an_interval_is_kept(wiki, api_source):
    client = api_source(wiki.api, interval=0.3).client
    for number in range(4):
        ask(client, titles=f"Page {number}")
    starts = [request["start"] for request in wiki.requests()]
    assert all(b - a >= 0.29 for a, b in itertools.pairwise(starts))


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
        ({"status": 301, "headers": {"Location": "http://other/"}}, "moved to http://other/"),
    ],
)  # fmt: skip
def test_what_is_no_api_is_said_in_one_line(wiki, client, fault, message):
    wiki.faults(fault)
    with pytest.raises(WikiError, match=message) as caught:
        ask(client)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:9/w/api.php", "http://no.such.host.invalid/w/api.php"]
)
def test_a_wrong_host_is_said_at_once(api_source, address):
    start = time.monotonic()
    with pytest.raises(WikiError, match="cannot be reached"):
        ask(api_source(address, retries=6).client)
    assert api_source(address).client.requests == 0
    assert time.monotonic() - start < 60  # the retries of a host that answered once take 63 s


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


def test_retry_after_forms():
    now = datetime(2026, 1, 2, 10, 0, 0, tzinfo=timezone.utc)
    assert retry_after("7") == 7
    assert retry_after("Fri, 02 Jan 2026 10:00:30 GMT", now) == 30
    assert retry_after("Fri, 02 Jan 2026 09:00:00 GMT", now) == 0
    assert retry_after(None) is retry_after("soon") is None


def test_a_library_without_the_seams_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr("dfactscore.ambigbio.wiki_client._SEAMS", ("_get", "_gone"))
    with pytest.raises(AmbigBioError, match=r"has no _gone.*pip install"):
        WikiClient("http://x", contact="a@b.org", cache=ResponseCache(tmp_path / "c"))
