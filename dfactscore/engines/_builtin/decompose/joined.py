"""Conjuncts joined by "and", and the words before them: "wrote the plays | Elm, Oak and Ash"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from dfactscore._text.role_words import is_demonym, is_role
from dfactscore.engines._builtin.decompose.list_items import (
    ITEM_OPENERS,
    OPEN,
    first_start,
    items_between,
    list_cuts,
    start_with_adjuncts,
)
from dfactscore.engines._builtin.decompose.nouns import head_of, is_modifier
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.verbs import is_year
from dfactscore.engines._builtin.language.word_classes import (
    DETERMINERS,
    PREPOSITIONS,
    RELATIVES,
    past_of_any_gerund,
    word_list,
)

_PAIRS = word_list("fixed_pairs") | word_list("paired_names")
_MADE = word_list("made")
_TITLE_OPENERS = word_list("title_openers") | PREPOSITIONS  # "Up in the Air"
_ALWAYS = frozenset({"of", "the", "a", "an", "de", "du", "la", "le"})
_SMALL = _ALWAYS | PREPOSITIONS | {"and"}
_SEPARATORS = ([","], ["and"], [",", "and"])
ABOUT = frozenset({"over", "about", "around", "nearly", "almost", "than", "more"})
_QUOTES = frozenset({'"', "“"})
_OPENERS = ITEM_OPENERS | {"their", "its"}
_RANKED = ("first", "second", "third", "th", "est", "only")


def titles_joined(tokens: Sequence[Token], a: int, b: int) -> Iterator[Range]:
    """Yields listed titles that rules could split: "Gone with the Wind, Up in the Air and Hud"."""
    names: list[Range] = []
    joined = False
    for x, y in [*_names(tokens, a, b), (b, b)]:
        after = tokens[names[-1][1] : x] if names else []
        separator = [t.low for t in after if not t.depth]  # "Hud (1963) and"
        if separator in _SEPARATORS:
            joined = "and" in separator
        else:
            yield from (name for name in names if joined and _may_be_cut(tokens, name))
            names, joined = [], False
        names.append((x, y))


def _names(tokens: Sequence[Token], a: int, b: int) -> Iterator[Range]:
    """Yields the names and titles in a span."""
    k = a
    while k < b:
        end = _name_end(tokens, k, b) if _opens_title(tokens, k) else k
        if end > k:
            yield k, end
        k = max(end, k + 1)


def _opens_title(tokens: Sequence[Token], k: int) -> bool:
    """Whether a name begins at `k`; it may begin with a number: "12 Years a Slave"."""
    number = tokens[k].text.isdigit() and not is_year(tokens[k].text)
    return _is_named(tokens[k]) or (number and _is_named(tokens[k + 1]))


def _name_end(tokens: Sequence[Token], first: int, b: int) -> int:
    """Returns the end of the name that begins at `first`."""
    end = first + 1
    while end < b:
        named = next((k for k in range(end, b) if not _is_small(tokens[k])), end)
        if not _is_named(tokens[named]) or (named > end and not _is_inside(tokens, end)):
            break
        end = named + 1
    return end


def _is_named(token: Token) -> bool:
    return token.capital and not token.depth


def _is_small(token: Token) -> bool:
    return token.low in _SMALL and not token.capital


def _is_inside(tokens: Sequence[Token], k: int) -> bool:
    """Whether the small word at `k` can be part of a title: "Gone with", but not "Leeds in"."""
    before = tokens[k - 1].low
    if tokens[k].low == "and":
        return f"{before}-{tokens[k + 1].low}" in _PAIRS  # "Sense and Sensibility"
    return tokens[k].low in _ALWAYS or before in _TITLE_OPENERS or past_of_any_gerund(before) != ""


def _may_be_cut(tokens: Sequence[Token], title: Range) -> bool:
    """Whether rules could split a title: at a preposition or "and", or after a number."""
    inner = tokens[title[0] : title[1]]
    return inner[0].text.isdigit() or any(_is_small(t) and t.low not in _ALWAYS for t in inner)


def are_one_name(tokens: Sequence[Token], items: Sequence[Range]) -> bool:
    """Whether words joined by "and" are one name: "Romeo and Juliet", "Tony and Emmy Awards"."""
    (x, y), (u, v) = items[0], items[-1]
    the = all(tokens[k].text == "the" and is_name(tokens, k, end) for k, end in items[1:])
    if the and tokens[x].text == "The":
        return True  # "The Lion, the Witch and the Wardrobe"
    known = f"{tokens[y - 1].low}-{tokens[u].low}" in _PAIRS
    if known or len(items) > 2:
        return known
    if (
        tokens[x - 2].low in _MADE and tokens[u].text == "the"
    ):  # "starred in Harry Potter and the Goblet of Fire"
        return True
    return _again(tokens, items) or (y - x == 1 < v - u and _shares_head(tokens, items))


def _again(tokens: Sequence[Token], items: Sequence[Range]) -> bool:
    """Whether one of two words also occurs elsewhere in a name: "Ann Lee founded Lee and Hill"."""
    if any(y - x != 1 for x, y in items) or tokens[items[0][0] - 1].low in PREPOSITIONS:
        return False
    words = {tokens[x].low for x, _ in items}
    inside = {x for x, _ in items}
    return any(t.low in words for k, t in enumerate(tokens) if k not in inside)


def _shares_head(tokens: Sequence[Token], items: Sequence[Range]) -> bool:
    """Whether two names share the last word: "North and South America", "Emmy and Tony Awards"."""
    (x, _), (u, v) = items
    several = tokens[u].low != "the" and tokens[v - 1].low.endswith("s")
    return is_demonym(tokens[x].low) or several


def are_two_names(tokens: Sequence[Token], items: Sequence[Range]) -> bool:
    """Whether each of two joined names can stand alone: "wrote Romola and Adam Bede".

    Names of a body ("Forum on Religion and Ecology"), a couple ("the son of Ann and Tom Lee") and
    adjectives that modify one noun ("Political and Industrial Correspondent") cannot.
    """
    (x, y), (u, v) = items[0], items[-1]
    first = x - (tokens[x - 1].low == "both")
    before, ahead = tokens[first - 1], tokens[first - 2]
    if not all(is_name(tokens, *item) for item in items):
        return False
    if before.capital or _holds_role(tokens, items[0]) != _holds_role(tokens, items[1]):
        return False  # "Director Air Plans and Programmes"
    if before.low in PREPOSITIONS and ahead.capital:
        return False
    mixed = y - x == 1 < v - u
    if before.low == "of" and not is_role(ahead.low):
        return ahead.low in RELATIVES and not mixed
    return not mixed or before.low not in {"by", "of"}


def _holds_role(tokens: Sequence[Token], item: Range) -> bool:
    return any(is_role(t.low) for t in tokens[item[0] : item[1]])


def is_name(tokens: Sequence[Token], a: int, b: int) -> bool:
    """Whether a span is just a name, optionally followed by words in brackets."""
    return all(t.depth or t.capital or t.low in _ALWAYS or t.text.isdigit() for t in tokens[a:b])


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
