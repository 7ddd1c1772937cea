"""Facts that may be about a bearer of the name without a page.

Such groups count in the scores like any others; a note tells readers of the scores about them.
"""

from __future__ import annotations

from collections.abc import Collection

from dfactscore._records import FactGroup
from dfactscore._scoring.record import Record
from dfactscore.linking import Link
from dfactscore.retrieval._tokens import STOP_WORDS, tokenize

_COMMON_WORDS = frozenset({"born", "died"})


def may_be_outside(record: Record, lines: Collection[str]) -> tuple[tuple[str, ...], ...]:
    """Returns the bearers without a page that each group may be about; usually, there are none.

    A group may be about such a bearer if it has a scored fact and no given link, all its verdicts
    are readable, no candidate supports any of its facts, and its individual is not known to have a
    different name. The result contains the bearers whose descriptions share a word or a year with
    the facts or, if there are none, all bearers.
    """
    line_words = {line: _words(line, record.name) for line in lines}
    columns, matrix = list(record.candidate_columns), record.decided
    # Unreadable verdicts may be support.
    may_support = (matrix.support | ~matrix.readable)[:, columns]
    scored = frozenset(record.scores.facts if record.scores else ())

    def bearers(group: FactGroup, link: Link) -> tuple[str, ...]:
        rows = list(group.facts)
        has_given_link = record.biography.links is not None and link.entity is not None
        if group.bears_name is False or has_given_link or may_support[rows].any():
            return ()
        if scored.isdisjoint(rows):
            return ()
        fact_words = _words(" ".join(record.facts[fact].text for fact in rows), record.name)
        similar = (line for line, words in line_words.items() if not fact_words.isdisjoint(words))
        return tuple(similar) or tuple(line_words)

    return tuple(map(bearers, record.groups or (), record.links))


def _words(text: str, name: str) -> frozenset[str]:
    words = {word for word in tokenize(text) if len(word) > 2}
    return frozenset(words.difference(STOP_WORDS, _COMMON_WORDS, tokenize(name)))
