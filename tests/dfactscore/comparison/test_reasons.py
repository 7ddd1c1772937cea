"""Distinguishes models with unverifiable facts from models with false facts."""

from __future__ import annotations

import re

import pytest

from dfactscore.comparison import compare


def rows(contradicted, not_stated, *, facts=20, texts=5):
    fs = 1 - (contradicted + not_stated) / facts
    return [
        {"name": f"n{i}", "fs": fs, "dfs": fs, "n_facts": facts, "contradicted": contradicted,
         "not_stated": not_stated}
        for i in range(texts)
    ]  # fmt: skip


def said(runs):
    notes = compare(runs, resamples=100, tests=False).notes
    return [note for note in notes if "differ mainly" in note]


@pytest.mark.parametrize(
    ("second", "is_said"),
    [
        ((2, 9), True),  # seven points apart in what is not stated, none in what is contradicted
        ((9, 2), False),
        ((6, 6), False),
        ((2, 2), False),
        (("", ""), False),  # runs of earlier releases counted neither
    ],
)
def test_what_models_differ_in(second, is_said):
    contradicted, not_stated = second
    other = rows(*(value or 0 for value in second))
    other = [{**row, "contradicted": contradicted, "not_stated": not_stated} for row in other]
    found = said({"a": rows(2, 2), "b": other})
    assert len(found) == is_said
    if is_said:
        assert found[0].startswith("a and b differ mainly in what the judge cannot find (−35.0 p")
        assert "(+0.0)" in found[0]


def test_the_shares_are_those_of_all_facts_of_a_run():
    mixed = [*rows(1, 3, facts=10, texts=1), *rows(0, 0, facts=30, texts=2)]
    (note,) = [n for n in compare({"a": mixed}, resamples=100).notes if "Of all facts" in n]
    assert "a: 1.4 % contradicted, 4.3 % not stated" in note


def test_how_good_levels_of_the_builtin_judge_are_is_said_in_one_line(tmp_path):
    header = "id,name,fs,dfs\n"
    for run, judge in (("a", "builtin"), ("b", "builtin"), ("c", "llm"), ("d", "llm")):
        (tmp_path / run).mkdir()
        (tmp_path / run / "scores.csv").write_text(header + "1,Ann,0.5,0.5\n2,Bob,1,1\n")
        (tmp_path / run / "manifest.json").write_text(
            f'{{"status": "complete", "settings": {{"verifier": {{"name": "{judge}"}}}}}}'
        )
    for runs, is_said in (("ab", True), ("ac", True), ("cd", False), ("a", False)):
        notes = compare([tmp_path / run for run in runs], resamples=100).notes
        assert any("depend on style" in note for note in notes) == is_said, runs
        assert sum("of the built-in judge by verdicts deviate" in n for n in notes) == is_said
    for run in "ab":
        manifest = tmp_path / run / "manifest.json"
        text = manifest.read_text()
        counted = '"settings": {"scores": {"counts": "expected"}, '
        manifest.write_text(text.replace('"settings": {', counted, 1))
    notes = compare([tmp_path / "a", tmp_path / "b"], resamples=100).notes
    (levels,) = [note for note in notes if "FS and D-FS of the built-in judge" in note]
    assert re.search(
        r"by calibrated probabilities deviate .* by [+−]\d\.\d and [+−]\d\.\d \(tulu\)", levels
    )
    assert not any("depend on style" in note for note in notes)
