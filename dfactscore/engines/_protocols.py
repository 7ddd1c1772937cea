"""The protocols of an engine's three roles.

`Decomposer`, `Grouper` and `Verifier` hold what a role needs. What a role may offer besides stands
in protocols of its own, with what holds for a role without it:

| protocol | member | without it |
| --- | --- | --- |
| `Recalls` | ``recall`` | what the first text of a run showed is found out again |
| `LabelsFacts` | ``label_facts`` | facts that come with the input keep their labels |
| `HasThreshold` | ``threshold`` | None: the verifier's own word decides |
| `Calibrated` | ``calibrated`` | False: scores count verdicts, not probabilities |
| `WeighsMatrix` | ``weigh`` | the probability of a fact and a page does not depend on others |
| `TellsEntitiesApart` | ``tells_entities_apart`` | True |
| `AddsEntities` | ``extra_entities`` | none |
| `JudgesTogether` | ``verify_together`` | ``verify`` is called for each entity |
| `ReadsEnglish` | ``english_only`` | False: texts in other languages are scored |
| `FindsEvidence` | ``find_and_verify`` | the entities' documents are all the evidence |
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from dfactscore._errors import InputError
from dfactscore._records import Biography, Entity, Fact, FactGroup, FactSearch, Verdict
from dfactscore._util.roles import role_fault

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


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
    """Splits a paragraph into atomic facts.

    May be a `LabelsFacts`, a `ReadsEnglish` and a `Recalls` too.
    """

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change an answer (JSON values); part of the journal key."""

    def decompose(self, biography: Biography) -> Sequence[Fact] | Awaitable[Sequence[Fact]]:
        """Returns the facts in reading order; none where the text makes no statement.

        Raises:
            RoleError: If this biography cannot be decomposed.
        """


@runtime_checkable
class LabelsFacts(Protocol):
    """A decomposer that labels facts made elsewhere; without it they stay as they are."""

    def label_facts(
        self, biography: Biography, facts: Sequence[Fact]
    ) -> Sequence[Fact] | Awaitable[Sequence[Fact]]:
        """Returns the same facts in the same order, with labels.

        Raises:
            RoleError: If the labels cannot be obtained.
        """


@runtime_checkable
class Recalls(Protocol):
    """A decomposer that learned from the first text of a run how to ask about the others."""

    def recall(self, usage: Mapping[str, Any] | None) -> None:
        """Takes what that text's facts were asked for, by stage and model; None: none is done."""


@runtime_checkable
class Grouper(Protocol):
    """Splits the facts into one group per individual that a reader perceives.

    May be a `ReadsEnglish` too.
    """

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change an answer (JSON values); part of the journal key."""

    def group(
        self, biography: Biography, facts: Sequence[Fact]
    ) -> Sequence[FactGroup] | Awaitable[Sequence[FactGroup]]:
        """Returns groups that partition the facts, ordered by first fact.

        Only the paragraph is read, never the documents.

        Raises:
            GroupingError: If no partition could be obtained.
        """


@runtime_checkable
class Verifier(Protocol):
    """Judges facts against one entity's documents.

    May be a `HasThreshold`, a `Calibrated`, a `TellsEntitiesApart`, a `ReadsEnglish`, an
    `AddsEntities`, a `JudgesTogether` and a `FindsEvidence` too.
    """

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change an answer (JSON values); part of the journal key."""

    def verify(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> Sequence[Verdict] | Awaitable[Sequence[Verdict]]:
        """Returns one verdict per fact, in order."""


@runtime_checkable
class HasThreshold(Protocol):
    """A verifier whose verdicts come from a cut on its probability; without it there is none."""

    @property
    def threshold(self) -> float | None:
        """The probability from which a fact counts as supported; None where there is none."""


@runtime_checkable
class Calibrated(Protocol):
    """A verifier that says whether its probabilities are calibrated; without it, they are not."""

    @property
    def calibrated(self) -> bool:
        """True where of the facts that get a probability p, a share of p is supported."""


@runtime_checkable
class WeighsMatrix(Protocol):
    """A verifier whose probabilities depend on all that was judged of a text."""

    def weigh(
        self, entities: Sequence[Entity], probability: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Returns probabilities that know of each other, shape ``(facts, entities)``.

        Verdicts stay as they are. The order of facts and entities makes no difference.

        Args:
            entities: The columns, with the documents that they were judged against.
            probability: As ``verify`` gave them; NaN where a cell has none.
        """


@runtime_checkable
class TellsEntitiesApart(Protocol):
    """A verifier that says whether it reads documents; without it, it does."""

    @property
    def tells_entities_apart(self) -> bool:
        """False where the verdict is the same for every entity: there is FS only."""


@runtime_checkable
class ReadsEnglish(Protocol):
    """A role that says whether it is made for English alone; without it, it is not."""

    @property
    def english_only(self) -> bool:
        """True where what it says of a text in another language means nothing."""


@runtime_checkable
class AddsEntities(Protocol):
    """A verifier that judges against more than the biography's entities; without it, none."""

    def extra_entities(self, entities: Sequence[Entity]) -> Sequence[Entity]:
        """Returns what comes behind the entities of one biography, in order."""


@runtime_checkable
class JudgesTogether(Protocol):
    """A verifier that judges several entities of a biography at once; without it, one by one."""

    def verify_together(
        self, biography: Biography, asked: Sequence[tuple[Sequence[Fact], Entity]]
    ) -> Sequence[Sequence[Verdict]] | Awaitable[Sequence[Sequence[Verdict]]]:
        """Returns one row for each of `asked`, one verdict per fact, as ``verify`` does for one."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a verifier found and says of it.

    Attributes:
        entities: The columns, with the documents that were found.
        rows: One row for each column, one verdict per fact.
        searches: How each fact's evidence was searched for.
    """

    entities: tuple[Entity, ...]
    rows: Sequence[Sequence[Verdict]]
    searches: tuple[FactSearch, ...]


@runtime_checkable
class FindsEvidence(Protocol):
    """A verifier that looks for its evidence; without it, the entities' documents are all."""

    def columns(self, entities: Sequence[Entity]) -> Sequence[Entity]:
        """Returns what the facts of one biography are judged against, given its entities."""

    def find_and_verify(
        self, biography: Biography, facts: Sequence[Fact], entities: Sequence[Entity]
    ) -> Awaitable[Found]:
        """Returns the columns with what was found, and one verdict per fact for each."""


def check_role(role: object, protocol: type, argument: str) -> None:
    """Refuses an object that does not fill a role.

    Args:
        role: What was given.
        protocol: `Decomposer`, `Grouper` or `Verifier`.
        argument: What it was given as, for the message.

    Raises:
        InputError: With the protocol, the member and what was given.
    """
    fault = role_fault(role, protocol, optional=_OPTIONAL[protocol])
    if fault:
        raise InputError(f"{argument}: {fault}")


_OPTIONAL: dict[type, tuple[type, ...]] = {
    Decomposer: (LabelsFacts, ReadsEnglish, Recalls),
    Grouper: (ReadsEnglish,),
    Verifier: (
        HasThreshold,
        Calibrated,
        WeighsMatrix,
        TellsEntitiesApart,
        ReadsEnglish,
        AddsEntities,
        JudgesTogether,
        FindsEvidence,
    ),
}


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
