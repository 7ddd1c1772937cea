"""A model consisting of a linear part and boosted oblivious trees, read from JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dfactscore._errors import InputError

BITS = 8  # maximum number of questions in a tree; their answers fit in one byte
_ROWS = 1024  # rows per step; their answers fit in a processor's cache


@dataclass(frozen=True, eq=False)
class Trees:
    """The sum of a linear function of the features and the outputs of small decision trees.

    All nodes on the same level of a tree ask the same question, so a tree of depth ``d`` consists
    of ``d`` comparisons and a table of ``2**d`` values.
    """

    base: float  # Log-odds before anything is added
    # Shape `(features,)`, log-odds added per unit of each feature; None if all are zero.
    linear: NDArray[np.float64] | None
    columns: NDArray[np.intp]  # shape `(questions,)`, the feature of each distinct question
    # Shape `(questions, 1)`, the limit of each question; the answer is yes if the feature exceeds
    # it.
    limits: NDArray[np.float32]
    question_of: NDArray[np.intp]
    leaves: NDArray[np.float64]  # shape `(trees * 2 ** depth,)`, log-odds added by each leaf
    offsets: NDArray[np.intp]  # shape `(trees,)`, index of each tree's first leaf

    def log_odds(self, table: NDArray[np.float32]) -> NDArray[np.float64]:
        """Returns the log-odds, shape ``(rows,)``, for features of shape ``(rows, n)``."""
        parts = [self._sums(table[k : k + _ROWS]) for k in range(0, len(table), _ROWS)]
        score = self.base + np.concatenate([np.zeros(0), *parts])
        if self.linear is not None:
            score = score + table @ self.linear
        return np.asarray(score)

    def _sums(self, table: NDArray[np.float32]) -> NDArray[np.float64]:
        """Returns the sums of the trees' outputs for a few rows."""
        # transposed, so that a question compares contiguous values
        values = np.ascontiguousarray(table.T).take(self.columns, axis=0)
        answers = (values > self.limits).view(np.uint8).take(self.question_of, axis=0)
        cells, *later = answers.reshape(-1, len(self.offsets), len(table))
        for answer in later:
            cells += cells
            cells += answer
        leaves = np.add(cells.T, self.offsets, order="C")
        return np.asarray(self.leaves.take(leaves).sum(axis=1))


def read_trees(record: Mapping[str, Any], features: Sequence[str], path: Path) -> Trees:
    """Reads one model from a coefficient file."""
    names = {name: number for number, name in enumerate(features)}
    trees = record["trees"]
    names_used = {name for tree in trees for name, _ in tree["if"]}
    unknown = sorted((names_used | set(record["linear"])) - set(names))
    if unknown:
        raise InputError(f"{path}: unknown features {', '.join(unknown)}; train it again")
    depth = len(trees[0]["if"])
    if any(len(tree["if"]) != depth or len(tree["add"]) != 1 << depth for tree in trees):
        raise InputError(f"{path}: trees of different depth")
    linear = np.array([float(record["linear"].get(name, 0.0)) for name in features])
    if not 1 <= depth <= BITS:
        raise InputError(f"{path}: trees of depth {depth}; between 1 and {BITS}")
    questions: dict[tuple[str, float], int] = {}
    question_of = [
        [questions.setdefault((name, limit), len(questions)) for name, limit in tree["if"]]
        for tree in trees
    ]
    leaves = np.array([tree["add"] for tree in trees], dtype=np.float64)
    return Trees(
        base=float(record["base"]),
        linear=linear if linear.any() else None,
        columns=np.array([names[name] for name, _ in questions], dtype=np.intp),
        limits=np.array([[limit] for _, limit in questions], dtype=np.float32),
        question_of=np.array(question_of, dtype=np.intp).T.ravel(),
        leaves=leaves.ravel(),
        offsets=np.arange(len(trees), dtype=np.intp) << depth,
    )
