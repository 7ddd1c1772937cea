"""The three roles of an engine as base classes, with defaults for optional members."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from dfactscore._errors import InputError
from dfactscore._records import Biography, Entity, Fact, FactGroup, FactSearch, Verdict
from dfactscore._util.numbers import is_probability
from dfactscore._util.roles import has_member, members_of, role_fault
from dfactscore._util.tasks import resolve, resolve_all, typed_answers, wrong_answer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from dfactscore.work import Asks

    _default = property
else:

    class _default:
        """A default that a subclass or an instance may replace with an attribute or a property."""

        def __init__(self, function):
            self.__doc__, self._function = function.__doc__, function

        def __get__(self, role, owner=None):
            return self if role is None else self._function(role)


class RoleError(Exception):
    """Raised if a role fails on one biography; other biographies are still processed.

    Args:
        reason: One-line message for the user.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class GroupingError(RoleError):
    """Raised if grouping fails: the biography still gets an FS, but its D-FS is null."""


class _Role(ABC):
    @property
    @abstractmethod
    def settings(self) -> Mapping[str, Any]:
        """All values (as JSON) that can change an answer; part of the journal key."""

    @_default
    def english_only(self) -> bool:
        """Whether answers about texts in languages other than English are meaningless."""
        return False


class Decomposer(_Role):
    """Splits a paragraph into atomic facts."""

    @abstractmethod
    def decompose(self, biography: Biography) -> Sequence[Fact] | Awaitable[Sequence[Fact]]:
        """Returns the facts in reading order; empty if the text states nothing.

        Raises:
            RoleError: If this biography cannot be decomposed.
        """

    def label_facts(
        self, biography: Biography, facts: Sequence[Fact]
    ) -> Sequence[Fact] | Awaitable[Sequence[Fact]]:
        """Returns the facts from the input, with labels and in the same order.

        Raises:
            RoleError: If the labels cannot be obtained.
        """
        return facts

    def known_facts(
        self, biography: Biography
    ) -> Sequence[Fact] | Awaitable[Sequence[Fact] | None] | None:
        """Returns the facts if they are available without a paid request; else None."""
        return None

    def asks(self, biography: Biography, facts: Sequence[Fact]) -> Asks:
        """Lists the requests of `decompose`, or of `label_facts` if the input contains the facts.

        Args:
            biography: The text.
            facts: The facts from the input or the known facts; otherwise an estimate of the facts.
        """
        return ()

    def recall(self, usage: Callable[[], Mapping[str, Any] | None]) -> None:
        """Restores the state of a resumed run before its next text.

        Args:
            usage: Callable that returns the usage for the first text's facts, by stage and model.
        """


class Grouper(_Role):
    """Splits the facts into groups, one for each individual a reader perceives."""

    @abstractmethod
    def group(
        self, biography: Biography, facts: Sequence[Fact]
    ) -> Sequence[FactGroup] | Awaitable[Sequence[FactGroup]]:
        """Partitions the facts into groups, ordered by their first facts.

        Implementations read only the paragraph, never the documents.

        Raises:
            GroupingError: If no partition can be obtained.
        """

    def asks(self, biography: Biography, facts: Sequence[Fact]) -> Asks:
        """Lists the requests that `group` would make."""
        return ()


@dataclass(frozen=True, slots=True)
class Found:
    """The verdicts on the facts in a biography.

    Attributes:
        entities: The columns, with the evidence as documents.
        rows: One row per column, with one verdict per fact.
        searches: The searches made for evidence on each fact; empty if there were none.
    """

    entities: tuple[Entity, ...]
    rows: Sequence[Sequence[Verdict]]
    searches: tuple[FactSearch, ...] = ()


