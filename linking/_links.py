"""Links fact groups to their candidate entities: each to the best one, or one-to-one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dfactscore._text.names import bears_name
from dfactscore.linking._errors import LinkingError

LinkMethod = Literal["argmax", "hungarian"]
_Counts = NDArray[np.float64]
_UNITS = 1e9  # whole numbers of units add up exactly
_FEW = 65536  # maximum number of rows × column subsets for which all assignments are tried
CandidateMode = Literal["retrieved", "named", "dataset"]


@dataclass(frozen=True, slots=True)
class Link:
    """The entity that a group is linked to."""

    entity: int | None
    support: float  # number of supported facts (with soft support, a sum of probabilities)
    runner_up: int | None  # column of the best other candidate that has any support, or None
    # The support for the linked entity minus the support for the runner-up. The margin is negative
    # only if the one-to-one assignment gave the better entity to another group.
    margin: float


def support_counts(
    support: NDArray[np.bool_] | NDArray[np.float64], groups: Sequence[Sequence[int]]
) -> _Counts:
    """Sums the support within a group: ``M[g, e]`` from the paper's equation 1 times ``|A_g|``."""
    width = support.shape[1]
    rows = [total(support[list(group)]) for group in groups]
    # Array of shape `(groups, entities)`.
    return np.array(rows, dtype=float).reshape(len(groups), width)


def total(values: NDArray[np.bool_] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Sums values over their first axis, the same in every order, in units of one billionth."""
    return np.asarray(np.rint(values * _UNITS).sum(axis=0) / _UNITS)


def link_groups(
    counts: _Counts,  # nonnegative array of shape `(groups, entities)`
    *,
    method: LinkMethod = "argmax",
    ranks: Sequence[int] | None = None,
    candidates: NDArray[np.bool_] | None = None,
) -> tuple[Link, ...]:
    """Links each group to an entity (paper appendix C.1).

    ``"argmax"`` links each group to the entity that supports most of its facts, as in the paper's
    final pipeline; two groups may share an entity. ``"hungarian"`` uses the one-to-one assignment
    with the largest total support; surplus groups are not linked. With both methods, ties are
    broken by retrieval rank (in the assignment, earlier groups have priority), and a group that no
    candidate supports is not linked.

    Example:
        >>> import numpy as np
        >>> counts = np.array([[3.0, 2.0], [3.0, 0.0]])
        >>> [l.entity for l in link_groups(counts)]
        [0, 0]
        >>> [l.entity for l in link_groups(counts, method="hungarian")]
        [1, 0]
    """
    n_groups, n_entities = counts.shape
    order = np.arange(n_entities) if ranks is None else np.argsort(ranks, kind="stable")
    if len(order) != n_entities:
        raise LinkingError(f"{len(order)} ranks for {n_entities} entities")
    if candidates is not None:
        if candidates.shape != (n_entities,):
            raise LinkingError(f"candidates have shape {candidates.shape}, not ({n_entities},)")
        order = order[candidates[order]]
    by_rank = counts[:, order]
    if method == "argmax":
        chosen = _argmax(by_rank)
    elif method == "hungarian":
        chosen = _hungarian(by_rank)
    else:
        raise LinkingError(f"unknown link method {method!r}; choose argmax or hungarian")
    return tuple(_link(by_rank[g], chosen[g], order) for g in range(n_groups))


def _link(row: _Counts, column: int | None, order: NDArray[np.intp]) -> Link:
    alternatives = [c for c in range(len(row)) if c != column and row[c] > 0]
    best = max(alternatives, key=lambda c: (row[c], -c), default=None)
    support = 0.0 if column is None else float(row[column])
    return Link(
        entity=None if column is None else int(order[column]),
        support=support,
        runner_up=None if best is None else int(order[best]),
        margin=support - (0.0 if best is None else float(row[best])),
    )


def _argmax(counts: _Counts) -> list[int | None]:
    if not counts.shape[1]:
        return [None] * counts.shape[0]
    best = counts.argmax(axis=1)  # the first of equal columns, which has the better rank
    return [int(c) if counts[g, c] > 0 else None for g, c in enumerate(best)]


def _hungarian(counts: _Counts) -> list[int | None]:
    """Returns the assignment with the largest total, breaking ties by retrieval rank.

    A solver may return any of several optima. To get the same one everywhere, each group in turn
    gets the best-ranked entity with which the largest total can still be reached.
    """
    chosen: list[int | None] = [None] * counts.shape[0]
    best_total = _solver(counts)
    free = frozenset(int(c) for c in np.flatnonzero((counts > 0).any(axis=0)))
    total = best_total(0, free)
    for g in range(counts.shape[0]):
        for c in sorted(free):
            if counts[g, c] <= 0:
                continue
            remaining = free - {c}
            if counts[g, c] + best_total(g + 1, remaining) >= total - 1e-9:
                chosen[g], free, total = c, remaining, total - float(counts[g, c])
                break
    return chosen


def _solver(counts: _Counts) -> Callable[[int, frozenset[int]], float]:
    """Returns a function that finds the largest total for the remaining rows and free columns."""
    columns = [int(c) for c in np.flatnonzero((counts > 0).any(axis=0))]

    def large(first: int, free: frozenset[int]) -> float:
        if first == len(counts) or not free:
            return 0.0
        from scipy.optimize import linear_sum_assignment

        part = counts[first:, sorted(free)]
        return float(part[linear_sum_assignment(part, maximize=True)].sum())

    # Most paragraphs have few entities, for which importing a solver costs more than it saves.
    if len(counts) << len(columns) > _FEW:
        return large
    totals = [
        [0.0] * 2 ** len(columns)
    ]  # indexed by the number of rows left, then by the free columns as a bit mask
    for row in counts[::-1, columns].tolist():
        gains = [(1 << bit, gain) for bit, gain in enumerate(row) if gain > 0]
        totals.append(
            [
                max([best, *(gain + totals[-1][free - bit] for bit, gain in gains if free & bit)])
                for free, best in enumerate(totals[-1])
            ]
        )
    return lambda first, free: totals[len(counts) - first][sum(1 << columns.index(c) for c in free)]


def candidate_mask(
    titles: Sequence[Sequence[str]],
    name: str,
    *,
    # `"retrieved"`: all entities, as in the paper (appendix C.1). `"named"`: entities with a title
    # or redirect that bears the name (see `bears_name`). `"dataset"`: entities that AmbigBio lists
    # for the name, as the paper's annotators saw them.
    mode: CandidateMode = "retrieved",
    dataset: Collection[str] = (),
) -> NDArray[np.bool_]:
    """Marks the entities that a group may be linked to.

    Candidates restrict only linking; FActScore always considers all entities.
    """
    if mode == "retrieved":
        return np.ones(len(titles), dtype=bool)
    if mode == "named":
        return np.array([any(bears_name(t, name) for t in row) for row in titles], dtype=bool)
    if mode == "dataset":
        if not dataset:
            raise LinkingError(f"candidates 'dataset': the dataset lists no entity for {name!r}")
        listed = set(dataset)
        return np.array([not listed.isdisjoint(row) for row in titles], dtype=bool)
    raise LinkingError(f"unknown candidates {mode!r}; choose retrieved, named or dataset")
