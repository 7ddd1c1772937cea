"""The contract of every work: it refuses before requests, resumes, and isolates failed items."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from loopback import Loopback, sent_json
from self_killer import status_of
from toy_server import Toy

from dfactscore._cli.app import main

pytestmark = pytest.mark.xdist_group("contract")  # straight runs are made once

INPUTS = Path(__file__).parent / "inputs"
# What two equal works may differ in.
TIMES = frozenset({"timing.json"})


class Service:
    """A chat model, a model of likelihoods and a search service at one address; counts requests."""

    def __init__(self) -> None:
        self.asked = 0
        self.broken = ""
        self.toy = Toy("echo")
        self.lock = threading.Lock()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def respond(self, body: Any) -> None:
                with service.lock:
                    status, reply = service.answer(self.path, body)
                data = json.dumps(reply).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def do_GET(self) -> None:
                self.respond(None)

            def do_POST(self) -> None:
                self.respond(sent_json(self))

            def log_message(self, *_: object) -> None:
                pass

        self.server = Loopback(Handler)
        self.url = self.server.url

    def answer(self, path: str, body: Any) -> tuple[int, Any]:
        self.asked += 1
        text = json.dumps(body)
        if self.broken and self.broken in text:
            return 503, {"error": {"message": "busy"}}
        if path.endswith("/chat/completions"):
            return 200, chat(text, body)
        if body is not None and "q" in body:
            name = body["q"].split(" was")[0]
            page = {"title": name, "snippet": f"{name} was a rower.", "link": f"http://x/{name}"}
            return 200, {"organic": [page]}
        return self.toy.answer(path, body)


def chat(prompt: str, body: Any) -> dict[str, Any]:
    """One answer that serves every prompt: verdicts, a decision about segments, no variants."""
    form = (body.get("response_format") or {}).get("json_schema", {}).get("schema", {})
    numbers = [key for key in form.get("required", ()) if key.isdigit()]
    text = json.dumps(dict.fromkeys(numbers, True) if numbers else {"contradictions": []})
    if "segment" in prompt:
        text = "ALL_CORRECT"
    usage = {"prompt_tokens": 100, "completion_tokens": 5, "total_tokens": 105}
    choice = {"index": 0, "message": {"role": "assistant", "content": text}}
    return {"model": "stub", "choices": [{**choice, "finish_reason": "stop"}], "usage": usage}


@dataclass(frozen=True)
class Case:
    """A work as a user calls it.

    Attributes:
        words: The command; ``{in}`` stands for the input, ``{url}`` for the service.
        input: A file of three items in ``inputs``.
        out: What ``--out`` names.
        breaks: Module, class and function that does an item; the class may be empty.
        limit: What cuts the input; a smaller one is refused, where it cuts what is read.
        first: The command that makes ``{in}.run`` of the input, where that is what is read.
    """

    words: str
    input: str
    out: str
    breaks: tuple[str, str, str]
    limit: str = "--limit"
    first: str = ""
    more: tuple[str, ...] = field(default=())


MODEL = "--model stub --base-url {url}/v1 --concurrency 2"
DECOMPOSER = ("dfactscore.engines._builtin.decompose.decomposer", "BuiltinDecomposer", "decompose")
CASES = {
    "score": Case(f"score {{in}} --verifier llm {MODEL}", "bios.jsonl", "run", DECOMPOSER),
    "safe": Case(
        "safe {in} --search serper:{url} --concurrency 1",
        "bios.jsonl", "run", DECOMPOSER,
    ),
    "meta run": Case(
        f"meta run felm={{in}} -e prompt:vanilla --resamples 100 {MODEL}", "felm.jsonl", "run",
        ("dfactscore.meta._prompting", "PromptEvaluator", "consider"),
    ),
    "factor score": Case(
        f"factor score {{in}} {MODEL}", "factor.jsonl", "run",
        ("dfactscore.factor._scoring", "", "_score"),
    ),
    "factor build": Case(
        f"factor build {{in}} --engine llm {MODEL}", "pages.jsonl", "items.jsonl",
        ("dfactscore.factor._build.building", "PageItems", "of"), limit="--items",
    ),
    "generate": Case(
        f"generate --names names.txt --passages {{in}} --demos none {MODEL}", "passages.jsonl",
        "bios.jsonl", ("dfactscore.generation._llm", "LLMGenerator", "generate"),
    ),
    "citations": Case(
        f"citations {{in}} --entailment llm {MODEL}", "bios.jsonl", "cited.jsonl",
        ("dfactscore.citations._biographies", "", "_score"),
    ),
    "unmix": Case(
        f"unmix {{in}}.run --engine llm {MODEL}", "mixed.jsonl", "apart.jsonl",
        ("dfactscore.mixing._unmix_work", "", "_changed"),
        first="score {in} --out {in}.run --quiet",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def service():
    made = Service()
    yield made
    made.server.close()


@pytest.fixture
def place(tmp_path, monkeypatch, service):
    """A folder with the inputs, in which commands are run; nothing of the user's is read."""
    for name in ("bios.jsonl", "felm.jsonl", "factor.jsonl", "pages.jsonl", "passages.jsonl",
                 "mixed.jsonl", "names.txt"):  # fmt: skip
        (tmp_path / name).write_bytes((INPUTS / name).read_bytes())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("SERPER_API_KEY", "k")
    monkeypatch.setenv("DFACTSCORE_RETRIES", "0")
    monkeypatch.setenv("DFACTSCORE_BACKOFF", "0.01")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1750000000")
    service.broken, service.asked = "", 0
    return tmp_path


