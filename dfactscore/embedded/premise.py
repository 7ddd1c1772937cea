"""An entity's documents, prepared once for many facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dfactscore.embedded.roles import life_terms
from dfactscore.embedded.tokens import sentence_spans, tokens

__all__ = ["Premise", "prepare_premise"]


MAX_COLUMNS = 2048  # sentences of longer texts share columns
_LIFE = {"b": "born", "d": "die"}  # what a year in parentheses also says
_DENSE = 2_000_000  # cells; a larger word-by-sentence table is kept as lists


@dataclass(frozen=True, eq=False, slots=True)
class Premise:
    """What the features read of an entity's documents.

    Attributes:
        rows: Row of each word by key, and by ``" "`` + loose form; 0 is the row of absent words.
        table: Shape ``(words + 1, columns)``, 1 where the word stands in the sentence; None where
            it would be large.
        columns: Rows of each sentence's words.
        spans: Document, start and end (exclusive, characters) of each column.
        negated: Shape ``(columns,)``, 1 where the sentence holds a negation.
        exact: All forms, those of the titles included.
        chains: Pairs of neighbouring content keys, and triples of neighbouring forms.
        title: Keys of the titles before the parenthesis: names, which give no support.
        descriptor: Keys of the parenthesis of the titles.
        roles: See `life_terms`.
        size: Number of words.
    """

    rows: dict[str, int]
    table: NDArray[np.float32] | None
    columns: tuple[NDArray[np.intp], ...]
    spans: tuple[tuple[int, int, int], ...]
    negated: NDArray[np.float32]
    exact: frozenset[str]
    chains: frozenset[str]
    title: frozenset[str]
    descriptor: frozenset[str]
    roles: frozenset[str]
    size: int

    def gather(self, rows: NDArray[np.intp]) -> NDArray[np.float32]:
        """Returns the words' sentences, shape ``(len(rows), columns)``."""
        if self.table is not None:
            return self.table[rows]
        wanted, places = np.unique(rows, return_inverse=True)
        table = np.zeros((len(wanted), len(self.negated)), dtype=np.float32)
        for number, column in enumerate(self.columns):
            table[np.isin(wanted, column), number] = 1.0
        table[wanted == 0] = 0.0
        return table[places]


def prepare_premise(documents: Sequence[tuple[str, str]]) -> Premise:
    """Prepares documents given as (title, text).

    Repeated documents count once, and their order changes nothing but which of two equally good
    sentences is named as evidence.
    """
    title: set[str] = set()
    descriptor: set[str] = set()
    exact: set[str] = set()
    roles: set[str] = set()
    first = {document: index for index, document in reversed(list(enumerate(documents)))}
    ordered = sorted(first)
    for name in dict.fromkeys(document[0] for document in ordered):
        base, _, rest = name.partition("(")
        for item in tokens(base):
            title.add(item.key)
            exact.add(item.exact)
        for item in tokens(rest):
            descriptor.add(item.key)
            exact.add(item.exact)
        roles |= life_terms(rest)
    rows: dict[str, int] = {}
    columns: list[list[int]] = []
    spans: list[tuple[int, int, int]] = []
    negated: list[float] = []
    chains: set[str] = set()
    size = 0
    for document in ordered:
        text = document[1]
        sentences = sentence_spans(text)
        step = -(-len(sentences) // MAX_COLUMNS)
        for start, end in _merge(sentences, step):
            sentence = text[start:end]
            items = tokens(sentence)
            if not items:
                continue
            size += len(items)
            forms = [item.exact for item in items]
            exact.update(forms)
            chains.update(map(" ".join, zip(forms, forms[1:], forms[2:], strict=False)))
            keys = [item.key for item in items if item.terms and item.key not in title]
            chains.update(map(" ".join, pairwise(keys)))
            terms = {term for item in items for term in item.terms}
            spoken = life_terms(sentence)
            if spoken:
                roles |= spoken
                terms.update(_LIFE[term[0]] for term in spoken)
            negative = float(any(item.kind == 3 for item in items))
            columns.append([rows.setdefault(term, len(rows) + 1) for term in terms])
            spans.append((first[document], start, end))
            negated.append(negative)
    places = tuple(np.array(column, dtype=np.intp) for column in columns)
    table = None
    if (len(rows) + 1) * max(1, len(columns)) <= _DENSE:
        table = np.zeros((len(rows) + 1, max(1, len(columns))), dtype=np.float32)
        for number, place in enumerate(places):
            table[place, number] = 1.0
    return Premise(
        rows=rows,
        table=table,
        columns=places,
        spans=tuple(spans),
        negated=np.array(negated or [0.0], dtype=np.float32),
        exact=frozenset(exact),
        chains=frozenset(chains),
        title=frozenset(title),
        descriptor=frozenset(descriptor),
        roles=frozenset(roles),
        size=size,
    )


def _merge(spans: list[tuple[int, int]], step: int) -> list[tuple[int, int]]:
    if step <= 1:
        return spans
    return [
        (part[0][0], part[-1][1])
        for part in (spans[i : i + step] for i in range(0, len(spans), step))
    ]
