"""Lines of a run folder are checked against one declared form."""

from __future__ import annotations

import json
from dataclasses import fields

import pytest
from run_records import WritableRun, complete, manifest, opened

from dfactscore._errors import RunError
from dfactscore._runs import load_run
from dfactscore._runs.journal_forms import JOURNAL_FORMS, StageCounts
from dfactscore._util.usage import Tally


@pytest.fixture
def run(tmp_path):
    with WritableRun(tmp_path / "run", manifest()) as run:
        run.writer.write_record(complete())
    return tmp_path / "run"


def change(path, change):
    record = json.loads(path.read_text())
    change(record)
    record.pop("crc32", None)  # as in a line of an earlier release
    path.write_text(json.dumps(record) + "\n")


@pytest.mark.parametrize(
    ("journal", "damage", "said"),
    [
        ("biographies", lambda r: r.pop("reason"), "reason: is missing"),
        ("biographies", lambda r: r.update(name=["x"]), r"name: .* found list \['x'\]"),
        ("biographies", lambda r: r.update(status="done"), "status: input should be 'scored'"),
        ("biographies", lambda r: r.update(passages=["x"]), r"passages\[0\]: "),
        ("facts", lambda r: r["facts"][0].update(span=3), r"facts\[0\].span: "),
        ("groups", lambda r: r["groups"][0].pop("label"), r"groups\[0\].label: is missing"),
        ("groups", lambda r: r.pop("groups"), "groups: is missing"),
        ("verdicts", lambda r: r["entities"][0]["status"].pop(), "1 items of status, 2 of prob"),
        ("verdicts", lambda r: r["entities"][0].update(rank="1"), "rank: .* found str '1'"),
        ("verdicts", lambda r: r["entities"].append(r["entities"][0]), "same id"),
        (
            "verdicts",
            lambda r: r["entities"][0]["evidence"].__setitem__(0, [7, 0, 1]),
            r"\(7, 0, 1\) points outside of 1 documents",
        ),
        ("verdicts", lambda r: r.update(usage={"verify": {"m": {"x": 1}}}), "usage.verify.m.x: "),
        ("documents", lambda r: r.update(text=None), "text: .* found NoneType None"),
    ],
)
def test_a_damaged_line_is_named(run, journal, damage, said):
    change(run / f"{journal}.jsonl", damage)
    place = rf"{journal}\.jsonl:1: not a line of a journal \(.*{said}"
    with pytest.raises(RunError, match=place):
        load_run(run)
    with pytest.raises(RunError, match=place):
        WritableRun(run, manifest())


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda m: m["input"].update(records=[]), "input.records: .* found list"),
        (lambda m: m["settings"].update(candidates="x"), "settings.candidates: "),
        (lambda m: m["settings"].update(scores={"gama": 1}), "settings.scores: .*gama"),
        (lambda m: m["settings"].update(scores={"link": "x"}), "settings.scores: link='x'"),
        (lambda m: m["settings"].update(dataset={"Ann": None}), "settings.dataset.Ann: "),
        (lambda m: m.update(versions="1"), "versions: "),
    ],
)
def test_a_damaged_manifest_is_named(run, damage, said):
    change(run / "manifest.json", damage)
    with pytest.raises(RunError, match=rf"manifest\.json: damaged \({said}"):
        load_run(run)


@pytest.mark.parametrize("schema", ["1", None, [1] * 99])
def test_a_manifest_of_another_schema_says_who_made_it(run, schema):
    change(run / "manifest.json", lambda m: m.update(schema=schema, versions="x"))
    with pytest.raises(RunError, match="made by an unknown version"):
        load_run(run)


@pytest.mark.parametrize("groups", [[[0]], [[0, 1], [1]], [[0, 1, 2]], [[5, 1]]])
def test_lines_that_do_not_go_together(run, groups):
    def regroup(record):
        record["groups"] = [{"facts": g, "label": "", "bears_name": None} for g in groups]

    change(run / "groups.jsonl", regroup)
    loaded = load_run(run)
    with pytest.raises(RunError, match="biography 'a': its groups do not hold each of 2 facts"):
        list(loaded.records())


def test_stages_of_other_facts_are_made_again(run):
    """Facts that were lost and made again, and then a kill: what rests on the old ones is void."""
    change(run / "facts.jsonl", lambda r: r["facts"].pop())
    (run / "biographies.jsonl").write_text("")
    with WritableRun(run, manifest()) as opened_run:
        found = opened_run.writer.resume(opened(complete()))
    assert (len(found.facts), found.groups, found.matrix) == (1, None, None)


def test_every_journal_has_a_form(run):
    assert set(JOURNAL_FORMS) == {path.stem for path in run.glob("*.jsonl")}


def test_usage_has_the_counts_of_a_tally():
    counts = {field.name: field.default for field in fields(Tally)}
    del counts["cached_tokens"], counts["canceled"]  # vary between runs
    assert {name: field.default for name, field in StageCounts.model_fields.items()} == counts
