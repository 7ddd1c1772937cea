from __future__ import annotations

import csv
import json
import math
import re
import shutil
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dfactscore._errors import InputError, RunError
from dfactscore._runs.corrected import read_corrected
from dfactscore.correct import correct
from dfactscore.correct._correction import save

ROWS = (
    "id",
    "name",
    "fs",
    "dfs",
    "n_bio",
    "n_ent",
    "n_facts",
    "coverage",
    "status",
    "mixed_groups",
)


def write_rows(path, rows):
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, ROWS)
        writer.writeheader()
        writer.writerows(rows)


def scores(count=60, seed=0, shift=0.0):
    rng = np.random.default_rng(seed)
    fs = np.clip(rng.beta(6, 2, count) + shift, 0, 1)
    dfs = np.clip(fs - rng.beta(1, 6, count), 0, 1)
    return [
        {"id": str(i), "name": f"Name {i}", "fs": float(f), "dfs": float(d), "n_bio": 1, "n_ent": 2,
         "n_facts": 9, "coverage": 1, "status": "scored", "mixed_groups": int(d < f - 0.2)}
        for i, (f, d) in enumerate(zip(fs, dfs, strict=True))
    ]  # fmt: skip


@pytest.fixture
def run(tmp_path):
    """Creates a run folder with scores and texts."""

    def make(name="run", rows=None, texts=None):
        folder = tmp_path / name
        folder.mkdir()
        rows = rows or scores()
        write_rows(folder / "scores.csv", rows)
        texts = texts or {row["id"]: f"{row['name']} is a painter." for row in rows}
        (folder / "biographies.jsonl").write_text(
            "".join(json.dumps({"id": i, "text": t}) + "\n" for i, t in texts.items())
        )
        return folder

    return make


def labels_of(path, rows, n=30, **more):
    chosen = [
        {"id": r["id"], "fs": min(1, r["fs"] + 0.05), "dfs": min(1, 0.5 * r["dfs"] + 0.5), **more}
        for r in rows[:n]
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in chosen))
    return path


def test_a_run_and_labels_by_id(run, tmp_path):
    folder = run()
    found = correct(folder, by=labels_of(tmp_path / "l.jsonl", scores()))
    one = found.runs[0].measures["dfs"]
    assert (one.texts, one.labels, one.r) == (60, 30, pytest.approx(1))
    # The labels are a linear function of the scores, so the correction is exact.
    assert one.corrected.value == pytest.approx(0.5 * one.judge.value + 0.5)
    assert one.power == pytest.approx(0.5)
    assert one.bias.value == pytest.approx(one.judge.value - one.corrected.value)
    assert {"fs", "dfs", "gap"} <= set(found.runs[0].measures)
    assert any("a random sample" in note for note in found.notes)


def test_another_judges_run_is_matched_by_texts(run, tmp_path):
    rows = scores()
    folder = run(rows=rows)
    other = [{**r, "id": f"x{i}", "dfs": r["dfs"] * 0.9} for i, r in enumerate(rows[10:40])]
    texts = {f"x{i}": f"{r['name']} is a painter." for i, r in enumerate(rows[10:40])}
    judge = run("strict", rows=other, texts=texts)
    one = correct(folder, by=judge).runs[0].measures["dfs"]
    assert one.labels == 30
    assert one.corrected.value == pytest.approx(0.9 * one.judge.value)


