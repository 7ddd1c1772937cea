"""The commands, against made-up data and a stub that counts its calls."""

from __future__ import annotations

import json

import pytest

JSON = ("--format", "json")


def rows_of(text: str) -> dict[tuple[str, str, str, str, str], dict]:
    keys = ("block", "evaluator", "references", "level", "variant")
    return {tuple(row[k] for k in keys): row for row in json.loads(text)["rows"]}


def test_data_are_described(command, felm):
    code, out, _ = command("meta", "data", f"felm={felm(12)}", "--format", "json")
    (row,) = json.loads(out)
    assert code == 0
    assert (row["responses"], row["units"], row["errors"], row["no_claim"]) == (12, 36, 6, 12)
    assert (row["with_links"], row["with_text"], row["error_types"]) == (
        12, 8, {"knowledge_error": 6},
    )  # fmt: skip
    assert "knowledge_error 6" in command("meta", "data", f"felm={felm(12)}")[1]


def test_every_baseline_is_in_the_table(command, felm, tmp_path):
    code, out, _ = command(
        "meta", "run", f"felm={felm(12)}", "--out", tmp_path / "r", "--format", "json"
    )
    assert code == 0
    found = rows_of(out)
    names = {key[1] for key in found}
    assert names == {"none", "all", "all-claims", "last", "first-two", "random"}
    assert found["felm wk", "all", "all", "segment", ""]["precision"] == pytest.approx(6 / 36)
    assert found["felm wk", "none", "with-text", "response", ""]["precision"] is None
    assert (tmp_path / "r" / "scores.csv").read_text().startswith("block,evaluator,")


def test_calls_are_counted_and_not_repeated(command, felm, tmp_path, stub, llm):
    data = f"felm={felm(12)}"
    asked = ["meta", "run", data, "-e", "prompt:vanilla", "--out", tmp_path / "r", *llm]
    assert command(*asked)[0] == 0
    assert stub.calls == 12
    before = {p.name: p.read_bytes() for p in (tmp_path / "r").iterdir() if p.name != "timing.json"}
    assert command(*asked)[0] == 0
    assert stub.calls == 12
    after = {p.name: p.read_bytes() for p in (tmp_path / "r").iterdir() if p.name != "timing.json"}
    assert before == after


def test_samples_and_claims_are_counted(command, felm, tmp_path, stub, llm):
    data = f"felm={felm(6)}"
    run = ["meta", "run", data, "-e", "prompt:vanilla", *llm]
    assert command(*run, "--out", tmp_path / "s", "--samples", 3)[0] == 0
    assert stub.calls == 18
    bodies = json.loads((tmp_path / "s" / "manifest.json").read_text())
    assert bodies["settings"]["evaluators"]["prompt:vanilla"]["temperature"] == 0.9
    stub.answer = lambda prompt: json.dumps({"1": ["Mill is built."], "2": ["It stands."]})
    assert command(*run, "--out", tmp_path / "c", "--unit", "claim")[0] == 0
    assert stub.calls == 24


def test_both_forms_of_the_model_are_judges(command, felm, tmp_path, stub, llm):
    stub.answer = lambda prompt: (
        '{"1": ["A"], "2": []}' if "several documents" in prompt else '{"1": true, "2": false}'
    )
    both = ["meta", "run", f"felm={felm(6)}", "-e", "llm", "-e", "few", *llm]
    _, out, _ = command(*both, "--dry-run", "--format", "json")
    expected = json.loads(out)[-1]["calls"]
    code, out, _ = command(*both, "--out", tmp_path / "r", "--format", "json")
    one, few = (rows_of(out)["felm wk", name, "all", "segment", ""] for name in ("llm", "few"))
    assert (code, expected) == (0, stub.calls + 1)  # and the question about the form
    for measure in ("recall", "precision", "coverage"):
        assert one[measure] == few[measure]


