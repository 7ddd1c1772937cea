"""The command: flags of old, its figures, its file, its mistakes."""

from __future__ import annotations

import json
import os

import pytest

from dfactscore.factscorer._command import main, make_parser

#: The flags of the factscore package and of OpenFActScore.
OLD = frozenset(
    {
        "input_path", "model_name", "gamma", "openai_key", "data_dir", "model_dir", "cache_dir",
        "knowledge_source", "cost_estimate", "abstain_detection_type", "use_atomic_facts",
        "verbose", "print_rate_limit_error", "n_samples", "afg_model", "afv_model", "is_npm",
        "af_annotator",
    }
)  # fmt: skip


@pytest.fixture
def run(tmp_path, pages_file, capsys):
    bios = tmp_path / "bios.jsonl"
    rows = [
        {"topic": "Ann Lee", "output": "Ann Lee is an English painter. She was born in 1871.",
         "annotations": [{"model-atomic-facts": [{"text": "Ann Lee is English."}],
                          "human-atomic-facts": [{"text": "Ann Lee is a painter.", "label": "S"},
                                                 {"text": "She was born in 1871.",
                                                  "label": "NS"}]}]},
        {"topic": "Bob Ray", "output": "I do not know.", "annotations": None},
    ]  # fmt: skip
    bios.write_text("\n".join(map(json.dumps, rows)), "utf-8")

    def call(*arguments: object, input: object = bios) -> tuple[int, str, str]:
        code = 0
        folders = ("--data_dir", tmp_path, "--cache-dir", tmp_path / "c", "--data-path", pages_file)
        try:
            main([str(a) for a in ("--input_path", input, *folders, *arguments)])
        except SystemExit as done:
            code = int(done.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    call.bios = bios
    return call


def test_every_old_flag_is_there():
    names = {action.dest for action in make_parser()._actions}
    assert names >= {*OLD, "db_path", "data_path", "missing", "base_url", "model", "evidence",
                     "dry_run", "out"}  # fmt: skip


def test_four_figures_and_a_file(run, tmp_path):
    code, out, _ = run("--gamma", 10)
    assert (code, [line.split(" = ")[0] for line in out.splitlines()]) == (0, [
        "FActScore", "FActScore w/o length penalty", "Respond ratio",
        "# Atomic facts per valid response",
    ])  # fmt: skip
    written = json.loads((tmp_path / "bios_factscore_output.json").read_text())
    assert list(written) == ["score", "respond_ratio", "decisions", "num_facts_per_response",
                             "init_score", "counts", "score_verdicts"]  # fmt: skip
    shares = [f"{100 * written[key]:.1f}%" for key in ("score", "score_verdicts")]
    assert out.splitlines()[0] == (
        f"FActScore = {shares[0]} (expected; by verdicts, as the factscore package counts: "
        f"{shares[1]})"
    )
    assert run("--counts", "verdicts")[1].splitlines()[0] != out.splitlines()[0]
    assert "counts" not in json.loads((tmp_path / "bios_factscore_output.json").read_text())
    assert run()[0] == 0  # over an older result of its own


def test_facts_of_annotations(run, tmp_path):
    code, out, _ = run("--use_atomic_facts", "--gamma=0")
    written = json.loads((tmp_path / "bios_factscore_output.json").read_text())
    assert (code, written["respond_ratio"], written["num_facts_per_response"]) == (0, 0.5, 1)
    assert written["decisions"][1] is None
    assert "w/o length penalty" not in out
    out = run("--use-atomic-facts", "--af-annotator", "human-atomic-facts")[1]
    assert "Against people, 2 facts: kappa 1.000, balanced accuracy 100.0%" in out


@pytest.mark.parametrize(
    "flags", [["--abstain_detection", "generic"], ["--abstain-detection", "generic"],
              ["--n_sam", "1"], ["--use-atomic"]],
)  # fmt: skip
def test_prefixes_and_both_spellings(run, flags):
    assert run(*flags)[0] == 0


def test_n_samples_counts_lines(run, tmp_path):
    assert run("--n-samples", 1)[0] == 0
    written = json.loads((tmp_path / "bios_factscore_output.json").read_text())
    assert len(written["decisions"]) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--model_name", "retrieval+llama+npm"], "nonparametric model"),
        (["--model_name", "retrieval+lama"], "did you mean retrieval+llama"),
        (["--gamma", "x"], "argument --gamma: invalid float value: 'x'"),
        (["--nonsense"], "unrecognized arguments: --nonsense"),
        (["--model_name", "retrieval+ChatGPT"], "needs a language model"),
        (["--db_path", "nowhere/x.db", "--data_path", "nowhere.jsonl"], "neither"),
    ],
)
def test_mistakes_are_one_line(run, monkeypatch, arguments, message):
    monkeypatch.delenv("DFACTSCORE_MODEL", raising=False)
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.strip().splitlines()) == 1


