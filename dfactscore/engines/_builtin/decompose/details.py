"""Splits a predicate into several statements: its core, and the core with each adjunct."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from dfactscore.engines._builtin.decompose._titles import is_name
from dfactscore.engines._builtin.decompose.adjuncts import (
    Frame,
    dated_places,
    frame_of,
    insertion,
    worth_saying,
)
from dfactscore.engines._builtin.decompose.conjuncts import Words, conjuncts
from dfactscore.engines._builtin.decompose.examples import exemplified
from dfactscore.engines._builtin.decompose.times import counts
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.rows import Row, Table
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.word_classes import BE

# Verbs that can be stated without an object, and the adjuncts that they can then take.
_BARE = dict.fromkeys(("studied", "taught", "trained", "lectured"), frozenset({"at", "under"})) | {
    verb: frozenset({"in", "on"}) for verb in ("graduated", "retired")
}
# Prepositions whose phrase applies to both conjuncts: "composed Aida and Otello in 1871", not "over
# 24 years"
_OF_EACH = frozenset({"in", "at", "on", "as", "for"})
_COMPLEMENTING = frozenset({"of", "for", "to"})


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
    items = [(adjunct,)] if counted else conjuncts(tokens, *adjunct, verb_end=adjunct[0] + 1)
    each = _names(tokens, cores) if opens in _OF_EACH else []
    return [(*words, *item) for words in each or [(base,)] for item in items]


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
