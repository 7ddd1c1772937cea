"""Adjuncts of a predicate: "[won the cup] [in 1996] [with Leeds]"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dfactscore.engines._builtin.decompose.conjuncts import listed
from dfactscore.engines._builtin.decompose.openings import CLAUSE_OPENERS, CLAUSES
from dfactscore.engines._builtin.decompose.times import (
    NUMBERS,
    is_time,
    is_year_word,
    opens_date,
    opens_time,
)
from dfactscore.engines._builtin.decompose.wholes import WHOLE, Predicate, Whole
from dfactscore.engines._builtin.language.adverbs import is_adverb, skip_adverbs
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.word_classes import (
    AUXILIARIES,
    DETERMINERS,
    PAST_PARTICIPLES,
    PREPOSITIONS,
    RELATIVES,
    SMALL,
    is_finite_form,
    is_role,
    past_of_any_gerund,
)
from dfactscore.engines._builtin.language.word_lists import word_list

_CLAUSES = CLAUSES | CLAUSE_OPENERS
_BE_FORMS = AUXILIARIES | {"been", "be", "being"}
_FLOATING = frozenset({"since", "all", "both", "each"})
_NAMELY = frozenset({"notably", "namely", "especially"})
_EXAMPLES = frozenset({"including", "such"})
_TRAILING = frozenset({*",;–—-", "and", "again"})
_FOCUS = word_list("focus")
_LIGHT = word_list("light")
_RESULTS = word_list("results")
_LONGEST_DATE = 8


@dataclass(frozen=True, slots=True)
class Frame:
    """A predicate taken apart; all ranges are token indices, end exclusive.

    Attributes:
        core: The verb and its complement; the whole clause if `alone`.
        adjuncts: The adjuncts in order; each adds to the core.
        alone: Whether the core is worth stating on its own.
        begin: Index at which the core continues after the verb.
        examples: The words after "including" and the like; empty if there are none.
        gapped: Whether a verb is omitted: "joined Ajax in 1990 and Leeds in 1992".
        clause: The words of a clause such as ", which won a prize" after a time, preceded by its
            adjunct.
    """

    core: Range
    adjuncts: tuple[Range, ...]
    alone: bool
    begin: int
    examples: Range
    gapped: bool
    clause: tuple[Range, ...] = ()


def frame_of(tokens: Sequence[Token], a: int, b: int, *, nominal: bool = False) -> Frame:
    """Splits a predicate or a description into its core and its adjuncts.

    Args:
        tokens: Tokens of the sentence.
        a: Index of the first token of the predicate.
        b: Index after its last token.
        nominal: Whether the span is a description ("a painter from York") rather than a predicate
            with a verb.

    Example:
        >>> from dfactscore.engines._builtin.language.tokenizer import tokenize
        >>> found = tokenize("won the Ohio Cup in 1996 for her club in Leeds")
        >>> frame = frame_of(found, 0, len(found))
        >>> [" ".join(t.text for t in found[x:y]) for x, y in (frame.core, *frame.adjuncts)]
        ['won the Ohio Cup', 'in 1996', 'for her club in Leeds']
    """
    begin = a if nominal else _after_verb(tokens, a, b)
    end, items = _examples(tokens, begin, b)
    examples = (items, b) if items < b else (b, b)
    predicate = Predicate(tokens, a, begin, end, nominal)
    whole = WHOLE.answer(predicate)
    if whole is not Whole.NO:
        gapped = whole is Whole.GAPPED
        return Frame((a, end), (), alone=True, begin=begin, examples=examples, gapped=gapped)
    adjuncts: list[Range] = []
    clause: tuple[Range, ...] = ()
    for x, y in predicate.parts:
        y = _trimmed(tokens, x, y)
        which = _which(tokens, x, y)
        if tokens[x].low == "followed" and adjuncts and not is_time(tokens, *adjuncts[-1]):
            clause = (adjuncts[-1], (x - 1, y))
            continue
        if which < y:  # "a film in 1990, which won a prize": the film did
            dated = tokens[which + 1].low == "when"  # "until 2015, when the bank was sold"
            clause = ((x, y),) if dated else (*adjuncts[-1:], (which, y))
            y = which
        if y > x + 1:
            more = tokens[x].low in {"later", "then"} and tokens[x - 1].low == "and"
            adjuncts.append((x - more, y))  # "and later in York"
    core = (a, _trimmed(tokens, a, predicate.opens[0] if predicate.opens else end))
    alone = worth_saying(tokens, begin, core, nominal=nominal)
    return Frame(core, tuple(adjuncts), alone, begin, examples, gapped=False, clause=clause)


def dated_places(tokens: Sequence[Token], a: int, b: int) -> list[Range]:
    """Returns the place–date pairs in "in Leeds in 1990 and in York in 1991"; empty if just one."""
    starts = {a: a}  # where each begins, and the joint before it: ", and later in Hull"
    for k in range(b - 2, a - 1, -1):
        if not tokens[k].depth and (tokens[k].text == "," or tokens[k].low == "and"):
            joined = tokens[k].text == "," and tokens[k + 1].low == "and"
            starts[skip_adverbs(tokens, k + 1 + joined, b - 1)] = k
    if tokens[max(starts)].low not in PREPOSITIONS:
        return []
    pairs: list[Range] = []
    end = b
    for start in sorted(starts, reverse=True):
        opens = tokens[pairs[-1][0]].low if pairs else tokens[start].low
        when = next((k for k in range(start + 2, end - 1) if opens_date(tokens, k, end)), end)
        at = next((k for k in range(when - 2, start - 1, -1) if tokens[k].low == opens), end)
        if opens not in PREPOSITIONS or at == end or (at > start and not pairs):
            break
        if when == end or is_time(tokens, at, when) or opens_time(tokens, start, end):
            break
        pairs.append((at, end))
        end = starts[start]
    return pairs[::-1] if len(pairs) > 1 else []


def _which(tokens: Sequence[Token], x: int, y: int) -> int:
    """Returns the index of ", which" or ", when" after a time, or `y` if there is none."""
    for k in range(x + 2, y - 2):
        if tokens[k].comma:
            year = any(is_year_word(t.text) and not t.depth for t in tokens[x:k])
            dated = year and k - x < _LONGEST_DATE
            which = tokens[k + 1].low == "which" and tokens[k + 2].low not in _RESULTS
            when = tokens[k + 1].low == "when" and y - k > 3
            return k if dated and (which or when) else y
    return y


def _trimmed(tokens: Sequence[Token], x: int, y: int) -> int:
    while y > x and not tokens[y - 1].depth and tokens[y - 1].low in _TRAILING:
        y -= 1
    return y


def _examples(tokens: Sequence[Token], begin: int, b: int) -> Range:
    """Returns the end of the words before "including A and B" and the start of A, or `b` twice."""
    for k, token in enumerate(tokens[begin + 1 : max(b - 1, 0)], begin + 1):
        if token.depth:
            continue
        if token.low in _CLAUSES:
            break
        if token.low == "including" or (token.low == "such" and tokens[k + 1].low == "as"):
            items = k + (2 if token.low == "such" else 1)
            return (k, items) if items < b else (b, b)
        after = tokens[k + 1]
        named = after.capital or after.depth
        if named and token.text == "," and tokens[k - 1].low.endswith("s"):
            counted = any(t.low in NUMBERS for t in tokens[max(begin, k - 4) : k])
            kin = tokens[k - 1].low.removesuffix("s") in RELATIVES
            if counted and not kin and len(listed(tokens, k + 1, b)) > 1:
                return (k, k + 1)  # "two albums, A and B"
        if token.low in _NAMELY:
            at = k - (tokens[k - 1].low == "most")
            named = named or after.low in DETERMINERS or after.low == "as"
            if tokens[at - 1].text == "," and named:
                return (at, k + 1)
        before = tokens[k - 1] if token.low == "like" and named else None
        if before is not None and before.low.endswith("s") and not before.capital:
            return (k, k + 1)
    return (b, b)


def insertion(tokens: Sequence[Token], a: int, b: int) -> int:
    """Returns the index of punctuation before inserted words ("died, unmarried"), or `b`."""
    listed = any(t.low in {"and", "or"} and not t.depth for t in tokens[a:b])
    for k in range(a + 1, b - 1):
        mark, after = tokens[k], tokens[k + 1]
        if mark.depth or after.capital or after.depth:
            continue
        added = mark.text == "," and after.text.isalpha()
        added = added and (not listed or past_of_any_gerund(after.low) != "")
        if mark.text == ":" or (added and after.low not in _EXAMPLES):
            return k
    return b


def _after_verb(tokens: Sequence[Token], a: int, b: int) -> int:
    """Finds the end of the verb group: "has since been", "is also known", "went on to star"."""
    i = skip_adverbs(tokens, a + (tokens[a].low == "last"), b)
    while i < b and tokens[i].low in _BE_FORMS:
        i = skip_adverbs(tokens, i + 1, b)
        if i + 1 < b and tokens[i].low in _FLOATING:
            i = skip_adverbs(tokens, i + 1, b)  # "has since won", "were all set"
    be = any(t.low in {"is", "was", "are", "were", "been", "be"} for t in tokens[a:i])
    if i > a and i < b and tokens[i].low in DETERMINERS:
        return i  # "has a degree"
    low = tokens[min(i, b - 1)].low
    done = low in PAST_PARTICIPLES or low.endswith("ed") or is_finite_form(low)
    if i < b and (done or not be):
        i += 1
    return min(i, b)


def worth_saying(tokens: Sequence[Token], begin: int, core: Range, *, nominal: bool) -> bool:
    """Whether a core says something on its own: whether it names, counts or describes."""
    content = [
        t
        for t in tokens[begin : core[1]]
        if t.word
        and t.low not in SMALL
        and t.low != "career"
        and (nominal or not (t.low in _FOCUS or (t.low.endswith("ly") and is_adverb(t))))
    ]
    if nominal:
        return any(is_role(t.low) for t in content) or len(content) > 2
    held = tokens[begin - 1].low == "known" and tokens[begin].low not in {"for", "as"}
    held = held and tokens[core[1]].low in {"for", "as"}
    if held or ([t.low for t in content] == ["it"] and tokens[core[1]].low == "with"):
        return False  # "is known in Kent | for her wit", "followed it | with a film"
    if any(t.capital or t.text[0].isdigit() for t in content) or len(content) > 1:
        return True
    light = any(t.low in _LIGHT for t in tokens[core[0] : begin])
    said = any(t.low not in {"himself", "herself", "themselves", "itself"} for t in content)
    left = tokens[begin - 1].low == "retired"  # "retired from acting"
    return said and not light and (left or tokens[begin].low not in PREPOSITIONS)
