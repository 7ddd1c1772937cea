"""`dfactscore citations` on biographies and on judged sentences."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from dfactscore._asking.transport import Transport
from dfactscore._cli.app import main
from dfactscore._version import __version__


@pytest.fixture
def run(monkeypatch, capsys):
    def call(*words):
        monkeypatch.setattr("sys.argv", ["dfactscore", *map(str, words)])
        with pytest.raises(SystemExit) as end:
            main()
        said = capsys.readouterr()
        return end.value.code, said.out, said.err

    return call


@pytest.fixture
def bios(tmp_path):
    docs = [
        {"title": "Al Shaw", "text": "Al Shaw (born 1950) is an English swimmer from Leeds."},
        {"title": "Al Shaw (poet)", "text": "Al Shaw was a poet who lived in York all his life."},
    ]
    rows = [
        {"id": "a", "output": "Al Shaw is an English swimmer [1]. He lived in York [1][2]."},
        {"id": "b", "output": "Al Shaw was a bishop in Rome [2]. He was born in 1950."},
        {"id": "c", "output": "I'm sorry, I cannot find any information about Al Shaw."},
    ]
    path = tmp_path / "bios.jsonl"
    lines = [json.dumps({**row, "name": "Al Shaw", "passages": docs}) for row in rows]
    path.write_text("\n".join([*lines, '{"id": "d"}']))
    return path


def test_biographies(run, bios, tmp_path):
    out = tmp_path / "new folder" / "judged.jsonl"
    code, said, err = run("citations", bios, "--format", "json", "--out", out)
    assert code == 1  # one record is bad
    assert "bios.jsonl:4: record d" in err
    found = json.loads(said)
    assert found["n_paragraphs"] == 3
    assert found["n_scored"] == 2
    assert found["citation_recall"] == 0.5
    assert found["citation_recall_percent"] == 50.0
    assert found["citation_precision"] == pytest.approx((2 / 3 + 0) / 2)
    assert found["outcomes"]["uncited"] == 1
    assert found["entailment"]["entailer"] == "verifier"

    code, said, _ = run("citations", "--judged", out, "--format", "json")
    assert code == 0
    again = json.loads(said)
    assert {k: v for k, v in again.items() if k != "entailment"} == {
        k: v for k, v in found.items() if k != "entailment"
    }
    assert "entailer builtin/" in again["signature"]
    out.with_name("judged.manifest.json").unlink()
    code, said, _ = run("citations", "--judged", out, "--limit", 2)
    assert code == 0
    assert f"signature: dfactscore {__version__} | entailer judged | limit 2\n" in said


def test_table_and_csv(run, bios):
    _, said, _ = run("citations", bios)
    assert "Citation recall      50.00" in said
    assert said.splitlines()[-1].startswith("signature: dfactscore ")
    assert (
        "unscored paragraphs (abstained, no answer, empty or not judged) counted as 0: "
        "recall  33.33" in said
    )
    _, said, _ = run("citations", bios, "--format", "csv", "--recall-only")
    assert said.splitlines() == [
        "id,name,status,citation_recall,citation_precision",
        "a,Al Shaw,scored,1.0,",
        "b,Al Shaw,scored,0.0,",
        "c,Al Shaw,abstained,,",
    ]


def test_missing_paragraphs_count_as_0(run, bios, tmp_path):
    out = tmp_path / "judged.jsonl"
    run("citations", bios, "--out", out)
    code, said, _ = run("citations", "--judged", out)
    assert (code, "--paragraphs N" in said) == (0, True)
    code, said, _ = run("citations", "--judged", out, "--paragraphs", 10)
    assert "Citation recall      11.11" in said  # 50 % of 2 over 9: one of the 3 made no statement
    assert "over 9 of 10 paragraphs (7 not in the file)" in said
    code, _, err = run("citations", "--judged", out, "--paragraphs", 2)
    assert (code, "there are 3 already" in err) == (2, True)
    code, _, err = run("citations", bios, "--paragraphs", 9)
    assert (code, "--paragraphs needs --judged" in err) == (2, True)


def test_sentences_on_shortened_passages_are_marked(run, tmp_path):
    path, out = tmp_path / "bios.jsonl", tmp_path / "judged.jsonl"
    docs = [
        {"title": "Al Shaw", "text": "Al Shaw swam. He won."},
        {"title": "B", "text": "Bo sang."},
    ]
    trims = [{"passage": 1, "sentences": 1, "dropped": False}]
    text = "Al Shaw won [1]. Bo sang [2]."
    record = {"id": "a", "name": "Al Shaw", "text": text, "passages": docs, "trims": trims}
    path.write_text(json.dumps(record))
    code, _, err = run("citations", path, "--out", out)
    assert code == 0
    assert "1 sentences cite passages that were shortened for the model" in err
    marked = [s.get("trimmed") for s in json.loads(out.read_text())["sentences"]]
    assert marked == [True, None]
    assert run("citations", "--judged", out)[0] == 0


def test_a_dry_run_asks_nothing(run, bios):
    code, said, err = run("citations", bios, "--dry-run", "--format", "json")
    assert code == 0
    assert [(row["stage"], row["calls"]) for row in json.loads(said)][-1] == ("total", 4)
    assert "for 3 paragraphs; no model was called" in err


@pytest.mark.data
def test_released_judgements(run, data):
    file = data / "dfactscore" / "citations_vicuna.jsonl"
    code, said, _ = run("citations", "--judged", file, "--format", "json")
    assert code == 0
    assert json.loads(said)["citation_recall_percent"] == pytest.approx(60.8734, abs=5e-5)
    assert json.loads(said)["n_scored"] == 273


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "give either a file of biographies or --judged FILE"),
        (("x.jsonl", "--judged", "y"), "give either a file"),
        (("x.jsonl",), "x.jsonl"),
        (("x.jsonl", "--entailment", "llm"), "give --model NAME"),
        (("x.jsonl", "--threshold", "2"), "threshold"),
        (("x.jsonl", "--model", "m"), "--model is for entailment llm"),
        (("x.jsonl", "--nli-model", "m"), "--nli-model is for entailment nli"),
        (
            ("x.jsonl", "--entailment", "llm", "--threshold", "0.5"),
            "--threshold is for entailment nli",
        ),
        (("x.jsonl", "--out", "/proc/no/j.jsonl"), "/proc/no: cannot be written"),
        (("--judged", "x.jsonl", "--model", "m"), "--judged only recomputes; --model cannot"),
    ],
)
def test_mistakes(run, words, message):
    code, said, err = run("citations", *words)
    assert code == 2
    assert said == ""
    assert message in err
    assert len(err.strip().splitlines()) == 1


def test_a_language_model_judges(run, bios, monkeypatch, tmp_path):
    asked = []

    class Answers(Transport):
        endpoint = "http://127.0.0.1:1/v1"

        def __init__(self, model):
            pass

        async def send(self, body):
            text = "".join(m["content"] for m in body["messages"])
            asked.append(text)
            verdict = "true" if "swimmer" in text else "false"
            answer = f'{{"1": {verdict}}}'
            choice = {"finish_reason": "stop", "message": {"content": answer}}
            return {"choices": [choice], "usage": {}}

    monkeypatch.setattr("dfactscore._asking.client.HTTPTransport", Answers)
    monkeypatch.setenv("DFACTSCORE_CACHE", str(tmp_path / "cache.sqlite"))
    words = ["--entailment", "llm", "--model", "m", "--base-url", "http://127.0.0.1:1/v1"]
    code, said, _ = run("citations", bios, *words, "--format", "json", "--limit", "3", "-q")
    assert code == 0
    found = json.loads(said)
    assert found["entailment"]["model"] == "m"
    assert found["n_sentences"] == 4
    assert sum("bishop in Rome" in text for text in asked) >= 1
    assert sum(found["outcomes"].values()) == 4


@pytest.fixture
def server():
    """The stub of an OpenAI-compatible server, as a process of its own."""
    pytest.importorskip("aiohttp", reason="the stub server needs aiohttp")
    command = [
        sys.executable,
        str(Path(__file__).parents[2] / "helpers" / "stub_server.py"),
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        root = f"http://127.0.0.1:{int(process.stdout.readline())}"

        def talk(**settings):
            if not settings:
                with urllib.request.urlopen(f"{root}/_stats") as reply:
                    return json.load(reply)
            data = json.dumps({"reset": True, **settings}).encode()
            urllib.request.urlopen(f"{root}/_control", data=data).read()
            return None

        yield root, talk
    finally:
        process.kill()
        process.wait()


def test_a_server_judges_and_is_asked_again_where_it_failed(run, bios, tmp_path, server):
    root, talk = server
    words = ["citations", bios, "--limit", 3, "-q", "--format", "json", "--entailment", "llm"]
    words += ["--model", "m", "--base-url", f"{root}/v1", "--cache", tmp_path / "c.sqlite"]
    talk(rate=1.0, kinds=["500"], stages=["verify"], unbounded=True)
    once = tmp_path / "once.yaml"
    once.write_text("retries: 0\n")
    code, said, err = run(*words, "--config", once)
    assert code == 1
    assert json.loads(said)["outcomes"]["unreadable"] == 3
    assert "3 sentences got no readable answer" in err
    talk(rate=0.0)
    code, said, err = run(*words)
    assert (code, err) == (0, "")
    found = json.loads(said)
    assert found["outcomes"]["unreadable"] == 0
    assert found["citation_recall"] is not None
    asked = talk()["by_stage"]["verify"]
    assert asked >= 3
    assert json.loads(run(*words)[1]) == found
    assert talk()["by_stage"]["verify"] == asked  # everything was in the cache
    code, _, err = run(*words[:-1], tmp_path / "d.sqlite", "--max-calls", 1)
    assert code == 2
    assert "max-calls" in err or "calls" in err
