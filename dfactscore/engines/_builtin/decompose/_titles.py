"""Names and titles that are joined by "and" or contain it: "Gone with the Wind and Hud"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dfactscore.engines._builtin.language.adverbs import is_year
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.word_classes import (
    PREPOSITIONS,
    RELATIVES,
    is_demonym,
    is_role,
    past_of_any_gerund,
)
from dfactscore.engines._builtin.language.word_lists import word_list

_PAIRS = word_list("fixed_pairs") | word_list("paired_names")
_MADE = word_list("made")
_OPENERS = word_list("title_openers") | PREPOSITIONS  # "Up in the Air"
_ALWAYS = frozenset({"of", "the", "a", "an", "de", "du", "la", "le"})
_SMALL = _ALWAYS | PREPOSITIONS | {"and"}
_SEPARATORS = ([","], ["and"], [",", "and"])


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
    return tokens[k].low in _ALWAYS or before in _OPENERS or past_of_any_gerund(before) != ""


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
