"""Fits the map that calibrates the built-in verifier, and writes it into its coefficient files.

    python training/train_verifier.py --folds-out runs/folds
    python training/calibrate_verifier.py --folds runs/folds

Fitted is what a fold's model says of names that it did not see: of the fact–entity pairs, and of
facts of whole texts (those of the released D-FActScore pass) beside the best of all their pages,
against what the released FActScore pass says of them. The second is what FActScore adds up: a fact
that one page does not support another may, so more are supported than of the pairs. A fold's file
gets the map of the other folds' names, the shipped file that of all. The numbers of the second step
(`matrix_step`) and the weight of whole texts were chosen on these texts (`benchmarks/agreement.py`)
and on the people's labels below. The errors that are printed are out of fold.

There is no map of its own for whole pages: of the nine people's pages with FActScore's labels, some
are as short as passages, and two maps put their texts on two scales (r of the share supported by
text .80 instead of .92). The share that is usual is what differs, and the second step finds that.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")
ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / part) for part in ("training", "benchmarks", "")]

import numpy as np  # noqa: E402
from human_labels import labelled_pages  # noqa: E402
from running import default_data  # noqa: E402
from train_verifier import score, write  # noqa: E402
from verifier_data import FOLDS, Pair, fold_of, known_names, load_pairs  # noqa: E402
from verifier_scores import calibration_error  # noqa: E402

from dfactscore._evidence.entities import entities_of_passages  # noqa: E402
from dfactscore._readers import read_biographies  # noqa: E402
from dfactscore._records import Fact  # noqa: E402
from dfactscore._scoring.released_scores import read_released  # noqa: E402
from dfactscore.engines._builtin.verify.matrix_step import Share, follow_evidence  # noqa: E402
from dfactscore.engines._builtin.verify.model import DEFAULT_MODEL, load_model  # noqa: E402
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier  # noqa: E402
from dfactscore.measures._calibration import Calibration, fit_calibration  # noqa: E402

# The second step. The usual share and the slope are those of facts that were adjudicated by reading
# the evidence; what the usual share is worth was fitted to facts of known truth (log loss; people's
# labels, facts that were read, texts from false to true and from 5 to 40 facts): 1 and .18.
SECOND_STEP = {
    "rivalry": 0.8,
    "contradicted": 0.5,  # factor for the odds of a fact that the page contradicts
    "usual": 0.84,
    "slope": 1.45,
    "worth": 1.0,
    "growth": 0.2,
}
OF_TEXTS = 6.0  # what a fact of a whole text counts beside a fact–entity pair
LEAST = 100  # facts per point of the map


@dataclass(frozen=True)
class Judged:
    """Facts that models judged without having seen their names: shape ``(facts,)`` each."""

    fold: np.ndarray
    values: np.ndarray
    labels: np.ndarray
    weights: np.ndarray

    def fit(self, rows: np.ndarray) -> Calibration:
        """The map of some rows."""
        values, labels, weights = self.values[rows], self.labels[rows], self.weights[rows]
        return fit_calibration(values, labels, weights, least=LEAST)


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=default_data(), help="the measurement data")
    parser.add_argument("--folds", type=Path, required=True, help="from train_verifier.py")
    parser.add_argument("--model", type=Path, default=DEFAULT_MODEL, help="the model of all names")
    options = parser.parse_args(None if arguments is None else list(arguments))
    pairs = load_pairs(options.data, set(known_names(options.data)))
    pairs = [pair for pair in pairs if pair.kind in (0, 2)]
    fold = np.array([fold_of(pair.name) for pair in pairs])
    labels = np.array([pair.label for pair in pairs])
    own = np.array([pair.kind == 0 for pair in pairs])
    paths = [options.folds / f"fold{number}.json" for number in range(FOLDS)]
    for path in (*paths, options.model):
        _put(path)
    values = np.zeros(len(pairs))
    for number, path in enumerate(paths):
        rows = np.flatnonzero(fold == number)
        values[rows] = score(path, [pairs[i] for i in rows])
    texts = best_pages(options.data / "dfactscore", paths)
    judged = Judged(
        np.r_[fold[own], texts[0]],
        np.r_[values[own], texts[1]],
        np.r_[labels[own], texts[2]],
        np.r_[np.ones(own.sum()), np.full(len(texts[0]), OF_TEXTS)],
    )
    shares = values.copy()
    for number, path in enumerate(paths):
        found = judged.fit(judged.fold != number)
        shares[fold == number] = found.apply(values[fold == number])
        _put(path, found)
    found = judged.fit(judged.fold >= 0)
    people = labelled_pages(options.data)
    on_pages = found.apply(score(options.model, people))
    _put(options.model, found)
    prior = load_model(options.model).prior
    assert prior is not None
    _report(pairs, shares)
    _report_people(people, on_pages, prior)


def best_pages(data: Path, paths: Sequence[Path]) -> tuple[np.ndarray, ...]:
    """Folds, the best page's probabilities and labels of the facts of whole texts."""
    verifiers = [BuiltinVerifier(model=path) for path in paths]
    found = []
    for stem in ("tulu", "llama13b-careful"):
        biographies = read_biographies(data / f"alce_{stem}.json").biographies
        released = read_released(data / f"verdicts_{stem}.jsonl")
        passes = zip(released.decisions, released.global_decisions, strict=True)
        for biography, (first, second) in zip(biographies, passes, strict=True):
            said = {one.atom: one.is_supported for one in first or ()}
            facts = [Fact(one.atom) for one in second or () if one.atom in said]
            asked = [(facts, entity) for entity in entities_of_passages(biography)]
            fold = fold_of(biography.name)
            rows = verifiers[fold].verify_together(biography, asked)
            for fact, verdicts in zip(facts, zip(*rows, strict=True), strict=True):
                best = max(verdict.probability or 0.0 for verdict in verdicts)
                found.append((fold, best, said[fact.text]))
    return tuple(np.array(column) for column in zip(*found, strict=True))


