"""Meets search services that break HTTP, JSON or their own form in many ways.

    python tests/robustness/search_faults.py [--service mediawiki] [--only "a list"]

A server of raw sockets answers the searches of a small ``dfactscore safe``, with one kind of fault
at a time: once for the first attempt of every request, then well (*passing*), and for every request
(*lasting*). Each command is a fork of a process that has loaded everything once. Printed are how it
ended, its verdicts against those of a run without faults, the seconds, and the peak memory.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import gzip
import json
import os
import resource
import socket
import struct
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

sys.path.insert(0, str(Path(__file__).parent))
import server_faults
from server_faults import Fault, http

sys.path.remove(str(Path(__file__).parent))

KEY = "serper-canary/0123456789abcdef"
SERVICES = ("mediawiki", "serper", "searxng")
_SECONDS = 60.0  # after which a command counts as hanging
_MOST = 1000.0  # MB
# Kinds that stray from a chat's form, or go to addresses that only a model's server has.
_OF_MODELS_FROM = "no choices"


def _changed(change: Callable[[Any], Any]) -> Fault:
    """A good answer with something changed in it, in place or as what `change` gives."""

    def send(body: bytes) -> Iterator[bytes]:
        answer = json.loads(body)
        changed = change(answer)
        if not isinstance(changed, bytes):
            changed = json.dumps(answer if changed is None else changed).encode()
        yield http(changed)

    return send


@functools.cache
def _bomb(kind: str) -> bytes:
    """Gigabytes in few megabytes."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    megabyte = packer.compress(b" " * 2**20) + packer.flush(zlib.Z_FULL_FLUSH)
    if kind == "gzip, gzip":
        return gzip.compress(b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff" + megabyte * 10_000)
    if kind == "deflate":
        return b"\x78\xda" + megabyte * 2_000
    # zstd: frames of one run-length block each, 128 kB in four bytes
    block = (1 << 0 | 1 << 1 | (1 << 17) << 3).to_bytes(3, "little") + b" "
    return (b"\x28\xb5\x2f\xfd\x00\x38" + block) * 16_000


def _bombs(kind: str) -> Fault:
    """A bomb, packed in a way that is announced."""

    def send(_: bytes) -> Iterator[bytes]:
        yield http(_bomb(kind), Content_Encoding=kind)

    return send


def _drip_for_ever(body: bytes) -> Iterator[bytes | float]:
    yield http(b"", length=False)
    while True:
        yield b" "
        yield 0.05


def _drip_head(body: bytes) -> Iterator[bytes | float]:
    for byte in http(body, X="x" * 10_000):
        yield bytes([byte])
        yield 0.02


def _endless_100(body: bytes) -> Iterator[bytes]:
    while True:
        yield b"HTTP/1.1 100 Continue\r\n\r\n" * 500


def _set(**fields: Any) -> Fault:
    return _changed(lambda answer: answer.update(fields))


_DEEP = "[" * 5000 + "]" * 5000
_KEY_ESCAPED = "".join(f"\\u{ord(c):04x}" for c in KEY)

ANY: dict[str, Fault] = {
    **{
        name: fault
        for name, fault in list(server_faults.FAULTS.items())[
            : list(server_faults.FAULTS).index(_OF_MODELS_FROM)
        ]
        # 300 MB in one go and 2.5 GB of gzip are met once each, by the kinds below.
        if name not in ("300 MB of blanks",)
    },
    "gzip twice, 10 GB": _bombs("gzip, gzip"),
    "deflate, 2 GB": _bombs("deflate"),
    "zstd, 2 GB": _bombs("zstd"),
    "drips for ever": _drip_for_ever,
    "drips its headers": _drip_head,
    "100 for ever": _endless_100,
    "an empty object": _changed(lambda _: {}),
    "an error text": _changed(lambda _: {"error": "no"}),
    "an error list": _changed(lambda _: {"error": [1, {}]}),
    "an error null": _changed(lambda _: {"error": None}),
    "quotes the key": lambda body: iter([http(KEY.encode() + body, "500 Internal")]),
    "quotes the key escaped": lambda body: iter(
        [http(b'{"message": "' + _KEY_ESCAPED.encode() + b'"}', "400 Bad")]
    ),
}
"""What any of the services may do."""


def _rows(name: str, change: Callable[[list[Any]], Any]) -> Fault:
    """The list of results with something changed in it."""

    def make(answer: Any) -> Any:
        changed = change(answer[name])
        if changed is not None:
            answer[name] = changed
        return answer

    return _changed(make)


def _each(name: str, **fields: Any) -> Fault:
    return _rows(name, lambda rows: [row.update(fields) for row in rows] and None)


def _of_list(name: str, text: str) -> dict[str, Fault]:
    """Faults of a service whose answer is one list of rows (Serper, SearXNG)."""
    return {
        "rows missing": _changed(lambda a: a.pop(name) and None),
        "rows null": _set(**{name: None}),
        "rows an object": _rows(name, lambda rows: {str(n): row for n, row in enumerate(rows)}),
        "rows a text": _set(**{name: "none"}),
        "rows a number": _set(**{name: 7}),
        "rows are lists": _rows(name, lambda rows: [list(row.values()) for row in rows]),
        "rows are texts": _rows(name, lambda rows: [row["title"] for row in rows]),
        "rows are null": _rows(name, lambda rows: [None for _ in rows]),
        "rows in a list": _rows(name, lambda rows: [rows]),
        "half of the rows null": _rows(
            name, lambda rows: [None if n % 2 else row for n, row in enumerate(rows)]
        ),
        "fields of another name": _rows(
            name, lambda rows: [{"heading": r["title"], "body": r[text]} for r in rows]
        ),
        "no text": _rows(name, lambda rows: [row.pop(text) for row in rows] and None),
        "text null": _each(name, **{text: None}),
        "text a number": _each(name, **{text: 5}),
        "text a list": _each(name, **{text: ["a", 1]}),
        "text an object": _each(name, **{text: {"html": "a"}}),
        "text true": _each(name, **{text: True}),
        "text half a surrogate": _each(name, **{text: "\ud800"}),
        "text ends in half a surrogate": _rows(
            name, lambda rows: [row.update({text: row[text] + "\udbff"}) for row in rows] and None
        ),
        "title missing": _rows(name, lambda rows: [row.pop("title") for row in rows] and None),
        "title a number": _each(name, title=7),
        "title a list": _each(name, title=["x"]),
        "title half a surrogate": _each(name, title="\udfff"),
        "NaN in a row": _each(name, position=float("nan")),
        "a row nested deep": _changed(
            lambda a: json.dumps(a).replace("{", '{"x": ' + _DEEP + ", ", 1).encode()
        ),
        "rows say the key": _rows(
            name, lambda rows: [row.update({text: f"{row[text]} {KEY}"}) for row in rows] and None
        ),
        "rows say the key escaped": _changed(
            lambda a: json.dumps(a).replace(f'"{text}": "', f'"{text}": "{_KEY_ESCAPED} ').encode()
        ),
    }  # fmt: skip


def _query(change: Callable[[dict[str, Any]], Any]) -> Fault:
    """The ``query`` of a wiki's answer with something changed in it."""

    def make(answer: Any) -> Any:
        change(answer["query"])
        return answer

    return _changed(make)


def _on(part: str, change: Callable[[Any], Any]) -> Fault:
    """A change of the answers that have this part of ``query``; others are good."""

    def make(answer: Any) -> Any:
        if part in answer.get("query", {}):
            answer["query"][part] = change(answer["query"][part])
        return answer

    return _changed(make)


def _pages(**fields: Any) -> Fault:
    return _on("pages", lambda pages: [{**page, **fields} for page in pages])


def _content(change: Callable[[dict[str, Any]], Any]) -> Fault:
    def make(pages: list[Any]) -> list[Any]:
        for page in pages:
            for revision in page.get("revisions", ()):
                change(revision)
        return pages

    return _on("pages", make)


def _error(code: Any, **more: Any) -> Fault:
    return _changed(lambda _: {"error": {"code": code, "info": "so it is", **more}})


WIKI: dict[str, Fault] = {
    "query null": _set(query=None),
    "query a list": _set(query=[]),
    "query a text": _set(query="x"),
    "query a number": _set(query=7),
    "query empty": _set(query={}),
    "no query": _changed(lambda a: a.pop("query") and {"batchcomplete": True}),
    "continue a list": _set(**{"continue": [1]}),
    "continue a number": _set(**{"continue": 5}),
    "continue null": _set(**{"continue": None}),
    "continue a text": _set(**{"continue": "x"}),
    "continue empty": _set(**{"continue": {}}),
    "continue with a list": _set(**{"continue": {"sroffset": [1], "continue": "-||"}}),
    "continue the same for ever": _set(**{"continue": {"rdcontinue": "7", "continue": "||"}}),
    "continue for ever": _changed(
        lambda a: {**a, "continue": {"rdcontinue": str(time.monotonic())}}
    ),
    "search null": _on("search", lambda _: None),
    "search an object": _on("search", lambda rows: {"0": rows}),
    "search a text": _on("search", lambda _: "x"),
    "search rows are texts": _on("search", lambda rows: [r["title"] for r in rows]),
    "search rows are null": _on("search", lambda rows: [None for _ in rows]),
    "search titles missing": _on("search", lambda rows: [{"ns": 0} for _ in rows]),
    "search titles numbers": _on("search", lambda rows: [{**r, "title": 7} for r in rows]),
    "search titles null": _on("search", lambda rows: [{**r, "title": None} for r in rows]),
    "search titles half a surrogate": _on(
        "search", lambda rows: [{**r, "title": "\ud800"} for r in rows]
    ),
    "pages null": _on("pages", lambda _: None),
    "pages an object": _on("pages", lambda pages: {str(p.get("pageid")): p for p in pages}),
    "pages are texts": _on("pages", lambda pages: ["x" for _ in pages]),
    "pages are null": _on("pages", lambda pages: [None for _ in pages]),
    "page title a number": _pages(title=7),
    "page title missing": _on(
        "pages", lambda ps: [{k: v for k, v in p.items() if k != "title"} for p in ps]
    ),
    "page id a text": _pages(pageid="x"),
    "page id a list": _pages(pageid=[1]),
    "revisions null": _pages(revisions=None),
    "revisions an object": _pages(revisions={"0": {}}),
    "revisions are null": _pages(revisions=[None]),
    "revision without a text": _content(lambda r: r.pop("slots")),
    "slots a list": _content(lambda r: r.update(slots=[])),
    "slot main null": _content(lambda r: r.update(slots={"main": None})),
    "text a number": _content(lambda r: r["slots"]["main"].update(content=7)),
    "text null": _content(lambda r: r["slots"]["main"].update(content=None)),
    "text a list": _content(lambda r: r["slots"]["main"].update(content=["x"])),
    "text half a surrogate": _content(lambda r: r["slots"]["main"].update(content="\ud800")),
    "time stamp a number": _content(lambda r: r.update(timestamp=5)),
    "revision id a text": _content(lambda r: r.update(revid="x")),
    "redirects null": _on("pages", lambda pages: [{**p, "redirects": [None]} for p in pages]),
    "categories a text": _pages(categories="x"),
    "properties a list": _pages(pageprops=[1]),
    "normalized a text": _query(lambda q: q.update(normalized="x")),
    "normalized without to": _query(lambda q: q.update(normalized=[{"from": "x"}])),
    "moves of null": _query(lambda q: q.update(redirects=[{"from": None, "to": 3}])),
    "NaN": _set(x=float("nan")),
    "nested deep": _changed(
        lambda a: json.dumps(a).replace("{", '{"x": ' + _DEEP + ", ", 1).encode()
    ),
    "general null": _on("general", lambda _: None),
    "general a list": _on("general", lambda _: [1]),
    "base a number": _on("general", lambda g: {**g, "base": 7}),
    "namespaces a list": _on("namespaces", lambda n: list(n.values())),
    "namespace null": _on("namespaces", lambda n: dict.fromkeys(n)),
    "namespace names numbers": _on(
        "namespaces", lambda n: {k: {"id": int(k), "name": 5} for k in n}
    ),
    "maxlag for ever": _error("maxlag", lag=7.2),
    "rate limited": _error("ratelimited"),
    "read only": _error("readonly"),
    "internal error": _error("internal_api_error_DBQueryError"),
    "an unknown error": _error("odd"),
    "an error code 7": _error(7),
    "an error code a list": _error(["x"]),
}  # fmt: skip
"""What only a wiki's API may do."""

FAULTS: dict[str, dict[str, Fault]] = {
    "mediawiki": {**ANY, **WIKI},
    "serper": {
        **ANY,
        **_of_list("organic", "snippet"),
        "answer box a text": _set(answerBox="x"),
        "answer box a list": _set(answerBox=[{"answer": "x"}]),
        "knowledge graph a text": _set(knowledgeGraph="x"),
        "attributes a list": _set(knowledgeGraph={"title": "x", "attributes": ["y"]}),
        "no credit": lambda body: iter([http(b'{"message": "Not enough credits"}', "400 Bad")]),
    },
    "searxng": {**ANY, **_of_list("results", "content")},
}
"""Every kind of fault, by service and name."""


class Asked(NamedTuple):
    """A request as it came."""

    method: str
    path: str
    fields: dict[str, Any]


class SearchServer:
    """Answers searches well, except with the fault that is set.

    Attributes:
        fault: What it does; None for good answers.
        passing: Whether a request's second attempt is answered well.
        faults: How often it did it.
    """

    def __init__(self) -> None:
        from dfactscore.examples import example
        from dfactscore.retrieval import PageBM25, read_pages

        self._pages = list(read_pages(example("people").pages))
        self._ranker = PageBM25([page.text for page in self._pages])
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._lock = threading.Lock()
        self.requests = 0
        self.set(None)
        threading.Thread(target=self._accept, daemon=True).start()

    def spec(self, service: str) -> str:
        """The value of ``--search`` for the service."""
        return f"{service}:{self.url}{'/w/api.php' if service == 'mediawiki' else ''}"

    def set(self, fault: Fault | None, *, passing: bool = False) -> None:
        """Chooses the fault and forgets what was asked."""
        self.fault, self.passing, self.faults, self.requests = fault, passing, 0, 0
        self._seen: set[str] = set()

    def close(self) -> None:
        """Stops listening."""
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            asked = _read(connection)
            if asked is None:
                return
            good = json.dumps(self._good(asked)).encode()
            with self._lock:
                self.requests += 1
                faulty = self.fault is not None and not (self.passing and repr(asked) in self._seen)
                self._seen.add(repr(asked))
                self.faults += faulty
            if not faulty or self.fault is None:
                connection.sendall(http(good))
                return
            for part in self.fault(good):
                if part is None:
                    linger = struct.pack("ii", 1, 0)
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                    return
                if isinstance(part, float):
                    time.sleep(part)
                else:
                    connection.sendall(part)

    def _good(self, asked: Asked) -> Any:
        if asked.path.endswith("/api.php"):
            return self._wiki(asked.fields)
        found = [self._pages[n] for n in self._ranker.select(asked.fields["q"], 5)]
        rows = [(p.title, " ".join(p.text.split()[:150]), p.url) for p in found]
        if asked.method == "POST":
            keys = ("title", "snippet", "link")
            return {
                "searchParameters": {},
                "organic": [dict(zip(keys, r, strict=True)) for r in rows],
            }
        keys = ("title", "content", "url")
        return {"query": "", "results": [dict(zip(keys, r, strict=True)) for r in rows]}

    def _wiki(self, fields: dict[str, Any]) -> Any:
        if fields.get("list") == "search":
            found = self._ranker.select(fields["srsearch"], int(fields["srlimit"]))
            rows = [{"ns": 0, "title": self._pages[n].title} for n in found]
            return {"batchcomplete": True, "query": {"search": rows}}
        if fields.get("meta") == "siteinfo":
            spaces = {"0": {"id": 0, "name": ""}, "14": {"id": 14, "name": "Category"}}
            general = {"base": "http://wiki.example/wiki/Main_Page", "time": "2026-01-02T03:04:05Z"}
            return {"batchcomplete": True, "query": {"general": general, "namespaces": spaces}}
        by_title = {page.title: (n, page) for n, page in enumerate(self._pages, start=1)}
        pages = []
        for title in fields["titles"].split("|"):
            number, page = by_title.get(title, (0, None))
            if page is None:
                pages.append({"ns": 0, "title": title, "missing": True})
                continue
            slots = {"main": {"content": page.text}}
            revision = {"revid": number, "timestamp": "2026-01-02T03:04:05Z", "slots": slots}
            pages.append({"ns": 0, "pageid": number, "title": title, "revisions": [revision]})
        return {"batchcomplete": True, "query": {"pages": pages}}


def _read(connection: socket.socket) -> Asked | None:
    data = b""
    while b"\r\n\r\n" not in data:
        part = connection.recv(65536)
        if not part:
            return None
        data += part
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in lines)}
    while len(body) < int(headers.get("content-length", 0)):
        body += connection.recv(65536)
    method, target, _ = first.split(" ", 2)
    parts = urlsplit(target)
    query = parts.query
    if headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        query, body = body.decode(), b""
    fields = {name: values[0] for name, values in parse_qs(query).items()}
    return Asked(method, parts.path, {**fields, **(json.loads(body) if body else {})})


