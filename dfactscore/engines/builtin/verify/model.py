"""The trained model: a linear part and boosted oblivious trees, as readable JSON."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dfactscore._util.files import read_bytes
from dfactscore._util.jsonl import JSONError, parse_json
from dfactscore.engines.builtin.verify.features import FEATURES
from dfactscore.errors import InputError

__all__ = ["DEFAULT_MODEL", "Model", "load_model"]

DEFAULT_MODEL = Path(__file__).with_name("verifier.json")
FORMAT = 1


@dataclass(frozen=True, eq=False)
class Model:
    """A weighted sum of features and small decision tables, squashed to a probability.

    Each tree asks the same question at every node of a level, so a tree of depth ``d`` is ``d``
    comparisons and a table of ``2**d`` values.

    Attributes:
        base: Log-odds of support before anything is added.
        linear: Shape ``(features,)``, log-odds added per unit of each feature.
        columns: Shape ``(depth * trees,)``, the feature that each question reads: those of all
            trees' first level, then of the second, and so on.
        limits: Shape ``(depth * trees,)``; the answer is yes where the feature is larger.
        leaves: Shape ``(trees, 2 ** depth)``, log-odds added.
        threshold: The probability from which a fact counts as supported.
        idf: Inverse document frequency by word key.
        digest: SHA-256 of the file, which names the model in a run's settings.
        training: What it was trained on, with how many names and pairs.
    """

    base: float
    linear: NDArray[np.float64]
    columns: NDArray[np.intp]
    limits: NDArray[np.float32]
    leaves: NDArray[np.float64]
    threshold: float
    idf: Mapping[str, float]
    digest: str
    training: Mapping[str, Any]

    def probability(self, table: NDArray[np.float32]) -> NDArray[np.float64]:
        """Returns the probability of support, shape ``(rows,)``, of features ``(rows, n)``."""
        trees, size = self.leaves.shape
        answers = (table.take(self.columns, axis=1) > self.limits).view(np.uint8)
        answers = answers.reshape(len(table), -1, trees)
        places: NDArray[Any] = answers[:, 0]
        for level in range(1, answers.shape[1]):
            places = (places << 1) | answers[:, level]
        cells = places + np.arange(trees, dtype=np.intp) * size
        score = self.base + table @ self.linear + self.leaves.ravel().take(cells).sum(axis=1)
        return np.asarray(1.0 / (1.0 + np.exp(-score)))


def load_model(path: Path = DEFAULT_MODEL) -> Model:
    """Reads a coefficient file.

    Raises:
        InputError: If the file is missing, is no coefficient file or was made for other features.
    """
    raw = read_bytes(path, error=InputError)
    try:
        record = parse_json(raw)
    except JSONError as error:
        raise InputError(f"{path} is not a verifier model: {error}") from None
    try:
        if record["format"] != FORMAT:
            raise InputError(
                f"{path}: format {record['format']!r} is not {FORMAT}; train it again with "
                "benchmarks/train_verifier.py"
            )
        names = {name: number for number, name in enumerate(FEATURES)}
        used = {name for tree in record["trees"] for name, _ in tree["if"]}
        unknown = sorted((used | set(record["linear"])) - set(names))
        if unknown:
            raise InputError(f"{path}: unknown features {', '.join(unknown)}; train it again")
        trees = record["trees"]
        depth = len(trees[0]["if"])
        if any(len(tree["if"]) != depth or len(tree["add"]) != 1 << depth for tree in trees):
            raise InputError(f"{path}: trees of different depth")
        leaves = np.array([tree["add"] for tree in trees], dtype=np.float64)
        questions = [tree["if"][level] for level in range(depth) for tree in trees]
        threshold = float(record["threshold"])
        if not 0 < threshold < 1:
            raise InputError(f"{path}: threshold {threshold} is not between 0 and 1")
        return Model(
            base=float(record["base"]),
            linear=np.array([float(record["linear"].get(name, 0.0)) for name in FEATURES]),
            columns=np.array([names[name] for name, _ in questions], dtype=np.intp),
            limits=np.array([limit for _, limit in questions], dtype=np.float32),
            leaves=leaves,
            threshold=threshold,
            idf={
                word: float(value) for value, line in record["idf"].items() for word in line.split()
            },
            digest=hashlib.sha256(raw).hexdigest(),
            training=record["training"],
        )
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise InputError(f"{path} is not a verifier model: {error!r}") from error
