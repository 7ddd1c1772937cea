"""Bias, coverage and width of corrected means over draws of labels; errors of the test.

    dfactscore score alce_tulu.json --out tulu
    python benchmarks/correct.py --other-judges
    python benchmarks/correct.py --pair tulu verdicts_tulu.jsonl [--pair RUN LABELS] [--draws 2000]

A pair is a run and labels of all its texts. For "these" names, n labels are drawn from the texts;
for "other" names, the texts are also drawn, with replacement. "published" is the coverage of the
normal interval of PPI++. `--other-judges` simulates
columns of other tools. Two kinds of differences are tested: between two halves of one run (the
share of significant tests at the 5 % level, and with a star by Holm), and between two pairs, over
common names (coverage, and how often a difference has the sign of the labels).
"""

from __future__ import annotations

import argparse
from itertools import combinations, product
from pathlib import Path
from typing import get_args

import numpy as np
from published_ppi import ppi_mean
from running import run

from dfactscore.correct._estimator import Array, Population, labels_alone, tuned, whole_mean
from dfactscore.correct._labeled_runs import RunColumns, matched_columns
from dfactscore.measures._resampling import holm

MEASURES = ("dfs", "fs", "gap")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pair", nargs=2, type=Path, action="append", default=[])
    parser.add_argument("--other-judges", action="store_true", help="simulated columns")
    parser.add_argument("--draws", type=int, default=2000)
    parser.add_argument("--labels", type=int, nargs="+", default=[20, 30, 50])
    arguments = parser.parse_args()
    if arguments.other_judges:
        other_judges(arguments.labels, arguments.draws)
    columns = {}
    for folder, labels in arguments.pair:
        columns |= matched_columns({folder.name: folder}, labels)
    print("run  measure  texts  r  for  n  bias  coverage  [labels alone]  [published]  "
          "width  of labels alone")  # fmt: skip
    for label, own in columns.items():
        for measure in MEASURES:
            judge, truth = known(own, measure)
            if len(judge) < 12:
                continue
            for population, n in product(get_args(Population), arguments.labels):
                if n < len(judge):
                    print(label, measure, len(judge), f"{np.corrcoef(judge, truth)[0, 1]:.2f}",
                          population, n, drawn(judge, truth, population, n, arguments.draws),
                          sep="  ")  # fmt: skip
    for label, own in columns.items():
        table = np.column_stack([column for m in MEASURES for column in own.of(m)])
        table = table[~np.isnan(table).any(axis=1)]
        if len(table) >= 60:
            print(f"{label}: two halves of one run, 30 labels in each: differ at .05 in",
                  halves(table, 30, arguments.draws), "of the draws")  # fmt: skip
    for (one, first), (two, second) in combinations(columns.items(), 2):
        differences(one, first, two, second, 30, arguments.draws)


def other_judges(sizes: list[int], draws: int) -> None:
    """Prints coverage and width for columns that other tools write, 400 texts each."""
    rng = np.random.default_rng(4)
    true = rng.random(400) < 0.7
    grade = rng.choice(5, 400, p=[0.1, 0.15, 0.2, 0.3, 0.25]) + 1.0
    noise = rng.normal(0, 1, 400)
    judges = {
        "yes or no, labels 0 and 1": (np.where(rng.random(400) < 0.8, true, rng.random(400) < 0.9),
                                      true),
        "probability, labels 0 and 1": (1 / (1 + np.exp(-(3 * true - 0.5 + noise))), true),
        "grades 1 to 5, labels too": (np.clip(np.round(grade + 0.4 + noise), 1, 5), grade),
        "grades 1 to 5, labels 0 and 1": (np.clip(np.round(2 + 2 * true + noise), 1, 5), true),
        "score 0 to 100, labels 1 to 5": (np.clip(20 * grade + 12 * noise, 0, 100), grade),
        "no relation, labels 0 and 1": (rng.random(400), true),
    }  # fmt: skip
    for (label, (judge, truth)), n in product(judges.items(), sizes):
        judge, truth = judge.astype(float), truth.astype(float)
        for population in get_args(Population):
            print(label, f"{np.corrcoef(judge, truth)[0, 1]:.2f}", population, n,
                  drawn(judge, truth, population, n, draws), sep="  ")  # fmt: skip


def known(own: RunColumns, measure: str) -> tuple[Array, Array]:
    """Returns judge and labels of the texts that have both."""
    judge, said = own.of(measure)
    both = ~np.isnan(judge) & ~np.isnan(said)
    return judge[both], said[both]


