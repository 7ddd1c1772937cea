"""Adjuncts of a predicate: "[won the cup] [in 1996] [with Leeds]"."""

# ruff: noqa: SIM905 (word lists read better as text)

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from dfactscore.engines._builtin.decompose.conjuncts import LINKING, OWN, SOME, listed
from dfactscore.engines._builtin.language.clauses import Range, is_adverb, later_on, skip_adverbs
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.word_classes import (
    AUXILIARIES,
    DETERMINERS,
    MONTHS,
    PARTICIPLES,
    PASSIVE,
    PREPOSITIONS,
    PRONOUNS,
    RELATIVES,
    is_finite_form,
    is_role,
    past_of_any_gerund,
)
from dfactscore.engines._builtin.language.word_lists import word_list

_OPENERS = word_list("openers")
# Nouns for the whole of a place or thing: such a phrase belongs to the noun right before it.
_OF_NOUNS = word_list("of_nouns")
_CLAUSES = frozenset("that who which whose whom what how why whether if than".split(" "))
_WHOLE = frozenset({"because", "while", "when", "where"})  # a clause follows
_NO_EXAMPLES = _CLAUSES | _WHOLE
_SMALL = DETERMINERS | PREPOSITIONS
_JOINED = _SMALL | {"to", "than", "and", "or", "but", "well", "not"}
_BE_FORMS = AUXILIARIES | {"been", "be", "being"}
_FLOATING = frozenset({"since", "all", "both", "each"})
_NAMELY = frozenset({"notably", "namely", "especially"})
_EXAMPLES = frozenset({"including", "such"})
_LASTING = frozenset({"until", "till", "before", "after", "following", "since", "upon"})
_ENDS = frozenset({"death", "retirement", "resignation", "marriage", "return", "arrival"})
_ENDS |= {"formation", "inception", "foundation", "founding", "creation", "establishment"}
_NUMBERS = frozenset(
    {"two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "several", "twice"}
)
_UNITS = word_list("units")
_BODIES = word_list("bodies")
_MEASURES = _NUMBERS | {"a", "one", "few", "just", "only", "less", "more", "than", "about"}
# "up until", "far from"
_COMPOUND = frozenset({"together", "along", "up", "far", "away", "apart", "next", "close"})
_ORDINAL = tuple(f"{n}{end}" for n in range(10) for end in ("st", "nd", "rd", "th"))
_DATING = frozenset({"in", "on", "at", "from", "during", "since", "until", "by"})
_WHICH = frozenset({"same", "following", "next", "previous"})
_RANKS = frozenset({"first", "second", "third", "last", "only"})
_TRAILING = frozenset({*",;–—-", "and", "again"})
_SPENT = frozenset({"spent", "spend", "spends", "spending"})
_BEGAN = frozenset({"began", "started", "launched"})
_NEGATIVE = frozenset({"not", "never", "refused", "refuses", "failed", "declined", "preferred"})
_LIMITING = frozenset({"every", "only"})  # "every race | in 1950"
_WHEN = frozenset({"before", "after", "until", "since"})
_ENDS_GAP = frozenset({",", "before", "after", "where"})
_EXCEPTING = frozenset({"except", "though", "although"})
_HELD_TO_BE = frozenset(
    {"known", "regarded", "considered", "described", "recognized", "recognised"}
)
_BE = frozenset({"is", "was", "are", "were", "been", "be"})
_FOCUS = word_list("focus")
_RESULTS = word_list("results")
_LONGEST_DATE = 8
_TIMES = word_list("times")
# Nouns that a phrase in a preposition completes: "an advocate for reform", "a role in a film"
_COMPLETED = word_list("completed")
_PAIRED = {"from": {"to", "until", "till", "through"}, "between": {"and"}, "since": set[str]()}


@dataclass(frozen=True, slots=True)
class Frame:
    """A predicate taken apart; all ranges are token indices, end exclusive.

    Attributes:
        core: The verb with its complement; the whole clause if `alone`.
        adjuncts: In order; each says more about the core.
        alone: Whether the core by itself is worth saying.
        begin: The start of the core after the verb.
        examples: The words after "including" and the like; empty without them.
        gapped: Whether a verb is left out: "joined Ajax in 1990 and Leeds in 1992".
        clause: The statement of ", which won a prize" after a time, and its adjunct before it.
    """

    core: Range
    adjuncts: tuple[Range, ...]
    alone: bool
    begin: int
    examples: Range
    gapped: bool
    clause: tuple[Range, ...] = ()


def is_time(tokens: Sequence[Token], a: int, b: int) -> bool:
    """Whether a stretch says when: a year, a month, "at the age of ten", "during the war"."""
    return any(
        _is_year(t.text)
        or (t.low in MONTHS and t.capital and (not tokens[k - 1].capital or k == 0))
        or (t.low in _TIMES and (not t.capital or t.low == "war"))
        for k, t in enumerate(tokens[a:b], a)
    )


def _opens_time(tokens: Sequence[Token], k: int, b: int) -> bool:
    """Whether the phrase that the preposition at `k` opens says when."""
    stop = k + 1
    while stop < min(b, k + 8) and (
        tokens[stop].low == "of" or tokens[stop].low not in PREPOSITIONS
    ):
        stop += 1
    return is_time(tokens, k, stop)


def _is_year(text: str) -> bool:
    digits = text.rstrip("s")
    return digits.isdecimal() and len(digits) in {3, 4}


def frame_of(tokens: Sequence[Token], a: int, b: int, *, nominal: bool = False) -> Frame:
    """Cuts a predicate, or a description, into its core and its adjuncts.

    Args:
        tokens: Of the sentence.
        a: First token of the predicate.
        b: After its last.
        nominal: Whether it is a description ("a painter from York") and has no verb.

    Example:
        >>> from dfactscore.engines._builtin.language.tokenizer import tokenize
        >>> found = tokenize("won the Ohio Cup in 1996 for her club in Leeds")
        >>> frame = frame_of(found, 0, len(found))
        >>> [" ".join(t.text for t in found[x:y]) for x, y in (frame.core, *frame.adjuncts)]
        ['won the Ohio Cup', 'in 1996', 'for her club in Leeds']
    """
    begin = a if nominal else _behind_verb(tokens, a, b)
    at, items = _examples(tokens, begin, b)
    examples = (items, b) if items < b else (b, b)
    b = at
    lows = [t.low for t in tokens[a:b]]
    own = itertools.takewhile(lambda low: low not in _NO_EXAMPLES, lows)  # in no other clause
    pairs = [*itertools.pairwise(own)]
    only = not {("and", ","), ("and", "not")}.isdisjoint(pairs)
    only = only or ("but" in lows and ("not", "only") in pairs)
    if only or (";" in lows and any(t[:5:4] == (";", 0) for t in tokens[begin:b])):
        return Frame((a, b), (), alone=True, begin=begin, examples=examples, gapped=False)
    opens = _openings(tokens, begin, b, nominal=nominal)
    opens = [_with_adverb(tokens, k, begin) for k in opens]
    limited = not nominal and any(t.low in _NEGATIVE for t in tokens[a:begin])
    limited = limited or _is_rank(tokens, begin, b)
    limited = limited or any(t.low in _LIMITING for t in tokens[begin : min([*opens, b])])
    again = (y for x, y in itertools.pairwise(opens) if tokens[x].low == tokens[y].low)
    if any(tokens[y - 1].low == "and" for y in again):  # "two terms, from 1950 to ... and from"
        limited = limited or counts(tokens, begin, opens[0])
    aside = (k for k in range(begin, b - 1) if tokens[k].text == "," and not tokens[k].depth)
    asides = [k for k in aside if tokens[k + 1].low in PREPOSITIONS or is_adverb(tokens[k + 1])]
    limited = limited or (len(asides) > 1 and any(k > asides[0] + 1 for k in opens))
    if limited or _repeats(tokens, begin, opens, b):
        return Frame((a, b), (), alone=True, begin=begin, examples=examples, gapped=False)
    to = (k for k in range(begin + 1, min([*opens, b - 1])) if tokens[k].low == "to")
    gaps = [*(k for k in to if tokens[k + 1].low in DETERMINERS or tokens[k + 1].capital), *opens]
    gapped = any(_gaps(tokens, begin, x, y, b) for x, y in itertools.pairwise([*gaps, b]))
    if gapped or _pairs(tokens, opens, b):
        return Frame((a, b), (), alone=True, begin=begin, examples=examples, gapped=True)
    if any(_joins(tokens, x, y, nominal=nominal) for x, y in itertools.pairwise([*opens, b])):
        return Frame((a, b), (), alone=True, begin=begin, examples=examples, gapped=False)
    edges = [*opens, b]
    adjuncts: list[Range] = []
    clause: tuple[Range, ...] = ()
    for x, y in itertools.pairwise(edges):
        y = _trimmed(tokens, x, y)
        which = _which(tokens, x, y)
        if tokens[x].low == "followed" and adjuncts and not is_time(tokens, *adjuncts[-1]):
            clause = (adjuncts[-1], (x - 1, y))
            continue
        if which < y:  # "a film in 1990, which won a prize": the film did
            whole = tokens[which + 1].low == "when"  # "until 2015, when the bank was sold"
            clause = ((x, y),) if whole else (*adjuncts[-1:], (which, y))
            y = which
        if y > x + 1:
            more = tokens[x].low in {"later", "then"} and tokens[x - 1].low == "and"
            adjuncts.append((x - more, y))  # "and later in York"
    core = (a, _trimmed(tokens, a, edges[0]))
    alone = worth_saying(tokens, begin, core, nominal=nominal)
    return Frame(core, tuple(adjuncts), alone, begin, examples, gapped=False, clause=clause)


def _is_rank(tokens: Sequence[Token], begin: int, end: int) -> bool:
    """Whether all that follows limits a rank: "the first woman to fly | across the sea"."""
    k = begin + 1 + (tokens[begin].low == "as")
    ranked = tokens[k].low in _RANKS or tokens[k].low.endswith(("est", *_ORDINAL))
    to = (i for i in range(k, end - 1) if tokens[i].low == "to" and _does(tokens, i + 1))
    return ranked and tokens[k - 1].low == "the" and any(to)


def _does(tokens: Sequence[Token], k: int) -> bool:
    """Whether the word after "to" can be a verb."""
    after = tokens[k]
    return not after.capital and after.low not in _SMALL and after.text.isalpha()


def _repeats(tokens: Sequence[Token], begin: int, opens: Sequence[int], b: int) -> bool:
    """Whether adjuncts come in pairs: "in Leeds until 1990, in York until 1992"."""
    starts = [*([begin] if tokens[begin].low in PREPOSITIONS else ()), *opens]
    heads = [x + (tokens[x].low == "then") for x in starts]  # "in Leeds until 1990, then in York"
    first = [(tokens[x].low, _opens_time(tokens, x, b)) for x in heads]
    return any(
        tokens[x - 1].low in {",", "then", "and"} and first[n] in first[: n - 1]
        for n, x in enumerate(starts)
        if n > 1
    )


def counts(tokens: Sequence[Token], a: int, b: int) -> bool:
    """Whether how many opens a stretch: what is counted is not said of each of several places."""
    return any(
        t.low in _NUMBERS - {"several"} or (t.text.isdecimal() and not _is_year(t.text))
        for t in tokens[a : min(b, a + 4)]
    )


def dated_places(tokens: Sequence[Token], a: int, b: int) -> list[Range]:
    """The pairs of "in Leeds in 1990, in York in 1991 and in Hull in 1995"; none of one."""
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
        when = next((k for k in range(start + 2, end - 1) if _dates(tokens, k, end)), end)
        at = next((k for k in range(when - 2, start - 1, -1) if tokens[k].low == opens), end)
        if opens not in PREPOSITIONS or at == end or (at > start and not pairs):
            break
        if when == end or is_time(tokens, at, when) or _opens_time(tokens, start, end):
            break
        pairs.append((at, end))
        end = starts[start]
    return pairs[::-1] if len(pairs) > 1 else []


def _dates(tokens: Sequence[Token], k: int, end: int) -> bool:
    """Whether "in 1990" or "the following year" begins."""
    said = tokens[k].low in _DATING and is_time(tokens, k + 1, min(end, k + 4))
    return said or _says_when(tokens, k)


def _which(tokens: Sequence[Token], x: int, y: int) -> int:
    """Returns the position of ", which" after a time; `y` if there is none."""
    for k in range(x + 2, y - 2):
        if tokens[k].text == "," and not tokens[k].depth:
            year = any(_is_year(t.text) and not t.depth for t in tokens[x:k])
            dated = year and k - x < _LONGEST_DATE
            which = tokens[k + 1].low == "which" and tokens[k + 2].low not in _RESULTS
            when = tokens[k + 1].low == "when" and y - k > 3
            return k if dated and (which or when) else y
    return y


def _trimmed(tokens: Sequence[Token], x: int, y: int) -> int:
    while y > x and not tokens[y - 1].depth and tokens[y - 1].low in _TRAILING:
        y -= 1
    return y


def _with_adverb(tokens: Sequence[Token], k: int, begin: int) -> int:
    """Takes "particularly", "together" or "a few months" to the adjunct after it."""
    start, before = k, tokens[k - 1].low
    focus = before in _FOCUS and tokens[k - 2].low not in DETERMINERS | _UNITS  # "a day later"
    if tokens[k].low in _WHEN and before in _UNITS:
        start -= 1
        while tokens[start - 1].low in _MEASURES or tokens[start - 1].text.isdecimal():
            start -= 1
        start = k if tokens[start - 1].low in PREPOSITIONS else start  # "for six years before"
    elif focus or before in _COMPOUND:
        start -= 1
    return start if start > begin else k


def _examples(tokens: Sequence[Token], begin: int, b: int) -> Range:
    """Returns the end of a predicate before "including A and B", and the start of A; else `b`."""
    for k, token in enumerate(tokens[begin + 1 : max(b - 1, 0)], begin + 1):
        if token.depth:
            continue
        if token.low in _NO_EXAMPLES:
            break
        if token.low == "including" or (token.low == "such" and tokens[k + 1].low == "as"):
            items = k + (2 if token.low == "such" else 1)
            return (k, items) if items < b else (b, b)
        after = tokens[k + 1]
        named = after.capital or after.depth
        if named and token.text == "," and tokens[k - 1].low.endswith("s"):
            counted = any(t.low in _NUMBERS for t in tokens[max(begin, k - 4) : k])
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
    """Returns the mark before words that are neither a name nor a list: "died, unmarried"."""
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


def _joins(tokens: Sequence[Token], x: int, y: int, *, nominal: bool) -> bool:
    """Whether another object follows in an adjunct: "for the raid on Rome, and the siege".

    So it does after "of": "the flagship of A in 1797 and of B in 1805".
    """
    for before, t in itertools.pairwise(tokens[x:y]):
        if before.low in {"and", "as"} and (
            (t.low == "of" and before.low == "and")
            or (nominal and before.low == "and" and t.low in {"a", "an"})
            or (t.low in OWN and tokens[x + 1].low not in OWN)
        ):
            return True  # "his work in law and his role"
    commas = [k for k in range(x + 1, y - 1) if tokens[k].text == "," and not tokens[k].depth]
    for k, end in itertools.pairwise(commas):  # "law at Yale, history at Kent, and music"
        mixed = tokens[k + 1].text.islower() and tokens[k + 1].low not in _SMALL
        if mixed and tokens[end + 1].low == "and" and tokens[k + 2].low in LINKING:
            return True
    more = [
        tokens[k + 1].low
        for k in range(x + 1, y - 4)
        if tokens[k].text == "," and not tokens[k].depth and _adds(tokens, k + 1)
    ]
    return "as" in more or (bool(more) and not is_time(tokens, x, y))


def _adds(tokens: Sequence[Token], k: int) -> bool:
    """Whether "and the" or "as well as appearances" adds a thing."""
    if tokens[k].low == "as" and tokens[k + 1].low == "well":
        return not tokens[k + 3].capital and tokens[k + 3].low not in PREPOSITIONS
    return tokens[k].low == "and" and tokens[k + 1].low in DETERMINERS


def _gaps(tokens: Sequence[Token], begin: int, x: int, y: int, b: int) -> bool:
    """Whether an adjunct continues with another thing done: "in 1990 and the cup"."""
    for k in range(x + 1, y - 1):
        if tokens[k].low in _CLAUSES:
            break
        if tokens[k].low not in {"and", ","}:
            continue
        stop = next((i for i in range(k + 2, b) if tokens[i].low in _ENDS_GAP), b)
        again = any(t.low == tokens[x].low and t.low in PREPOSITIONS for t in tokens[k + 2 : stop])
        opens = (
            tokens[k + 1].low in DETERMINERS
            or tokens[k + 1].low.endswith(_ORDINAL)
            or (tokens[k + 1].capital and tokens[begin].capital)
        )
        head = tokens[x - 1].low  # "old views in youth and new views later"
        opens |= not tokens[x - 1].capital and head in [t.low for t in tokens[k + 2 : k + 4]]
        again |= opens and head == tokens[min(k + 2, b - 1)].low
        if again and tokens[k].low == "and" and opens and x > begin:
            return True  # "her degree from Yale and her doctorate from Maine"
        alone = tokens[k].low == "and" and tokens[k - 1].text != ","
        if alone and _again(tokens, x, k + 1, stop):
            return True  # "head of Kent in 1843 and judge in 1848"
        timed = is_time(tokens, max(x, k - 1 - (tokens[k - 1].text == ")")), k)
        if tokens[k].depth or not timed:
            continue
        after = tokens[k + 1]
        more = (after.capital or is_role(after.low)) and again
        if tokens[k].text == "," and more and "well" not in [t.low for t in tokens[begin:b]]:
            return True  # "from Kent in 1894, Yale in 1901 and Leeds in 1907"
        if after.low in PREPOSITIONS:
            return after.low == tokens[begin].low
        if after.depth or after.low in DETERMINERS or (after.capital and tokens[k].low == "and"):
            return not is_time(tokens, k + 1, min(y, k + 4))
    return False


def _pairs(tokens: Sequence[Token], opens: Sequence[int], b: int) -> bool:
    """Whether phrases repeat after "and": "clerk in Leeds in 1843 and judge in York in 1851"."""
    for n, x in enumerate(opens[1:-1], 1):
        joint = next((k for k in range(x + 1, opens[n + 1]) if tokens[k].low == "and"), b)
        if joint + 1 < opens[n + 1] and not is_adverb(tokens[joint + 1]):
            first, again = opens[: n + 1], opens[n + 1 :]
            kinds = [
                [(tokens[k].low, _opens_time(tokens, k, b)) for k in ks] for ks in (first, again)
            ]
            if len(again) > 1 and kinds[0] == kinds[1]:
                return True
    return False


def _again(tokens: Sequence[Token], x: int, k: int, stop: int) -> bool:
    """Whether a thing at `k` has a phrase of its own, in the preposition of that at `x`."""
    if tokens[k].low in PREPOSITIONS or tokens[k].depth or is_adverb(tokens[k]):
        return False
    own = next((i for i in range(k + 1, stop) if tokens[i].low in LINKING), stop)
    plain = own < stop and not tokens[own].capital and tokens[own].low == tokens[x].low
    plain = plain and not any(
        t.low in LINKING or t.low in {"well", "both"} for t in tokens[x + 1 : own]
    )
    return plain and _opens_time(tokens, x, k) == _opens_time(tokens, own, stop)


def _behind_verb(tokens: Sequence[Token], a: int, b: int) -> int:
    """After the verb group: "has since been", "is also known", "went on to star"."""
    i = skip_adverbs(tokens, a + (tokens[a].low == "last"), b)
    while i < b and tokens[i].low in _BE_FORMS:
        i = skip_adverbs(tokens, i + 1, b)
        if i + 1 < b and tokens[i].low in _FLOATING:
            i = skip_adverbs(tokens, i + 1, b)  # "has since won", "were all set"
    be = any(t.low in {"is", "was", "are", "were", "been", "be"} for t in tokens[a:i])
    if i > a and i < b and tokens[i].low in DETERMINERS:
        return i  # "has a degree"
    low = tokens[min(i, b - 1)].low
    done = low in PARTICIPLES | PASSIVE or low.endswith("ed") or is_finite_form(low)
    if i < b and (done or not be):
        i += 1
    return min(i, b)


def _openings(tokens: Sequence[Token], begin: int, b: int, *, nominal: bool) -> list[int]:
    """Returns the starts of adjuncts; the phrase that completes the verb is not one."""
    opens: list[int] = []
    said = False  # whether something completes the verb yet
    first_time = False
    chunk = begin  # where the stretch that we are in begins
    k = begin
    while k < b:
        token = tokens[k]
        if token.depth:
            quoted = token.text in {'"', "”"} and tokens[k - 1].text == ","
            if opens and quoted and k + 1 < b and tokens[k + 1].low in {"a", "an"}:
                break
            said = True
            k += 1
            continue
        low = token.low
        if low in _CLAUSES and (k > begin or (low == "that" and _of_clause(tokens, k + 1, b))):
            break
        if token.text == "," and said and is_held(tokens, k + 1):
            opens.append(k + 1)  # ", a post she held until 1995"
            break
        if opens and token.text == "," and k + 1 < b and _of_thing(tokens, k + 1):
            break  # "for her film, a drama set in": what follows is the film's
        share = tokens[k + 1].low in _NUMBERS | {"one", "both", "most"} and token.text == ","
        if share and tokens[k + 2].low in PREPOSITIONS:
            break  # "in two races, one in Leeds", "two books, one of them on law"
        if token.text == "," and (
            _effect(tokens, k + 1, b) or (k + 1 < b and tokens[k + 1].low in {"followed", "named"})
        ):
            opens.append(k + 1)
            break
        doing = token.text == "," and past_of_any_gerund(tokens[k + 1].low) != ""
        if opens and doing and tokens[k + 2].capital:
            break  # "with a film, starring Tom Hill": what follows is the film's
        if low in _EXCEPTING and said:
            break  # it limits the words before it
        if opens and said and _says_what(tokens, k, chunk):
            opens.append(k)  # "made a film in 1990 showing the war in Spain"
            break
        if low == "to" and k + 1 < b and _is_purpose(tokens, k, chunk, b):
            opens.append(k)
            break
        if low not in _OPENERS or token.capital or k + 1 >= b or not _is_preposition(tokens, k):
            said = said or (token.word and low not in {"up", "out", "off", "away", "down", "to"})
            k += 1
            continue
        if low in _PAIRED.get(tokens[chunk].low, ()) and chunk < k:
            if tokens[k + 1].low in OWN and tokens[k + 2].low in _ENDS:
                break  # "from 1945 until his death in 1961": the year is that of the death
            k += 1
            continue
        does = tokens[skip_adverbs(tokens, k + 1, b - 1)].low  # "before finally reaching"
        doing = low in {"before", "after"} and does.endswith("ing")
        ended = [t.low for t in tokens[k + 1 : k + 3]]
        doing |= low in _LASTING and ended[0] in OWN and ended[-1] in _ENDS
        doing |= low in _WHEN and ended[0] == "the" and ended[-1] not in _TIMES
        doing |= low == "with" and tokens[k + 1].low in SOME and k > begin
        doing |= tokens[k - 1].text == "," and is_absolute(tokens, k)
        if doing and said:
            opens.append(k)  # "before moving to Leeds in 1990": the year is that of the move
            break
        if low in _WHOLE or (
            low in {"after", "before", "as", "since", "until"} and _clause(tokens, k, b)
        ):
            asked = tokens[k - 1].low in {"unclear", "unknown", "uncertain", "known"}
            place = low == "where" and opens and not is_time(tokens, opens[-1], k)
            year = low == "when" and opens and is_time(tokens, opens[-1], k)
            lasts = year and tokens[opens[-1]].low in _LASTING  # "until 1960 when"
            dated = lasts or (year and tokens[k - 1].text == ",")  # "in 2003, when"
            if said and not asked and not place and not dated:
                opens.append(k)  # but "in York, where she lives" stays together
            break
        if _belongs(tokens, k, begin, chunk, b, said=said, nominal=nominal, opens=opens):
            said = True
            if not opens and chunk == begin and k == begin:
                first_time = _opens_time(tokens, k, b)
                chunk = k
            k += 1
            continue
        if first_time and not opens and chunk == begin and not _opens_time(tokens, k, b):
            opens.append(begin)
        opens.append(k)
        chunk = k
        k += 1
    return opens


def _says_when(tokens: Sequence[Token], k: int) -> bool:
    """Whether "that season" or "the following year" has no preposition."""
    low, before = tokens[k].low, tokens[k - 1].low
    if before in PREPOSITIONS or before in {"and", ","}:
        return False
    at = k + 1 + (low == "the" and tokens[k + 1].low in _WHICH)
    which = low in {"that", "this"} or at > k + 1
    return which and at < len(tokens) and tokens[at].low in {"year", "season", "month", "week"}


def is_absolute(tokens: Sequence[Token], k: int) -> bool:
    """Whether "with her best result being a win" begins."""
    for token in tokens[k + 2 : k + 9] if tokens[k].low == "with" else ():
        if token.text == "," or token.low in PREPOSITIONS - {"of"}:
            return False
        if not token.capital and past_of_any_gerund(token.low):
            return True
    return False


def _of_clause(tokens: Sequence[Token], k: int, b: int) -> bool:
    """Whether a clause follows "that": "found that she", not "won that cup"."""
    if k < b and (tokens[k].capital or tokens[k].low in PRONOUNS | DETERMINERS):
        return True
    return any(t.low in AUXILIARIES for t in tokens[k : min(b, k + 5)])  # "that towns should be"


def is_held(tokens: Sequence[Token], k: int) -> bool:
    """Whether "a post that she held" begins."""
    if tokens[k].low not in {"a", "an", "the"}:
        return False
    lows = [t.low for t in tokens[k : k + 5]]
    said = any(low in {"he", "she"} for low in lows[2:4])
    return said and len(lows) == 5 and "," not in lows


def _of_thing(tokens: Sequence[Token], k: int) -> bool:
    """Whether an apposition begins: "a drama set in", "the first synod held in"."""
    low, after = tokens[k].low, tokens[k + 1].low if k + 1 < len(tokens) else ""
    return low in {"a", "an"} or (
        low == "the" and (after in {"first", "only"} or after[-3:] == "est")
    )


def _says_what(tokens: Sequence[Token], k: int, chunk: int) -> bool:
    """Whether a form in -ing after a year adds to the action before it."""
    if tokens[k].capital or not past_of_any_gerund(tokens[k].low):
        return False
    before, after = tokens[k - 1], tokens[min(k + 1, len(tokens) - 1)]
    does = before.word and before.low not in _SMALL and not is_adverb(before)
    does = does and before.low not in {"to", "and"} and after.low in {"a", "an", "the"}
    does = does and tokens[k].low != "being"
    return (_is_year(before.text) or does) and k - 1 > chunk


def _effect(tokens: Sequence[Token], k: int, b: int) -> bool:
    """Whether ", making him a star" begins: what was said before did that."""
    effect = k + 1 < b and tokens[k].low.endswith("ing") and not tokens[k].capital
    return effect and tokens[k + 1].low in OBJECTS


def _is_preposition(tokens: Sequence[Token], k: int) -> bool:
    """Whether "following" and "due" are prepositions here ("a large following")."""
    low, before = tokens[k].low, tokens[k - 1]
    if low == "on" and later_on(tokens, k):
        return False
    if low == "as" and "well" in {before.low, tokens[k + 1].low}:
        return False  # "as well as" joins
    if low in {"following", "outside", "inside"}:
        return before.capital or before.text == ","
    if low in {"over", "around", "under", "between"} and tokens[k + 1].text[0].isdigit():
        return len(tokens[k + 1].text) > 3 and is_time(tokens, k, k + 2)  # "over 200 wickets"
    return low != "due" or tokens[k + 1].low == "to"


def _belongs(
    tokens: Sequence[Token],
    k: int,
    begin: int,
    chunk: int,
    b: int,
    *,
    said: bool,
    nominal: bool,
    opens: list[int],
) -> bool:
    """Whether the preposition at `k` completes the words before it."""
    low, before = tokens[k].low, tokens[k - 1]
    made = k - 2 > chunk and (
        tokens[k - 2].low in PARTICIPLES | {"made"} or tokens[k - 2].low.endswith("ed")
    )
    if low == "from" and is_adverb(before) and made:
        return True  # "collages made only from paper"
    if low == "as" and k > 1 and is_adverb(before) and tokens[k - 2].low == "known":
        return True
    held = begin and tokens[begin - 1].low in _HELD_TO_BE and tokens[begin].low != "for"
    if low == "as" and not opens and held:
        return True  # "known in Irish as"
    again = before.low == "and" and any(tokens[o].low == low for o in opens)
    year = tokens[k - 2 - (tokens[k - 2].text == ",")]
    dated = _opens_time(tokens, k, b) and not _opens_time(tokens, chunk, k)
    if again and (_is_year(year.text) or dated):
        return False  # "for Kent in 1899 and for York in 1905", "in 1899 for Kent and in 1905"
    if not said or before.low in _JOINED:
        return True
    if tokens[k - 2].low == "to" and not before.capital and k - 2 > chunk:
        return True  # "to star in films"
    timed = low in {"in", "on", "during"} and _opens_time(tokens, k, b)
    adjective = not (nominal or opens) and _is_adjective(tokens, begin, k)
    if adjective and low != "by" and not _opens_time(tokens, k, b):
        return True  # "was not eligible for the final"
    left = tokens[k - 2].low == "from" and timed  # "retired from acting | in 1990"
    if before.low.endswith("ing") and past_of_any_gerund(before.low) and not left:
        return True  # "known for working with"
    if k - 1 > chunk and k - 1 > begin and (before.low in PARTICIPLES or before.low.endswith("ed")):
        return True  # "a film released in"
    began = begin and tokens[begin - 1].low in _BEGAN and before.low == "career"
    began = began and _dated_later(tokens, k + 1, b)
    won = before.low in {"championships", "championship"} and timed
    if f"{before.low}:{low}" in _COMPLETED and not began and not won:
        return True
    if low == "for" and before.low in {"award", "prize"} and before.capital:
        return True  # "the Academy Award for Best Picture"
    if not opens and low not in _WHEN and begin and tokens[begin - 1].low in _SPENT:
        return True  # "spent two years in Leeds"
    described = tokens[k - 1 - is_adverb(before)].low  # "active mainly in"
    if tokens[k + 1].low == before.low or described in {"active", "based", "jointly"}:
        return True  # "pound for pound"
    if (
        nominal
        and low in {"for", "with", "by"}
        and before.text != ","
        and not _opens_time(tokens, k, b)
    ):
        return True
    if low == "in" and before.capital and tokens[begin - 1].low == "qualified":
        return True  # "qualified for the 1990 Games in Rome"
    after = tokens[k + 1]
    if low == "with" and before.capital and after.low in OWN and _names_object(tokens, k):
        return True  # "reconciled Tom Hill with his brother"
    best = (
        t.low.endswith("est") and tokens[i - 1].low == "the"
        for i, t in enumerate(tokens[chunk : k - 1], chunk)
    )
    if low == "in" and any(best) and not timed:
        return True  # "one of the oldest schools in Kent"
    if after.low in {"which", "whom", "addition", "particular", "general", "all"}:
        return True
    if low in {"for", "on", "upon"} and before.capital and after.capital:
        return True  # "Minister for Trade", "Newcastle upon Tyne"
    the = low == "for" and after.low == "the" and k + 2 < b and tokens[k + 2].capital
    if the and before.low in _BODIES and before.capital:
        return True  # "the School for the Arts"
    if before.capital and k + 2 < b and tokens[k + 2].capital:
        ahead = [t.low for t in tokens[max(0, k - 3) : k - 1]]
        if after.capital and ahead == ["and", "the"]:
            return True  # "and the Women in Football Committee"
        if low == "for" and after.low == "the" and ahead[-1] in {"and", ","}:
            return True  # "Boy and Hunt for the Wilderpeople"
    in_adjunct = bool(opens)
    if not in_adjunct:
        return False
    if tokens[chunk].low == "for" and past_of_any_gerund(tokens[chunk + 1].low):
        return True  # "for leading a raid | in 1917": the year is that of the raid
    if is_time(tokens, chunk, k):
        # "in 1990 in Leeds" says two things, "at the end of the season with Leeds" as well
        return False
    return low in _OF_NOUNS and not _opens_time(tokens, k, b)


def _names_object(tokens: Sequence[Token], k: int) -> bool:
    """Whether a name right after a verb ends before "with his brother"."""
    first = k - 1
    while tokens[first - 1].capital:
        first -= 1
    kin = tokens[k + 2].low in RELATIVES or tokens[k + 3].low in RELATIVES
    return kin and tokens[first - 1].word and tokens[first - 1].low not in _SMALL


def _is_adjective(tokens: Sequence[Token], begin: int, k: int) -> bool:
    """Whether only an adjective is between "is" and `k`: "is most notable | for"."""
    at = begin
    while at and is_adverb(tokens[at - 1]):
        at -= 1
    plain = all(
        t.text.replace("-", "").isalpha()
        and not (t.capital or t.depth or is_role(t.low) or t.low.endswith(("ing", "s")))
        and t.low not in _SMALL
        for t in tokens[begin:k]
    )
    return at > 0 and tokens[at - 1].low in _BE and 0 < k - begin <= 3 and plain


def _dated_later(tokens: Sequence[Token], k: int, b: int) -> bool:
    """Whether nothing but a time follows: "as a child actor in the 1940s"."""
    found = [i for i in range(k, b) if tokens[i].low in PREPOSITIONS - {"of"}]
    return len(found) == 1 and tokens[found[0]].low == "in" and _opens_time(tokens, found[0], b)


def _clause(tokens: Sequence[Token], k: int, b: int) -> bool:
    """Whether a clause of its own follows: "after he had left Leeds", "as the town grew"."""
    for i in range(k + 1, min(b, k + 8)):
        low = tokens[i].low
        if low in PRONOUNS and i == k + 1:
            return True
        if tokens[i].text == "," or low in PREPOSITIONS:
            return False
        if i > k + 1 and not tokens[i].capital and not tokens[i].depth and is_finite_form(low):
            return not (low.endswith("ed") and tokens[i - 1].low in DETERMINERS)
    return False


OBJECTS = frozenset("him her it them that this his its their himself herself".split())
_LIGHT = word_list("light")
_MOTION = word_list("motion")


def _is_purpose(tokens: Sequence[Token], k: int, chunk: int, b: int) -> bool:
    """Whether "to" begins a purpose: "moved to Leeds to study law"."""
    if not _does(tokens, k + 1):
        return False
    mover = any(t.low in _MOTION for t in tokens[max(0, chunk - 4) : k])
    return mover and tokens[k - 1].capital


def worth_saying(tokens: Sequence[Token], begin: int, core: Range, *, nominal: bool) -> bool:
    """Whether a core says something by itself: it names, counts or describes."""
    content = [
        t
        for t in tokens[begin : core[1]]
        if t.word
        and t.low not in _SMALL
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