def test_a_damaged_database_is_one_line(run, tmp_path):
    assert run()[0] == 0
    (db,) = tmp_path.glob("*.db")
    data = bytearray(db.read_bytes())
    data[100:] = b"x" * (len(data) - 100)
    db.write_bytes(data)
    code, _, err = run("--out", tmp_path / "again.json")
    assert code == 2
    assert err.startswith("factscorer: ")
    assert db.name in err
    assert len(err.strip().splitlines()) == 1


def test_the_input_is_never_harmed(run, tmp_path):
    other = tmp_path / "x.json"
    other.write_text(run.bios.read_text().splitlines()[0])
    before = other.read_bytes()
    assert run(input=other)[0] == 0
    assert other.read_bytes() == before
    assert (tmp_path / "x_factscore_output.json").exists()
    code, _, err = run("--out", other, input=other)
    assert (code, "is the input" in err) == (2, True)
    taken = tmp_path / "notes.json"
    taken.write_text('{"mine": 1}')
    code, _, err = run("--out", taken)
    assert (code, "not a result" in err, taken.read_text()) == (2, True, '{"mine": 1}')


def test_a_read_only_folder_is_one_line(run, tmp_path, monkeypatch):
    folder = tmp_path / "locked"
    folder.mkdir()
    (folder / "bios.jsonl").write_text(run.bios.read_text())
    folder.chmod(0o555)
    if os.geteuid() == 0:  # root may write anywhere
        allowed = os.access
        monkeypatch.setattr(
            os, "access", lambda p, mode: not str(p).endswith("locked") and allowed(p, mode)
        )
    code, _, err = run(input=folder / "bios.jsonl")
    folder.chmod(0o755)
    assert (code, "cannot be written" in err) == (2, True)


def test_missing_topics_are_named(run, tmp_path):
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"topic": "Ann Lea", "output": "x"}\n')
    code, _, err = run(input=bad)
    assert (code, "no page 'Ann Lea'; near titles: Ann Lee" in err) == (2, True)
    assert run("--missing", "unsupported", input=bad)[0] == 0
    bad.write_text('{"topic": 3, "output": "x"}\n')
    code, _, err = run(input=bad)
    assert (code, "bad.jsonl:1: field 'topic': expected a text" in err) == (2, True)


def test_a_dry_run_of_the_default_makes_no_call(run, tmp_path):
    code, out, _ = run("--dry-run")
    assert (code, out) == (0, "2 texts, 0 calls, no model was called\n")
    assert not (tmp_path / "bios_factscore_output.json").exists()


def test_published_predictions_are_rescored(tmp_path, monkeypatch, capsys):
    from dfactscore._cli.app import main as dfactscore

    path = tmp_path / "predictions.jsonl"
    rows = [
        {"prompt": "A", "facts": ["a", "b"], "LLAMA+NP_Labels": ["S", "NS"],
         "ChatGPT_Labels": ["S", "S"]},
        {"prompt": "B", "facts": ["c"], "LLAMA+NP_Labels": ["IR"], "ChatGPT_Labels": ["S"]},
        {"prompt": "C", "facts": None, "LLAMA+NP_Labels": None, "ChatGPT_Labels": None},
    ]  # fmt: skip
    path.write_text("\n".join(map(json.dumps, rows)))

    def rescore(*more):
        arguments = ["dfactscore", "rescore", str(path), "--format", "json", *more]
        monkeypatch.setattr("sys.argv", arguments)
        with pytest.raises(SystemExit) as done:
            dfactscore()
        out, err = capsys.readouterr()
        return done.value.code or 0, out, err

    code, out, _ = rescore()
    assert (code, json.loads(out)) == (0, {
        "score (LLAMA+NP)": 0.25, "score (ChatGPT)": 1.0, "num_facts_per_response": 1.5,
        "respond_ratio": 2 / 3,
    })  # fmt: skip
    assert json.loads(rescore("--of", "5")[1])["respond_ratio"] == 0.4
    code, _, err = rescore("--of", "2")
    assert (code, "--of 2: the file has 3 records" in err) == (2, True)
    path.write_text(json.dumps({**rows[0], "ChatGPT_Labels": ["S"]}))
    assert "expected 2 labels" in rescore()[2]
