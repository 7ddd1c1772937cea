"""The support matrix: whether each entity's documents support each fact."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from dfactscore.linking._errors import LinkingError

Status = Literal["supported", "not_supported", "unparsed", "refused", "error"]
STATUSES: tuple[Status, ...] = get_args(Status)
_CODES = {status: code for code, status in enumerate(STATUSES)}
_READABLE = 2  # the first two statuses are verdicts; the others are failures


class Evidence(NamedTuple):
    """The span of characters (end exclusive) in an entity's document that a verdict is based on."""

    document: int
    start: int
    end: int


@dataclass(frozen=True, eq=False)
class SupportMatrix:
    """Verdicts on one biography's facts against its entities."""

    entities: tuple[str, ...]  # entity ids, one per column
    status: NDArray[np.int8]  # shape `(facts, entities)`, int8 indices into `STATUSES`
    # Shape `(facts, entities)`, the verifier's probability that the fact is supported; NaN if the
    # verifier gave none.
    probability: NDArray[np.float64]
    # Retrieval rank of each column (0 is best), used to break ties; column order by default.
    ranks: tuple[int, ...] = ()
    # Shape `(facts, entities, 3)`, int32: document, start and end of the span that decides each
    # cell, or -1 if there is no such span; None if no cell has one.
    evidence: NDArray[np.int32] | None = None
    conflict: NDArray[np.int32] | None = None
    # Shape `(facts, entities)`, whether a cascade sent each cell to its second verifier; None if
    # there is no cascade.
    sent: NDArray[np.bool_] | None = None
    # Shape `(facts, entities)`, the judge's reason in words, or ""; None if it gave none.
    reason: NDArray[np.object_] | None = None

    def __post_init__(self) -> None:
        width = len(self.entities)
        if not self.ranks:
            object.__setattr__(self, "ranks", tuple(range(width)))
        for name, shape in (("status", self.status.shape), ("probability", self.probability.shape)):
            if len(shape) != 2 or shape[1] != width:
                raise LinkingError(f"{name} has shape {shape}; expected (facts, {width})")
        if self.status.shape != self.probability.shape:
            raise LinkingError(
                f"status has shape {self.status.shape}, probability {self.probability.shape}"
            )
        for name, array in self._optional():
            if array is not None and array.shape[:2] != self.status.shape:
                raise LinkingError(f"{name} has shape {array.shape}, status {self.status.shape}")
        if len(set(self.entities)) != width:
            raise LinkingError(f"entity ids are repeated: {sorted(self.entities)}")
        if len(self.ranks) != width or len(set(self.ranks)) != width:
            raise LinkingError(f"ranks {self.ranks} must name each of {width} entities once")
        if self.status.size and not 0 <= self.status.min() <= self.status.max() < len(STATUSES):
            raise LinkingError(f"status contains a value outside 0..{len(STATUSES) - 1}")

    @classmethod
    def from_support(
        cls, support: Sequence[Sequence[bool]] | NDArray[np.bool_], entities: Sequence[str]
    ) -> SupportMatrix:
        """Builds a matrix from booleans, with a verdict in every cell but no probabilities."""
        array = np.asarray(support, dtype=bool).reshape(-1, len(entities))
        status = np.where(array, 0, 1).astype(np.int8)
        return cls(tuple(entities), status, np.full(array.shape, np.nan))

    @classmethod
    def from_columns(
        cls,
        entities: Sequence[str],
        # For each entity, lists with one item per fact: `status` (names), `probability` (or None)
        # and optionally `evidence` and `conflict` (spans or None), `sent` and `reason`.
        columns: Sequence[Mapping[str, Sequence[Any]]],
        ranks: Sequence[int] = (),
    ) -> SupportMatrix:
        """Builds a matrix from one column per entity.

        Example:
            >>> column = {"status": ["supported", "refused"], "probability": [0.9, None]}
            >>> SupportMatrix.from_columns(["Ann Lee"], [column]).support.tolist()
            [[True], [False]]
        """
        shape = (len(columns), len(columns[0]["status"]) if columns else 0)
        status = [[_CODES[name] for name in column["status"]] for column in columns]
        probability = [column["probability"] for column in columns]  # None becomes NaN
        sent = np.array([c.get("sent") or [False] * shape[1] for c in columns], dtype=bool)
        reason = np.array([c.get("reason") or [""] * shape[1] for c in columns], dtype=object)
        return cls(
            tuple(entities),
            np.array(status, dtype=np.int8).reshape(shape).T,
            np.array(probability, dtype=np.float64).reshape(shape).T,
            tuple(ranks),
            _places([c.get("evidence") or [None] * shape[1] for c in columns]),
            _places([c.get("conflict") or [None] * shape[1] for c in columns]),
            sent.reshape(shape).T if sent.any() else None,
            reason.reshape(shape).T if reason.any() else None,
        )

    def column(self, entity: int) -> dict[str, list[Any]]:
        """Returns an entity's column in the format that `from_columns` reads."""
        facts = range(len(self.status))
        values: dict[str, list[Any]] = {
            "status": [STATUSES[code] for code in self.status[:, entity].tolist()],
            "probability": [None if p != p else p for p in self.probability[:, entity].tolist()],
            "evidence": [self.evidence_at(f, entity) for f in facts],
        }
        if self.conflict is not None:
            values["conflict"] = [self.conflict_at(f, entity) for f in facts]
        if self.sent is not None:
            values["sent"] = self.sent[:, entity].astype(int).tolist()
        if self.reason is not None:
            values["reason"] = self.reason[:, entity].tolist()
        return values

    def _optional(self) -> Iterator[tuple[str, NDArray[Any] | None]]:
        yield from (("evidence", self.evidence), ("conflict", self.conflict))
        yield from (("sent", self.sent), ("reason", self.reason))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SupportMatrix):
            return NotImplemented
        ours, theirs = self._optional(), other._optional()
        return (
            (self.entities, self.ranks) == (other.entities, other.ranks)
            and np.array_equal(self.status, other.status)
            and np.array_equal(self.probability, other.probability, equal_nan=True)
            and all(_same(a, b) for (_, a), (_, b) in zip(ours, theirs, strict=True))
        )

    __hash__ = None  # type: ignore[assignment]

    def evidence_at(self, fact: int, entity: int) -> Evidence | None:
        """Returns the span that decides a cell, or None if there is none."""
        return _place(self.evidence, fact, entity)

    def conflict_at(self, fact: int, entity: int) -> Evidence | None:
        """Returns the span that contradicts the fact, or None if there is none."""
        return _place(self.conflict, fact, entity)

    @cached_property
    def support(self) -> NDArray[np.bool_]:
        """Boolean array of shape ``(facts, entities)``: whether the status is ``supported``."""
        return np.asarray(self.status == 0)

    @cached_property
    def readable(self) -> NDArray[np.bool_]:
        """Boolean array of shape ``(facts, entities)``: whether the cell has a verdict."""
        return np.asarray(self.status < _READABLE)

    def at_threshold(self, threshold: float) -> SupportMatrix:
        """Returns a copy in which ``probability >= threshold`` decides the verdicts.

        Cells without a probability keep their verdict.
        """
        has_probability = self.readable & ~np.isnan(self.probability)
        decided = np.where(self.probability >= threshold, 0, 1).astype(np.int8)
        status = np.where(has_probability, decided, self.status).astype(np.int8)
        return replace(self, status=status)


def _places(rows: Sequence[Sequence[Sequence[int] | None]]) -> NDArray[np.int32] | None:
    if not any(place is not None for row in rows for place in row):
        return None
    filled = [[(-1, -1, -1) if place is None else place for place in row] for row in rows]
    return np.array(filled, dtype=np.int32).transpose(1, 0, 2)


def _place(places: NDArray[np.int32] | None, fact: int, entity: int) -> Evidence | None:
    if places is None or places[fact, entity, 0] < 0:
        return None
    return Evidence(*places[fact, entity].tolist())


def _same(ours: NDArray[Any] | None, theirs: NDArray[Any] | None) -> bool:
    if ours is None or theirs is None:
        return ours is theirs
    return np.array_equal(ours, theirs)
