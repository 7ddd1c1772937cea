from __future__ import annotations

import asyncio
import math
import sys

import pytest
from counting_server import CountingServer

from dfactscore import Scorer
from dfactscore._errors import InputError, MissingExtraError
from dfactscore._readers import harness_logs
from dfactscore.examples import example
from dfactscore.integrations._judging import host_samples

pytest.importorskip("inspect_ai", reason="needs the extra [inspect] (Python 3.11 or newer)")

from inspect_ai._util.error import PrerequisiteError
from inspect_ai.log import read_eval_log, write_eval_log
from inspect_ai.model import ChatCompletionChoice, ChatMessageAssistant, ModelOutput
from inspect_ai.scorer import Target
from inspect_ai.solver import TaskState
from rich.text import Text

from dfactscore.integrations._inspect import ambiguous_biographies, dfactscore, in_one_line

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("hosts")]
PAGES = {"Ann Lee (poet)": "Ann Lee is a poet. She was born in Oslo.", "Cy Poe": "Cy Poe sings."}


def means(log):
    return {s.name: {k: m.value for k, m in s.metrics.items()} for s in log.results.scores}


def stderr(values):
    mean = math.fsum(values) / len(values)
    variance = math.fsum((v - mean) ** 2 for v in values) / (len(values) - 1)
    return math.sqrt(variance / len(values))


def test_scores_are_those_of_the_command(inspect_log, own_run):
    log = read_eval_log(str(inspect_log))
    for sample in log.samples:
        value, row = sample.scores["dfactscore"].value, own_run[sample.id]
        for key in ("dfs", "fs", "n_bio", "n_ent"):
            expected = float(row[key]) if row[key] else math.nan
            assert value[key] == pytest.approx(expected, abs=1e-12, nan_ok=True)
    for key in ("dfs", "fs"):
        values = [float(row[key]) for row in own_run.values() if row[key]]
        assert means(log)[key]["mean"] == pytest.approx(math.fsum(values) / 11, abs=1e-12)
        assert means(log)[key]["stderr"] == pytest.approx(stderr(values), abs=1e-12)


def test_a_refusal_counts_in_respond_alone(inspect_log):
    log = read_eval_log(str(inspect_log))
    assert means(log)["respond"]["mean"] == pytest.approx(11 / 12)
    assert means(log)["scored"]["mean"] == pytest.approx(11 / 12)
    counts = {s.name: (s.scored_samples, s.unscored_samples) for s in log.results.scores}
    assert counts["respond"] == counts["scored"] == (12, 0)
    assert counts["dfs"] == counts["fs"] == counts["n_facts"] == (11, 1)
    (refused,) = [s for s in log.samples if s.id == "Michael Collins"]
    score = refused.scores["dfactscore"]
    assert score.reason == "refusal"
    assert score.metadata["status"] == "abstained"


def test_epochs_average_all_texts(host, three_texts):
    host.run_inspect(
        "eval", "dfactscore/ambiguous_biographies", "--display", "plain", "--epochs", "3",
        "--model", "openai-api/local/stub", "--log-dir", "logs/epochs",
        url=host.write(three_texts),
    )  # fmt: skip
    (path,) = (host.folder / "logs" / "epochs").glob("*.eval")
    log = read_eval_log(str(path))
    assert len(log.samples) == 36
    passages = {s.name: s.passages for s in host_samples("test")[0]}
    every = Scorer().score_many(
        [
            {"name": name, "text": text, "passages": passages[name]}
            for name, rows in three_texts.items()
            for text in rows
        ]
    )
    assert every.summary.n_scored == 36
    assert len({r.dfs for r in every}) > 12  # the texts of one name do differ
    assert means(log)["dfs"]["mean"] == pytest.approx(every.summary.dfs, abs=1e-12)
    assert means(log)["fs"]["mean"] == pytest.approx(every.summary.fs, abs=1e-12)