def test_a_study(make_scored, make_run, tmp_path):
    """Uses people's scores of finished paragraphs as labels."""
    from dfactscore._runs import load_run
    from dfactscore.annotation._creating import init_study
    from dfactscore.annotation._importing import import_answers
    from dfactscore.annotation._study import Study

    folder = make_run([make_scored(id=f"r{i}", name=f"Ann Lee{i}") for i in range(16)])
    study = tmp_path / "study.db"
    init_study([folder], study, sample=12)
    with Study(study) as opened:
        with opened.read() as db:
            chosen = {record for (record,) in db.execute("SELECT record FROM item")}
        lines = []
        for record in load_run(folder).records():
            if record.id not in chosen:
                continue
            number = len(lines)
            wrong = number % 3 == 0
            facts = [
                {"text": fact.text, "biography": 1,
                 "found_in": None if wrong and not i else record.entities[0].label,
                 "label": "not_supported" if wrong and not i else "supported"}
                for i, fact in enumerate(record.facts)
            ]  # fmt: skip
            lines.append(
                {"study": "", "item": record.id, "run": "run", "model": "", "name": record.name,
                 "annotator": "annotator", "role": "annotator", "n_bio": 1, "facts": facts,
                 "biographies": [{"facts": list(range(len(facts))),
                                  "page": record.entities[0].label}],
                 "revised_after_pages": False, "seconds": 9, "status": "done"}
            )  # fmt: skip
        answers = tmp_path / "answers.jsonl"
        answers.write_text("".join(json.dumps(line) + "\n" for line in lines))
        import_answers(opened, answers)
    found = correct(folder, by=study).runs[0]
    one = found.measures["fs"]
    assert (one.texts, one.labels) == (16, 12)
    assert one.labeled.value == pytest.approx(1 - 4 / 12 / len(facts))
    assert "12 paragraphs drawn" in found.drawn.recorded


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([{"id": "0", "dfs": 0.5}, {"id": "0", "dfs": 0.6}], "l.jsonl:1 and .*l.jsonl:2"),
        ([{"id": "no", "dfs": 0.5}], "no text of"),
        ([{"dfs": 0.5}], "l.jsonl:1: has neither 'id' nor 'name'"),
        ([{"id": "0", "dfs": 82}], "l.jsonl:1: dfs is 82; add --percent"),
        ([{"id": "0", "dfs": "much"}], "l.jsonl:1.*'much'"),
        (
            [{"id": "0", "name": "Else", "dfs": 0.5}],
            "l.jsonl:1: id '0' is 'Else' here and 'Name 0'",
        ),
        ([{"id": "0", "name": "Name 0", "text": "Other.", "dfs": 0.5}], "l.jsonl:1.*'Other.'"),
        ([{"id": str(i), "dfs": 0.5} for i in range(9)], "run: 9 labels .* 10"),
    ],
)
def test_labels_that_do_not_fit(run, tmp_path, rows, words):
    path = tmp_path / "l.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(InputError, match=words):
        correct(run(), by=path)


@pytest.mark.parametrize(
    ("names", "words"),
    [("x", "1 of 31 labels matches no text of"), ("xy", "2 of 32 labels match no text of")],
)
def test_labels_of_no_text_are_counted(run, tmp_path, names, words):
    path = labels_of(tmp_path / "l.jsonl", scores())
    with path.open("a") as file:
        file.writelines(json.dumps({"id": name, "fs": 0.5, "dfs": 0.5}) + "\n" for name in names)
    assert any(words in note for note in correct(run(), by=path).notes)


def test_labels_in_percent_and_other_columns(run, tmp_path):
    from dfactscore._readers import Columns

    rows = scores()
    path = tmp_path / "l.csv"
    lines = [f"{r['name']},{100 * r['dfs']}" for r in rows[:20]]
    path.write_text("\n".join(["person,dfs", *lines]) + "\n")
    one = correct(run(), by=path, columns=Columns(name="person"), percent=True).runs[0]
    assert one.measures["dfs"].corrected.value == pytest.approx(one.measures["dfs"].judge.value)


def test_the_same_label_twice_counts_once(run, tmp_path):
    path = labels_of(tmp_path / "l.jsonl", scores(), n=20)
    path.write_text(path.read_text() * 2)
    assert correct(run(), by=path).runs[0].measures["dfs"].labels == 20


def test_a_name_that_several_texts_have_needs_ids(run, tmp_path):
    rows = [{**r, "name": "Ann Lee"} for r in scores()]
    path = tmp_path / "l.jsonl"
    path.write_text(json.dumps({"name": "Ann Lee", "dfs": 0.5}) + "\n")
    with pytest.raises(InputError, match="60 texts"):
        correct(run(rows=rows), by=path)


def test_released_verdicts_without_names_are_refused(run, tmp_path):
    path = tmp_path / "released.json"
    facts = [{"atom": "A.", "is_supported": True, "supporting_topic": "A"}]
    path.write_text(json.dumps({"decisions": [facts], "global_decisions": [facts]}))
    with pytest.raises(InputError, match="have no names"):
        correct(run(), by=path)


def test_labels_of_all_texts(run, tmp_path):
    rows = scores()
    found = correct(run(), by=labels_of(tmp_path / "l.jsonl", rows, n=60))
    one = found.runs[0].measures["dfs"]
    assert one.corrected == one.labeled
    assert any("all 60 texts have labels" in note for note in found.notes)


def test_a_choice_that_is_not_random_is_seen(run, tmp_path):
    rows = sorted(scores(), key=lambda row: row["dfs"])
    found = correct(run(), by=labels_of(tmp_path / "l.jsonl", rows, n=20))
    drawn = found.runs[0].drawn
    assert drawn.difference < -1
    assert drawn.p < 0.001
    assert any("warning" in note for note in found.notes)


