"""Conjuncts joined by "and", and the words before them: "wrote the plays | Elm, Oak and Ash"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from dfactscore.engines._builtin.decompose.first_item import first_start, start_with_adjuncts
from dfactscore.engines._builtin.decompose.list_items import (
    ITEM_OPENERS,
    OPEN,
    items_between,
    list_cuts,
)
from dfactscore.engines._builtin.decompose.nouns import head_of, is_modifier
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.word_classes import DETERMINERS, PREPOSITIONS

ABOUT = frozenset({"over", "about", "around", "nearly", "almost", "than", "more"})
_QUOTES = frozenset({'"', "“"})
_OPENERS = ITEM_OPENERS | {"their", "its"}
_RANKED = ("first", "second", "third", "th", "est", "only")


@dataclass(frozen=True)
class Joined:
    """Conjuncts joined by the last "and" of a span."""

    tokens: Sequence[Token]
    a: int  # index of the first token of the span
    b: int  # index after the last token
    verb_end: int
    lead: int
    items: Sequence[Range]
    gapped: bool = False

    @property
    def start(self) -> int:
        """The start of the first conjunct."""
        return self.items[0][0]

    @property
    def last(self) -> int:
        """The start of the last conjunct."""
        return self.items[-1][0]

    @property
    def before(self) -> Token:
        """The token before the first conjunct."""
        return self.tokens[self.start - 1]

    @cached_property
    def opener(self) -> Token:
        """The first word of the first conjunct, not counting "over" and the like."""
        return self.tokens[self.start + (self.tokens[self.start].low in ABOUT)]

    @property
    def last_opener(self) -> Token:
        """The first word of the last conjunct."""
        return self.tokens[self.last]

    @property
    def openers(self) -> list[Token]:
        """The first word of each conjunct."""
        return [self.tokens[x] for x, _ in self.items]

    @cached_property
    def heads(self) -> list[Token]:
        """The head noun of each conjunct."""
        return [head_of(self.tokens, *item) for item in self.items]

    @cached_property
    def sizes(self) -> list[int]:
        """The number of words in each conjunct, not counting its determiner."""
        return [y - x - (self.tokens[x].low in DETERMINERS) for x, y in self.items]

    @cached_property
    def names(self) -> list[bool]:
        """Whether each conjunct is a name, judging by its first words: "Tom Hill", "the Senate"."""
        return [
            (self.tokens[x].capital and not self.tokens[x].low.endswith(("'s", "’s")))
            or (self.tokens[x].low == "the" and self.tokens[x + 1].capital)
            for x, _ in self.items
        ]

    def are_names(self) -> bool:
        """Whether all conjuncts are names."""
        return all(self.names)

    def has_counted_last(self) -> bool:
        """Whether the last conjunct begins with an article or a number."""
        return self.last_opener.low in OPEN or self.last_opener.text[0].isdigit()

    def follows_comma(self) -> bool:
        """Whether a comma precedes the "and"."""
        return self.tokens[self.last - 2].text == ","

    def adds(self) -> bool:
        """Whether the last conjunct follows ", as well as"."""
        comma = self.tokens[self.last - 4].text == ","
        return comma and self.tokens[self.last - 1].low == "as"

    @cached_property
    def common_noun(self) -> int | None:
        """The start of the noun that all conjuncts share: "Hindi, Tamil and Telugu | films"."""
        tokens, (x, y), others = self.tokens, self.items[-1], self.items[:-1]
        noun = tokens[x + 1]
        if y - x < 2 or noun.capital or not noun.text.isalpha() or noun.low in PREPOSITIONS:
            return None
        if tokens[x].capital:
            shared = all(end - start <= 3 and tokens[end - 1].capital for start, end in others)
        else:
            plain = all(end - start == 1 or tokens[start].low in _OPENERS for start, end in others)
            adjectives = [tokens[x], *(tokens[end - 1] for _, end in others)]
            shared = plain and all(is_modifier(t.low) for t in adjectives)
        return x + 1 if shared else None

    @cached_property
    def common_complement(self) -> int | None:
        """The start of the shared "of bridges" in "the design and construction of bridges"."""
        (x, y), (u, v) = self.items[0], self.items[-1]
        of = next((k for k in range(u, v) if self.tokens[k].low == "of"), None)
        if of is None or self.tokens[x].low != "the" or self.tokens[u].low in DETERMINERS:
            return None
        nouns = [*self.items[:-1], (u, of)]
        named = any(t.capital for start, end in nouns for t in self.tokens[start:end])
        if named or is_modifier(self.tokens[y - 1].low):
            return None
        return of - self.tokens[y - 1].low.endswith(_RANKED)  # "the fourth and youngest son of Tom"

    def is_ranked(self, k: int) -> bool:
        """Whether words such as "the first", "the only" or "the oldest" begin at `k`."""
        return self.tokens[k].low == "the" and self.tokens[k + 1].low.endswith(_RANKED)


def joined(
    tokens: Sequence[Token], a: int, b: int, verb_end: int, *, gapped: bool
) -> Joined | None:
    """Returns the conjuncts joined by the last "and" of a span, or None if there are none."""
    cuts = list_cuts(tokens, verb_end, b)
    if not cuts:
        return None
    end, last = cuts[0][0], cuts[-1][1]
    start = (start_with_adjuncts if gapped else first_start)(tokens, verb_end, end, last)
    if start is None:
        return None
    if tokens[start].text[0].isdigit() and tokens[start - 1].low in ABOUT:
        start -= 1  # "over 30 goals and 20 assists"
    lead = start - (tokens[start - 1].low == "both")
    titles = _titles_start(tokens, lead, end, last)
    if titles is None:
        start = lead + (tokens[lead].low == "both")
    else:  # "the films A, B and C"
        start = titles
        lead = next((k for k in range(titles - 1, lead - 1, -1) if tokens[k].low == "the"), lead)
    items = _dated_together(tokens, items_between(start, cuts, b))
    return Joined(tokens, a, b, verb_end, lead, items, gapped)


def _titles_start(tokens: Sequence[Token], start: int, end: int, last: int) -> int | None:
    """Returns the start of the names in "the films A, B and C", which the noun describes."""
    quoted = tokens[last].text in _QUOTES
    if not quoted and not tokens[last].capital:
        return None
    such = quoted or any(t.low == "such" for t in tokens[start:end])  # "such films as A and B"
    for k in range(start + 1, end):
        opens = tokens[k].text in _QUOTES if quoted else tokens[k].capital
        if opens and not tokens[k - 1].capital and tokens[k - 1].low.endswith("s"):
            return k
        if tokens[k].text in _QUOTES or (not such and tokens[k].low in PREPOSITIONS):
            return None
    return None


def _dated_together(tokens: Sequence[Token], items: list[Range]) -> list[Range]:
    """Merges titles that were split at a comma: "A, B (1990) and C (1992)"."""
    dated = [k for k, (_, y) in enumerate(items) if tokens[y - 1].text == ")"]
    if len(dated) < 2 or dated[-1] != len(items) - 1:
        return items
    starts = [0, *(k + 1 for k in dated)]
    return [(items[x][0], items[y][1]) for x, y in zip(starts, dated, strict=False)]
