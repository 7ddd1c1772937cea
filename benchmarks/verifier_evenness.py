"""Compares the judgment of facts in new words with that of copied facts, and its cost.

    python training/train_verifier.py --folds-out runs/folds
    python benchmarks/verifier_evenness.py --folds runs/folds [--plot docs/images/evenness.png]

`verifier.py` and `verifier_people.py` print the shares of true facts rejected, by copied words and
by model. This script raises the log-odds of each fact in proportion to the share of its content
words that the page lacks, at the threshold that accepts as many facts on a namesake's page as the
unchanged verifier. Released pairs are judged out of fold; the shipped model, which was not trained
on people's labels, judges these at the threshold of the released pairs.
"""

from __future__ import annotations

import argparse
import os
import sys
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")
ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / part) for part in ("training", "benchmarks", "")]

import numpy as np  # noqa: E402
from human_labels import labelled_pages  # noqa: E402
from intervals import interval, show  # noqa: E402
from numpy.typing import NDArray  # noqa: E402
from running import default_data  # noqa: E402
from verifier_data import Documents, Pair, load_pairs  # noqa: E402
from verifier_scores import balanced_accuracy  # noqa: E402
from verifier_thresholds import known_truth_cells  # noqa: E402

from dfactscore._util.plotting import COLORS, MARKERS, figure, save, style  # noqa: E402
from dfactscore.engines._builtin.language.tokens import tokens, words  # noqa: E402
from dfactscore.engines._builtin.verify.model import DEFAULT_MODEL, load_model  # noqa: E402

SHIFTS = (-0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0)
THIRDS = ("least", "middle", "most")


def copied(pair: Pair) -> tuple[float, float]:
    """Returns two shares of a fact that are copied from the page.

    They are the share of its content words that occur there in the same form, without words of the
    target's name and the title, and the share of its pairs of neighboring words that occur there.
    """
    own = {item.key for item in tokens(f"{pair.name} {pair.title}")}
    known, there = _page(pair.documents)
    content = [item for item in tokens(pair.fact) if item.kind and item.key not in own]
    inside = [item.exact in known for item in content]
    beside = [two in there for two in pairwise(word.lower() for word in words(pair.fact))]
    return float(np.mean(inside or [1.0])), float(np.mean(beside or [1.0]))


@lru_cache(maxsize=64)
def _page(documents: Documents) -> tuple[frozenset[str], frozenset[tuple[str, str]]]:
    """Returns the words of a page, and its pairs of neighboring words."""
    texts = [body for _, body in documents]
    known = frozenset(item.exact for text in texts for item in tokens(text))
    lower = [[word.lower() for word in words(text)] for text in texts]
    return known, frozenset(two for text in lower for two in pairwise(text))


