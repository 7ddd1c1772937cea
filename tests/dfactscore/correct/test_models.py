"""In runs of several models, each model is corrected by its labels."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

from dfactscore._errors import InputError
from dfactscore._report.report_data import report_summary
from dfactscore._runs.corrected import read_corrected
from dfactscore._scoring import summarize
from dfactscore.comparison import compare
from dfactscore.correct import correct
from dfactscore.correct._correction import save, with_corrected
from dfactscore.correct._planning import plan_runs
from dfactscore.correct._tables import plan_table

MODELS = {"alpha": 0.0, "beta": -0.25}


def rows_of(model, *, count=40, prefix=None):
    rng = np.random.default_rng(len(model))
    fs = np.clip(rng.beta(6, 2, count) + MODELS.get(model, 0), 0, 1)
    dfs = np.clip(fs - rng.beta(1, 6, count), 0, 1)
    prefix = model if prefix is None else prefix
    return [
        {"id": f"{prefix}{i}", "name": f"Name {i}", "fs": float(f), "dfs": float(d),
         "status": "scored", "model": model}
        for i, (f, d) in enumerate(zip(fs, dfs, strict=True))
    ]  # fmt: skip


def folder_of(path, rows):
    path.mkdir()
    with (path / "scores.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return path


def label(row):
    rng = np.random.default_rng(int(1e6 * row["fs"]))
    said = {
        "fs": min(1, row["fs"] + 0.05),
        "dfs": float(np.clip(row["dfs"] + rng.normal(0, 0.1), 0, 1)),
    }
    return {"id": row["id"], **said}


def labels_of(path, rows, *keys):
    lines = [{**label(row), **{key: row[key] for key in keys}} for row in rows]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.fixture
def both(tmp_path):
    """Creates a run of two models with labels of half of its texts, and one run per model."""
    rows = {model: rows_of(model) for model in MODELS}
    together = folder_of(tmp_path / "both", [*rows["alpha"], *rows["beta"]])
    labels = labels_of(tmp_path / "l.jsonl", [*rows["alpha"][:20], *rows["beta"][:20]])
    apart = {
        model: (folder_of(tmp_path / model, own), labels_of(tmp_path / f"{model}.jsonl", own[:20]))
        for model, own in rows.items()
    }
    return together, labels, apart


def test_two_models_of_one_run_are_two_runs(both):
    together, labels, apart = both
    found = correct(together, by=labels)
    assert [run.label for run in found.runs] == list(MODELS)
    for run in found.runs:
        folder, own = apart[run.label]
        (alone,) = correct(folder, by=own).runs
        assert run.measures.keys() == alone.measures.keys()
        for measure, one in run.measures.items():
            other = alone.measures[measure]
            for mine, theirs in ((one.corrected, other.corrected), (one.judge, other.judge)):
                assert mine.value == pytest.approx(theirs.value, abs=1e-9)
                assert [*mine.interval] == pytest.approx([*theirs.interval], abs=1e-9)
    runs = correct(
        {model: folder for model, (folder, _) in apart.items()},
        by={model: [own] for model, (_, own) in apart.items()},
    )
    assert [d.corrected.value for d in found.differences] == pytest.approx(
        [d.corrected.value for d in runs.differences], abs=1e-9
    )
    assert found.order.corrected == runs.order.corrected


def test_one_row_a_run_where_that_is_asked_for(both):
    together, labels, _ = both
    (run,) = correct(together, by=labels, rows="run").runs
    assert (run.label, run.model, run.measures["dfs"].texts) == ("both", None, 80)
    with pytest.raises(InputError, match="rows='models' is unknown"):
        correct(together, by=labels, rows="models")


@pytest.mark.parametrize("key", ["model", "run"])
def test_a_label_says_which_model_wrote_a_text_of_that_name(tmp_path, key):
    """Both models write about the same names, with the same ids."""
    rows = {model: rows_of(model, prefix="") for model in MODELS}
    together = folder_of(tmp_path / "both", [*rows["alpha"], *rows["beta"]])
    lines = [
        {**label(row), "id": "", "name": row["name"], key: model}
        for model, own in rows.items()
        for row in own[:15]
    ]
    labels = tmp_path / "l.jsonl"
    labels.write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = correct(together, by=labels)
    for run in found.runs:
        said = [label(row)["dfs"] for row in rows[run.label][:15]]
        assert run.measures["dfs"].labels == 15
        assert run.measures["dfs"].labeled.value == pytest.approx(np.mean(said))
    for line in lines:
        del line[key]
    labels.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(InputError, match="labels need the ids of the texts or a column model"):
        correct(together, by=labels)


def test_a_model_with_few_labels_is_left_out_and_named(tmp_path):
    rows = {model: rows_of(model) for model in MODELS}
    together = folder_of(tmp_path / "both", [*rows["alpha"], *rows["beta"]])
    labels = labels_of(tmp_path / "l.jsonl", [*rows["alpha"][:20], *rows["beta"][:4]])
    found = correct(together, by=labels)
    assert [run.label for run in found.runs] == ["alpha"]
    assert any(note.startswith("beta: 4 labels") and "bias" in note for note in found.notes)
    with pytest.raises(InputError, match="beta: 4 labels"):
        correct(together, by=labels_of(tmp_path / "f.jsonl", rows["beta"][:4]))


def test_comparison_and_report_show_each_model_its_own(both):
    together, labels, _ = both
    found = correct(together, by=labels)
    right = {run.label: run.measures["dfs"].corrected.value for run in found.runs}
    assert right["alpha"] - right["beta"] > 0.1
    shown = with_corrected(compare(together), found)
    assert {m.label: m.levels["dfs_corrected"].mean for m in shown.models} == right
    save(found, {"both": together})
    kept = read_corrected(together)
    scores = [summarize(["scored"], [None])] * 2
    page = report_summary([], dict(zip(MODELS, scores, strict=True)), {}, kept)
    cells = next(cells for title, _, cells in page["tiles"] if title == "D-FActScore, %")
    for model, cell in zip(MODELS, cells, strict=True):
        assert any(f": {100 * right[model]:.1f} (" in str(note) for note in cell)


def test_a_mean_of_several_models_is_shown_of_none_of_them(both):
    together, labels, _ = both
    save(correct(together, by=labels, rows="run"), {"both": together})
    scores = [summarize(["scored"], [None])] * 2
    page = report_summary([], dict(zip(MODELS, scores, strict=True)), {}, read_corrected(together))
    assert "corrected" not in str(page["tiles"])


def test_answers_are_corrected_only_where_abstentions_are_labeled(tmp_path):
    rows = rows_of("alpha")
    for row in rows[::4]:
        row |= {"status": "abstained", "fs": "", "dfs": ""}
    folder = folder_of(tmp_path / "run", rows)
    answered = [row for row in rows if row["fs"] != ""]
    plain = labels_of(tmp_path / "l.jsonl", answered[:20])
    assert "response_rate" not in correct(folder, by=plain).runs[0].measures
    lines = [
        {"id": row["id"], "status": row["status"], **({} if row["fs"] == "" else label(row))}
        for row in rows[:24]
    ]
    labeled = tmp_path / "a.jsonl"
    labeled.write_text("".join(json.dumps(line) + "\n" for line in lines))
    one = correct(folder, by=labeled).runs[0].measures["response_rate"]
    assert (one.labels, one.corrected.value) == (24, pytest.approx(0.75))


def test_an_empty_cell_without_a_status_is_no_abstention(tmp_path):
    rows = rows_of("alpha")
    folder = folder_of(tmp_path / "run", rows)
    lines = [label(row) if i < 15 else {"id": row["id"], "fs": "", "dfs": ""} for i, row in
             enumerate(rows)]  # fmt: skip
    path = tmp_path / "l.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    (run,) = correct(folder, by=path).runs
    assert {one.labels for one in run.measures.values()} == {15}
    assert not {"response_rate", "dfs_adjusted"} & run.measures.keys()


def test_a_plan_says_in_words_what_can_be_had(both):
    together, _, _ = both
    plans = plan_runs({"both": together}, width=0.03)
    assert {"alpha", "beta"} < plans.keys()
    (note, *_) = plan_table(plans, 0.03, False).notes
    assert note.startswith("alpha: 40 texts are too few for ±3 even if all are labeled; ±")
    (note, *_) = plan_table(plan_runs({"both": together}, width=0.2), 0.2, False).notes
    assert note == "alpha: 40 texts, of which 10 labeled give ±20 (at r 0.50)."
