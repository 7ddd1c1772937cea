"""The three roles of an engine as base classes: what each must have, and its defaults."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from dfactscore._errors import InputError
from dfactscore._records import Biography, Entity, Fact, FactGroup, FactSearch, Verdict
from dfactscore._util.numbers import is_probability
from dfactscore._util.role_answers import resolve, resolve_all, typed_answers, wrong_answer
from dfactscore._util.roles import has_member, members_of, role_fault

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from dfactscore.work import Asks

    _default = property
else:

    class _default:
        """A default that a subclass or an instance replaces by an attribute or a property."""

        def __init__(self, function):
            self.__doc__, self._function = function.__doc__, function

        def __get__(self, role, owner=None):
            return self if role is None else self._function(role)


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


class _Role(ABC):
    @property
    @abstractmethod
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change an answer (JSON values); part of the journal key."""

    @_default
    def english_only(self) -> bool:
        """Whether an answer about a text in another language means nothing."""
        return False


class Decomposer(_Role):
    """Splits a paragraph into atomic facts."""

    @abstractmethod
    def decompose(self, biography: Biography) -> Sequence[Fact] | Awaitable[Sequence[Fact]]:
        """Returns the facts in reading order; none if the text makes no statement.

        Raises:
            RoleError: If this biography cannot be decomposed.
        """

    def label_facts(
        self, biography: Biography, facts: Sequence[Fact]
    ) -> Sequence[Fact] | Awaitable[Sequence[Fact]]:
        """Returns facts that come with the input in the same order, with labels.

        Raises:
            RoleError: If the labels cannot be obtained.
        """
        return facts

    def known_facts(
        self, biography: Biography
    ) -> Sequence[Fact] | Awaitable[Sequence[Fact] | None] | None:
        """Returns the facts where they are known without a paid request; else None."""
        return None

    def asks(self, biography: Biography, facts: Sequence[Fact]) -> Asks:
        """Requests for making facts; for facts of the input, what labeling them would.

        Args:
            biography: The text.
            facts: Those that come with it or are known, else about those that would be made.
        """
        return ()

    def recall(self, usage: Callable[[], Mapping[str, Any] | None]) -> None:
        """Takes what is known of a run that is resumed, before the first text that is left.

        Args:
            usage: Gives what the first text's facts were asked for, by stage and model.
        """


class Grouper(_Role):
    """Splits the facts into one group per individual that a reader perceives."""

    @abstractmethod
    def group(
        self, biography: Biography, facts: Sequence[Fact]
    ) -> Sequence[FactGroup] | Awaitable[Sequence[FactGroup]]:
        """Returns groups that partition the facts, ordered by first fact.

        Only the paragraph is read, never the documents.

        Raises:
            GroupingError: If no partition could be obtained.
        """

    def asks(self, biography: Biography, facts: Sequence[Fact]) -> Asks:
        """Requests for grouping facts."""
        return ()


@dataclass(frozen=True, slots=True)
class Found:
    """The verdicts on the facts of a biography.

    Attributes:
        entities: The columns, with the documents that were found.
        rows: One row for each column, one verdict per fact.
        searches: The searches for each fact's evidence; empty if it was given.
    """

    entities: tuple[Entity, ...]
    rows: Sequence[Sequence[Verdict]]
    searches: tuple[FactSearch, ...] = ()


