from __future__ import annotations

import json
import sys

import pytest

from dfactscore._errors import InputError, MissingExtraError
from dfactscore._readers import read_biographies, read_records
from dfactscore._readers.harness_logs import unpack_samples


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def sample(number, texts, *, filter="none", **doc):
    return {"doc_id": number, "doc": doc, "target": "", "resps": [texts], "filter": filter,
            "filtered_resps": texts[:1], "dfs": 0.5}  # fmt: skip


def test_samples_of_lm_eval(tmp_path):
    passages = [{"title": "Ann Lee (poet)", "text": "Ann Lee wrote."}]
    path = write(
        tmp_path / "samples_x.jsonl",
        [sample(0, ["Ann Lee wrote [1]."], name="Ann Lee", id="ann", passages=passages),
         sample(1, ["One.", "Two."], name="Bo Ray")],
    )  # fmt: skip
    found = read_biographies(path).biographies
    assert [(b.id, b.name, b.text) for b in found] == [
        ("ann", "Ann Lee", "Ann Lee wrote."), ("1.1", "Bo Ray", "One."), ("1.2", "Bo Ray", "Two.")
    ]  # fmt: skip
    assert found[0].passages[0].title == "Ann Lee (poet)"


def test_another_filter_is_the_same_answer(tmp_path):
    rows = [sample(n, ["A."], filter=f, name="Ann Lee") for f in ("none", "last") for n in (0, 1)]
    reading = read_biographies(write(tmp_path / "s.jsonl", rows))
    assert [b.id for b in reading.biographies] == ["0", "1"]
    assert reading.bad == ()


def test_a_sample_without_a_name_is_reported_and_the_others_are_read(tmp_path):
    rows = [sample(0, ["A."], title="x"), sample(1, ["B."], topic="Ann Lee")]
    reading = read_biographies(write(tmp_path / "s.jsonl", rows))
    assert [b.name for b in reading.biographies] == ["Ann Lee"]
    assert str(reading.bad[0]).startswith("s.jsonl:1: record 0: field 'name': is missing")


def test_without_inspect_a_log_is_refused_in_one_line(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    (tmp_path / "x.eval").write_bytes(b"PK")
    with pytest.raises((MissingExtraError, InputError), match=r"\[inspect\]"):
        read_biographies(tmp_path / "x.eval")


@pytest.fixture
def log():
    """A log of three samples in two epochs, one with two choices and one with an error."""
    pytest.importorskip("inspect_ai", reason="needs the extra [inspect] (Python 3.11 or newer)")
    from inspect_ai._util.error import EvalError
    from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSample, EvalSpec
    from inspect_ai.model import ChatCompletionChoice, ChatMessageAssistant, ModelOutput

    def sample(id, epoch, *texts, asked="Tell me a bio of Ann Lee", error=None, **metadata):
        said = [ChatCompletionChoice(message=ChatMessageAssistant(content=t)) for t in texts]
        output = ModelOutput(model="m", choices=said)
        wrong = error and EvalError(message=error, traceback="", traceback_ansi="")
        return EvalSample(id=id, epoch=epoch, input=asked, target="", output=output,
                          metadata=metadata, error=wrong)  # fmt: skip

    passages = [{"title": "Bo Ray", "text": "Bo Ray sang."}]
    return EvalLog(
        eval=EvalSpec(created="2026-01-01T00:00:00+00:00", task="t", dataset=EvalDataset(),
                      model="some/model", config=EvalConfig()),
        samples=[
            sample("a", 1, "Ann Lee sang."),
            sample("a", 2, "Ann Lee wrote.", "Ann Lee rowed."),
            sample("b", 1, "Bo Ray sang.", asked="Hi", name="Bo Ray", passages=passages),
            sample("b", 2, "x", error="it broke"),
            sample("c", 1, "Who?", asked="Hi"),
        ],
    )  # fmt: skip


@pytest.mark.parametrize("ending", ["eval", "json"])
def test_logs_of_inspect(tmp_path, log, ending):
    from inspect_ai.log import write_eval_log

    path = tmp_path / f"x.{ending}"
    write_eval_log(log, str(path))
    reading = read_biographies(path)
    assert [(b.id, b.name, b.text) for b in reading.biographies] == [
        ("a#1", "Ann Lee", "Ann Lee sang."),
        ("b#1", "Bo Ray", "Bo Ray sang."),
        ("a#2.1", "Ann Lee", "Ann Lee wrote."),
        ("a#2.2", "Ann Lee", "Ann Lee rowed."),
    ]
    assert reading.biographies[1].passages[0].text == "Bo Ray sang."
    assert {b.model for b in reading.biographies} == {"some/model"}
    assert sorted(str(b).split(": ", 2)[2] for b in reading.bad) == [
        "field 'name': is missing (one of name, topic, entity, question, input, prompt …); "
        "found id, text, model; another field is read with --field name=FIELD",
        "sample b ended with an error: it broke",
    ]


@pytest.mark.parametrize(
    ("filtered", "read"),
    [
        (["Ann Lee sang for years."], "Ann Lee sang for years."),
        (["<think>Who?</think>\n\nAnn Lee sang for years."], "Ann Lee sang for years."),
        (["sang"], "Ann Lee sang for years. She rowed."),
        (["42"], "Ann Lee sang for years. She rowed."),
        ([], "Ann Lee sang for years. She rowed."),
        (["a", "b"], "Ann Lee sang for years. She rowed."),
    ],
)
def test_answers_are_read_as_a_filter_left_them_where_it_keeps_them_whole(filtered, read):
    whole = "<think>Who?</think>\n\nAnn Lee sang for years. She rowed."
    if filtered and filtered[0].startswith("<think>"):
        whole = filtered[0]
    sample = {"doc_id": 3, "doc": {"name": "Ann Lee"}, "resps": [[whole]]}
    reading = read_records(
        [r for _, r in unpack_samples([(1, {**sample, "filtered_resps": filtered})])]
    )
    assert [b.text for b in reading.biographies] == [read]


def test_a_file_that_is_no_log_is_refused(tmp_path):
    pytest.importorskip("inspect_ai", reason="needs the extra [inspect] (Python 3.11 or newer)")
    (tmp_path / "x.eval").write_bytes(b"PK nothing")
    with pytest.raises(InputError, match=r"x\.eval: is not a log that Inspect can read"):
        read_biographies(tmp_path / "x.eval")
