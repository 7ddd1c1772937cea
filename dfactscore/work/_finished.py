"""Results of a work, and its state when nothing more can be done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from dfactscore.work._failures import Failure
from dfactscore.work._journals import Journals
from dfactscore.work._work_folder import WorkFolder

Item = TypeVar("Item")


@dataclass
class Filled:
    """The results of one call.

    Attributes:
        failed: Items left, in their order.
        fresh: The number of items done by this call.
        kept: The number done before.
    """

    failed: list[Failure] = field(default_factory=list)
    fresh: int = 0
    kept: int = 0


@dataclass(frozen=True)
class Finished(Generic[Item]):
    """The state of a work when nothing more can be done, for its `finish`.

    Attributes:
        items: The items.
        journals: The lines, in the order of the items.
        filled: The results of this call.
        files: The files of results; None writes none.
        more: More fields of the manifest; `finish` fills it.
    """

    items: Sequence[Item]
    journals: Journals
    filled: Filled
    files: WorkFolder | None
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def failed(self) -> Sequence[Failure]:
        """Items left, in their order."""
        return self.filled.failed

    @property
    def folder(self) -> Path | None:
        """The files of results; None writes none."""
        return None if self.files is None else self.files.place.folder
