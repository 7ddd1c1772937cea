"""A linear part and boosted oblivious trees, read from JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dfactscore._errors import InputError

BITS = 8  # questions of a tree, whose answers are one byte
_ROWS = 1024  # what is read at a time: the answers of more are slower to write and read again


@dataclass(frozen=True, eq=False)
class Trees:
    """A weighted sum of features and small decision tables.

    Each tree asks the same question at every node of a level, so a tree of depth ``d`` is ``d``
    comparisons and a table of ``2**d`` values.

    Attributes:
        base: Log-odds before anything is added.
        linear: Shape ``(features,)``, log-odds added per unit of each feature; None if all are
            zero.
        columns: Shape ``(questions,)``, the feature that each different question reads.
        limits: Shape ``(questions, 1)``; the answer is yes where the feature is larger.
        asked: Shape ``(depth * trees,)``, the question that each tree asks, level by level.
        leaves: Shape ``(trees * 2 ** depth,)``, log-odds added.
        offsets: Shape ``(trees,)``, where each tree's leaves begin.
    """

    base: float
    linear: NDArray[np.float64] | None
    columns: NDArray[np.intp]
    limits: NDArray[np.float32]
    asked: NDArray[np.intp]
    leaves: NDArray[np.float64]
    offsets: NDArray[np.intp]

    def log_odds(self, table: NDArray[np.float32]) -> NDArray[np.float64]:
        """Returns the log-odds, shape ``(rows,)``, of features ``(rows, n)``."""
        parts = [self._sums(table[k : k + _ROWS]) for k in range(0, len(table), _ROWS)]
        score = self.base + np.concatenate([np.zeros(0), *parts])
        if self.linear is not None:
            score = score + table @ self.linear
        return np.asarray(score)

    def _sums(self, table: NDArray[np.float32]) -> NDArray[np.float64]:
        """Outputs of the trees, for as many rows at once as a processor's cache holds."""
        # features lie side by side, so that a question is one comparison of neighbors for all rows
        values = np.ascontiguousarray(table.T).take(self.columns, axis=0)
        answers = (values > self.limits).view(np.uint8).take(self.asked, axis=0)
        cells, *others = answers.reshape(-1, len(self.offsets), len(table))
        for answer in others:
            cells += cells
            cells += answer
        leaves = np.add(cells.T, self.offsets, order="C")
        return np.asarray(self.leaves.take(leaves).sum(axis=1))


def read_trees(record: Mapping[str, Any], features: Sequence[str], path: Path) -> Trees:
    """Reads one model of a coefficient file.

    Raises:
        InputError: If it reads features that are not known, or its trees differ in depth.
        KeyError, TypeError, ValueError, IndexError: If it is not a model at all.
    """
    names = {name: number for number, name in enumerate(features)}
    trees = record["trees"]
    used = {name for tree in trees for name, _ in tree["if"]}
    unknown = sorted((used | set(record["linear"])) - set(names))
    if unknown:
        raise InputError(f"{path}: unknown features {', '.join(unknown)}; train it again")
    depth = len(trees[0]["if"])
    if any(len(tree["if"]) != depth or len(tree["add"]) != 1 << depth for tree in trees):
        raise InputError(f"{path}: trees of different depth")
    linear = np.array([float(record["linear"].get(name, 0.0)) for name in features])
    if not 1 <= depth <= BITS:
        raise InputError(f"{path}: trees of depth {depth}; between 1 and {BITS}")
    questions: dict[tuple[str, float], int] = {}
    asked = [
        [questions.setdefault((name, limit), len(questions)) for name, limit in tree["if"]]
        for tree in trees
    ]
    leaves = np.array([tree["add"] for tree in trees], dtype=np.float64)
    return Trees(
        base=float(record["base"]),
        linear=linear if linear.any() else None,
        columns=np.array([names[name] for name, _ in questions], dtype=np.intp),
        limits=np.array([[limit] for _, limit in questions], dtype=np.float32),
        asked=np.array(asked, dtype=np.intp).T.ravel(),
        leaves=leaves.ravel(),
        offsets=np.arange(len(trees), dtype=np.intp) << depth,
    )
