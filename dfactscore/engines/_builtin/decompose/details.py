"""Splits a predicate into several statements: its core, and the core with each adjunct."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from dfactscore.engines._builtin.decompose.adjuncts import (
    Frame,
    dated_places,
    frame_of,
    insertion,
    worth_saying,
)
from dfactscore.engines._builtin.decompose.conjuncts import Words, conjuncts, listed
from dfactscore.engines._builtin.decompose.joined import ABOUT, is_name
from dfactscore.engines._builtin.decompose.list_items import QUANTITIES
from dfactscore.engines._builtin.decompose.nouns import counts, head_of, is_time, opens_phrase
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.rows import Row, Table
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.word_classes import (
    BE,
    DETERMINERS,
    PREPOSITIONS,
    SMALL,
    is_finite_form,
    word_list,
)

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
# Verbs that can be stated without an object, and the adjuncts that they can then take.
_BARE = dict.fromkeys(("studied", "taught", "trained", "lectured"), frozenset({"at", "under"})) | {
    verb: frozenset({"in", "on"}) for verb in ("graduated", "retired")
}
# Prepositions whose phrase applies to both conjuncts: "composed Aida and Otello in 1871", not "over
# 24 years"
_OF_EACH = frozenset({"in", "at", "on", "as", "for"})
_COMPLEMENTING = frozenset({"of", "for", "to"})


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


@dataclass(frozen=True)
class _Phrase:
    """A predicate or description from `a` to `b`, together with its frame."""

    tokens: Sequence[Token]
    a: int
    b: int
    frame: Frame
    nominal: bool

    @cached_property
    def pairs(self) -> list[Range]:
        """The pairs of a place and its date."""
        return dated_places(self.tokens, self.frame.begin, self.b)

    @property
    def stop(self) -> int:
        """Index at which words after a comma interrupt the core."""
        return insertion(self.tokens, *self.frame.core)


def _by_place(phrase: _Phrase) -> list[Words]:
    """States each place with its date; with a count, all of them stay together."""
    a, first = phrase.a, phrase.pairs[0][0]
    if counts(phrase.tokens, a, first):
        return [*details(phrase.tokens, a, first), ((a, phrase.b),)]
    return [((a, first), pair) for pair in phrase.pairs]


def _start_and_whole(phrase: _Phrase) -> list[Words]:
    """Returns the words before the interruption, if worth stating, and the whole phrase."""
    a, b, stop = phrase.a, phrase.b, phrase.stop
    begin = phrase.frame.begin
    alone = worth_saying(phrase.tokens, begin, (a, stop), nominal=phrase.nominal)
    return [((a, stop),), ((a, b),)] if alone else [((a, b),)]


def _core_and_adjuncts(phrase: _Phrase) -> list[Words]:
    """Returns the core, if it is worth stating, and the core with each adjunct."""
    frame, tokens = phrase.frame, phrase.tokens
    cores = _cores(phrase)
    core = without_agent(tokens, frame.core, phrase.a)
    out = cores if frame.alone or not frame.adjuncts else []
    out = [*out, *(words for adjunct in frame.adjuncts for words in _with(phrase, adjunct, cores))]
    if frame.clause:
        out.append((core, *frame.clause))
    if frame.examples[1] > frame.examples[0]:
        out += exemplified(tokens, frame, (phrase.a, phrase.b))
    return out


def _cores(phrase: _Phrase) -> list[Words]:
    """Returns the core, once for each of its conjuncts."""
    tokens, frame, core = phrase.tokens, phrase.frame, phrase.frame.core
    if not phrase.nominal:
        return conjuncts(tokens, *core, verb_end=frame.begin, gapped=frame.gapped)
    link = next((k for k in range(*core) if tokens[k].low in _COMPLEMENTING), core[1])
    joints = {*pairwise(t.low for t in tokens[slice(*core)])}
    if not joints.isdisjoint({("and", "a"), ("and", "an")}):
        link = phrase.a - 1  # "a figure in the growth of music and an influence on the school"
    return conjuncts(tokens, *core, verb_end=link + 1)  # "a member of the House and the Senate"


def _with(phrase: _Phrase, adjunct: Range, cores: list[Words]) -> list[Words]:
    """Returns the core combined with one adjunct."""
    tokens, frame, core = phrase.tokens, phrase.frame, phrase.frame.core
    opens, after = tokens[adjunct[0]].low, tokens[adjunct[0] + 1]
    plain = "of" not in (t.low for t in tokens[slice(*core)])
    if phrase.nominal and plain and opens == "from" and after.capital:
        return [(adjunct,)]  # "is from Belgium"
    base = without_agent(tokens, core, phrase.a)
    named = after.low == "the" or not after.text.islower()
    if named and opens in _BARE.get(tokens[frame.begin - 1].low, ()):
        base = (base[0], frame.begin)
    counted = counts(tokens, frame.begin, base[1])
    begin = adjunct[0] + (not _repeats_preposition(tokens, *adjunct))
    items = [(adjunct,)] if counted else conjuncts(tokens, *adjunct, verb_end=begin)
    each = _names(tokens, cores) if opens in _OF_EACH else []
    return [(*words, *item) for words in each or [(base,)] for item in items]


def _repeats_preposition(tokens: Sequence[Token], x: int, y: int) -> bool:
    """Whether an adjunct is "at Elm and at Oak", of which each part opens with the preposition."""
    joints = (k for k in range(x + 1, y) if tokens[k - 1].low in {"and", ","})
    again = any(tokens[k].low == tokens[x].low for k in joints)
    return again and not any(is_finite_form(t.low) for t in tokens[x:y] if not t.capital)


# fmt: off
DETAIL: Table[_Phrase, Callable[[_Phrase], list[Words]]] = Table("details of a predicate", (
    Row("dated places", "Each of several places is said with its date.",
        "Ann Lee sang in Leeds in 1990, in York in 1991 and in Hull in 1995.",
        lambda p: p.pairs, _by_place),
    Row("interrupted", "Nothing is said of a core that words after a comma interrupt.",
        "Ann Lee died, unmarried, in Leeds.",
        lambda p: p.stop < p.frame.core[1] < p.b, _start_and_whole),
    Row("respectively", "Things in the order of other things stay together.",
        "Ann Lee and Tom won gold and silver in 1990 and 1991 respectively.",
        lambda p: "respectively" in (t.low for t in p.tokens[p.a : p.b]), _start_and_whole),
), otherwise=_core_and_adjuncts)
# fmt: on


def details(
    tokens: Sequence[Token], a: int, b: int, *, nominal: bool = False, frame: Frame | None = None
) -> list[Words]:
    """Splits a phrase into statements that each say one thing about its event.

    Example:
        >>> from dfactscore.engines._builtin.language.tokenizer import tokenize
        >>> tokens = tokenize("played for Leeds and Hull in 1990 as a defender")
        >>> for words in details(tokens, 0, len(tokens)):
        ...     print(" ".join(t.text for x, y in words for t in tokens[x:y]))
        played for Leeds
        played for Hull
        played for Leeds in 1990
        played for Hull in 1990
        played for Leeds as a defender
        played for Hull as a defender
    """
    frame = frame or frame_of(tokens, a, b, nominal=nominal)
    phrase = _Phrase(tokens, a, b, frame, nominal)
    # The spans that make up each statement, in the order in which they are put together.
    return DETAIL.answer(phrase)(phrase)


def _names(tokens: Sequence[Token], cores: Sequence[Words]) -> Sequence[Words]:
    """Returns the two cores if each ends with a name: "composed Aida", "composed Otello"."""
    named = all(is_name(tokens, *words[-1]) for words in cores)
    return cores if len(cores) == 2 and named else []


def without_agent(tokens: Sequence[Token], core: Range, a: int) -> Range:
    """Drops the agent from "was signed by the Brewers", so that an adjunct can be added."""
    by = next((k for k in range(a + 2, core[1] - 1) if tokens[k].low == "by"), a)
    passive = tokens[by - 1].low.endswith("ed") and tokens[by - 2].low in BE | {"been"}
    after = tokens[by + 1]
    named = after.capital or after.low == "the" or tokens[core[1] - 1].low.endswith("s")
    return (core[0], by) if by > a and passive and named else core
