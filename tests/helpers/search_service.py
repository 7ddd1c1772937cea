"""A search service on loopback that answers from an index, in the forms of Serper and SearXNG."""

from __future__ import annotations

import gzip
import json
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from loopback import Loopback, sent_json

from dfactscore.examples import example
from dfactscore.retrieval import Retriever, build_index, read_pages, split_pages

KEY = "secret-key-of-the-test"


class FakeService:
    """Counts requests; `fault` chooses the fault of a request by its number."""

    def __init__(self, retriever: Retriever | None) -> None:
        self.retriever = retriever
        self.fault = lambda number: None
        self.queries: list[str] = []
        self.keys: Counter[str] = Counter()
        self.requests = 0
        self.addresses = True
        self.lock = threading.Lock()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                query = parse_qs(urlsplit(self.path).query)
                self.answer(query["q"][0], 10, "searxng", query)

            def do_POST(self):
                body = sent_json(self)
                service.keys[self.headers.get("X-API-KEY", "")] += 1
                self.answer(body["q"], body["num"], "serper", body)

            def answer(self, text, k, kind, _):
                with service.lock:
                    service.requests += 1
                    number = service.requests
                fault = service.fault(number)
                if fault is not None:
                    fault(self)
                    return
                with service.lock:
                    service.queries.append(text)
                self.send(200, json.dumps(service.results(text, k, kind)).encode())

            def send(self, status, data, **headers):
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name.replace("_", "-"), value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        self.server = Loopback(Handler)
        self.url = self.server.url

    def results(self, text, k, kind):
        hits = self.retriever.search([text], k)[0] if self.retriever else []
        rows = []
        for hit in hits:
            title = hit.passage.title
            address = f"https://en.wikipedia.org/wiki/{quote(title.replace(' ', '_'))}"
            rows.append((title, hit.passage.text, address if self.addresses else ""))
        if kind == "searxng":
            return {"results": [{"title": t, "content": c, "url": u} for t, c, u in rows]}
        return {"organic": [{"title": t, "snippet": c, "link": u} for t, c, u in rows]}


def refuse(status, body=b"no", **headers):
    return lambda handler: handler.send(status, body, **headers)


def bomb(handler):
    handler.send(200, gzip.compress(b'{"a": "' + b"x" * 50_000_000), Content_Encoding="gzip")


@pytest.fixture(scope="session")
def index_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("search") / "index"
    build_index(split_pages(read_pages(example("people").pages)), folder)
    return folder


@pytest.fixture
def service(index_folder, monkeypatch):
    monkeypatch.setenv("SERPER_API_KEY", KEY)
    fake = FakeService(Retriever(index_folder))
    yield fake
    fake.server.close()