def test_flags_are_what_the_model_says(command, felm, tmp_path, stub, llm):
    stub.forms = False
    stub.answer = lambda prompt: "1, 9" if "mill 0?" in prompt else "Hard to tell"
    args = ["-e", "prompt:vanilla", "--out", tmp_path / "r", "--format", "json", *llm]
    code, out, _ = command("meta", "run", f"felm={felm(2)}", *args)
    found = rows_of(out)
    row = found["felm wk", "prompt:vanilla", "all", "segment", ""]
    assert code == 0
    assert (row["recall"], row["precision"], row["coverage"]) == (1, 1, 0.5)
    assert row["note"] == "1 numbers out of range"
    assert row["statuses"] == {"read": 3, "unread": 3}
    right = found["felm wk", "prompt:vanilla", "all", "segment", "right"]
    wrong = found["felm wk", "prompt:vanilla", "all", "segment", "wrong"]
    assert right["accuracy"] == 1
    assert wrong["accuracy"] == 0.5


def test_server_errors_change_nothing(command, felm, tmp_path, stub, llm, monkeypatch):
    monkeypatch.setenv("DFACTSCORE_RETRIES", "12")
    stub.answer = lambda prompt: '{"errors": [1]}' if "mill 0?" in prompt else '{"errors": []}'
    run = ["meta", "run", f"felm={felm(12)}", "-e", "prompt:vanilla", "-e", "llm"]
    stub.answer = lambda prompt: (
        '{"errors": [1]}' if "numbered segments" in prompt else '{"1": true, "2": false}'
    )
    outs = []
    for faults in (0.0, 0.2):
        stub.faults = faults
        folder = tmp_path / f"r{faults}"
        options = [*llm, "--cache", tmp_path / f"{faults}.sqlite"]
        code, out, _ = command(*run, "--out", folder, *options, "--format", "json")
        assert code == 0
        outs.append(out)
    assert outs[0] == outs[1]


def test_an_answer_that_was_not_had_is_asked_for_again(
    command, felm, tmp_path, stub, llm, monkeypatch
):
    monkeypatch.setenv("DFACTSCORE_RETRIES", "0")
    run = ["meta", "run", f"felm={felm(4)}", "-e", "prompt:vanilla", "--out", tmp_path / "r"]
    stub.faults = 0.5
    code, _, err = command(*run, *llm)
    assert code == 1
    assert "run the same command again" in err
    stub.faults = 0.0
    assert command(*run, *llm)[0] == 0
    assert stub.calls == 4


def test_where_there_are_no_references_the_row_says_so(command, felm, tmp_path, stub, llm):
    args = ["-e", "prompt:doc", "--out", tmp_path / "r", "--format", "json", *llm]
    code, out, _ = command("meta", "run", f"felm={felm(12)}", *args)
    assert code == 0
    row = rows_of(out)["felm wk", "prompt:doc", "all", "segment", ""]
    assert row["note"] == "references for 8 of 12"
    assert sum("Reference texts" in prompt for prompt in stub.prompts) == 8
    none = felm(3, name="math.jsonl", ref_contents="", ref=[])
    code, _, err = command("meta", "run", f"felm={none}", *args)
    assert code == 2
    assert "has no reference texts" in err


