"""The person of each fact of a text, by what the pages say of its clause."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from dfactscore._scoring import Record, cell_values
from dfactscore._text.sentences import split_sentences

Credit = Sequence[int | None]  # the column of each fact, or None
WHOLE = 0.9  # share of a sentence at which a fact is about all of it
_CLEAR = 0.5  # least difference of probabilities at which the person changes within a sentence
_SURE = 0.8  # the same, at which a clause is about two people


def by_sentence(record: Record) -> dict[int | None, list[int]]:
    """Returns the facts from each sentence, in order; facts without a sentence are under None."""
    count = len(split_sentences(record.biography.text))
    sentences: dict[int | None, list[int]] = {}
    for f, fact in enumerate(record.facts):
        known = fact.sentence is not None and fact.sentence < count and fact.span is not None
        sentences.setdefault(fact.sentence if known else None, []).append(f)
    return sentences


def worth_of(record: Record) -> np.ndarray:
    """Returns the probability of each supported pair of a fact and a candidate; otherwise 0."""
    matrix = record.decided
    support = matrix.support & (cell_values(record, "verdicts") > 0)
    excluded = sorted(set(range(len(matrix.entities))) - set(record.candidate_columns))
    support[:, excluded] = False
    return np.where(support, cell_values(record), 0.0)


def places(record: Record) -> list[int | None]:
    """Returns the person to whose paragraph each fact belongs; None if no page supports its clause.

    The person changes only between clauses, and only if the pages clearly tell them apart.
    """
    worth = worth_of(record)
    place: list[int | None] = [None] * len(record.facts)
    total, ranks = worth.sum(axis=0), record.decided.ranks
    last: int | None = None

    def best(of: np.ndarray, of_sentence: np.ndarray) -> int:
        """Returns the person that supports the most facts, of the clause, then of the sentence."""
        counts, sums = (of > 0).sum(axis=0), of.sum(axis=0)
        others = (of_sentence > 0).sum(axis=0)
        able = np.flatnonzero(of_sentence.any(axis=0)).tolist()
        return max(
            able, key=lambda e: (counts[e], others[e], e == last, total[e], sums[e], -ranks[e])
        )

    for facts in by_sentence(record).values():
        of_sentence = worth[facts]
        if not of_sentence.any():
            continue
        main = best(of_sentence, of_sentence)
        for unit in _units(record, facts):
            of_unit = worth[unit]
            chosen = best(of_unit, of_sentence)
            gain = (of_unit[:, chosen] - of_unit[:, main]).max()
            for f in unit if of_unit.any() else ():
                place[f] = chosen if gain >= _CLEAR else main
        for f, g in pairwise(facts):  # "English" goes with "painter"
            after = place[g]
            if after is not None and worth[f, after] > 0 and _adjoins(record, f, g):
                place[f] = after
        last = main
    return place


def _adjoins(record: Record, f: int, g: int) -> bool:
    """Whether only white space is between the words of two facts."""
    first, second = record.facts[f].span, record.facts[g].span
    if first is None or second is None or first[1] >= second[0]:
        return False
    return not record.biography.text[first[1] : second[0]].strip()


def torn(record: Record, place: Credit) -> set[int]:
    """Returns the sentences with a clause whose facts are clearly of different people."""
    worth, found = worth_of(record), set()
    for number, facts in by_sentence(record).items():
        for unit in _units(record, facts):
            own = [f for f in unit if place[f] is not None and worth[f, place[f]] >= _CLEAR]
            foreign = [
                f
                for f in unit
                if place[f] is not None and worth[f].max() - worth[f, place[f]] >= _SURE
            ]
            if own and 3 * len(foreign) >= len(unit) and number is not None:
                found.add(number)
    return found


def _units(record: Record, facts: Sequence[int]) -> list[list[int]]:
    """Returns the facts of each clause; facts of a whole sentence belong to its last clause."""
    spans = {f: record.facts[f].span or (0, 0) for f in facts}
    if len(set(spans.values())) == 1:  # written by another decomposer, which knows no clauses
        return [[f] for f in facts]
    start, end = min(a for a, _ in spans.values()), max(b for _, b in spans.values())
    wide = [f for f, (a, b) in spans.items() if b - a >= WHOLE * (end - start)]
    narrow = [f for f in facts if f not in wide]
    if not narrow:
        return [list(facts)]
    units: list[list[int]] = []
    reach = -1
    for f in sorted(narrow, key=lambda f: spans[f]):
        if spans[f][0] < reach:
            units[-1].append(f)
        else:
            units.append([f])
        reach = max(reach, spans[f][1])
    units[-1] += wide
    return units
