"""A run folder that is being written: journals that grow, and tables made of them at the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from dfactscore.runs.keeping import StageKeeper
from dfactscore.runs.lines import LINES
from dfactscore.runs.manifest import RunManifest
from dfactscore.runs.run import Run
from dfactscore.scoring.record import STAGES, Record, Stage
from dfactscore.work import in_folder
from dfactscore.work.folder import WorkFolder

__all__ = ["RunWriter"]


class RunWriter(Run):
    """A run folder, open for this process alone.

    Args:
        folder: The folder; a run that is there is resumed. Or its files, open already.
        manifest: Describes the run.
        keys: Keys of the input's biographies; a run is resumed by any input that has all it has
            judged.

    Raises:
        RunError: If the folder holds another run or something else, or cannot be written.
    """

    def __init__(
        self,
        folder: str | Path | WorkFolder,
        manifest: Mapping[str, Any] | None = None,
        keys: Iterable[str] | None = None,
    ) -> None:
        if not isinstance(folder, WorkFolder):
            folder = WorkFolder(in_folder(folder), manifest or {}, LINES, keys, form=RunManifest)
            folder.begin()
        self.files = folder
        self.folder = folder.place.folder
        self.manifest = folder.manifest
        self._journals = folder.journals
        self._keeper = StageKeeper(self._journals)

    def resume(self, record: Record) -> Record:
        """Fills a record with what the journals hold of it; see `StageKeeper.resume`."""
        return self._keeper.resume(record)

    def keep(self, stage: Stage, record: Record) -> None:
        """Writes a stage that is done."""
        self._keeper.keep(stage, record)

    def keep_all(self, record: Record) -> None:
        """Writes all stages of a record that was filled elsewhere."""
        self._keeper.keep_all(record)

    def end(self, record: Record) -> None:
        """Notes that a biography is finished, and how."""
        self._keeper.end(record)

    def settle(self, keys: Iterable[str]) -> None:
        """Puts the journals into the order of the input, without anything else.

        Args:
            keys: Of the input's biographies, in order; read several times.
        """
        for name in ("biographies", *STAGES):
            self._journals[name].settle(keys)

    def settle_documents(self, texts: Iterable[str]) -> None:
        """Puts the documents into the order in which the biographies refer to them.

        Args:
            texts: Digests of the documents, in order.
        """
        self._journals["documents"].settle(texts)

    def finish(self, status: str, **more: Any) -> None:
        """Writes the final manifest."""
        self.files.finish(status, **more)

    def close(self) -> None:
        """Closes the journals and lets others write the folder."""
        self.files.close()

    def __enter__(self) -> RunWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
