"""Does the 95 % interval cover? Simulated draws from a released per-biography distribution.

The scores of a released evaluation file stand for all names there are; samples of n names are
drawn from them, and the share of samples whose percentile interval holds the true mean is counted.
Samples are columns of one array, which share the resamples of their rows.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from dfactscore.comparison.released import released_scores
from dfactscore.measures.bootstrap import percentile_intervals

COLUMNS = 100  # samples at a time


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("released", type=Path, nargs="+", help="released evaluation files")
    parser.add_argument("--draws", type=int, default=4_000)
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(f"{options.draws} draws each, {options.resamples} resamples, seed {options.seed}")
    print(f"{'file':<24}{'score':<7}{'n':>5}{'covered':>10}{'± 1 s.e.':>10}   bar")
    for path in options.released:
        run = released_scores(path, label=path.stem)
        for measure in ("fs", "dfs", "gap"):
            values = run.values[measure]
            values = values[~np.isnan(values)]
            truth = values.mean()
            for n, least, most in ((500, 0.94, 0.96), (100, 0.93, 0.97)):
                rng = np.random.default_rng([options.seed, n])
                hits = 0
                for first in range(0, options.draws, COLUMNS):
                    columns = min(COLUMNS, options.draws - first)
                    samples = rng.choice(values, (n, columns))
                    intervals = percentile_intervals(
                        samples, resamples=options.resamples, seed=first
                    )
                    hits += sum(low <= truth <= high for low, high in intervals)
                share = hits / options.draws
                error = (share * (1 - share) / options.draws) ** 0.5
                verdict = "met" if least <= share <= most else "MISSED"
                print(
                    f"{run.label:<24}{measure:<7}{n:>5}{100 * share:>9.2f}%{100 * error:>9.2f}%"
                    f"   {100 * least:.0f} to {100 * most:.0f}: {verdict}",
                    flush=True,
                )


if __name__ == "__main__":
    from running import run

    run(main)
