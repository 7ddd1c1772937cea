"""Per-biography scores from released evaluation files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError
from dfactscore._scoring.released_scores import Released, ReleasedDecision, read_released
from dfactscore.comparison._scores import RunScores, run_scores

_Decisions = Sequence[ReleasedDecision]


def released_scores(path: Path, *, label: str) -> RunScores:
    """Computes each biography's FS, D-FS and #ent from the stored verdicts.

    The D-FS pass of the released code dropped the first fact of each paragraph, so its
    denominators differ from those of FActScore. The ``.json`` files have no names and are therefore
    aligned by position. Of the values for ``#bio``, they contain only the mean.
    """
    released = read_released(path)
    aggregates = {}
    n_bio = released.stored.get("num_groups")
    if isinstance(n_bio, (int, float)):
        aggregates["n_bio"] = float(n_bio)
    return run_scores(
        label, released_rows(path, released), positional=not released.names, aggregates=aggregates
    )


def released_rows(path: Path, released: Released | None = None) -> list[dict[str, Any]]:
    """Returns one row of scores per biography; ``name`` is empty if the file has no names."""
    released = released or read_released(path)
    passes = released.decisions, released.global_decisions
    if len(passes[0]) != len(passes[1]):
        raise InputError(
            f"{path}: 'decisions' holds {len(passes[0])} biographies, 'global_decisions' "
            f"{len(passes[1])}; a comparison needs both for each"
        )
    names = released.names or ("",) * len(passes[0])
    return [
        {"name": name, **_row(facts, linked)}
        for name, facts, linked in zip(names, *passes, strict=True)
    ]


def _row(facts: _Decisions | None, linked: _Decisions | None) -> dict[str, Any]:
    if not facts:
        return {"status": "abstained" if facts is None else "no_facts"}
    return {
        "status": "scored",
        "fs": _share(facts),
        "dfs": _share(linked or ()),
        "n_ent": len({d.topic for d in facts if d.is_supported and d.topic is not None}),
        "n_facts": len(facts),
        "n_supported": sum(d.is_supported for d in facts),
        "n_unsupported": sum(not d.is_supported for d in facts),
    }


def _share(decisions: _Decisions) -> float | None:
    return sum(d.is_supported for d in decisions) / len(decisions) if decisions else None