class Verifier(_Role):
    """Judges facts against one entity's documents."""

    @_default
    def threshold(self) -> float | None:
        """The probability from which a fact counts as supported; None: the verdict decides."""
        return None

    @_default
    def calibrated(self) -> bool:
        """Whether a share of p of the facts that get a probability p is supported."""
        return False

    @_default
    def tells_entities_apart(self) -> bool:
        """False if the verdict is the same for every entity: there is FS only."""
        return True

    @abstractmethod
    def verify(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> Sequence[Verdict] | Awaitable[Sequence[Verdict]]:
        """Returns one verdict per fact, in order."""

    def verify_together(
        self, biography: Biography, asked: Sequence[tuple[Sequence[Fact], Entity]]
    ) -> Sequence[Sequence[Verdict]] | Awaitable[Sequence[Sequence[Verdict]]]:
        """Returns one row for each of `asked`, one verdict per fact, as ``verify`` does for one."""
        return resolve_all([self.verify(biography, facts, entity) for facts, entity in asked])

    def weigh(
        self, entities: Sequence[Entity], probability: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Returns probabilities that depend on all that was judged, shape ``(facts, entities)``.

        Verdicts stay as they are. The order of facts and entities makes no difference.

        Args:
            entities: The columns, with the documents that they were judged against.
            probability: As ``verify`` gave them; NaN if a cell has none.
        """
        return probability

    def extra_entities(self, entities: Sequence[Entity]) -> Sequence[Entity]:
        """Returns what follows the entities of one biography as further columns, in order."""
        return ()

    def columns(self, entities: Sequence[Entity]) -> Sequence[Entity]:
        """Returns what the facts of one biography are judged against, given its entities."""
        if not entities:
            return ()
        extra = self.extra_entities(entities)
        return (*entities, *typed_answers(Entity, extra, self, "extra_entities", Verifier, None))

    async def find_and_verify(
        self, biography: Biography, facts: Sequence[Fact], entities: Sequence[Entity]
    ) -> Found:
        """Returns the columns with the documents, and one verdict per fact for each."""
        asked = [(facts, entity) for entity in entities]
        return Found(tuple(entities), await resolve(self.verify_together(biography, asked)))

    def asks(self, biography: Biography, asked: Sequence[tuple[Sequence[Fact], Entity]]) -> Asks:
        """Requests for judging facts against entities a model."""
        return ()


def as_role(role: Any, kind: type, argument: str) -> Any:
    """Takes an object for a role, also one of a class of its own with the members of a role.

    Args:
        role: The object.
        kind: `Decomposer`, `Grouper` or `Verifier`.
        argument: The name of the argument, for the message.

    Returns:
        The object itself if its class is derived from the role; else a role that passes on to it,
        with the defaults for what it lacks.

    Raises:
        InputError: With the role, the member and the value.
    """
    fault = role_fault(role, kind, needed=kind.__abstractmethods__)  # type: ignore[attr-defined]
    if fault:
        raise InputError(f"{argument}: {fault}")
    made = role if kind in type(role).__mro__ else _adapted(role, kind)
    for member in ("english_only", "calibrated", "tells_entities_apart"):
        if not isinstance(value := getattr(made, member, False), bool):
            raise wrong_answer(role, member, kind, f"is {value!r}", "True or False")
    value = getattr(made, "threshold", None)
    if value is not None and not is_probability(value):
        raise wrong_answer(role, "threshold", kind, f"is {value!r}", "None, or 0 to 1")
    return made


class _Adapted:
    """Passes on what a role asks for to an object of another class."""

    def __init__(self, role: Any, kind: type) -> None:
        self._role, self._kind = role, kind

    def __reduce__(self) -> tuple[Any, ...]:
        return _adapted, (self._role, self._kind)  # a class made on the way has no importable name


def _adapted(role: Any, kind: type) -> Any:
    own = type(role)
    given = {m: property(attrgetter(f"_role.{m}")) for m in members_of(kind) if has_member(role, m)}
    names = {"__module__": own.__module__, "__qualname__": own.__qualname__}
    return type(own.__name__, (_Adapted, kind), given | names)(role, kind)


@dataclass(frozen=True, slots=True)
class Engine:
    """The three roles.

    Attributes:
        decomposer: Splits text into facts.
        grouper: Groups facts by perceived individual.
        verifier: Judges facts against an entity's documents.
        close: Frees what the roles hold in the running event loop (connections), or None.
        any_language: Whether roles made for English are given texts in other languages, too.
    """

    decomposer: Decomposer
    grouper: Grouper
    verifier: Verifier
    close: Callable[[], Awaitable[None]] | None = None
    any_language: bool = False
