"""F1@K of compared runs."""

from __future__ import annotations

import pytest

from dfactscore._errors import InputError
from dfactscore._metrics import f1_at_k
from dfactscore.comparison import compare
from dfactscore.comparison._scores import parse_ks


def row(name, s, n, **more):
    shares = {"fs": s / (s + n), "dfs": s / (s + n)} if s + n else {}
    return {"name": name, "status": "scored", "n_supported": s, "n_unsupported": n,
            "n_facts": s + n, **shares, **more}  # fmt: skip


SILENT = {"name": "c", "status": "abstained"}
FAILED = {"name": "d", "status": "error"}


def test_an_abstention_counts_as_0_and_a_failure_not_at_all():
    found = compare({"one": [row("a", 10, 8), row("b", 1, 0), SILENT, FAILED]}, tests=False)
    level = found.models[0].levels["f1_at_64"]
    assert level.mean == pytest.approx((f1_at_k(10, 8, 64) + f1_at_k(1, 0, 64)) / 3)
    assert level.n == 3


def test_median_and_max_are_of_all_runs_together():
    one, two = [row("a", 4, 0), row("b", 6, 0)], [row("a", 20, 0), row("b", 8, 2)]
    both = compare({"one": one, "two": two}, tests=False, f1_at=("median", "max"))
    assert {m for m in both.models[0].levels if m.startswith("f1")} == {"f1_at_8", "f1_at_20"}
    alone = compare({"one": one}, tests=False, f1_at=("max",))
    assert alone.models[0].levels["f1_at_6"].mean == pytest.approx((f1_at_k(4, 0, 6) + 1) / 2)


def test_columns_csv_and_text_name_k():
    found = compare({"one": [row("a", 4, 1), row("b", 6, 0)]}, tests=False)
    assert "f1_at_178_low" in found.to_csv("levels")
    assert "F1@" not in found.to_text()
    assert "F1@64" in found.with_f1().to_text()
    assert "F1@64" in found.select("fs", "f1_at_64").to_latex()
    with pytest.raises(InputError, match="unknown column 'f1_at_'"):
        found.select("f1_at_")


def test_runs_without_counts_have_none():
    found = compare({"one": [{"name": "a", "fs": 0.5, "dfs": 0.5}]}, tests=False)
    assert not [m for m in found.models[0].levels if m.startswith("f1")]


@pytest.mark.parametrize("bad", ["0", "-3", "many", "nan", "inf"])
def test_k_is_a_number_above_0(bad):
    with pytest.raises(InputError, match="--f1-at"):
        parse_ks([bad])
    assert parse_ks(["64", "64.0", "median"]) == (64.0, "median")
