"""Counts, baselines and verifiers on the real labeled data."""

from __future__ import annotations

import pytest

from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
from dfactscore.meta import Options, VerifierEvaluator, evaluate, load_data
from dfactscore.meta._data_sets import describe

NO_DRAWS = Options(resamples=100)


@pytest.fixture(scope="module")
def felm(data):
    return {name: load_data(f"felm={data}/felm/{name}.jsonl") for name in ("wk", "math")}


def test_wk_holds_what_was_published(felm):
    (row,) = describe(felm["wk"])
    assert {k: row[k] for k in ("responses", "units", "errors", "error_responses", "with_links",
                                "with_text", "error_responses_with_text", "no_claim")} == {
        "responses": 184, "units": 532, "errors": 147, "error_responses": 85, "with_links": 169,
        "with_text": 156, "error_responses_with_text": 71, "no_claim": 26,
    }  # fmt: skip
    assert list(row["error_types"].values()) == [121, 10, 8, 7, 1]
    assert row["error_types"]["untyped"] == 1
    assert any("1 responses are NaN" in note for note in row["odd"])


def test_math_holds_what_was_published(felm):
    (row,) = describe(felm["math"])
    found = [row[k] for k in ("responses", "units", "errors", "error_responses", "with_text")]
    assert found == [194, 599, 125, 64, 0]


@pytest.mark.parametrize(
    ("name", "evaluator", "figures"),
    [
        ("wk", "all", (27.63, 100, 43.30, 50)),
        ("wk", "last", (32.61, 40.82, 36.25, 54.30)),
        ("wk", "first-two", (30.56, 62.59, 41.07, 54.15)),
        ("wk", "all-claims", (29.05, 100, 45.02, 53.38)),
        ("math", "all", (20.87, 100, 34.53, 50)),
        ("math", "last", (31.44, 48.80, 38.24, 60.37)),
        ("math", "first-two", (18.23, 51.20, 26.89, 45.33)),
        ("math", "all-claims", (20.90, 100, 34.58, 50.11)),
    ],
)
def test_baselines_of_segments(felm, name, evaluator, figures):
    found = evaluate(felm[name], options=NO_DRAWS).row(evaluator, level="segment").figures
    names = ("precision", "recall", "f1", "balanced_accuracy")
    assert [100 * found[n] for n in names] == pytest.approx(figures, abs=0.005)


def test_baselines_of_responses_and_chance(felm):
    for name, precision, f1, random, segment in (
        ("wk", 46.20, 63.20, (56.84, 49.98), 35.59), ("math", 32.99, 49.61, (47.00, 50.28), 29.45)
    ):  # fmt: skip
        result = evaluate(felm[name], options=NO_DRAWS)
        for evaluator in ("all", "last", "first-two"):
            found = result.row(evaluator, level="response").figures
            expected = pytest.approx([precision, f1], abs=0.005)
            assert [100 * found["precision"], 100 * found["f1"]] == expected
        found = result.row("random", level="response").figures
        assert [100 * found["f1"], 100 * found["balanced_accuracy"]] == pytest.approx(
            random, abs=0.005
        )
        assert 100 * result.row("random").figures["f1"] == pytest.approx(segment, abs=0.005)
        assert result.row("none").figures["f1"] == 0
        assert result.row("none").figures["balanced_accuracy"] == 0.5


@pytest.mark.parametrize(
    ("name", "evaluator", "figure", "interval"),
    [
        ("wk", "last", "balanced_accuracy", (49.96, 59.05)),
        ("wk", "first-two", "f1", (34.84, 47.39)),
        ("math", "last", "f1", (32.45, 43.90)),
    ],
)
def test_intervals(felm, name, evaluator, figure, interval):
    row = evaluate(felm[name]).row(evaluator, level="segment")
    assert [100 * x for x in row.intervals[figure]] == pytest.approx(interval, abs=0.01)


