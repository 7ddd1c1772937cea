"""Describes an item file: types, edits, lengths, and baselines that look only at completions."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

from dfactscore._errors import InputError
from dfactscore._util.message_text import short_repr
from dfactscore._util.numbers import mean, number
from dfactscore._util.tables import csv_rows
from dfactscore.factor._factor_items import FactorFile, FactorItem
from dfactscore.factor._factor_results import judge

#: Higher is likelier.
BASELINES: Mapping[str, Callable[[str], float]] = {
    "fewest words": lambda text: -float(len(text.split())),
    "most words": lambda text: float(len(text.split())),
    "shortest": lambda text: -float(len(text)),
    "longest": lambda text: float(len(text)),
}


def baselines(items: Sequence[FactorItem]) -> dict[str, dict[str, Any]]:
    """The accuracy of trivial models: strict, with credit shared between ties, and by first index.

    The last variant picks the first of several tied completions. Because the true completion comes
    first, this rewards ties; the variant is reported to show how much.
    """
    accuracies = {}
    for name, value in BASELINES.items():
        verdicts = [judge([value(text.strip()) for text in item.completions]) for item in items]
        known = [v for v in verdicts if v is not None]
        accuracies[name] = {
            "accuracy": mean(float(v.right) for v in known),
            "accuracy_tie_credit": mean(v.credit for v in known),
            "first_index": mean(float(v.picked == 0) for v in known),
            "ties": sum(v.tie for v in known),
        }
    return accuracies


_WORD = re.compile(r"\w+")


def edit_distance(first: str, second: str) -> int:
    """The number of words to insert, delete or replace to change one text into another.

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


def describe(file: FactorFile) -> dict[str, Any]:
    """Counts and means for the items in a file."""
    items = file.items
    distances = [
        edit_distance(item.completion.strip(), contradiction.text.strip())
        for item in items
        for contradiction in item.contradictions
    ]
    kinds = Counter(
        contradiction.type or contradiction.kind
        for item in items
        for contradiction in item.contradictions
    )
    return {
        "items": len(items),
        "documents": len({item.document for item in items}),
        "bad": len(file.bad),
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


#: The columns that people fill in with yes or no.
ASKED = ("contradicts", "fluent", "consistent")


def sample_rows(file: FactorFile, number: int, *, seed: int = 0) -> list[dict[str, Any]]:
    """Draws false completions for people to judge, with empty columns for their answers."""
    pairs = [(item, contradiction) for item in file.items for contradiction in item.contradictions]
    drawn = random.Random(seed).sample(pairs, min(number, len(pairs)))
    return [
        {
            "id": item.id,
            "type": contradiction.type or contradiction.kind,
            "prefix": item.prefix[-400:],
            "true": item.completion,
            "false": contradiction.text,
            **dict.fromkeys(ASKED),
        }
        for item, contradiction in drawn
    ]


def read_checked(path: Path) -> dict[str, dict[str, Any]]:
    """The share of "yes" in each column that people filled in, for all rows and by type."""
    answers: dict[str, dict[str, list[float]]] = {}
    for where, row in csv_rows(path, ("type", *ASKED), error=InputError):
        for name in ASKED:
            answer = row[name].strip().lower()
            if not answer:
                continue
            if answer not in _ANSWERS:
                raise InputError(f"{where}: {name}: {short_repr(answer)} is not yes or no")
            for group in ("all", row["type"]):
                answers.setdefault(name, {}).setdefault(group, []).append(_ANSWERS[answer])
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
    """1 if only the true completion is the shortest (or longest) in characters, otherwise 0."""
    sizes = [len(text.strip()) for text in item.completions]
    return float(sizes[0] == pick(sizes) and sizes.count(sizes[0]) == 1)


def _spread(values: Sequence[int]) -> dict[str, float | None]:
    if not values:
        return {"mean": None, "sd": None}
    return {"mean": fmean(values), "sd": pstdev(values)}


def description_text(about: Mapping[str, Any]) -> str:
    """The description as lines of text."""
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
        values = about[key]
        lines.append(f"{label:<16} {number(values['mean'])}, sd {number(values['sd'])}")
    lines.append(
        f"true is shortest {number(about['true_is_shortest'], digits=3)}, "
        f"longest {number(about['true_is_longest'], digits=3)} of the items"
    )
    for reason, count in about.get("drops", {}).items():
        lines.append(f"left out: {reason}: {count}")
    lines.append("without a model: strict accuracy, accuracy with shared ties, number of ties")
    for name, values in about["baselines"].items():
        lines.append(
            f"  {name:<14} {number(values['accuracy'], digits=4)}  "
            f"{number(values['accuracy_tie_credit'], digits=4)}  {values['ties']}"
        )
    return "\n".join(lines)
