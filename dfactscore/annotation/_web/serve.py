"""Serves a study, by default on the loopback interface only."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING

from dfactscore._errors import InputError, MissingExtraError
from dfactscore.annotation._people import new_link
from dfactscore.annotation._study import Study

if TYPE_CHECKING:
    from dfactscore.annotation._study import StudyMember


PORT = 8377  # a fixed port, so that links stay valid after a restart
_NEXT = 20

REMOTE_WARNING = (
    "warning: served to other machines without TLS: links, answers and texts can be read on the "
    "way; put a proxy with TLS before it, or use an SSH tunnel"
)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a host."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def serve_study(
    study: Study,
    *,
    host: str = "127.0.0.1",
    port: int | None = None,  # port; 0 for any free port, None for 8377 or the next free port
    allow_remote: bool = False,
    ready: Callable[[list[tuple[StudyMember, str]]], None],
    log: Callable[[str], None] | None = None,
) -> None:
    """Serves a study until interrupted."""
    if not is_loopback(host) and not allow_remote:
        raise InputError(
            f"--host {host} allows connections from other machines without TLS; add --allow-remote "
            "to allow them"
        )
    try:
        import python_multipart  # noqa: F401
        import uvicorn

        from dfactscore.annotation._web.app import make_app
    except ImportError as error:
        raise MissingExtraError("Serving a study", "annotate") from error

    listening = listen(host, port)
    address = f"http://{_shown(host)}:{listening.getsockname()[1]}"
    links = [
        (person, f"{address}/enter/{new_link(study, person.name, kind='serve')}")
        for person in study.people()
        if not person.revoked
    ]
    with study.write() as db:
        db.execute("UPDATE study SET address = ?", (address,))
    names = frozenset({"127.0.0.1", "localhost", "::1", host.lower(), _shown(host).lower()})
    app = make_app(study, hosts=names, any_address=not is_loopback(host), log=log)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        lifespan="off",
        ws="none",
        server_header=False,
        proxy_headers=False,
    )
    ready(links)
    try:
        uvicorn.Server(config).run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    finally:
        listening.close()


def listen(host: str, port: int | None = None) -> socket.socket:
    """Listens on a port; without a port, on 8377 or the next free one."""
    if port is None:
        for usual in range(PORT, PORT + _NEXT):
            with contextlib.suppress(InputError):
                return listen(host, usual)
        port = 0
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        # asyncio disables Nagle's algorithm, which delays responses by 40 ms, only for sockets
        # with a protocol.
        listening = socket.socket(family, kind, protocol or socket.IPPROTO_TCP)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(place)
        listening.listen(128)
    except OSError as problem:
        reason = problem.strerror or problem
        raise InputError(f"--host {host} --port {port}: cannot listen there ({reason})") from None
    return listening


def _shown(host: str) -> str:
    """The host used in links; wildcards become this machine's name."""
    if host in ("0.0.0.0", "::"):
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host