def test_runs_are_compared_over_common_names(run, tmp_path):
    first, second = scores(seed=0), scores(seed=0, shift=-0.1)
    a, b = run("a", first), run("b", second)
    by = {
        "a": [labels_of(tmp_path / "a.jsonl", first)],
        "b": [labels_of(tmp_path / "b.jsonl", second)],
    }
    found = correct({"a": a, "b": b}, by=by)
    shift = next(d for d in found.differences if d.measure == "dfs")
    assert (shift.names, shift.labels) == (60, (30, 30))
    assert shift.corrected.value == pytest.approx(
        found.runs[0].measures["dfs"].corrected.value
        - found.runs[1].measures["dfs"].corrected.value
    )
    assert shift.corrected.value == pytest.approx(shift.judge.value / 2, abs=0.02)
    assert shift.significant
    assert found.order.corrected == ("a", "b")
    assert found.order.sure > 0.9
    with pytest.raises(InputError, match="the run of this label is unknown"):
        correct({"a": a, "b": b}, by=by["a"])
    only = correct({"a": a, "b": b}, by={"a": by["a"]})
    assert any("b: no label" in note for note in only.notes)


def test_what_it_prints(run, tmp_path):
    found = correct(run(), by=labels_of(tmp_path / "l.jsonl", scores()))
    text, markdown = str(found), found.to_markdown()
    for shown in (text, markdown):
        assert "D-FS" in shown
        assert "30 of 60" in " ".join(shown.split()) or "30/60" in shown
    rows = list(csv.DictReader(found.to_csv().splitlines()))
    assert [row["measure"] for row in rows][:2] == ["fs", "dfs"]
    read = json.loads(found.to_json())
    assert read["runs"][0]["measures"]["dfs"]["labels"] == 30
    assert max(map(len, found.to_text(width=80).splitlines())) <= 80


def test_lambda_and_r_are_shown_with_all_columns_only(run, tmp_path):
    found = correct(run(), by=labels_of(tmp_path / "l.jsonl", scores()))
    usual, everything = found.to_markdown(), found.to_markdown(columns=["all"])
    assert ("λ" in usual, "λ" in everything) == (False, True)
    assert re.search(r"\| \d+ labels \|", usual)
    assert len(everything.splitlines()) >= len(usual.splitlines())
    assert "coverage" not in found.to_text(columns=["dfs"])
    assert "| FS |" not in found.to_markdown(columns=["dfs"])
    with pytest.raises(InputError, match="unknown column 'dsf'; did you mean dfs"):
        found.to_text(columns=["dsf"])


def test_a_run_folder_keeps_its_correction(run, tmp_path):
    folder = run()
    found = correct({"mine": folder}, by=labels_of(tmp_path / "l.jsonl", scores()))
    assert read_corrected(folder) is None
    assert save(found, {"mine": folder}) == [folder / "corrected.json"]
    kept = read_corrected(folder)
    assert kept["measures"]["dfs"]["corrected"] == found.runs[0].measures["dfs"].corrected.value
    (folder / "corrected.json").write_text("[1]")
    with pytest.raises(RunError, match=r"corrected\.json: damaged"):
        read_corrected(folder)


def test_a_run_that_cannot_be_written_only_warns(run, tmp_path, monkeypatch, caplog):
    folder = run()
    found = correct({"mine": folder}, by=labels_of(tmp_path / "l.jsonl", scores()))

    def fail(*_, **__):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("os.open", fail)
    assert save(found, {"mine": folder}) == []
    monkeypatch.undo()
    assert "corrected.json: cannot be written (Read-only file system); the report" in caplog.text


def test_an_unfinished_run(tmp_path, run):
    folder = run()
    shutil.copy(folder / "scores.csv", tmp_path / "labels.csv")
    (folder / "scores.csv").unlink()
    with pytest.raises(InputError, match=r"has no scores\.csv"):
        correct(folder, by=tmp_path / "labels.csv")


def test_labels_without_a_score(run, tmp_path):
    labels = tmp_path / "labels.csv"
    labels.write_text("id,dfss\n" + "".join(f"{row['id']},1\n" for row in scores()))
    with pytest.raises(InputError, match=r"labels\.csv: has no scores .*: it has id, dfss"):
        correct(run(), by=labels)


def test_texts_without_a_score_of_the_judge_do_not_count(run, tmp_path):
    rows = scores()
    for row in rows[50:]:
        row.update(fs="", dfs="", status="abstained")
    one = correct(run(rows=rows), by=labels_of(tmp_path / "l.jsonl", scores())).runs[0]
    assert one.measures["dfs"].texts == 50
    assert not math.isnan(one.measures["dfs"].corrected.value)


