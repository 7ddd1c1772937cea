"""Means over the biographies in a run, and their variation when facts are judged again."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, get_args

import numpy as np

from dfactscore._records import WhyNot
from dfactscore._scoring.answer_classes import answer_kind
from dfactscore._scoring.biography_scores import (
    ANSWERS,
    CATEGORIES,
    MEASURES,
    BiographyScores,
    thinly_covered,
)
from dfactscore._scoring.record import Record, RecordStatus, out_of_range, pages_not_judged
from dfactscore._util.numbers import Mean, mean
from dfactscore._util.usage import FAULTS


@dataclass(frozen=True, slots=True)
class Summary:
    """The scores of a run; a mean is None if there are no values to average.

    Attributes:
        n: Number of biographies.
        statuses: Number of biographies by status.
        n_scored: Number of biographies with an FS.
        response_rate: Share of biographies with an answer among those without an error.
        fs, dfs, dfs_one_group: Macro averages (over biographies), as fractions.
        fs_micro, dfs_micro: Averages over facts.
        kept: D-FS / FS: the mean D-FS divided by the mean FS, over biographies that have both;
            None if no fact is true.
        gap: Mean of FS - D-FS over biographies that have both.
        n_both: Number of biographies that have both FS and D-FS.
        fs_both: Mean FS of the biographies that have both.
        n_bio, n_ent, n_bio_named, n_ent_named: Means (see `BiographyScores`).
        n_facts: Mean number of scored facts per biography.
        categories: Share of each category among the biographies that have one.
        answers: Share of each class of answers among the biographies whose class is known.
        entity_recall, entity_precision, n_evidence, n_told: Means (see `BiographyScores`).
        mixed: Share of the biographies with a D-FS that have a mixed group.
        unsure: Number of biographies of which it is not known whether they have a mixed group.
        fs_verdicts, dfs_verdicts: Means computed from verdicts, regardless of `counts`.
        coverage, coverage_fs: Means (see `BiographyScores`).
        shared_links: Number of biographies in which at least two groups are linked to the same
            entity.
        models: Number of biographies by model; the scores are means over all models.
        off_target: Number of biographies in which no individual bears the name.
        without_candidates: Number of biographies without a candidate entity.
        fs_bounds, dfs_bounds: Mean bounds over all scored texts, if a text has bounds instead of a
            score, or for the policy ``"bounds"``; otherwise None. The means that depend on the
            texts with bounds are then None.
        n_bounded: Number of texts with bounds instead of FS or D-FS (status ``"partly_judged"``, or
            ``"not_judged"`` with 0 and 1).
        pages, pages_not_judged: Number of pages, each counted for every text judged against it, and
            number of those that were not judged.
        faults: Number of defects in model answers, by type (see `Tally`).
        text_coverage: Of the sentences that make a statement, the share that yielded facts; None if
            no sentence was lost.
        counts: Values that FS, D-FS and gap are based on (`ScoreOptions.counts`); ``"mixed"`` if
            this differs between texts.
        out_of_range: Number of biographies with evidence unlike that on which calibrated
            probabilities were measured.
        contradicted, not_stated: Number of unsupported facts in the run, by reason (see
            `BiographyScores`); None if the verifier gives no evidence.
        outside: Number of facts in the run that may be about bearers of the name who have no page;
            None if no dataset lists such bearers.
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
    fs_verdicts: float | None
    dfs_verdicts: float | None
    shared_links: int
    off_target: int
    without_candidates: int
    fs_bounds: tuple[float, float] | None = None
    dfs_bounds: tuple[float, float] | None = None
    models: Mapping[str, int] = field(default_factory=dict)
    faults: Mapping[str, int] = field(default_factory=dict)
    text_coverage: float | None = None
    contradicted: int | None = None
    not_stated: int | None = None
    outside: int | None = None
    unsure: int = 0
    counts: str = "verdicts"
    n_bounded: int = 0
    pages: int = 0
    pages_not_judged: int = 0
    out_of_range: int = 0
    answers: Mapping[str, float] = field(default_factory=dict)
    entity_recall: float | None = None
    entity_precision: float | None = None
    n_evidence: float | None = None
    n_told: float | None = None

    @property
    def thin(self) -> tuple[str, ...]:
        """The scores for which too few verdicts are readable."""
        return thinly_covered({"coverage": self.coverage, "coverage_fs": self.coverage_fs})

    def to_dict(self) -> dict[str, Any]:
        """Returns the fields of ``summary.json``; some appear only if they count something."""
        fields = asdict(self)
        if not self.faults:
            del fields["faults"], fields["text_coverage"]
        if self.outside is None:
            del fields["outside"]
        if not (self.n_bounded or self.pages_not_judged):
            del fields["n_bounded"], fields["pages"], fields["pages_not_judged"]
        if not self.unsure:
            del fields["unsure"]
        return fields


