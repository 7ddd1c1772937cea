"""JSON over HTTP with limits: on time, on size, on where a request may go."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dfactscore._util.jsonl import JSONError, parse_json
from dfactscore._util.retry_after import retry_after
from dfactscore.asking.retry import retryable_status
from dfactscore.asking.search.results import SearchError, SearchFailed
from dfactscore.asking.transport import Transient
from dfactscore.errors import InputError

if TYPE_CHECKING:
    import httpx

__all__ = ["JSONService", "check_address"]

_LARGEST = 4 << 20  # bytes of a decoded answer; results are a few kilobytes
_NO_CREDIT = re.compile(r"not enough credits|insufficient (?:credit|quota|balance)", re.IGNORECASE)


def check_address(address: str, what: str) -> str:
    """An address without a slash at its end.

    Args:
        address: The address.
        what: What it was given as, for the message.

    Raises:
        InputError: If it is not an http address, or holds a user name or password.

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
            f"{what}: the address of {url.host} holds a user name or password, which would be "
            "written into the run; leave it out"
        )
    return address.rstrip("/")


class JSONService:
    """Asks one service, one address.

    Args:
        name: What messages call it.
        timeout: Seconds for one request.
        secret: A key that must not stand in any message.
    """

    def __init__(self, name: str, *, timeout: float = 30.0, secret: str = "") -> None:
        self.name = name
        self.timeout = timeout
        self._secret = secret
        self._clients: dict[asyncio.AbstractEventLoop, httpx.AsyncClient] = {}

    def _client(self) -> httpx.AsyncClient:
        import httpx

        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            # Queries go to the address that the user named and to no other, so: no redirects.
            self._clients = {loop: httpx.AsyncClient(timeout=self.timeout, follow_redirects=False)}
        return self._clients[loop]

    async def ask(
        self,
        method: str,
        address: str,
        *,
        params: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        forbidden: str = "",
    ) -> Mapping[str, Any]:
        """The JSON object that the service answers.

        Args:
            method: GET or POST.
            address: The address.
            params: Of the query string.
            body: Sent as JSON.
            headers: Further headers.
            forbidden: What status 403 usually means there, and what to do.

        Raises:
            SearchError: For statuses that every search would get.
            Transient: For faults that can pass.
            SearchFailed: For faults of this request.
        """
        import httpx

        request = self._client().build_request(
            method, address, params=params, json=body, headers=headers
        )
        try:
            status, got, data = await asyncio.wait_for(self._send(request), self.timeout)
        except (asyncio.TimeoutError, httpx.TimeoutException):
            raise Transient(f"{self.name}: no answer within {self.timeout:g} s") from None
        except httpx.ConnectError as error:
            reason = f"{self.name} cannot be reached: {self._clean(str(error))}"
            raise Transient(reason, unreachable=True) from None
        except httpx.HTTPError as error:
            kind = type(error).__name__
            raise Transient(f"{self.name}: {kind}: {self._clean(str(error))}") from None
        if status != 200:
            raise self._fault(status, got, data, forbidden)
        try:
            answer = parse_json(data)
        except JSONError:
            start = self._clean(data[:200].decode("utf-8", "replace"))[:60]
            raise Transient(f"{self.name} answers something else than JSON: {start!r}") from None
        if not isinstance(answer, Mapping):
            raise Transient(f"{self.name} answers a {type(answer).__name__}, not a JSON object")
        return answer

    async def _send(self, request: httpx.Request) -> tuple[int, httpx.Headers, bytes]:
        response = await self._client().send(request, stream=True)
        try:
            parts, size = [], 0
            async for part in response.aiter_bytes():  # decoded: a small gzip can hold gigabytes
                size += len(part)
                if size > _LARGEST:
                    raise SearchFailed(
                        f"{self.name}: the answer is larger than {_LARGEST >> 20} MB"
                    )
                parts.append(part)
            return response.status_code, response.headers, b"".join(parts)
        finally:
            await response.aclose()

    def _fault(
        self, status: int, headers: Mapping[str, str], data: bytes, forbidden: str
    ) -> Exception:
        said = self._clean(re.sub(r"<[^<>]*>", " ", data[:2000].decode("utf-8", "replace")))[:200]
        where = f"{self.name} answers with status {status}"
        resume = "nothing is lost, and the same command resumes"
        if status == 402 or _NO_CREDIT.search(said):
            return SearchError(f"{where}: no credit left ({said}); {resume} once there is")
        if status in (401, 403):
            why = forbidden or "the key is not accepted"
            return SearchError(f"{where}: {why} ({said}); {resume}")
        if 300 <= status < 400:
            return SearchError(
                f"{where}, a redirect to {self._clean(headers.get('location', '?'))[:200]!r}: "
                "queries go to the address that was named and to no other; name that one"
            )
        if status == 404:
            return SearchError(f"{where}: a wrong address ({said})")
        if retryable_status(status):
            return Transient(f"{where} ({said})", retry_after(headers.get("retry-after")))
        return SearchFailed(f"{where} ({said})")

    def _clean(self, text: str) -> str:
        if self._secret:
            text = text.replace(self._secret, "***")
        return " ".join("".join(c if c.isprintable() else " " for c in text).split())

    async def aclose(self) -> None:
        """Closes the running loop's connections."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.aclose()
