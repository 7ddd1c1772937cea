from __future__ import annotations

import csv
import logging

import pytest

pytest.importorskip("lm_eval", reason="needs lm_eval")

from dfactscore._errors import InputError
from dfactscore.examples import example
from dfactscore.integrations._lm_eval import bios

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("hosts")]
KEYS = ("dfs", "fs", "n_bio", "n_ent", "n_facts", "respond", "scored")


def rows(folder):
    with (folder / "scores.csv").open(encoding="utf-8", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def test_scores_are_those_of_inspect_and_of_the_command(lm_eval_results, inspect_log, own_run):
    from inspect_ai.log import read_eval_log

    results, _ = lm_eval_results
    log = read_eval_log(str(inspect_log))
    theirs = {s.name: {k: m.value for k, m in s.metrics.items()} for s in log.results.scores}
    for key in KEYS:
        assert results[f"{key},none"] == pytest.approx(theirs[key]["mean"], abs=1e-12)
        assert results[f"{key}_stderr,none"] == pytest.approx(theirs[key]["stderr"], abs=1e-12)
    for key in ("dfs", "fs"):
        own = [float(row[key]) for row in own_run.values() if row[key]]
        assert len(own) == 11
        assert results[f"{key},none"] == pytest.approx(sum(own) / 11, abs=1e-12)
    assert results["respond,none"] == pytest.approx(11 / 12)


def test_the_samples_are_read_by_the_command(host, lm_eval_results, own_run):
    _, samples = lm_eval_results
    host.run_shown(
        "dfactscore score lm", {"lm/NAME/samples_dfactscore_bios_DATE.jsonl": str(samples)}
    )
    found = rows(host.folder / "runs" / "lm")
    assert found.keys() == own_run.keys()
    for id, row in own_run.items():
        assert [found[id][k] for k in ("fs", "dfs", "n_facts", "status")] == [
            row[k] for k in ("fs", "dfs", "n_facts", "status")
        ]


def test_a_log_of_inspect_is_read_by_the_command(host, inspect_log, own_run):
    host.run_shown("dfactscore score logs", {"logs/FILE.eval": str(inspect_log)})
    found = rows(host.folder / "runs" / "inspect")
    assert found.keys() == own_run.keys()
    assert all(found[id]["dfs"] == row["dfs"] for id, row in own_run.items())
    assert {row["model"] for row in found.values()} == {"openai-api/local/stub"}


@pytest.fixture
def doc(tmp_path):
    pages = tmp_path / "pages.jsonl"
    rows = ['{"title": "Ann Lee (poet)", "text": "Ann Lee is a poet. She was born in Oslo."}\n']
    # With more than twenty pages, those that bear no name of a text are not offered to it.
    rows += [f'{{"title": "Town {n}", "text": "Town {n} is a town."}}\n' for n in range(21)]
    pages.write_text("".join(rows))
    names = tmp_path / "names.txt"
    names.write_text("Ann Lee\n")
    settings = {"names": str(names), "pages": str(pages)}
    return bios.load(dfactscore=settings, base_url="mixed in by lm-eval", version=1)["test"][0]


def test_a_document_without_passages_asks_the_papers_question(doc):
    assert doc["prompt"] == "Tell me a bio of Ann Lee"
    assert bios.process(doc, ["Ann Lee is a poet."])["dfs"] == pytest.approx(1, abs=0.03)


def test_what_has_no_score_is_left_out(doc):
    assert bios.process(doc, ["I'm sorry, I cannot answer that."]) == {"respond": 0, "scored": 0}
    assert bios.process(doc, [None]) == {"respond": 0, "scored": 0}
    other = {**doc, "name": "Bo Ray"}
    assert bios.process(other, ["Bo Ray is a poet."]) == {"respond": 1, "scored": 0}


def test_each_of_several_answers_is_a_biography(doc):
    found = bios.process(doc, [["Ann Lee is a poet.", "Ann Lee is a poet. She died in Lima."]])
    assert found["dfs"] == pytest.approx(0.75, abs=0.02)
    assert found["scored"] == 1


def test_a_document_without_a_name_is_an_error_in_the_log(doc, caplog):
    with caplog.at_level(logging.ERROR):
        assert bios.process({**doc, "name": None}, ["Ann Lee is a poet."]) == {}
    assert "document Ann Lee" in caplog.text
    assert "name" in caplog.text


def test_a_wrong_setting_is_refused_before_a_model_is_asked():
    with pytest.raises(InputError, match=r"task dfactscore_bios.*lnik.*link"):
        bios.load(dfactscore={"lnik": "hungarian"})
    with pytest.raises(InputError, match="nothing to judge against"):
        bios.load(dfactscore={"names": str(example("people").biographies)})
