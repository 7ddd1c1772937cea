"""What a file of items is like: types, edits, lengths, trivial baselines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean, pstdev
from typing import Any

from dfactscore._util.numbers import mean, number
from dfactscore.factor.baselines import baselines
from dfactscore.factor.reading import FactorFile

__all__ = ["describe", "description_text", "edit_distance"]

_WORD = re.compile(r"\w+")


def edit_distance(first: str, second: str) -> int:
    """Words to insert, delete or replace on the way from one text to another.

    Example:
        >>> edit_distance("He was born in Oslo.", "He died in Oslo.")
        2
    """
    a, b = _WORD.findall(first), _WORD.findall(second)
    row = list(range(len(b) + 1))
    for i, word in enumerate(a, start=1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(b, start=1):
            best = min(row[j] + 1, row[j - 1] + 1, diagonal + (word != other))
            diagonal, row[j] = row[j], best
    return row[-1]


def describe(found: FactorFile) -> dict[str, Any]:
    """Counts and means of a file's items."""
    items = found.items
    distances = [
        edit_distance(item.completion.strip(), one.text.strip())
        for item in items
        for one in item.contradictions
    ]
    kinds = Counter(one.type or one.kind for item in items for one in item.contradictions)
    return {
        "items": len(items),
        "documents": len({item.document for item in items}),
        "bad": len(found.bad),
        "contradictions": len(distances),
        "types": dict(sorted((k or "unknown", n) for k, n in kinds.items())),
        "chance": mean(1 / len(item.completions) for item in items),
        "edit_distance": _spread(distances),
        "words_true": _spread([len(item.completion.split()) for item in items]),
        "words_false": _spread([len(o.text.split()) for i in items for o in i.contradictions]),
        "empty_prefixes": sum(not item.prefix for item in items),
        "baselines": baselines(items),
    }


def _spread(values: Sequence[int]) -> dict[str, float | None]:
    if not values:
        return {"mean": None, "sd": None}
    return {"mean": fmean(values), "sd": pstdev(values)}


def description_text(about: Mapping[str, Any]) -> str:
    """The description as lines."""
    types = ", ".join(f"{kind} {count}" for kind, count in about["types"].items())
    lines = [
        f"items            {about['items']} of {about['documents']} documents",
        f"contradictions   {about['contradictions']} ({types})",
        f"chance           {number(about['chance'], digits=3)}",
    ]
    for key, label in (
        ("edit_distance", "word edits"),
        ("words_true", "words, true"),
        ("words_false", "words, false"),
    ):
        found = about[key]
        lines.append(f"{label:<16} {number(found['mean'])}, sd {number(found['sd'])}")
    lines.append("without a model, strictly above all; with ties sharing the point; ties:")
    for name, found in about["baselines"].items():
        lines.append(
            f"  {name:<14} {number(found['accuracy'], digits=4)}  "
            f"{number(found['accuracy_tie_credit'], digits=4)}  {found['ties']}"
        )
    return "\n".join(lines)