@pytest.mark.parametrize("evaluator", ["prompt:cot", "llm", "strict"])
def test_a_dry_run_counts_what_is_left_without_calling(
    command, felm, tmp_path, stub, llm, evaluator
):
    data = f"felm={felm(5)}"
    args = ["-e", evaluator, "--format", "json", "--out", tmp_path / "r", *llm]

    def dry(*more):
        before = stub.calls
        code, out, _ = command("meta", "run", data, "--dry-run", *args, *more)
        assert (code, stub.calls) == (0, before)
        rows = json.loads(out)
        return rows[-1]["calls"] if rows else 0

    whole = dry()
    assert command("meta", "run", data, *args, "--limit", "3")[0] == 0
    left = dry()
    assert command("meta", "run", data, *args)[0] == 0
    assert whole > left > dry() == 0
    if evaluator == "prompt:cot":
        assert whole == 6  # and the question about the form of answers


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["felmm=x"], "no kind of data 'felmm'; did you mean felm?"),
        (["felm={data}", "-e", "builtn"], "no evaluator 'builtn'; did you mean builtin?"),
        (["felm={data}", "--samples", "4"], "--samples 4 is even"),
        (["felm={data}", "-e", "builtin", "--threshold", "2"], "expected own, fitted or a number"),
        (["felm={data}", "-e", "builtin", "--threshold", "fitted"], "each needs two clusters"),
        (["felm=nowhere.jsonl"], "no such file"),
        (["felm={data}", "--format", "jsn"], "jsn"),
    ],
)
def test_mistakes_are_one_line(command, felm, tmp_path, arguments, message):
    data = felm(3)
    args = [a.format(data=data) for a in arguments]
    code, _, err = command("meta", "run", *args, "--out", tmp_path / "r", "--quiet")
    assert code == 2
    assert message in err
    assert len(err.strip().splitlines()) == 1


def test_one_bad_record_among_many_is_skipped(command, felm, made):
    bad = made(99, labels=[True])
    code, out, err = command(
        "meta", "data", f"felm={felm(3, bad, made(1), '{')}", "--format", "json"
    )
    assert code == 1
    assert json.loads(out)[0]["responses"] == 3
    assert "wk.jsonl:4: record 3: field 'labels': 1 label for 3 segments" in err
    assert "wk.jsonl:5: record 1: field 'index': '1' is on line 2 already" in err
    assert "wk.jsonl:6" in err


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"labels": [True]}, ":1: record 0: field 'labels': 1 label for 3 segments"),
        ({"labels": ["a", "b", "c"]}, "field 'labels': expected true or false, found 'a'"),
        ({"prompt": None}, "field 'prompt': expected a text"),
    ],
)
def test_a_file_without_a_usable_record_is_refused(command, felm, changes, message):
    code, _, err = command("meta", "data", f"felm={felm(1, **changes)}")
    assert code == 2
    assert message in err


def test_an_empty_file_is_refused(command, felm):
    code, _, err = command("meta", "data", f"felm={felm(0)}")
    assert (code, "the file is empty" in err) == (2, True)


def test_another_evaluation_is_not_overwritten(command, felm, tmp_path):
    data = felm(4)
    assert command("meta", "run", f"felm={data}", "-e", "builtin", "-o", tmp_path / "r")[0] == 0
    again = ["meta", "run", f"felm={data}", "-e", "builtin", "-o", tmp_path / "r", "--k", 3]
    code, _, err = command(*again)
    assert code == 2
    assert "holds another run" in err


def test_claims_of_reasoning_are_warned_about(command, felm, tmp_path):
    data = felm(4, name="math.jsonl", domain="math")
    args = ["-e", "builtin", "--unit", "claim", "-o", tmp_path / "r"]
    assert "--unit claim with math" in command("meta", "run", f"felm={data}", *args)[2]


def test_runs_are_compared(command, felm, tmp_path):
    data = felm(12)
    for name, more in (("a", []), ("b", ["--unit", "claim"])):
        args = ["-e", "builtin", "-o", tmp_path / name, *more]
        assert command("meta", "run", f"felm={data}", *args)[0] == 0
    code, out, _ = command("meta", "compare", tmp_path / "a", tmp_path / "b", "--format", "json")
    assert code == 0
    found = json.loads(out)
    pairs = {(d["first"], d["second"]) for d in found["differences"]}
    assert pairs == {("a: builtin", "b: builtin")}
    assert all(d["p_holm"] >= d["p"] for d in found["differences"])
    assert "points" in command("meta", "compare", tmp_path / "a", tmp_path / "b")[1]
    assert command("meta", "compare", tmp_path)[0] == 2