def write_texts(path: Path) -> None:
    """A text of three facts, of which two are true."""
    text = (
        "Dick Hanley was an American swimmer. He won a silver medal at the 1956 Olympics. "
        "He was a painter."
    )
    path.write_text(json.dumps({"id": "1", "name": "Dick Hanley", "text": text}) + "\n", "utf-8")


def arguments(texts: Path, out: Path, search: str) -> list[str]:
    """The words of the command."""
    settings = out.with_name("settings.yaml")
    settings.write_text(
        "interval: 0\nsearch_timeout: 1.5\nretries: 1\nbackoff: 0.01\nmax_wait: 5\n", "utf-8"
    )
    return [
        "safe", str(texts), "--out", str(out), "--search", search, "--no-cache",
        "--contact", "tests@example.org", "--config", str(settings), "--format", "json", "--quiet",
    ]  # fmt: skip


class Ended(NamedTuple):
    """The outcome of a command.

    Attributes:
        status: Its exit status; -9 where it was ended for hanging.
        said: Its standard error.
        seconds: How long it took.
        memory: Its peak, in MB.
    """

    status: int
    said: str
    seconds: float
    memory: float


def run(words: list[str], folder: Path, **variables: str) -> Ended:
    """Runs a command in a fork of this process."""
    said = folder / "stderr"
    begun = time.monotonic()
    pid = os.fork()
    if not pid:
        _become(words, said, {"XDG_CACHE_HOME": str(folder), **variables})
    timer = threading.Timer(_SECONDS, os.kill, (pid, 9))
    timer.start()
    _, status, usage = os.wait4(pid, 0)
    timer.cancel()
    text = said.read_text("utf-8", "replace") if said.exists() else ""
    code = os.waitstatus_to_exitcode(status)
    return Ended(code, text, time.monotonic() - begun, usage.ru_maxrss / 1024)


