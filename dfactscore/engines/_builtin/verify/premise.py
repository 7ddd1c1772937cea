"""An entity's documents, prepared once for use with many facts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import chain, count, pairwise
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from dfactscore._text.sentences import sentence_spans
from dfactscore.engines._builtin.language.life_dates import ages_at_death, life_terms
from dfactscore.engines._builtin.language.tokens import token, tokens
from dfactscore.engines._builtin.verify.anaphora import resolve_all
from dfactscore.engines._builtin.verify.page_entries import EntryReader
from dfactscore.engines._builtin.verify.positions import (
    AGE,
    MARK,
    Positions,
    ReadWord,
    chained,
    positions_of,
    read_words,
)
from dfactscore.engines._builtin.verify.reading import with_dashes, without_citations

MAX_COLUMNS = 2048  # in longer texts, sentences share columns
BLOCK_WORDS = 70
_AGES = frozenset(("age", "aged"))
_BREAK: ReadWord = (
    0,
    "\n",
    "\n",
    "",
    False,
    ("\n",),
    0,
    0,
)  # so that chains stay within a sentence
_LIFE = {"b": "born", "d": "die"}  # keys that a year in parentheses implies
_kind_of, _exact_of, _terms_of = itemgetter(0), itemgetter(1), itemgetter(5)  # of a WordForm
_NEXT = r"(?:(?:of|the|and|for|in|on) )*[A-Z][a-z]+"
_LONG_NAME = re.compile(rf"[A-Z][a-z]+ {_NEXT}(?: {_NEXT})+")
_CAPITALIZED = re.compile(r"[A-Z][a-z]+")
_LONG = 500  # entries
_DENSE = 2_000_000  # maximum number of cells in a word-by-sentence table in memory


@dataclass(frozen=True, eq=False, slots=True)
class Premise:
    """The parts of an entity's documents that the features are computed from."""

    # Row of each word, by key and by `" "` + loose form; 0 is the row for absent words.
    rows: Mapping[str, int]
    # Shape `(words + 1, columns)`, 1 if the word is in the sentence; None if the table would be too
    # large.
    table: NDArray[np.float32] | None
    # Rows of the words in each sentence if `table` is None, else empty.
    columns: tuple[NDArray[np.intp], ...]
    # Document, start and end (exclusive, characters) of each column.
    spans: tuple[tuple[int, int, int], ...]
    # Shape `(columns,)`, 1 if the sentence contains a negation, else 0.
    negated: NDArray[np.float32]
    # All forms, including those in the titles; by `chained`, pairs of adjacent content keys and
    # triples of adjacent forms.
    phrases: AbstractSet[str]
    title: AbstractSet[str]
    names: tuple[str, ...]
    descriptor: AbstractSet[str]
    roles: AbstractSet[str]
    size: int
    # Shape `(len(ENTRY), n)`, the content words in order, see `positions.ENTRY`.
    entries: NDArray[np.int32]
    # `positions_of` the entries of a long page, computed once; None for short pages.
    positions: Positions | None
    blocks: NDArray[np.intp]

    def gather(self, rows: NDArray[np.intp]) -> NDArray[np.float32]:
        """Returns whether sentences contain the words in `rows`, shape ``(len(rows), columns)``."""
        if self.table is not None:
            return self.table.take(rows, axis=0)
        distinct, places = np.unique(rows, return_inverse=True)
        table = np.zeros((len(distinct), len(self.negated)), dtype=np.float32)
        for number, column in enumerate(self.columns):
            table[np.isin(distinct, column), number] = 1.0
        table[distinct == 0] = 0.0
        return table[places]


def prepare_premise(documents: Sequence[tuple[str, str]]) -> Premise:
    """Prepares documents given as pairs of title and text.

    Duplicate documents count once. The order of the documents only decides which of two equally
    good sentences becomes the evidence.
    """
    first = {document: index for index, document in reversed(list(enumerate(documents)))}
    ordered = sorted(first)
    reader = _Reader(dict.fromkeys(title for title, _ in ordered))
    for document in ordered:
        reader.read(first[document], document[1])
    forms = list(map(_exact_of, reader.items))
    keys = [item[2] for item in reader.items if item[5] and item[2] not in reader.title]
    phrases = reader.exact.union(forms)
    phrases.update(map(chained, zip(forms, forms[1:], forms[2:], strict=False)))
    phrases.update(map(chained, pairwise(keys)))
    _add_acronyms(ordered, reader.rows)
    table, columns = _table(len(reader.rows) + 1, reader.columns)
    entries = reader.entries.table()
    return Premise(
        rows=dict(reader.rows),
        table=table,
        columns=columns,
        spans=tuple(reader.spans),
        negated=np.array(reader.negated or [0.0], dtype=np.float32),
        phrases=phrases,
        title=reader.title,
        names=reader.names,
        descriptor=reader.descriptor,
        roles=reader.roles,
        size=len(forms) - len(reader.spans),
        entries=entries,
        positions=positions_of([entries]) if entries.shape[1] > _LONG else None,
        blocks=np.array(reader.blocks or [0], dtype=np.intp),
    )