class SummaryTally:
    """Running means over biographies; tallies for several parts of a run can be merged.

    A tally holds only a few numbers, regardless of the number of biographies. Means of merged
    tallies equal the means over all biographies to the last digit.
    """

    def __init__(self) -> None:
        self.n = 0
        self.statuses: Counter[RecordStatus] = Counter()
        self.models: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.answers: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        self.counted: Counter[str] = Counter()
        self.means: dict[str, Mean] = {name: Mean() for name in _MEANS}

    def add(self, record: Record) -> None:
        """Adds a scored record."""
        self.models[record.biography.model] += 1
        self.counts["off_target"] += record.off_target
        self.counts["out_of_range"] += out_of_range(record)
        self.counts["without_candidates"] += record.status == "no_candidates" or (
            record.scores is not None and not record.candidate_columns
        )
        self.faults.update(record.faults)
        if (answer := answer_kind(record)) is not None:
            self.answers[answer] += 1
        if record.usage.get("facts"):
            # Sentences with facts; `lost_sentences` counts the other sentences that state
            # something.
            self.counts["held_sentences"] += len({fact.sentence for fact in record.facts})
        if record.matrix is not None and record.matrix.status.size:
            self.counts["pages"] += len(record.entities)
            self.counts["pages_not_judged"] += len(pages_not_judged(record))
        if record.scores is not None and record.scores.fs is not None:
            self.counted[record.options.counts] += 1
        self.add_scores(record.status or "error", record.scores)

    def add_scores(self, status: RecordStatus, scores: BiographyScores | None) -> None:
        """Adds the status and scores of a biography; the scores are None if it is not scored."""
        self.n += 1
        self.statuses[status] += 1
        if scores is None or (scores.fs is None and scores.fs_bounds is None):
            return
        means = self.means
        open_fs = scores.fs is None
        open_dfs = scores.dfs is None and scores.dfs_bounds is not None
        self.counts["open_fs"] += open_fs
        self.counts["open_dfs"] += open_dfs
        self.counts["n_bounded"] += open_fs or open_dfs
        self.counts["policy"] += scores.fs_bounds is not None and not open_fs
        for name in _OF_ALL:
            means[name].add(getattr(scores, name))
        if scores.fs is not None:
            means["fs_micro"].add(scores.fs * scores.n_facts)
        self.counts["facts"] += scores.n_facts
        self.counts["shared_links"] += bool(scores.shared_links)
        for name in (*get_args(WhyNot), "outside"):
            if (value := getattr(scores, name)) is not None:
                self.counts[name] += value
        if scores.category is not None:
            self.kinds[scores.category] += 1
        _add_bounds(means, "fs", scores.fs, scores.fs_bounds)
        _add_bounds(means, "dfs", scores.dfs, scores.dfs_bounds)
        if scores.dfs is not None:
            means["fs_both"].add(scores.fs)
            means["dfs"].add(scores.dfs)
            means["dfs_verdicts"].add(scores.dfs_verdicts)
            means["gap"].add(None if scores.fs is None else scores.fs - scores.dfs)
            for name in ("entity_recall", "entity_precision", "n_evidence", "n_told"):
                means[name].add(getattr(scores, name))
            means["mixed"].add(float(scores.mixed is True))
            self.counts["unsure"] += scores.mixed is None
            means["dfs_micro"].add(scores.dfs * scores.n_facts)
            self.counts["facts_both"] += scores.n_facts

    def merge(self, other: SummaryTally) -> None:
        """Adds the tally of the biographies that follow."""
        self.n += other.n
        for name in ("statuses", "models", "kinds", "answers", "counts", "counted", "faults"):
            getattr(self, name).update(getattr(other, name))
        for name, values in other.means.items():
            self.means[name].merge(values)

    def summary(self) -> Summary:
        """Returns the means."""
        means, counts, kinds = self.means, self.counts, self.kinds
        fs_both, dfs = means["fs_both"].value, means["dfs"].value
        answerable = self.n - self.statuses["error"] - self.statuses["failed"]
        silent = self.statuses["abstained"] + self.statuses["no_answer"]
        held, lost = counts["held_sentences"], self.faults["lost_sentences"]
        open_fs, open_dfs = counts["open_fs"], counts["open_dfs"]
        summary = Summary(
            n=self.n,
            statuses={k: v for k, v in sorted(self.statuses.items()) if v},
            n_scored=means["fs"].count,
            response_rate=(answerable - silent) / answerable if answerable else None,
            fs_micro=_share(means["fs_micro"], counts["facts"]),
            dfs_micro=_share(means["dfs_micro"], counts["facts_both"]),
            kept=dfs / fs_both if fs_both and dfs is not None else None,
            n_both=means["dfs"].count,
            fs_both=fs_both,
            categories=_shares(kinds, CATEGORIES),
            answers=_shares(self.answers, ANSWERS),
            shared_links=counts["shared_links"],
            off_target=counts["off_target"],
            without_candidates=counts["without_candidates"],
            fs_bounds=_bounds(means, "fs") if open_fs or counts["policy"] else None,
            dfs_bounds=_bounds(means, "dfs") if open_dfs or counts["policy"] else None,
            models=dict(self.models) if any(self.models) else {},
            **{name: means[name].value for name in (*_OF_ALL, *_OF_BOTH)},
            faults={kind: self.faults[kind] for kind in FAULTS if self.faults[kind]},
            text_coverage=held / (held + lost) if lost else None,
            contradicted=counts.get("contradicted"),
            not_stated=counts.get("not_stated"),
            outside=counts.get("outside"),
            out_of_range=counts["out_of_range"],
            unsure=counts["unsure"],
            counts="mixed" if len(self.counted) > 1 else next(iter(self.counted), "verdicts"),
            n_bounded=counts["n_bounded"],
            pages=counts["pages"],
            pages_not_judged=counts["pages_not_judged"],
        )
        # A mean over the other texts would leave out those with unread pages, which are not a
        # random part: their facts are the ones that no read page supports.
        names = (*_OPEN_FS,) * bool(open_fs) + (*_OPEN_DFS,) * bool(open_dfs)
        missing: dict[str, Any] = dict.fromkeys(names)
        if open_dfs:
            missing |= {"categories": {}, "answers": {}}
        return replace(summary, **missing)


