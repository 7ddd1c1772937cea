"""Acceptance of facts with one value changed, by kind and length of the page.

    python training/train_verifier.py --folds-out runs/folds
    python benchmarks/binding.py --folds runs/folds

The facts of each name are judged out of fold, by the model that was not trained on the name. The
acceptance of the original facts is printed next to each kind. Pages are the passages themselves
(about 120 words), and these surrounded by other people's passages, as one text of 600, 1,200 and
3,500 words. Intervals (95 %) resample names. `--sample 60` writes sixty cases to read by hand.
`--why` (without folds) prints how many of the rejected changed facts the shipped verifier calls
contradicted.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")
ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / part) for part in ("training", "benchmarks", "")]

import numpy as np  # noqa: E402
from binding_cases import KINDS, Case, binding_cases  # noqa: E402
from intervals import interval, show  # noqa: E402
from padding import padded  # noqa: E402
from running import default_data  # noqa: E402
from verifier_data import load_pairs, pages  # noqa: E402
from verifier_folds import out_of_fold  # noqa: E402

from dfactscore._records import Biography, Document, Entity, Fact  # noqa: E402
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier  # noqa: E402

LENGTHS = (0, 600, 1200, 3500)  # words; 0: the passages as they are


def rates(
    cases: Sequence[Case], changed: np.ndarray, original: np.ndarray
) -> dict[str, tuple[float, tuple[float, float], float, int]]:
    """Returns by kind: accepted share of changed facts, its interval, of originals, number."""
    kinds = np.array([case.kind for case in cases])
    names = np.array([case.pair.name for case in cases])
    found = {}
    for kind in KINDS:
        rows = np.flatnonzero(kinds == kind)
        if len(rows):
            said = changed[rows].astype(float)
            bounds = interval(list(names[rows]), lambda i, said=said: float(said[i].mean()))
            found[kind] = (float(said.mean()), bounds, float(original[rows].mean()), len(rows))
    return found


def judge(cases: Sequence[Case], folds: Path, length: int, source: dict) -> np.ndarray:
    """Returns the acceptance of changed and original facts, shape ``(2, cases)``."""
    said = []
    for fact in ("changed", "original"):
        pairs = [replace(c.pair, fact=c.fact if fact == "changed" else c.pair.fact) for c in cases]
        pairs = [padded(pair, source, length) for pair in pairs]
        values, limits = out_of_fold(pairs, folds)
        said.append(values >= limits)
    return np.array(said)


def contradicted_by_kind(cases: Sequence[Case]) -> dict[str, tuple[int, int]]:
    """Returns by kind: the numbers of contradicted and of rejected changed facts."""
    verifier, found = BuiltinVerifier(), dict.fromkeys(KINDS, (0, 0))
    for case in cases:
        pair = case.pair
        entity = Entity("e", pair.title, tuple(Document(*d) for d in pair.documents))
        (verdict,) = verifier.verify(Biography("b", pair.name, ""), [Fact(case.fact)], entity)
        if verdict.why_not is not None:
            contradicted, rejected = found[case.kind]
            found[case.kind] = (contradicted + (verdict.why_not == "contradicted"), rejected + 1)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=default_data())
    parser.add_argument("--folds", type=Path, help="from train_verifier.py")
    parser.add_argument("--why", action="store_true", help="what the shipped verifier calls them")
    parser.add_argument("--lengths", type=int, nargs="*", default=LENGTHS)
    parser.add_argument("--most", type=int, default=400, help="cases of a kind at most")
    parser.add_argument("--sample", type=int, help="print so many cases instead")
    options = parser.parse_args()
    pairs = load_pairs(options.data)
    cases = binding_cases(pairs, most=options.most)
    if options.sample:
        for number, case in enumerate(random.Random(60).sample(cases, options.sample), 1):
            text = " / ".join(body for _, body in case.pair.documents)
            print(f"{number}. [{case.kind}] {case.pair.name}: {case.fact}\n   was: {case.pair.fact}"
                  f"\n   page: {text}\n")  # fmt: skip
        return
    if options.why:
        for kind, (contradicted, rejected) in contradicted_by_kind(cases).items():
            share = contradicted / max(rejected, 1)
            print(f"  {kind:14} {share:.2f} of {rejected} rejected")
        return
    if options.folds is None:
        parser.error("give --folds, or --why")
    source = pages(options.data)
    for length in options.lengths:
        changed, original = judge(cases, options.folds, length, source)
        found = rates(cases, changed, original)
        print(f"{length or 'about 120'} words: changed facts accepted, and their originals")
        for kind, (value, bounds, kept, count) in found.items():
            print(f"  {kind:14} {show(value, bounds)}   originals {kept:.3f}   n {count}")
        ten = [row for kind, row in found.items() if kind != "negation"]
        print(f"  mean of {len(ten)} kinds without negation  {np.mean([r[0] for r in ten]):.3f}"
              f"   originals {np.mean([r[2] for r in ten]):.3f}", flush=True)  # fmt: skip


if __name__ == "__main__":
    from running import run

    run(main)
