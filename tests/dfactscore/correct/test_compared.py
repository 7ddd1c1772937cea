"""A comparison with labels marks significant corrected differences."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

from dfactscore.comparison import compare
from dfactscore.comparison._types import TESTED
from dfactscore.correct import correct
from dfactscore.correct._correction import with_corrected
from dfactscore.measures._resampling import holm

NAMES = 80


def runs_of(folder, judged, true, *, labels):
    """Creates runs with given means of judge and labels, and labels of some texts."""
    rng = np.random.default_rng(7)
    truth = rng.normal(0, 0.08, NAMES)
    runs, lines = {}, []
    for run, n in labels.items():
        said, right = judged[run] + truth, true[run] + truth + rng.normal(0, 0.02, NAMES)
        runs[run] = folder / run
        runs[run].mkdir()
        with (runs[run] / "scores.csv").open("w", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(("id", "name", "fs", "dfs", "status"))
            rows.writerows(
                (f"{run}{i}", f"Name {i}", 0.95, min(0.95, d), "scored") for i, d in enumerate(said)
            )
        lines += [
            {"id": f"{run}{i}", "run": run, "fs": 0.95, "dfs": min(0.95, float(right[i]))}
            for i in rng.permutation(NAMES)[:n]
        ]
    path = folder / "labels.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return runs, path


def compared(folder, judged, true, **options):
    runs, labels = runs_of(folder, judged, true, **options)
    alone = compare(runs, resamples=500)
    return alone, with_corrected(alone, correct(runs, by=labels))


def test_a_difference_that_labels_undo_has_no_star(tmp_path):
    alone, found = compared(
        tmp_path, {"a": 0.8, "b": 0.5}, {"a": 0.7, "b": 0.7}, labels={"a": 40, "b": 40}
    )
    assert alone.marks("a", "dfs") == "b"
    assert [d.measure for d in found.differences] == [f"{m}_corrected" for m in TESTED]
    one = found.differences[1]
    assert one.judge == pytest.approx(alone.differences[1].difference)
    assert abs(one.difference) < 0.02 < one.judge
    assert not one.significant
    assert not any(found.marks(m, k) for m in "ab" for k in ("dfs", "dfs_corrected", "gap"))
    shown = str(found)
    assert "significantly higher" not in shown
    line = next(line for line in shown.splitlines() if "D-FS corr. " in line and "n.s." in line)
    assert "+30.0" in line
    assert "*" not in line


def test_a_difference_that_labels_show_has_the_star_beside_the_corrected_mean(tmp_path):
    alone, found = compared(
        tmp_path, {"a": 0.7, "b": 0.7}, {"a": 0.6, "b": 0.8}, labels={"a": 40, "b": 40}
    )
    assert not any(d.significant for d in alone.differences)
    assert found.marks("b", "dfs_corrected") == "a"
    assert found.marks("a", "gap_corrected") == "b"
    assert found.marks("b", "dfs") == ""
    rows = found.to_frame().set_index("model")
    assert rows.loc["b", "dfs_corrected_exceeds"] == "a"
    assert "dfs_exceeds" not in rows
    both = found.to_frame("differences")
    assert both["judge"].abs().max() < 0.03
    assert "t test of the corrected difference, Holm-corrected" in found.to_latex()
    assert "Corrected order by D-FS: b > a" in " ".join(found.notes)


def test_a_pair_without_labels_keeps_the_judges_test_and_all_share_holms_correction(tmp_path):
    level = {"a": 0.8, "b": 0.8, "c": 0.5}
    _, found = compared(tmp_path, level, level, labels={"a": 40, "b": 40, "c": 4})
    assert [(d.first, d.second, d.measure) for d in found.differences if d.measure[0] == "d"] == [
        ("a", "b", "dfs_corrected"),
        ("a", "c", "dfs"),
        ("b", "c", "dfs"),
    ]
    assert [d.p_holm for d in found.differences] == holm([d.p for d in found.differences])
    assert found.marks("a", "dfs") == "c"
    assert "paired permutation test of others" in str(found)


def test_without_tests_there_are_none(tmp_path):
    level = {"a": 0.7, "b": 0.5}
    runs, labels = runs_of(tmp_path, level, level, labels={"a": 40, "b": 40})
    alone = compare(runs, resamples=500, tests=False)
    assert with_corrected(alone, correct(runs, by=labels), tests=False).differences == ()
