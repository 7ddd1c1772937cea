"""Compares runs: levels and intervals, paired differences and tests, and rank stability."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import combinations
from pathlib import Path
from string import ascii_lowercase
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from dfactscore._errors import InputError
from dfactscore._metrics import PAPER_KS
from dfactscore._scoring.biography_scores import MEASURES, THIN_NOTE, counts_differ
from dfactscore.comparison._comparison_tables import counts_line
from dfactscore.comparison._loading import By, Source, load_scores, runs_in
from dfactscore.comparison._notes import reason_notes, unlike_details, unlike_evidence, unlike_lines
from dfactscore.comparison._ranks import RankStability, rank_stability
from dfactscore.comparison._result import Comparison
from dfactscore.comparison._scores import RunScores, with_f1
from dfactscore.comparison._types import TESTED, Difference, Level, ModelLevels
from dfactscore.measures._resampling import Pair, paired_tests, percentile_intervals
from dfactscore.retrieval._normalize import normalize_title

_NAMES_ONLY = (
    "Intervals and tests are over names only: they cover the choice of names, but not that of "
    "the model's sample, the verifier or the snapshot."
)


def compare(
    runs: Mapping[str, Source] | Sequence[Source] | str | Path,
    *,
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
    by: By = "auto",
    tests: bool = True,
    f1_at: Sequence[float | str] = PAPER_KS,
    judged_by: str | Path | None = None,
    tested: Sequence[str] = TESTED,
) -> Comparison:
    """Compares runs on FActScore, D-FActScore and the gap between them.

    Levels and their percentile bootstrap intervals are computed over the names of each run, as in
    the paper's Table 4. Differences and paired permutation tests are computed over the names that
    both runs answered; the tests are Holm-corrected over all pairs and the three scores. Runs are
    aligned by name, and released files by position.

    Args:
        runs: Run folders, folders of runs (such as an experiment), released evaluation files, data
            frames or lists of records; the keys of a mapping are their labels.
        confidence: The confidence level of the intervals; tests use the level ``1 - confidence``.
        resamples: The number of bootstrap samples and of random permutations.
        seed: Random seed for both; the same seed reproduces the same digits.
        by: Whether there is one row per ``"run"`` or per ``"model"``; ``"auto"`` splits runs that
            contain several models.
        tests: Whether to test pairs of runs.
        f1_at: Values of K for F1@K: numbers, or the ``"median"`` or ``"max"`` number of facts per
            text over all runs.
        judged_by: A folder written by ``meta run`` that contains the accuracy of the runs'
            verifiers.
        tested: The measures whose differences are tested.

    Raises:
        InputError: If a run cannot be read, if there are no runs, or if two runs have the same
            label.
    """
    if not 0 < confidence < 1:
        raise InputError(f"confidence is {confidence}; it must lie between 0 and 1")
    if not 100 <= resamples <= 1_000_000:
        raise InputError(f"resamples is {resamples}; give 100 to 1000000 (10000 is usual)")
    scores = with_f1(_load(runs, by, judged_by), f1_at)
    models = tuple(
        _levels(run, _letter(i), confidence, resamples, seed) for i, run in enumerate(scores)
    )
    differences: tuple[Difference, ...] = ()
    notes: list[str] = []
    if tests:
        differences, notes = _differences(scores, confidence, resamples, seed, tested)
    notes.extend(_shared_notes(scores))
    notes.extend(note for run in scores for note in _gap_of(run))
    if any(model.thin for model in models):
        notes.append(THIN_NOTE)
    notes.extend(filter(None, [counts_line(scores)]))
    notes.extend(_by_verdicts(models))
    notes.extend(reason_notes(scores))
    notes.extend(unlike_lines(scores))
    notes.extend(unlike_evidence(scores))
    return Comparison(
        models=models,
        differences=differences,
        ranks=_ranks(scores, resamples, seed),
        confidence=confidence,
        resamples=resamples,
        seed=seed,
        notes=(_NAMES_ONLY, *dict.fromkeys(notes)),
        details=tuple(unlike_details(scores)),
        scores=scores,
    )


def _shared_notes(scores: Sequence[RunScores]) -> list[str]:
    """Returns the runs' notes; a note shared by several runs appears once, with their labels."""
    labels: dict[str, list[str]] = {}
    for run in scores:
        for note in run.notes:
            has_label = note.startswith(start := f"{run.label}: ")
            labels.setdefault(note.removeprefix(start), []).extend([run.label] if has_label else [])
    return [
        f"{', '.join(runs_with_note)}: {note}" if runs_with_note else note
        for note, runs_with_note in labels.items()
    ]


