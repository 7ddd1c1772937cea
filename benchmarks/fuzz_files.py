"""Damages every file that a command reads, in many ways, and looks at what the command says.

    python benchmarks/fuzz_files.py --files 2000
    python benchmarks/fuzz_files.py --files 200 --only "score csv" --only rescore

For each command a folder of good files is made from the shipped example. Then, for each damaged
file, the command runs in this process, and what it says is checked: exit status 0, 1 or 2, no
traceback; where it refuses, one line that begins with ``dfactscore: ``, and no place in another
style than ``file:line``; and at most two seconds of processor time, and two more for each megabyte
of the damaged file. Printed are the numbers by command and every kind of failure with its
seed. One process a command, so that a crash of a library ends that command's row only.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import gzip
import io
import json
import multiprocessing
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SECONDS = 60
SLOW = 2.0  # seconds of processor time, and as many a megabyte
_OTHER_STYLE = re.compile(r"\bline \d+ of |, line \d+|\(line \d+\)$")
ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 3.5, 1e308, -0.0, 10**30, "", " ", "x", "\u2028", "a\x85b", "\x00",
    "\ufeff", "\ud800", "\udfff", "²", "١٢", "=1+1", "../../x", "x" * 300, "x" * 5000, [], {}, [[]],
    [None], [0], [{}], {"": 0}, {"x": None}, ["x", 1], "nan", "2001-99-99", "\r\n", "'", '"', "\\",
)  # fmt: skip
TEXTS = ("", "\x00", "\u2028", "\x85", "\ufeff", "\r", "\x0b", "\x0c", "{", "[", '"', "\t", ",",
         "NaN", "Infinity", "1e999", "null", "\\ud800", "[" * 200_000, '{"a":' * 200_000,
         "9" * 5000, "é", "\U0001f600")  # fmt: skip


def damage(data: bytes, rng: random.Random) -> bytes:
    """One damaged version of a file, whatever it is."""
    kind = rng.randrange(10)
    if kind == 0:
        return data[: rng.randrange(len(data) + 1)]
    if kind == 1:
        out = bytearray(data)
        for _ in range(rng.choice((1, 1, 3, 30, 300))):
            if out:
                out[rng.randrange(len(out))] = rng.randrange(256)
        return bytes(out)
    if kind == 2:
        at = rng.randrange(len(data) + 1)
        return data[:at] + rng.choice(TEXTS).encode("utf-8", "surrogatepass") + data[at:]
    if kind == 3:
        a, b = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        return data[:a] + data[min(b, a + rng.choice((1, 10, 1000, 10**9))) :]
    if kind == 4:
        a, b = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        return data[:b] + data[a:]
    if kind == 5:
        return rng.choice((b"", b"\xef\xbb\xbf" + data, data.replace(b"\n", b"\r\n"),
                           data.replace(b"\n", b"\r"), data.replace(b"\n", b" "), b"\x00" * 64,
                           data + b"\x00" * 64, data.replace(b"\n", b"\n\n"), b"\n", b"[]", b"{}",
                           b"null", b"1", b'"x"', b"x", data[::-1],
                           data.decode("latin-1").encode("utf-16")))  # fmt: skip
    return _damage_values(data, rng)


def _damage_values(data: bytes, rng: random.Random) -> bytes:
    """Damages a value within JSON; other files get an odd text between two separators."""
    try:
        whole = json.loads(data)
        lines = None
    except ValueError:
        try:
            lines = [json.loads(line) for line in data.splitlines() if line.strip()]
        except ValueError:
            return _damage_cell(data, rng)
        if not lines:
            return data + b"x"
        whole = lines
    for _ in range(rng.choice((1, 1, 2, 5))):
        whole = _with_odd(whole, rng)
    if lines is None or not isinstance(whole, list):
        return _dumps(whole)
    return b"".join(_dumps(line) + b"\n" for line in whole)


def _dumps(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _with_odd(value: Any, rng: random.Random) -> Any:
    """The value with one node replaced, removed or added, somewhere below."""
    if isinstance(value, dict) and value and rng.random() < 0.85:
        key = rng.choice(list(value))
        new = dict(value)
        what = rng.random()
        if what < 0.12:
            del new[key]
        elif what < 0.2:
            new[rng.choice(("x", "", "text", "name", "id", key.upper()))] = rng.choice(ODD)
        else:
            new[key] = _with_odd(value[key], rng)
        return new
    if isinstance(value, list) and value and rng.random() < 0.85:
        at = rng.randrange(len(value))
        what = rng.random()
        if what < 0.1:
            return value[:at] + value[at + 1 :]
        if what < 0.2:
            return [*value, value[at]]
        return [*value[:at], _with_odd(value[at], rng), *value[at + 1 :]]
    if rng.random() < 0.03:
        deep: Any = 0
        for _ in range(rng.choice((90, 150, 900))):
            deep = [deep]
        return deep
    return rng.choice(ODD)


def _damage_cell(data: bytes, rng: random.Random) -> bytes:
    cuts = [m.start() for m in re.finditer(rb"[\t,;:\n<>=]", data)]
    if len(cuts) < 2:
        return data + b"x"
    at = rng.randrange(len(cuts) - 1)
    odd = str(rng.choice(ODD)).encode("utf-8", "replace")
    return data[: cuts[at] + 1] + odd + data[cuts[at + 1] :]


@dataclass(frozen=True)
class Target:
    """A command and the files that it reads, relative to its folder."""

    name: str
    argv: tuple[str, ...]
    files: tuple[str, ...]
    made: tuple[str, ...] = ()


RUN = tuple(
    f"run/{name}"
    for name in ("manifest.json", "biographies.jsonl", "facts.jsonl", "groups.jsonl",
                 "verdicts.jsonl", "documents.jsonl", "scores.csv", "timing.json")
)  # fmt: skip
BM25 = ("manifest.json", "passages.sqlite", "bm25/bm25.json", "bm25/vocabulary.json",
        "bm25/data.npy", "bm25/indices.npy", "bm25/indptr.npy")  # fmt: skip
INDEX = tuple(f"index/{name}" for name in BM25)
DRY = ("--engine", "llm", "--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--dry-run")
DUMP = ("ambigbio", "build", "--out", "o.jsonl", "--dump")
DUMPED = ("o.jsonl", "o.log.jsonl", "o.pages.jsonl", "o.jsonl.cache", "o.cache")
TARGETS = (
    Target("score jsonl", ("score", "bios.jsonl", "--out", "o"), ("bios.jsonl",), ("o",)),
    Target("score json", ("score", "alce.json", "--out", "o"), ("alce.json",), ("o",)),
    Target("score csv", ("score", "bios.csv", "--out", "o"), ("bios.csv",), ("o",)),
    Target("score tsv", ("score", "bios.tsv", "--out", "o"), ("bios.tsv",), ("o",)),
    Target("score labeled", ("score", "labeled.jsonl", "--out", "o"), ("labeled.jsonl",), ("o",)),
    Target("score pages", ("score", "bios.jsonl", "--pages", "pages.jsonl", "--out", "o"),
           ("pages.jsonl",), ("o",)),
    Target("score store", ("score", "bios.jsonl", "--pages", "pages.sqlite", "--out", "o"),
           ("pages.sqlite",), ("o",)),
    Target("score dataset", ("score", "bios.jsonl", "--pages", "pages.jsonl", "--candidates",
                             "dataset", "--dataset", "ambigbio.jsonl", "--out", "o"),
           ("ambigbio.jsonl",), ("o",)),
    Target("score index", ("score", "plain.jsonl", "--pages", "pages.jsonl", "--fs-scope", "corpus",
                           "--index", "index", "--out", "o"), INDEX, ("o",)),
    Target("score config", ("score", "bios.jsonl", "--config", "settings.yaml", "--out", "o"),
           ("settings.yaml",), ("o",)),
    Target("score dry", ("score", "bios.jsonl", "--prices", "prices.json", "--prompts", "prompts",
                         "--cache", "cache.sqlite", "--out", "o", *DRY),
           ("prices.json", "prompts/verify.txt", "cache.sqlite"), ("o",)),
    Target("score resume", ("score", "bios.jsonl", "--pages", "pages.jsonl", "--out", "run"), RUN),
    Target("rescore run", ("rescore", "run", "--link", "hungarian"), RUN),
    Target("rescore released", ("rescore", "released.json"), ("released.json",)),
    Target("rescore released lines", ("rescore", "released.jsonl"), ("released.jsonl",)),
    Target("rescore labeled", ("rescore", "labeled.jsonl"), ("labeled.jsonl",)),
    Target("compare", ("compare", "run", "other", "--resamples", "100"), RUN),
    Target("compare files", ("compare", "a=released.json", "b=released.json", "c=scores.csv",
                             "--resamples", "100"), ("released.json", "scores.csv")),
    Target("mixing", ("mixing", "run", "--graphml", "o.graphml"), RUN, ("o.graphml",)),
    Target("report", ("report", "run", "--out", "o.html"), RUN, ("o.html",)),
    Target("popularity", ("popularity", "run", "--views", "views.jsonl"), (*RUN, "views.jsonl")),
    Target("citations", ("citations", "bios.jsonl", "--out", "o.jsonl"), ("bios.jsonl",),
           ("o.jsonl",)),
    Target("citations judged", ("citations", "--judged", "judged.jsonl"), ("judged.jsonl",)),
    Target("generate passages", ("generate", "--passages", "passages.jsonl", "--generator",
                                 "extractive", "--out", "o.jsonl", "--alce", "o.json"),
           ("passages.jsonl",), ("o.jsonl", "o.json", "o.manifest.json")),
    Target("generate names", ("generate", "--names", "names.csv", "--index", "index",
                              "--generator", "extractive", "--out", "o.jsonl"),
           ("names.csv", *INDEX), ("o.jsonl", "o.manifest.json")),
    Target("generate resume", ("generate", "--passages", "passages.jsonl", "--generator",
                               "extractive", "--out", "made.jsonl"),
           ("made.jsonl", "made.manifest.json")),
    Target("run", ("run", "experiment.yaml", "--out", "o"), ("experiment.yaml",), ("o",)),
    Target("index build", ("index", "build", "pages.jsonl", "--out", "o"), ("pages.jsonl",),
           ("o", "o.errors.jsonl")),
    Target("index build gz", ("index", "build", "pages.jsonl.gz", "--out", "o"),
           ("pages.jsonl.gz",), ("o", "o.errors.jsonl")),
    Target("index build tsv", ("index", "build", "psgs.tsv", "--out", "o"), ("psgs.tsv",),
           ("o", "o.errors.jsonl")),
    Target("index build parquet", ("index", "build", "pages.parquet", "--out", "o"),
           ("pages.parquet",), ("o", "o.errors.jsonl")),
    Target("index add", ("index", "add", "index", "more.jsonl"), (*INDEX, "more.jsonl")),
    Target("index pages", ("index", "pages", "pages.jsonl", "--out", "o.sqlite"), ("pages.jsonl",),
           ("o.sqlite", "o.sqlite.partial", "o.sqlite.errors.jsonl")),
    Target("index search", ("index", "search", "index", "Dick Hanley"), INDEX),
    Target("index evaluate", ("index", "evaluate", "index", "questions.jsonl"),
           ("questions.jsonl",)),
    Target("index info", ("index", "info", "index", "--verify"), INDEX),
    Target("ambigbio dump", (*DUMP, "dump.xml", "--names", "1"), ("dump.xml",), DUMPED),
    Target("ambigbio dump gz", (*DUMP, "dump.xml.gz", "--names", "1"), ("dump.xml.gz",), DUMPED),
    Target("ambigbio dump bz2", (*DUMP, "dump.xml.bz2", "--names", "1"), ("dump.xml.bz2",),
           DUMPED),
    Target("ambigbio cache", (*DUMP, "dump.xml", "--names", "1", "--cache", "dump.cache"),
           ("dump.cache",), DUMPED),
    Target("ambigbio names", (*DUMP, "dump.xml", "--names-file", "lee.tsv"), ("lee.tsv",), DUMPED),
    Target("ambigbio info", ("ambigbio", "info", "ambigbio.jsonl"), ("ambigbio.jsonl",)),
    Target("ambigbio validate", ("ambigbio", "validate", "ambigbio.jsonl", "--pages",
                                 "ambigbio.pages.jsonl"),
           ("ambigbio.jsonl", "ambigbio.pages.jsonl")),
    Target("ambigbio export", ("ambigbio", "export", "ambigbio.jsonl", "--pages",
                               "ambigbio.pages.jsonl", "--out", "o"),
           ("ambigbio.jsonl", "ambigbio.pages.jsonl"), ("o",)),
    Target("ambigbio diff", ("ambigbio", "diff", "ambigbio.jsonl", "old.jsonl"),
           ("ambigbio.jsonl",)),
    Target("cache info", ("cache", "info", "--cache", "cache.sqlite"), ("cache.sqlite",)),
    Target("cache export", ("cache", "export", "o.jsonl", "--cache", "cache.sqlite"),
           ("cache.sqlite",), ("o.jsonl",)),
)  # fmt: skip


@dataclass
class Answer:
    """What a command did."""

    status: int | None
    said: str
    failure: str
    seconds: float


class _TooLong(BaseException):
    pass


def call(argv: tuple[str, ...], folder: Path, seconds: int = SECONDS) -> Answer:
    """Runs a command in this process, as the shell would."""
    from dfactscore.cli.app import main

    def late(*_: Any) -> None:
        raise _TooLong

    out, err = io.StringIO(), io.StringIO()
    begun = time.process_time()
    status: int | None = 0
    failure = ""
    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        with (
            _inside(folder),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            _arguments(["dfactscore", *argv]),
        ):
            main()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(bool(end.code))
    except _TooLong:
        status, failure = None, f"took more than {seconds} s"
    except BaseException as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(last.filename).name}:{last.lineno}"
        status, failure = None, f"{type(error).__name__} at {place}: {str(error)[:120]}"
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    return Answer(status, err.getvalue(), failure, time.process_time() - begun)


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextlib.contextmanager
def _arguments(argv: list[str]) -> Iterator[None]:
    before, sys.argv = sys.argv, argv
    said = warnings.formatwarning
    try:
        with warnings.catch_warnings():
            yield
    finally:
        sys.argv, warnings.formatwarning = before, said


def fault(answer: Answer) -> str:
    """What is wrong with how a command ended; empty where nothing is."""
    if answer.failure:
        return answer.failure
    if answer.status not in (0, 1, 2):
        return f"exit status {answer.status}"
    if "Traceback" in answer.said:
        return "prints a traceback"
    lines = [line for line in answer.said.split("\n") if line]
    refusals = [line for line in lines if line.startswith("dfactscore: ") and "warning" not in line]
    if answer.status == 2:
        if not lines or not lines[-1].startswith("dfactscore: "):
            return f"refuses without a line of its own: {answer.said[-200:]!r}"
        if len(refusals) > 1:
            return f"refuses in {len(refusals)} lines"
        if len(lines[-1]) > 1200:
            return f"refuses in {len(lines[-1]):,} letters"
    for line in lines:
        if _OTHER_STYLE.search(line):
            return f"names a place in another style: {_OTHER_STYLE.search(line)[0]!r}"
    return ""


def make_files(folder: Path) -> None:
    """Makes the good files that the commands read."""
    from dfactscore.examples import example

    shipped = example()
    rows = [json.loads(line) for line in shipped.biographies.read_text("utf-8").split("\n") if line]
    rows = [{**row, "text": ". ".join(row["text"].split(". ")[:2]) + "."} for row in rows[:3]]
    names = list(dict.fromkeys(row["name"] for row in rows))
    facts = [{"text": f"{rows[2]['name']} was born.", "sentence": 0},
             {"text": "He died.", "span": [0, 4]}]  # fmt: skip
    _lines(folder / "plain.jsonl", rows[:2])
    verdicts = [True, {"status": "supported", "probability": 0.9, "evidence": [0, 2, 5]}]
    _lines(folder / "bios.jsonl", [
        *rows[:2],
        {**rows[2], "facts": facts, "groups": [[0, 1]], "links": [None],
         "verdicts": {p["title"]: verdicts for p in rows[2]["passages"]}},
    ])  # fmt: skip
    (folder / "alce.json").write_bytes(_dumps({"args": {"x": 1}, "data": [
        {"question": f"Tell me a bio of {row['name']}", "output": row["text"],
         "docs": row["passages"]} for row in rows]}))  # fmt: skip
    for name, cut in (("bios.csv", ","), ("bios.tsv", "\t")):
        text = f"id{cut}name{cut}text{cut}passages\n"
        for row in rows[:2]:
            cells = (row["id"], row["name"], row["text"], json.dumps(row["passages"]))
            text += cut.join('"' + cell.replace('"', '""') + '"' for cell in cells) + "\n"
        (folder / name).write_text(text, "utf-8")
    _lines(folder / "labeled.jsonl", [
        {"topic": row["name"], "output": row["text"], "annotations": [
            {"text": "x", "is-relevant": True, "model-atomic-facts": [{"text": "a"}],
             "human-atomic-facts": [{"text": "He was born.", "label": "S"},
                                    {"text": "He died.", "label": "IR"}]}]}
        for row in rows])  # fmt: skip
    pages = [json.loads(line) for line in shipped.pages.read_text("utf-8").split("\n") if line]
    wanted = {passage["title"] for row in rows for passage in row["passages"]}
    pages = [page for page in pages if page["title"] in wanted]
    _lines(folder / "pages.jsonl", pages)
    data = (folder / "pages.jsonl").read_bytes()
    (folder / "pages.jsonl.gz").write_bytes(gzip.compress(data, mtime=0))
    _lines(folder / "more.jsonl", [{"title": "More", "text": "More text about Dick Hanley."}])
    psgs = "id\ttext\ttitle\n" + "".join(
        f'{n}\t"{p["text"][:200]}"\t{p["title"]}\n' for n, p in enumerate(pages)
    )
    (folder / "psgs.tsv").write_text(psgs, "utf-8")
    with contextlib.suppress(ImportError):
        import pyarrow as pa
        import pyarrow.parquet as pq

        columns = {key: [page[key] for page in pages] for key in ("title", "text")}
        pq.write_table(pa.table(columns), folder / "pages.parquet")
    fact = {"atom": "He was born.", "is_supported": True, "supporting_topic": "T"}
    no = {"atom": "He died.", "is_supported": False, "supporting_topic": None}
    passes = [[fact, no], None, [fact]]
    (folder / "released.json").write_bytes(
        _dumps({"decisions": passes, "global_decisions": passes, "num_groups": 1.5, "score": 0.4})
    )
    _lines(folder / "released.jsonl", [
        {"name": name, "decisions": p, "global_decisions": p}
        for name, p in zip("abc", passes, strict=True)])  # fmt: skip
    _lines(folder / "judged.jsonl", [
        {"id": "1", "name": "Al", "n_passages": 3, "status": "scored", "sentences": [
            {"text": "Al swam.", "citations": [1, 2], "entailed": True, "precise": [True, False]},
            {"text": "He won.", "citations": [], "entailed": None}]}] * 2)  # fmt: skip
    _lines(
        folder / "passages.jsonl",
        [{"name": row["name"], "id": row["id"], "passages": row["passages"]} for row in rows[::2]],
    )
    (folder / "lee.tsv").write_text("id\tname\n1\tAnn Lee\n", "utf-8")
    (folder / "names.csv").write_text("name\n" + "\n".join(names[:2]) + "\n", "utf-8")
    _lines(
        folder / "views.jsonl",
        [{"title": page["title"], "views": n, "aliases": ["x"]} for n, page in enumerate(pages)],
    )
    _lines(folder / "questions.jsonl", [{"name": name, "relevant": ["1"]} for name in names])
    (folder / "experiment.yaml").write_text(
        "names: names.csv\npages: pages.jsonl\ntop: 2\nlimit: 1\nmodels:\n  one:\n"
        "    generator: extractive\n    mode: mixing\nscore:\n  link: argmax\ncitations: true\n"
    )
    (folder / "settings.yaml").write_text("link: hungarian\ncandidates: named\ngamma: 10\n")
    (folder / "prices.json").write_text(
        '{"currency": "EUR", "date": "2026-01-01", '
        '"models": {"m": {"prompt": 0.15, "completion": 0.6, "batch": 0.5}}}'
    )
    (folder / "prompts").mkdir()
    (folder / "prompts" / "verify.txt").write_text(
        "# version 2\n[system]\nJudge.\n[user]\n{{page}}\n{{facts}}\n"
    )
    _make_dump(folder)
    for argv in (
        ("score", "bios.jsonl", "--pages", "pages.jsonl", "--out", "run"),
        ("score", "bios.jsonl", "--out", "other"),
        ("index", "pages", "pages.jsonl", "--out", "pages.sqlite"),
        ("index", "build", "pages.jsonl", "--out", "index"),
        ("generate", "--passages", "passages.jsonl", "--generator", "extractive", "--out",
         "made.jsonl"),
        ("ambigbio", "build", "--dump", "dump.xml", "--names", "1", "--cache", "dump.cache",
         "--pages", "full", "--out", "ambigbio.jsonl"),
    ):  # fmt: skip
        answer = call(argv, folder, seconds=600)
        if answer.status != 0:
            raise SystemExit(f"{argv}: {answer}")
    shutil.copy(folder / "run" / "scores.csv", folder / "scores.csv")
    shutil.copy(folder / "ambigbio.jsonl", folder / "old.jsonl")
    _make_cache(folder / "cache.sqlite")


def _lines(path: Path, rows: list[Any]) -> None:
    path.write_bytes(b"".join(_dumps(row) + b"\n" for row in rows))


def _make_dump(folder: Path) -> None:
    import bz2

    people = "".join(
        f"<page><title>Ann Lee ({job})</title><ns>0</ns><id>{n}</id><revision><id>{n}0</id>"
        f"<timestamp>2026-01-01T00:00:00Z</timestamp><text>'''Ann Lee''' (born {1900 + n}) is a "
        f"{job}.\n\n[[Category:{1900 + n} births]]\n[[Category:Living people]]</text></revision>"
        "</page>\n"
        for n, job in enumerate(("painter", "rower", "judge"), start=3)
    )
    links = "".join(f"* [[Ann Lee ({job})]], a {job}\n" for job in ("painter", "rower", "judge"))
    xml = (
        '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xml:lang="en"><siteinfo>'
        "<sitename>Wikipedia</sitename><dbname>enwiki</dbname>"
        "<base>https://en.wikipedia.org/wiki/Main_Page</base><namespaces>"
        '<namespace key="0" case="first-letter" /><namespace key="6" case="first-letter">File'
        '</namespace><namespace key="14" case="first-letter">Category</namespace></namespaces>'
        "</siteinfo>\n<page><title>Ann Lee</title><ns>0</ns><id>2</id><revision><id>20</id>"
        "<timestamp>2026-01-01T00:00:00Z</timestamp><text>'''Ann Lee''' may refer to:\n"
        f"{links}\n{{{{hndis|Lee, Ann}}}}</text></revision></page>\n{people}</mediawiki>\n"
    ).encode()
    (folder / "dump.xml").write_bytes(xml)
    (folder / "dump.xml.gz").write_bytes(gzip.compress(xml, mtime=0))
    (folder / "dump.xml.bz2").write_bytes(bz2.compress(xml))


def _make_cache(path: Path) -> None:
    import asyncio

    from dfactscore.engines.llm.client.cache import AnswerCache
    from dfactscore.engines.llm.client.messages import Answer as ModelAnswer

    cache = AnswerCache(path)

    async def fill() -> None:
        for n in range(20):
            await cache.put(
                bytes([n]) * 16, ModelAnswer(f"answer {n}"), {"model": "m", "messages": []},
                endpoint="http://127.0.0.1:9/v1", stage="verify", version="verify@1:x", sample=0,
            )  # fmt: skip

    asyncio.run(fill())
    cache.close()


@dataclass
class Row:
    """The numbers of one command."""

    name: str
    runs: int = 0
    statuses: Counter[int | None] = field(default_factory=Counter)
    faults: dict[str, list[str]] = field(default_factory=dict)
    slowest: float = 0.0


def fuzz(target: Target, good: Path, files: int, seed: int, *, timed: bool = False) -> Row:
    """Damages a command's files one after the other; slow ones are faults where it is timed."""
    row = Row(target.name)
    with tempfile.TemporaryDirectory() as place:
        work = Path(place) / "w"
        shutil.copytree(good, work)
        whole = call(target.argv, work)
        if whole.status != 0:
            row.faults[f"fails on good files: {whole.said[-300:]!r} {whole.failure}"] = [""]
            return row
        _restore(good, work, target)
        read = [name for name in target.files if (work / name).exists()]
        for number in range(files if read else 0):
            name = read[number % len(read)]
            rng = random.Random(f"{seed} {target.name} {number}")
            damaged = damage((good / name).read_bytes(), rng)
            (work / name).write_bytes(damaged)
            answer = call(target.argv, work)
            row.runs += 1
            row.statuses[answer.status] += 1
            row.slowest = max(row.slowest, answer.seconds)
            problem = fault(answer)
            if timed and not problem and answer.seconds > SLOW * (1 + len(damaged) / 1e6):
                problem = f"takes more than {SLOW:g} s and as much a megabyte"
            if problem:
                row.faults.setdefault(problem, []).append(f"{name} #{number}")
            _restore(good, work, target)
    return row


