"""Predictions made elsewhere, in both layouts and by all readings."""

from __future__ import annotations

import csv
import json

import pytest

from dfactscore._errors import InputError
from dfactscore.meta import load_data, score_predictions

#: Answer, and what each reading flags of three segments.
ANSWERS = (
    ("ALL_CORRECT", [], [], []),
    ("ALL\\_CORRECT, not 1", [], [], []),
    ("Segment 3 is fine.\nAnswer: 1", [0], [0, 2], [0]),
    ("2", [1], [1], []),
    ("0", [], [2], []),
    ("no idea", None, [], []),
)
WORDS = {(True, True): "TN", (False, False): "TP", (True, False): "FP", (False, True): "FN"}


@pytest.fixture
def data(felm):
    return load_data(f"felm={felm(len(ANSWERS))}")


def labels_of(item):
    return [not segment.error for segment in item.segments]


def table(path, data, *, res=None, skip=(), labels=None):
    with path.open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["", "id", "dataset", "qst", "response", "label", "type", "comment", "ref",
                      "prompt", "gen", "res"])  # fmt: skip
        for i, (item, (answer, *_)) in enumerate(zip(data[0].items, ANSWERS, strict=True)):
            if i in skip:
                continue
            truth = labels_of(item)
            words = res(i, item) if res else ["TP"] * 3
            big = "x\n" * 1000
            out.writerow([i, item.id, "wk", item.question, item.response, labels or truth,
                          "[None]", "", "", big, answer, words])  # fmt: skip
    return path


@pytest.mark.parametrize(("reading", "column"), [("reasons", 1), ("felm-vicuna", 2),
                                                 ("felm-chat", 3)])  # fmt: skip
@pytest.mark.parametrize("layout", ["csv", "jsonl"])
def test_every_reading_of_answers(data, tmp_path, reading, column, layout):
    if layout == "csv":
        path = table(tmp_path / "run.csv", data)
    else:
        path = tmp_path / "run.jsonl"
        rows = [{"id": i.id, "answer": a[0]} for i, a in zip(data[0].items, ANSWERS, strict=True)]
        path.write_text("\n".join(map(json.dumps, rows)))
    result = score_predictions(path, data, reading=reading)
    (opinions,) = result.opinions["run"]
    for opinion, answer in zip(opinions, ANSWERS, strict=True):
        expected = answer[column]
        flagged = [j.error for j in opinion.judgements]
        assert flagged == ([None] * 3 if expected is None else [i in expected for i in range(3)])
    row = result.row("run", level="segment")
    assert row.figures["coverage"] == pytest.approx(15 / 18 if reading == "reasons" else 1)


@pytest.mark.parametrize("layout", ["csv", "jsonl"])
def test_what_a_stored_answer_invents_later_does_not_count(felm, tmp_path, layout):
    data = load_data(f"felm={felm(1)}")
    answer = "ALL_CORRECT\n\nQuestion: What else?\nSegments: 1. a 2. b\nAnswer: 1,2"
    path = tmp_path / f"run.{layout}"
    if layout == "csv":
        (item,) = data[0].items
        columns = {"id": item.id, "dataset": "wk", "label": labels_of(item), "gen": answer}
        with path.open("w", newline="") as file:
            csv.writer(file).writerows([list(columns), list(columns.values())])
    else:
        path.write_text(json.dumps({"id": data[0].items[0].id, "answer": answer}))
    (opinions,) = score_predictions(path, data).opinions["run"]
    assert [j.error for j in opinions[0].judgements] == [False] * 3


def test_stored_words(data, tmp_path):
    said = {i: [i % 2 == 0, False, i == 3] for i in range(len(ANSWERS))}

    def words(i, item):
        errors = (s.error for s in item.segments)
        return [WORDS[error, flag == error] if error else ("FN" if flag else "TP")
                for error, flag in zip(errors, said[i], strict=True)]  # fmt: skip

    result = score_predictions(table(tmp_path / "r.csv", data, res=words), data, reading="stored")
    assert [[j.error for j in o.judgements] for o in result.opinions["r"][0]] == list(said.values())
    # Records 0, 2 and 4 have an error in the first segment, and it is flagged; 3's last is not one.
    figures = result.row("r", level="segment").figures
    assert (figures["recall"], figures["precision"]) == (1, 0.75)


