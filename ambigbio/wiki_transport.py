"""The transport below wikipedia-api: another host, an interval, waits that a server asks for.

wikipedia-api brings the connection, gzip, the user agent and the retry loop. Its public
``transport=`` hook carries what a bulk reader needs besides, as HTTP: a request leaves for the
address that was asked for, and an answer that asks to wait comes back as status 429, whatever form
it had.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Mapping
from typing import Any

import httpx
from wikipediaapi import WikipediaException

from dfactscore._util.callbacks import Log
from dfactscore._util.retry_after import retry_after

__all__ = ["FinalError", "PoliteTransport"]

_WAIT_CODES = frozenset({"maxlag", "ratelimited", "readonly"})
_LONG_QUERY = 4000


class FinalError(WikipediaException):  # type: ignore[misc]
    """What waiting does not mend, so it is not retried; the message is for a person."""


class PoliteTransport(httpx.BaseTransport):
    """Sends each request to `address`, no sooner than the interval allows.

    Args:
        interval: Minimum seconds between the starts of two requests.
        max_wait: Longest wait in seconds that a server may ask for.
        report: Called with a line about each wait.
        inner: What sends; an `httpx.HTTPTransport` by default.

    Attributes:
        address: Where the next request goes, whatever address it was made for.
        requests: How many requests were sent, repeated ones too.
        waits: Why and how many seconds the server asked to wait, in order.
    """

    def __init__(
        self,
        *,
        interval: float,
        max_wait: float,
        report: Log | None = None,
        inner: httpx.BaseTransport | None = None,
    ) -> None:
        self.interval = interval
        self.max_wait = max_wait
        self.address = ""
        self.requests = 0
        self.waits: list[tuple[str, float | None]] = []
        self._report = report or (lambda _: None)
        self._inner = inner or httpx.HTTPTransport()
        self._answered = False
        self._last = float("-inf")

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Sends a request and reads the answer.

        Raises:
            FinalError: For what no later request mends.
            httpx.ConnectError: For what a later request may mend.
        """
        url = self.address
        moved = self._readdress(request)
        pause = self._last + self.interval - time.monotonic()
        if pause > 0:
            time.sleep(pause)
        self._last = time.monotonic()
        self.requests += 1
        try:
            response = self._inner.handle_request(moved)
            response.read()
        except httpx.UnsupportedProtocol as error:
            raise FinalError(f"{url!r} is not an address ({error})") from error
        except httpx.TimeoutException:
            raise
        except httpx.DecodingError as error:  # a compressed answer that breaks off
            raise httpx.ConnectError(str(error), request=request) from error
        except httpx.TransportError as error:
            if not self._answered:
                raise FinalError(
                    f"{url} cannot be reached ({error}): check the address and the network"
                ) from error
            # The one fault of the connection that the library retries.
            raise httpx.ConnectError(str(error), request=request) from error
        self._answered = True
        return self._read(response, url, request)

    def close(self) -> None:
        """Closes the connections."""
        self._inner.close()

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
            # Titles in other scripts make addresses that servers refuse.
            headers.append(("Content-Type", "application/x-www-form-urlencoded"))
            return httpx.Request("POST", url, headers=headers, content=query, extensions=extensions)
        if query:
            url = url.copy_with(query=query)
        return httpx.Request("GET", url, headers=headers, extensions=extensions)

    def _read(self, response: httpx.Response, url: str, request: httpx.Request) -> httpx.Response:
        status = response.status_code
        if status == 403:
            raise FinalError(_refused(response, url))
        seconds = retry_after(response.headers.get("Retry-After"))
        if status == 429 or (status == 503 and seconds is not None):
            return self._wait(url, f"status {status}", seconds)
        if status == 404 and "/metrics/pageviews/" in url:
            return httpx.Response(200, json={"items": []})
        if response.is_redirect:
            place = response.headers.get("Location", "another address")
            raise FinalError(f"{url} has moved to {place}: give that address")
        if status != 200:
            return response
        error = _answer(response, url, request).get("error")
        if not isinstance(error, dict):
            return response
        code, info = str(error.get("code")), str(error.get("info", ""))
        if code in _WAIT_CODES:
            return self._wait(url, code, 5.0 if seconds is None else seconds)
        if code.startswith("internal_api_error"):
            return httpx.Response(500)
        raise FinalError(f"{url} refuses the request: {code}: {info}")

    def _wait(self, url: str, why: str, seconds: float | None) -> httpx.Response:
        """The answer that makes the library wait: whole seconds, or its own back-off."""
        if seconds is not None and seconds > self.max_wait:
            raise FinalError(
                f"{url} asks to wait {seconds:.0f} seconds ({why}): "
                "run the same command again after that"
            )
        self.waits.append((why, seconds))
        self._report(f"{url} asks to wait{'' if seconds is None else f' {seconds:.0f} s'} ({why})")
        asked = {} if seconds is None else {"Retry-After": str(math.ceil(seconds))}
        return httpx.Response(429, headers=asked)


def _refused(response: httpx.Response, url: str) -> str:
    said = re.sub(r"<[^<>]*>|\s+", " ", response.text[:2000])
    said = re.sub(r" {2,}", " ", said).strip()[:120]
    return (
        f"{url} answers with status 403{f' ({said!r})' if said else ''}: the server refuses this "
        "client. Wikimedia refuses user agents that do not say who runs them (give --contact with "
        "a real mail address or URL) and addresses of hosting services, open proxies and clients "
        "that asked too much: run it from another network, or read a dump (--dump)"
    )


def _answer(response: httpx.Response, url: str, request: httpx.Request) -> Mapping[str, Any]:
    try:
        answer = response.json()
    except ValueError as error:
        answer = None
        if response.content.strip()[:1] in (b"{", b""):
            # JSON that breaks off: a connection that was cut, whatever the status says. The one
            # fault of the connection that the library retries.
            raise httpx.ConnectError("the answer breaks off", request=request) from error
    if isinstance(answer, dict):
        return answer
    kind = response.headers.get("Content-Type", "no content type").partition(";")[0]
    start = re.sub(r"\s+", " ", response.text[:60]).strip()
    raise FinalError(
        f"{url} answers {kind} ({start!r}) instead of JSON: is it the address of an "
        "api.php, like https://en.wikipedia.org/w/api.php?"
    )
