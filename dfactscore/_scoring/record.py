"""A biography's record, filled by the stages in order, and the counts and values of its facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from dfactscore._metrics import f1_at_k
from dfactscore._records import Biography, Entity, Fact, FactGroup, FactSearch, WhyNot
from dfactscore._scoring.biography_scores import BiographyScores
from dfactscore._scoring.matrix import Counts, Standing, matrix_values, reasons, standings
from dfactscore._scoring.score_options import ScoreOptions
from dfactscore._text.clean_text import plain_words
from dfactscore._util.message_text import ends_all_work, where_raised
from dfactscore._util.numbers import counted
from dfactscore._util.usage import FAULTS
from dfactscore.linking import STATUSES, CandidateMode, Link, SupportMatrix, bears_name
from dfactscore.linking._mixed_facts import Doubts

if TYPE_CHECKING:
    from dfactscore._evidence.entities import GatheredEntities


RecordStatus = Literal[
    "scored",
    "abstained",
    "no_answer",
    "failed",
    "not_english",
    "no_facts",
    "no_candidates",
    "grouping_failed",
    "partly_judged",
    "not_judged",
    "error",
]
Stage = Literal["facts", "groups", "verdicts"]
_BARE = 0.75  # share of facts without evidence from which on a text is out of range
_MANY = 5  # number of facts of which at least one is usually supported
_MIDDLE = (0.1, 0.9)  # probabilities that the judge rarely gives to biographies
OWNED_GAP = 0.1
"""The difference between D-FS and its lower reading (`BiographyScores.dfs_owned`) that is shown."""
STAGES: tuple[Stage, ...] = ("facts", "groups", "verdicts")


@dataclass(frozen=True)
class Record:
    """A biography and everything computed from it.

    A record starts with a biography and its entities. `judge` fills in facts, groups and matrix,
    taken from the input or produced by an engine; `score_record` fills in the scores. Reports, data
    frames, printed results, mixing and comparison are views of records.

    Attributes:
        biography: The biography from the input.
        key: Hash of everything that is judged; identifies the biography in run folders.
        entities: The entities and their documents, in retrieval order.
        missing: Messages from the knowledge source about missing titles.
        facts: The facts; empty before decomposition.
        groups: The groups; None before grouping or if grouping failed.
        matrix: The verdicts and their evidence, shape ``(facts, entities)``; None before judging.
        searches: The searches for evidence about each fact; empty if no search is used.
        status: The status; None until the stages have finished.
        reason: Why the biography is not scored or not grouped.
        tells_entities_apart: False for a verifier that reads no documents and can therefore give
            only FS.
        usage: Model usage by stage.
        options: The score options.
        candidates: The rule for which entities a group may be linked to.
        candidate_columns: Columns of the entities that a group may be linked to.
        scores: The scores and links; None before scoring or if nothing can be scored.
        outside: For each group, descriptions of the people it may be about who share the name but
            have no page; empty if the dataset lists none.
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
        """Returns a copy of the record with the given entities."""
        return replace(self, entities=gathered.entities, missing=gathered.missing)

    @property
    def links(self) -> tuple[Link, ...]:
        """The link of each group; empty without scores or groups."""
        links = self.scores.links if self.scores is not None and self.groups is not None else ()
        return links if len(links) == len(self.groups or ()) else ()

    @property
    def faults(self) -> dict[str, int]:
        """Number of defects in model answers, by type (see `Tally`)."""
        faults: Counter[str] = Counter()
        for stages in self.usage.values():
            for models in stages.values():
                for counts in models.values():
                    faults.update({kind: counts[kind] for kind in FAULTS if counts.get(kind)})
        return dict(faults)

    @property
    def off_target(self) -> bool:
        """Whether the record is scored and no individual in the text bears the target name."""
        if self.scores is None or self.groups is None:
            return False
        return all(group.bears_name is False for group in self.groups)

    @cached_property
    def named(self) -> tuple[int, ...]:
        """Columns of the entities that bear the target name: known, or by a title or redirect."""
        return tuple(
            column
            for column, e in enumerate(self.entities)
            if e.bears
            or (
                e.bears is None
                and any(bears_name(title, self.name) for title in (e.id, e.label, *e.aliases))
            )
        )

    @cached_property
    def named_otherwise(self) -> dict[int, tuple[int, ...]]:
        """By group about someone with another name, the columns that bear that name."""
        bearers = {
            number: tuple(
                column
                for column, e in enumerate(self.entities)
                if any(bears_name(title, group.label) for title in (e.id, e.label, *e.aliases))
            )
            for number, group in enumerate(self.groups or ())
            if group.bears_name is False and " " in group.label
        }
        return {number: columns for number, columns in bearers.items() if columns}

    @cached_property
    def doubts(self) -> Doubts | None:
        """Open questions about the owners of passages; None if all owners are known."""
        owners, columns = self.biography.owners, {e.id: i for i, e in enumerate(self.entities)}
        certainty = [[d.certainty for d in e.documents] for e in self.entities]
        known = all(value >= 1 for row in certainty for value in row)
        certain = known and self.named and not owners.different if owners else True
        if self.matrix is None or owners is None or certain:
            return None
        own = np.ones(self.matrix.status.shape)
        for (fact, column), _ in np.ndenumerate(own):
            place = None if known else self.matrix.evidence_at(fact, column)
            if place is not None and place.document < len(certainty[column]):
                own[fact, column] = certainty[column][place.document]
        different = np.ones((len(columns), len(columns)))
        for first, second, probability, _ in owners.different:
            if first in columns and second in columns:
                pair = columns[first], columns[second]
                different[pair] = different[pair[::-1]] = probability
        return Doubts(own, different)

    @cached_property
    def decided(self) -> SupportMatrix:
        """The matrix from which scores are computed, with the threshold of the options applied.

        Raises:
            ValueError: If the record has not been judged.
        """
        if self.matrix is None:
            raise ValueError(f"biography {self.id!r} is not judged")
        threshold = self.options.threshold
        return self.matrix if threshold is None else self.matrix.at_threshold(threshold)

    @cached_property
    def standing(self) -> tuple[Standing, ...]:
        """The standing of each fact; ``"unreadable"`` before judging."""
        if self.matrix is None:
            return tuple("unreadable" for _ in self.facts)
        return standings(self.decided, *self._linked)

    @cached_property
    def why_not(self) -> tuple[WhyNot | None, ...]:
        """Whether each unsupported fact is contradicted or not stated; None for other facts."""
        if self.matrix is None:
            return (None,) * len(self.facts)
        return reasons(self.decided, *self._linked)

    @property
    def _linked(self) -> tuple[list[tuple[int, ...]], list[int | None]]:
        groups = [g.facts for g in self.groups or ()] if self.links else []
        return groups, [link.entity for link in self.links]


