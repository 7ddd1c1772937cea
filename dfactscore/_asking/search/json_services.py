"""Search services that answer in JSON over HTTP: SearXNG, serper.dev, and compatible ones."""

from __future__ import annotations

import html
import json
import logging
import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import urlencode

from pydantic import ValidationError

from dfactscore._asking.search.results import (
    Row,
    SearchError,
    SearchFailed,
    SearchResult,
    has_letters,
    ranked,
    snippet,
)
from dfactscore._asking.secrets import masked
from dfactscore._asking.transport import Transient
from dfactscore._errors import InputError
from dfactscore._util.fetching import (
    Broken,
    HTTPFault,
    Unreachable,
    Wire,
    requested_wait,
    retryable_status,
)
from dfactscore._util.jsonl import JSONError, parse_json
from dfactscore._util.validated import Form, Undamaged, first_problem

_Said = Undamaged | int | float | list[Undamaged | int | float | None] | None


class FailedSearch(Form):
    """The fields in which services report that a search failed."""

    message: Any = None
    error: Any = None
    errors: Any = None
    detail: Any = None


class _SerperRow(Form):
    title: Undamaged | None = None
    snippet: Undamaged | None = None
    link: Undamaged | None = None
    date: Undamaged | None = None


class _AnswerBox(Form):
    title: _Said = None
    answer: _Said = None
    snippet: _Said = None
    snippetHighlighted: _Said = None
    link: Undamaged | None = None
    date: Undamaged | None = None


class KnowledgeGraph(Form):
    """An entry of Google's knowledge graph."""

    title: _Said = None
    type: _Said = None
    description: _Said = None
    descriptionLink: Undamaged | None = None
    website: Undamaged | None = None
    attributes: dict[Undamaged, _Said] | None = None


class _Echo(Form):
    q: Any = None


class SerperResponse(FailedSearch):
    """The response to ``POST /search``; results may be empty."""

    organic: list[_SerperRow]
    answerBox: _AnswerBox | None = None
    knowledgeGraph: KnowledgeGraph | None = None
    searchParameters: _Echo | None = None


class _SearXNGRow(Form):
    title: Undamaged | None = None
    content: Undamaged | None = None
    url: Undamaged | None = None
    publishedDate: Undamaged | None = None


class SearXNGResponse(FailedSearch):
    """The response to ``GET /search?format=json``; results may be empty."""

    results: list[_SearXNGRow]
    query: Any = None
    number_of_results: Any = None
    unresponsive_engines: Any = None


FormT = TypeVar("FormT", bound=Form)
_RESUME = "nothing is lost, and the same command resumes"
_JSON = {"Content-Type": "application/json"}
_NO_CREDIT = re.compile(
    r"(?:not enough|no|out of|insufficient|exhausted)(?: \w+){0,2} (?:credit|quota|balance|funds)"
    r"|(?:credit|balance|funds)\w* (?:\w+ ){0,2}(?:exhausted|used up|depleted|exceeded|expired)",
    re.IGNORECASE,
)
_LEAST = 3  # the minimum length in words of an echo that can show a mix-up of queries
# Search operators in a query, which the service strips.
_SYNTAX = re.compile(r"(?<!\S)[!:]\S+")


def check_address(address: str, what: str) -> str:
    """Checks an address and removes a trailing slash.

    Example:
        >>> check_address("http://localhost:8888/", "searxng")
        'http://localhost:8888'
    """
    import httpx

    try:
        url = httpx.URL(address)
        usable = url.scheme in ("http", "https") and bool(url.host)
        port = url.port
    except httpx.InvalidURL as error:
        raise InputError(f"{what}: {address!r} is not an address ({error})") from None
    if not usable or (port is not None and not 0 < port < 65536):
        raise InputError(f"{what}: {address!r} is not an address; it begins http:// or https://")
    if url.userinfo:
        raise InputError(
            f"{what}: the address of {url.host} contains a user name or password, which would be "
            "written into the run; leave it out"
        )
    return address.rstrip("/")


