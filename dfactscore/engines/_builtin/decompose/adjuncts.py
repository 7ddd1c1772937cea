"""Adjuncts of a predicate: "[won the cup] [in 1996] [with Leeds]"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dfactscore._text.role_words import is_role
from dfactscore.engines._builtin.decompose.conjuncts import listed
from dfactscore.engines._builtin.decompose.nouns import NUMBERS, is_time, is_year_word
from dfactscore.engines._builtin.decompose.openings import ALL_CLAUSES
from dfactscore.engines._builtin.decompose.wholes import WHOLE, PredicateSpan
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.verbs import is_adverb, skip_adverbs
from dfactscore.engines._builtin.language.word_classes import (
    AUXILIARIES,
    DETERMINERS,
    PAST_PARTICIPLES,
    PREPOSITIONS,
    RELATIVES,
    SMALL,
    is_finite_form,
    past_of_any_gerund,
    word_list,
)

_BE_FORMS = AUXILIARIES | {"been", "be", "being"}
_DATING = frozenset({"in", "on", "at", "from", "during", "since", "until", "by"})
_FLOATING = frozenset({"since", "all", "both", "each"})
_NAMELY = frozenset({"notably", "namely", "especially"})
_TRAILING = frozenset({*",;–—-", "and", "again"})
_EMPTY = SMALL | word_list("focus") | {"career"}
_LIGHT = word_list("light")
RESULTS = word_list("results")  # ", which led to": all of it did
_LONGEST_DATE = 8


@dataclass(frozen=True, slots=True)
class Frame:
    """A predicate taken apart; all ranges are token indices, end exclusive."""

    core: Range  # verb and its complement; the whole clause if `alone`
    adjuncts: tuple[Range, ...]  # adjuncts in order; each adds to the core
    alone: bool
    begin: int  # index at which the core continues after the verb
    examples: Range  # words after "including" and the like; empty if there are none
    gapped: bool  # whether a verb is omitted: "joined Ajax in 1990 and Leeds in 1992"
    clause: tuple[Range, ...] = ()


def frame_of(tokens: Sequence[Token], a: int, b: int, *, nominal: bool = False) -> Frame:
    """Splits a predicate or a description into its core and its adjuncts.

    Example:
        >>> from dfactscore.engines._builtin.language.tokenizer import tokenize
        >>> found = tokenize("won the Ohio Cup in 1996 for her club in Leeds")
        >>> frame = frame_of(found, 0, len(found))
        >>> [" ".join(t.text for t in found[x:y]) for x, y in (frame.core, *frame.adjuncts)]
        ['won the Ohio Cup', 'in 1996', 'for her club in Leeds']
    """
    begin = a if nominal else _after_verb(tokens, a, b)
    end, first_example = _examples(tokens, begin, b)
    examples = first_example, b
    predicate = PredicateSpan(tokens, a, begin, end, nominal)
    if whole := WHOLE.answer(predicate):
        return Frame((a, end), (), True, begin, examples, gapped=whole == "gapped")
    adjuncts: list[Range] = []
    clause: tuple[Range, ...] = ()
    for x, y in predicate.parts:
        y = _trimmed(tokens, x, y)
        relative = _relative(tokens, x, y)
        if tokens[x].low == "followed" and adjuncts and not is_time(tokens, *adjuncts[-1]):
            clause = (adjuncts[-1], (x - 1, y))
            continue
        if relative < y:  # "a film in 1990, which won a prize": the film did
            dated = tokens[relative + 1].low == "when"  # "until 2015, when the bank was sold"
            clause = ((x, y),) if dated else (*adjuncts[-1:], (relative, y))
            y = relative
        if y > x + 1:
            more = tokens[x].low in {"later", "then"} and tokens[x - 1].low == "and"
            adjuncts.append((x - more, y))  # "and later in York"
    core = (a, _trimmed(tokens, a, predicate.core_end))
    alone = worth_saying(tokens, begin, core, nominal=nominal)
    return Frame(core, tuple(adjuncts), alone, begin, examples, gapped=False, clause=clause)


def dated_places(tokens: Sequence[Token], a: int, b: int) -> list[Range]:
    """Returns the place–date pairs in "in Leeds in 1990 and in York in 1991"; empty if just one."""
    pairs: list[Range] = []
    end = b
    joints = [k for k in range(a, b - 1) if tokens[k].low in {",", "and"}]
    for k in reversed([a - 1, *joints]):
        if k >= end:
            continue  # ", and"
        start = skip_adverbs(tokens, k + 1, b - 1)
        opens = tokens[pairs[0][0] if pairs else start].low
        dates = (
            i
            for i in range(start + 2, end - 1)
            if tokens[i].low in _DATING and is_time(tokens, i + 1, min(end, i + 4))
        )
        places = [i for i in range(start, next(dates, start)) if tokens[i].low == opens]
        if opens not in PREPOSITIONS or not places:
            break
        pairs.insert(0, (places[-1], end))
        end = _trimmed(tokens, a, k)
    return pairs if len(pairs) > 1 else []


def _relative(tokens: Sequence[Token], x: int, y: int) -> int:
    """Returns the index of ", which" or ", when" after a time, or `y` if there is none."""
    comma = next((k for k in range(x + 2, y - 2) if tokens[k].comma), y)
    dated = any(is_year_word(t.text) for t in tokens[x:comma])
    near = dated and comma - x < _LONGEST_DATE
    which = tokens[comma + 1].low == "which" and tokens[comma + 2].low not in RESULTS
    return comma if near and (which or tokens[comma + 1].low == "when") else y


def _trimmed(tokens: Sequence[Token], x: int, y: int) -> int:
    while y > x and not tokens[y - 1].depth and tokens[y - 1].low in _TRAILING:
        y -= 1
    return y


def _examples(tokens: Sequence[Token], begin: int, b: int) -> Range:
    """Returns the end of the words before "including A and B" and the start of A, or `b` twice."""
    for k in range(begin + 1, b - 1):
        low, after = tokens[k].low, tokens[k + 1]
        if tokens[k].depth:
            continue
        if low in ALL_CLAUSES:
            break
        if low == "including":
            return k, k + 1
        if low == "such" and after.low == "as":
            return k, k + 2
        named = after.capital or after.depth
        if low in _NAMELY and (named or after.low in DETERMINERS | {"as"}):
            comma = k - 1 - (tokens[k - 1].low == "most")
            if tokens[comma].text == ",":
                return comma + 1, k + 1
        alike = low == "like" and tokens[k - 1].low.endswith("s")  # "cities like Leeds"
        if named and (alike or _counts_names(tokens, begin, k, b)):
            return k, k + 1
    return b, b


def _counts_names(tokens: Sequence[Token], begin: int, k: int, b: int) -> bool:
    """Whether the comma at `k` follows a count of the names after it: "two albums, A and B"."""
    noun = tokens[k - 1].low
    if not (tokens[k].comma and noun.endswith("s")) or noun.removesuffix("s") in RELATIVES:
        return False
    counted = any(t.low in NUMBERS for t in tokens[max(begin, k - 4) : k])
    return counted and len(listed(tokens, k + 1, b)) > 1


def insertion(tokens: Sequence[Token], a: int, b: int) -> int:
    """Returns the index of punctuation before inserted words ("died, unmarried"), or `b`."""
    joined = any(t.low in {"and", "or"} and not t.depth for t in tokens[a:b])
    for k in range(a + 1, b - 1):
        after = tokens[k + 1]
        if tokens[k].depth or after.depth or after.capital:
            continue
        added = after.text.isalpha() and (not joined or past_of_any_gerund(after.low) != "")
        colon = tokens[k].text == ":" and not after.text[0].isdigit()
        if colon or (tokens[k].text == "," and added):
            return k
    return b


def _after_verb(tokens: Sequence[Token], a: int, b: int) -> int:
    """Finds the end of the verb group: "has since been", "is also known", "went on to star"."""
    i = skip_adverbs(tokens, a + (tokens[a].low == "last"), b)
    while tokens[i].low in _BE_FORMS:
        i = skip_adverbs(tokens, i + 1, b)
        if tokens[i].low in _FLOATING:
            i = skip_adverbs(tokens, i + 1, b)  # "has since won", "were all set"
    low = tokens[i].low
    if low in DETERMINERS:
        return min(i, b)  # "has a degree"
    be = any(t.low in {"is", "was", "are", "were", "been", "be"} for t in tokens[a:i])
    done = low in PAST_PARTICIPLES or low.endswith("ed") or is_finite_form(low)
    return min(i + (done or not be), b)


def _content(tokens: Sequence[Token]) -> list[Token]:
    """Returns the words other than small words, words of focus and adverbs."""
    words = (t for t in tokens if t.word and t.low not in _EMPTY)
    return [t for t in words if not (t.low.endswith("ly") and is_adverb(t))]


def worth_saying(tokens: Sequence[Token], begin: int, core: Range, *, nominal: bool) -> bool:
    """Whether a core says something on its own: whether it names, counts or describes."""
    content = _content(tokens[begin : core[1]])
    if nominal:
        return any(is_role(t.low) for t in content) or len(content) > 2
    if [t.low for t in content] == ["it"] and tokens[core[1]].low == "with":
        return False  # "followed it | with a film"
    if any(not t.text[0].islower() for t in content) or len(content) > 1:
        return True
    empty = {"himself", "herself", "themselves", "itself"}.issuperset(t.low for t in content)
    light = any(t.low in _LIGHT for t in tokens[core[0] : begin])
    retired = tokens[begin - 1].low == "retired"  # "retired from acting"
    return not (empty or light) and (retired or tokens[begin].low not in PREPOSITIONS)
