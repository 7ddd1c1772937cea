"""Scores of a run again, from its saved verdicts, with other options."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dfactscore.linking import CandidateMode
from dfactscore.results.tables import tabulate
from dfactscore.runs import load_run
from dfactscore.scoring.summary import Summary

__all__ = ["Rescored", "rescore"]


@dataclass(frozen=True, slots=True)
class Rescored:
    """The scores of a run under other options.

    Attributes:
        rows: One row a biography, as in ``scores.csv``.
        summary: Their means.
        settings: The run's settings with what was changed.
        expected: Biographies that the finished run has.
    """

    rows: tuple[Mapping[str, Any], ...]
    summary: Summary
    settings: Mapping[str, Any]
    expected: int

    @property
    def unfinished(self) -> bool:
        """Whether some biographies of the run are not judged yet."""
        return len(self.rows) < self.expected


def rescore(
    run: str | Path,
    *,
    candidates: CandidateMode | None = None,
    dataset: str | Path | None = None,
    **changes: Any,
) -> Rescored:
    """Scores a run again without judging anything.

    Args:
        run: The run folder.
        candidates: Which entities a group may be linked to; as in the run by default.
        dataset: An AmbigBio file, for candidates ``"dataset"``.
        **changes: Options of `dfactscore.ScoreOptions`; as in the run where not given.

    Raises:
        RunError: If it is not a run that can be read.
        InputError: If an option is wrong, or a dataset is needed and not given.
    """
    from dfactscore.evidence.pages import open_dataset

    loaded = load_run(run)
    chosen = candidates or loaded.candidates
    options = loaded.options.changed(**changes)
    recorded = loaded.settings.get("dataset")
    titles: Mapping[str, Collection[str]] | None = None
    if dataset or not recorded:
        titles = open_dataset(None if dataset is None else Path(dataset), chosen)[0]
    records = loaded.records(options=options, candidates=chosen, dataset=titles, texts=False)
    rows, summary = tabulate(records, n_bad=loaded.n_bad)
    return Rescored(
        tuple(rows),
        summary,
        {**loaded.settings, "candidates": chosen, "scores": asdict(options)},
        int(loaded.manifest["input"]["records"]) - loaded.n_bad,
    )