class JSONService:
    """Sends requests to a service and reads JSON responses."""

    def __init__(self, name: str, *, timeout: float = 30.0, secret: str = "") -> None:
        self.name = name
        self._secret = secret
        self._wire = Wire(seconds=timeout)

    async def ask(
        self,
        method: str,
        address: str,
        form: type[FormT],
        *,
        params: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        forbidden: str = "",  # what status 403 usually means, and the remedy
    ) -> FormT:
        """Sends a request and validates the response.

        Redirects are not followed, as queries must go only to the address that the user specified.
        """
        content = None if body is None else json.dumps(body).encode()
        all_headers = {**(headers or {}), **({} if content is None else _JSON)}
        url = f"{address}?{urlencode(params)}" if params else address
        try:
            reply = await self._wire.exchange(method, url, content=content, headers=all_headers)
        except Unreachable as error:
            reason = f"{self.name} cannot be reached: {self._clean(str(error))}"
            raise Transient(reason, unreachable=True) from None
        except Broken as error:
            raise Transient(f"{self.name}: {self._clean(str(error))}") from None
        except HTTPFault as error:
            raise SearchFailed(f"{self.name}: {self._clean(str(error))}") from None
        data = masked(reply.body.decode("utf-8", "surrogateescape"), (self._secret,))
        if reply.status != 200:
            raise self._fault(reply.status, reply.headers, data, forbidden)
        try:
            answer = parse_json(data.encode("utf-8", "surrogateescape"))
        except JSONError:
            start = self._clean(data[:200])[:60]
            raise Transient(f"{self.name} answers something else than JSON: {start!r}") from None
        try:
            return form.model_validate(answer)
        except ValidationError as error:
            if isinstance(answer, dict):
                self.check_failure(*map(answer.get, FailedSearch.model_fields))
            problem = self._clean(str(first_problem(error)))[:200]
            raise Transient(f"{self.name} answers what cannot be read ({problem})") from None

    def check_failure(self, *messages: Any) -> None:
        """Checks the fields in which services report that a search failed."""
        for value in messages:
            text = self._clean(value if isinstance(value, str) else json.dumps(value))[:200]
            if value and _NO_CREDIT.search(text):
                raise SearchError(f"{self.name}: no credit left ({text}); {_RESUME} once there is")
            if value:
                raise Transient(f"{self.name} has no results, and says: {text}")

    def check_echo(self, query: str, echo: Any, results: Sequence[SearchResult]) -> None:
        """Checks that a response is not for another query, as one from a proxy's cache may be."""
        if not isinstance(echo, str) or not echo.strip():
            return
        words, echoed = (_words(text) for text in (_SYNTAX.sub(" ", query), echo))
        if results and len(echoed) < _LEAST:
            return  # too short to tell queries apart
        common = min(len(words), len(echoed))  # an echo may be cut
        if common and words[:common] != echoed[:common]:
            raise Transient(f"{self.name} answers another query ({self._clean(echo)[:80]!r})")

    def check_rows(self, rows: Sequence[Row], results: Sequence[SearchResult]) -> None:
        """Checks that at least one of the rows is a result."""
        if rows and not results:
            raise Transient(
                f"{self.name} answers what cannot be read (not one of {len(rows)} results has a "
                "title and a text)"
            )

    def _fault(
        self, status: int, headers: Mapping[str, str], data: str, forbidden: str
    ) -> Exception:
        message = self._clean(re.sub(r"<[^<>]*>", " ", data[:2000]))[:200]
        where = f"{self.name} answers with status {status}"
        if status == 402 or _NO_CREDIT.search(message):
            return SearchError(f"{where}: no credit left ({message}); {_RESUME} once there is")
        if status in (401, 403):
            reason = forbidden or "the key is not accepted"
            return SearchError(f"{where}: {reason} ({message}); {_RESUME}")
        if 300 <= status < 400:
            return SearchError(
                f"{where}, a redirect to {self._clean(headers.get('location', '?'))[:200]!r}: "
                "queries go to the address that was named and to no other; name that one"
            )
        if status == 404:
            return SearchError(f"{where}: a wrong address ({message})")
        if retryable_status(status):
            return Transient(f"{where} ({message})", requested_wait(headers))
        return SearchFailed(f"{where} ({message})")

    def _clean(self, text: str) -> str:
        text = masked(text, (self._secret,))
        return " ".join("".join(c if c.isprintable() else " " for c in text).split())

    async def aclose(self) -> None:
        """Closes the running loop's connections."""
        await self._wire.aclose()


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", html.unescape(unicodedata.normalize("NFKC", text)).casefold())


_LOG = logging.getLogger(__name__)
_PARAMETERS = {"language": "en", "categories": "general"}


