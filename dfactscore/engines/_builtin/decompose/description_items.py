"""The items of a description: "a nun, beekeeper and composer"."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from dfactscore._text.role_words import is_demonym, is_role
from dfactscore.engines._builtin.decompose.clause_words import (
    NOTHING,
    ClauseText,
    Given,
    ands,
    stated,
)
from dfactscore.engines._builtin.decompose.nouns import head_of, may_be_role
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.rows import Row, Table
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.word_classes import DETERMINERS, PREPOSITIONS, RELATIVES

# Words before which a role has no other article: "president of the club"
WITHOUT_ARTICLE = DETERMINERS | {"one", "president", "chairman", "ceo"}
_JOINING = frozenset({"and", "&"})
_CHILD = frozenset({"son", "daughter"})
_AFTER_ITEMS = frozenset({"including", "who", "whose", "such"})


@dataclass(frozen=True, slots=True)
class Boundary:
    """A comma or "and" between descriptions."""

    tokens: Sequence[Token]
    start: int  # index of the first token of the item before the boundary
    stop: int
    following: int  # index of the first token of the next item
    end: int

    @property
    def words(self) -> list[str]:
        """The words of the preceding item, in lowercase."""
        return [t.low for t in self.tokens[self.start : self.stop]]

    def of_relative(self) -> bool:
        """Whether the next item describes a relative whose name is in the preceding item."""
        words = self.words
        kin = "of" in words and not RELATIVES.isdisjoint(words[: words.index("of")])
        if not kin or self.opens_relative(self.stop):
            return kin
        if self.tokens[self.following].low in WITHOUT_ARTICLE:
            return False
        return any(
            RELATIVES.isdisjoint(t.low for t in self.tokens[k : self.end])
            for k in range(self.start + 1, self.stop)
            if self.opens_relative(k)
        )

    def opens_relative(self, k: int) -> bool:
        """Whether a comma between a relative's name and a description is at `k`."""
        name, comma, opener, noun = self.tokens[k - 1 : k + 3]
        # "1st Baronet", "ruling Count of Kent", "minister of Kent"
        office = is_role(opener.low) and noun.low == "of"
        described = opener.low in WITHOUT_ARTICLE or opener.capital or noun.capital or office
        return name.capital and comma.comma and described

    def of_parents(self) -> bool:
        """Whether "and" may join two parents: "daughter of a fisherman and a nurse"."""
        words = self.words
        return any(
            kin in RELATIVES and article in {"a", "an"}
            for kin, article in zip(words, words[2:], strict=False)
        )

    def before_name(self) -> bool:
        """Whether a role and a name follow: "the artist and writer Tom Hill"."""
        role, name = self.tokens[self.following], self.tokens[self.following + 1]
        named = self.following + 1 < self.end and name.capital
        return named and is_role(role.low) and not role.capital

    def in_name(self) -> bool:
        """Whether "and" is inside a name: "a fellow at the Ethics and Public Policy Center"."""
        tokens, head = self.tokens, self.following
        capitals = tokens[self.stop - 1].capital and tokens[head].capital
        if not capitals or is_demonym(tokens[head].low):
            return False  # "a fellow of the Hill Club and American writer"
        while tokens[head + 1].capital:
            head += 1
        return not is_role(tokens[head].low) or not RELATIVES.isdisjoint(self.words)

    def names_role(self, a: int, b: int) -> bool:
        """Whether the head noun of a span names a role."""
        head = head_of(self.tokens, a, b)
        before = [t.text for t in self.tokens[a:b] if t.end < head.start][-1:]
        initial = head.capital and len("".join(before)) == 2 and before[0].endswith(".")
        if self.tokens[a].low in PREPOSITIONS or head.text == "Executive" or initial:
            return False  # "the Special Operations Executive", "Mary P. Baker"
        return may_be_role(head.low) or head.low in RELATIVES


# fmt: off
ITEM: Table[Boundary, bool] = Table("boundaries between descriptions", (
    Row("relative", "A description after a relative's name is of the relative.",
        "Ann Lee was the sister of Tom Hill, a poet and judge.",
        Boundary.of_relative, False),
    Row("parents", '"And" after one parent adds the other.',
        "Ann Lee was a nun and daughter of a judge and a nurse.",
        Boundary.of_parents, False),
    Row("name", '"And" between capitalized words can be part of a name.',
        "Ann Lee was the daughter of Tom Hill and Eva Painter.",
        Boundary.in_name, False),
    Row("before name", "Two roles before a name describe the bearer of the name.",
        "Ann Lee was the artist and writer Tom King.",
        Boundary.before_name, False),
    Row("office", '"And" and an article after an office open another description.',
        "Ann Lee was Dean of Kent and a good friend of Tom Hill.",
        lambda x: x.tokens[x.following - 1].low == "and"
        and x.tokens[x.following].low in {"a", "an"} and x.names_role(x.start, x.stop), True),
    Row("roles", "Two roles are two descriptions.",
        "Ann Lee was a nun, beekeeper and composer.",
        lambda x: x.names_role(x.start, x.stop) and x.names_role(x.following, x.end), True),
), otherwise=False)
# fmt: on