def summarize(
    statuses: Sequence[RecordStatus],
    scores: Sequence[BiographyScores | None],
    *,
    off_target: int = 0,
    without_candidates: int = 0,
    models: Mapping[str, int] | None = None,
) -> Summary:
    """Averages scores over biographies (macro) and over facts (micro)."""
    tally = SummaryTally()
    for status, biography_scores in zip(statuses, scores, strict=True):
        tally.add_scores(status, biography_scores)
    tally.counts.update(off_target=off_target, without_candidates=without_candidates)
    tally.models.update(models or {})
    return tally.summary()


def summarize_records(records: Iterable[Record], *, n_bad: int = 0) -> Summary:
    """Averages the scores of records, which are read one at a time and not kept in memory."""
    tally = tally_of_bad(n_bad)
    for record in records:
        tally.add(record)
    return tally.summary()


def tally_of_bad(n_bad: int) -> SummaryTally:
    """Creates a tally of records that could not be read, which count as errors."""
    tally = SummaryTally()
    for _ in range(n_bad):
        tally.add_scores("error", None)
    return tally


# Means over all scored biographies, and over those with a D-FS.
_OF_ALL = tuple(m.name for m in MEASURES.values() if m.of == "scored")
_OF_BOTH = tuple(m.name for m in MEASURES.values() if m.of == "both")
_OPEN_FS = ("fs", "fs_verdicts", "fs_micro", "fs_both", "gap", "kept", "contradicted", "not_stated")
_OPEN_DFS = (
    *("dfs", "dfs_verdicts", "dfs_one_group", "dfs_micro", "gap", "kept", "n_ent", "n_ent_named"),
    *("mixed", "contradicted", "not_stated", "entity_recall", "entity_precision", "n_told"),
)
_MEANS = (
    *_OF_ALL,
    *_OF_BOTH,
    *("fs_both", "fs_micro", "dfs_micro"),
    *("fs_low", "fs_high", "dfs_low", "dfs_high"),
)


