"""`dfactscore generate`, from an index and from passages; its output is scored at once."""

from __future__ import annotations

import json

import pytest

from dfactscore._cli.app import main
from dfactscore._readers import read_biographies
from dfactscore.examples import example


@pytest.fixture
def run(monkeypatch, capsys):
    def call(*words):
        monkeypatch.setattr("sys.argv", ["dfactscore", *map(str, words)])
        with pytest.raises(SystemExit) as end:
            main()
        said = capsys.readouterr()
        return end.value.code, said.out, said.err

    return call


def test_from_an_index_to_scores(run, tmp_path):
    shipped = example("people")
    code, *_ = run("index", "build", shipped.pages, "--out", tmp_path / "index", "--kind", "bm25")
    assert code == 0
    (tmp_path / "names.txt").write_text("Dick Hanley\nJohn Hemming (disambiguation)\n")
    out = tmp_path / "bios.jsonl"
    words = ["generate", "--names", tmp_path / "names.txt", "--index", tmp_path / "index"]
    words += ["--generator", "extractive", "--mode", "mixing", "--out", out]
    code, said, _ = run(*words, "--alce", tmp_path / "bios.json")
    assert code == 0
    assert "2 of 2 biographies" in said
    records = [json.loads(line) for line in out.read_text().splitlines()]
    assert [r["name"] for r in records] == ["Dick Hanley", "John Hemming"]
    assert all(2 <= len(r["passages"]) <= 5 for r in records)
    assert "Dick Hanley (swimmer)" in records[0]["retrieved_entities"]
    code, said, _ = run(*words)
    assert "2 already existed" in said
    for file in (out, tmp_path / "bios.json"):
        code, said, _ = run(
            "score", file, "--out", tmp_path / f"run{file.suffix}", "--format", "json", "-q"
        )
        assert code == 0
        summary = json.loads(said)["summary"]
        assert summary["fs"] - summary["dfs"] > 0.2


def test_any_name_comes_back_from_alce(run, tmp_path):
    names = ['Bob "The $1" {x} O\'Neil', "Ken Griffey Jr.", "Al\u2028Shaw", "Joe Lee-Fu"]
    rows = [
        {
            "name": name,
            "passages": [{"title": name, "text": f"{name} is a rower.\u2028 {name} won ${{x}}."}],
        }
        for name in names
    ]
    passages = tmp_path / "p.jsonl"
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    passages.write_text("\n".join(lines), encoding="utf-8")
    out, alce = tmp_path / "b.jsonl", tmp_path / "new folder" / "b.json"
    words = ["--generator", "extractive", "--out", out, "--alce", alce]
    code, _, err = run("generate", "--passages", passages, *words, "-q")
    assert (code, err) == (0, "")
    ours, theirs = (read_biographies(file).biographies for file in (out, alce))
    assert [b.name for b in ours] == names
    for a, b in zip(ours, theirs, strict=True):
        assert (a.id, a.name, a.raw, a.model) == (b.id, b.name, b.raw, b.model)
        assert a.citations == b.citations
        assert [(p.title, p.text) for p in a.passages] == [(p.title, p.text) for p in b.passages]


def test_three_entities_in_one_text(run, tmp_path):
    passages = tmp_path / "p.jsonl"
    rows = [
        {
            "name": "Al Shaw",
            "title": f"Al Shaw ({w})",
            "text": f"Al Shaw is a {w}. He won {n} cups.",
        }
        for n, w in enumerate(("rower", "poet", "judge"), start=3)
    ]
    passages.write_text("\n".join(json.dumps(row) for row in rows))
    words = ["generate", "--passages", passages, "--generator", "extractive", "--mode", "mixing"]
    settings = tmp_path / "settings.yaml"
    words += ["--config", settings]
    for entities in (2, 3):
        settings.write_text(f"entities: {entities}")
        out = tmp_path / "new folder" / f"{entities}.jsonl"
        assert run(*words, "--out", out)[0] == 0
        (record,) = [json.loads(line) for line in out.read_text().splitlines()]
        assert len({p["title"] for p in record["provenance"]}) == entities
    settings.write_text("entities: 1")
    code, _, err = run(*words, "--out", tmp_path / "1.jsonl")
    assert code == 2
    assert "settings.yaml: entities: expected greater than or equal to 2" in err


def test_a_larger_limit_or_more_names_go_on(run, tmp_path):
    names = [f"Al {word}" for word in ("Shaw", "Lee", "Ek", "Moe", "Roe")]
    rows = [{"name": n, "title": n, "text": f"{n} is a rower."} for n in names]
    (tmp_path / "p.jsonl").write_text("\n".join(map(json.dumps, rows)))

    def write(out, names, *more):
        (tmp_path / "names.txt").write_text("\n".join(names))
        words = ["--names", tmp_path / "names.txt", "--passages", tmp_path / "p.jsonl"]
        return run(
            "generate", *words, "--generator", "extractive", "--out", tmp_path / out, *more, "-q"
        )

    assert "2 of 2" in write("b.jsonl", names[1:], "--limit", 2)[1]
    assert "2 already existed" in write("b.jsonl", names[1:], "--limit", 3)[1]
    assert "3 already existed" in write("b.jsonl", names)[1]
    manifest = json.loads((tmp_path / "b.manifest.json").read_text())
    assert manifest["input"] == {
        "names": "names.txt",
        "passages": "p.jsonl",
        "top": 5,
        "limit": None,
    }
    assert "5 of 5" in write("whole.jsonl", names)[1]
    assert (tmp_path / "b.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    code, _, err = write("b.jsonl", names, "--limit", 4)
    assert code == 2
    assert "it may grow, not shrink" in err
    assert (tmp_path / "b.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_a_name_without_passages(run, tmp_path):
    passages = tmp_path / "p.jsonl"
    row = {"name": "Al Shaw", "title": "Al Shaw", "text": "Al Shaw is an English swimmer."}
    passages.write_text(json.dumps(row))
    (tmp_path / "names.txt").write_text("Al Shaw\nBo Ek\n")
    code, said, err = run(
        "generate", "--names", tmp_path / "names.txt", "--passages", passages, "--generator",
        "extractive", "--out", tmp_path / "b.jsonl",
    )  # fmt: skip
    assert code == 1
    assert "1 of 2 biographies" in said
    assert "'Bo Ek': no passages for 'Bo Ek'" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "give --model NAME"),
        (("--model", "m"), "give --index DIR with --names FILE, or --passages FILE"),
        (("--model", "m", "--index", "x"), "--index needs --names FILE"),
        (
            ("--model", "m", "--index", "x", "--passages", "y"),
            "--passages and --index exclude each other",
        ),
        (
            ("--model", "m", "--shots", "-1"),
            "--shots: expected greater than or equal to 0, found '-1'",
        ),
        (
            ("--model", "m", "--top-p", "3"),
            "--top-p; write 'parameters: {top_p: VALUE}' into the file of --config",
        ),
        (("--gguf", "gone.gguf"), "gone.gguf: no such GGUF file"),
        (("--model", "m", "--passages", "gone.jsonl"), "gone.jsonl: no such file"),
    ],
)
def test_mistakes(run, tmp_path, words, message, monkeypatch):
    monkeypatch.setenv("DFACTSCORE_CACHE", str(tmp_path / "cache.sqlite"))
    code, said, err = run("generate", "--out", tmp_path / "b.jsonl", *words)
    assert code == 2
    assert said == ""
    assert message in err
    assert len(err.strip().splitlines()) == 1