def description_items(tokens: Sequence[Token], a: int, b: int) -> list[Range]:
    """Splits a list of descriptions; empty if it is not a list or cannot be split safely."""
    boundaries = _boundaries(tokens, a, b)
    if any(tokens[following].comma for _, following in boundaries):
        return []  # "Dean of Leeds and, from 1990, Dean of York"
    items: list[Range] = []
    for stop, following in boundaries:
        end = next((after for after, _ in boundaries if after > following), b)
        if ITEM.answer(Boundary(tokens, a, stop, following, end)):
            items.append((a, stop))
            a = following
    if not items or any(_has_gap(tokens[x:y]) for x, y in [*items[1:], (a, b)]):
        return []
    return [*items, (a, b)]


def _boundaries(tokens: Sequence[Token], a: int, b: int) -> list[Range]:
    """Returns the end of each item (at a comma or "and") and the start of the next one."""
    boundaries: list[Range] = []
    for k in (k for k in range(a + 1, b - 1) if tokens[k].depth <= tokens[a].depth):
        if tokens[k].low in _AFTER_ITEMS:
            break
        if tokens[k].comma:
            boundaries.append((k, k + 1 + (tokens[k + 1].low in _JOINING)))
        elif tokens[k].low in _JOINING and not tokens[k - 1].comma:
            boundaries.append((k, k + 1))
    return boundaries


def _has_gap(item: Sequence[Token]) -> bool:
    """Whether a verb is left out: "a judge and his mother a nurse"."""
    return item[0].low in {"his", "her"} and any(t.low in {"a", "an"} for t in item)


def name_start(tokens: Sequence[Token], k: int) -> int:
    """Returns the index of the first of the capitalized words that end right before `k`."""
    while tokens[k - 1].capital:
        k -= 1
    return k


def without_other_parent(c: ClauseText, head: str, a: int, b: int) -> tuple[int, Given]:
    """Gives a second parent separately: "the son of Tom Hill and his wife Eva Hill".

    Also returns the end of the description, excluding the second parent.
    """
    kin = next((k for k in range(a, b) if c.low(k) in RELATIVES), b)
    of = next((k for k in range(kin, b) if c.low(k) == "of"), b)
    joints = ands(c.tokens, of, b - 3)
    end = next((k for k in joints if c.low(k + 1) in {"his", "her"}), b)
    if end == b:
        return b, NOTHING
    wife = next((k for k in range(end + 2, end + 6) if c.low(k) in RELATIVES), b)
    first = wife + 1 + c.comma(wife + 1)
    last = first
    while c.tokens[last].capital:
        last += 1
    first_word = opener(c, a)
    if first == last:  # "and his wife, the singer Eva Hill": whole
        return a, stated(c, f"{head} {first_word} {c.raw(a + 1, b)}", a, b)
    kinship = f"{head} {first_word} {c.raw(a + 1, of + 1)}"
    parent = stated(c, f"{kinship} {c.raw(first, last)}", first, last)
    return end - c.comma(end - 1), parent


def without_grandparent(c: ClauseText, head: str, a: int, b: int) -> tuple[int, Given]:
    """Gives a parent's parent separately: "the son of Tom Hill and Eva, daughter of Bob Poe".

    Also returns the end of the description, excluding that addition.
    """
    for k in range(a + 2, b - 2):
        child = c.comma(k) and c.low(k + 1) in _CHILD and c.low(k + 2) == "of"
        if child and any(c.low(i) in _CHILD for i in range(a, k)):
            parent = c.raw(name_start(c.tokens, k), k)
            return k, stated(c, f"{head} the {c.raw(k + 1, b)}", k + 1, b, parent)
    return b, NOTHING


def opener(c: ClauseText, a: int) -> str:
    """Returns the first word of a description, which opens no sentence."""
    return c.low(a) if a == c.clause.start else c.tokens[a].text


def shared_complement(tokens: Sequence[Token], items: Sequence[Range]) -> int:
    """Returns the start of "of Elm" in "the founder and head of Elm", or 0."""
    (a, _), (x, y) = items[0], items[-1]
    first, last = tokens[a].low, tokens[x].low
    words = itertools.chain.from_iterable(tokens[c:d] for c, d in items[:-1])
    if (
        len(items) < 2
        or first != "the"
        or last in DETERMINERS - {"the"}
        or any(t.low in PREPOSITIONS for t in words)
    ):
        return 0
    return next((k for k in range(x + 1, min(y, x + 4)) if tokens[k].low == "of"), 0)
