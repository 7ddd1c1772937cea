"""Result objects that print readably and convert to dicts and data frames."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from dfactscore.linking import STATUSES
from dfactscore.records import Entity, Evidence, Fact, WhyNot
from dfactscore.results.html import result_html
from dfactscore.results.tables import score_row
from dfactscore.results.text import result_lines
from dfactscore.scoring.biography import BiographyScores
from dfactscore.scoring.record import Record, RecordStatus
from dfactscore.scoring.standing import Standing

if TYPE_CHECKING:
    import pandas as pd

    from dfactscore.linking import SupportMatrix

__all__ = ["FactResult", "GroupResult", "Result", "quoted"]


@dataclass(frozen=True, slots=True)
class FactResult:
    """How one fact fared.

    Attributes:
        fact: The fact.
        group: Index of its group, or None without a grouping.
        standing: ``"supported"`` by the linked entity; ``"elsewhere"``, supported by another only
            (FActScore counts it, D-FActScore does not); ``"unsupported"``; ``"unreadable"``.
        supported_by: Ids of all entities that support it, by retrieval rank.
        evidence: The sentence that decided, from the linked entity's documents, or from those of
            the best supporting one, or None.
        probability: Of support by that entity, or None.
        conflict: The words of the same documents that contradict the fact, or None.
        why_not: Of an unsupported fact ``"contradicted"`` or ``"not_stated"``, by the linked
            entity's documents (by any, without a link); None where the verifier shows no places.
    """

    fact: Fact
    group: int | None
    standing: Standing
    supported_by: tuple[str, ...]
    evidence: str | None
    probability: float | None
    conflict: str | None = None
    why_not: WhyNot | None = None


@dataclass(frozen=True, slots=True)
class GroupResult:
    """One perceived individual and the entity that it is linked to.

    Attributes:
        label: The individual's name as the text writes it.
        facts: Indices of its facts.
        entity: Id of the linked entity, or None.
        support: Number of its facts that the entity supports, or the expected number.
        runner_up: Id of the best other entity with any support, or None.
        margin: Support of the link minus that of the runner-up.
        bears_name: Whether the individual bears the target name; None where unknown.
        outside: Bearers of the name without a page, as the dataset lists them, one of which a
            group that no candidate supports may be about.
    """

    label: str
    facts: tuple[int, ...]
    entity: str | None
    support: float
    runner_up: str | None
    margin: float
    bears_name: bool | None
    outside: tuple[str, ...] = ()


class Result:
    """The scores of one text, with everything they were made of.

    Args:
        record: The scored record, of which this is a view.
    """

    def __init__(self, record: Record) -> None:
        self.record = record

    @property
    def scores(self) -> BiographyScores | None:
        """All scores, or None where the text is not scored."""
        return self.record.scores

    @property
    def status(self) -> RecordStatus | None:
        """``"scored"``, ``"abstained"``, ``"no_facts"``, ``"no_candidates"``, ..."""
        return self.record.status

    @property
    def reason(self) -> str:
        """Why the text is not scored, or not grouped; empty otherwise."""
        return self.record.reason

    @property
    def missing(self) -> tuple[str, ...]:
        """What the knowledge source said of each title that it lacks."""
        return self.record.missing

    @property
    def name(self) -> str:
        """The target name."""
        return self.record.name

    @property
    def fs(self) -> float | None:
        """FActScore, a fraction."""
        return self.scores.fs if self.scores else None

    @property
    def dfs(self) -> float | None:
        """D-FActScore, a fraction."""
        return self.scores.dfs if self.scores else None

    @property
    def n_bio(self) -> int | None:
        """Number of biographies that a reader tells apart."""
        return self.scores.n_bio if self.scores else None

    @property
    def n_ent(self) -> int | None:
        """Number of entities that the supported facts come from."""
        return self.scores.n_ent if self.scores else None

    @property
    def category(self) -> str | None:
        """The paper's kind of paragraph."""
        return self.scores.category if self.scores else None

    @cached_property
    def groups(self) -> tuple[GroupResult, ...]:
        """The groups with their links."""
        ids = [e.id for e in self.record.entities]
        groups = self.record.groups or ()
        outside = self.record.outside or ((),) * len(groups)
        return tuple(
            GroupResult(
                group.label,
                group.facts,
                None if link.entity is None else ids[link.entity],
                link.support,
                None if link.runner_up is None else ids[link.runner_up],
                link.margin,
                group.bears_name,
                lines,
            )
            for group, link, lines in zip(groups, self.record.links, outside, strict=False)
        )

    @cached_property
    def facts(self) -> tuple[FactResult, ...]:
        """The facts with their outcome."""
        record = self.record
        if self.scores is None:
            return tuple(FactResult(f, None, "unreadable", (), None, None) for f in record.facts)
        group_of = {f: g for g, group in enumerate(self.groups) for f in group.facts}
        return tuple(self._fact(i, group_of.get(i)) for i in range(len(record.facts)))

    def _fact(self, index: int, group: int | None) -> FactResult:
        record, matrix = self.record, self.record.decided
        by_rank = sorted(range(len(matrix.entities)), key=lambda e: matrix.ranks[e])
        supporters = [e for e in by_rank if matrix.support[index, e]]
        linked = None if group is None else record.links[group].entity
        shown = linked if linked in supporters or not supporters else supporters[0]
        evidence = conflict = probability = None
        if shown is not None:
            p = float(matrix.probability[index, shown])
            probability = None if math.isnan(p) else p
            evidence = quoted(record.entities[shown], matrix.evidence_at(index, shown))
            conflict = quoted(record.entities[shown], matrix.conflict_at(index, shown))
        return FactResult(
            fact=record.facts[index],
            group=group,
            standing=record.standing[index],
            supported_by=tuple(matrix.entities[e] for e in supporters),
            evidence=evidence,
            probability=probability,
            conflict=conflict,
            why_not=record.why_not[index],
        )

    @property
    def matrix(self) -> SupportMatrix | None:
        """The verdicts that the scores were made of, facts × entities; None without any."""
        return None if self.record.matrix is None else self.record.decided

    def to_frame(self) -> pd.DataFrame:
        """The support matrix: one row a fact, one column an entity, verdicts as words."""
        import pandas as pd

        matrix = self.matrix
        cells = [] if matrix is None else [[STATUSES[c] for c in row] for row in matrix.status]
        columns = [] if matrix is None else list(matrix.entities)
        texts = [fact.text for fact in self.record.facts] if matrix is not None else []
        return pd.DataFrame(cells, index=pd.Index(texts, name="fact"), columns=columns)

    def facts_frame(self) -> pd.DataFrame:
        """One row a fact: its group, how it stands, by whose page it is true, and the evidence.

        ``standing`` says which score counts it: ``"supported"`` both, ``"elsewhere"`` FActScore
        only, ``"unsupported"`` neither. ``why_not`` says of the unsupported ones whether the page
        contradicts them.
        """
        import pandas as pd

        columns = ["fact", "group", "standing", "supported_by", "evidence", "probability"]
        rows = [
            (f.fact.text, f.group, f.standing, ", ".join(f.supported_by), f.evidence, f.probability,
             f.why_not)
            for f in self.facts
        ]  # fmt: skip
        return pd.DataFrame(rows, columns=[*columns, "why_not"])

    def to_dict(self) -> dict[str, Any]:
        """The row of ``scores.csv`` with groups and facts."""
        row = score_row(self.record)
        row["groups"] = [
            {name: getattr(g, name) for name in GroupResult.__slots__} for g in self.groups
        ]
        row["facts"] = [
            {
                "text": f.fact.text,
                "group": f.group,
                "standing": f.standing,
                "supported_by": list(f.supported_by),
                "evidence": f.evidence,
                "probability": f.probability,
                "conflict": f.conflict,
                "why_not": f.why_not,
            }
            for f in self.facts
        ]
        return row

    def __repr__(self) -> str:
        return f"Result(name={self.name!r}, status={self.status!r}, fs={self.fs}, dfs={self.dfs})"

    def __str__(self) -> str:
        return "\n".join(result_lines(self))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))

    def _repr_html_(self) -> str:
        return result_html(self)


def quoted(entity: Entity, place: Evidence | None) -> str | None:
    """The words at a place in an entity's documents."""
    if place is None:
        return None
    return entity.documents[place.document].text[place.start : place.end]
