"""Request checks and response headers."""

from __future__ import annotations

import hmac
import ipaddress
import re
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException

from dfactscore.annotation._people import csrf_token

if TYPE_CHECKING:
    from starlette.datastructures import FormData
    from starlette.requests import Request
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


MOST_BYTES = 256_000
_PORT = re.compile(r":\d*$")
_MOST_FIELDS = 5_000
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": _POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


class Guard:
    """Middleware that checks hosts, adds headers, and logs requests without tokens."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: frozenset[str],
        any_address: bool = False,
        log: Callable[[str], None] | None = None,
    ) -> None:
        self._app = app
        self._hosts = hosts
        self._any_address = any_address
        self._log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles a request."""
        if scope["type"] != "http":
            return
        begun = time.monotonic()
        status = 500

        async def send_with(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = list(message.get("headers", ()))
                known = {name.lower() for name, _ in headers}
                headers += [
                    (name.encode(), value.encode())
                    for name, value in HEADERS.items()
                    if name.encode() not in known
                ]
                message = {**message, "headers": headers}
            await send(message)

        if self._knows(scope):
            await self._app(scope, receive, send_with)
        else:
            from starlette.responses import PlainTextResponse

            refuse = PlainTextResponse("unknown host\n", status_code=403)
            await refuse(scope, receive, send_with)
        if self._log is not None:
            path = str(scope["path"])
            path = "/enter/…" if path.startswith("/enter/") else path
            took = 1000 * (time.monotonic() - begun)
            self._log(f"{scope['method']} {path!r:.80} {status} {took:.0f} ms")

    def _knows(self, scope: Scope) -> bool:
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        if len(hosts) != 1:
            return False
        # The port is ignored: requests that arrive through a tunnel name a different one.
        host = _PORT.sub("", hosts[0].decode("latin-1").lower()).strip("[]")
        if host in self._hosts:
            return True
        return self._any_address and _is_address(host)


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def check_origin(request: Request) -> None:
    """Rejects requests that come from another origin or have none."""
    expected = f"{request.url.scheme}://{request.headers['host']}"
    if request.headers.getlist("origin") != [expected]:
        raise HTTPException(403, "this request is not from a page of this study")


async def read_form(request: Request, cookie: str) -> list[tuple[str, str]]:
    """Reads a form's fields, and checks and removes its session token."""
    length = request.headers.get("content-length", "")
    if not length.isdigit() or int(length) > MOST_BYTES:
        raise HTTPException(400, f"the body is larger than {MOST_BYTES // 1000} kB")
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise HTTPException(400, "the body is not a form")
    form: FormData = await request.form(max_fields=_MOST_FIELDS)
    fields: list[tuple[str, Any]] = list(form.multi_items())
    tokens = [value for name, value in fields if name == "csrf"]
    tokens += request.headers.getlist("x-csrf-token")
    expected = csrf_token(cookie)
    if len(tokens) != 1 or not hmac.compare_digest(str(tokens[0]).encode(), expected.encode()):
        raise HTTPException(403, "this form belongs to another session; reload the page")
    if len(fields) > _MOST_FIELDS:
        raise HTTPException(400, "the form has too many fields")
    return [(name, str(value)) for name, value in fields if name != "csrf"]