def test_each_evaluator_has_a_signature_that_is_explained(command, felm, tmp_path, stub, llm):
    data = f"felm={felm(4)}"
    names = ("builtin", "prompt:vanilla", "llm")
    evaluators = [word for name in names for word in ("-e", name)]
    run = ["meta", "run", data, *evaluators, "--resamples", 100, *llm]
    out = command(*run, "--out", tmp_path / "r")[1]
    lines = [line for line in out.splitlines() if line.startswith("signature of ")]
    found = dict(line.removeprefix("signature of ").split(": dfactscore ", 1) for line in lines)
    assert tuple(found) == names
    assert " | judge stub at 127.0.0.1" not in found["llm"]  # nothing about the place
    assert " | judge stub (prompt:vanilla) | unit segment | labels felm/" in found["prompt:vanilla"]
    assert all(line.endswith(" | threshold own") for line in lines)
    assert lines == command("meta", "compare", tmp_path / "r")[1].splitlines()[-3:]
    explained = command("rescore", f"dfactscore {found['llm']}", "--signature")[1]
    assert "the evaluator decides by its own threshold" in explained

    changes = (["--threshold", 0.5], ["--unit", "claim"], ["--limit", 3], ["--k", 4])
    digests = {
        command("meta", "run", data, "-e", "builtin", "--out", tmp_path / str(i), *change)[
            1
        ].splitlines()[-1]
        for i, change in enumerate(changes)
    }
    assert len(digests | {f"signature: dfactscore {found['builtin']}"}) == len(changes) + 1


def test_a_signature_shows_how_labels_and_predictions_were_read(command, tmp_path):
    facts = [{"text": f"Fact {i}.", "label": label} for i, label in enumerate(("S", "NS", "IR"))]
    record = {"topic": "T", "output": "o", "annotations": [{"human-atomic-facts": facts}]}
    labels, predictions = tmp_path / "l.jsonl", tmp_path / "p.jsonl"
    labels.write_text(json.dumps(record))
    score = ["meta", "score", predictions, f"factscore-labels={labels}"]

    def signature(flagged, irrelevant):
        predictions.write_text(json.dumps({"id": "T", "flagged": flagged}))
        code, out, _ = command(*score, "--irrelevant", irrelevant)
        assert code == 0
        return out.splitlines()[-1]

    first = signature([False, True, True], "keep")
    assert "| evaluator p/" in first
    assert first.endswith(" | threshold own")
    others = {signature([True, True, True], "keep"), signature([False, True], "exclude")}
    assert len(others - {first}) == 2


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("scores.json", "3", "scores.json: damaged (expected an object, found 3)"),
        ("scores.json", '{"rows": 3}', "damaged (rows: input should be a valid list, found int 3)"),
        ("scores.json", '{"rows": [{"block": 3}]}', "damaged (rows[0].block: "),
        ("clusters.jsonl", "[]", "clusters.jsonl:1: damaged (expected an object, found [])"),
        ("clusters.jsonl", '{"block": "b", "references": "all", "level": "x", "evaluator": "e", '
         '"clusters": [["a", [1, 2]]]}', "clusters.jsonl:1: damaged (clusters[0][1]"),
    ],
)  # fmt: skip
def test_a_damaged_evaluation_is_not_compared(command, felm, tmp_path, name, content, said):
    out = tmp_path / "r"
    assert command("meta", "run", f"felm={felm(4)}", "-o", out, "--resamples", 100)[0] == 0
    (out / name).write_text(content)
    code, _, err = command("meta", "compare", out)
    assert code == 2
    assert said in err
    assert len(err.strip().splitlines()) == 1


@pytest.mark.parametrize("fact", [3, ["S"], {"text": "x", "label": ["S"]}, {"text": 3}])
def test_labels_of_facts_that_are_none_are_refused(command, tmp_path, fact):
    path = tmp_path / "l.jsonl"
    path.write_text(json.dumps({"topic": "T", "output": "o", "annotations": [
        {"human-atomic-facts": [fact]}]}))  # fmt: skip
    code, _, err = command("meta", "data", f"factscore-labels={path}")
    assert code == 2
    assert "field 'human-atomic-facts': expected a text and S, NS or IR" in err
