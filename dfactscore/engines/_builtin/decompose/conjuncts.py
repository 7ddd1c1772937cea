"""Words joined by "and": "films, plays and songs", "his voice and his wit"."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dfactscore.engines._builtin.decompose._alike import are_alike
from dfactscore.engines._builtin.decompose.joined import Joined, joined
from dfactscore.engines._builtin.decompose.list_items import (
    OPEN,
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

_COUNTS = frozenset({"numerous", "several", "many", "various", "multiple"})


def conjuncts(
    tokens: Sequence[Token], a: int, b: int, *, verb_end: int | None = None, gapped: bool = False
) -> list[Words]:
    """Splits the words joined by the last "and" of a span, or returns the whole span.

    Args:
        tokens: Tokens of the sentence.
        a: Index of the first token; the text before the conjuncts is repeated with each.
        b: Index after the last token.
        verb_end: Earliest index at which the conjuncts can start, after the verb.
        gapped: Whether each conjunct has an adjunct of its own.

    Example:
        >>> from dfactscore.engines._builtin.language.tokenizer import tokenize
        >>> found = tokenize("wrote several plays, a novel and two songs")
        >>> for words in conjuncts(found, 0, len(found)):
        ...     print(" ".join(t.text for x, y in words for t in found[x:y]))
        wrote several plays
        wrote a novel
        wrote two songs
    """
    things = joined(tokens, a, b, a + 1 if verb_end is None else verb_end, gapped=gapped)
    if things is None or UNDIVIDED.answer(things):
        return [((a, b),)]
    return _PARTS.answer(things)(things)


def listed(tokens: Sequence[Token], a: int, b: int) -> list[Range]:
    """Returns the items of a span that is just a list; empty if there is only one or no list."""
    items = items_between(a, list_cuts(tokens, a, b), b)
    if len(items) < 2 or not all(is_item(tokens, *item) for item in items):
        return []
    quoted = tokens[a].depth > 0
    return items if quoted or are_alike(Joined(tokens, a, b, a, a, a, items)) else []


def _with_complement(j: Joined) -> list[Words]:
    """The conjuncts, each with the article and the complement they share."""
    tail = j.common_complement or j.b
    first = (j.start + 1, j.items[0][1])
    items = [first, *j.items[1:-1], (j.last, tail)]
    return [((j.a, j.start + 1), item, (tail, j.b)) for item in items]


def _with_noun(j: Joined) -> list[Words]:
    """The conjuncts, each with the noun they share."""
    noun = j.common_noun or j.b
    items = [*j.items[:-1], (j.last, noun)]
    kept = j.kept
    if j.tokens[j.start].low in DETERMINERS:  # "the senior and junior teams"
        best = j.last_opener.low.startswith(("highest", "best"))
        kept = j.start + 1 + (j.tokens[j.start + 1].low == "most" and not best)
        items[0] = (kept, items[0][1])
    both = next((k for k in range(j.a, kept) if j.tokens[k].low == "both"), kept)
    before: Words = ((j.a, both), (both + 1, kept)) if both < kept else ((j.a, kept),)
    return [(*before, item, (noun, j.b)) for item in items]


def _with_opener(j: Joined, kept: int) -> list[Words]:
    """The conjuncts, the first starting at `kept`, each preceded by the words before `kept`."""
    return [((j.a, kept), item) for item in [(kept, j.items[0][1]), *j.items[1:]]]


def _after_both(j: Joined) -> list[Words]:
    """The conjuncts, each preceded by the words before "both", which is dropped from the first."""
    both = _both(j)
    items = [(both + 1, j.items[0][1]), *j.items[1:]]
    return [((j.a, both), item) for item in items]


def _with_article(j: Joined) -> list[Words]:
    """The conjuncts, each preceded by the article of the first."""
    items = [(j.start + 1, j.items[0][1]), *j.items[1:]]
    return [((j.a, j.start), (j.start, j.start + 1), item) for item in items]


def _with_words_before(j: Joined) -> list[Words]:
    """The conjuncts, each preceded by the words before the first."""
    return [((j.a, j.kept), item) if j.kept > j.a else (item,) for item in j.items]


def _both(j: Joined) -> int:
    """The index of "both" in the first conjunct, or 0 if it is absent."""
    return next((k for k in range(*j.items[0]) if j.tokens[k].low == "both"), 0)


def _shares_opener(j: Joined) -> bool:
    """Whether "her" or "the" opens the first conjunct and the others have no opener."""
    opener = j.tokens[j.kept].low in POSSESSIVES | {"the"}
    return opener and not any(
        t.capital or t.depth or t.low in DETERMINERS | QUANTITIES for t in j.openers[1:]
    )


def _shares_article(j: Joined) -> bool:
    """Whether "a" or "an" opens the first conjunct and the others have no opener."""
    article = j.start > j.a and j.tokens[j.start].low in {"a", "an"}
    return article and not any(
        t.capital or t.text[0].isdigit() or t.low in OPEN | QUANTITIES | {"one"}
        for t in j.openers[1:]
    )


def _shares_quantity(j: Joined) -> bool:
    """Whether "several" or the like applies to all conjuncts."""
    plural = all(j.tokens[y - 1].low.endswith("s") for _, y in j.items[1:])
    return plural and j.tokens[j.start].low in _COUNTS


# fmt: off
_PARTS: Table[Joined, Callable[[Joined], list[Words]]] = Table("words that each thing repeats", (
    Row("complement", "The complement after the last noun is of all.",
        "Ann Lee oversaw the design and construction of bridges.",
        lambda j: j.common_complement is not None, _with_complement),
    Row("noun", "The noun after the last adjective is of all.",
        "She won several gold and silver medals.",
        lambda j: j.common_noun is not None, _with_noun),
    Row("both", "\"both\" inside the first thing is dropped.",
        "Her style earned her both admiration and resentment.",
        _both, _after_both),
    Row("opener", "The first thing's \"her\" or \"the\" is of all.",
        "Ann Lee is known for her wit and patience.",
        _shares_opener, lambda j: _with_opener(j, j.kept + 1)),
    Row("quantity", "The first thing's quantity is of all.",
        "Ann Lee won numerous awards and medals.",
        _shares_quantity, lambda j: _with_opener(j, j.start + 1)),
    Row("article", "The first thing's article is of all.",
        "Ann Lee worked as an architect and planner.",
        _shares_article, _with_article),
), otherwise=_with_words_before)
# fmt: on