@pytest.mark.parametrize(
    ("unit", "figures"),
    [
        ("segment", (46.2, 55.3, 60.1)),
        pytest.param("claim", (46.6, 55.9, 59.2), marks=pytest.mark.slow),
    ],
)
def test_builtin_on_wk(felm, unit, figures):
    """The verifier may change; the harness may not: hence the room for a few points."""
    evaluator = VerifierEvaluator(BuiltinVerifier(), unit=unit)
    result = evaluate(felm["wk"], {"builtin": evaluator}, options=NO_DRAWS)
    row = result.row("builtin", references="with-text")
    found = [100 * row.figures[n] for n in ("f1", "balanced_accuracy", "auc")]
    assert row.n == 434
    assert found == pytest.approx(figures, abs=4)
    plain = result.row("all-claims", references="with-text").figures
    names = ("precision", "f1", "balanced_accuracy")
    assert [100 * plain[n] for n in names] == pytest.approx((30.07, 46.24, 54.02), abs=0.005)


@pytest.mark.slow
def test_claims_with_evidence(data):
    stance = data / "factcheck_gpt" / "subtask3_claim_evidence_stance.jsonl"
    sets = load_data(
        f"wice={data}/wice/claim_dev.jsonl",
        f"factcheck-stance={stance}",
        f"factcheck-claims={data}/factcheck_gpt/subtask4_claim_factuality.jsonl",
        evidence=stance,
    )
    result = evaluate(sets, ["builtin"], options=NO_DRAWS)
    sizes = {(row.block, row.level): (row.n, row.errors) for row in result.rows}
    assert sizes == {
        ("wice", "row"): (1043, 701),
        ("wice", "claim"): (349, 235),
        ("factcheck-stance", "row"): (3305, 2609),
        ("factcheck-stance against refuted", "row"): (857, 161),
        ("factcheck-claims", "claim"): (631, 159),
    }
    assert 100 * result.row("all", block="wice").figures["f1"] == pytest.approx(80.39, abs=0.01)
    assert result.row("builtin", block="wice").figures["auc"] > 0.8


def test_facts_that_people_labeled(data):
    folder = data / "factscore_labels"
    sets = load_data(f"factscore-labels={folder}", pages=folder / "pages.jsonl")
    result = evaluate(sets, ["builtin"], options=NO_DRAWS)
    row = result.row("builtin", block="factscore-labels all")
    assert (row.n, sum(len(one.items) for one in sets)) == (440, 18)
    assert row.figures["auc"] > 0.88
    assert row.figures["r"] > 0.85
    assert sets[0].facts["without a page"] == 148


def test_without_pages_the_baselines_run_and_it_says_why(data, caplog):
    caplog.set_level("INFO", "dfactscore")
    sets = load_data(f"factscore-labels={data}/factscore_labels/ChatGPT.jsonl")
    result = evaluate(sets, ["builtin"], options=NO_DRAWS)
    assert {row.evaluator for row in result.rows}.isdisjoint({"builtin"})
    assert "it needs pages: give them with --pages FILE" in caplog.messages[0]
    many = load_data(
        f"factscore-labels={data}/factscore_labels/ChatGPT.jsonl", irrelevant="error"
    )  # fmt: skip
    errors = [sum(s.error for i in d[0].items for s in i.segments) for d in (sets, many)]
    assert errors == [1692, 1692 + 540]


def test_relations_that_people_judged(data):
    sets = load_data(f"qasem={data}/qasem_consistency/dev.jsonl")
    rows = {row["group"]: row for row in describe(sets)}
    assert {g: (r["units"], r["errors"], r["pairs"], round(100 * r["unanimous"], 1))
            for g, r in rows.items()} == {
        "factscore": (111, 79, 546, 86.8), "verifiability": (94, 35, 633, 78.2),
        "cliff": (36, 31, 363, 81.8),
    }  # fmt: skip
    clusters = {g: r["clusters"] for g, r in rows.items()}
    assert clusters == {"factscore": 9, "verifiability": 20, "cliff": 18}
