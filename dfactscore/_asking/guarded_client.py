"""The HTTP client for the `openai` package, which limits time, size and redirects."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dfactscore._asking.errors import ModelError
from dfactscore._util.fetching import (
    LARGEST,
    LARGEST_ANSWER,
    Reply,
    Wire,
    without_credentials,
)

if TYPE_CHECKING:
    import httpx


_MOST_REDIRECTS = 3
_SAME_METHOD = frozenset({307, 308})
# Headers that describe the compressed body, which `Wire` decompresses.
_OF_PACKED_BODIES = frozenset({"content-encoding", "content-length", "transfer-encoding"})


def guarded_client(wire: Wire, without_key: Callable[[str], str]) -> httpx.AsyncClient:
    """Creates a client that sends its requests through a `Wire`."""
    import httpx

    class Guarded(httpx.AsyncClient):
        async def send(self, request: httpx.Request, **_: Any) -> httpx.Response:
            """Sends a request and reads the response."""
            reply = await _followed(wire, request)
            text = without_key(reply.body.decode("utf-8", "surrogateescape"))
            headers = {k: v for k, v in reply.headers.items() if k.lower() not in _OF_PACKED_BODIES}
            content = text.encode("utf-8", "surrogateescape")
            return httpx.Response(reply.status, headers=headers, content=content, request=request)

    # The wire reads proxies and certificates from the environment.
    return Guarded(transport=httpx.AsyncBaseTransport(), trust_env=False)


async def _followed(wire: Wire, request: httpx.Request) -> Reply:
    """Sends a request and follows redirects on the same host.

    Prompts and the API key must not reach a host that the user did not name.
    """
    import httpx

    small = request.url.path.endswith(("/chat/completions", "/models"))
    for _ in range(_MOST_REDIRECTS + 1):
        reply = await wire.send(request, most=LARGEST_ANSWER if small else LARGEST)
        if not 300 <= reply.status < 400:
            return reply
        headers = [(k, v) for k, v in request.headers.raw if k.lower() != b"host"]
        target = _target(request.url, reply)
        request = httpx.Request(request.method, target, headers=headers, content=request.content)
    where = without_credentials(str(request.url))
    raise ModelError(f"{where}: more than {_MOST_REDIRECTS} redirects")


def _target(source: httpx.URL, reply: Reply) -> httpx.URL:
    """Returns the target of a redirect."""
    import httpx

    answered = f"{without_credentials(str(source))} answered {reply.status}"
    try:
        target = source.join(reply.headers["location"])
    except (KeyError, httpx.InvalidURL):
        raise ModelError(f"{answered} without saying where to go; check --base-url") from None
    secured = (source.scheme, target.scheme, target.port) == ("http", "https", None)
    if source.host != target.host or (source.port != target.port and not secured):
        raise ModelError(
            f"{answered}, which leads to another host ({target.host[:80]!r}); nothing was sent "
            "there. If it is the right one, name it with --base-url"
        )
    if reply.status not in _SAME_METHOD:
        raise ModelError(f"{answered}: not an address that answers requests; check --base-url")
    if target.scheme != source.scheme and not secured:
        raise ModelError(f"{answered}, which leads from https to {target.scheme}; nothing was sent")
    return target.copy_with(userinfo=source.userinfo)
