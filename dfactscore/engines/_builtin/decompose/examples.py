"""Examples given in a predicate: "won prizes, including A and B", "films such as C"."""

from __future__ import annotations

from collections.abc import Sequence

from dfactscore.engines._builtin.decompose.adjuncts import Frame
from dfactscore.engines._builtin.decompose.conjuncts import Words, listed
from dfactscore.engines._builtin.decompose.joined import ABOUT
from dfactscore.engines._builtin.decompose.list_items import QUANTITIES
from dfactscore.engines._builtin.decompose.nouns import opens_phrase
from dfactscore.engines._builtin.decompose.times import is_time
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.word_classes import (
    DETERMINERS,
    PREPOSITIONS,
    SMALL,
)
from dfactscore.engines._builtin.language.word_lists import word_list

_KINDS = word_list("kinds")
_BEFORE_KIND = SMALL | word_list("before_kind")
_OWN = frozenset({"his", "her", "their"})
_HELD = frozenset({"held", "holds", "had", "has", "filled", "played", "plays"})
_OFFICES = frozenset({"jobs", "positions", "roles", "offices", "posts", "capacities", "titles"})
_BEFORE_QUANTITY = QUANTITIES | {"a", "the", "of", "wide", "large", "vast", "great", "growing"}
_OF_ITEM = frozenset({"in", "at", "for", "with", "from"})


def kinds(tokens: Sequence[Token], frame: Frame) -> list[Words]:
    """Returns the kinds of works and people given as examples: "films, such as A and B".

    Returns:
        For each example, the span that names its kind (in the plural) and the span of the example.
    """
    x, y = frame.examples
    if y <= x or frame.core[1] <= frame.begin or tokens[x].low in DETERMINERS - {"the"}:
        return []
    chunk = frame.adjuncts[-1] if frame.adjuncts else frame.core
    if tokens[chunk[1] - 1].low not in _KINDS or any(t.low == "and" for t in tokens[slice(*chunk)]):
        return []  # of "shows and films" the text does not say which is which
    begin = chunk[1] - 1
    first = frame.begin if chunk == frame.core else chunk[0]
    while begin > first and tokens[begin - 1].word and tokens[begin - 1].low not in _BEFORE_KIND:
        begin -= 1
    items = listed(tokens, x, y)
    return [
        ((begin, chunk[1]), item)
        for item in items
        if chunk[1] - begin <= 3 and _is_name(tokens, *item)
    ]


def _is_name(tokens: Sequence[Token], x: int, y: int) -> bool:
    """Whether an example is a title: "The West", but not "works of art" or "The West in 1990"."""
    if tokens[y - 1].text.isdigit() and tokens[y - 2].low in PREPOSITIONS:
        return False
    at = x + (tokens[x].low in DETERMINERS and x + 1 < y)
    return tokens[at].capital or tokens[at].depth > 0


def exemplified(tokens: Sequence[Token], frame: Frame, whole: Range) -> list[Words]:
    """Substitutes A and B for "prizes": "won prizes in Rome, including A and B"."""
    first, end = frame.examples
    clause = any(t.low in {"which", "who"} for t in tokens[first:end])
    if clause or tokens[first].low in {"those", "that", "being"}:
        return [(whole,)]
    items = listed(tokens, first, end) or [(first, end)]
    preposition = tokens[first].low in PREPOSITIONS and not tokens[first].capital
    if len(items) == 1 and preposition:
        items = listed(tokens, first + 1, end) or items
    if any(tokens[x + (tokens[x].low == "even")].low in _OWN for x, _ in items):
        return []  # "a family, including her father and uncles"
    if preposition:  # "served in many roles, including as a nurse and a cook"
        verb = (frame.core[0], frame.begin)
        if tokens[frame.begin - 1].low in _HELD:
            verb = (whole[0], first)  # "held posts, including as a nurse"
        rest: list[Words] = [(verb, (first, first + 1), item) for item in items[1:]]
        return [(verb, (first, items[0][1])), *rest]
    said = _said_of_items(tokens, items)
    for chunk in _chunks(tokens, frame, items):
        begin = frame.begin if chunk is frame.core else chunk[0] + 1
        start = plural_start(tokens, begin, chunk[1])
        if start is None:
            continue
        before: Words = ((chunk[0], start),)
        if chunk is not frame.core:
            before = (frame.core, *before)
        return [(*before, *words) for words in said]
    return [((whole[0], first), *words) for words in said]


