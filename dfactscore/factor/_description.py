"""Describes a file of items: types, edits, lengths, trivial baselines."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

from dfactscore._errors import InputError
from dfactscore._util.numbers import mean, number
from dfactscore._util.printable import short_repr
from dfactscore._util.tables import csv_rows
from dfactscore.factor._factor_items import FactorItem
from dfactscore.factor._items_file import FactorFile
from dfactscore.factor._without_model import baselines

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
        "true_is_shortest": mean(_extreme(item, min) for item in items),
        "true_is_longest": mean(_extreme(item, max) for item in items),
        "empty_prefixes": sum(not item.prefix for item in items),
        "baselines": baselines(items),
    }


#: The columns that a person fills in with yes or no.
ASKED = ("contradicts", "fluent", "consistent")


def sample_rows(found: FactorFile, number: int, *, seed: int = 0) -> list[dict[str, Any]]:
    """False completions drawn for people to judge, with empty columns for their answers."""
    pairs = [(item, one) for item in found.items for one in item.contradictions]
    drawn = random.Random(seed).sample(pairs, min(number, len(pairs)))
    return [
        {
            "id": item.id,
            "type": one.type or one.kind,
            "prefix": item.prefix[-400:],
            "true": item.completion,
            "false": one.text,
            **dict.fromkeys(ASKED),
        }
        for item, one in drawn
    ]


def read_checked(path: Path) -> dict[str, dict[str, Any]]:
    """Answers of people: the share of yes in each column, over all and by type.

    Raises:
        InputError: If a column is missing, or an answer is neither yes nor no, or there is none.
    """
    answers: dict[str, dict[str, list[float]]] = {}
    for where, row in csv_rows(path, ("type", *ASKED), error=InputError):
        for name in ASKED:
            said = row[name].strip().lower()
            if not said:
                continue
            if said not in _ANSWERS:
                raise InputError(f"{where}: {name}: {short_repr(said)} is not yes or no")
            for group in ("all", row["type"]):
                answers.setdefault(name, {}).setdefault(group, []).append(_ANSWERS[said])
    if not answers:
        raise InputError(f"{path}: has no answers: write yes or no under {', '.join(ASKED)}")
    return {
        name: {
            group: {"share": fmean(values), "n": len(values)}
            for group, values in sorted(groups.items())
        }
        for name, groups in answers.items()
    }


_ANSWERS = dict.fromkeys(("yes", "y", "1", "true"), 1.0)
_ANSWERS |= dict.fromkeys(("no", "n", "0", "false"), 0.0)


def _extreme(item: FactorItem, pick: Any) -> float:
    """Whether the true completion alone is the shortest or longest in characters."""
    sizes = [len(text.strip()) for text in item.completions]
    return float(sizes[0] == pick(sizes) and sizes.count(sizes[0]) == 1)


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
    lines.append(
        f"true is shortest {number(about['true_is_shortest'], digits=3)}, "
        f"longest {number(about['true_is_longest'], digits=3)} of the items"
    )
    for reason, count in about.get("drops", {}).items():
        lines.append(f"left out: {reason}: {count}")
    lines.append("without a model, strictly above all; with ties sharing the point; ties:")
    for name, found in about["baselines"].items():
        lines.append(
            f"  {name:<14} {number(found['accuracy'], digits=4)}  "
            f"{number(found['accuracy_tie_credit'], digits=4)}  {found['ties']}"
        )
    return "\n".join(lines)
