"""Mixed groups: facts of two same-name people in one group, so that FS and D-FS are known.

    python training/train_verifier.py --folds-out runs/folds
    python benchmarks/mixed_groups.py --folds runs/folds

For every name with two pages (A and B) of at least five supported facts each, k facts of A and
n - k of B form one group. Each fact is supported by its page, so FS = 1. One group has one link, so
D-FS = max(k, n - k) / n. This truth is compared with the D-FS of the out-of-fold verifier (argmax
over the two pages, and over all retrieved pages of the name) and of the plain baseline.

The protocol uses only labels, no verifier (`known_truth_groups.py`). It leaves out facts labelled
supported by both pages, which show no mixing, and facts that other labels of their page contradict.
A fact that two models wrote counts once, and no fact occurs twice in a group. n is the smaller
page's number of facts, and k goes from 0 to n; one more group has all facts of both. The cleaned
protocol also leaves out facts whose words do not distinguish the pages or are not on their page.

The larger of two noisy counts decides D-FS, which raises it if the truth is near 1/2, most in small
groups. The slope is therefore printed by group size, and compared with verdicts of the same two
rates but independent errors: with the argmax, and with the correct page given. The latter has the
slope "own page minus wrong page", the largest slope at these rates. Intervals (95 %) resample
names.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path

for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")
ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / part) for part in ("training", "benchmarks", "")]

import numpy as np  # noqa: E402
from intervals import interval, show  # noqa: E402
from known_truth_groups import Group, Persons, groups, persons  # noqa: E402
from running import default_data  # noqa: E402
from verifier_data import Pair, load_pairs, pages  # noqa: E402
from verifier_folds import out_of_fold, plain_out_of_fold  # noqa: E402
from verifier_scores import Array  # noqa: E402

from dfactscore.engines._builtin.verify.matrix_step import separate_rivals  # noqa: E402
from dfactscore.engines._builtin.verify.model import load_model  # noqa: E402

SIZES = ((5, 7), (8, 11), (12, 999))  # facts in a group
Cells = dict[tuple[str, str, str], bool]  # name, fact, title


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=default_data())
    parser.add_argument("--folds", type=Path, required=True, help="from train_verifier.py")
    parser.add_argument("--seed", type=int, default=20)
    options = parser.parse_args()
    pairs = load_pairs(options.data)
    titles = {name: list(docs) for name, docs in pages(options.data).items()}
    scored = {
        "built-in verifier, out of fold": out_of_fold(pairs, options.folds),
        "plain logistic regression, out of fold": plain_out_of_fold(pairs, options.folds),
    }
    for cleaned in (False, True):
        found = persons(pairs, cleaned=cleaned)
        mixes = list(groups(found, options.seed))
        truth = np.array([group.truth for group in mixes])
        facts = sum(len(side) for item in found for side in item.facts)
        print(
            f"{'cleaned' if cleaned else 'present'} protocol: {len({item.name for item in found})} "
            f"names, {facts} facts, {len(mixes)} groups, mean true D-FS {truth.mean():.3f}"
        )
        for label, (values, limits) in scored.items():
            cells = {
                (p.name, p.fact, p.title): bool(value >= limit)
                for p, value, limit in zip(pairs, values, limits, strict=True)
                if p.kind == 2 or (p.kind == 0 and p.label)
            }
            report(label, found, mixes, cells, titles, options.seed)
            if label.startswith("built-in"):
                expected(pairs, values, mixes, truth, options.folds)


def report(
    label: str,
    found: list[Persons],
    mixes: list[Group],
    cells: Cells,
    titles: dict[str, list[str]],
    seed: int,
) -> None:
    """Prints the rates of one verifier, and its D-FS against the truth."""
    print(label)
    rates = []
    for title, other in (("own-page support", 0), ("wrong-page support", 1)):
        flags = [
            (item.name, cells[item.name, fact, item.titles[side ^ other]])
            for item in found
            for side in (0, 1)
            for fact in item.facts[side]
        ]
        said = np.array([flag for _, flag in flags], dtype=float)
        rates.append(said.mean())
        bounds = interval([n for n, _ in flags], lambda i, f=said: float(f[i].mean()))
        print(f"  {title:42} {show(float(said.mean()), bounds)}")
    print(f"  {'own minus wrong page':42} {rates[0] - rates[1]:.3f}")
    names = [group.persons.name for group in mixes]
    truth = np.array([group.truth for group in mixes])
    size = np.array([len(group.facts) for group in mixes])
    every = np.array([size[i] == sum(map(len, g.persons.facts)) for i, g in enumerate(mixes)])
    two = np.array([_dfs(group, cells, group.persons.titles) for group in mixes])
    wide = np.array([_dfs(group, cells, titles[group.persons.name]) for group in mixes])
    print(f"  {'':42} {'slope on truth':22} {'mean absolute error':22} mean D-FS")
    line("argmax over the two pages, n = min", names, truth, two, ~every)
    for low, high in SIZES:
        inside = ~every & (size >= low) & (size <= high)
        words = f"{low} to {high}" if high < 999 else f"{low} and more"
        line(f"  of these with {words} facts", names, truth, two, inside)
    line("argmax over the two pages, all facts", names, truth, two, every)
    line("argmax over all retrieved pages, n = min", names, truth, wide, ~every)
    chance = np.random.default_rng(seed)
    blind, linked = independent(mixes, rates[0], rates[1], chance)
    line("same rates, independent errors, argmax", names, truth, blind, ~every)
    line("same rates, the right page given", names, truth, linked, ~every)


def expected(
    pairs: list[Pair], values: Array, mixes: list[Group], truth: Array, folds: Path
) -> None:
    """Prints expected D-FS, from the probabilities on the two pages, against the truth."""
    rivalry = load_model(folds / "fold0.json").second_step["rivalry"]
    known = {(p.name, p.fact, p.title): v for p, v in zip(pairs, values, strict=True)
             if p.kind in (0, 2)}  # fmt: skip
    found = []
    for group in mixes:
        name, titles = group.persons.name, group.persons.titles
        cells = [[known.get((name, f, t), 1.0) for t in titles] for f in group.facts]
        found.append(separate_rivals(np.array(cells), rivalry).mean(axis=0).max())
    names = [group.persons.name for group in mixes]
    size = np.array([len(group.facts) for group in mixes])
    every = np.array([size[i] == sum(map(len, g.persons.facts)) for i, g in enumerate(mixes)])
    line("expected, the two pages, n = min", names, truth, np.array(found), ~every)


def _dfs(group: Group, cells: Cells, among: tuple[str, ...] | list[str]) -> float:
    """Returns the best page's share of facts; a third page counts facts labelled for it."""
    name = group.persons.name
    return max(np.mean([cells.get((name, f, t), True) for f in group.facts]) for t in among)


