"""Examples given in a predicate: "won prizes, including A and B", "films such as C"."""

from __future__ import annotations

from collections.abc import Sequence

from dfactscore.engines._builtin.decompose.adjuncts import Frame
from dfactscore.engines._builtin.decompose.conjuncts import Words, listed
from dfactscore.engines._builtin.decompose.joined import ABOUT
from dfactscore.engines._builtin.decompose.list_items import QUANTITIES
from dfactscore.engines._builtin.decompose.nouns import head_of, opens_phrase
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
_BEFORE_KIND = SMALL | QUANTITIES | word_list("before_kind")
_OWN = frozenset({"his", "her", "their"})
_HELD = frozenset({"held", "holds", "had", "has", "filled", "played", "plays"})
_OFFICES = frozenset({"jobs", "positions", "roles", "offices", "posts", "capacities", "titles"})
_BEFORE_QUANTITY = (
    QUANTITIES | ABOUT | {"a", "the", "of", "wide", "large", "vast", "great", "growing"}
)
_LONGEST_KIND = 3  # words
_OF_ITEM = frozenset({"in", "at", "for", "with", "from"})


def kinds(tokens: Sequence[Token], frame: Frame) -> list[Words]:
    """Returns the kinds of works and people given as examples: "films, such as A and B"."""
    chunk = frame.adjuncts[-1] if frame.adjuncts else frame.core
    end = chunk[1]
    if tokens[frame.examples[0]].low in DETERMINERS - {"the"}:
        return []
    if tokens[end - 1].low not in _KINDS or any(t.low == "and" for t in tokens[slice(*chunk)]):
        return []  # of "shows and films" the text does not say which is which
    begin = end - 1
    first = frame.begin if chunk == frame.core else chunk[0]
    while begin > first and tokens[begin - 1].low not in _BEFORE_KIND:
        if tokens[begin - 1].text[0].isdigit():
            break  # "over 300 films"
        begin -= 1
    items = listed(tokens, *frame.examples) if end - begin <= _LONGEST_KIND else []
    return [((begin, end), item) for item in items if _is_name(tokens, *item)]


def _is_name(tokens: Sequence[Token], x: int, y: int) -> bool:
    """Whether an example is a title: "The West", but not "works of art" or "The West in 1990"."""
    if tokens[y - 1].text.isdigit() and tokens[y - 2].low in PREPOSITIONS:
        return False
    first = tokens[x + (tokens[x].low in DETERMINERS)]
    return first.capital or first.depth > 0


def exemplified(tokens: Sequence[Token], frame: Frame, whole: Range) -> list[Words]:
    """Substitutes A and B for "prizes": "won prizes in Rome, including A and B"."""
    first, end = frame.examples
    clause = any(t.low in {"which", "who"} for t in tokens[first:end])
    if clause or tokens[first].low in {"those", "that", "being"}:
        return [(whole,)]
    preposition = tokens[first].low in PREPOSITIONS and not tokens[first].capital
    items = listed(tokens, first + preposition, end) or [(first, end)]
    if any(tokens[x + (tokens[x].low == "even")].low in _OWN for x, _ in items):
        return []  # "a family, including her father and uncles"
    if preposition:  # "served in many roles, including as a nurse and a cook"
        held = tokens[frame.begin - 1].low in _HELD  # "held posts, including as a nurse"
        verb = (whole[0], first) if held else (frame.core[0], frame.begin)
        return [(verb, (first, first + (x > first)), (x, y)) for x, y in items]
    before: Words = ((whole[0], first),)
    for chunk in _chunks(tokens, frame, items):
        start = plural_start(tokens, _after_verb(frame, chunk), chunk[1])
        if start is not None:
            before = ((chunk[0], start),)
            before = before if chunk is frame.core else (frame.core, *before)
            break
    return [(*before, *words) for words in _with_adjuncts(tokens, items)]


def _after_verb(frame: Frame, chunk: Range) -> int:
    """Returns the start of a chunk after its verb or preposition."""
    return frame.begin if chunk is frame.core else chunk[0] + 1


