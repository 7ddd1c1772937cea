"""Reads released evaluation files and recomputes their scores from the verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError
from dfactscore._scoring import length_penalty
from dfactscore._util.jsonl import read_json, read_jsonl
from dfactscore._util.message_text import short_repr
from dfactscore._util.numbers import mean


@dataclass(frozen=True, slots=True)
class ReleasedDecision:
    """A verdict on a fact, as given in a released file."""

    atom: str
    is_supported: bool
    topic: str | None


@dataclass(frozen=True, slots=True)
class Released:
    """A released evaluation file."""

    name: str  # name of the file without its extension
    names: tuple[str, ...]  # target names; empty if the file has none
    # The facts of each biography as judged for FActScore; None for an abstention.
    decisions: tuple[tuple[ReleasedDecision, ...] | None, ...]
    # The facts of each biography as judged for D-FActScore. The first fact of nearly every
    # paragraph is missing, so D-FS can exceed FS.
    global_decisions: tuple[tuple[ReleasedDecision, ...] | None, ...]
    stored: Mapping[str, Any]


def read_released(path: str | Path) -> Released:
    """Reads a released evaluation: one JSON object, or JSON lines of biographies."""
    path = Path(path)
    record: Any
    if path.suffix.lower() == ".jsonl":
        record = _joined(path)
    else:
        record = read_json(path, error=InputError)
    if not isinstance(record, dict) or not isinstance(record.get("decisions"), list):
        keys = ", ".join(list(record)[:6]) if isinstance(record, dict) else type(record).__name__
        raise InputError(f"{path}: not a released evaluation: no list 'decisions'; found {keys}")
    passes = {k: _pass(path, k, record.get(k)) for k in ("decisions", "global_decisions")}
    stored = {k: v for k, v in record.items() if k not in (*passes, "names")}
    return Released(path.stem, tuple(record.get("names", ())), **passes, stored=stored)


def _joined(path: Path) -> dict[str, Any]:
    """Joins a file that has one line per biography into one object."""
    passes = ("decisions", "global_decisions")
    record: dict[str, Any] = {"names": [], **{key: [] for key in passes}}
    for where, row in read_jsonl(path, error=InputError):
        missing = next((k for k in passes if not isinstance(row, Mapping) or k not in row), None)
        if missing:
            raise InputError(
                f"{where}: not a released evaluation (the record has no {missing!r}); biographies "
                "are scored first, with 'dfactscore score'"
            )
        record["names"].append(str(row.get("name", "")))
        for key in passes:
            record[key].append(row[key])
    return record


def _pass(path: Path, key: str, rows: Any) -> tuple[tuple[ReleasedDecision, ...] | None, ...]:
    if rows is None:
        return ()
    if not isinstance(rows, list):
        raise InputError(f"{path}: field {key!r}: expected a list, found {type(rows).__name__}")
    return tuple(_decisions(path, f"{key}[{i}]", row) for i, row in enumerate(rows))


def _decisions(path: Path, where: str, row: Any) -> tuple[ReleasedDecision, ...] | None:
    if row is None:
        return None
    try:
        return tuple(
            ReleasedDecision(str(d["atom"]), bool(d["is_supported"]), _topic(d)) for d in row
        )
    except (TypeError, KeyError):
        raise InputError(
            f"{path}: field {where!r}: expected {{atom, is_supported}}, found {short_repr(row)}"
        ) from None


def _topic(decision: Mapping[str, Any]) -> str | None:
    topic = decision.get("supporting_topic")
    return topic if isinstance(topic, str) else None


def recompute(released: Released, *, gamma: float | None = None) -> dict[str, float | None]:
    """Recomputes a released file's scores from its verdicts, using the file's own score names."""
    # `gamma`: length penalty based on the number of facts; if given, `score` and `global_score` are
    # added. The stored `global_score` differs because its penalty is based on the number of groups.
    answered = [d for d in released.decisions if d is not None]
    regrouped = [d for d in released.global_decisions if d is not None]
    result: dict[str, float | None] = {
        "init_score": mean([_share(d) for d in answered if d]),
        "init_global_score": mean([_share(d) for d in regrouped if d]),
        "num_supporting_topics": mean([float(len(_topics(d))) for d in answered]),
        "respond_ratio": len(answered) / len(released.decisions) if released.decisions else None,
        "num_facts_per_response": mean([float(len(d)) for d in answered]),
    }
    if gamma:
        for key, rows in (("score", answered), ("global_score", regrouped)):
            result[key] = mean([_share(d) * length_penalty(len(d), gamma) for d in rows if d])
    # Fractions: `init_score` (FS), `init_global_score` (D-FS), `num_supporting_topics` (#ent),
    # `respond_ratio`, `num_facts_per_response`.
    return result


def _share(decisions: Sequence[ReleasedDecision]) -> float:
    return sum(d.is_supported for d in decisions) / len(decisions)


def _topics(decisions: Sequence[ReleasedDecision]) -> set[str]:
    return {d.topic for d in decisions if d.topic is not None}