def thirds(pairs: Sequence[Pair], share: Sequence[tuple[float, float]]) -> NDArray[np.str_]:
    """Returns the third of each pair; true pairs, ordered by `copied`, set the limits."""
    order = sorted(one for one, pair in zip(share, pairs, strict=True) if pair.label)
    cuts = [order[len(order) * part // 3] for part in (1, 2)]
    return np.array([THIRDS[bisect_right(cuts, one)] for one in share])


def evenness(title: str, pairs: Sequence[Pair], said: NDArray[np.bool_]) -> None:
    """Prints true facts rejected and false ones accepted, by copied words and by model (`sort`)."""
    labels = np.array([pair.label for pair in pairs], dtype=bool)
    models = np.array([pair.sort for pair in pairs])
    clusters = np.array([pair.name for pair in pairs])
    own = thirds(pairs, [copied(pair) for pair in pairs])
    print(f"{title}: thirds by copied words, and models")
    for kind, groups in (("copied ", own), ("model ", models)):
        rates = []
        for name in sorted(set(groups)):
            rows, false = (np.flatnonzero((groups == name) & (labels == yes)) for yes in (1, 0))
            lost = ~said[rows]
            rates.append(lost.mean())
            bounds = interval(list(clusters[rows]), lambda i, lost=lost: float(lost[i].mean()))
            print(f"  {kind + name:18} true facts rejected {show(rates[-1], bounds)} of {len(rows)}"
                  f"  false accepted {said[false].mean():.3f} of {len(false)}")  # fmt: skip
        print(f"  highest / lowest   {max(rates) / max(min(rates), 1e-9):.1f}", flush=True)


@dataclass(frozen=True)
class Judged:
    """Facts with their log-odds above the threshold, and the shares of words that pages lack."""

    pairs: list[Pair]
    above: NDArray[np.float64]
    lacking: NDArray[np.float64]
    third: NDArray[np.str_]

    @classmethod
    def of(
        cls, pairs: list[Pair], values: NDArray[np.float64], limits: NDArray[np.float64]
    ) -> Judged:
        """Creates it from pairs; fact–entity pairs get their thirds."""
        share = [copied(pair) for pair in pairs]
        odds = [np.log(p / (1 - p)) for p in (np.clip(values, 1e-6, 1 - 1e-6), limits)]
        facts = [i for i, pair in enumerate(pairs) if pair.kind == 0]
        third = np.full(len(pairs), "", dtype="<U6")
        third[facts] = thirds([pairs[i] for i in facts], [share[i] for i in facts])
        return cls(pairs, odds[0] - odds[1], 1 - np.array([one for one, _ in share]), third)

    def at(self, shift: float) -> NDArray[np.float64]:
        """Returns log-odds above the threshold, with a shift for words that the page lacks."""
        return self.above + shift * self.lacking

    def rates(self, said: NDArray[np.bool_]) -> tuple[list[float], float]:
        """Returns rejected true facts by third, and balanced accuracy, of fact–entity pairs."""
        facts = self.third != ""
        labels = np.array([pair.label for pair in self.pairs])
        lost = [float(1 - said[(self.third == one) & (labels == 1)].mean()) for one in THIRDS]
        return lost, balanced_accuracy(labels[facts], said[facts])


def frontier(released: Judged, people: Judged) -> list[tuple[float, float, float, float, float]]:
    """Prints and returns a row per shift, with ratio and balanced accuracy of both sets."""
    own, wrong = known_truth_cells(released.pairs)
    lent = float((released.above[wrong] >= 0).mean())
    print(
        f"own page at a wrong page of {lent:.3f}; true facts rejected, least / middle / most copied"
    )
    print("shift  own page  released pairs: rejected, ratio, balanced  people's labels: the same")
    found = []
    for shift in SHIFTS:
        values = released.at(shift)
        limit = 0.0 if shift == 0 else float(np.quantile(values[wrong], 1 - lent))
        row = [shift]
        text = f"{shift:5.2f}  {(values[own] >= limit).mean():8.3f}"
        for one in (released, people):
            lost, accuracy = one.rates(one.at(shift) >= limit)
            ratio = max(lost) / max(min(lost), 1e-9)
            row += [ratio, accuracy]
            shown = " / ".join(f"{part:.3f}" for part in lost)
            text += f"  {shown}  {ratio:5.1f}  {accuracy:.3f}     "
        print(text.rstrip(), flush=True)
        found.append((row[0], row[1], row[2], row[3], row[4]))
    return found


def plot(rows: Sequence[tuple[float, float, float, float, float]], path: Path) -> None:
    """Draws balanced accuracy over the ratio of rejected true facts, for both sets."""
    with style():
        drawn, axes = figure(7, 3.6)
        sets = (("people's labels, 440 facts", 3), ("released pairs, 8,889", 1))
        for number, (title, column) in enumerate(sets):
            color = COLORS[number]
            x, y = ([row[column + i] for row in rows] for i in (0, 1))
            axes.plot(x, y, MARKERS[number] + "-", color=color, label=title, markersize=4)
            here = next(i for i, row in enumerate(rows) if row[0] == 0)
            axes.plot(x[here], y[here], MARKERS[number], color=color, markersize=11,
                      markerfacecolor="none", markeredgewidth=1.8,
                      label="as shipped" if number == 0 else None)  # fmt: skip
        axes.set_xscale("log")
        axes.set_xlim(1, 60)
        axes.set_xticks([1, 2, 5, 10, 20, 50], ["1", "2", "5", "10", "20", "50"])
        axes.minorticks_off()
        axes.set_xlabel("true facts rejected, thirds by copied words: highest ÷ lowest (1: even)")
        axes.set(ylabel="balanced accuracy", title="What evenness costs")
        axes.legend(loc="lower right")
        save(drawn, path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=default_data())
    parser.add_argument("--folds", type=Path, required=True, help="from train_verifier.py")
    parser.add_argument("--plot", type=Path, help="draw the frontier into this file")
    options = parser.parse_args()
    from train_verifier import score
    from verifier_folds import out_of_fold

    every = load_pairs(options.data)
    lent = set(known_truth_cells(every)[1].tolist())
    pairs = [pair for i, pair in enumerate(every) if pair.kind == 0 or i in lent]
    released = Judged.of(pairs, *out_of_fold(pairs, options.folds))
    facts = labelled_pages(options.data)
    limits = np.full(len(facts), load_model(DEFAULT_MODEL).threshold("passages"))
    rows = frontier(released, Judged.of(facts, score(DEFAULT_MODEL, facts), limits))
    if options.plot:
        plot(rows, options.plot)


if __name__ == "__main__":
    from running import run

    run(main)
