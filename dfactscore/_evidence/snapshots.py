"""Snapshot dates of names, retrieval and verification."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dfactscore.retrieval import KnowledgeSource


def gather_snapshots(
    retrieved: Iterable[str], source: KnowledgeSource | None, *, names: str = ""
) -> dict[str, list[str]]:
    """Finds the snapshot dates that are known.

    Args:
        retrieved: Dates of the retrieved texts, as biographies have them in a field ``snapshot``.
        source: Evidence; None for the retrieved passages.
        names: Date of the dataset of names.

    Returns:
        Sorted dates under ``names``, ``retrieval`` and ``verification``; empty if unknown.
    """
    dates = sorted(set(retrieved))
    judged = dates if source is None else [source.snapshot]
    return {
        "names": [names] if names else [],
        "retrieval": dates,
        "verification": [date for date in judged if date],
    }


def snapshots_differ(snapshots: dict[str, list[str]]) -> bool:
    """Whether two of the known dates are not the same."""
    return len({date for dates in snapshots.values() for date in dates}) > 1


def describe_snapshots(snapshots: dict[str, list[str]]) -> str:
    """The known dates in words.

    Example:
        >>> describe_snapshots({"names": [], "retrieval": ["2018-12-20"], "verification": []})
        'retrieval 2018-12-20'
    """
    return ", ".join(f"{part} {'/'.join(dates)}" for part, dates in snapshots.items() if dates)
