"""Out-of-fold probabilities of the verifier and of a plain baseline."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from train_verifier import LINEAR, WEIGHTS, compute, score
from verifier_data import FOLDS, KINDS, Pair, fold_of, group_of

from dfactscore.engines._builtin.verify.features import FEATURES
from dfactscore.engines._builtin.verify.model import load_model

Array = NDArray[np.float64]
PLAIN = LINEAR  # features of a simple baseline


def model_of(folds: Path, name: str) -> Path:
    """Returns the model that was not trained on a name; for an unknown name, by its fold."""
    table = json.loads((folds / "folds.json").read_text(encoding="utf-8"))
    return folds / str(table.get(name, f"fold{fold_of(name)}.json"))


def out_of_fold(pairs: list[Pair], folds: Path) -> tuple[Array, Array]:
    """Returns each pair's probability by the model not trained on its group, and the threshold."""
    by_model: dict[Path, list[int]] = defaultdict(list)
    known: dict[str, Path] = {}
    for number, pair in enumerate(pairs):
        group = group_of(pair)
        path = known.setdefault(group, model_of(folds, group))
        by_model[path].append(number)
    values = np.zeros(len(pairs))
    thresholds = np.zeros(len(pairs))
    for path, numbers in by_model.items():
        values[numbers] = score(path, [pairs[i] for i in numbers])
        thresholds[numbers] = load_model(path).threshold("passages")
    return values, thresholds


def _plain(pairs: list[Pair], idf: Any) -> NDArray[np.float32]:
    columns = [FEATURES.index(name) for name in PLAIN]
    return compute(pairs, dict(idf)).table[:, columns]


def _logistic(table: Any, pairs: list[Pair]) -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model = make_pipeline(StandardScaler(), LogisticRegression(C=1.0, max_iter=500))
    weights = [WEIGHTS[KINDS[pair.kind]] for pair in pairs]
    labels = [pair.label for pair in pairs]
    return model.fit(table, labels, logisticregression__sample_weight=weights)


def _own_threshold(pairs: list[Pair], values: Array) -> float:
    from verifier_thresholds import balanced_accuracies

    grid = np.arange(0.3, 0.95, 0.02)
    return float(
        grid[int(np.argmax([np.mean(balanced_accuracies(pairs, values, t)) for t in grid]))]
    )


def plain_out_of_fold(pairs: list[Pair], folds: Path) -> tuple[Array, Array]:
    """Returns the baseline: logistic regression on the features `PLAIN`, in the same folds."""
    table = _plain(pairs, load_model(folds / "fold0.json").idf)
    values = np.zeros(len(pairs))
    thresholds = np.zeros(len(pairs))
    number = np.array([fold_of(pair.name) for pair in pairs])
    for fold in range(FOLDS):
        inside = number == fold
        rest = [pair for pair, out in zip(pairs, inside, strict=True) if not out]
        model = _logistic(table[~inside], rest)
        values[inside] = model.predict_proba(table[inside])[:, 1]
        thresholds[inside] = _own_threshold(rest, model.predict_proba(table[~inside])[:, 1])
    return values, thresholds
