"""Facts that may be about a bearer of the name without a page.

A group outside the evidence counts in the scores as any other; this says only what a reader of the
scores should know of it.
"""

from __future__ import annotations

from collections.abc import Collection

from dfactscore._records import FactGroup
from dfactscore._scoring.record import Record
from dfactscore.linking import Link
from dfactscore.retrieval._tokens import STOP_WORDS, tokenize

_OF_ANYONE = frozenset({"born", "died"})


def may_be_outside(record: Record, lines: Collection[str]) -> tuple[tuple[str, ...], ...]:
    """For each group the bearers without a page that it may be about; none for most groups.

    A group with a fact that is scored may be about them where no link was given, all verdicts could
    be read, no candidate's page supports any of its facts and its individual is not known to bear
    another name. Those whose line shares a word or a year with the facts are given; where none
    does, all of them.

    Args:
        record: A biography with its scores and links.
        lines: Description of each bearer without a page, name included.
    """
    told = {line: _words(line, record.name) for line in lines}
    columns, matrix = list(record.candidate_columns), record.decided
    # Unreadable verdicts may be support.
    may_support = (matrix.support | ~matrix.readable)[:, columns]
    scored = frozenset(record.scores.facts if record.scores else ())

    def of_group(group: FactGroup, link: Link) -> tuple[str, ...]:
        rows = list(group.facts)
        given = record.biography.links is not None and link.entity is not None
        elsewhere = group.bears_name is False or given or may_support[rows].any()
        if elsewhere or scored.isdisjoint(rows):
            return ()
        said = _words(" ".join(record.facts[fact].text for fact in rows), record.name)
        alike = tuple(line for line, words in told.items() if not said.isdisjoint(words))
        return alike or tuple(told)

    return tuple(map(of_group, record.groups or (), record.links))


def _words(text: str, name: str) -> frozenset[str]:
    words = {word for word in tokenize(text) if len(word) > 2}
    return frozenset(words.difference(STOP_WORDS, _OF_ANYONE, tokenize(name)))
