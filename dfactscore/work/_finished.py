"""The state of a work at its end."""

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
    """The outcome of a call: how many items it finished, and which failed.

    Attributes:
        failed: The failed items, in the order of the input.
        fresh: The number of items that this call finished.
        kept: The number of items that were finished before.
    """

    failed: list[Failure] = field(default_factory=list)
    fresh: int = 0
    kept: int = 0


@dataclass(frozen=True)
class Finished(Generic[Item]):
    """The state of a work when all items were tried, for `Work.finish`.

    Attributes:
        items: The items.
        journals: The lines, in the order of the items.
        filled: The items of this call.
        files: The files of the work; None if it runs in memory.
        more: Further entries of the manifest, which `Work.finish` may add.
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
        """The folder of the work; None if it runs in memory."""
        return None if self.files is None else self.files.place.folder
