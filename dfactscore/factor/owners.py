"""Measures of AmbigFACTOR; nothing for items whose contradictions belong to no one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dfactscore.factor.summary import Scored

__all__ = ["owner_measures"]


def owner_measures(scored: Sequence[Scored], **how: Any) -> dict[str, Any]:
    """Nothing yet."""
    return {}
