"""The state of a task when it ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from dfactscore.work._failures import Failure
from dfactscore.work._line_store import Journals
from dfactscore.work._work_folder import WorkFolder

Item = TypeVar("Item")


@dataclass
class Filled:
    """The outcome of a call: how many items it finished and which items failed."""

    failed: list[Failure] = field(default_factory=list)  # failed items, in the order of the input
    fresh: int = 0
    kept: int = 0


@dataclass(frozen=True)
class Finished(Generic[Item]):
    """The state of a task when all items have been tried, for `Work.finish`.

    Attributes:
        items: The items.
        journals: The journals, with their lines in the order of the items.
        filled: The outcome of this call.
        files: The files of the task; None if it runs in memory.
        more: Additional entries for the manifest, which `Work.finish` may add.
    """

    items: Sequence[Item]
    journals: Journals
    filled: Filled
    files: WorkFolder | None
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def failed(self) -> Sequence[Failure]:
        """The failed items, in the order of the input."""
        return self.filled.failed

    @property
    def folder(self) -> Path | None:
        """The folder of the task; None if it runs in memory."""
        return None if self.files is None else self.files.place.folder