class Verifier(_Role):
    """Judges facts against one entity's documents."""

    @_default
    def threshold(self) -> float | None:
        """The minimum probability of a supported fact; None if only the verdict decides."""
        return None

    @_default
    def calibrated(self) -> bool:
        """Whether a share p of the facts with probability p can be expected to be supported."""
        return False

    @_default
    def tells_entities_apart(self) -> bool:
        """Whether verdicts may differ between entities; if not, only FS can be computed."""
        return True

    @abstractmethod
    def verify(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> Sequence[Verdict] | Awaitable[Sequence[Verdict]]:
        """Returns one verdict per fact, in order."""

    def verify_together(
        self, biography: Biography, pairs: Sequence[tuple[Sequence[Fact], Entity]]
    ) -> Sequence[Sequence[Verdict]] | Awaitable[Sequence[Sequence[Verdict]]]:
        """Returns one row of verdicts per pair of facts and entity; see `verify`."""
        return resolve_all([self.verify(biography, facts, entity) for facts, entity in pairs])

    def weigh(
        self, entities: Sequence[Entity], probability: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Returns adjusted probabilities for a whole text, shape ``(facts, entities)``.

        Verdicts do not change. The result must not depend on the order of the facts or entities.

        Args:
            entities: The columns, with their documents.
            probability: The probabilities from ``verify``, with NaN in cells that have none.
        """
        return probability

    def extra_entities(self, entities: Sequence[Entity]) -> Sequence[Entity]:
        """Returns additional columns, in order, to add after the entities of a biography."""
        return ()

    def columns(self, entities: Sequence[Entity]) -> Sequence[Entity]:
        """Returns all columns of a biography: its entities, followed by the additional columns."""
        if not entities:
            return ()
        extra = self.extra_entities(entities)
        return (*entities, *typed_answers(Entity, extra, self, "extra_entities", Verifier, None))

    async def find_and_verify(
        self, biography: Biography, facts: Sequence[Fact], entities: Sequence[Entity]
    ) -> Found:
        """Returns the columns with their documents, and one verdict per fact and column."""
        pairs = [(facts, entity) for entity in entities]
        return Found(tuple(entities), await resolve(self.verify_together(biography, pairs)))

    def asks(self, biography: Biography, pairs: Sequence[tuple[Sequence[Fact], Entity]]) -> Asks:
        """Lists the requests needed to judge facts against entities."""
        return ()


def as_role(role: Any, kind: type, argument: str) -> Any:
    """Converts an object to a role, even if its class is not derived from the role's base class."""
    fault = role_fault(role, kind, needed=kind.__abstractmethods__)  # type: ignore[attr-defined]
    if fault:
        raise InputError(f"{argument}: {fault}")
    adapted = role if kind in type(role).__mro__ else _adapted(role, kind)
    for member in ("english_only", "calibrated", "tells_entities_apart"):
        if not isinstance(value := getattr(adapted, member, False), bool):
            raise wrong_answer(role, member, kind, f"is {value!r}", "True or False")
    value = getattr(adapted, "threshold", None)
    if value is not None and not is_probability(value):
        raise wrong_answer(role, "threshold", kind, f"is {value!r}", "None, or 0 to 1")
    # The object itself if its class is derived from `kind`; otherwise a wrapper that supplies
    # defaults for the members the object lacks.
    return adapted


class _Adapted:
    """A role that delegates its members to an object of a different class."""

    def __init__(self, role: Any, kind: type) -> None:
        self._role, self._kind = role, kind

    def __reduce__(self) -> tuple[Any, ...]:
        return _adapted, (self._role, self._kind)  # the dynamic class cannot be imported


def _adapted(role: Any, kind: type) -> Any:
    role_class = type(role)
    members = {
        m: property(attrgetter(f"_role.{m}")) for m in members_of(kind) if has_member(role, m)
    }
    names = {"__module__": role_class.__module__, "__qualname__": role_class.__qualname__}
    return type(role_class.__name__, (_Adapted, kind), members | names)(role, kind)


@dataclass(frozen=True, slots=True)
class Engine:
    """The three roles of an engine."""

    decomposer: Decomposer
    grouper: Grouper  # groups facts by the individual a reader perceives
    verifier: Verifier  # judges facts against an entity's documents
    close: Callable[[], Awaitable[None]] | None = None
    any_language: bool = False