def abstained(rows, *places):
    """Creates rows and texts, with some empty abstentions."""
    rows = [dict(row) for row in rows]
    texts = {row["id"]: f"{row['name']} is a painter." for row in rows}
    for place in places:
        rows[place].update(fs="", dfs="", status="abstained")
        texts[rows[place]["id"]] = ""
    return rows, texts


@pytest.mark.parametrize("prefix", ["", "x"], ids=["same ids", "other ids"])
def test_an_empty_text_is_labeled_by_another_judge_of_the_same_file(run, prefix):
    rows, texts = abstained(scores(), 3, 5)
    folder = run(rows=rows, texts=texts)
    other = [{**row, "id": prefix + row["id"]} for row in rows[:40]]
    judge = run("strict", other, {prefix + id: text for id, text in texts.items()})
    found = correct(folder, by=judge).runs[0].measures
    assert (found["dfs"].labels, found["response_rate"].labels) == (38, 40)
    assert found["response_rate"].bias.value == pytest.approx(0)


def test_an_empty_text_is_not_that_of_another_name_and_not_a_text_with_words(run):
    rows, texts = abstained(scores(), 3)
    other, silent = abstained(scores(), 5)
    judge = run("strict", other[3:], silent)
    with pytest.raises(InputError, match=r"another text about 'Name 3'.*it begins 'Name 3 is"):
        correct(run(rows=rows, texts=texts), by=judge)


@pytest.mark.parametrize("other", ["José  {}", "Jose\u0301 {}"])
def test_labels_are_of_names_in_normal_form(run, tmp_path, other):
    rows = [{**row, "name": f"José {row['id']}"} for row in scores()]
    path = tmp_path / "l.jsonl"
    labels = [{"name": other.format(row["id"]), "dfs": row["dfs"]} for row in rows[:20]]
    path.write_text("".join(json.dumps(row) + "\n" for row in labels))
    a = run("a", rows)
    assert correct(a, by=path).runs[0].measures["dfs"].labels == 20
    b = run("b", [{**row, "name": other.format(row["id"])} for row in rows])
    found = correct({"a": a, "b": b}, by={"a": [path]})
    assert {d.names for d in found.differences} == {60}


@given(st.integers(0, 10**6), st.floats(0, 1), st.sampled_from(["other", "these"]))
@settings(max_examples=25, deadline=None)
def test_intervals_hold_nothing_that_cannot_be(seed, shift, population):
    """Creates scores of judge and labels near both ends of their ranges."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "run")
        folder.mkdir()
        rows = scores(count=30, seed=seed, shift=shift)
        write_rows(folder / "scores.csv", rows)
        labels = [{**row, "n_bio": 0, "dfs": row["dfs"] ** 9} for row in rows[:12]]
        write_rows(Path(name, "labels.csv"), labels)
        found = correct(folder, by=Path(name, "labels.csv"), population=population)
    for measure, one in found.runs[0].measures.items():
        least, most = (0, math.inf) if measure.startswith("n_") else (0, 1)
        least = -1 if measure == "gap" else least
        for estimate in (one.judge, one.labeled, one.corrected):
            assert least <= estimate.interval.low <= estimate.interval.high <= most
        low, high = one.bias.interval
        assert least - most <= low <= high <= most - least


def test_the_end_of_an_interval_is_that_of_the_measure(run, tmp_path):
    """Few labels, all but one equal to 1: the interval exceeded 1 before it was clipped."""
    rows = [{**row, "fs": 1.0, "dfs": 1.0} for row in scores()]
    labels = labels_of(tmp_path / "l.jsonl", [{**r, "dfs": r["id"] != "0"} for r in rows], n=12)
    one = correct(run(rows=rows), by=labels).runs[0].measures["dfs"]
    assert one.corrected.interval.low < one.corrected.value < one.corrected.interval.high == 1


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("side", ["labeled", "others", "both"])
def test_scores_that_are_all_the_same_are_not_tested(run, tmp_path, side):
    rows = scores()
    for row in rows[slice(0, 30) if side == "labeled" else slice(30 * (side == "others"), None)]:
        row["dfs"] = 0.1 + 0.2 if int(row["id"]) % 2 else 0.3
    found = correct(run(rows=rows), by=labels_of(tmp_path / "l.jsonl", rows))
    drawn = found.runs[0].drawn
    assert drawn.p is None
    assert (drawn.difference == 0) == (side == "both")
    assert "labels of all texts" not in str(found)
