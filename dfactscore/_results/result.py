"""The result of a text, which prints readably and converts to a dict or data frames."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from dfactscore._results.html import result_html
from dfactscore._results.outcomes import FactResult, GroupResult, fact_results, group_results
from dfactscore._results.tables import score_row
from dfactscore._results.text import range_notes, result_lines
from dfactscore._scoring.answer_classes import answer_kind
from dfactscore._scoring.biography_scores import BiographyScores
from dfactscore._scoring.record import Record, RecordStatus
from dfactscore.linking import STATUSES

if TYPE_CHECKING:
    import pandas as pd

    from dfactscore.linking import SupportMatrix


class Result:
    """The scores of one text, and the facts, groups and verdicts from which they are computed.

    Results are equal if their texts, verdicts and scores are equal, regardless of the requests
    made.

    Args:
        record: The scored record.
    """

    def __init__(self, record: Record) -> None:
        self.record = record

    def __eq__(self, other: object) -> bool:
        return self.record == other.record if isinstance(other, Result) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.record.id, self.record.biography.text))

    @property
    def scores(self) -> BiographyScores | None:
        """All scores; None if the text is not scored."""
        return self.record.scores

    @property
    def status(self) -> RecordStatus | None:
        """``"scored"``, ``"abstained"``, ``"no_facts"``, ``"no_candidates"``, ..."""
        return self.record.status

    @property
    def reason(self) -> str:
        """Why the text is not scored or not grouped; otherwise empty."""
        return self.record.reason

    @property
    def missing(self) -> tuple[str, ...]:
        """Messages from the knowledge source about missing titles."""
        return self.record.missing

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on scores that the judge was not measured for; usually empty."""
        return range_notes(self.record)

    @property
    def name(self) -> str:
        """The target name."""
        return self.record.name

    @property
    def fs(self) -> float | None:
        """FActScore as a fraction; None if the text is not scored."""
        return self.scores.fs if self.scores else None

    @property
    def dfs(self) -> float | None:
        """D-FActScore as a fraction; None if the text has none."""
        return self.scores.dfs if self.scores else None

    @property
    def n_bio(self) -> int | None:
        """Number of individuals that a reader would tell apart."""
        return self.scores.n_bio if self.scores else None

    @property
    def n_ent(self) -> int | None:
        """Number of distinct entities that the supported facts are credited to."""
        return self.scores.n_ent if self.scores else None

    @property
    def category(self) -> str | None:
        """The type of paragraph, as defined in the paper."""
        return self.scores.category if self.scores else None

    @property
    def answer(self) -> str | None:
        """The class of the answer, such as ``"complete"`` or ``"merged"``; None if unknown."""
        return answer_kind(self.record)

    @cached_property
    def groups(self) -> tuple[GroupResult, ...]:
        """The groups and their linked entities."""
        return group_results(self.record)

    @cached_property
    def facts(self) -> tuple[FactResult, ...]:
        """The facts and their outcomes."""
        return fact_results(self.record)

    @property
    def matrix(self) -> SupportMatrix | None:
        """The verdicts used to compute the scores (facts × entities); None if there are none."""
        return None if self.record.matrix is None else self.record.decided

    def to_frame(self) -> pd.DataFrame:
        """Returns the support matrix as a data frame: a row per fact, a column per entity."""
        import pandas as pd

        matrix = self.matrix
        cells = [] if matrix is None else [[STATUSES[c] for c in row] for row in matrix.status]
        columns = [] if matrix is None else list(matrix.entities)
        texts = [fact.text for fact in self.record.facts] if matrix is not None else []
        return pd.DataFrame(cells, index=pd.Index(texts, name="fact"), columns=columns)

    def facts_frame(self) -> pd.DataFrame:
        """Returns a data frame with each fact's group, standing, supporting pages and evidence.

        Both scores count a fact with the standing ``"supported"``, only FActScore counts
        ``"elsewhere"``, and neither counts ``"unsupported"``. ``why_not`` says whether the page
        contradicts an unsupported fact or does not state it.
        """
        import pandas as pd

        columns = ["fact", "group", "standing", "supported_by", "evidence", "probability"]
        rows = [
            (
                f.fact.text,
                f.group,
                f.standing,
                ", ".join(f.supported_by),
                f.evidence,
                f.probability,
                f.why_not,
            )
            for f in self.facts
        ]
        return pd.DataFrame(rows, columns=[*columns, "why_not"])

    def to_dict(self) -> dict[str, Any]:
        """Returns the result as a dict: the columns of ``scores.csv``, groups and facts."""
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
        return "\n".join(result_lines(self.record))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))

    def _repr_html_(self) -> str:
        return result_html(self.record)