def _load(
    runs: Mapping[str, Source] | Sequence[Source] | str | Path,
    by: By,
    judged_by: str | Path | None,
) -> tuple[RunScores, ...]:
    if by not in get_args(By):
        raise InputError(f"by={by!r} is unknown; choose {', '.join(get_args(By))}")
    labeled: Sequence[tuple[str, Source]]
    if isinstance(runs, Mapping):
        labeled = list(runs.items())
    else:
        labeled = []
        for source in (runs,) if isinstance(runs, (str, Path)) else runs:
            inside = runs_in(source) if isinstance(source, (str, Path)) else {}
            labeled += list(inside.items()) or [("", source)]
    single_run = len(labeled) == 1
    scores = tuple(
        part
        for label, source in labeled
        for part in load_scores(
            source, label=label, by=by, single_run=single_run, judged_by=judged_by
        )
    )
    if not scores:
        raise InputError("nothing to compare: give at least one run")
    labels = [run.label for run in scores]
    for label in labels:
        if labels.count(label) > 1:
            raise InputError(f"two runs are called {label!r}; give them different labels")
    return scores


def _gap_of(run: RunScores) -> list[str]:
    """Returns a note on the FS of the texts used for a run's gap, if some texts are not used."""
    texts, paired = run.weights["fs"].sum(), run.paired.sum()
    if not paired or paired == texts:
        return []
    return [
        f"{run.label}: FS is over {texts:.0f} biographies, D-FS and gap over the {paired:.0f} that "
        f"have both; the FS of those is {100 * run.fs_paired:.1f}"
    ]


_TIED = 0.005  # runs that are nearer to each other have no order


def _by_verdicts(models: Sequence[ModelLevels]) -> Iterator[str]:
    """Returns notes on scores that are far from those by verdicts or order the runs differently."""
    for name in ("fs", "dfs"):
        pairs = {
            model.label: (model.levels[name].mean, model.levels[f"{name}_verdicts"].mean)
            for model in models
            if name in model.levels and f"{name}_verdicts" in model.levels
        }
        shown = ", ".join(f"{run} {100 * pair[1]:.1f}" for run, pair in pairs.items())
        if any(
            (one[0] - two[0]) * (one[1] - two[1]) < 0 and abs(one[0] - two[0]) > _TIED
            for one, two in combinations(pairs.values(), 2)
        ):
            yield f"{MEASURES[name].title} by verdicts orders the runs differently: {shown}"
        elif counts_differ(*pairs.values()):
            yield f"{MEASURES[name].title} by verdicts: {shown}"


def _letter(index: int) -> str:
    return ascii_lowercase[index] if index < 26 else f"({index + 1})"