def _become(words: list[str], said: Path, variables: dict[str, str]) -> None:
    """Makes this fork the command; never returns."""
    status = 70
    try:
        os.environ.update(variables)
        out, error = os.open(os.devnull, os.O_RDWR), os.open(said, os.O_RDWR | os.O_CREAT, 0o600)
        for target, source in ((0, out), (1, out), (2, error)):
            os.dup2(source, target)
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
        sys.argv = ["dfactscore", *words]
        from dfactscore._cli.app import main as command

        try:
            command()
            status = 0
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else int(bool(ended.code))
        except BaseException:
            import traceback

            traceback.print_exc()
            status = 70
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


def problem(ended: Ended, service: str, server: SearchServer, folder: Path, clean: Any) -> str:
    """Returns the dishonesty in the outcome of a command; empty if there is none."""
    if ended.status == -9:
        return f"hangs: {server.requests} requests"
    if "Traceback" in ended.said or ended.status not in (0, 1, 2):
        return f"exit {ended.status}: {ended.said[-200:]!r}"
    if ended.memory > _MOST:
        return f"{ended.memory:.0f} MB"
    if service == "serper" and (
        KEY in ended.said
        or any(KEY.encode() in path.read_bytes() for path in folder.rglob("*") if path.is_file())
    ):
        return "the key stands in a file or a message"
    named = service in ended.said.lower() or server.url in ended.said
    if ended.status == 2:
        last = [line for line in ended.said.split("\n") if line][-1:]
        if not last or not last[0].startswith("dfactscore: "):
            return f"says {last}"
        return "" if named else f"names no service: {last}"
    found = server_faults.verdicts(folder)
    if set(found) != set(clean):
        return f"columns are missing: {sorted(set(clean) - set(found))}"
    lost = 0
    for key, cells in found.items():
        for ours, theirs in zip(cells, clean[key], strict=True):
            if ours in ("supported", "not_supported") and ours != theirs:
                return f"{key}: {ours} instead of {theirs}, exit {ended.status}"
            lost += ours != theirs
    if not lost:
        return "" if ended.status == 0 else f"exit {ended.status} though nothing is lost"
    if ended.status == 0:
        return f"{lost} verdicts are lost, and exit 0"
    return "" if named and "hanley" in ended.said.lower() else f"not named: {ended.said[-300:]!r}"