def test_labels_that_disagree_are_refused(data, tmp_path):
    path = table(tmp_path / "r.csv", data, labels=[True, True, True])
    with pytest.raises(InputError, match=r"r\.csv:2: field 'label': expected .* as in the data"):
        score_predictions(path, data)
    path = table(tmp_path / "r.csv", data, res=lambda i, item: ["TP"] * 3)
    with pytest.raises(InputError, match="TP for a segment with the label error"):
        score_predictions(path, data, reading="stored")


@pytest.mark.parametrize(("name", "content"), [("r.csv", "id,label,gen\n"), ("r.jsonl", "\n{}")])
def test_a_file_without_predictions_is_refused(data, tmp_path, name, content):
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=r"contains no predictions|field 'id': expected a text"):
        score_predictions(tmp_path / name, data)


def test_words_that_are_lists_are_refused(data, tmp_path):
    path = table(tmp_path / "r.csv", data, res=lambda i, item: [["TP"]] * 3)
    with pytest.raises(InputError, match=r"field 'res': expected 3 of TN, TP, FP, FN"):
        score_predictions(path, data, reading="stored")


@pytest.mark.parametrize("cell", ["__import__('os').system('touch x')", "[{[1]: 2}]"])
def test_cells_are_parsed_never_executed(data, tmp_path, cell):
    path = table(tmp_path / "r.csv", data, labels=cell)
    with pytest.raises(InputError, match="field 'label': expected a list"):
        score_predictions(path, data)


def test_missing_predictions_are_named_and_both_numbers_shown(data, tmp_path):
    result = score_predictions(
        table(tmp_path / "r.csv", data, skip=(0, 1)), data, reading="reasons"
    )
    assert result.notes == ("2 responses without a prediction: wk/0, wk/1",)
    left = result.row("r", level="segment", variant="leave")
    counted = result.row("r", level="segment", variant="unflagged")
    assert (left.n, left.of, counted.n) == (12, 18, 18)
    assert left.figures["recall"] == 0.5
    assert counted.figures["recall"] == pytest.approx(1 / 3)
    assert "12/18" in str(result)


def test_one_missing_and_one_unknown(data, tmp_path):
    rows = [{"id": item.id, "domain": "wk", "answer": "1"} for item in data[0].items[1:]]
    path = tmp_path / "p.jsonl"
    path.write_text("\n".join(map(json.dumps, [*rows, {"id": "no", "answer": "1"}])))
    assert score_predictions(path, data).notes == (
        "1 response without a prediction: wk/0",
        "1 prediction is for responses that are not in the data",
    )


def test_flags_and_probabilities(data, tmp_path):
    rows = [{"id": i.id, "domain": "wk", "flagged": [True, None, False],
             "probability": [0.1, 0.5, 0.9]} for i in data[0].items]  # fmt: skip
    path = tmp_path / "p.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    figures = score_predictions(path, data).row("p", level="segment").figures
    assert figures["coverage"] == pytest.approx(2 / 3)
    assert figures["auc"] is not None


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"id": "0", "flagged": [True]}, "field 'flagged': expected 3"),
        ({"id": "0", "flagged": [1, 2, 3]}, "field 'flagged': expected 3"),
        ({"id": "0", "answer": "1", "probability": [2, 0, 0]}, "field 'probability'"),
        ({"id": "0"}, "expected 'flagged', a list, or 'answer'"),
        ({"id": "77", "answer": "1"}, "no prediction is for the data"),
        ({"id": None, "answer": "1"}, "field 'id': expected a text"),
        ({"id": "0", "domain": "math", "answer": "1"}, "no prediction is for the data"),
    ],
)
def test_bad_predictions_are_one_line(data, tmp_path, row, message):
    path = tmp_path / "p.jsonl"
    path.write_text(json.dumps(row))
    with pytest.raises(InputError, match=message):
        score_predictions(path, data)


def test_a_prediction_twice_is_refused(data, tmp_path):
    path = tmp_path / "p.jsonl"
    path.write_text('{"id": "0", "answer": "1"}\n' * 2)
    with pytest.raises(InputError, match=r"p\.jsonl:2: field 'id': '0' has a prediction already"):
        score_predictions(path, data)


def test_answers_of_which_none_can_be_read_have_no_figures(data, tmp_path):
    path = tmp_path / "run.jsonl"
    rows = [{"id": item.id, "answer": "no idea"} for item in data[0].items]
    path.write_text("\n".join(map(json.dumps, rows)))
    result = score_predictions(path, data, reading="reasons")
    theirs = [row.figures for row in result.rows if row.figures["coverage"] == 0]
    assert theirs
    assert all(value is None for f in theirs for k, value in f.items() if k != "coverage")