def _levels(
    run: RunScores, letter: str, confidence: float, resamples: int, seed: int
) -> ModelLevels:
    has_value = {m: ~np.isnan(run.values[m]) for m in run.values}
    if not run.weights["kept"].any():
        has_value["kept"][:] = False  # undefined if no facts are supported
    levels = {m: Level(run.aggregates[m], None, 0) for m in run.aggregates}
    by_mask: dict[bytes, list[str]] = {}
    for measure in run.values:
        if has_value[measure].any():
            by_mask.setdefault(has_value[measure].tobytes(), []).append(measure)
    for measures in by_mask.values():  # measures with values for the same names share the draws
        mask = has_value[measures[0]]
        values = np.column_stack([run.values[m][mask] for m in measures])
        weights = np.column_stack([run.weights[m][mask] for m in measures])
        intervals = percentile_intervals(
            values, weights=weights, confidence=confidence, resamples=resamples, seed=seed
        )
        counts = weights.sum(axis=0)
        means = (values * weights).sum(axis=0) / counts
        for m, mean, n, interval in zip(measures, means, counts, intervals, strict=True):
            levels[m] = Level(float(mean), interval, int(run.paired.sum() if m == "kept" else n))
    ordered = {m: levels[m] for m in dict.fromkeys((*MEASURES, *run.values)) if m in levels}
    judge = run.settings.get("verifier", "")
    counts = (run.biographies, run.answered)
    return ModelLevels(run.label, letter, *counts, run.evidence, ordered, judge)


def _differences(
    scores: tuple[RunScores, ...],
    confidence: float,
    resamples: int,
    seed: int,
    measures: Sequence[str],
) -> tuple[tuple[Difference, ...], list[str]]:
    notes = []
    tests: list[tuple[str, str, list[str]]] = []
    pairs: list[Pair] = []
    for first, second in combinations(scores, 2):
        pair = _aligned((first, second), measures)
        if pair is None:
            notes.append(f"{first.label} and {second.label}: {_reason_not_tested(first, second)}")
            continue
        # A verifier without documents yields only FActScore, which is still tested.
        tested = [m for m in measures if not np.isnan(pair[m]).all(axis=0).any()] or list(measures)
        if fs_only := [run.label for run in (first, second) if _gives_fs_only(run)]:
            notes.append(
                f"{' and '.join(fs_only)}: no D-FActScore and no number of entities (the verifier "
                "reads no documents and cannot tell entities apart)"
            )
        paired = np.column_stack([pair[m][:, 0] - pair[m][:, 1] for m in tested])
        paired = paired[~np.isnan(paired).any(axis=1)]
        if len(paired) < 2:
            notes.append(f"{first.label} and {second.label}: fewer than two names in common")
            continue
        tests.append((first.label, second.label, tested))
        pairs.append(Pair(paired))
    results = paired_tests(pairs, confidence=confidence, resamples=resamples, seed=seed)
    return tuple(
        Difference(first=first, second=second, measure=measure, **asdict(test))
        for (first, second, tested), row in zip(tests, results, strict=True)
        for measure, test in zip(tested, row, strict=True)
    ), list(dict.fromkeys(notes))


def _gives_fs_only(run: RunScores) -> bool:
    return run.settings.get("verifier.name") == "llm-verifier-no-context"


def _aligned(
    scores: tuple[RunScores, ...], measures: Sequence[str] = TESTED
) -> dict[str, NDArray[np.float64]] | None:
    """Returns an array (common names, runs) for each measure; None if no names are common."""
    if len({run.positional for run in scores}) > 1:
        return None
    if scores[0].positional and len({len(run) for run in scores}) > 1:
        return None
    places = [{normalize_title(name): i for i, name in enumerate(run.names)} for run in scores]
    common = [name for name in places[0] if all(name in p for p in places[1:])]
    if not scores[0].positional:
        common.sort()  # so that draws do not depend on the order of the runs
    if not common:
        return None
    return {
        m: np.column_stack(
            [run.values[m][[p[n] for n in common]] for run, p in zip(scores, places, strict=True)]
        )
        for m in measures
    }


def _reason_not_tested(first: RunScores, second: RunScores) -> str:
    if first.positional != second.positional:
        return "not tested, because one of them has no names"
    if first.positional:
        return f"not tested, because they have {len(first)} and {len(second)} records without names"
    return "not tested, because they have no name in common"


def _ranks(scores: tuple[RunScores, ...], resamples: int, seed: int) -> RankStability | None:
    if len(scores) < 2:
        return None
    aligned = _aligned(scores)
    if aligned is None:
        return None
    labels = tuple(run.label for run in scores)
    return rank_stability(labels, aligned["fs"], aligned["dfs"], resamples=resamples, seed=seed)
