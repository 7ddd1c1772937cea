"""Snapshot dates of the data used for names, retrieval and verification."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dfactscore.retrieval import KnowledgeSource


def gather_snapshots(
    retrieved: Iterable[str], source: KnowledgeSource | None, *, names: str = ""
) -> dict[str, list[str]]:
    """Collects the known snapshot dates."""
    dates = sorted(set(retrieved))
    of_source = dates if source is None else [source.snapshot]
    # Sorted dates, keyed by `names`, `retrieval` and `verification`; empty if unknown.
    return {
        "names": [names] if names else [],
        "retrieval": dates,
        "verification": [date for date in of_source if date],
    }


def snapshots_differ(snapshots: dict[str, list[str]]) -> bool:
    """Whether any two of the known dates differ."""
    return len({date for dates in snapshots.values() for date in dates}) > 1


def describe_snapshots(snapshots: dict[str, list[str]]) -> str:
    """Formats the known dates for a message.

    Example:
        >>> describe_snapshots({"names": [], "retrieval": ["2018-12-20"], "verification": []})
        'retrieval 2018-12-20'
    """
    return ", ".join(f"{part} {'/'.join(dates)}" for part, dates in snapshots.items() if dates)