class SearXNG(JSONService):
    """Searches with a SearXNG server's ``GET /search?format=json``."""

    def __init__(self, address: str, *, timeout: float = 30.0) -> None:
        self.address = check_address(address, "searxng").removesuffix("/search")
        self._warned = False
        super().__init__(f"SearXNG at {self.address}", timeout=timeout)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can affect the results."""
        return {"service": "searxng", "endpoint": self.address, **_PARAMETERS}

    async def search(self, query: str, k: int) -> Sequence[SearchResult]:
        """Returns at most `k` results; see `dfactscore._asking.search.Search`."""
        answer = await self.ask(
            "GET",
            f"{self.address}/search",
            SearXNGResponse,
            params={"q": query, "format": "json", **_PARAMETERS},
            forbidden="the server does not answer in JSON; add 'json' under search.formats in its "
            "settings.yml",
        )
        rows = [
            (snippet(row.title), snippet(row.content), snippet(row.url), snippet(row.publishedDate))
            for row in answer.results
        ]
        results = ranked([row for row in rows if has_letters(row[0])], k, "searxng")
        self.check_rows(rows, results)
        if not results:
            self.check_failure(answer.message, answer.error, answer.errors, answer.detail)
        self._check_engines(answer, results)
        self.check_echo(query, answer.query, results)
        return results

    def _check_engines(self, answer: SearXNGResponse, results: Sequence[SearchResult]) -> None:
        """Checks that a lack of results is not due to engines that did not answer."""
        missing = _engines(answer.unresponsive_engines)
        if results:
            if missing and not self._warned:
                self._warned = True
                _LOG.info(f"{self.name}: engines that do not answer: {', '.join(missing)}")
            return
        if missing:
            raise Transient(f"{self.name} finds nothing: no answer from {', '.join(missing)}")
        count = answer.number_of_results
        if isinstance(count, (int, float)) and count > 0:
            raise Transient(f"{self.name} counts {count:g} results, and gives none")


def _engines(value: Any) -> list[str]:
    """Returns the engines that did not answer, each with the reason."""
    rows = value.items() if isinstance(value, Mapping) else value or ()
    rows = rows if isinstance(rows, Iterable) and not isinstance(rows, str) else [rows]
    names = (row if isinstance(row, (list, tuple)) else [row] for row in rows)
    return [" ".join(": ".join(map(str, filter(None, name))).split())[:60] for name in names][:9]


_ADDRESS = "https://google.serper.dev"
_KEY = "SERPER_API_KEY"


class Serper(JSONService):
    """Searches with ``POST /search`` and the key in ``$SERPER_API_KEY``, which is never stored."""

    def __init__(self, address: str = "", *, timeout: float = 30.0) -> None:
        self.address = check_address(address or _ADDRESS, "serper").removesuffix("/search")
        self._key = os.environ.get(_KEY, "").strip()
        if not self._key:
            raise InputError(f"serper needs a key: set {_KEY} in the environment")
        super().__init__(f"serper at {self.address}", timeout=timeout, secret=self._key)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can affect the results, except the key."""
        return {"service": "serper", "endpoint": self.address}

    async def search(self, query: str, k: int) -> Sequence[SearchResult]:
        """Returns at most `k` results; see `dfactscore._asking.search.Search`."""
        answer = await self.ask(
            "POST",
            f"{self.address}/search",
            SerperResponse,
            body={"q": query, "num": k},
            headers={"X-API-KEY": self._key},
            forbidden=f"the key in {_KEY} is not accepted",
        )
        rows = list(_rows(answer))
        results = ranked(rows, k, "serper")
        self.check_rows(rows if answer.organic else [], results)
        if not results:
            self.check_failure(answer.message, answer.error, answer.errors, answer.detail)
        if answer.searchParameters is not None:
            self.check_echo(query, answer.searchParameters.q, results)
        return results


def _rows(answer: SerperResponse) -> Iterator[Row]:
    """Yields the answer box, the knowledge graph entry, and the pages."""
    if (box := answer.answerBox) is not None:
        parts = [snippet(field) for field in (box.answer, box.snippet, box.snippetHighlighted)]
        if text := " ".join(dict.fromkeys(part for part in parts if part)):
            yield snippet(box.title), text, snippet(box.link), snippet(box.date)
    if (graph := answer.knowledgeGraph) is not None and (text := _about(graph)):
        address = snippet(graph.descriptionLink) or snippet(graph.website)
        yield snippet(graph.title), text, address, ""
    for row in answer.organic:
        title = snippet(row.title)
        text = snippet(row.snippet) if has_letters(title) else ""
        yield title, text, snippet(row.link), snippet(row.date)


def _about(graph: KnowledgeGraph) -> str:
    """Turns a knowledge graph entry into sentences that name its subject."""
    title = snippet(graph.title)
    parts = [snippet(graph.description)]
    if kind := snippet(graph.type):
        parts.insert(0, f"{title}: {kind}.")
    for name, value in (graph.attributes or {}).items():
        if text := snippet(value):
            parts.append(f"{title} {snippet(name)}: {text}.")
    return " ".join(part for part in parts if part)