def warm() -> None:
    """Loads what every command needs, once."""
    for kind in ("gzip, gzip", "deflate", "zstd"):
        _bomb(kind)
    import dfactscore._asking.search.json_services
    import dfactscore._asking.search.wiki
    import dfactscore._cli.app
    import dfactscore._cli.safe
    import dfactscore.safe._command  # noqa: F401
    from dfactscore.ambigbio import _api_source as api_source  # noqa: F401


def meet(
    server: SearchServer, service: str, fault: Fault, *, passing: bool, folder: Path, clean: Any
) -> tuple[Ended, str]:
    """Runs a command against a fault; says how it ended, and what is wrong with that."""
    folder.mkdir()
    write_texts(folder / "texts.jsonl")
    server.set(fault, passing=passing)
    words = arguments(folder / "texts.jsonl", folder / "run", server.spec(service))
    ended = run(words, folder, SERPER_API_KEY=KEY)
    wrong = problem(ended, service, server, folder / "run", clean)
    return ended, wrong or ("" if server.faults else "the fault was never met")


def without_faults(server: SearchServer, service: str, folder: Path) -> dict[str, list[str]]:
    """The verdicts of a run without faults."""
    folder.mkdir()
    write_texts(folder / "texts.jsonl")
    server.set(None)
    words = arguments(folder / "texts.jsonl", folder / "run", server.spec(service))
    ended = run(words, folder, SERPER_API_KEY=KEY)
    assert ended.status == 0, ended.said
    return server_faults.verdicts(folder / "run")