def _chunks(tokens: Sequence[Token], frame: Frame, items: Sequence[Range]) -> list[Range]:
    """Returns the parts of a predicate that the examples may belong to, most likely first."""
    chunks = [
        chunk
        for chunk in (*reversed(frame.adjuncts), frame.core)
        if chunk is frame.core or not is_time(tokens, *chunk)
    ]
    x, y = items[0]
    end = next((k for k in range(x + 1, y) if tokens[k].low in PREPOSITIONS), y)
    heads = {f"{tokens[end - 1].low}s"}
    # "prizes for her films, including a prize": the prize is not a film

    def unlikely(chunk: Range) -> tuple[bool, bool]:
        start = plural_start(tokens, frame.begin if chunk is frame.core else chunk[0] + 1, chunk[1])
        own = start is not None and tokens[start].low in _OWN  # "awards for her songs, including"
        return not any(t.low in heads for t in tokens[slice(*chunk)]), own

    return sorted(chunks, key=unlikely)


def _in_title(tokens: Sequence[Token], a: int, b: int, k: int) -> bool:
    """Whether a preposition is part of a name: "Fund for the Arts", "A Look at the West"."""
    the = tokens[k + 1].low == "the"
    named = k + 1 + the < b and tokens[k + 1 + the].capital
    title = tokens[a].capital and tokens[a].low in DETERMINERS
    return named and (title or (the and (tokens[k].low == "for" or tokens[b - 1].text == ")")))


def _said_of_items(tokens: Sequence[Token], items: Sequence[Range]) -> list[Words]:
    """Returns the items, with and without the words that follow a name: "the Ohio Cup in 1990"."""
    (x, y), (u, v) = items[0], items[-1]
    plain = not tokens[u].capital and not tokens[y - 1].capital
    if len(items) == 2 and plain and y - x > 2 and v - u == 1 and tokens[y - 2].low in PREPOSITIONS:
        return [((x, y),), ((x, y - 1), (u, v))]  # "arrests for assault and theft"
    out: list[Words] = []
    for a, b in items:
        at = next(
            (
                k
                for k in range(a + 1, b - 1)
                if tokens[k].low in _OF_ITEM
                and not tokens[k].depth
                and tokens[k - 1].capital
                and (tokens[k].low != "for" or tokens[k + 1].low in DETERMINERS)
                and not _in_title(tokens, a, b, k)
            ),
            b,
        )
        if at < b:
            out.append(((a, at),))
        out.append(((a, b),))
    return out


def plural_start(tokens: Sequence[Token], behind: int, end: int) -> int | None:
    """Returns the start of the words exemplified: the nearest quantity or bare plural."""
    if any(t.low in _OFFICES for t in tokens[behind:end]):
        return None  # "held positions of power, including": the position is held, no one is
    for k in range(end - 1, behind - 1, -1):
        if tokens[k].depth:
            return None
        if tokens[k].low in QUANTITIES:
            while k - 1 >= behind and tokens[k - 1].low in _BEFORE_QUANTITY:
                if tokens[k - 1].low == "of" and tokens[k - 2].low not in QUANTITIES:
                    break
                k -= 1
            while k > behind and tokens[k - 1].low in ABOUT:
                k -= 1  # "over a dozen films"
            return k
    k = end - 1
    if k < behind or not tokens[k].low.endswith("s"):
        return None
    closed = False  # "hospitals, libraries, and schools": of the whole list
    while k > behind:
        inside = closed and tokens[k - 1].text == ","
        if opens_phrase(tokens[k - 1]) and not inside:
            break
        k -= 1
        if tokens[k].low in DETERMINERS:
            return k if tokens[k - 1].low != "of" else None
        closed = closed or tokens[k].low == "and"
        end = k if closed and tokens[k].text == "," else end
    while k > behind and tokens[k - 1].low in ABOUT:
        k -= 1  # "over 300 films"
    return k if tokens[k - 1].low != "of" else None