def _restore(good: Path, work: Path, target: Target) -> None:
    """Puts back what the command may have changed."""
    for name in target.made:
        place = work / name
        shutil.rmtree(place) if place.is_dir() else place.unlink(missing_ok=True)
    for top in {Path(name).parts[0] for name in target.files}:
        if (good / top).is_dir():
            shutil.rmtree(work / top)
            shutil.copytree(good / top, work / top)
        else:
            for suffix in ("-wal", "-shm", "-journal"):
                (work / (top + suffix)).unlink(missing_ok=True)
            shutil.copy(good / top, work / top)


def _in_process(target: Target, good: Path, files: int, seed: int) -> Row:
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(
        target=lambda: sender.send(fuzz(target, good, files, seed, timed=True))
    )
    process.start()
    sender.close()
    try:
        row: Row = receiver.recv()
    except EOFError:
        process.join()
        row = Row(target.name, faults={f"the process died ({process.exitcode})": [""]})
    process.join()
    return row


def hurry(replace: Callable[[Any, str, Any], None] = setattr) -> None:
    """Leaves out what takes time and changes nothing: waits for the disk, building options."""
    import typer.main

    replace(os, "fsync", lambda descriptor: None)
    replace(typer.main, "get_command", functools.cache(typer.main.get_command))