@pytest.fixture
def run(place, service, monkeypatch, capsys):
    """Runs a case into a folder; gives exit status and what was said on standard error."""

    def call(case: Case, folder: str, *more: object, file: str = "") -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", words(case, folder, service, *more, file=file))
        with pytest.raises(SystemExit) as done:
            main()
        return int(done.value.code or 0), capsys.readouterr().err

    return call


@pytest.fixture(scope="module")
def straight_runs():
    """The files and the number of requests of an undisturbed run, by command."""
    return {}


@pytest.fixture
def straight(run, place, service, straight_runs, monkeypatch):
    """Writes what a run writes that nothing disturbs; gives how often that asks."""

    def made(case: Case) -> int:
        if case.words not in straight_runs:
            with monkeypatch.context() as patch:  # what it asks is answered to no other run
                patch.setenv("XDG_CACHE_HOME", str(place / "straight cache"))
                before = service.asked
                assert run(case, "straight")[0] == 0
            straight_runs[case.words] = (files("straight"), service.asked - before)
            shutil.rmtree("straight")
            service.asked = before
        written, asked = straight_runs[case.words]
        for name, data in written.items():
            path = Path("straight", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return asked

    return made


def words(case: Case, folder: str, service: Service, *more: object, file: str = "") -> list[str]:
    read = file or case.input
    if case.first and not Path(f"{read}.run").exists():
        with patch.object(sys, "argv", ["dfactscore", *case.first.replace("{in}", read).split()]):
            with pytest.raises(SystemExit) as made:
                main()
            assert not made.value.code
    line = case.words.replace("{in}", read).replace("{url}", service.url)
    Path(folder).mkdir(exist_ok=True)
    return ["dfactscore", *line.split(), "--out", f"{folder}/{case.out}", "--quiet",
            *map(str, more)]  # fmt: skip


def without_calls(path: Path) -> bytes:
    """A file without the sums of its sessions: a killed one asked more."""
    data = path.read_bytes()
    if path.name == "manifest.json":
        manifest = json.loads(data)
        manifest.pop("total", None)
        return json.dumps(manifest).encode()
    return data


def files(folder: str) -> dict[str, bytes]:
    """Returns the files of a work, without locks and times."""
    return {
        str(path.relative_to(folder)): without_calls(path)
        for path in sorted(Path(folder).rglob("*"))
        if path.is_file() and path.name not in TIMES and not path.name.endswith(".lock")
        and path.name != ".lock"
    }  # fmt: skip


@pytest.fixture(params=CASES)
def case(request):
    return CASES[request.param]


def breaking(monkeypatch, case: Case, word: str) -> None:
    """Makes what does an item raise what no one foresaw, where the item holds a word."""
    module, kind, name = case.breaks
    owner: Any = import_module(module)
    owner = getattr(owner, kind) if kind else owner
    function: Callable[..., Any] = getattr(owner, name)

    def broken(*arguments: Any, **named: Any) -> Any:
        if word in repr((arguments[1:] if kind else arguments, named)):
            return [][3]
        return function(*arguments, **named)

    monkeypatch.setattr(owner, name, broken)


ITEM = {"felm.jsonl": "mill 1", "mixed.jsonl": "Al Ray"}  # the second of three


def item(case: Case) -> str:
    return ITEM.get(case.input, "Al 1")


def test_an_exception_in_one_item_leaves_the_others(case, run, straight, monkeypatch):
    straight(case)
    with monkeypatch.context() as patch:
        breaking(patch, case, item(case))
        status, said = run(case, "broken")
    assert status == 1
    assert "Traceback" not in said
    assert "IndexError: list index out of range (" in said
    assert f"1 of 3 " in said  # noqa: F541 (reads like the message)
    kept = b"".join(files("broken").values())
    assert b"IndexError" in kept
    status, said = run(case, "broken")
    assert (status, "IndexError" in said) == (0, False)
    assert same("broken", "straight")


def test_an_exception_while_a_text_is_scored_leaves_the_others(run, straight, monkeypatch):
    case = CASES["score"]
    straight(case)
    with monkeypatch.context() as patch:
        breaking(
            patch,
            replace(case, breaks=("dfactscore._runs.block_scores", "", "score_record")),
            "Al 1",
        )
        status, said = run(case, "broken")
    assert status == 1
    assert "1 of 3 biographies failed; the first: '1': IndexError: list index out of" in said
    assert run(case, "broken")[0] == 0
    assert same("broken", "straight")


def same(first: str, second: str) -> bool:
    """Whether two works wrote the same; a list of errors may be there and empty."""
    one, other = files(first), files(second)
    for found in (one, other):
        for name in [n for n, data in found.items() if n.endswith("errors.jsonl") and not data]:
            del found[name]
    assert list(one) == list(other)
    for name, data in one.items():
        assert data == other[name], name
    return True


def test_another_input_is_refused_before_anything_is_asked(case, run, place, service):
    assert run(case, "out")[0] == 0
    before, asked = files("out"), service.asked
    text = (place / case.input).read_text()
    other = place / f"other{Path(case.input).suffix}"
    text = text.replace("Al ", "Bo ").replace("ill ", "oor ").replace('"id": "', '"id": "x')
    other.write_text(text)
    status, said = run(case, "out", file=other.name)
    assert status == 2
    assert said.count("\n") == 1
    assert "holds another run: " in said
    assert "; choose another --out" in said
    assert (service.asked, files("out")) == (asked, before)
    assert run(case, "out")[0] == 0
    assert (service.asked, files("out")) == (asked, before)


def test_a_smaller_limit_loses_nothing(case, run, service):
    assert run(case, "out")[0] == 0
    before, asked = files("out"), service.asked
    status, said = run(case, "out", case.limit, 1)
    if case.limit == "--limit":
        assert status == 2
        assert "the limit was None and is now 1" in said
        assert files("out") == before
    assert run(case, "out")[0] == 0
    assert (service.asked, files("out")) == (asked, before)


def test_a_larger_limit_resumes(case, run, straight):
    straight(case)
    assert run(case, "out", case.limit, 1)[0] == 0
    assert run(case, "out")[0] == 0
    assert same("out", "straight")


def test_what_may_pass_is_asked_again(case, run, straight, service):
    straight(case)
    service.broken = item(case)
    run(case, "out")
    service.broken = ""
    asked = service.asked
    assert run(case, "out")[0] == 0
    assert service.asked > asked
    assert same("out", "straight")


def test_killed_once(case, run, straight, service):
    """The process kills itself in the middle of a line that it writes."""
    paid = straight(case)
    assert status_of("line:2", words(case, "out", service)) == -signal.SIGKILL
    assert run(case, "out")[0] == 0
    assert same("out", "straight")
    # Asked again is at most what was under way, and whether the server can do what is needed.
    assert service.asked <= paid + 2 + 2


def test_killed_before_its_manifest(case, run, straight, service):
    """A kill, or a full disk, between the making of the journals and the manifest."""
    straight(case)
    assert status_of("manifest", words(case, "out", service)) == -signal.SIGKILL
    assert run(case, "out")[0] == 0
    assert same("out", "straight")


def test_the_cache_folder_changes_nothing(case, run, straight, place):
    straight(case)
    other = place / "other" / "dfactscore"
    (other / "measured").mkdir(parents=True)
    (other / "measured" / "0.json").write_text('{"found": 3}')
    (other / "answers.txt").write_text("of another version")
    os.environ["XDG_CACHE_HOME"] = str(place / "other")
    assert run(case, "foreign")[0] == 0
    assert same("foreign", "straight")


@pytest.mark.parametrize("name", [name for name in CASES if name != "factor build"])
def test_a_dry_run_asks_nothing_and_writes_nothing(name, run, service):
    case = CASES[name]
    status, said = run(case, "out", "--dry-run")
    assert (status, service.asked, files("out")) == (0, 0, {}), said


@pytest.mark.parametrize("name", [name for name in CASES if name != "factor build"])
def test_a_dry_run_refuses_what_the_run_refuses(name, run, service, place):
    case = CASES[name]
    assert run(case, "out")[0] == 0
    before, asked = files("out"), service.asked
    (place / "fewer.yaml").write_text("results: 1\n")
    changed = ["--config", "fewer.yaml"] if name == "safe" else ["--model", "other"]
    for more in (changed, [case.limit, 1]):
        status, said = run(case, "out", *more)
        assert (status, "holds another run: " in said) == (2, True), said
        assert run(case, "out", *more, "--dry-run") == (2, said)
    taken = place / "taken" / case.out / ("" if "." in case.out else "letter.txt")
    taken.parent.mkdir(parents=True)
    taken.write_text("Dear")
    status, said = run(case, "taken")
    assert (status, run(case, "taken", "--dry-run")) == (2, (2, said))
    assert run(case, "out", "--dry-run")[0] == 0
    assert (service.asked, files("out")) == (asked, before)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["score", "safe", "unmix"])
