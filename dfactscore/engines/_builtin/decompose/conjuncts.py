"""Words joined by "and": "films, plays and songs", "his voice and his wit"."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dfactscore.engines._builtin.decompose._alike import are_alike
from dfactscore.engines._builtin.decompose.joined import Joined, joined
from dfactscore.engines._builtin.decompose.list_items import (
    QUANTITIES,
    is_item,
    items_between,
    list_cuts,
)
from dfactscore.engines._builtin.decompose.undivided import UNDIVIDED
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.rows import Row, Table
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.word_classes import DETERMINERS, POSSESSIVES

Words = tuple[Range, ...]  # consecutive spans

_SHARED = POSSESSIVES | {"the", "a", "an"}
_COUNTED = DETERMINERS | QUANTITIES | {"one"}
_COUNTS = frozenset({"numerous", "several", "many", "various", "multiple"})


def conjuncts(
    tokens: Sequence[Token], a: int, b: int, *, verb_end: int, gapped: bool = False
) -> list[Words]:
    """Splits the words joined by the last "and" of a span, or returns the whole span.

    Example:
        >>> from dfactscore.engines._builtin.language.tokenizer import tokenize
        >>> tokens = tokenize("wrote several plays, a novel and two songs")
        >>> for words in conjuncts(tokens, 0, len(tokens), verb_end=1):
        ...     print(" ".join(t.text for x, y in words for t in tokens[x:y]))
        wrote several plays
        wrote a novel
        wrote two songs
    """
    things = joined(tokens, a, b, verb_end, gapped=gapped)
    if things is None or UNDIVIDED.answer(things):
        return [((a, b),)]
    return _PARTS.answer(things)(things)


def listed(tokens: Sequence[Token], a: int, b: int) -> list[Range]:
    """Returns the items of a span that is just a list; empty if there is only one or no list."""
    items = items_between(a, list_cuts(tokens, a, b), b)
    if len(items) < 2 or not all(is_item(tokens, *item) for item in items):
        return []
    quoted = tokens[a].depth > 0
    return items if quoted or are_alike(Joined(tokens, a, b, a, a, items)) else []


def _each(j: Joined, lead: int, tail: int | None = None) -> list[Words]:
    """Returns each conjunct between the words before `lead`, without "both", and those of `tail`.

    The first conjunct begins at `lead`, or after it if a noun such as "films" precedes titles.
    """
    tail = j.b if tail is None else tail
    article = lead - (j.tokens[lead - 1].low in {"a", "an"})  # put together with each noun
    both = next((k for k in range(j.a, lead + 1) if j.tokens[k].low == "both"), article)
    before = ((j.a, both), (both + (j.tokens[both].low == "both"), article), (article, lead))
    first = max(lead + (j.tokens[lead].low == "both"), j.start)
    items = [(first, j.items[0][1]), *j.items[1:-1], (j.last, tail)]
    parts = ((*before, item, (tail, j.b)) for item in items)
    return [tuple(part for part in spans if part[0] < part[1]) for spans in parts]


def _with_noun(j: Joined) -> list[Words]:
    """Returns each conjunct with the noun they share."""
    if j.tokens[j.start].low not in DETERMINERS:
        return _each(j, j.lead, j.common_noun)
    best = j.last_opener.low.startswith(("highest", "best"))
    most = j.tokens[j.start + 1].low == "most" and not best
    return _each(j, j.start + 1 + most, j.common_noun)  # "the senior and junior teams"


def _shares_opener(j: Joined) -> bool:
    """Whether "her", "the" or "a" opens the first conjunct and the others have no opener."""
    return j.tokens[j.lead].low in _SHARED and not any(
        t.capital or t.depth or t.text[0].isdigit() or t.low in _COUNTED for t in j.openers[1:]
    )


def _shares_quantity(j: Joined) -> bool:
    """Whether "several" or the like applies to all conjuncts."""
    plural = all(j.tokens[y - 1].low.endswith("s") for _, y in j.items[1:])
    return plural and j.tokens[j.start].low in _COUNTS


# fmt: off
_PARTS: Table[Joined, Callable[[Joined], list[Words]]] = Table("words that each thing repeats", (
    Row("complement", "The complement after the last noun is of all.",
        "Ann Lee oversaw the design and construction of bridges.",
        lambda j: j.common_complement is not None,
        lambda j: _each(j, j.start + 1, j.common_complement)),
    Row("noun", "The noun after the last adjective is of all.",
        "She won several gold and silver medals.",
        lambda j: j.common_noun is not None, _with_noun),
    Row("opener", "The first thing's \"her\", \"the\" or \"a\" is of all.",
        "Ann Lee worked as an architect and planner.",
        _shares_opener, lambda j: _each(j, j.lead + 1)),
    Row("quantity", "The first thing's quantity is of all.",
        "Ann Lee won numerous awards and medals.",
        _shares_quantity, lambda j: _each(j, j.start + 1)),
), otherwise=lambda j: _each(j, j.lead))
# fmt: on
