"""Reads released evaluation files of the D-FActScore paper as they are stored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from dfactscore.comparison.scores import RunScores, run_scores
from dfactscore.errors import InputError

__all__ = ["read_released"]


def read_released(path: Path, *, label: str) -> RunScores:
    """Reads ``decisions`` (FActScore) and ``global_decisions`` (D-FActScore).

    Nothing is recomputed but the shares: the D-FS pass of the released code dropped the first
    fact of each paragraph, so its denominators differ from FActScore's. The files hold no names
    and no groups; ``#bio`` is stored as a mean only.

    Raises:
        InputError: If the file is not such a file.
    """
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"{path}: not JSON ({error})") from None
    lists = [stored.get(k) for k in ("decisions", "global_decisions")] if _is(stored, dict) else []
    if len(lists) != 2 or not all(_is(x, list) for x in lists) or len(lists[0]) != len(lists[1]):
        raise InputError(
            f"{path}: not a released evaluation file; it must hold the lists 'decisions' and "
            "'global_decisions', equally long"
        )
    rows = [
        _row(f"{path}, record {i + 1}", a, b) for i, (a, b) in enumerate(zip(*lists, strict=True))
    ]
    aggregates = {}
    if _is(stored.get("num_groups"), (int, float)):
        aggregates["n_bio"] = float(stored["num_groups"])
    return run_scores(label, rows, positional=True, aggregates=aggregates)


def _is(value: Any, kind: Any) -> bool:
    return isinstance(value, kind)


def _row(where: str, facts: Any, linked: Any) -> dict[str, Any]:
    if facts is None:
        return {"status": "abstained"}
    try:
        supported = [bool(f["is_supported"]) for f in facts]
        topics = [str(f["supporting_topic"]) for f in facts if f["is_supported"]]
        by_link = [bool(f["is_supported"]) for f in linked or ()]
    except (TypeError, KeyError) as error:
        raise InputError(
            f"{where}: a decision needs 'atom', 'is_supported' and 'supporting_topic' ({error!r})"
        ) from None
    return {
        "status": "scored" if supported else "no_facts",
        "fs": _share(supported),
        "dfs": _share(by_link),
        "n_ent": len(set(topics)) if supported else None,
        "n_facts": len(supported) if supported else None,
    }


def _share(decisions: list[bool]) -> float | None:
    return sum(decisions) / len(decisions) if decisions else None
