"""Trains the built-in verifier and writes its coefficients.

    python benchmarks/train_verifier.py --out dfactscore/engines/builtin/verify/verifier.json
    python benchmarks/train_verifier.py --folds-out runs/folds

It learns from `nli_pairs` and `fact_entity_pairs` (joined with `passages`) alone, and from pairs
made of these: supported facts against another page of the same name, and supported facts changed
in one place (`contrast.py`). With
`--folds-out` it writes one model for each of five folds of names, trained on the other four, and
`folds.json` (name → model file), so that every name can be scored by a model that never saw it.
The threshold is chosen on the training names, by inner folds: the strictest of those at which the
mean of balanced accuracy (of fact–entity and NLI pairs) and of own-page minus wrong-page support
(of the facts of known-truth mixes, `known_truth_groups.py`) is within 0.001 of the best, wrong-page
support being at most 7.5 %.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")
sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent)]

import numpy as np  # noqa: E402
from boosting import Settings, fit, fit_logistic  # noqa: E402
from contrast import contrast_pairs  # noqa: E402
from known_truth_groups import persons  # noqa: E402
from verifier_data import (  # noqa: E402
    FOLDS,
    KINDS,
    Documents,
    Pair,
    default_data,
    fold_of,
    known_names,
    load_pairs,
    pages,
)

from dfactscore.engines.builtin.language.tokens import token, words  # noqa: E402
from dfactscore.engines.builtin.verify.claims import prepare_claims  # noqa: E402
from dfactscore.engines.builtin.verify.features import FEATURES, features  # noqa: E402
from dfactscore.engines.builtin.verify.model import FORMAT  # noqa: E402
from dfactscore.engines.builtin.verify.premise import prepare_premise  # noqa: E402

WEIGHTS = (1.0, 1.0, 0.2, 0.2)  # of the kinds of pairs
INNER_FOLDS = 2
WRONG_PAGE_MOST = 0.075  # of the known-truth cells, at the chosen threshold
AS_GOOD = 0.001  # thresholds that differ by less are as good (names differ by far more)
# A quarter of the log-odds is plain logistic regression on these: smoother where data are thin.
LINEAR_SHARE = 0.25
LINEAR = (
    "key_all",
    "key_idf",
    "best_idf",
    "two_idf",
    "missing_all",
    "missing_numbers",
    "missing_caps",
    "pairs",
    "triples",
    "role_conflict",
    "role_swapped",
    "head_missing",
    "name_far",
)


def idf_table(source: dict[str, dict[str, Documents]], names: set[str]) -> dict[str, float]:
    """Inverse document frequency of the lower-case words of the training names' passages."""
    texts = [
        text for name in sorted(names) for docs in source.get(name, {}).values() for _, text in docs
    ]
    counts: Counter[str] = Counter()
    for text in texts:
        forms = {form for form in words(text) if not form[0].isupper()}
        counts.update({token(form).key for form in forms if token(form).kind == 1})
    return {
        key: round(float(np.log(len(texts) / count)), 1)
        for key, count in sorted(counts.items())
        if count >= 4 and key.isascii()
    }


def compute(pairs: list[Pair], idf: dict[str, float]) -> np.ndarray:
    """Features of all pairs, shape ``(pairs, features)``."""
    groups: dict[tuple[str, Documents], list[int]] = defaultdict(list)
    for number, pair in enumerate(pairs):
        groups[pair.name, pair.documents].append(number)
    table = np.zeros((len(pairs), len(FEATURES)), dtype=np.float32)
    for (name, documents), numbers in groups.items():
        claims = prepare_claims([pairs[i].fact for i in numbers], name, idf)
        table[numbers] = features(claims, prepare_premise(documents))[0]
    return table


def weights_of(pairs: list[Pair]) -> np.ndarray:
    return np.array([WEIGHTS[pair.kind] for pair in pairs])


@dataclass(frozen=True)
class Fitted:
    """Log-odds = base + linear · features + the trees' values."""

    base: float
    linear: np.ndarray
    trees: list[Any]

    def predict(self, table: np.ndarray) -> np.ndarray:
        """Probability of support by row of features."""
        score = self.base + table @ self.linear
        for questions, values in self.trees:
            place = np.zeros(len(table), dtype=np.int64)
            for column, limit in questions:
                place = 2 * place + (table[:, column] > np.float32(limit))
            score += np.array(values)[place]
        return 1.0 / (1.0 + np.exp(-score))


