"""A linear part and boosted oblivious trees, read from JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dfactscore.errors import InputError

__all__ = ["Trees", "read_trees"]

BITS = 8


@dataclass(frozen=True, eq=False)
class Trees:
    """A weighted sum of features and small decision tables.

    Each tree asks the same question at every node of a level, so a tree of depth ``d`` is ``d``
    comparisons and a table of ``2**d`` values.

    Attributes:
        base: Log-odds before anything is added.
        linear: Shape ``(features,)``, log-odds added per unit of each feature; None where all are
            zero.
        columns: Shape ``(8 * trees,)``, the feature that each question reads, tree by tree; eight
            questions a tree, the first ones of which are never answered yes where its depth is
            smaller, so that a tree's answers are one byte.
        limits: Shape ``(8 * trees,)``; the answer is yes where the feature is larger.
        leaves: Shape ``(trees * 2 ** depth,)``, log-odds added.
        offsets: Shape ``(trees,)``, where each tree's leaves begin.
    """

    base: float
    linear: NDArray[np.float64] | None
    columns: NDArray[np.intp]
    limits: NDArray[np.float32]
    leaves: NDArray[np.float64]
    offsets: NDArray[np.intp]

    def log_odds(self, table: NDArray[np.float32]) -> NDArray[np.float64]:
        """Returns the log-odds, shape ``(rows,)``, of features ``(rows, n)``."""
        answers = table.take(self.columns, axis=1) > self.limits
        cells = np.packbits(answers, axis=1) + self.offsets
        score = self.base + self.leaves.take(cells).sum(axis=1)
        if self.linear is not None:
            score = score + table @ self.linear
        return np.asarray(score)


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
    if depth > BITS:
        raise InputError(f"{path}: trees of depth {depth}; at most {BITS}")
    columns = np.zeros((len(trees), BITS), dtype=np.intp)
    limits = np.full((len(trees), BITS), np.inf, dtype=np.float32)
    columns[:, BITS - depth :] = [[names[name] for name, _ in tree["if"]] for tree in trees]
    limits[:, BITS - depth :] = [[limit for _, limit in tree["if"]] for tree in trees]
    leaves = np.array([tree["add"] for tree in trees], dtype=np.float64)
    return Trees(
        base=float(record["base"]),
        linear=linear if linear.any() else None,
        columns=columns.ravel(),
        limits=limits.ravel(),
        leaves=leaves.ravel(),
        offsets=np.arange(len(trees), dtype=np.intp) << depth,
    )