def pages_not_judged(record: Record) -> tuple[int, ...]:
    """Returns the columns of pages that the judge refused, did not answer about or did not read."""
    if (matrix := record.matrix) is None or not matrix.status.size:
        return ()
    failed = np.isin(matrix.status, [STATUSES.index("refused"), STATUSES.index("error")])
    unread = failed.any(axis=0) | ~matrix.readable.any(axis=0)
    return tuple(int(column) for column in np.flatnonzero(unread))


def out_of_range(record: Record) -> bool:
    """Whether a text's evidence is unlike that on which calibrated probabilities were measured.

    Either nearly all facts lack evidence, or none of several facts is supported, or no page bears
    the name and the probabilities are low or undecided.
    """
    scores, matrix = record.scores, record.matrix
    if scores is None or scores.fs is None or matrix is None or not scores.facts:
        return False
    best = np.fmax.reduce(matrix.probability[list(scores.facts)], axis=1, initial=np.nan)
    best = best[~np.isnan(best)]
    if record.options.counts == "verdicts" or not best.size:
        return False
    columns = range(len(matrix.entities))
    bare = [not any(matrix.evidence_at(fact, c) for c in columns) for fact in scores.facts]
    if matrix.evidence is not None and np.mean(bare) >= _BARE:
        return True
    if best.size >= _MANY and not scores.fs_verdicts:
        return True
    undecided = np.mean((best > _MIDDLE[0]) & (best < _MIDDLE[1]))
    return not record.named and bool(scores.fs < 0.5 or undecided >= 0.5)


def why_unsure(record: Record) -> str:
    """Returns why it is not known whether a text mixes people; empty if it is known."""
    scores, owners = record.scores, record.biography.owners
    if scores is None or owners is None or scores.dfs is None or scores.mixed is not None:
        return ""
    if not record.named:
        return f"no passage bears the name {record.name}"
    unknown = sum(not text.certain for text in owners.texts)
    if unknown:
        return f"{counted(unknown, 'passage')} may be about any of several people"
    return "the people of the passages may be the same one"


def failed_record(record: Record, error: Exception) -> Record:
    """Returns the record with an unexpected exception recorded as its error."""
    if ends_all_work(error):
        raise error
    return replace(record, status="error", reason=where_raised(error))


@dataclass(frozen=True, slots=True)
class FactCounts:
    """Number of supported facts and of other facts in a text, excluding irrelevant facts."""

    supported: float
    others: float
    all_supported: float
    all_others: float
    # Number of facts that equal an earlier one, ignoring case, whitespace and punctuation.
    repeats: int

    def f1_at(self, k: float, *, keep_repeats: bool = False) -> float:
        """Computes F1@K from the counts (see `dfactscore._metrics.f1_at_k`)."""
        if keep_repeats:
            return f1_at_k(self.all_supported, self.all_others, k)
        return f1_at_k(self.supported, self.others, k)


def count_facts(record: Record, values: Sequence[Any]) -> FactCounts:
    """Counts the relevant scored facts; among equal facts, the one with the best value counts."""
    scored = record.scores.facts if record.scores is not None else ()
    facts = [f for f in scored if record.facts[f].label != "irrelevant"]
    best: dict[str, float] = {}
    for fact in facts:
        text = plain_words(record.facts[fact].text)
        best[text] = max(best.get(text, 0.0), float(values[fact]))
    total, once = float(sum(values[fact] for fact in facts)), float(sum(best.values()))
    return FactCounts(once, len(best) - once, total, len(facts) - total, len(facts) - len(best))


def cell_values(record: Record, counts: Counts | None = None) -> NDArray[np.float64]:
    """Returns the value of each cell of a record; the cells of irrelevant facts are 0."""
    values = matrix_values(record.decided, counts=counts or record.options.counts)
    values[[i for i, fact in enumerate(record.facts) if fact.label == "irrelevant"]] = 0.0
    return values


def fact_values(record: Record, counts: Counts | None = None) -> list[float]:
    """Returns the value of each fact: the maximum over its cells."""
    values: list[float] = cell_values(record, counts).max(axis=1, initial=0.0).tolist()
    return values


def linked_values(record: Record, counts: Counts | None = None) -> list[float]:
    """Returns the value of each fact for the linked entity of its group; 0 if there is no link."""
    cells, values = cell_values(record, counts), [0.0] * len(record.facts)
    for group, link in zip(record.groups or (), record.links, strict=False):
        for fact in group.facts:
            if link.entity is not None:
                values[fact] = float(cells[fact, link.entity])
    return values
