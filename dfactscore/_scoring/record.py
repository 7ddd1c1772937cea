"""The record of one biography, filled from left to right by the stages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from dfactscore._records import Biography, Entity, Fact, FactGroup, FactSearch, WhyNot
from dfactscore._scoring.biography import BiographyScores, ScoreOptions
from dfactscore._scoring.fact_standings import Standing, reasons, standings
from dfactscore._util.exception_text import ends_all_work, where_raised
from dfactscore._util.usage import FAULTS
from dfactscore.linking import CandidateMode, Link, SupportMatrix, bears_name

if TYPE_CHECKING:
    from dfactscore._evidence.entities import GatheredEntities


RecordStatus = Literal[
    "scored",
    "abstained",
    "no_answer",
    "not_english",
    "no_facts",
    "no_candidates",
    "grouping_failed",
    "not_judged",
    "error",
]
Stage = Literal["facts", "groups", "verdicts"]
STAGES: tuple[Stage, ...] = ("facts", "groups", "verdicts")


@dataclass(frozen=True)
class Record:
    """A biography with all that models, rules and formulas have to say about it.

    It begins as a biography with its entities; `judge` fills what is not filled, from the input
    or by an engine, and `score_record` fills the scores. Report, data frames, prints, mixing and
    comparison are views of it.

    Attributes:
        biography: The biography as it was read.
        key: Hash of all of it that is judged; run folders keep the stages under it.
        entities: Evidence, in retrieval order.
        missing: Messages of the knowledge source about missing titles.
        facts: The facts; empty until they are made.
        groups: The groups; None until they are made, and where grouping failed.
        matrix: The verdicts with their evidence, shape ``(facts, entities)``; None until judged.
        searches: The searches for each fact's evidence; empty if it was given.
        status: The status; None until the stages are through.
        reason: The reason why it is not scored, or was not grouped.
        tells_entities_apart: False for a verifier that reads no documents: it gives FS only.
        usage: The usage of models, by stage.
        options: The score options.
        candidates: The entities that were candidates.
        candidate_columns: Columns of the entities that a group may be linked to.
        scores: The scores with the links; None until scored, and where there is nothing to score.
        outside: For each group what a dataset says of the bearers of the name without a page that
            it may be about; empty if it lists none.
    """

    biography: Biography
    key: str = field(default="", compare=False)
    entities: tuple[Entity, ...] = ()
    missing: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    groups: tuple[FactGroup, ...] | None = None
    matrix: SupportMatrix | None = None
    searches: tuple[FactSearch, ...] = ()
    status: RecordStatus | None = None
    reason: str = ""
    tells_entities_apart: bool = True
    usage: Mapping[Stage, Mapping[str, Any]] = field(default_factory=dict, compare=False)
    options: ScoreOptions = field(default_factory=ScoreOptions)
    candidates: CandidateMode = "retrieved"
    candidate_columns: tuple[int, ...] = ()
    scores: BiographyScores | None = None
    outside: tuple[tuple[str, ...], ...] = ()

    @property
    def id(self) -> str:
        """The biography's id."""
        return self.biography.id

    @property
    def name(self) -> str:
        """The target name."""
        return self.biography.name

    def with_entities(self, gathered: GatheredEntities) -> Record:
        """The record with the evidence for its facts."""
        return replace(self, entities=gathered.entities, missing=gathered.missing)

    @property
    def links(self) -> tuple[Link, ...]:
        """One link per group; none without scores or groups."""
        links = self.scores.links if self.scores is not None and self.groups is not None else ()
        return links if len(links) == len(self.groups or ()) else ()

    @property
    def faults(self) -> dict[str, int]:
        """Faults of model answers, by kind (see `Tally`); empty if nothing."""
        found: Counter[str] = Counter()
        for stages in self.usage.values():
            for models in stages.values():
                for counts in models.values():
                    found.update({kind: counts[kind] for kind in FAULTS if counts.get(kind)})
        return dict(found)

    @property
    def off_target(self) -> bool:
        """Whether it is scored and no individual of the text bears the name."""
        if self.scores is None or self.groups is None:
            return False
        return all(group.bears_name is False for group in self.groups)

    @cached_property
    def named(self) -> tuple[int, ...]:
        """Columns of the entities of which a title or redirect bears the name."""
        return tuple(
            column
            for column, e in enumerate(self.entities)
            if any(bears_name(title, self.name) for title in (e.id, e.label, *e.aliases))
        )

    @cached_property
    def decided(self) -> SupportMatrix:
        """The matrix that the scores were made of: decided at their threshold, if they have one.

        Raises:
            ValueError: If the record is not judged.
        """
        if self.matrix is None:
            raise ValueError(f"biography {self.id!r} is not judged")
        threshold = self.options.threshold
        return self.matrix if threshold is None else self.matrix.at_threshold(threshold)

    @cached_property
    def standing(self) -> tuple[Standing, ...]:
        """Returns the standing of each fact; ``"unreadable"`` if nothing is judged."""
        if self.matrix is None:
            return tuple("unreadable" for _ in self.facts)
        return standings(self.decided, *self._linked)

    @cached_property
    def why_not(self) -> tuple[WhyNot | None, ...]:
        """Whether a page contradicts each unsupported fact, or does not state it."""
        if self.matrix is None:
            return (None,) * len(self.facts)
        return reasons(self.decided, *self._linked)

    @property
    def _linked(self) -> tuple[list[tuple[int, ...]], list[int | None]]:
        groups = [g.facts for g in self.groups or ()] if self.links else []
        return groups, [link.entity for link in self.links]


def failed_record(record: Record, error: Exception) -> Record:
    """The record with an unexpected exception as its error.

    Raises:
        Exception: The exception itself, if it concerns all records.
    """
    if ends_all_work(error):
        raise error
    return replace(record, status="error", reason=where_raised(error))
