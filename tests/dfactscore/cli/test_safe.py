"""`dfactscore safe` from the command line: tables, inputs, refusals, kills."""

from __future__ import annotations

import csv
import json
import re
import signal
import sys

import pytest
from gate import Gate, kill_often
from scripted_model import QUERY, script  # noqa: F401 (fixture)
from search_service import KEY, index_folder, refuse, service  # noqa: F401 (fixtures)

from dfactscore import ambigbio
from dfactscore._cli.app import main
from dfactscore.ambigbio._records import AmbiguousName, Header, Person
from dfactscore.examples import example
from dfactscore.retrieval import build_index, read_pages, split_pages

COMMAND = "from dfactscore._cli.app import main; main()"
PEOPLE = example("people")


@pytest.fixture
def run(monkeypatch, capsys):
    """Runs the command line in this process; gives standard output and error."""

    def call(*arguments, status=0):
        monkeypatch.setattr(sys, "argv", ["dfactscore", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            main()
        said = capsys.readouterr()
        assert (end.value.code or 0) == status, said.err
        assert "Traceback" not in said.err
        return said

    return call


def test_texts_without_anyone_to_be_about(run, tmp_path):
    """D-SAFE needs people; where no text has any, a line says why there is none."""
    page, text = {"title": "Ann Lee", "text": "Ann Lee is a painter."}, "Ann Lee is a painter."
    (tmp_path / "pages.jsonl").write_text(json.dumps(page))
    (tmp_path / "texts.jsonl").write_text(json.dumps({"name": "Ann Lee", "text": text}))
    build_index(split_pages(read_pages(tmp_path / "pages.jsonl")), tmp_path / "index")
    search = ("--search", f"index:{tmp_path / 'index'}", "--per-entity", "--out", tmp_path / "run")
    said = run("safe", tmp_path / "texts.jsonl", *search)
    assert "D-SAFE" not in said.out
    assert (
        "no D-SAFE: no text with facts has candidate people (give --pages, or passages)" in said.err
    )
    assert "--per-entity and --pages" in run("rescore", tmp_path / "run").out


def three(tmp_path):
    path = tmp_path / "texts.jsonl"
    path.write_text("".join(PEOPLE.biographies.read_text().splitlines(True)[:3]))
    return path


def test_facts_of_a_bearer_without_a_page_have_a_line(run, tmp_path):
    """As in the summary of 'dfactscore score', where a dataset lists bearers without a page."""
    pages = {"Ann Lee (painter)": "Ann Lee (born 1950) is an English painter of landscapes.",
             "Ann Lee (rower)": "Ann Lee (born 1971) is a rower."}  # fmt: skip
    text = "Ann Lee is an English painter of landscapes. Another Ann Lee was a chess master."
    (tmp_path / "texts.jsonl").write_text(json.dumps({"name": "Ann Lee", "text": text}))
    rows = "".join(json.dumps({"title": t, "text": x}) + "\n" for t, x in pages.items())
    (tmp_path / "pages.jsonl").write_text(rows)
    build_index(split_pages(read_pages(tmp_path / "pages.jsonl")), tmp_path / "index")
    date, url = "2026-01-01T00:00:00Z", "https://example.org"
    people = tuple(Person(title, n, 1, date, url, "Ann Lee") for n, title in enumerate(pages))
    named = ("Ann Lee (1902–1977), Latvian chess master",)
    name = AmbiguousName("Ann Lee", "Ann Lee", 1, 1, date, url, people, named=named)
    header = Header(url, "en", "2026-01-01", 1, 1, 1, 1, 1, 2)
    ambigbio.save(ambigbio.AmbigBio(header, (name,)), tmp_path / "names.jsonl")
    given = ("safe", tmp_path / "texts.jsonl", "--pages", tmp_path / "pages.jsonl", "--per-entity",
             "--search", f"index:{tmp_path / 'index'}", "--out", tmp_path / "run")  # fmt: skip
    said = run(*given, "--dataset", tmp_path / "names.jsonl").out
    title = "people without a page"
    line = next(line for line in said.splitlines() if title in line)
    counted = json.loads((tmp_path / "run" / "summary.json").read_text())["outside"]
    assert (line.split()[-1], counted > 0) == (str(counted), True)


def contents(folder):
    """The bytes of a run that must not depend on how it came about."""
    files = {
        p.name: p.read_bytes()
        for p in sorted(folder.iterdir())
        if p.name != "timing.json" and not p.name.startswith(".")
    }
    manifest = json.loads(files["manifest.json"])
    manifest.pop("total", None)  # of all sessions: a killed one asked more
    return {**files, "manifest.json": json.dumps(manifest).encode()}


def test_a_run_by_index(run, index_folder, tmp_path):  # noqa: F811
    options = ("--pages", PEOPLE.pages, "--search", f"index:{index_folder}", "--per-entity")
    out = tmp_path / "run"
    done = run("safe", three(tmp_path), *options, "--out", out)
    assert "D-SAFE" in done.out
    assert "only of a namesake" in done.out
    rows = list(csv.DictReader((out / "safe.csv").read_text(encoding="utf-8").splitlines()))
    assert [row["id"] for row in rows][:1] == ["hanley-mixed"]
    assert float(rows[0]["safe"]) > float(rows[0]["d_safe"])
    shown = json.loads(run("safe", three(tmp_path), *options, "--out", out, "--format", "json").out)
    assert shown["search"] == "index"
    assert shown["summary"]["texts"] == 3
    report = (out / "report.html").read_text(encoding="utf-8")
    assert "(open)" in report or "what a search finds" in report
    assert "hanley-mixed" in run("rescore", out).out


def test_prompts_with_responses_and_released_files(run, index_folder, tmp_path):  # noqa: F811
    answers = tmp_path / "answers.jsonl"
    text = "Dick Hanley was an American swimmer. He won a medal at the Olympic Games in Melbourne."
    answers.write_text(json.dumps({"id": "a", "prompt": "Who is Dick Hanley?", "response": text}))
    search = ("--search", f"index:{index_folder}")
    shown = run("safe", answers, *search, "--out", tmp_path / "a", "--format", "json")
    assert json.loads(shown.out)["texts"][0]["id"] == "a"
    sides = tmp_path / "released.json"
    row = {"prompt": "Who is he?", "side1_response": text, "side2_response": "He was a poet."}
    sides.write_text(json.dumps({"per_prompt_data": [row]}))
    shown = run("safe", sides, *search, "--out", tmp_path / "b", "--format", "json")
    assert [t["id"] for t in json.loads(shown.out)["texts"]] == ["0-side1", "0-side2"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ((), "no search service"),
        (("--search", "google"), "no such service"),
        (("--search", "wikipedia"), "--contact"),
        (("--search", "index:nowhere"), "nowhere"),
        (("--search", "index:{index}", "--all-columns"), "--per-entity"),
        (("--search", "index:{index}", "--revise"), "needs a language model"),
        (("--search", "index:{index}", "--verifier", "no-context", "--model", "m"), "no evidence"),
    ],
)
def test_mistakes_are_one_line(run, index_folder, tmp_path, more, said):  # noqa: F811
    more = [m.format(index=index_folder) for m in more]
    done = run("safe", three(tmp_path), "--out", tmp_path / "run", *more, status=2)
    assert done.err.count("\n") == 1
    assert said in done.err


def test_the_limit_on_searches_holds_for_an_index(run, index_folder, tmp_path):  # noqa: F811
    options = ("--search", f"index:{index_folder}", "--out", tmp_path / "run")
    run("safe", three(tmp_path), *options, "--max-searches", 2, "--workers", 2, status=2)
    said = run("safe", three(tmp_path), *options, "--max-searches", 2, status=2)
    assert "--max-searches 2" in said.err
    run("safe", three(tmp_path), *options, "--max-searches", 200)


def test_calls_of_a_model_are_no_searches(run, index_folder, tmp_path, script):  # noqa: F811
    """A model that writes the queries is counted in the same stage."""
    path = tmp_path / "texts.jsonl"
    path.write_text(json.dumps({"name": "Ann Lee", "text": "Ann Lee was born in Leeds in 1901."}))
    script.answers |= {QUERY: {"enough": True, "query": ""}, "verdict": {"1": False}}
    judge = ("--verifier", "llm", "--model", "m", "--base-url", script.server.base_url)
    options = ("--search", f"index:{index_folder}", "--out", tmp_path / "run", *judge)
    said = run("safe", path, *options)
    assert len(script.asked(QUERY)) > 0
    assert re.findall(r"(\w+): \d+ searches", said.err) == ["index"]


def test_a_dry_run_asks_nothing(run, service, tmp_path):  # noqa: F811
    options = ("--pages", PEOPLE.pages, "--search", f"serper:{service.url}", "--per-entity")
    done = run("safe", three(tmp_path), *options, "--dry-run", "--no-cache", "--format", "json")
    found = json.loads(done.out)
    assert service.requests == 0
    assert found["calls"] == 0
    assert found["searches"] > found["facts"] > 10


def test_a_dry_run_counts_what_is_left(run, index_folder, tmp_path):  # noqa: F811
    options = ("--search", f"index:{index_folder}", "--no-cache", "--out", tmp_path / "run")
    run("safe", three(tmp_path), *options, "--limit", 2)
    shown = run("safe", three(tmp_path), *options, "--dry-run", "--format", "json")
    found = json.loads(shown.out)
    assert (found["texts"], found["searches"] > 0) == (1, True)
    run("safe", three(tmp_path), *options)
    left = run("safe", three(tmp_path), *options, "--dry-run", "--format", "json").out
    assert json.loads(left)["searches"] == 0


def test_a_dry_run_says_tokens_and_cost(run, index_folder, tmp_path):  # noqa: F811
    """With rounded prices the cost can be recomputed from the tokens."""
    prices = tmp_path / "prices.json"
    price = {"judge": {"prompt": 1.0, "completion": 10.0}}
    prices.write_text(json.dumps({"date": "2026-01-01", "models": price}))
    options = ("--search", f"index:{index_folder}", "--dry-run", "--no-cache", "--prices", prices)
    asked = (*options, "--engine", "llm", "--model", "judge", "--revise", "--relevance")
    found = json.loads(run("safe", three(tmp_path), *asked, "--format", "json").out)
    # Five searches a fact, the first of which is the fact itself; then it is judged.
    assert found["searches"] == 5 * found["facts"]
    assert found["calls"] >= 4 * found["facts"]
    assert found["prompt_tokens"] > 100 * found["calls"] > 0
    cost = (found["prompt_tokens"] + 10 * found["answer_tokens"]) / 1e6
    assert found["cost"] == pytest.approx(cost, rel=1e-6)
    table = run("safe", three(tmp_path), *asked).out
    for stage in ("decompose", "revise", "relevance", "group", "search", "verify", "total"):
        assert f"\n{stage} " in table
    free = json.loads(run("safe", three(tmp_path), *options[:4], "--format", "json").out)
    assert (free["calls"], free["cost"]) == (0, 0)


def test_a_refused_key_stops_resumably(run, service, tmp_path):  # noqa: F811
    options = ("--search", f"serper:{service.url}", "--cache", tmp_path / "c.sqlite")
    out = tmp_path / "run"
    service.fault = lambda n: refuse(401) if n > 10 else None
    done = run("safe", three(tmp_path), *options, "--out", out, status=2)
    assert "SERPER_API_KEY is not accepted" in done.err
    assert KEY not in done.err
    service.fault = lambda n: None
    run("safe", three(tmp_path), *options, "--out", out)
    assert len(service.queries) == len(set(service.queries))
    for path in [*out.iterdir(), tmp_path / "c.sqlite"]:
        if path.is_file():
            assert KEY.encode() not in path.read_bytes()


@pytest.mark.slow
def test_kills_pay_no_search_twice_and_end_in_the_same_bytes(run, service, tmp_path):  # noqa: F811
    texts = three(tmp_path)
    options = ["safe", texts, "--pages", PEOPLE.pages, "--search", f"serper:{service.url}"]
    options += ["--per-entity", "--concurrency", "2", "--quiet"]
    whole = tmp_path / "whole" / "run"
    run(*options, "--out", whole, "--cache", tmp_path / "a.sqlite")
    paid = len(service.queries)
    service.queries.clear()
    gate = Gate()
    service.fault = lambda n: gate.pass_through()
    out, cache = tmp_path / "killed" / "run", tmp_path / "b.sqlite"
    command = [sys.executable, "-c", COMMAND, *map(str, options), "--out", str(out)]
    signals = (signal.SIGKILL, signal.SIGINT, signal.SIGTERM)
    command += ["--cache", str(cache)]
    statuses = kill_often(command, gate, times=20, seed=3, most=1, signals=signals)
    assert statuses[::3] == [-signal.SIGKILL] * 7
    assert 0 not in statuses
    run(*options, "--out", out, "--cache", cache)
    # What was under way at a kill is asked again: at most as many as run side by side.
    assert paid <= len(service.queries) <= paid + 2 * len(statuses)
    assert contents(out) == contents(whole)
