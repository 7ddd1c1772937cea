"""Classes of answers, entity recall, and gold answers."""

import csv
import json

import pytest

from dfactscore import Scorer
from dfactscore._cli.app import main
from dfactscore._errors import InputError
from dfactscore._scoring.answer_classes import read_gold

PAGES = {
    "Mara Quill (painter)": "Mara Quill (born 1950) is an English painter. She lives in Leeds.",
    "Mara Quill (rower)": "Mara Quill (born 1971) is a Canadian rower. She won in Ghent in 1996.",
}
PAINTER = "Mara Quill is an English painter. She lives in Leeds."
ROWER = "Mara Quill is a Canadian rower. She won in Ghent in 1996."
MERGED = PAINTER + " She is also a Canadian rower. She won in Ghent in 1996."
BOTH = f"- **Mara Quill (painter)**: {PAINTER}\n- **Mara Quill (rower)**: {ROWER}"
ANSWERS = {
    BOTH: ("complete", 1.0),
    PAINTER: ("partial", 0.5),
    MERGED: ("merged", 0.5),
    "Which Mara Quill do you mean? Please specify the painter or the rower.": ("ambiguous", None),
    "Mara Quill is a Dutch judge. She died in Utrecht.": ("unsupported", 0.0),
    "I could not find any information about Mara Quill.": ("none", None),
}


@pytest.fixture(scope="module")
def scorer():
    return Scorer(pages=PAGES)


@pytest.mark.parametrize("text", ANSWERS)
def test_classes(scorer, text):
    result = scorer.score(text, name="Mara Quill")
    recall = result.scores.entity_recall if result.scores else None
    assert (result.answer, recall) == ANSWERS[text]
    assert result.to_dict()["answer"] == result.answer


def test_without_an_entity_of_the_name_the_class_is_unknown(scorer):
    result = Scorer(pages={"Leeds": "Leeds is a city in England."}).score(
        PAINTER, name="Mara Quill"
    )
    assert result.answer is None


def test_the_command_counts_classes_and_gold_answers(tmp_path, monkeypatch, capsys):
    rows = [{"id": str(i), "name": "Mara Quill", "text": text} for i, text in enumerate(ANSWERS)]
    (tmp_path / "in.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "pages.json").write_text(json.dumps(PAGES))
    gold = {"question": "Where does Mara Quill live?", "gold_answers": ["Leeds", "Ghent"]}
    (tmp_path / "gold.jsonl").write_text(json.dumps(gold))
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        monkeypatch.setattr("sys.argv", ["dfactscore", *arguments])
        with pytest.raises(SystemExit) as exit_:
            main()
        return (exit_.value.code or 0, *capsys.readouterr())

    assert call("score", "in.jsonl", "--pages", "pages.json", "--out", "run", "--quiet")[0] == 0
    code, out, _ = call(
        *("answers", "run", "--gold", "gold.jsonl", "--texts", "t.csv", "--resamples", "200")
    )
    assert code == 0
    assert "17/17/17/17/17/17" in out
    with open("t.csv") as file:
        given = {row["id"]: (row["answer"], row["gold_missing"]) for row in csv.DictReader(file)}
    assert given["0"] == ("complete", "")
    assert given["1"] == ("partial", "Ghent")
    code, out, _ = call("answers", "run", "-f", "latex", "--resamples", "200")
    assert (code, "recall" in out) == (0, True)


def test_gold_files(tmp_path):
    path = tmp_path / "gold.jsonl"
    documents = [{"title": "a", "answer": "Leeds"}, {"title": "b", "answer": "Ghent"}]
    path.write_text(
        json.dumps({"qid": 3, "ambiguous_entity": "Mara Quill", "documents": documents})
    )
    assert read_gold(path) == dict.fromkeys(("id 3", "name Mara Quill"), ("Leeds", "Ghent"))
    path.write_text('{"id": 1}')
    with pytest.raises(InputError, match="gold_answers"):
        read_gold(path)
