"""Means over the biographies of a run."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from dfactscore._util.numbers import mean
from dfactscore.scoring.biography import BiographyScores
from dfactscore.scoring.category import CATEGORIES
from dfactscore.scoring.record import Record, RecordStatus

__all__ = ["Summary", "summarize", "summarize_records"]


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run scores as a whole; means are None where there is nothing to average.

    Attributes:
        n: Biographies read.
        statuses: How many ended in which status.
        n_scored: Biographies with an FS.
        response_rate: Share of biographies that are not abstentions, of those without an error.
        fs, dfs, dfs_one_group: Macro averages (over biographies), fractions.
        fs_micro, dfs_micro: Averages over facts.
        kept: D-FS / FS: the mean of one divided by the mean of the other, over biographies that
            have both; None where no fact is true.
        gap: Mean of FS - D-FS over biographies that have both.
        n_both: How many have both.
        fs_both: Their mean FS, the one that the gap is taken from.
        n_bio, n_ent, n_bio_named, n_ent_named: Means.
        n_facts: Mean number of facts.
        categories: Share of each kind among the biographies that have one.
        mixed: Share of biographies with a mixed group, among those with a D-FS.
        coverage, coverage_fs: Means.
        shared_links: Biographies in which two groups are linked to one entity.
        models: How many biographies each model wrote; the scores are means over all of them.
        off_target: Biographies in which no individual bears the name.
        without_candidates: Biographies that no entity was a candidate for.
        fs_bounds, dfs_bounds: Mean bounds (policy ``"bounds"``), else None.
    """

    n: int
    statuses: Mapping[str, int]
    n_scored: int
    response_rate: float | None
    fs: float | None
    dfs: float | None
    dfs_one_group: float | None
    fs_micro: float | None
    dfs_micro: float | None
    kept: float | None
    gap: float | None
    n_both: int
    fs_both: float | None
    n_bio: float | None
    n_ent: float | None
    n_bio_named: float | None
    n_ent_named: float | None
    n_facts: float | None
    categories: Mapping[str, float]
    mixed: float | None
    coverage: float | None
    coverage_fs: float | None
    shared_links: int
    off_target: int
    without_candidates: int
    fs_bounds: tuple[float, float] | None = None
    dfs_bounds: tuple[float, float] | None = None
    models: Mapping[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """What ``summary.json`` of a run holds."""
        return asdict(self)


def summarize(
    statuses: Sequence[RecordStatus],
    scores: Sequence[BiographyScores | None],
    *,
    off_target: int = 0,
    without_candidates: int = 0,
    models: Mapping[str, int] | None = None,
) -> Summary:
    """Averages biographies: macro over biographies, micro over facts.

    Args:
        statuses: One per biography.
        scores: One per biography, None where it was not scored.
        off_target: Number of biographies about another person.
        without_candidates: Number of biographies without a candidate.
        models: How many biographies each model wrote.
    """
    have = [s for s in scores if s is not None and s.fs is not None]
    both = [s for s in have if s.dfs is not None]
    fs_both, dfs = mean([s.fs for s in both]), mean([s.dfs for s in both])
    answerable = [s for s in statuses if s != "error"]
    kinds = Counter(s.category for s in have if s.category is not None)
    return Summary(
        n=len(statuses),
        statuses=dict(sorted(Counter(statuses).items())),
        n_scored=len(have),
        response_rate=mean([float(s != "abstained") for s in answerable]),
        fs=mean([s.fs for s in have]),
        dfs=dfs,
        dfs_one_group=mean([s.dfs_one_group for s in have]),
        fs_micro=_micro([(s.fs, s.n_facts) for s in have]),
        dfs_micro=_micro([(s.dfs, s.n_facts) for s in both]),
        gap=mean([s.fs - s.dfs for s in both if s.fs is not None and s.dfs is not None]),
        kept=dfs / fs_both if fs_both and dfs is not None else None,
        n_both=len(both),
        fs_both=fs_both,
        n_bio=mean([s.n_bio for s in have]),
        n_ent=mean([s.n_ent for s in have]),
        n_bio_named=mean([s.n_bio_named for s in have]),
        n_ent_named=mean([s.n_ent_named for s in have]),
        n_facts=mean([s.n_facts for s in have]),
        categories={c: kinds[c] / kinds.total() for c in CATEGORIES} if kinds else {},
        mixed=mean([float(bool(s.mixed_groups)) for s in both]),
        coverage=mean([s.coverage for s in have]),
        coverage_fs=mean([s.coverage_fs for s in have]),
        shared_links=sum(bool(s.shared_links) for s in have),
        off_target=off_target,
        without_candidates=without_candidates,
        fs_bounds=_mean_bounds([s.fs_bounds for s in have]),
        dfs_bounds=_mean_bounds([s.dfs_bounds for s in both]),
        models=dict(models or {}),
    )


def summarize_records(records: Iterable[Record], *, n_bad: int = 0) -> Summary:
    """Averages biographies, one at a time: what each was made of is not held.

    Args:
        records: The biographies, scored.
        n_bad: Records that could not be read; they count as errors.
    """
    statuses: list[RecordStatus] = ["error" for _ in range(n_bad)]
    scores: list[BiographyScores | None] = [None for _ in range(n_bad)]
    off_target = without_candidates = 0
    models: Counter[str] = Counter()
    for record in records:
        statuses.append(record.status or "error")
        scores.append(record.scores)
        models[record.biography.model] += 1
        off_target += record.off_target
        without_candidates += record.status == "no_candidates" or (
            record.scores is not None and not record.candidate_columns
        )
    return summarize(
        statuses,
        scores,
        off_target=off_target,
        without_candidates=without_candidates,
        models=models if any(models) else {},
    )


def _micro(pairs: Sequence[tuple[float | None, int]]) -> float | None:

    given = [(v, n) for v, n in pairs if v is not None]
    total = sum(n for _, n in given)
    return math.fsum(v * n for v, n in given) / total if total else None


def _mean_bounds(bounds: Sequence[tuple[float, float] | None]) -> tuple[float, float] | None:
    given = [b for b in bounds if b is not None]
    low, high = mean([b[0] for b in given]), mean([b[1] for b in given])
    return None if low is None or high is None else (low, high)