def test_a_finished_log_is_scored_again(host, inspect_log, records):
    """One sample has lost its name: it is unscored and said to be, and the others are scored."""
    log = read_eval_log(str(inspect_log))
    (nameless,) = [s for s in log.samples if s.id == "Anne Hathaway"]
    nameless.metadata.clear()
    nameless.input = "Who is she?"
    write_eval_log(log, str(host.folder / "nameless.eval"))
    pages = str(example("people").pages)
    printed = host.run_shown(
        "inspect score",
        {"logs/FILE.eval": "nameless.eval", "pages=pages.jsonl": f"pages={pages}",
         "append": "overwrite"},
        "-S", "link=hungarian", "--output-file", "again.eval", "--display", "plain",
    )  # fmt: skip
    assert "scorer dfactscore, sample Anne Hathaway: " in " ".join(printed.split())
    log = read_eval_log(str(host.folder / "again.eval"))
    named = [record for record in records if record["name"] != "Anne Hathaway"]
    expected = Scorer(pages=pages, link="hungarian").score_many(named).summary
    assert means(log)["dfs"]["mean"] == pytest.approx(expected.dfs, abs=1e-12)
    (nameless,) = [s for s in log.samples if s.id == "Anne Hathaway"]
    assert nameless.scores["dfactscore"].reason == "scoring_failed"
    counts = {s.name: (s.scored_samples, s.unscored_samples) for s in log.results.scores}
    assert counts["respond"] == (11, 1)
    hanley = next(s for s in log.samples if s.id == "Dick Hanley").scores["dfactscore"]
    assert "\n- ✓ Dick Hanley was" in hanley.explanation
    assert len(hanley.metadata["facts"]) == hanley.value["n_facts"]
    assert {"text", "group", "standing", "evidence"} <= set(hanley.metadata["facts"][0])


def test_a_wrong_setting_is_printed_without_a_traceback(host, inspect_log):
    words = ["eval", "dfactscore/ambiguous_biographies", "--model", "openai-api/local/stub"]
    printed = host.run_inspect(*words, "-T", "tpo=3", status=1)
    said = "task ambiguous_biographies: no setting 'tpo'; did you mean top?"
    assert " ".join(printed.split()) == said
    words = ["score", str(inspect_log), "--scorer", "dfactscore/dfactscore", "--action", "append"]
    printed = host.run_inspect(*words, "-S", "pages=nowhere.jsonl", status=1)
    assert "Traceback" not in printed
    assert "pages: nowhere.jsonl: no such file" in " ".join(printed.split())


def state(text, *, metadata=None, asked="Write."):
    texts = [text] if isinstance(text, str) else text
    choices = [ChatCompletionChoice(message=ChatMessageAssistant(content=t)) for t in texts]
    return TaskState(
        model="none/none", sample_id=1, epoch=1, input=asked, messages=[],
        output=ModelOutput(model="none", choices=choices), metadata=metadata or {},
    )  # fmt: skip


def judged(text, *, pages=PAGES, **more):
    return asyncio.run(dfactscore(pages=pages)(state(text, **more), Target("")))


def test_the_name_is_in_the_metadata_or_in_the_question():
    text = "Ann Lee is a poet."
    for more in (
        {"metadata": {"name": "Ann Lee"}},
        {"asked": 'Tell me about "Ann Lee".'},
        {"asked": "Tell me a bio of Ann Lee."},
    ):
        assert judged(text, **more).value["dfs"] == pytest.approx(1, abs=0.03)


def test_without_a_name_a_sample_is_unscored_in_the_hosts_way(caplog):
    score = judged("Ann Lee is a poet.", asked="Who?")
    assert "scorer dfactscore, sample 1: " in caplog.text
    assert math.isnan(score.value)
    assert score.reason == "scoring_failed"
    assert "name" in score.explanation


def test_facts_that_fail_look_different_in_a_viewer_of_markdown():
    text = "Ann Lee is a poet. Ann Lee was born in Lima."
    score = judged(text, metadata={"name": "Ann Lee"})
    assert "- ✓ Ann Lee is a poet.\n- ✗ Ann Lee was born in Lima." in score.explanation


