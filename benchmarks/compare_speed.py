"""How long does comparing 5 runs of 500 biographies with 10,000 resamples take?

Beside it, scipy's bootstrap and permutation test on one measure of the same data.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np

from dfactscore.comparison import compare


def seconds(call: Callable[[], object], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--biographies", type=int, default=500)
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    runs = {}
    for r in range(options.runs):
        fs = rng.beta(12, 1, options.biographies)
        dfs = fs * rng.beta(9, 1, options.biographies)
        answered = rng.random(options.biographies) > 0.05
        runs[f"run{r}"] = [
            {"name": f"n{i}", "status": "scored", "fs": f, "dfs": d, "dfs_one_group": d * 0.9,
             "n_bio": 1, "n_ent": 2, "n_facts": 20, "coverage": 1.0,
             "category": "one_bio_several_ents"}
            if ok else {"name": f"n{i}", "status": "abstained"}
            for i, (f, d, ok) in enumerate(zip(fs, dfs, answered, strict=True))
        ]  # fmt: skip
    ours = seconds(lambda: compare(runs, resamples=options.resamples), options.repeats)
    tests = options.runs * (options.runs - 1) // 2 * 3
    print(
        f"compare: {options.runs} runs × {options.biographies} biographies × "
        f"{options.resamples} resamples, {tests} tests: {ours:.2f} s (bar: under 5 s)"
    )
    from scipy import stats

    x = np.array([r.get("fs", np.nan) for r in runs["run0"]])
    y = np.array([r.get("fs", np.nan) for r in runs["run1"]])
    both = ~np.isnan(x + y)
    boot = seconds(
        lambda: stats.bootstrap(
            (x[~np.isnan(x)],), np.mean, n_resamples=options.resamples, method="percentile",
            rng=np.random.default_rng(0),
        ),
        options.repeats,
    )  # fmt: skip
    test = seconds(
        lambda: stats.permutation_test(
            (x[both], y[both]), lambda a, b, axis: (a - b).mean(axis=axis),
            permutation_type="samples", n_resamples=options.resamples, vectorized=True,
            rng=np.random.default_rng(0),
        ),
        options.repeats,
    )  # fmt: skip
    print(f"scipy, one interval: {boot:.2f} s; one paired test: {test:.2f} s")


if __name__ == "__main__":
    from running import run

    run(main)
