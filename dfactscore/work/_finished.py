"""What a work did, and what it has when nothing more can be done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from dfactscore.work._failures import Failure
from dfactscore.work._lines import Journals
from dfactscore.work._work_folder import WorkFolder

Item = TypeVar("Item")


@dataclass
class Filled:
    """What one call did.

    Attributes:
        failed: Items left, in their order.
        fresh: How many items were done by this call.
        kept: How many were done before.
    """

    failed: list[Failure] = field(default_factory=list)
    fresh: int = 0
    kept: int = 0


@dataclass(frozen=True)
class Finished(Generic[Item]):
    """What a work has when nothing more can be done, for its `finish`.

    Attributes:
        items: The items.
        journals: The lines, in the order of the items.
        filled: What this call did.
        files: Where results are written; None for nowhere.
        more: What else the manifest is to say; `finish` fills it.
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
        """Where results are written; None for nowhere."""
        return None if self.files is None else self.files.place.folder
