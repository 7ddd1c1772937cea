"""Finished (or unfinished) runs, read for scoring anew, comparing and showing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore.linking import CandidateMode
from dfactscore.runs.folder import Run
from dfactscore.scoring import ScoreOptions
from dfactscore.scoring.scored import Scored, score_judged
from dfactscore.scoring.stages import Judged

if TYPE_CHECKING:
    from dfactscore.results.frames import RunFrames

__all__ = ["LoadedRun", "load_run"]


@dataclass(frozen=True)
class LoadedRun:
    """A run folder, open for reading.

    Attributes:
        folder: Where it is.
        manifest: Its settings, input and versions.
        options: How its scores were made.
        candidates: Which entities were candidates.
    """

    folder: Path
    manifest: Mapping[str, Any]
    options: ScoreOptions
    candidates: CandidateMode

    def judged(self, *, texts: bool = True) -> Iterator[Judged]:
        """Everything that was judged, one biography at a time, in the order of the input.

        Args:
            texts: With the texts of documents and passages.
        """
        return Run(self.folder).judged(texts=texts)

    def scored(
        self,
        *,
        options: ScoreOptions | None = None,
        candidates: CandidateMode | None = None,
        dataset: Mapping[str, Collection[str]] | None = None,
        texts: bool = True,
    ) -> Iterator[Scored]:
        """The scores, one biography at a time.

        Args:
            texts: With the texts of documents and passages; scores need none of them.
            options: Other choices than the run's own.
            candidates: Other candidates than the run's own.
            dataset: Titles of each name's entities, for candidates ``"dataset"``; those that the
                run recorded by default.
        """
        known = self.manifest["settings"].get("dataset") or {} if dataset is None else dataset
        for judged in self.judged(texts=texts):
            yield score_judged(
                judged,
                options=options or self.options,
                candidates=candidates or self.candidates,
                dataset=known.get(judged.biography.name, ()),
            )

    def frames(self) -> RunFrames:
        """The run as data frames: biographies, facts, groups, links, cells."""
        from dfactscore.results.frames import run_frames

        return run_frames(self.scored())

    @property
    def n_bad(self) -> int:
        """Records of the input that could not be read."""
        return int(self.manifest["input"].get("bad", 0))


def load_run(folder: str | Path) -> LoadedRun:
    """Opens a run folder for reading.

    Raises:
        RunError: If it is no run, or one that this version cannot read.
    """
    run = Run(folder)
    settings = run.manifest["settings"]
    return LoadedRun(
        run.folder, run.manifest, ScoreOptions(**settings["scores"]), settings["candidates"]
    )
