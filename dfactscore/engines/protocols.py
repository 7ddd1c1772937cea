"""What an engine is: three roles behind small protocols, each replaceable alone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from dfactscore.records import Biography, Entity, Fact, FactGroup, Verdict

__all__ = ["Decomposer", "Engine", "Grouper", "GroupingError", "RoleError", "Verifier"]


class RoleError(Exception):
    """A role could not do its work on one biography; the others go on.

    Args:
        reason: One line for a person.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class GroupingError(RoleError):
    """The grouping could not be read: FS is given, D-FS is null with this reason."""


@runtime_checkable
class Decomposer(Protocol):
    """Splits a paragraph into atomic facts."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change an answer (JSON values); part of the journal key."""

    def decompose(self, biography: Biography) -> Sequence[Fact] | Awaitable[Sequence[Fact]]:
        """Returns the facts in reading order; none where the text makes no statement.

        Raises:
            RoleError: If this biography cannot be decomposed.
        """


@runtime_checkable
class Grouper(Protocol):
    """Splits the facts into one group per individual that a reader perceives."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change an answer (JSON values); part of the journal key."""

    def group(
        self, biography: Biography, facts: Sequence[Fact]
    ) -> Sequence[FactGroup] | Awaitable[Sequence[FactGroup]]:
        """Returns groups that partition the facts, ordered by first fact.

        Only the paragraph is read, never the documents.

        Raises:
            GroupingError: If no partition could be had.
        """


@runtime_checkable
class Verifier(Protocol):
    """Judges facts against one entity's documents."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change an answer (JSON values); part of the journal key."""

    @property
    def threshold(self) -> float | None:
        """The probability from which a fact counts as supported; None where there is none."""

    def verify(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> Sequence[Verdict] | Awaitable[Sequence[Verdict]]:
        """Returns one verdict per fact, in order."""


@dataclass(frozen=True, slots=True)
class Engine:
    """The three roles.

    Attributes:
        decomposer: Splits text into facts.
        grouper: Groups facts by perceived individual.
        verifier: Judges facts against an entity's documents.
        close: Frees what the roles hold in the running event loop (connections), or None.
    """

    decomposer: Decomposer
    grouper: Grouper
    verifier: Verifier
    close: Callable[[], Awaitable[None]] | None = None
