"""An entity's documents, prepared once for many facts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import chain, count, pairwise
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from dfactscore.engines.builtin.language.life_events import ages_at_death, life_terms
from dfactscore.engines.builtin.language.tokens import token, tokens
from dfactscore.engines.builtin.verify.anaphora import Memory
from dfactscore.engines.builtin.verify.positions import (
    AGE,
    MARK,
    Positions,
    PositionsBuilder,
    Read,
    chained,
    read_words,
)
from dfactscore.engines.builtin.verify.reading import with_dashes, without_citations
from dfactscore.text.page_sentences import sentence_spans

__all__ = ["Premise", "prepare_premise"]


MAX_COLUMNS = 2048  # sentences of longer texts share columns
BLOCK_WORDS = 70
_LIFE = {"b": "born", "d": "die"}  # what a year in parentheses also says
_kind_of, _exact_of, _terms_of = itemgetter(0), itemgetter(1), itemgetter(5)  # of a Token
_NEXT = r"(?:(?:of|the|and|for|in|on) )*[A-Z][a-z]+"
_LONG_NAME = re.compile(rf"[A-Z][a-z]+ {_NEXT}(?: {_NEXT})+")
_CAPITALIZED = re.compile(r"[A-Z][a-z]+")
_DENSE = 2_000_000  # cells; a larger word-by-sentence table is kept as lists


@dataclass(frozen=True, eq=False, slots=True)
class Premise:
    """What the features read of an entity's documents.

    Attributes:
        rows: Row of each word by key, and by ``" "`` + loose form; 0 is the row of absent words.
        table: Shape ``(words + 1, columns)``, 1 where the word stands in the sentence; None where
            it would be large.
        columns: Rows of each sentence's words where `table` is None, else empty.
        spans: Document, start and end (exclusive, characters) of each column.
        negated: Shape ``(columns,)``, 1 where the sentence holds a negation.
        exact: All forms, those of the titles included.
        chains: Pairs of neighbouring content keys and triples of neighbouring forms, by `chained`.
        title: Keys of the titles before the parenthesis: names, which give no support.
        names: Forms of the titles before the parenthesis.
        descriptor: Keys of the parenthesis of the titles.
        roles: See `life_terms`.
        size: Number of words.
        positions: The content words in order.
        blocks: First sentence of each block, some `BLOCK_WORDS` words of one document.
    """

    rows: Mapping[str, int]
    table: NDArray[np.float32] | None
    columns: tuple[NDArray[np.intp], ...]
    spans: tuple[tuple[int, int, int], ...]
    negated: NDArray[np.float32]
    exact: AbstractSet[str]
    chains: AbstractSet[str]
    title: AbstractSet[str]
    names: tuple[str, ...]
    descriptor: AbstractSet[str]
    roles: AbstractSet[str]
    size: int
    positions: Positions
    blocks: NDArray[np.intp]

    def gather(self, rows: NDArray[np.intp]) -> NDArray[np.float32]:
        """Returns the words' sentences, shape ``(len(rows), columns)``."""
        if self.table is not None:
            return self.table.take(rows, axis=0)
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
    names: dict[str, None] = {}
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
            names[item.exact] = None
        for item in tokens(rest):
            descriptor.add(item.key)
            exact.add(item.exact)
        roles |= life_terms(rest)
    rows: defaultdict[str, int] = defaultdict(count(1).__next__)  # a new word gets the next row
    columns: list[list[int]] = []
    spans: list[tuple[int, int, int]] = []
    negated: list[float] = []
    chains: set[str] = set()
    size = 0
    builder = PositionsBuilder(rows.__getitem__, title)
    blocks: list[int] = []
    for document in ordered:
        text = document[1]
        builder.start_document()
        memory = Memory()
        begun = len(columns)
        block = BLOCK_WORDS
        sentences = sentence_spans(text)
        step = -(-len(sentences) // MAX_COLUMNS)
        for start, end in _merge(sentences, step):
            sentence = text[start:end]
            if "[" in sentence:
                sentence = without_citations(sentence)
            if "(" in sentence:  # where a life stands
                sentence = with_dashes(sentence)
            words = memory.recall(read_words(sentence))
            items = [word for word in words if word[0] != MARK]
            if not items:
                continue
            size += len(items)
            if block >= BLOCK_WORDS:
                blocks.append(len(columns))
                block = 0
            block += len(items)
            forms = list(map(_exact_of, items))
            exact.update(forms)
            chains.update(map(chained, zip(forms, forms[1:], forms[2:], strict=False)))
            keys = [item[2] for item in items if item[5] and item[2] not in title]
            chains.update(map(chained, pairwise(keys)))
            terms = set(chain.from_iterable(map(_terms_of, items)))
            spoken = life_terms(sentence)
            if spoken:
                roles |= spoken
                terms.update(_LIFE[term[0]] for term in spoken)
                ages = ages_at_death(spoken)
                terms.update(AGE + age for age in ages)
            else:
                ages = ()
            if "age" in forms or "aged" in forms:
                terms.update(ages_told(items))
            builder.add(words, len(columns), len(columns) == begun, ages)
            negative = float(3 in map(_kind_of, items))
            columns.append(list(map(rows.__getitem__, terms)))
            spans.append((first[document], start, end))
            negated.append(negative)
    _add_acronyms(ordered, rows)
    table = None
    places: tuple[NDArray[np.intp], ...] = ()
    if (len(rows) + 1) * max(1, len(columns)) <= _DENSE:
        table = np.zeros((len(rows) + 1, max(1, len(columns))), dtype=np.float32)
        down = np.fromiter(chain.from_iterable(columns), dtype=np.intp)
        across = np.repeat(np.arange(len(columns)), list(map(len, columns)))
        table[down, across] = 1.0
    else:
        places = tuple(np.array(column, dtype=np.intp) for column in columns)
    return Premise(
        rows=dict(rows),
        table=table,
        columns=places,
        spans=tuple(spans),
        negated=np.array(negated or [0.0], dtype=np.float32),
        exact=exact,
        chains=chains,
        title=title,
        names=tuple(names),
        descriptor=descriptor,
        roles=roles,
        size=size,
        positions=builder.build(),
        blocks=np.array(blocks or [0], dtype=np.intp),
    )


def ages_told(items: Sequence[Read]) -> Iterator[str]:
    """Yields the terms of numbers behind "age of" or "aged"."""
    waiting = False
    for kind, exact, key, *_ in items:
        if exact in ("age", "aged"):
            waiting = True
        elif kind:
            if waiting and kind == 2:
                yield AGE + key
            waiting = False


def _add_acronyms(documents: Sequence[tuple[str, str]], rows: dict[str, int]) -> None:
    """Gives the initials of names of three to six words the row of the name's last word.

    So FRS is found where a page says "Fellow of the Royal Society".
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