def drawn(judge: Array, truth: Array, population: Population, n: int, draws: int) -> str:
    """Returns bias, coverage and mean width over draws, as text."""
    rng = np.random.default_rng(0)
    held = np.zeros(3)
    widths, errors = np.zeros(2), []
    for _ in range(draws):
        texts = np.arange(len(judge))
        if population == "other":
            texts = rng.integers(0, len(judge), len(judge))
        labels = np.full(len(judge), np.nan)
        chosen = rng.permutation(len(judge))[:n]
        labels[chosen] = truth[texts][chosen]
        mean = tuned(judge[texts], labels, population=population).mean
        alone = labels_alone(labels, population=population)
        ends = [mean.interval(), alone.interval(), ppi_mean(judge[texts], labels)[1]]
        held += [low <= truth.mean() <= high for low, high in ends]
        widths += [high - low for low, high in ends[:2]]
        errors.append(mean.value - truth.mean())
    corrected, alone_held, published = held / draws
    return (
        f"{100 * np.mean(errors):+.2f}  {corrected:.3f}  [{alone_held:.3f}]  [{published:.3f}]  "
        f"{100 * widths[0] / draws:.1f}  {widths[0] / widths[1]:.2f}"
    )


def halves(table: Array, n: int, draws: int) -> str:
    """Returns the share of pairs of random halves of one run that differ significantly.

    Args:
        table: Judge and labels of each measure, one row per text.
        n: Labels in each half.
        draws: The number of times the run is halved.
    """
    rng = np.random.default_rng(1)
    pvalues = np.ones((draws, len(MEASURES)))
    for draw in range(draws):
        places = rng.permutation(len(table))
        both = np.split(places[: len(table) // 2 * 2], 2)
        for i in range(len(MEASURES)):
            one, two = (
                tuned(table[half, 2 * i], _first(table[half, 2 * i + 1], n)).mean for half in both
            )
            pvalues[draw, i] = one.minus(two, paired=False).p_value()
    alone = (pvalues <= 0.05).mean(axis=0)
    stars = np.mean([min(holm(row)) <= 0.05 for row in pvalues])
    named = ", ".join(f"{m} {rate:.3f}" for m, rate in zip(MEASURES, alone, strict=True))
    return f"{named}; with a star, of three tests by Holm, {stars:.3f}"


def _first(labels: Array, n: int) -> Array:
    """Keeps the labels of the first n texts only."""
    return np.where(np.arange(len(labels)) < n, labels, np.nan)


def signs(table: Array, n: int, names: int, draws: int) -> str:
    """Returns the share of differences whose sign agrees with the labels of all names.

    Args:
        table: Judge and labels of the first and of the second run, one row per name.
        n: Names labeled in both.
        names: The number of names of each draw, including the labeled names.
        draws: The number of times names are drawn.
    """
    rng = np.random.default_rng(3)
    right, starred = np.zeros((2, draws), bool), np.zeros((2, draws), bool)
    for draw in range(draws):
        rows = table[rng.permutation(len(table))[:names]]
        truth = (rows[:, 1] - rows[:, 3]).mean()
        corrected = [tuned(rows[:, i], _first(rows[:, i + 1], n)).mean for i in (0, 2)]
        judge = [whole_mean(rows[:, i]) for i in (0, 2)]
        for k, (one, two) in enumerate((corrected, judge)):
            found = one.minus(two, paired=True)
            right[k, draw] = found.value * truth > 0
            starred[k, draw] = found.p_value() <= 0.05
    return "; ".join(
        f"{who} {right[k].mean():.3f}, of the {starred[k].mean():.3f} with p ≤ .05 "
        f"{right[k][starred[k]].mean() if starred[k].any() else np.nan:.3f}"
        for k, who in enumerate(("corrected", "judge alone"))
    )


def differences(
    one: str, first: RunColumns, two: str, second: RunColumns, n: int, draws: int
) -> None:
    """Returns the coverage of the difference of two runs, with n names labeled in both."""
    places = [{name: i for i, name in enumerate(own.names)} for own in (first, second)]
    common = sorted(set(places[0]) & set(places[1]))
    for measure in MEASURES:
        sides = []
        for own, at in zip((first, second), places, strict=True):
            sides += [column[[at[name] for name in common]] for column in own.of(measure)]
        table = np.column_stack(sides)
        table = table[~np.isnan(table).any(axis=1)]
        if len(table) <= n:
            continue
        print(f"{one} − {two}  {measure}  the sign of 60 names' labels, {n} of them labeled:",
              signs(table, n, 60, draws))  # fmt: skip
        truth = float((table[:, 1] - table[:, 3]).mean())
        for population in get_args(Population):
            rng = np.random.default_rng(2)
            held, widths = 0, np.zeros(2)
            for _ in range(draws):
                rows = table
                if population == "other":
                    rows = table[rng.integers(0, len(table), len(table))]
                chosen = rng.permutation(len(rows))[:n]
                labels = np.full((2, len(rows)), np.nan)
                labels[:, chosen] = rows[chosen][:, [1, 3]].T
                means = [
                    tuned(rows[:, 2 * i], labels[i], population=population).mean for i in (0, 1)
                ]
                low, high = means[0].minus(means[1], paired=True).interval()
                alone = labels_alone(labels[0] - labels[1], population=population).interval()
                held += low <= truth <= high
                widths += [high - low, alone.high - alone.low]
            print(f"{one} − {two}  {measure}  {len(table)} names  {population}  {n} labels in "
                  f"both: coverage {held / draws:.3f}, width {100 * widths[0] / draws:.1f}, "
                  f"{widths[0] / widths[1]:.2f} of labels alone")  # fmt: skip


if __name__ == "__main__":
    run(main)
