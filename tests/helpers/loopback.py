"""A test server on loopback, in a thread, which ignores killed clients."""

from __future__ import annotations

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def sent_json(handler: BaseHTTPRequestHandler) -> Any:
    """Reads the JSON body of a request.

    Raises:
        ConnectionResetError: If the client went away within the body.
    """
    length = int(handler.headers.get("Content-Length", 0))
    body = handler.rfile.read(length)
    if len(body) < length:
        raise ConnectionResetError("the client went away within the body")
    return json.loads(body)


class Loopback(ThreadingHTTPServer):
    """Answers with `handler` from creation until `close`."""

    def __init__(self, handler: type[BaseHTTPRequestHandler] | Any) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Prints errors, except of clients that went away, since tests kill commands."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    def close(self) -> None:
        self.shutdown()
        self.server_close()
