"""Known truth: facts of two same-name people in one group, so that FS and D-FS are known.

    python benchmarks/train_verifier.py --folds-out runs/folds
    python benchmarks/known_truth.py --folds runs/folds

For every name with two pages of at least five supported facts each: k facts of A and n - k of B
make one group. Each fact is supported by its page, so FS = 1 and, as one group has one link,
D-FS = max(k, n - k) / n. The D-FS of the out-of-fold verifier (argmax over the two pages, and
over all retrieved pages of the name) is set beside it. Intervals (95 %) resample names.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from itertools import combinations
from pathlib import Path

for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")
sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent)]

import numpy as np  # noqa: E402
from verifier_data import Pair, default_data, load_pairs, pages  # noqa: E402
from verifier_folds import out_of_fold, plain_out_of_fold  # noqa: E402
from verifier_scores import interval, show  # noqa: E402

LEAST = 5
DRAWS = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=default_data())
    parser.add_argument("--folds", type=Path, required=True, help="from train_verifier.py")
    parser.add_argument("--seed", type=int, default=20)
    options = parser.parse_args()
    pairs = [p for p in load_pairs(options.data) if p.kind == 2 or (p.kind == 0 and p.label)]
    everything = load_pairs(options.data)
    source = pages(options.data)
    values, thresholds = out_of_fold(pairs, options.folds)
    report("embedded verifier, out of fold", pairs, values >= thresholds, source, options.seed)
    index = {id_of(p): i for i, p in enumerate(everything)}
    plain, limits = plain_out_of_fold(everything, options.folds)
    rows = [index[id_of(p)] for p in pairs]
    report("plain logistic regression", pairs, plain[rows] >= limits[rows], source, options.seed)


def id_of(pair: Pair) -> tuple[str, str, str, int]:
    return pair.name, pair.fact, pair.title, pair.kind


def report(label: str, pairs: list[Pair], said: np.ndarray, source: dict, seed: int) -> None:
    support: dict[str, dict[tuple[str, str], bool]] = {}
    own: dict[str, dict[str, list[str]]] = {}
    for pair, supported in zip(pairs, said, strict=True):
        support.setdefault(pair.name, {})[pair.fact, pair.title] = bool(supported)
        if pair.kind == 0:
            facts = own.setdefault(pair.name, {}).setdefault(pair.title, [])
            if pair.fact not in facts:
                facts.append(pair.fact)
    chance = random.Random(seed)
    rows, wrong, right = [], [], []  # (name, truth, two pages, all pages); (name, supported)
    for name in sorted(own):
        titles = sorted(t for t, facts in own[name].items() if len(facts) >= LEAST)
        cells = support[name]
        for a, b in combinations(titles, 2):
            for one, other in ((a, b), (b, a)):
                wrong += [(name, cells[fact, other]) for fact in own[name][one]]
                right += [(name, cells[fact, one]) for fact in own[name][one]]
            size = min(len(own[name][a]), len(own[name][b]))
            for k in range(size + 1):
                for _ in range(DRAWS):
                    group = chance.sample(own[name][a], k) + chance.sample(own[name][b], size - k)
                    count = {t: sum(cells[fact, t] for fact in group) for t in source[name]}
                    best_two = max(count[a], count[b])
                    best_all = max(count.values())
                    rows.append((name, max(k, size - k) / size, best_two / size, best_all / size))
    names = [row[0] for row in rows]
    truth, two, every = (np.array([row[i] for row in rows]) for i in (1, 2, 3))
    print(
        f"{label}: {len(set(names))} names, {len(rows)} groups, mean true D-FS {truth.mean():.3f}"
    )
    for title, cells_of in (
        ("support by the fact's own page", right),
        ("wrong-page support", wrong),
    ):
        flags = np.array([flag for _, flag in cells_of], dtype=float)
        bounds = interval([n for n, _ in cells_of], lambda i, f=flags: float(f[i].mean()))
        print(f"  {title:32} {show(float(flags.mean()), bounds)}")
    gap = np.mean([flag for _, flag in right]) - np.mean([flag for _, flag in wrong])
    print(f"  {'own minus wrong page':32} {gap:.3f}  (the slope, were all groups large)")
    for title, found in (("two pages", two), ("all retrieved pages", every)):
        print(f"  argmax over {title}: mean estimated D-FS {found.mean():.3f}")
        bounds = interval(names, lambda i, f=found: _slope(truth[i], f[i]))
        print(f"    {'slope on truth':30} {show(_slope(truth, found), bounds)}")
        error = np.abs(found - truth)
        bounds = interval(names, lambda i, e=error: float(e[i].mean()))
        print(f"    {'mean absolute error':30} {show(float(error.mean()), bounds)}")


def _slope(x: np.ndarray, y: np.ndarray) -> float:
    return float(np.polyfit(x, y, 1)[0]) if np.ptp(x) else float("nan")


if __name__ == "__main__":
    main()
