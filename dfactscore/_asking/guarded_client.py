"""The HTTP client that the `openai` package sends with: in time, of a size, and to one host."""

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
# They describe the packed body, which ends here.
_OF_THE_WIRE = frozenset({"content-encoding", "content-length", "transfer-encoding"})


def guarded_client(wire: Wire, without_key: Callable[[str], str]) -> httpx.AsyncClient:
    """A client whose requests all go over a wire.

    Args:
        wire: Has the time that an exchange may take, and reads no more than it is allowed to.
        without_key: Takes the key out of a text: whatever a server says of it goes no further.
    """
    import httpx

    class Guarded(httpx.AsyncClient):
        async def send(self, request: httpx.Request, **_: Any) -> httpx.Response:
            """Sends a request and reads the response.

            Raises:
                HTTPFault: If there is none; see `Wire.exchange`.
                ModelError: If it is a redirect that is not followed.
            """
            reply = await _followed(wire, request)
            text = without_key(reply.body.decode("utf-8", "surrogateescape"))
            headers = {k: v for k, v in reply.headers.items() if k.lower() not in _OF_THE_WIRE}
            content = text.encode("utf-8", "surrogateescape")
            return httpx.Response(reply.status, headers=headers, content=content, request=request)

    # Proxies and certificates from the environment are read by the inner transport.
    return Guarded(transport=httpx.AsyncBaseTransport(), trust_env=False)


async def _followed(wire: Wire, request: httpx.Request) -> Reply:
    """The reply; a redirect is followed on the same host only.

    Prompts (and the key) go where the user sent them and nowhere else.
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


def _target(here: httpx.URL, reply: Reply) -> httpx.URL:
    """Returns the target of a redirect on the same host."""
    import httpx

    answered = f"{without_credentials(str(here))} answered {reply.status}"
    try:
        there = here.join(reply.headers["location"])
    except (KeyError, httpx.InvalidURL):
        raise ModelError(f"{answered} without saying where to go; check --base-url") from None
    secured = (here.scheme, there.scheme, there.port) == ("http", "https", None)
    if here.host != there.host or (here.port != there.port and not secured):
        raise ModelError(
            f"{answered}, which leads to another host ({there.host[:80]!r}); nothing was sent "
            "there. If it is the right one, name it with --base-url"
        )
    if reply.status not in _SAME_METHOD:
        raise ModelError(f"{answered}: not an address that answers requests; check --base-url")
    if there.scheme != here.scheme and not secured:
        raise ModelError(f"{answered}, which leads from https to {there.scheme}; nothing was sent")
    return there.copy_with(userinfo=here.userinfo)
