"""Support of facts on their page and on a wrong page, by the length of the page, out of fold.

    python training/train_verifier.py --folds-out runs/folds
    python benchmarks/verifier_lengths.py --folds runs/folds

The facts of the known-truth groups (`known_truth_groups.py`) are judged against their page and the
other page of the name: the passages themselves, and these inside other people's passages, as one
text of a given number of words (`padding.py`). Intervals (95 %) resample names.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")
ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / part) for part in ("training", "benchmarks", "")]

import numpy as np  # noqa: E402
from intervals import interval, show  # noqa: E402
from padding import padded  # noqa: E402
from running import default_data  # noqa: E402
from verifier_data import load_pairs, pages  # noqa: E402
from verifier_folds import out_of_fold  # noqa: E402
from verifier_thresholds import known_truth_cells  # noqa: E402

LENGTHS = (0, 600, 1200, 2500, 3500, 5000)  # words; 0: the passages as they are


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=default_data())
    parser.add_argument("--folds", type=Path, required=True, help="from train_verifier.py")
    parser.add_argument("--lengths", type=int, nargs="*", default=LENGTHS)
    options = parser.parse_args()
    pairs = load_pairs(options.data)
    source = pages(options.data)
    cells = known_truth_cells(pairs)
    print("words      own page               wrong page             own minus wrong")
    for length in options.lengths:
        rates = []
        text = f"{length or 'about 120':>9}"
        for rows in cells:
            part = [padded(pairs[i], source, length) for i in rows]
            values, limits = out_of_fold(part, options.folds)
            said = (values >= limits).astype(float)
            rates.append(said.mean())
            bounds = interval([p.name for p in part], lambda i, s=said: float(s[i].mean()))
            text += f"  {show(float(said.mean()), bounds):21}"
        print(f"{text}  {np.subtract(*rates):.3f}", flush=True)


if __name__ == "__main__":
    from running import run

    run(main)
