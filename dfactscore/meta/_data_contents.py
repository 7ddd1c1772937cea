"""Describes labeled data: items, errors, clusters, references and odd records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from dfactscore._util.numbers import number, percent
from dfactscore.meta._data_sets import DataSet, Item


def describe(data: Sequence[DataSet]) -> list[dict[str, Any]]:
    """Summarizes the contents of each set and group in counts, as JSON values."""
    # One mapping per set and group, including the number of errors among larger units if the set
    # has such units.
    return [
        _counts(data_set, group, items)
        for data_set in data
        for group, items in data_set.groups().items()
    ]


def _counts(data_set: DataSet, group: str, items: tuple[Item, ...]) -> dict[str, Any]:
    segments = [segment for item in items for segment in item.segments]
    clusters: dict[str, list[bool]] = {}
    for item in items:
        clusters.setdefault(item.cluster, []).extend(s.error for s in item.segments)
    counts: dict[str, Any] = {
        "kind": data_set.kind,
        "group": group,
        "file": data_set.path.name,
        "responses": len(items),
        "unit": data_set.levels[0].name,
        "units": len(segments),
        "errors": sum(s.error for s in segments),
        "clusters": len(clusters),
        "no_claim": sum(not s.claim for s in segments),
        "with_links": sum(bool(item.links) for item in items),
        "with_text": sum(item.has_text for item in items),
    }
    counts |= _counts_of_larger(data_set, items, list(clusters.values()))
    if any(s.kind for s in segments):
        kinds = Counter(s.kind or "untyped" for s in segments if s.error)
        counts["error_types"] = dict(kinds.most_common())
    facts = data_set.facts.get(group)
    if isinstance(facts, Mapping):
        counts |= facts
    elif not any(isinstance(value, Mapping) for value in data_set.facts.values()):
        counts |= data_set.facts
    counts["odd"] = list(data_set.odd)
    counts["bad"] = [str(bad) for bad in data_set.bad]
    if data_set.needs:
        counts["needs"] = data_set.needs
    return counts


def _counts_of_larger(
    data_set: DataSet, items: Sequence[Item], clusters: Sequence[Sequence[bool]]
) -> dict[str, int]:
    """Counts larger units that are errors: responses with any error, clusters with only errors."""
    counts = {}
    wrong = [any(s.error for s in item.segments) for item in items]
    for level in data_set.levels[1:]:
        merged = wrong if level.by == "item" else list(map(all, clusters))
        counts[f"error_{level.name}s"] = sum(merged)
    counts["error_responses_with_text"] = sum(
        w and item.has_text for w, item in zip(wrong, items, strict=True)
    )
    return counts


_SHARES = frozenset({"unanimous"})


def describe_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """The counts as lines of text."""
    lines = []
    for row in rows:
        lines.append(" ".join(filter(None, (row["kind"], row["group"], f"({row['file']})"))))
        for key, value in row.items():
            if key in ("kind", "group", "file", "unit", "odd", "bad", "needs"):
                continue
            name = f"{row['unit']}s" if key == "units" else key.replace("_", " ")
            if isinstance(value, Mapping):
                lines.append(f"  {name:<28} " + ", ".join(f"{k} {v}" for k, v in value.items()))
            elif key in _SHARES:
                lines.append(f"  {name:<28} {percent(value)} %")
            elif isinstance(value, float) or value is None:
                lines.append(f"  {name:<28} {number(value, digits=3)}")
            else:
                lines.append(f"  {name:<28} {value:,}")
        lines += [f"  odd: {note}" for note in row["odd"]]
        lines += [f"  skipped: {bad}" for bad in row["bad"]]
        if needs := row.get("needs"):
            lines.append(f"  no evidence ({needs})")
        lines.append("")
    return "\n".join(lines)
