"""HTTP requests to untrusted servers, with limits on time and size, and rules for retries."""

from __future__ import annotations

import asyncio
import os
import random
import re
import threading
import zlib
from collections.abc import AsyncIterable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

if TYPE_CHECKING:
    import ssl

    import httpx


_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]*)?|[+-]?\.[0-9]+")
_DURATION = re.compile(
    r"(?:([0-9]+(?:\.[0-9]+)?)d)?(?:([0-9]+(?:\.[0-9]+)?)h)?(?:([0-9]+(?:\.[0-9]+)?)m(?!s))?(?:([0-9]+(?:\.[0-9]+)?)s)?(?:([0-9]+(?:\.[0-9]+)?)ms)?"
)
_UNITS = (86400, 3600, 60, 1, 0.001)
_YEARS = 5 * 365 * 86400
_LONGEST = 1e9  # thirty years; much longer delays overflow the sleep functions


def requested_wait(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Returns the seconds that a server asks to wait, or None if it does not ask.

    Without ``Retry-After``, a limit of which nothing remains says when it is reset, in headers such
    as ``x-ratelimit-reset-tokens``.

    Example:
        >>> requested_wait({"x-ratelimit-remaining-requests": "0",
        ...                 "x-ratelimit-reset-requests": "1m2.5s"})
        62.5
    """
    headers = {name.lower(): value for name, value in headers.items()}
    wait = retry_after(headers.get("retry-after"), now, milliseconds=headers.get("retry-after-ms"))
    if wait is not None:
        return wait
    waits = []
    for name, value in headers.items():
        if "ratelimit" in name and "reset" in name:
            remaining = headers.get(name.replace("reset", "remaining"))
            if remaining is None or re.fullmatch(r"-?0*\.?0*", remaining.strip()):
                wait = _duration(value)
                waits.append(retry_after(value, now) if wait is None else wait)
    return max((wait for wait in waits if wait is not None), default=None)


def _duration(value: str) -> float | None:
    """Returns the seconds of a duration such as ``6m0.5s`` or ``20ms``."""
    match = _DURATION.fullmatch(value.strip())
    if match is None or not any(match.groups()):
        return None
    return _within(
        sum(float(n) * unit for n, unit in zip(match.groups(), _UNITS, strict=True) if n)
    )


def retry_after(
    value: str | None, now: datetime | None = None, *, milliseconds: str | None = None
) -> float | None:
    """Returns the seconds of a ``Retry-After`` header (RFC 9110, 10.2.3): a number or a date.

    A number that is a time of these years, in seconds or milliseconds since 1970, is a date, too.

    Example:
        >>> retry_after("2.5")
        2.5
        >>> noon = datetime(2024, 5, 1, 12, 0, 0, tzinfo=UTC)
        >>> retry_after("Wed, 01 May 2024 12:00:30 GMT", noon), retry_after("1714564830", noon)
        (30.0, 30.0)
    """
    # Returns seconds from now, at least 0; None if neither header is readable.
    now = now or datetime.now(UTC)
    milliseconds = (milliseconds or "").strip()
    if _NUMBER.fullmatch(milliseconds):
        return _within(_from_now(float(milliseconds) / 1000, now))
    value = (value or "").strip()
    if _NUMBER.fullmatch(value):
        return _within(_from_now(float(value), now))
    for read in (parsedate_to_datetime, datetime.fromisoformat):
        try:
            date = read(value)
            if date.tzinfo is None:
                date = date.replace(tzinfo=UTC)
            return _within((date - now).total_seconds())
        except (TypeError, ValueError, OverflowError, IndexError):
            continue
    return None


def _from_now(number: float, now: datetime) -> float:
    """Returns seconds from now, for a number of seconds or a time since 1970."""
    for time in (number, number / 1000):
        if abs(time - now.timestamp()) < _YEARS:
            return time - now.timestamp()
    return number


def _within(seconds: float) -> float:
    return min(_LONGEST, max(0.0, seconds))


# 424 (a generation failed), 498 (capacity exceeded) and 499 (closed) are of services of models.
_RETRYABLE = frozenset({408, 409, 424, 425, 429, 498, 499})


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """Retries and maximum delays for a service."""

    retries: int = 5
    backoff: float = 0.5  # seconds before the first retry; the delay doubles each time, with jitter
    longest: float = 30.0
    # The maximum delay in seconds that a server may request; a longer one stops the run, which can
    # be resumed.
    max_wait: float = 120.0


def retryable_status(status: int) -> bool:
    """Whether a request with this status might succeed if it is repeated later."""
    return status in _RETRYABLE or (status >= 500 and status not in (501, 505))


def backoff(attempt: int, *, base: float, cap: float) -> float:
    """Returns the delay in seconds before the next attempt: exponential, half of it random."""
    # Without jitter, requests that failed together would be repeated together.
    return min(cap, base * 2.0 ** min(attempt, 30)) * random.uniform(0.5, 1.0)


LARGEST_ANSWER = 4 * 2**20
"""Maximum bytes of an unpacked answer; a long answer with log-probabilities has a fifth."""
LARGEST = 32 * 2**20
"""Maximum bytes for other requests: log-probabilities of a prompt, fifty pages of a wiki."""


NOT_HTTP = "illegal request line"
"""The error for bytes instead of HTTP, as from a port that expects TLS."""


class HTTPFault(Exception):
    """A request received no response; the message gives the reason in one line."""


class Broken(HTTPFault):
    """The response is not valid HTTP; another attempt may succeed."""


class Unreachable(Broken):
    """The connection failed."""


class Late(Broken):
    """The response took too long."""


class TooLarge(HTTPFault):
    """The response exceeds the maximum size."""


class BadAddress(HTTPFault):
    """The address is not valid."""


class Reply(NamedTuple):
    """A complete response."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Wire:
    """An HTTP client that does not follow redirects.

    The same object can be used in several event loops in turn (in a notebook, for example).
    """

    def __init__(
        self, *, seconds: float, transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        self.seconds = seconds
        self._transport = transport
        self._idle: dict[tuple[asyncio.AbstractEventLoop, bool], list[httpx.AsyncClient]] = {}
        self._context: ssl.SSLContext | None = None

    async def exchange(
        self,
        method: str,
        url: str,
        *,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        most: int = LARGEST_ANSWER,  # maximum size of the decompressed response, in bytes
    ) -> Reply:
        """Sends a request and reads the response."""
        all_headers = {**(headers or {}), "Accept-Encoding": "gzip"}
        return await self._read(
            url,
            lambda client: client.build_request(method, url, content=content, headers=all_headers),
            most,
        )

    async def send(self, request: httpx.Request, *, most: int = LARGEST_ANSWER) -> Reply:
        """Sends a request built by another client; see `exchange`."""
        return await self._read(str(request.url), lambda _: request, most)

    async def _read(
        self, url: str, build: Callable[[httpx.AsyncClient], httpx.Request], most: int
    ) -> Reply:
        import httpx

        try:
            with self._connection(url) as client:
                async with asyncio.timeout(self.seconds):
                    return await _send(client, build(client), most)
        except (TimeoutError, httpx.TimeoutException):
            raise Late(f"no answer within {self.seconds:g} s") from None
        except (httpx.ConnectError, httpx.ProxyError) as error:
            raise Unreachable(_message(error)) from None
        except (httpx.InvalidURL, httpx.UnsupportedProtocol, UnicodeError) as error:
            raise BadAddress(f"{without_credentials(url)}: not an address ({error})") from None
        except (httpx.HTTPError, httpx.StreamError, OSError) as error:
            kind = Unreachable if NOT_HTTP in str(error) else Broken
            raise kind(_message(error)) from None

    @contextmanager
    def _connection(self, url: str) -> Iterator[httpx.AsyncClient]:
        """Yields an idle connection of the running event loop.

        Each connection has its own client: a shared client's pool checks all idle connections on
        each request, which takes most of the time when there are a hundred connections.
        """
        # Without TLS, the certificates are not read, which saves 0.1 s.
        key = (asyncio.get_running_loop(), url[:6].lower() == "https:")
        if key not in self._idle:
            self._idle = {k: idle for k, idle in self._idle.items() if not k[0].is_closed()}
            self._idle[key] = []
        idle = self._idle[key]
        client = idle.pop() if idle else self._new_client(secure=key[1])
        try:
            yield client
        finally:
            idle.append(client)

    def _new_client(self, *, secure: bool) -> httpx.AsyncClient:
        import httpx

        if secure and self._context is None:
            self._context = httpx.create_ssl_context()
        return httpx.AsyncClient(
            timeout=self.seconds,
            follow_redirects=False,
            verify=self._context if secure and self._context is not None else False,
            transport=self._transport,
        )

    async def aclose(self) -> None:
        """Closes the running loop's connections."""
        loop = asyncio.get_running_loop()
        for key in [key for key in self._idle if key[0] is loop]:
            for client in self._idle.pop(key):
                await client.aclose()


class WireInThread:
    """A synchronous `Wire`, which runs its event loop in a thread."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._loop: asyncio.AbstractEventLoop | None = None
        self._pid = 0

    def exchange(self, method: str, url: str, **more: Any) -> Reply:
        """Sends a request and waits for the response; see `Wire.exchange`."""
        if self._loop is None or self._pid != os.getpid():  # threads do not survive a fork
            self._loop, self._pid = asyncio.new_event_loop(), os.getpid()
            threading.Thread(target=self._loop.run_forever, name="http", daemon=True).start()
        work = self._wire.exchange(method, url, **more)
        under_way = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return under_way.result()
        except BaseException:
            under_way.cancel()  # Ctrl-C
            raise

    def close(self) -> None:
        """Closes the connections and stops the thread."""
        loop, self._loop = self._loop, None
        if loop is not None and self._pid == os.getpid():
            with suppress(Exception):
                asyncio.run_coroutine_threadsafe(self._wire.aclose(), loop).result(5)
            loop.call_soon_threadsafe(loop.stop)


async def _send(client: httpx.AsyncClient, request: httpx.Request, most: int) -> Reply:
    response = await client.send(request, stream=True)
    try:
        where = without_credentials(str(request.url))
        body = await _body(response.headers, response.aiter_raw(), most=most, where=where)
        return Reply(response.status_code, response.headers, body)
    finally:
        await response.aclose()


async def _body(
    headers: Mapping[str, str], raw: AsyncIterable[bytes], *, most: int, where: str
) -> bytes:
    """Reads and decompresses a body, whose few kilobytes of gzip may expand to gigabytes."""
    packed = headers.get("content-encoding", "").strip().lower()
    if packed not in ("", "identity", "gzip", "x-gzip"):
        raise Broken(f"the response is packed as {packed[:40]!r}; gzip was asked for")
    decoder = zlib.decompressobj(wbits=31) if "gzip" in packed else None
    body = bytearray()
    async for chunk in raw:
        try:
            while chunk:
                if decoder is None:
                    body += chunk
                    chunk = b""
                else:
                    body += decoder.decompress(chunk, most + 1 - len(body))
                    chunk = b"" if decoder.eof else decoder.unconsumed_tail
                if len(body) > most:
                    raise TooLarge(
                        f"{where} sends more than {most // 2**20} MiB in one response; the rest "
                        "is not read"
                    )
        except zlib.error as error:
            raise Broken(_message(error)) from None
    if decoder is not None and not decoder.eof and body:
        raise Broken("the packed response breaks off")
    return bytes(body)


def without_credentials(url: str) -> str:
    """Removes the credentials and the query from an address, for use in messages.

    Example:
        >>> without_credentials("http://me:secret@localhost:8000/v1?key=x")
        'http://localhost:8000/v1'
    """
    try:
        parts = urlsplit(url)
    except ValueError:  # an unmatched bracket
        return url.rpartition("@")[2].partition("?")[0]
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _message(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".rstrip(": ")
