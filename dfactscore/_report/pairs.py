"""Pairs the biographies of two runs and finds the facts on which the runs disagree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dfactscore._scoring.record import Record
from dfactscore.retrieval._normalize import normalize_title

Pair = tuple[int | None, int | None, list[tuple[int, int]] | None]


@dataclass(frozen=True, slots=True)
class Mark:
    """The data used to match a record with one from the other run."""

    run: int
    id: str
    name: str
    facts: tuple[tuple[str, str], ...]


def mark_of(record: Record, run: int) -> Mark:
    """Creates the `Mark` of a scored record."""
    texts = [fact.text for fact in record.facts]
    facts = tuple(zip(texts, record.standing, strict=True)) if record.scores else ()
    return Mark(run, record.id, normalize_title(record.name), facts)


def pair_up(marks: Sequence[Mark]) -> list[Pair]:
    """Pairs the biographies of two runs.

    A biography is paired with the one that has the same id and name or, failing that, with the next
    one of the same name.
    """
    second = [n for n, mark in enumerate(marks) if mark.run]
    by_id = {(marks[n].id, marks[n].name): n for n in second}
    paired: set[int] = set()
    pairs: list[Pair] = []
    first = [n for n, mark in enumerate(marks) if not mark.run]
    exact = {n: by_id[key] for n in first if (key := (marks[n].id, marks[n].name)) in by_id}
    paired.update(exact.values())
    unpaired: dict[str, list[int]] = {}
    for n in second:
        if n not in paired:
            unpaired.setdefault(marks[n].name, []).append(n)
    for n in first:
        other = exact.get(n)
        if other is None and unpaired.get(marks[n].name):
            other = unpaired[marks[n].name].pop(0)
            paired.add(other)
        pairs.append((n, other, None if other is None else _unlike(marks[n], marks[other])))
    pairs += [(None, n, None) for n in second if n not in paired]
    # For each pair, the indexes of both biographies (None if a run lacks the biography), and the
    # indexes of the common facts that the two runs judge differently (None if they have no facts in
    # common).
    return pairs


def _unlike(first: Mark, second: Mark) -> list[tuple[int, int]] | None:
    """Returns the common facts whose standings differ; None if there are no common facts."""
    second_facts = {key: (g, standing) for g, (key, standing) in enumerate(_keyed(second))}
    common = [
        (f, standing, *second_facts[key])
        for f, (key, standing) in enumerate(_keyed(first))
        if key in second_facts
    ]
    return [(f, g) for f, a, g, b in common if a != b] if common else None


def _keyed(mark: Mark) -> Iterator[tuple[tuple[str, int], str]]:
    """Yields each fact's standing, keyed by its text and the number of earlier copies."""
    copies: Counter[str] = Counter()
    for words, standing in mark.facts:
        yield (words, copies[words]), standing
        copies[words] += 1