def independent(
    mixes: list[Group], own: float, wrong: float, chance: np.random.Generator
) -> tuple[Array, Array]:
    """Returns D-FS of verdicts drawn at these rates: by argmax, and with the larger half's page."""
    best, right = [], []
    for group in mixes:
        n, k = len(group.facts), group.first
        a = chance.binomial(k, own) + chance.binomial(n - k, wrong)
        b = chance.binomial(k, wrong) + chance.binomial(n - k, own)
        best.append(max(a, b) / n)
        right.append((a if k >= n - k else b) / n)
    return np.array(best), np.array(right)


def line(title: str, names: list[str], truth: Array, found: Array, rows: np.ndarray) -> None:
    """Prints slope and mean absolute error of groups."""
    if rows.sum() < 3:
        return
    x, y = truth[rows], found[rows]
    clusters = [name for name, inside in zip(names, rows, strict=True) if inside]
    error = np.abs(x - y)
    of: Callable[[np.ndarray], float] = lambda i: _slope(x[i], y[i])  # noqa: E731
    print(
        f"  {title:42} {show(_slope(x, y), interval(clusters, of)):22} "
        f"{show(float(error.mean()), interval(clusters, lambda i: float(error[i].mean()))):22} "
        f"{y.mean():.3f}  ({len(x)} groups)"
    )


def _slope(x: np.ndarray, y: np.ndarray) -> float:
    return float(np.polyfit(x, y, 1)[0]) if np.ptp(x) else float("nan")


if __name__ == "__main__":
    from running import run

    run(main)