def balanced_accuracies(pairs: list[Pair], values: np.ndarray, threshold: float) -> list[float]:
    """Fact–entity pairs, NLI pairs, and own page against wrong page."""
    kind = np.array([pair.kind for pair in pairs])
    label = np.array([pair.label for pair in pairs])
    said = values >= threshold
    result = []
    for yes, no in (
        ((kind == 0) & (label == 1), (kind == 0) & (label == 0)),
        ((kind == 1) & (label == 1), (kind == 1) & (label == 0)),
        ((kind == 0) & (label == 1), kind == 2),
    ):
        result.append(
            (said[yes].mean() + 1 - said[no].mean()) / 2 if yes.any() and no.any() else 0.5
        )
    return [float(value) for value in result]


def known_truth_cells(pairs: list[Pair]) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the facts of known-truth mixes with their own page, and with the other page."""
    place = {(p.name, p.fact, p.title): i for i, p in enumerate(pairs) if p.kind in (0, 2)}
    own, wrong = [], []
    for item in persons(pairs):
        for side in (0, 1):
            for fact in item.facts[side]:
                own.append(place[item.name, fact, item.titles[side]])
                wrong.append(place[item.name, fact, item.titles[1 - side]])
    return np.array(own, dtype=np.intp), np.array(wrong, dtype=np.intp)


def choose_threshold(pairs: list[Pair], table: np.ndarray, settings: Settings) -> float:
    """Inner cross-validation by name over the training pairs; the rule stands on top."""
    ranks = {name: i for i, name in enumerate(sorted({pair.name for pair in pairs}))}
    inner = np.array([ranks[pair.name] % INNER_FOLDS for pair in pairs])
    values = np.zeros(len(pairs))
    for fold in range(INNER_FOLDS):
        rest = [pair for pair, place in zip(pairs, inner, strict=True) if place != fold]
        model = fit_model(rest, table[inner != fold], settings)
        values[inner == fold] = model.predict(table[inner == fold])
    grid = np.round(np.arange(0.3, 0.95, 0.01), 2)
    accuracy = np.array([np.mean(balanced_accuracies(pairs, values, t)[:2]) for t in grid])
    own, wrong = known_truth_cells(pairs)
    if len(own):
        kept = np.array([np.mean(values[own] >= t) for t in grid])
        lent = np.array([np.mean(values[wrong] >= t) for t in grid])
        aim = (accuracy + kept - lent) / 2
    else:
        lent = np.zeros(len(grid))
        aim = accuracy
    smooth = np.convolve(np.pad(aim, 2, mode="edge"), np.ones(5) / 5, mode="valid")
    smooth = np.where(lent <= WRONG_PAGE_MOST, smooth, -1.0)
    return float(grid[np.flatnonzero(smooth >= smooth.max() - AS_GOOD)[-1]])


def fit_model(pairs: list[Pair], table: np.ndarray, settings: Settings) -> Fitted:
    labels = np.array([pair.label for pair in pairs], dtype=np.int64)
    weights = weights_of(pairs)
    base, trees = fit(table, labels, weights, settings)
    columns = [FEATURES.index(name) for name in LINEAR]
    intercept, slopes = fit_logistic(table[:, columns], labels, weights)
    linear = np.zeros(len(FEATURES))
    linear[columns] = np.round(LINEAR_SHARE * slopes, 6)
    share = 1 - LINEAR_SHARE
    lighter = [(questions, [round(share * v, 4) for v in values]) for questions, values in trees]
    return Fitted(round(share * base + LINEAR_SHARE * intercept, 6), linear, lighter)


def train(pairs: list[Pair], names: set[str], source: Any, settings: Settings) -> dict[str, Any]:
    """Trains on the pairs of these names; returns the record that `write` writes."""
    idf = idf_table(source, names)
    chosen = [pair for pair in pairs if pair.name in names]
    chosen += contrast_pairs(chosen, settings.seed)
    table = compute(chosen, idf)
    threshold = choose_threshold(chosen, table, settings)
    model = fit_model(chosen, table, settings)
    lines: dict[str, list[str]] = defaultdict(list)
    for key, value in idf.items():
        lines[f"{value:g}"].append(key)
    return {
        "format": FORMAT,
        "about": "Support of a sentence by documents: Log-odds = base + linear · features + "
        "for each tree add[answers read as a binary number]; an answer is 1 where feature > limit.",
        "threshold": threshold,
        "base": model.base,
        "linear": {
            name: float(value) for name, value in zip(FEATURES, model.linear, strict=True) if value
        },
        "training": {
            "names": len({pair.name for pair in chosen}),
            "pairs": {kind: sum(pair.kind == i for pair in chosen) for i, kind in enumerate(KINDS)},
            "supported": {
                kind: sum(pair.kind == i and pair.label for pair in chosen)
                for i, kind in enumerate(KINDS[:2])
            },
            "weights": dict(zip(KINDS, WEIGHTS, strict=True)),
            "settings": vars(settings),
        },
        "trees": [
            {
                "if": [[FEATURES[column], float(f"{limit:.6g}")] for column, limit in questions],
                "add": values,
            }
            for questions, values in model.trees
        ],
        "idf": {value: " ".join(lines[value]) for value in sorted(lines, key=float)},
    }


def write(record: dict[str, Any], path: Path) -> None:
    """Writes the record with one tree a line, atomically."""
    parts = []
    for key, value in record.items():
        if key == "trees":
            body = ",\n".join(f"  {json.dumps(tree)}" for tree in value)
            parts.append(f'"trees": [\n{body}\n]')
        elif key == "idf":
            body = ",\n".join(f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in value.items())
            parts.append(f'"idf": {{\n{body}\n}}')
        else:
            parts.append(f"{json.dumps(key)}: {json.dumps(value)}")
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as file:
        file.write("{\n" + ",\n".join(parts) + "\n}\n")
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=default_data(), help="the measurement data")
    parser.add_argument("--out", type=Path, help="where the model of all names goes")
    parser.add_argument("--folds-out", type=Path, help="folder for the five out-of-fold models")
    parser.add_argument("--names", type=int, help="only so many names (a quick check)")
    parser.add_argument("--trees", type=int, default=Settings.trees)
    parser.add_argument("--seed", type=int, default=Settings.seed)
    options = parser.parse_args(None if arguments is None else list(arguments))
    if not options.out and not options.folds_out:
        parser.error("nothing to do: give --out, --folds-out or both")
    settings = Settings(trees=options.trees, seed=options.seed)
    source = pages(options.data)
    names = known_names(options.data)[: options.names]
    pairs = load_pairs(options.data, set(names))
    print(f"{len(names)} names, {len(pairs)} pairs, {len(FEATURES)} features")
    if options.folds_out:
        values = np.zeros(len(pairs))
        said = np.zeros(len(pairs))
        for fold in range(FOLDS):
            record = train(pairs, {n for n in names if fold_of(n) != fold}, source, settings)
            path = options.folds_out / f"fold{fold}.json"
            write(record, path)
            out = [i for i, pair in enumerate(pairs) if fold_of(pair.name) == fold]
            values[out] = score(path, [pairs[i] for i in out])
            said[out] = values[out] >= record["threshold"]
            print(
                f"fold {fold}: threshold {record['threshold']}, {path.stat().st_size // 1024} kB",
                flush=True,
            )
        table = {name: f"fold{fold_of(name)}.json" for name in names}
        (options.folds_out / "folds.json").write_text(json.dumps(table, indent=1), encoding="utf-8")
        labels = ("fact_entity_pairs", "nli_pairs", "own against wrong page")
        for label, value in zip(labels, balanced_accuracies(pairs, said, 0.5), strict=True):
            print(f"out-of-fold balanced accuracy, {label}: {value:.4f}")
    if options.out:
        record = train(pairs, set(names), source, settings)
        write(record, options.out)
        print(
            f"{options.out}: threshold {record['threshold']}, "
            f"{options.out.stat().st_size // 1024} kB"
        )


def score(path: Path, pairs: list[Pair]) -> np.ndarray:
    """Probabilities of the pairs by a written model, through the public interface."""
    from dfactscore.engines.builtin.verify.verifier import BuiltinVerifier
    from dfactscore.records import Document

    verifier = BuiltinVerifier(model=path)
    groups: dict[tuple[str, Documents], list[int]] = defaultdict(list)
    for number, pair in enumerate(pairs):
        groups[pair.name, pair.documents].append(number)
    values = np.zeros(len(pairs))
    for (name, documents), numbers in groups.items():
        facts = [pairs[i].fact for i in numbers]
        values[numbers] = verifier.probabilities(facts, [Document(*d) for d in documents], name)
    return values


if __name__ == "__main__":
    main()