def _chunks(tokens: Sequence[Token], frame: Frame, items: Sequence[Range]) -> list[Range]:
    """Returns the parts of a predicate that the examples may belong to, most likely first."""
    adjuncts = [chunk for chunk in reversed(frame.adjuncts) if not is_time(tokens, *chunk)]
    plural = f"{head_of(tokens, *items[0]).low}s"

    def unlikely(chunk: Range) -> tuple[bool, bool]:
        # "prizes for her films, including a prize": the prize is not a film
        start = plural_start(tokens, _after_verb(frame, chunk), chunk[1])
        own = start is not None and tokens[start].low in _OWN  # "awards for her songs, including"
        return all(t.low != plural for t in tokens[slice(*chunk)]), own

    return sorted([*adjuncts, frame.core], key=unlikely)


def _with_adjuncts(tokens: Sequence[Token], items: Sequence[Range]) -> list[Words]:
    """Returns the items, with and without the words that follow a name: "the Ohio Cup in 1990"."""
    (x, y), (u, v) = items[0], items[-1]
    shared = tokens[y - 2].low in PREPOSITIONS and not tokens[u].capital
    if len(items) == 2 and v - u == 1 and shared:
        return [((x, y),), ((x, y - 1), (u, v))]  # "arrests for assault and theft"
    out: list[Words] = []
    for a, b in items:
        after = (k for k in range(a + 1, b - 1) if _ends_name(tokens, k))
        name = next((k for k in after if not _in_title(tokens, a, b, k)), b)
        if name < b:
            out.append(((a, name),))
        out.append(((a, b),))
    return out


def _ends_name(tokens: Sequence[Token], k: int) -> bool:
    """Whether a preposition follows a name: "the Ohio Cup in 1990", "the Cup for the best song"."""
    purpose = tokens[k].low != "for" or tokens[k + 1].low in DETERMINERS
    named = tokens[k - 1].capital and not tokens[k].depth
    return tokens[k].low in _OF_ITEM and named and purpose


def _in_title(tokens: Sequence[Token], a: int, b: int, k: int) -> bool:
    """Whether a preposition is part of a name: "Fund for the Arts", "A Look at the West"."""
    the = tokens[k + 1].low == "the"
    title = tokens[a].capital and tokens[a].low in DETERMINERS
    fund = the and (tokens[k].low == "for" or tokens[b - 1].text == ")")
    return tokens[k + 1 + the].capital and (title or fund)


def plural_start(tokens: Sequence[Token], first: int, end: int) -> int | None:
    """Returns the start of the words exemplified: the nearest quantity or bare plural."""
    if any(t.low in _OFFICES for t in tokens[first:end]):
        return None  # "held positions of power, including": the position is held
    amount = next((k for k in reversed(range(first, end)) if tokens[k].low in QUANTITIES), None)
    if any(t.depth for t in tokens[first if amount is None else amount : end]):
        return None
    if amount is not None:
        return max(first, _amount_start(tokens, amount))
    start = _list_start(tokens, first, end)
    plural = tokens[end - 1].low.endswith("s") and tokens[start - 1].low != "of"
    return start if plural and start >= first else None


def _amount_start(tokens: Sequence[Token], start: int) -> int:
    """Returns the start of the words of a quantity: "over a dozen", "a wide variety of"."""
    while tokens[start - 1].low in _BEFORE_QUANTITY and (
        tokens[start - 1].low != "of" or tokens[start - 2].low in QUANTITIES
    ):
        start -= 1
    return start


def _list_start(tokens: Sequence[Token], first: int, end: int) -> int:
    """Returns the start of a noun phrase or of the whole list: "schools, banks, and hospitals"."""
    start = end - 1
    joined = False
    while start > first and tokens[start].low not in DETERMINERS:
        if opens_phrase(tokens[start - 1]) and not (joined and tokens[start - 1].text == ","):
            break
        start -= 1
        joined = joined or tokens[start].low == "and"
    while start > first and tokens[start].low not in DETERMINERS and tokens[start - 1].low in ABOUT:
        start -= 1  # "over 300 films"
    return start
