from __future__ import annotations

import json
import re

import numpy as np
import pytest
from counting_server import CountingServer

from dfactscore._cli.app import main
from dfactscore._jobs.job import Job
from dfactscore._runs.rescore import rescore
from dfactscore.examples import example


@pytest.fixture
def call(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        monkeypatch.setattr("sys.argv", ["dfactscore", *map(str, arguments)])
        with pytest.raises(SystemExit) as exit_:
            main()
        return (exit_.value.code or 0, *capsys.readouterr())

    return run


def test_a_run_is_told_apart_scored_and_read_again(call, tmp_path):
    pages = ("--pages", example().pages)
    assert call("score", example().biographies, *pages, "--out", "run", "-q")[0] == 0
    code, out, _ = call("unmix", "run", "--out", "apart.jsonl", "-q", "--format", "json")
    told = json.loads(out)
    assert code == 0
    assert told["D-FS after"]["mean"] > 0.8 > told["D-FS before"]["mean"]
    mixed = {row["id"] for row in rescore(tmp_path / "run").rows if row["mixed_groups"]}
    strict = rescore(tmp_path / "run", counts="verdicts", threshold=0.9).rows
    for key, figure in (("fs", "FS before"), ("dfs", "D-FS before")):
        scored = np.mean([row[key] for row in strict if row["id"] in mixed])
        assert told[figure]["mean"] == pytest.approx(scored)
    rows = [json.loads(line) for line in (tmp_path / "apart.jsonl").read_text().splitlines()]
    changed = [row for row in rows if row["unmixed"]["by"]]
    assert (len(rows), len(changed)) == (told["texts"], told["changed"])
    whole = (tmp_path / "apart.jsonl").read_bytes()
    assert told["D-FS difference"]["mean"] > 0.1
    page = (tmp_path / told["report"]).read_text()
    assert "Not found" not in page
    assert page.count("run and apart") >= 1

    # One text has no interval over names, which JSON says with null.
    code, out, _ = call(
        "unmix", "run", "--out", "one.jsonl", "--limit", 1, "-q", "--format", "json"
    )
    assert code == 0
    assert json.loads(out)["FS before"]["interval"] == [None, None]

    # A call that was cut short is resumed, and ends with the same bytes.
    (tmp_path / "apart.jsonl").write_bytes(b"".join(whole.splitlines(keepends=True)[:4]))
    assert call("unmix", "run", "--out", "apart.jsonl", "-q")[0] == 0
    assert (tmp_path / "apart.jsonl").read_bytes() == whole
    code, _, said = call("unmix", "run", "--out", "apart.jsonl", "--unsupported", "keep")
    assert code == 2
    assert "holds another run" in said

    assert call("score", "apart.jsonl", "--out", "after", "-q")[0] == 0
    summary = json.loads((tmp_path / "after" / "summary.json").read_text())
    assert summary["mixed"] == 0
    assert call("report", "run", "after", "--out", "both.html")[0] == 0


PAGES = {
    "Ann Lee (painter)": "Ann Lee is an English painter. She was born in York.",
    "Ann Lee (rower)": "Ann Lee is a rower. She rowed for Canada in 1960.",
}
MIXED = "Ann Lee is an English painter. She rowed for Canada in 1960. She is a rower."
OWN = "Ann Lee is an English painter. She was born in York."


def write(tmp_path, *rows):
    lines = (
        json.dumps({"id": str(n), "model": "m-1", "topic": "Ann Lee", "output": text, **more})
        for n, (text, more) in enumerate(rows)
    )
    (tmp_path / "texts.jsonl").write_text("\n".join(lines) + "\n")
    (tmp_path / "pages.jsonl").write_text(
        "\n".join(json.dumps({"title": t, "text": p}) for t, p in PAGES.items()) + "\n"
    )


def rows_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_every_field_is_kept_and_the_report_compares_the_same_texts(call, tmp_path):
    write(tmp_path, (MIXED, {"run": 7, "question": "Who is Ann Lee?"}), (OWN, {"run": 8}))
    assert call("score", "texts.jsonl", "--pages", "pages.jsonl", "--out", "run", "-q")[0] == 0
    assert call("unmix", "run", "--out", "apart.jsonl", "-q")[0] == 0
    rows = rows_of(tmp_path / "apart.jsonl")
    assert [bool(row["unmixed"]["by"]) for row in rows] == [True, False]
    assert [(row["model"], row["run"]) for row in rows] == [("m-1", 7), ("m-1", 8)]
    assert rows[0]["question"] == "Who is Ann Lee?"
    page = (tmp_path / "apart-report.html").read_text()
    assert {*re.findall(r'"(?:run|apart)(?:: [^"]*)?"', page)} - {'"run"', '"apart"'} == {
        '"run: m-1"', '"apart: m-1"',
    }  # fmt: skip


@pytest.mark.parametrize(
    ("person", "texts"),
    [
        ("Ann Lee (rower)", ["Ann Lee rowed for Canada in 1960. She is a rower.", OWN]),
        ("question", ["Ann Lee is an English painter.", OWN]),
    ],
)
def test_one_person_is_kept(call, tmp_path, person, texts):
    write(tmp_path, (MIXED, {"question": "Where was the painter Ann Lee born?"}), (OWN, {}))
    assert call("score", "texts.jsonl", "--pages", "pages.jsonl", "--out", "run", "-q")[0] == 0
    assert call("unmix", "run", "--out", "one.jsonl", "--for", person, "-q")[0] == 0
    assert [row["output"] for row in rows_of(tmp_path / "one.jsonl")] == texts
    code, _, said = call("unmix", "run", "--out", "no.jsonl", "--for", "Ann Lee (sailor)", "-q")
    assert (code, "'Ann Lee (rower)'" in said) == (2, True)
    assert "no text is about this person" in said


def test_a_changed_text_is_judged_once(call, monkeypatch):
    """Its scores and the report share the judgment."""
    pages = ("--pages", example().pages)
    assert call("score", example().biographies, *pages, "--out", "run", "-q", "--limit", 9)[0] == 0
    judged, fill = [], Job.fill

    def counted(job, biography, entities):
        judged.append((biography.id, biography.text))
        return fill(job, biography, entities)

    monkeypatch.setattr(Job, "fill", counted)
    code, out, _ = call("unmix", "run", "--out", "apart.jsonl", "-q", "--format", "json")
    assert (code, json.loads(out)["changed"]) == (0, len(judged))
    assert len(set(judged)) == len(judged) > 2


@pytest.fixture
def server():
    made = CountingServer()
    yield made
    made.close()


def listed(prompt):
    """The paragraphs that a prompt asks for, of the facts that it lists."""
    facts = prompt.split("Facts:\n")[1].split("\n\nRewritten text:")[0]
    return facts.replace("\n- ", " ").replace(": ", ":\n")


def test_a_model_writes_where_its_text_scores_better(call, server, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("DFACTSCORE_RETRIES", "0")
    pages = ("--pages", example().pages)
    assert call("score", example().biographies, *pages, "--out", "run", "-q")[0] == 0
    model = ("--engine", "llm", "--model", "m", "--base-url", server.base_url, "-q",
             "--format", "json", "--no-cache")  # fmt: skip
    dry = json.loads(call("unmix", "run", "--out", "a.jsonl", *model, "--dry-run")[1])
    assert server.calls == 0
    assert "unmix" in json.dumps(dry)

    server.answer = lambda prompt: "Someone else was a sailor."
    told = json.loads(call("unmix", "run", "--out", "worse.jsonl", *model)[1])
    assert told["by_model"] == 0
    assert told["changed"] > 5
    assert told["D-FS after"]["mean"] > 0.8

    server.answer, server.calls = listed, 0
    code, _, said = call("unmix", "run", "--out", "other.jsonl", *model, "--max-calls", "3")
    assert code == 2
    assert 0 < server.calls <= 3
    assert "calls" in said
    other = json.loads(call("unmix", "run", "--out", "other.jsonl", *model)[1])
    assert other["changed"] == told["changed"]
    rows = [json.loads(line) for line in (tmp_path / "other.jsonl").read_text().splitlines()]
    builtin = [json.loads(line) for line in (tmp_path / "worse.jsonl").read_text().splitlines()]
    for row, ours in zip(rows, builtin, strict=True):
        if row["unmixed"]["by"] == "llm":
            assert row["unmixed"]["after"]["dfs"] > ours["unmixed"]["after"]["dfs"]
        else:
            assert row["output"] == ours["output"]
    assert other["by_model"] > 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("unmix", "run"), "unmix: give --out FILE (.jsonl)"),
        (("unmix", "run", "--out", "a.txt"), "give --out FILE (.jsonl), not a.txt"),
        (("unmix", "run", "--out", "a.jsonl"), "run"),
        (("unmix", "run", "--out", "a.jsonl", "--engine", "llm", "--workers", "2"), "--workers"),
        (("unmix", "run", "--out", "a.jsonl", "--engine", "llm"), "none is named"),
    ],
)
def test_mistakes(call, words, said):
    code, _, err = call(*words)
    assert code == 2
    assert said in err
    assert err.count("\n") == 1
