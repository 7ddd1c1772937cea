"""Commands with models: estimates, the cache, and user errors in one line."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from dfactscore._cli.app import main


@pytest.fixture
def command(monkeypatch, capsys):
    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["dfactscore", *map(str, arguments)])
        with pytest.raises(SystemExit) as done:
            main()
        out, err = capsys.readouterr()
        return int(done.value.code or 0), out, err

    return run


@pytest.fixture
def llm(stub, tmp_path: Path) -> list[object]:
    return ["--engine", "llm", "--model", "stub-a", "--base-url", stub.base_url,
            "--cache", tmp_path / "c.sqlite", "--quiet"]  # fmt: skip


def test_a_dry_run_makes_no_call_and_is_near_the_truth(
    command, llm, stub, biographies: Path, tmp_path: Path
) -> None:
    code, out, err = command("score", biographies, *llm, "--dry-run", "--format", "json")
    assert (code, stub.stats()["requests"]) == (0, 0)
    assert "12 biographies, no model was called" in err
    total = json.loads(out)[-1]
    assert total["calls"] == 12 * 4 + 1  # the small request that probes the form of answers
    assert command("score", biographies, *llm, "--out", tmp_path / "run")[0] == 0
    stats = stub.stats()
    assert stats["requests"] == total["calls"]
    assert total["prompt tokens"] == pytest.approx(stats["prompt_tokens"], rel=0.25)
    code, out, _ = command("score", biographies, *llm, "--dry-run", "--format", "csv")
    assert out.splitlines()[-1] == "total,,0,48,0,0,0.0"
    assert "stage" in command("score", biographies, *llm, "--dry-run", "--strict")[1]


def test_the_manifest_counts_the_calls_of_all_sessions(
    command, llm, stub, biographies: Path, tmp_path: Path
) -> None:
    given = ["score", biographies, *llm, "--out", tmp_path / "run"]

    def total() -> dict[str, float]:
        return json.loads((tmp_path / "run" / "manifest.json").read_text("utf-8"))["total"]

    command(*given, "--limit", 3)
    _, _, err = command(*given)  # the probe and the facts are from the first session
    stats = stub.stats()
    assert (total()["calls"], total()["prompt_tokens"]) == (
        stats["requests"], stats["prompt_tokens"],
    )  # fmt: skip
    assert f"all sessions of this run: {stats['requests']} calls" in err
    before = total()
    command(*given)
    assert total() == before
    command("score", biographies, *llm, "--out", tmp_path / "other")  # all from the cache
    other = json.loads((tmp_path / "other" / "manifest.json").read_text("utf-8"))["total"]
    assert (other["calls"], other["answers"]) == (0, before["answers"])


def test_a_dry_run_waits_for_no_lock_and_makes_no_cache(
    command, llm, stub, biographies: Path, tmp_path: Path
) -> None:
    cache = tmp_path / "c.sqlite"
    assert command("score", biographies, *llm, "--dry-run")[0] == 0
    assert not cache.exists()
    assert command("score", biographies, *llm, "--out", tmp_path / "run")[0] == 0
    asked = stub.stats()["requests"]
    other = sqlite3.connect(cache, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    try:
        code, out, _ = command("score", biographies, *llm, "--dry-run", "--format", "json")
    finally:
        other.close()
    assert (code, json.loads(out)[-1]["cached"]) == (0, 48)
    assert stub.stats()["requests"] == asked


def test_a_server_with_one_place_is_recognized(
    command, llm, stub, biographies: Path, tmp_path: Path
) -> None:
    """If answers are late, fewer requests run at once, and the log says so."""
    stub.set(slots=1, latency=0.02)
    patient = tmp_path / "patient.yaml"
    patient.write_text("backoff: 0.05\nretries: 20\n")
    hasty = tmp_path / "hasty.yaml"
    hasty.write_text(patient.read_text() + "timeout: 1\n")
    crowd = ["--concurrency", "12", "--config"]
    out = (hasty, "--out", tmp_path / "run")
    code, _, err = command("score", biographies, *llm, *crowd, *out)
    assert code == 0, err
    assert "at a time time out (no answer within 1 s): asking one by one from now on" in err
    assert "--concurrency 1" in err
    stub.set(latency=0.02)
    again = [*llm[:-2], tmp_path / "d.sqlite", "--quiet"]
    code, _, err = command(
        "score", biographies, *again, *crowd, patient, "--out", tmp_path / "other"
    )
    assert code == 0, err
    assert "at a time" not in err


def test_a_locked_cache_is_one_line_in_a_dry_run(
    command, llm, biographies: Path, tmp_path: Path
) -> None:
    """A damaged cache may lack its log file, so that a writer blocks all readers."""
    cache = sqlite3.connect(tmp_path / "c.sqlite", isolation_level=None)
    cache.execute("CREATE TABLE answers (key BLOB)")
    cache.execute("BEGIN EXCLUSIVE")
    try:
        code, _, err = command("score", biographies, *llm, "--dry-run")
    finally:
        cache.close()
    assert code == 2
    assert "cannot be used as the answer cache (database is locked)" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("more", [["--relevance"], ["--verifier", "cascade"],
                                  ["--verifier", "no-context"], ["--strict"]])  # fmt: skip
def test_every_form_can_be_estimated(command, llm, stub, biographies: Path, more) -> None:
    code, out, _ = command("score", biographies, *llm, "--dry-run", *more)
    assert code == 0
    assert "total" in out
    assert stub.stats()["requests"] == 0


def test_an_unknown_price_is_said(command, llm, biographies: Path, tmp_path: Path) -> None:
    far = [x for x in llm if "127.0.0.1" not in str(x)]
    far[far.index("--base-url") + 1 : far.index("--base-url") + 1] = ["http://example.org/v1"]
    code, out, err = command("score", biographies, *far, "--dry-run")
    assert code == 0
    assert "?" in out
    assert "give your own list with --prices" in err
    code, _, err = command("score", biographies, *far, "--max-cost", "1", "--out", tmp_path / "r")
    assert code == 2
    assert "needs the price of 'stub-a'" in err


def test_the_cache_is_shown_exported_and_cleared(
    command, llm, biographies: Path, tmp_path: Path
) -> None:
    cache = ["--cache", tmp_path / "c.sqlite"]
    code, _, err = command("cache", "info", *cache)
    assert (code, err.strip().endswith("the cache does not exist yet")) == (2, True)
    command("score", biographies, *llm, "--out", tmp_path / "run")
    code, out, _ = command("cache", "info", *cache)
    assert (code, "48 answers" in out) == (0, True)
    code, out, _ = command("cache", "export", tmp_path / "all.jsonl", *cache)
    assert "48 answers written" in out
    rows = [json.loads(x) for x in (tmp_path / "all.jsonl").read_text("utf-8").splitlines()]
    assert {"request", "answer", "prompt_version", "endpoint"} <= set(rows[0])
    assert len(command("cache", "export", "-", *cache)[1].splitlines()) == 48
    assert command("cache", "export", tmp_path / "no" / "x.jsonl", *cache)[0] == 2
    assert "0 answers" in command("cache", "clear", "--yes", "--model", "other", *cache)[1]
    assert "48 answers deleted" in command("cache", "clear", "--yes", *cache)[1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--engine", "llm"], "needs a language model, and none is named"),
        (["--dry-run"], "for language models"),
        (["--engine", "llm", "--model", "m", "--base-url", "x"], "is not an address"),
        (["--engine", "llm", "--gguf", "none.gguf"], "no such GGUF file"),
        (["--engine", "llm", "--model", "m", "--repeats", "2", "--no-cache"], "--no-cache"),
        (["--engine", "llm", "--model", "m", "--repeats", "2"], "needs --out"),
        (["--config", "none.yaml"], "no such file"),
    ],
)
def test_mistakes_are_one_line(command, biographies: Path, tmp_path, monkeypatch, arguments, said):
    monkeypatch.setenv("DFACTSCORE_CACHE", str(tmp_path / "c.sqlite"))
    code, _, err = command("score", biographies, *arguments)
    assert code == 2
    assert said in err
    assert len(err.strip().splitlines()) == 1


def test_no_input_at_all(command) -> None:
    code, _, err = command("score")
    assert code == 2
    assert "no input" in err


def test_everything_from_one_file(command, stub, biographies: Path, tmp_path: Path) -> None:
    file = tmp_path / "job.yaml"
    file.write_text(
        f"input: {biographies}\nout: {tmp_path / 'run'}\nengine: llm\nmodel: stub-a\n"
        f"base_url: {stub.base_url}\ncache: {tmp_path / 'c.sqlite'}\ncandidates: named\nlimit: 3\n"
    )
    code, out, _ = command("score", "--config", file, "--format", "json", "--limit", "2")
    assert code == 0
    assert len(json.loads(out)["biographies"]) == 2
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text("utf-8"))
    assert manifest["settings"]["candidates"] == "named"


@pytest.mark.parametrize("more", [["--repeats", 3], ["--strict"], ["--relevance"],
                                  ["--verifier", "no-context"]])  # fmt: skip
def test_a_dry_run_counts_what_is_then_asked(
    command, llm, stub, biographies: Path, tmp_path: Path, more
) -> None:
    data = json.loads(biographies.read_text("utf-8"))
    data["data"] = [*data["data"][:3], data["data"][0], {**data["data"][1], "docs": []}]
    biographies.write_text(json.dumps(data), "utf-8")
    # The facts are made by rules, because the stub splits sentences differently.
    rules = ["--decomposer", "builtin"]
    given = ["score", biographies, *llm, *rules, *more]
    code, out, _ = command(*given, "--dry-run", "--format", "json")
    assert (code, stub.stats()["requests"]) == (0, 0)
    command(*given, "--out", tmp_path / "run")
    assert stub.stats()["requests"] == json.loads(out)[-1]["calls"]
    again = command(*given, "--dry-run", "--format", "json")
    assert json.loads(again[1])[-1]["calls"] == 0


def test_a_dry_run_of_a_finished_run_counts_nothing(
    command, llm, stub, biographies: Path, tmp_path: Path
) -> None:
    given = ["score", biographies, *llm, "--out", tmp_path / "run"]
    assert command(*given, "--limit", 3)[0] == 0
    (tmp_path / "c.sqlite").unlink()
    some = command(*given, "--limit", 5, "--dry-run", "--format", "json")
    assert "2 biographies, no model was called" in some[2]
    none = command(*given, "--limit", 3, "--dry-run", "--format", "json")
    assert json.loads(none[1])[-1]["calls"] == 0


def test_why_cells_have_no_answer_is_told(
    command, llm, stub, biographies: Path, tmp_path: Path
) -> None:
    stub.set(rate=1.1, stages=["verify"], kinds=["broken"], unbounded=True)
    code, _, err = command("score", biographies, *llm, "--out", tmp_path / "run")
    assert code == 1  # a text without readable verdicts has no score
    assert "24 questions without a usable answer" in err
    assert "verify: its JSON is broken" in err
    noted = json.loads((tmp_path / "run" / "timing.json").read_text("utf-8"))
    assert sum(noted["sessions"][0]["problems"].values()) == 24
