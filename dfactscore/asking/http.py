"""One HTTP exchange with a model's server, whatever that server does."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urljoin, urlsplit

from dfactscore.asking.errors import CallError, ModelError

if TYPE_CHECKING:
    import httpx

__all__ = ["LARGEST", "LARGEST_ANSWER", "Broken", "Reply", "Unreachable", "exchange"]

LARGEST_ANSWER = 4 * 2**20
"""Bytes of an unpacked answer that are read; a long one with log-probabilities is a fifth."""
LARGEST = 32 * 2**20
"""The same for other requests: log-probabilities of a whole prompt are megabytes."""
_MOST_REDIRECTS = 3
_SAME_METHOD = frozenset({307, 308})


class Broken(Exception):
    """What came back is not an HTTP response that can be read; the next one may be."""


class Unreachable(Broken):
    """Not even a connection was made."""


class Reply(NamedTuple):
    """A response that was read to its end.

    Attributes:
        status: The status code.
        headers: The headers, by name in any case.
        body: The unpacked bytes.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes


async def exchange(
    client: httpx.AsyncClient,
    url: str,
    content: bytes | None,
    headers: Mapping[str, str],
    *,
    most: int = LARGEST_ANSWER,
) -> Reply:
    """Sends a request and reads the response, of which no more is unpacked than is allowed.

    A redirect is followed on the same host only: prompts (and the key) go where the user sent them
    and nowhere else.

    Args:
        client: The connections.
        url: Where to.
        content: The JSON that is posted; None only asks (GET).
        headers: More headers, such as the key.
        most: Bytes of an unpacked response that are read.

    Raises:
        Unreachable: If no connection was made.
        Broken: For faults that can pass.
        asyncio.TimeoutError: If the server is silent for too long.
        CallError: If the response is larger than `most`.
        ModelError: If the address cannot be one, or leads to another host.
    """
    import httpx

    try:
        for _ in range(_MOST_REDIRECTS + 1):
            reply = await _once(client, url, content, headers, most)
            if not 300 <= reply.status < 400:
                return reply
            url = _next(url, reply)
        raise ModelError(f"{_shown(url)}: more than {_MOST_REDIRECTS} redirects")
    except httpx.TimeoutException:
        raise asyncio.TimeoutError from None
    except httpx.ConnectError as error:
        raise Unreachable(_said(error)) from None
    except (httpx.InvalidURL, httpx.UnsupportedProtocol, UnicodeError) as error:
        raise ModelError(f"{_shown(url)}: not an address ({error}); check --base-url") from None
    except (httpx.HTTPError, httpx.StreamError, OSError, zlib.error) as error:
        raise Broken(_said(error)) from None


async def _once(
    client: httpx.AsyncClient,
    url: str,
    content: bytes | None,
    headers: Mapping[str, str],
    most: int,
) -> Reply:
    sent = {"Content-Type": "application/json", "Accept-Encoding": "gzip", **headers}
    method = "GET" if content is None else "POST"
    async with client.stream(method, url, content=content, headers=sent) as response:
        packed = response.headers.get("content-encoding", "").strip().lower()
        if packed in ("", "identity"):
            decoder = None
        elif packed in ("gzip", "x-gzip"):
            decoder = zlib.decompressobj(wbits=31)
        else:
            raise Broken(f"the response is packed as {packed[:40]!r}; gzip was asked for")
        body = bytearray()
        # Raw, and unpacked here: a few kilobytes of gzip may stand for gigabytes.
        async for chunk in response.aiter_raw():
            while chunk:
                if decoder is None:
                    body += chunk
                    chunk = b""
                else:
                    body += decoder.decompress(chunk, most + 1 - len(body))
                    chunk = b"" if decoder.eof else decoder.unconsumed_tail
                if len(body) > most:
                    raise CallError(
                        f"{_shown(url)} sends more than {most // 2**20} MiB in one "
                        "response; the rest is not read"
                    )
        if decoder is not None and not decoder.eof and body:
            raise Broken("the packed response breaks off")
        return Reply(response.status_code, response.headers, bytes(body))


def _next(url: str, reply: Reply) -> str:
    """Where a redirect on the same host leads."""
    where = reply.headers.get("location", "")
    answered = f"{_shown(url)} answered {reply.status}"
    if not where:
        raise ModelError(f"{answered} without saying where to go; check --base-url")
    try:
        target = urljoin(url, where)
        here, there = urlsplit(url), urlsplit(target)
        same = here.hostname == there.hostname and _port(here) == _port(there)
        secured = (here.scheme, there.scheme) == ("http", "https")
        same = same or (here.hostname == there.hostname and secured and _port(there) == 443)
        host = there.hostname or ""
    except ValueError:
        same, host = False, "a damaged address"
    if not same:
        raise ModelError(
            f"{answered}, which leads to another host ({host[:80]!r}); nothing was sent there. If "
            "it is the right one, name it with --base-url"
        )
    if reply.status not in _SAME_METHOD:
        raise ModelError(f"{answered}: not an address that answers requests; check --base-url")
    if here.scheme == "https" and there.scheme != "https":
        raise ModelError(f"{answered}, which leads from https to {there.scheme}; nothing was sent")
    return target


def _port(parts: object) -> int | None:
    port: int | None = getattr(parts, "port", None)
    return port or {"http": 80, "https": 443}.get(getattr(parts, "scheme", ""))


def _shown(url: str) -> str:
    """An address without credentials and query."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".rstrip(": ")
