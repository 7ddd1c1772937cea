"""Pairs biographies of two runs and lists where the runs disagree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dfactscore._scoring.record import Record
from dfactscore.retrieval._normalize import normalize_title

Pair = tuple[int | None, int | None, list[tuple[int, int]] | None]


@dataclass(frozen=True, slots=True)
class Mark:
    """The key that pairs a record with one of the other run.

    Attributes:
        run: 0 or 1.
        id: The record's id.
        name: Its target name, in normal form.
        facts: Its facts, and the standing of each.
    """

    run: int
    id: str
    name: str
    facts: tuple[tuple[str, str], ...]


def mark_of(record: Record, run: int) -> Mark:
    """The mark of a scored record."""
    texts = [fact.text for fact in record.facts]
    facts = tuple(zip(texts, record.standing, strict=True)) if record.scores else ()
    return Mark(run, record.id, normalize_title(record.name), facts)


def pair_up(marks: Sequence[Mark]) -> list[Pair]:
    """Sets the biographies of two runs side by side.

    A biography goes with the one of the same id and name, else with the next of its name.

    Returns:
        For each pair the places of both (None if a run lacks it) and the places of the facts
        that both have and judge unlike; None if they have no fact in common.
    """
    second = [n for n, mark in enumerate(marks) if mark.run]
    by_id = {(marks[n].id, marks[n].name): n for n in second}
    taken: set[int] = set()
    pairs: list[Pair] = []
    first = [n for n, mark in enumerate(marks) if not mark.run]
    exact = {n: by_id[key] for n in first if (key := (marks[n].id, marks[n].name)) in by_id}
    taken.update(exact.values())
    left: dict[str, list[int]] = {}
    for n in second:
        if n not in taken:
            left.setdefault(marks[n].name, []).append(n)
    for n in first:
        other = exact.get(n)
        if other is None and left.get(marks[n].name):
            other = left[marks[n].name].pop(0)
            taken.add(other)
        pairs.append((n, other, None if other is None else _unlike(marks[n], marks[other])))
    pairs += [(None, n, None) for n in second if n not in taken]
    return pairs


def _unlike(one: Mark, other: Mark) -> list[tuple[int, int]] | None:
    """Facts of the same words with another standing; None if no fact is in both."""
    there = {key: (g, standing) for g, (key, standing) in enumerate(_keyed(other))}
    both = [
        (f, standing, *there[key]) for f, (key, standing) in enumerate(_keyed(one)) if key in there
    ]
    return [(f, g) for f, a, g, b in both if a != b] if both else None


def _keyed(mark: Mark) -> Iterator[tuple[tuple[str, int], str]]:
    """The standing of each fact, by its words and the number of earlier facts in the same words."""
    seen: Counter[str] = Counter()
    for words, standing in mark.facts:
        yield (words, seen[words]), standing
        seen[words] += 1