def main() -> int:
    """Runs all faults; returns how many were met badly."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--service", action="append", choices=SERVICES, help="all by default")
    parser.add_argument("--only", action="append", default=[], help="faults, by name")
    options = parser.parse_args()
    warm()
    bad = total = 0
    highest = slowest = 0.0
    with tempfile.TemporaryDirectory() as place:
        server = SearchServer()
        for service in options.service or SERVICES:
            clean = without_faults(server, service, Path(place) / service)
            cells = sum(map(len, clean.values()))
            print(f"{service}: {cells} verdicts in {server.requests} requests")
            for number, (name, fault) in enumerate(FAULTS[service].items()):
                if options.only and name not in options.only:
                    continue
                for passing in (True, False):
                    folder = Path(place) / f"{service}-{number}-{passing}"
                    ended, wrong = meet(
                        server, service, fault, passing=passing, folder=folder, clean=clean
                    )
                    total, bad = total + 1, bad + bool(wrong)
                    highest, slowest = max(highest, ended.memory), max(slowest, ended.seconds)
                    kind = "passing" if passing else "lasting"
                    print(
                        f"{service:<10}{name:<34}{kind:<9}exit {ended.status:<4}"
                        f"{server.requests:>5} requests{ended.seconds:>6.1f} s"
                        f"{ended.memory:>6.0f} MB  {wrong}",
                        flush=True,
                    )
        server.close()
    print(f"{total} met, {bad} badly, at most {highest:.0f} MB, {slowest:.1f} s")
    return bad


if __name__ == "__main__":
    sys.exit(bool(main()))
