"""Meets a model's server that breaks HTTP, JSON or its own format in many ways.

    python tests/robustness/server_faults.py

A server of raw sockets answers the prompts of a small job, with one kind of fault at a time: once
for the first attempt of every prompt, then well (*passing*), and for every prompt after the first
exchange (*lasting*). Each job is a command in a process of its own. Printed are the exit status,
the scores against those of a job without faults, and the peak memory.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parents[1]
COMMAND = "from dfactscore._cli.app import main; main()"
Fault = Callable[[bytes], "Iterator[bytes | float | None]"]
"""Of a good body, what goes over the wire: bytes, pauses in seconds; None resets the connection."""


def http(body: bytes, status: str = "200 OK", length: bool = True, **headers: str) -> bytes:
    """A response as it should be."""
    lines = [f"HTTP/1.1 {status}", "Content-Type: application/json", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if length:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode("utf-8", "surrogateescape") + b"\r\n\r\n" + body


def chunked(*parts: bytes) -> bytes:
    return http(b"", length=False, Transfer_Encoding="chunked") + b"".join(parts)


def _whole(make: Callable[[bytes], bytes]) -> Fault:
    def send(body: bytes) -> Iterator[bytes]:
        yield make(body)

    return send


def _status(status: str, said: Any = None, **headers: str) -> Fault:
    text = {"error": {"message": "no", "code": None}} if said is None else said
    body = text if isinstance(text, bytes) else json.dumps(text).encode()
    return _whole(lambda _: http(body, status, **headers))


def _reply(change: Callable[[dict[str, Any]], Any]) -> Fault:
    """A good reply with something changed in it."""

    def make(body: bytes) -> bytes:
        reply = json.loads(body)
        changed = change(reply)
        data = changed if isinstance(changed, bytes) else json.dumps(changed or reply).encode()
        return http(data)

    return _whole(make)


def _message(**fields: Any) -> Fault:
    return _reply(lambda reply: reply["choices"][0]["message"].update(fields))


def _choice(**fields: Any) -> Fault:
    return _reply(lambda reply: reply["choices"][0].update(fields))


def _usage(value: Any) -> Fault:
    return _reply(lambda reply: reply.update(usage=value))


def _bomb(_: bytes) -> Iterator[bytes]:
    """Two and a half gigabytes of blanks in 2.5 MB of gzip."""
    block = zlib.compressobj(9, zlib.DEFLATED, -15)
    part = block.compress(b" " * 2**20) + block.flush(zlib.Z_FULL_FLUSH)
    head = http(b"", length=False, Content_Encoding="gzip")
    yield head + b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff"
    for _ in range(2500):
        yield part


def _large(_: bytes) -> Iterator[bytes]:
    yield http(b"", length=False)
    for _ in range(300):
        yield b" " * 2**20


def _drip(body: bytes) -> Iterator[bytes | float]:
    yield http(body)[:60]
    for _ in range(40):
        yield b" "
        yield 0.1


def _silence(_: bytes) -> Iterator[float]:
    yield 4.0


def _reset(_: bytes) -> Iterator[None]:
    yield None


def _reset_within(body: bytes) -> Iterator[bytes | None]:
    yield http(body)[:-20]
    yield None


FAULTS: dict[str, Fault] = {
    # What is not HTTP.
    "closes at once": _whole(lambda _: b""),
    "resets": _reset,
    "resets within the body": _reset_within,
    "is silent": _silence,
    "drips": _drip,
    "is an SSH server": _whole(lambda _: b"SSH-2.0-OpenSSH_9.6\r\n"),
    "is a mail server": _whole(lambda _: b"220 mail ESMTP\r\n"),
    "speaks TLS": _whole(lambda _: b"\x15\x03\x03\x00\x02\x02\x46"),
    "sends bytes": _whole(lambda _: bytes(range(256)) * 8),
    "sends blank lines": _whole(lambda _: b"\r\n" * 500),
    "speaks HTTP/2": _whole(lambda _: b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    "status line cut": _whole(lambda _: b"HTTP/1.1 2"),
    "status line without a number": _whole(lambda b: http(b, "OK")),
    "status 99": _whole(lambda b: http(b, "99 Low")),
    "status 1000": _whole(lambda b: http(b, "1000 High")),
    "version 9.9": _whole(lambda b: http(b).replace(b"HTTP/1.1", b"HTTP/9.9")),
    "status line of 200 kB": _whole(lambda b: http(b, "200 " + "x" * 200_000)),
    # Headers.
    "negative length": _whole(lambda b: http(b, length=False, Content_Length="-5")),
    "length is a word": _whole(lambda b: http(b, length=False, Content_Length="many")),
    "two lengths": _whole(lambda b: http(b, Content_length="7")),
    "length too large": _whole(lambda b: http(b, length=False, Content_Length=str(len(b) + 99))),
    "length too small": _whole(lambda b: http(b, length=False, Content_Length="20")),
    "length of 10^30": _whole(lambda b: http(b, length=False, Content_Length="1" + "0" * 30)),
    "header of 1 MB": _whole(lambda b: http(b, X="x" * 2**20)),
    "100,000 headers": _whole(lambda b: http(b, **{f"X{n}": "x" for n in range(100_000)})),
    "NUL in a header": _whole(lambda b: http(b, X="a\x00b")),
    "header without a colon": _whole(lambda b: http(b).replace(b"Connection:", b"Connection")),
    "folded header": _whole(lambda b: http(b, X="a\r\n b")),
    "unknown transfer encoding": _whole(lambda b: http(b, Transfer_Encoding="zebra")),
    "length and chunks": _whole(lambda b: http(b, Transfer_Encoding="chunked")),
    # Chunks and packing.
    "chunk size is a word": _whole(lambda b: chunked(b"zz\r\n", b, b"\r\n0\r\n\r\n")),
    "chunk size of 10^15": _whole(lambda b: chunked(b"fffffffffffff\r\n", b)),
    "negative chunk": _whole(lambda b: chunked(b"-1\r\n", b)),
    "chunk cut": _whole(lambda b: chunked(b"%x\r\n" % len(b), b[:-9])),
    "no last chunk": _whole(lambda b: chunked(b"%x\r\n" % len(b), b, b"\r\n")),
    "chunk extension of 1 MB": _whole(
        lambda b: chunked(b"%x;%s\r\n" % (len(b), b"x" * 2**20), b, b"\r\n0\r\n\r\n")
    ),
    "damaged trailers": _whole(
        lambda b: chunked(b"%x\r\n" % len(b), b, b"\r\n0\r\n\x00\xff garbage\r\n\r\n")
    ),
    "gzip cut": _whole(lambda b: http(gzip.compress(b)[:-12], Content_Encoding="gzip")),
    "gzip damaged": _whole(
        lambda b: http(gzip.compress(b)[:20] + bytes(40), Content_Encoding="gzip")
    ),
    "gzip announced, plain sent": _whole(lambda b: http(b, Content_Encoding="gzip")),
    "gzip twice": _whole(
        lambda b: http(gzip.compress(gzip.compress(b)), Content_Encoding="gzip, gzip")
    ),
    "gzip bomb of 2.5 GB": _bomb,
    "packed as br": _whole(lambda b: http(b, Content_Encoding="br")),
    "packed as deflate": _whole(lambda b: http(zlib.compress(b), Content_Encoding="deflate")),
    "packed as nonsense": _whole(lambda b: http(b, Content_Encoding="\udcff\udcfe")),
    "300 MB of blanks": _large,
    # Status codes.
    "1,000 times 100": _whole(lambda b: b"HTTP/1.1 100 Continue\r\n\r\n" * 1000 + http(b)),
    "101": _status("101 Switching Protocols"),
    "204": _status("204 No Content", b""),
    "206": _status("206 Partial Content", b"{"),
    "300": _status("300 Multiple Choices"),
    "301": _status("301 Moved", Location="/v1/chat/completions"),
    "302 elsewhere": _status("302 Found", Location="http://198.51.100.7/"),
    "303": _status("303 See Other", Location="/x"),
    "304": _status("304 Not Modified", b""),
    "307 to itself": _status("307 Temporary Redirect", Location="/v1/chat/completions"),
    "307 elsewhere": _status("307 Temporary Redirect", Location="http://198.51.100.7/v1"),
    "308 elsewhere": _status("308 Permanent Redirect", Location="https://example.invalid/v1"),
    "307 to another port": _status("307 Temporary Redirect", Location="http://127.0.0.1:9/v1"),
    "307 to a file": _status("307 Temporary Redirect", Location="file:///etc/passwd"),
    "307 without a place": _status("307 Temporary Redirect"),
    "307 to a damaged address": _status("307 Temporary Redirect", Location="http://[::1/v1"),
    "400": _status("400 Bad Request"),
    "400 without a word": _status("400 Bad Request", b""),
    "400 content filter": _status("400 Bad", {"error": {"code": "content_filter"}}),
    "400 a list": _status("400 Bad", [1, 2]),
    "401": _status("401 Unauthorized"),
    "402": _status("402 Payment Required"),
    "403": _status("403 Forbidden", b"<html>go away</html>"),
    "404": _status("404 Not Found"),
    "405": _status("405 Method Not Allowed"),
    "408": _status("408 Request Timeout"),
    "409": _status("409 Conflict"),
    "413": _status("413 Too Large"),
    "418": _status("418 Teapot"),
    "422": _status("422 Unprocessable", {"detail": [{"loc": ["body"]}]}),
    "429": _status("429 Too Many Requests"),
    "429 for a millennium": _status("429 Slow", Retry_After="31557600000"),
    "429 absurd date": _status("429 Slow", Retry_After="Fri, 99 Foo 99999 99:99:99 GMT"),
    "429 superscript": _status("429 Slow", Retry_After_Ms="\udcc2\udcb2"),
    "429 negative": _status("429 Slow", Retry_After="-5"),
    "451": _status("451 Unavailable"),
    "500": _status("500 Internal"),
    "500 nested": _status("500 Internal", b"[" * 200_000),
    "501": _status("501 Not Implemented"),
    "502 as a page": _status("502 Bad Gateway", b"<html><body>Bad gateway</body></html>"),
    "503": _status("503 Unavailable"),
    "504": _status("504 Timeout", b"\xff\xfe\x00"),
    "505": _status("505 Version"),
    "520": _status("520 Unknown", {"error": "text"}),
    "599": _status("599 Odd", {"error": {"message": ["x"], "code": {"a": 1}}}),
    # Bodies that are not what was announced.
    "empty": _whole(lambda _: http(b"")),
    "blanks": _whole(lambda _: http(b" \n ")),
    "a page": _whole(lambda _: http(b"<html></html>")),
    "null": _whole(lambda _: http(b"null")),
    "a list": _whole(lambda _: http(b"[]")),
    "a text": _whole(lambda _: http(b'"x"')),
    "a number": _whole(lambda _: http(b"9" * 5000)),
    "NaN": _whole(lambda _: http(b"NaN")),
    "200,000 brackets": _whole(lambda _: http(b"[" * 200_000)),
    "200,000 objects": _whole(lambda _: http(b'{"a":' * 200_000)),
    "half of the JSON": _whole(lambda b: http(b[: len(b) // 2])),
    "JSON twice": _whole(lambda b: http(b + b)),
    "UTF-16": _whole(lambda b: http(b.decode().encode("utf-16"))),
    "not UTF-8": _whole(lambda b: http(b.replace(b"stub", b"st\xff\xfeb"))),
    "NUL bytes": _whole(lambda b: http(b.replace(b" ", b"\x00"))),
    "a stream of events": _whole(lambda b: http(b"data: " + b + b"\n\ndata: [DONE]\n\n")),
    # Replies that stray from the format.
    "no choices": _reply(lambda r: r.pop("choices") and None),
    "choices null": _reply(lambda r: r.update(choices=None)),
    "choices an object": _reply(lambda r: r.update(choices={})),
    "choices empty": _reply(lambda r: r.update(choices=[])),
    "choice null": _reply(lambda r: r.update(choices=[None])),
    "choice a text": _reply(lambda r: r.update(choices=["x"])),
    "no message": _reply(lambda r: r["choices"][0].pop("message") and None),
    "message a text": _choice(message="x"),
    "content null": _message(content=None),
    "content a number": _message(content=7),
    "content a list": _message(content=[{"type": "text", "text": "{}"}, None, 3]),
    "content an object": _message(content={"1": True}),
    "content of 5 MB": _message(content="true " * 10**6),
    "content a surrogate": _reply(lambda r: json.dumps(r).replace("true", "\\ud800").encode()),
    "content of brackets": _message(content="[" * 100_000),
    "finish a number": _choice(finish_reason=7),
    "refused": _message(content=None, refusal="I will not."),
    "tool calls": _message(content=None, tool_calls=[{"function": {"arguments": 5}}]),
    "tool calls a text": _message(content=None, tool_calls="x"),
    "usage null": _usage(None),
    "usage a text": _usage("many"),
    "usage of words": _usage({"prompt_tokens": "x", "completion_tokens": []}),
    "usage negative": _usage({"prompt_tokens": -5, "completion_tokens": -1e9}),
    "usage endless": _usage({"prompt_tokens": 1e308, "completion_tokens": 10**400}),
    "logprobs a text": _choice(logprobs="x"),
    "logprobs null": _choice(logprobs={"content": [None, {"token": 7, "logprob": "x"}]}),
    "logprobs NaN": _choice(logprobs={"content": [{"token": "true", "logprob": float("nan")}]}),
    "logprobs endless": _choice(
        logprobs={"content": [{"token": "true", "logprob": -9e999, "top_logprobs": "x"}]}
    ),
    "an error with 200": _reply(lambda _: {"error": {"message": "no", "code": 503}}),
    "an error text with 200": _reply(lambda _: {"error": "no"}),
    "an error code ² with 200": _reply(lambda _: {"error": {"code": "²", "message": None}}),
    "an error list with 200": _reply(lambda _: {"error": [1], "choices": []}),
    "model a list": _reply(lambda r: r.update(model=["x"], system_fingerprint={"a": 1})),
}
"""Every kind of fault, by name."""


def stub_module() -> Any:
    """The stub server's module, which knows the good answers."""
    path = TESTS / "helpers" / "stub_server.py"
    spec = importlib.util.spec_from_file_location("stub_server", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


class FaultServer:
    """Answers prompts well, except with the fault that is set.

    Attributes:
        fault: What it does; None for good answers.
        passing: Whether a prompt's second attempt is answered well.
        faults: How often it did it.
    """

    def __init__(self) -> None:
        self._module = stub_module()
        self._stub = self._module.Stub(self._module.Settings())
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.base_url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/v1"
        self._lock = threading.Lock()
        self.set(None)
        threading.Thread(target=self._accept, daemon=True).start()

    def set(self, fault: Fault | None, *, passing: bool = False) -> None:
        """Chooses the fault and forgets what was asked."""
        self.fault, self.passing, self.faults = fault, passing, 0
        self._seen: set[bytes] = set()

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
        with connection:
            try:
                asked = self._read(connection)
                if asked is not None:
                    self._answer(connection, asked)
            except OSError:
                return

    def _read(self, connection: socket.socket) -> bytes | None:
        data = b""
        while b"\r\n\r\n" not in data:
            part = connection.recv(65536)
            if not part:
                return None
            data += part
        head, _, body = data.partition(b"\r\n\r\n")
        lengths = [
            int(line.split(b":")[1])
            for line in head.split(b"\r\n")
            if line.lower().startswith(b"content-length:")
        ]
        while len(body) < (lengths or [0])[0]:
            body += connection.recv(65536)
        return body

    def _answer(self, connection: socket.socket, asked: bytes) -> None:
        request = json.loads(asked)
        user, system = self._module.base_prompt(request["messages"])
        stage = self._module.stage_of(user, system)
        with self._lock:
            good = json.dumps(self._stub.reply(request, stage, user, "")).encode()
            faulty = self.fault is not None and stage != "probe"
            faulty = faulty and not (self.passing and asked in self._seen)
            self._seen.add(asked)
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


def write_biographies(path: Path) -> None:
    """Two short biographies with two pages each."""
    rows = []
    for n, name in enumerate(("Robin Vale", "Ann Moor")):
        pages = [
            (f"{name} ({work})", f"{name} was a {work} of Bergen.") for work in ["judge", "baker"]
        ]
        rows.append({
            "id": str(n), "name": name,
            "text": f"{name} was a judge of Bergen. {name} taught seven pupils.",
            "passages": [{"title": title, "text": text} for title, text in pages],
        })  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def arguments(bios: Path, out: Path, cache: Path, base_url: str) -> list[str]:
    """The words of the command."""
    settings = out.with_name("settings.yaml")
    settings.write_text("retries: 1\nbackoff: 0.01\ntimeout: 1\nmax_wait: 5\n", "utf-8")
    return [
        "score", str(bios), "--out", str(out), "--cache", str(cache), "--base-url", base_url,
        "--engine", "llm", "--model", "stub", "--decomposer", "builtin", "--grouper", "builtin",
        "--config", str(settings), "--format", "json", "--quiet",
    ]  # fmt: skip


def verdicts(folder: Path) -> dict[str, list[str]]:
    """The statuses of every cell of a run, by biography and entity."""
    lines = (folder / "verdicts.jsonl").read_text("utf-8").split("\n")
    return {
        f"{row['id']} {entity['id']}": entity["status"]
        for row in map(json.loads, filter(None, lines))
        for entity in row["entities"]
    }


def problem(status: int, said: str, folder: Path, clean: dict[str, list[str]]) -> str:
    """Returns the dishonesty in the outcome of a job; empty if there is none."""
    if "Traceback" in said or status not in (0, 1, 2):
        return f"exit {status}: {said[-300:]!r}"
    if status == 2:
        last = [line for line in said.split("\n") if line][-1:]
        return "" if last and last[0].startswith("dfactscore: ") else f"says {last}"
    found = verdicts(folder)
    if set(found) != set(clean):
        return f"entities are missing: {sorted(set(clean) - set(found))}"
    for key, cells in found.items():
        for ours, theirs in zip(cells, clean[key], strict=True):
            if ours in ("supported", "not_supported") and ours != theirs:
                return f"{key}: {ours} instead of {theirs}"
    return ""


def main() -> int:
    """Runs all faults; returns how many were met badly."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", action="append", default=[], help="faults, by name")
    options = parser.parse_args()
    server = FaultServer()
    bad = 0
    highest = 0.0
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write_biographies(folder / "bios.jsonl")

        def run(name: str) -> tuple[int, str, float]:
            words = arguments(
                folder / "bios.jsonl", folder / name, folder / f"{name}.db", server.base_url
            )
            process = subprocess.Popen(
                [sys.executable, "-c", COMMAND, *words],
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            )  # fmt: skip
            assert process.stderr is not None
            said = process.stderr.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, said, usage.ru_maxrss / 1024

        status, said, base = run("clean")
        if status:
            raise SystemExit(said)
        clean = verdicts(folder / "clean")
        print(f"without faults: {sum(map(len, clean.values()))} verdicts, {base:.0f} MB")
        print(f"{'fault':<32}{'passing':>12}{'lasting':>12}{'MB':>6}")
        chosen = {n: f for n, f in FAULTS.items() if not options.only or n in options.only}
        for number, (name, fault) in enumerate(chosen.items()):
            cells = []
            most = 0.0
            notes = []
            for passing in (True, False):
                server.set(fault, passing=passing)
                out = f"{'p' if passing else 'l'}{number}"
                status, said, peak = run(out)
                most = max(most, peak)
                wrong = problem(status, said, folder / out, clean)
                wrong = wrong or ("" if server.faults else "the fault was never met")
                wrong = wrong or (f"{peak:.0f} MB" if peak > 200 else "")
                same = status == 0 and verdicts(folder / out) == clean
                cells.append("the same" if same else "refused" if status == 2 else "unreadable")
                if wrong:
                    bad += 1
                    notes.append(f"    {'passing' if passing else 'lasting'}: {wrong}")
            highest = max(highest, most)
            print(f"{name:<32}{cells[0]:>12}{cells[1]:>12}{most:>6.0f}", flush=True)
            for note in notes:
                print(note)
    print(f"{len(chosen)} faults, {bad} met badly, at most {highest:.0f} MB")
    server.close()
    return bad


if __name__ == "__main__":
    sys.exit(bool(main()))