def test_without_a_page_it_is_not_a_number_and_says_why():
    pages = {f"Ann Lee {n}": "Ann Lee paints." for n in range(21)}  # too many to offer them all
    score = judged("Bo Ray is a poet.", pages=pages, metadata={"name": "Bo Ray"})
    assert score.value["scored"] == 0
    assert score.value["respond"] == 1
    assert all(math.isnan(score.value[k]) for k in ("dfs", "fs", "n_bio", "n_ent", "n_facts"))
    assert "no document" in score.metadata["reason"]


def test_each_of_several_answers_is_a_biography():
    answers = ["Ann Lee is a poet.", "Ann Lee is a poet. Ann Lee was born in Lima.", "I'm sorry."]
    score = judged(answers, metadata={"name": "Ann Lee"})
    assert score.value["dfs"] == pytest.approx(0.75, abs=0.02)
    assert score.value["n_facts"] == 1.5
    assert score.value["respond"] == score.value["scored"] == pytest.approx(2 / 3)
    assert [a["status"] for a in score.metadata["answers"]] == ["scored", "scored", "abstained"]


def test_passages_make_the_prompt_of_generate(tmp_path):
    passages = tmp_path / "passages.jsonl"
    passages.write_text(
        '{"name": "Ann Lee", "passages": [{"title": "Ann Lee (poet)", "text": "Ann Lee wrote."}]}'
    )
    task = ambiguous_biographies(passages=str(passages), demos="none", instruction="careful")
    (sample,) = task.dataset
    assert "Document [1] (Title: Ann Lee (poet))" in sample.input[0].text
    assert "several people can share one name" in sample.input[0].text
    assert sample.metadata == {
        "name": "Ann Lee", "passages": [{"title": "Ann Lee (poet)", "text": "Ann Lee wrote."}]
    }  # fmt: skip


def test_an_ambigbio_file_and_an_index(tmp_path):
    from dfactscore.retrieval import read_pages, split_pages
    from dfactscore.retrieval._build import build_index

    build_index(split_pages(read_pages(example("people").pages)), tmp_path / "index")
    names = tmp_path / "ambigbio.jsonl"
    names.write_text(
        '{"schema_version": 1}\n{"name": "Dick Hanley", "people": [{"title": "Dick Hanley"}]}\n'
    )
    task = ambiguous_biographies(names=str(names), passages=str(tmp_path / "index"), top=2)
    (sample,) = task.dataset
    assert sample.metadata["name"] == "Dick Hanley"
    assert len(sample.metadata["passages"]) == 2
    assert all(p["title"].startswith("Dick Hanley") for p in sample.metadata["passages"])
    assert sample.input[0].text.rstrip().endswith("Name of the person: Dick Hanley\n\nBiography:")


def test_names_and_pages(tmp_path):
    names = tmp_path / "names.txt"
    names.write_text("Ann Lee\nBo Ray\n")
    pages = str(example("people").pages)
    task = ambiguous_biographies(names=str(names), pages=pages)
    assert [s.input[0].text for s in task.dataset] == [
        "Tell me a bio of Ann Lee", "Tell me a bio of Bo Ray"
    ]  # fmt: skip
    with pytest.raises(InputError, match=r"nothing to judge against; give pages=FILE"):
        ambiguous_biographies(names=str(names))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"lnik": "hungarian"}, "lnik.*link"),
        ({"link": "best"}, "link.*best"),
        ({"out": "x"}, "out: is a setting of the command"),
        ({"pages": "nowhere.jsonl"}, "nowhere.jsonl"),
        ({"engine": "llm"}, "model"),
    ],
)
def test_settings_are_those_of_the_command(settings, message):
    with pytest.raises(InputError, match=message) as refused:
        dfactscore(**settings)
    assert isinstance(refused.value, PrerequisiteError)  # Inspect prints these without a traceback


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"tpo": 3}, "no setting 'tpo'; did you mean top"),
        ({"shot": 3}, "no setting 'shot'; did you mean shots"),
        ({"lnik": "hungarian"}, "no setting 'lnik'; did you mean link"),
        ({"link": "best"}, "link: 'best' is unknown; choose one of argmax, hungarian"),
        ({"names": "nowhere.txt"}, "names: nowhere.txt: no such file or folder"),
        ({"passages": "nowhere"}, "passages: nowhere: no such file or folder"),
        ({"pages": "nowhere.jsonl"}, "pages: nowhere.jsonl: no such file or folder"),
        ({"api_key": "s"}, "keys are read from the environment only"),
    ],
)
def test_a_wrong_argument_of_the_task_is_one_line_that_names_it(settings, message):
    with pytest.raises(PrerequisiteError) as refused:
        ambiguous_biographies(**settings)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_brackets_of_a_message_are_not_markup():
    with pytest.raises(PrerequisiteError) as refused, in_one_line():
        raise MissingExtraError("Reading Parquet", "parquet")
    assert "[parquet]" in str(refused.value)
    assert Text.from_markup(refused.value.message).plain == str(refused.value)