def main(
    arguments: list[str] | None = None,
    say: Callable[[str], None] = print,
) -> int:
    """Runs it all and prints a table; returns how many runs were faulty."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--files", type=int, default=2000, help="damaged files a command")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", action="append", default=[], help="commands, by name")
    options = parser.parse_args(arguments)
    chosen = [t for t in TARGETS if not options.only or t.name in options.only]
    hurry()
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    total: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place:
        good = Path(place) / "good"
        good.mkdir()
        make_files(good)
        say(f"{'command':<24}   runs   done partly refused  fault  slowest")
        for target in chosen:
            row = _in_process(target, good, options.files, options.seed)
            faulty = sum(map(len, row.faults.values()))
            s = row.statuses
            say(f"{row.name:<24}{row.runs:>7}{s[0]:>7}{s[1]:>7}{s[2]:>8}{faulty:>7}"
                f"  {row.slowest:.2f} s")  # fmt: skip
            for problem, seeds in sorted(row.faults.items(), key=lambda item: -len(item[1])):
                say(f"    {len(seeds)} x {problem}  [{seeds[0]}]")
            total.update(runs=row.runs, faulty=faulty)
    say(f"{total['runs']:,} runs, {total['faulty']:,} faulty")
    return total["faulty"]


if __name__ == "__main__":
    sys.exit(bool(main()))