class _Reader:
    """Reads an entity's titles, and its documents one by one; see `Premise`."""

    def __init__(self, titles: Iterable[str]) -> None:
        parts = [title.partition("(") for title in titles]
        names = [item for base, _, _ in parts for item in tokens(base)]
        in_brackets = [item for _, _, in_brackets in parts for item in tokens(in_brackets)]
        self.title = {item.key for item in names}
        self.names = tuple(dict.fromkeys(item.exact for item in names))
        self.descriptor = {item.key for item in in_brackets}
        self.exact = {item.exact for item in (*names, *in_brackets)}
        self.roles = {term for _, _, in_brackets in parts for term in life_terms(in_brackets)}
        # a new word gets the next row
        self.rows: defaultdict[str, int] = defaultdict(count(1).__next__)
        self.entries = EntryReader(self.rows.__getitem__, self.title)
        self.items: list[ReadWord] = []
        self.columns: list[list[int]] = []
        self.spans: list[tuple[int, int, int]] = []
        self.negated: list[float] = []
        self.blocks: list[int] = []

    def read(self, number: int, text: str) -> None:
        """Reads the text of document `number`."""
        self.entries.start_document()
        spans = sentence_spans(text)
        spans = _merge(spans, -(-len(spans) // MAX_COLUMNS))
        sentences = [_plain(text[start:end]) for start, end in spans]
        begun, block = len(self.spans), BLOCK_WORDS
        for span, sentence, words in zip(
            spans, sentences, resolve_all(list(map(read_words, sentences))), strict=True
        ):
            items = [word for word in words if word[0] != MARK]
            if not items:
                continue
            if block >= BLOCK_WORDS:
                self.blocks.append(len(self.spans))
                block = 0
            block += len(items)
            self._add(sentence, words, items, len(self.spans) == begun)
            self.spans.append((number, *span))

    def _add(
        self, sentence: str, words: list[ReadWord], items: list[ReadWord], first: bool
    ) -> None:
        terms = list(chain.from_iterable(map(_terms_of, items)))
        ages: tuple[str, ...] = ()
        life = life_terms(sentence)
        if life:
            self.roles |= life
            ages = ages_at_death(life)
            terms += [_LIFE[term[0]] for term in life]
            terms += [AGE + age for age in ages]
        terms += ages_in(items)
        self.entries.add(words, len(self.spans), first, ages)
        self.columns.append(list(map(self.rows.__getitem__, terms)))
        self.negated.append(float(3 in map(_kind_of, items)))
        self.items += items
        self.items.append(_BREAK)


def _plain(sentence: str) -> str:
    if "[" in sentence:
        sentence = without_citations(sentence)
    return with_dashes(sentence) if "(" in sentence else sentence  # before the years of a life


def _table(
    rows: int, columns: list[list[int]]
) -> tuple[NDArray[np.float32] | None, tuple[NDArray[np.intp], ...]]:
    """Returns `Premise.table` and `Premise.columns`."""
    if rows * max(1, len(columns)) > _DENSE:
        return None, tuple(np.array(column, dtype=np.intp) for column in columns)
    table = np.zeros((rows, max(1, len(columns))), dtype=np.float32)
    down = np.fromiter(chain.from_iterable(columns), dtype=np.intp)
    table[down, np.repeat(np.arange(len(columns)), list(map(len, columns)))] = 1.0
    return table, ()


def ages_in(items: Sequence[ReadWord]) -> Iterator[str]:
    """Yields the terms for numbers that follow "age of" or "aged"."""
    after_age = False
    if _AGES.isdisjoint(map(_exact_of, items)):
        return
    for kind, exact, key, *_ in items:
        if exact in _AGES:
            after_age = True
        elif kind:
            if after_age and kind == 2:
                yield AGE + key
            after_age = False


def _add_acronyms(documents: Sequence[tuple[str, str]], rows: dict[str, int]) -> None:
    """Maps the initials of names of three to six words to the row of the name's last word.

    As a result, a page with "Fellow of the Royal Society" contains FRS.
    """
    for _, text in documents:
        for match in _LONG_NAME.finditer(text):
            names = _CAPITALIZED.findall(match[0])
            initials = "".join([name[0] for name in names]).lower()
            for size in range(3, min(6, len(names)) + 1):
                for end in range(size, len(names) + 1):
                    short = initials[end - size : end]
                    if short not in rows:
                        row = rows.get(token(names[end - 1]).key)
                        if row:
                            rows[short] = row


def _merge(spans: list[tuple[int, int]], step: int) -> list[tuple[int, int]]:
    if step <= 1:
        return spans
    return [
        (part[0][0], part[-1][1])
        for part in (spans[i : i + step] for i in range(0, len(spans), step))
    ]
