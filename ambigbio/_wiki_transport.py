"""HTTP transport for wikipedia-api that supports any host, request intervals and server delays.

wikipedia-api provides the connection, gzip, the user agent and the retry loop. This transport,
which is passed to the library's public ``transport=`` hook, can send requests to any address, and
turns every response that asks the client to wait into status 429.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx
from wikipediaapi import WikipediaException

from dfactscore._util.fetching import (
    LARGEST,
    BadAddress,
    HTTPFault,
    Late,
    Reply,
    RetryPolicy,
    TooLarge,
    Wire,
    WireInThread,
    requested_wait,
)
from dfactscore._util.jsonl import JSONError, parse_json
from dfactscore._util.message_text import message_line
from dfactscore._util.reporting import Log, no_log
from dfactscore._util.validated import Form, misfit

_WAIT_CODES = frozenset({"maxlag", "ratelimited", "readonly"})
_LONG_QUERY = 4000
_ODD = 2  # number of unreadable responses after which an address counts as wrong


class FinalError(WikipediaException):  # type: ignore[misc]
    """An error that retrying cannot fix; the message is meant for the user."""

    def __init__(self, message: str, *, of_request: bool = False) -> None:
        super().__init__(message)
        self.of_request = of_request


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace(RetryPolicy):
    """The pace and timeouts of requests to a wiki."""

    interval: float = 0.5  # minimum number of seconds between a response and the next request
    # Number of seconds after which a request fails, even if its response is still arriving.
    timeout: float = 60.0
    max_wait: float = 600.0
    retries: int = 6
    backoff: float = 1.0


class PoliteTransport(httpx.BaseTransport):
    """Sends every request to `address`, at the allowed pace."""

    def __init__(
        self,
        pace: Pace,
        report: Log | None = None,
        inner: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._pace = pace
        self.address = ""  # URL for the next request, which replaces the library's own
        # Model that the response must fit; None accepts any JSON object.
        self.form: type[Form] | None = None
        self.fault = ""  # error from the last response, if a retry might succeed
        self.requests = 0  # number of requests sent so far, including repeated ones
        self.waits: list[tuple[str, float | None]] = []
        self._report = report or no_log
        self._wire = WireInThread(Wire(seconds=pace.timeout, transport=inner))
        # (host, form) pairs that have given a readable response
        self._answered: set[tuple[str, type[Form] | None]] = set()
        self._odd = 0  # number of unreadable responses before the first readable one
        self._last = float("-inf")

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Sends a request and reads the response."""
        url = self.address
        moved = self._readdress(request)
        pause = self._last + self._pace.interval - time.monotonic()
        if pause > 0:
            time.sleep(pause)
        self.requests += 1
        try:
            reply = self._wire.exchange(
                moved.method,
                str(moved.url),
                content=moved.content or None,
                headers=moved.headers,
                most=LARGEST,
            )
        except BadAddress as error:
            raise FinalError(f"{url!r} is not an address ({error})") from error
        except TooLarge as error:
            raise FinalError(str(error), of_request=True) from error
        except Late as error:
            self.fault = str(error)
            raise httpx.ReadTimeout(str(error), request=request) from error
        except HTTPFault as error:
            if any(host == moved.url.host for host, _ in self._answered):
                raise self._again(str(error), request) from error
            raise FinalError(
                f"{url} cannot be reached ({error}): check the address and the network"
            ) from error
        finally:
            # The interval is measured from the response, since a new connection delays the request.
            self._last = time.monotonic()
        response = self._read(reply, url, request)
        if response.status_code == 200:
            self._answered.add((moved.url.host, self.form))
        return response

    def close(self) -> None:
        """Closes the connections."""
        self._wire.close()

    def _again(self, fault: str, request: httpx.Request) -> httpx.ConnectError:
        """Records an error and returns the only connection error that the library retries."""
        self.fault = fault
        return httpx.ConnectError(fault, request=request)

    def _readdress(self, request: httpx.Request) -> httpx.Request:
        query = request.url.query
        headers = [(k, v) for k, v in request.headers.items() if k != "host"]
        try:
            url = httpx.URL(self.address)
        except httpx.InvalidURL as error:
            raise FinalError(f"{self.address!r} is not an address ({error})") from error
        if not url.host:
            raise FinalError(f"{self.address!r} is not an address (it names no host)")
        extensions = request.extensions  # the time limits
        if len(query) > _LONG_QUERY:
            # Titles in other scripts result in URLs that servers reject as too long.
            headers.append(("Content-Type", "application/x-www-form-urlencoded"))
            return httpx.Request("POST", url, headers=headers, content=query, extensions=extensions)
        if query:
            url = url.copy_with(query=query)
        return httpx.Request("GET", url, headers=headers, extensions=extensions)

    def _read(self, reply: Reply, url: str, request: httpx.Request) -> httpx.Response:
        status = reply.status
        if status == 403:
            raise FinalError(_refused(reply, url))
        seconds = requested_wait(reply.headers)
        if status == 429 or (status == 503 and seconds is not None):
            return self._wait(url, f"status {status}", seconds)
        if status == 404 and "/metrics/pageviews/" in url:
            return httpx.Response(200, json={"items": []})
        if status in (301, 302, 303, 307, 308):
            place = reply.headers.get("Location", "another address")
            raise FinalError(f"{url} has moved to {_line(place, 200)}: give that address")
        if status != 200:
            return httpx.Response(status)
        answer = self._answer(reply, url, request)
        error = answer.get("error")
        if isinstance(error, dict) and isinstance(error.get("code"), str):
            code, info = error["code"], _line(error.get("info", ""), 200)
            if code in _WAIT_CODES:
                return self._wait(url, code, 5.0 if seconds is None else seconds)
            if code.startswith("internal_api_error"):
                return httpx.Response(500)
            raise FinalError(f"{url} refuses the request: {_line(code, 80)}: {info}")
        if self.form is not None and (problem := misfit(self.form, answer)) is not None:
            raise self._unreadable(f"answers {_line(problem, 300)}", url, request)
        return httpx.Response(200, content=reply.body)

    def _answer(self, reply: Reply, url: str, request: httpx.Request) -> Mapping[str, Any]:
        try:
            answer = parse_json(reply.body)
        except JSONError as error:
            answer, why = None, error.reason
            if reply.body.strip()[:1] in (b"{", b""):
                # Incomplete JSON means that the connection was cut, whatever the status.
                raise self._again(f"the answer breaks off ({why})", request) from error
        if isinstance(answer, dict):
            return answer
        kind = reply.headers.get("Content-Type", "no content type").partition(";")[0]
        start = _line(reply.body[:60].decode("utf-8", "replace"), 60)
        raise self._unreadable(
            f"answers {_line(kind, 80)} ({start!r}) instead of JSON: is it the address of an "
            "api.php, like https://en.wikipedia.org/w/api.php?",
            url,
            request,
        )

    def _unreadable(self, what: str, url: str, request: httpx.Request) -> Exception:
        """Returns a retryable error, or a final one if no response so far has been readable."""
        self._odd += 1
        if (httpx.URL(url).host, self.form) in self._answered or self._odd <= _ODD:
            return self._again(what, request)
        return FinalError(f"{url} {what}")

    def _wait(self, url: str, why: str, seconds: float | None) -> httpx.Response:
        """Returns a response that makes the library wait, either for a set time or its back-off."""
        if seconds is not None and seconds > self._pace.max_wait:
            raise FinalError(
                f"{url} asks to wait {seconds:.0f} seconds ({why}): "
                "run the same command again after that"
            )
        self.waits.append((why, seconds))
        self._report(f"{url} asks to wait{'' if seconds is None else f' {seconds:.0f} s'} ({why})")
        headers = {} if seconds is None else {"Retry-After": str(math.ceil(seconds))}
        return httpx.Response(429, headers=headers)


def _line(text: object, width: int) -> str:
    return re.sub(r" {2,}", " ", message_line(text))[:width]


def _refused(reply: Reply, url: str) -> str:
    text = reply.body[:2000].decode("utf-8", "replace")
    message = _line(re.sub(r"<[^<>]*>|\s+", " ", text), 120)
    return (
        f"{url} answers with status 403{f' ({message!r})' if message else ''}: the server refuses "
        "this client. Wikimedia refuses user agents that do not say who runs them (give --contact "
        "with a real mail address or URL) and addresses of hosting services, open proxies and "
        "clients that asked too much: run it from another network, or read a dump (--dump)"
    )