def _shares(counts: Counter[str], kinds: Sequence[str]) -> dict[str, float]:
    return {kind: counts[kind] / counts.total() for kind in kinds} if counts else {}


def _share(total: Mean, facts: int) -> float | None:
    return total.total / facts if facts else None


def _add_bounds(
    means: dict[str, Mean], name: str, score: float | None, bounds: tuple[float, float] | None
) -> None:
    for end, value in zip(("low", "high"), bounds or (score, score), strict=True):
        means[f"{name}_{end}"].add(value)


def _bounds(means: Mapping[str, Mean], name: str) -> tuple[float, float] | None:
    low, high = means[f"{name}_low"].value, means[f"{name}_high"].value
    return None if low is None or high is None else (low, high)


def spread(repetitions: Sequence[Sequence[Record]]) -> dict[str, Any]:
    """Describes the variation across repetitions of a job."""
    result: dict[str, Any] = {"repeats": len(repetitions)}
    for name in ("fs", "dfs"):
        rows = [[getattr(s.scores, name, None) for s in scored] for scored in repetitions]
        means = [value for row in rows if (value := mean(row)) is not None]
        columns = ([v for v in column if v is not None] for column in zip(*rows, strict=True))
        single = [statistics.stdev(values) for values in columns if len(values) > 1]
        result[name] = {
            "mean": mean(means),
            "sd": statistics.stdev(means) if len(means) > 1 else None,
            "min": min(means, default=None),
            "max": max(means, default=None),
            "sd_of_one_biography": mean(single),
            "each": means,
        }
    # Under `fs` and `dfs`: the macro average of each repetition (`each`); the mean, standard
    # deviation (n - 1), minimum and maximum of these averages; and the mean standard deviation of a
    # single biography's score. Under `flipped`: the share of fact-entity cells whose status differs
    # between repetitions.
    return {**result, "flipped": _flipped(repetitions)}


def _flipped(repetitions: Sequence[Sequence[Record]]) -> float | None:
    """Returns the share of cells whose status differs between repetitions."""
    cells = flips = 0
    for same in zip(*repetitions, strict=True):
        matrices = [s.matrix for s in same if s.matrix is not None]
        if len({m.status.shape for m in matrices}) == 1 and len(matrices) == len(same):
            status = np.stack([m.status for m in matrices])
            cells += status[0].size
            flips += int((status != status[0]).any(axis=0).sum())
    return flips / cells if cells else None
