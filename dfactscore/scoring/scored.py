"""From what was judged to scores: pure functions, so that a saved run can be scored anew."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from dfactscore.engines.corpus import CORPUS
from dfactscore.linking import CandidateMode, SupportMatrix, bears_name, candidate_mask
from dfactscore.scoring import BiographyScores, ScoreOptions, Summary, score_matrix, summarize
from dfactscore.scoring.stages import Judged
from dfactscore.scoring.summary import RecordStatus

__all__ = ["Scored", "score_judged", "summarize_scored"]


@dataclass(frozen=True)
class Scored:
    """A biography with its scores.

    Attributes:
        judged: Facts, groups, entities and verdicts.
        scores: The scores, or None where the biography is not scored.
        off_target: Whether no individual of the text bears the name.
        n_candidates: How many entities a group may be linked to.
        options: How the scores were made.
        candidates: Which entities were candidates.
        candidate_columns: Columns of the entities that a group may be linked to.
    """

    judged: Judged
    scores: BiographyScores | None
    off_target: bool = False
    n_candidates: int = 0
    options: ScoreOptions = field(default_factory=ScoreOptions)
    candidates: CandidateMode = "retrieved"
    candidate_columns: tuple[int, ...] = ()

    @cached_property
    def matrix(self) -> SupportMatrix:
        """The support matrix, with the verdicts that the scores were made of."""
        matrix = self.judged.matrix
        if matrix is None:
            raise ValueError(f"biography {self.id!r} is not judged")
        threshold = self.options.threshold
        return matrix if threshold is None else matrix.at_threshold(threshold)

    @property
    def id(self) -> str:
        """The biography's id."""
        return self.judged.biography.id

    @property
    def name(self) -> str:
        """The target name."""
        return self.judged.biography.name


def score_judged(
    judged: Judged,
    *,
    options: ScoreOptions | None = None,
    candidates: CandidateMode = "retrieved",
    dataset: Collection[str] = (),
) -> Scored:
    """Scores what was judged; no model is asked.

    Args:
        judged: One biography.
        options: How scores are made of the matrix; the paper's choices by default.
        candidates: Which entities a group may be linked to; FS ranges over all.
        dataset: Titles of the name's entities, for candidates ``"dataset"``; where there are none,
            there is no D-FActScore, and the reason says so.

    Raises:
        dfactscore.linking.LinkingError: If the options cannot be applied.
    """
    options = options or ScoreOptions()
    if judged.matrix is None or judged.status not in ("scored", "grouping_failed"):
        return Scored(judged, None, options=options, candidates=candidates)
    name = judged.biography.name
    titles = [(e.id, e.label, *e.aliases) for e in judged.entities]
    unlisted = candidates == "dataset" and not dataset
    mask = (
        np.zeros(len(titles), dtype=bool)
        if unlisted
        else candidate_mask(titles, name, mode=candidates, dataset=dataset)
    )
    columns = {e.id: i for i, e in enumerate(judged.entities)}
    fs_only = [columns[CORPUS]] if CORPUS in columns else []
    mask[fs_only] = False
    groups = judged.groups
    links = judged.biography.links if groups is not None else None
    scores = score_matrix(
        judged.matrix,
        None if groups is None else [g.facts for g in groups],
        options=options,
        candidates=mask,
        fs_only=fs_only,
        named_entities=[i for i, row in enumerate(titles) if any(bears_name(t, name) for t in row)],
        named_groups=None if groups is None else [g.bears_name for g in groups],
        irrelevant=[i for i, f in enumerate(judged.facts) if f.label == "irrelevant"],
        fixed_links=None if links is None else [columns.get(e or "") for e in links],
        dfs_reason=f"the dataset lists nobody called {name!r}" if unlisted else _no_dfs(judged),
    )
    off_target = groups is not None and all(g.bears_name is False for g in groups)
    columns_linked = tuple(int(c) for c in np.flatnonzero(mask))
    return Scored(judged, scores, off_target, int(mask.sum()), options, candidates, columns_linked)


def _no_dfs(judged: Judged) -> str:
    if not judged.tells_entities_apart:
        return "the verifier reads no documents and cannot tell entities apart"
    return judged.reason if judged.groups is None else ""


def summarize_scored(scored: Iterable[Scored], *, n_bad: int = 0) -> Summary:
    """Averages biographies, one at a time: what each was made of is not held.

    Args:
        scored: The biographies.
        n_bad: Records that could not be read; they count as errors.
    """
    statuses: list[RecordStatus] = ["error" for _ in range(n_bad)]
    scores: list[BiographyScores | None] = [None for _ in range(n_bad)]
    off_target = without_candidates = 0
    for one in scored:
        statuses.append(one.judged.status)
        scores.append(one.scores)
        off_target += one.scores is not None and one.off_target
        without_candidates += one.judged.status == "no_candidates" or (
            one.scores is not None and not one.n_candidates
        )
    return summarize(statuses, scores, off_target=off_target, without_candidates=without_candidates)
