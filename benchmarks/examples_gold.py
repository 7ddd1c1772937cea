"""Comparison of the built-in engine's results on the shipped examples with the truth.

    python benchmarks/examples_gold.py

The verifier was trained, and the grouper's rules were written, on other texts.
"""

from __future__ import annotations

import json

import numpy as np

from dfactscore._readers import read_biographies
from dfactscore._scorer.scorer import Scorer
from dfactscore.examples import example


def main() -> None:
    for name in ("people", "ships"):
        shipped = example(name)
        biographies = read_biographies(shipped.biographies).biographies
        rows = Scorer(pages=str(shipped.pages)).score_many(biographies)
        gold = [json.loads(line) for line in shipped.gold.read_text("utf-8").splitlines()]
        pairs = [
            (b.id, r, g)
            for b, r, g in zip(biographies, rows, gold, strict=True)
            if r.dfs is not None and g["dfs"] is not None
        ]
        found = {k: np.array([getattr(r, k) for _, r, _ in pairs]) for k in ("fs", "dfs")}
        true = {k: np.array([g[k] for _, _, g in pairs]) for k in ("fs", "dfs")}
        print(f"{name}: {len(pairs)} texts scored")
        for key in ("fs", "dfs"):
            error = np.abs(found[key] - true[key]).mean()
            print(
                f"  {key:<4} {found[key].mean():.3f} (gold {true[key].mean():.3f}), "
                f"mean absolute error {error:.3f}"
            )
        mixed = np.array([g["kind"] == "mixed" for _, _, g in pairs])
        gap, gold_gap = ((x["fs"] - x["dfs"])[mixed] for x in (found, true))
        print(
            f"  FS - D-FS of the mixed: least {gap.min():.2f}, mean {gap.mean():.2f} "
            f"(gold mean {gold_gap.mean():.2f})"
        )
        for key, words in (("n_bio", "individuals"), ("n_ent", "entities")):
            wrong = [f"{i} ({getattr(r, key)} for {g[key]})" for i, r, g in pairs
                     if getattr(r, key) != g[key]]  # fmt: skip
            told = f"; wrong: {', '.join(wrong)}" if wrong else ""
            print(f"  right number of {words}: {len(pairs) - len(wrong)} of {len(pairs)}{told}")


if __name__ == "__main__":
    from running import run

    run(main)