def test_several_blocks_over_two_workers(name, run, place):
    """More texts than a block holds, one of which cannot be judged."""
    lines = (place / CASES[name].input).read_text().splitlines()
    rows = [json.loads(lines[n % 3]) | {"id": str(n)} for n in range(60)]
    (place / "many.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    plain = Case("score {in}", "many.jsonl", "run", DECOMPOSER)
    if name == "unmix":
        plain = replace(CASES[name], words="unmix {in}.run", input="many.jsonl")
    if name == "safe":
        from dfactscore.retrieval import BuildOptions, build_index, read_pages, split_pages

        passages = split_pages(read_pages(place / "pages.jsonl"))
        build_index(passages, place / "index", options=BuildOptions(kind="bm25"))
        plain = Case("safe {in} --search index:index", "many.jsonl", "run", DECOMPOSER)
    assert run(plain, "one")[0] == 0
    assert run(plain, "two", "--workers", 2)[0] == 0
    assert same("two", "one")
    (manifest,) = (place / "two").rglob("*manifest.json")
    command = json.loads(manifest.read_text())["command"]
    assert command == name


@pytest.mark.parametrize("name", ["score", "meta run", "factor score"])
def test_the_folder_of_another_command_is_named(name, run, place, service):
    other = {"score": "meta", "meta run": "score", "factor score": "score"}[name]
    folder = place / "out" / CASES[name].out
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_text(json.dumps({"schema": 1, "command": other}))
    code, err = run(CASES[name], "out")
    assert (code, f"'dfactscore {other}' made it" in err) == (2, True)
    index = {"format": 1, "kind": "bm25", "corpus_hash": "x"}
    (folder / "manifest.json").write_text(json.dumps(index))
    code, err = run(CASES[name], "out")
    assert (code, "'dfactscore index build' made it" in err) == (2, True)
    assert service.asked == 0