def _put(path: Path, found: Calibration | None = None) -> None:
    """Writes the map into a coefficient file, in the place of one that is there."""
    record = json.loads(path.read_text(encoding="utf-8"))
    more: dict[str, Any] = (
        {} if found is None else {"map": found.to_dict(), "second_step": SECOND_STEP}
    )
    made: dict[str, Any] = {}
    for key, value in record.items():
        if key not in ("map", "second_step"):
            made[key] = value
        if key == "calibration":
            made |= more
    write(made, path)


def _report(pairs: Sequence[Pair], shares: np.ndarray) -> None:
    label = np.array([pair.label for pair in pairs])
    kind = np.array([pair.kind for pair in pairs])
    slices: dict[str, np.ndarray] = {"own page": kind == 0}
    for model in sorted({pair.sort for pair in pairs if pair.kind == 0}):
        slices[f"own page, {model}"] = np.array([pair.sort == model for pair in pairs])
    slices["namesake's page, before the second step"] = kind == 2
    for title, rows in slices.items():
        _line(title, label[rows], shares[rows])
    print("\nof facts on their own page with such a probability, the share that is supported")
    places = np.minimum((shares * 10).astype(int), 9)
    for place in range(10):
        inside = (kind == 0) & (places == place)
        share = label[inside].mean()
        print(f"{place / 10:.1f}–{(place + 1) / 10:.1f}  {share:.3f}  of {inside.sum()}")


def _report_people(people: Sequence[Pair], shares: np.ndarray, prior: Share) -> None:
    """People's labels of facts on whole pages, each text weighed by itself."""
    labels = np.array([pair.label for pair in people])
    texts = np.array([pair.own for pair in people])
    found = shares.copy()
    for text in set(texts):
        rows = texts == text
        found[rows] = follow_evidence(shares[rows][:, None], prior)[:, 0]
    print()
    _line("people, whole pages, before", labels, shares)
    _line("people, whole pages", labels, found)
    for model in sorted({pair.sort for pair in people}):
        rows = np.array([pair.sort == model for pair in people])
        _line(f"people, whole pages, {model}", labels[rows], found[rows])
    means = np.array([[v[texts == t].mean() for t in sorted(set(texts))] for v in (labels, found)])
    print(f"r of the share supported, by text: {np.corrcoef(means)[0, 1]:.3f}")


def _line(title: str, labels: np.ndarray, shares: np.ndarray) -> None:
    print(
        f"{title:<40} {len(labels):>6} pairs  ECE {calibration_error(labels, shares):.3f}  "
        f"mean probability {shares.mean():.3f}, supported {labels.mean():.3f}"
    )


if __name__ == "__main__":
    from running import run

    run(main)
