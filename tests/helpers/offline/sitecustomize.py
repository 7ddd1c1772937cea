"""On the PYTHONPATH of a command, refuses connections to other machines.

Refusals are also written to the file $OFFLINE_LOG, for hosts that swallow errors.
"""

from __future__ import annotations

import os
import socket
from importlib.machinery import PathFinder

_LOCAL = ("127.", "::1", "localhost")
_INTERNET = (socket.AF_INET, socket.AF_INET6)


def _refuse(what: object) -> None:
    with open(os.environ["OFFLINE_LOG"], "a", encoding="utf-8") as log:
        log.write(f"{what}\n")
    raise OSError(f"refused by the test: {what}")


def _guarded(original):
    def connect(self, address):
        if self.family in _INTERNET and not str(address[0]).startswith(_LOCAL):
            _refuse(address)
        return original(self, address)

    return connect


def _resolve(host, *args, _original=socket.getaddrinfo, **more):
    if host is not None and not str(host).startswith((*_LOCAL, "0.0.0.0")):
        _refuse(host)
    return _original(host, *args, **more)


def _hiding(names, original=PathFinder.find_spec):
    def find_spec(fullname, path=None, target=None):
        return None if fullname in names else original(fullname, path, target)

    return staticmethod(find_spec)


# Packages that hosts load if they find them, which takes seconds.
if "HIDDEN_PACKAGES" in os.environ:
    PathFinder.find_spec = _hiding(os.environ["HIDDEN_PACKAGES"].split())

if "OFFLINE_LOG" in os.environ:
    socket.socket.connect = _guarded(socket.socket.connect)
    socket.socket.connect_ex = _guarded(socket.socket.connect_ex)
    socket.getaddrinfo = _resolve