@pytest.fixture
def endpoint(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-first")
    made = CountingServer()
    yield made
    made.close()


def answered(endpoint, tmp_path, text):
    """The answer to the tiny question, until a text is judged."""
    endpoint.answer = lambda prompt: '{"1": true, "2": false}'
    settings = {"model": "judge", "base_url": endpoint.base_url, "retries": 0}
    made = dfactscore(pages=PAGES, decomposer="llm", cache=str(tmp_path / "c.sqlite"), **settings)

    def score():
        return asyncio.run(made(state(text, metadata={"name": "Ann Lee"}), Target("")))

    return score


def test_a_language_model_judges_where_one_is_named(endpoint, tmp_path):
    score = answered(endpoint, tmp_path, "Ann Lee is a poet, born in Oslo.")
    endpoint.answer = lambda prompt: '{"1": ["Ann Lee is a poet.", "Ann Lee was born in Oslo."]}'
    found = score()
    assert endpoint.calls == 1
    assert found.value["dfs"] == pytest.approx(1, abs=0.03)
    assert found.value["n_facts"] == 2


def test_a_judge_that_gives_no_answer_leaves_the_sample_unscored(endpoint, tmp_path):
    score = answered(endpoint, tmp_path, "Ann Lee is a poet who has no answer.")
    endpoint.faults = 1.0
    found = score()
    assert math.isnan(found.value)
    assert found.reason == "scoring_failed"
    assert found.explanation


def test_a_judge_that_refuses_its_key_is_found_before_a_text_is_written(endpoint, tmp_path):
    """Also where an earlier evaluation has stored what the judge can do."""
    answered(endpoint, tmp_path, "")
    endpoint.key = "another"
    with pytest.raises(PrerequisiteError, match="the key in OPENAI_API_KEY is not accepted"):
        answered(endpoint, tmp_path, "")


def test_a_judge_that_refuses_its_key_meanwhile_ends_the_evaluation(endpoint, tmp_path):
    score = answered(endpoint, tmp_path, "Ann Lee is a poet.")
    endpoint.key = "another"
    with pytest.raises(PrerequisiteError, match="is no longer accepted"):
        score()


def test_the_command_ends_with_a_status(host, endpoint, texts):
    """No text is asked for, and the reason is the one line that is printed."""
    endpoint.key = "another"
    writer = host.write({name: [text] for name, text in texts.items()})
    printed = host.run_inspect(
        "eval", "dfactscore/ambiguous_biographies", "--model", "openai-api/local/stub",
        "-T", "engine=llm", "-T", "model=judge", "-T", f"base_url={endpoint.base_url}",
        "--log-dir", "logs/refused", url=writer, status=1,
    )  # fmt: skip
    assert "it wants a key, and none is set" in " ".join(printed.split())
    assert "Traceback" not in printed
    assert host.endpoints[-1].calls == 0


def test_no_inspect_is_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    with pytest.raises(MissingExtraError, match=r"Inspect needs the extra \[inspect\]"):
        harness_logs.need_inspect()
