"""A predicate as several statements: its core, and the core with one adjunct each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from dfactscore.engines.builtin.decompose.adjuncts import (
    Frame,
    counts,
    dated_places,
    frame_of,
    is_time,
)
from dfactscore.engines.builtin.decompose.conjuncts import Words, conjuncts
from dfactscore.engines.builtin.decompose.examples import exemplified
from dfactscore.engines.builtin.language.clauses import Range, finite_at, skip_adverbs
from dfactscore.engines.builtin.language.tokenizer import Token
from dfactscore.engines.builtin.language.word_classes import (
    AUXILIARIES,
    PARTICIPLES,
    PASSIVE,
    PREPOSITIONS,
)
from dfactscore.engines.builtin.language.word_lists import word_list

__all__ = ["details", "without_agent"]

# Verbs that say enough without an object, and the adjuncts that they can then take.
_BARE = dict.fromkeys(("studied", "taught", "trained", "lectured"), frozenset({"at", "under"})) | {
    verb: frozenset({"in", "on"})
    for verb in ("graduated", "retired", "inducted", "appointed", "elected")
}
_MOST_CORES = 3
# What follows two joined verbs and belongs to both.
_BOTH = frozenset({"in", "at", "on", "by", "during", "from", "near", "as", "for"})
_INTRANSITIVE = word_list("intransitive")
# "lived and died in York", but not "confessed and died in jail"
_WHERE_DIED = frozenset({"born", "lived", "resided", "worked", "served", "fought", "baptized"})
_ACTED = frozenset({"starred", "appeared"})
_COMPLEMENTING = frozenset({"of", "for", "to"})
_BE = frozenset({"is", "was", "are", "were", "been"})
# They limit the verb behind them, and may not the next: "never married and died"
_LIMITING = frozenset({"never", "not", "rarely", "seldom", "hardly", "scarcely", "barely"})


def details(tokens: Sequence[Token], a: int, b: int, *, nominal: bool = False) -> list[Words]:
    """Says one thing at a time, each with its event.

    Args:
        tokens: Of the sentence.
        a: First token of a predicate, its verb, or of a description.
        b: After its last.
        nominal: Whether it is a description.

    Returns:
        For each statement the stretches that make it, in the order in which they are said.

    Example:
        >>> from dfactscore.engines.builtin.language.tokenizer import tokenize
        >>> found = tokenize("played for Leeds and Hull in 1990 as a defender")
        >>> for words in details(found, 0, len(found)):
        ...     print(" ".join(t.text for x, y in words for t in found[x:y]))
        played for Leeds
        played for Hull
        played for Leeds in 1990
        played for Hull in 1990
        played for Leeds as a defender
        played for Hull as a defender
    """
    frame = frame_of(tokens, a, b, nominal=nominal)
    if not nominal and _limits_both(tokens, a, b):
        return [((a, b),)]
    at = b if nominal else _besides(tokens, frame, b)
    if at < b:  # "took a degree in 1990, as well as two prizes"
        return [*details(tokens, a, at), ((a, frame.begin), (at + 4, b))]
    pairs = [] if nominal else dated_places(tokens, frame.begin, b)
    if pairs:
        first = pairs[0][0]
        if counts(tokens, a, first):
            return [*details(tokens, a, first), ((a, b),)]
        return [((a, first), pair) for pair in pairs]
    core = frame.core
    lows = [t.low for t in tokens[a:b]]
    if "respectively" in lows and lows.count("and") > 1:
        return [(core,), ((a, b),)] if frame.alone and frame.adjuncts else [((a, b),)]
    cores: list[Words] = [(core,)]
    if core[1] > frame.begin and not nominal:
        cores = conjuncts(tokens, *core, behind=frame.begin, gapped=frame.gapped)
    elif nominal:
        link = next((k for k in range(*core) if tokens[k].low in _COMPLEMENTING), core[1])
        lows = [t.low for t in tokens[slice(*core)]]
        if any(pair in {("and", "a"), ("and", "an")} for pair in pairwise(lows)):
            link = a - 1  # "a figure in the growth of music and an influence on the school"
        if link + 1 < core[1]:  # "a member of the House and the Senate"
            cores = conjuncts(tokens, *core, behind=link + 1)
    out: list[Words] = list(cores) if len(cores) > 1 else []
    if frame.alone or not frame.adjuncts:
        out = list(cores)
    if not nominal:
        core = without_agent(tokens, core, a)
    link = _subject_link(tokens, frame.begin if not nominal else a, core[1])
    if link and len(cores) == 1:
        out.insert(0, ((core[0], link),))
    several = counts(tokens, frame.begin, core[1])
    for adjunct in _joined(tokens, frame.adjuncts) if several else frame.adjuncts:
        if nominal and tokens[adjunct[0]].low == "from" and tokens[adjunct[0] + 1].capital:
            out.append((adjunct,))  # "is from Belgium"
            continue
        if tokens[adjunct[0]].low == "and" and not nominal:
            later = (adjunct[0] + 1, adjunct[1])  # "as a judge and later as a minister"
            again = tokens[later[0] + 1].low  # "studied in Leeds and later in York"
            at = next((k for k in range(frame.begin, core[1]) if tokens[k].low == again), 0)
            if at:
                out.append(((core[0], at), later))
                continue
        verb = core[0] if nominal else frame.begin - 1
        bare = tokens[adjunct[0]].low in _BARE.get(tokens[verb].low, ())
        before: list[Words] = [((core[0], frame.begin) if bare else core,)]
        opener = tokens[adjunct[0]].low  # "a degree from Yale and a doctorate | from Kent"
        own = any(t.low == "well" for t in tokens[frame.begin + 1 : core[1]])
        own = own or (_has(tokens, cores[0], opener) and not _has(tokens, cores[-1], opener))
        if 1 < len(cores) <= _MOST_CORES and not bare and own:
            before = cores[-1:]
        elif 1 < len(cores) <= _MOST_CORES and not bare and core == frame.core:
            before = cores  # "shown in galleries all over Europe", "shown in museums all over ..."
        whole = several and tokens[adjunct[0]].low != "as"
        after = [(adjunct,)] if whole else conjuncts(tokens, *adjunct, behind=adjunct[0] + 1)
        out += [(*said, *words) for said in before for words in after]
    if frame.clause:
        out.append((core, *frame.clause))
    out = out or [(core,)]
    if frame.examples[1] > frame.examples[0]:
        out += exemplified(tokens, frame, (a, b))
    pair = None if nominal else joined_verbs(tokens, a, b)
    return out if pair is None else _one_verb_each(tokens, out, *pair)


def _joined(tokens: Sequence[Token], adjuncts: Sequence[Range]) -> list[Range]:
    """Adjuncts, those that "and" joins as one: "two albums in 1961 and in 1964"."""
    out: list[Range] = []
    for x, y in adjuncts:
        if out and tokens[x - 1].low == "and":
            x = out.pop()[0]
        out.append((x, y))
    return out


def _has(tokens: Sequence[Token], words: Words, low: str) -> bool:
    return any(t.low == low for x, y in words for t in tokens[x:y])


def _subject_link(tokens: Sequence[Token], begin: int, end: int) -> int:
    """Where the field begins in "earned a master's degree in law", "professor of law"; else 0."""
    for k in range(begin + 1, end - 1):
        before = tokens[k - 1]
        if tokens[k].depth or before.capital:
            return 0
        if tokens[k].low in PREPOSITIONS:
            held = (tokens[k].low == "in" and before.low in {"degree", "doctorate"}) or (
                tokens[k].low == "of" and before.low in {"professor", "lecturer"}
            )
            return k if held and tokens[begin].low in {"a", "an", "her", "his", "as"} else 0
    return 0


def _besides(tokens: Sequence[Token], frame: Frame, b: int) -> int:
    """Where ", as well as" begins that adds another object behind a time; else `b`."""
    for k in range(frame.begin + 1, b - 4):
        if tokens[k].low != "," or tokens[k].depth:
            continue
        if [t.low for t in tokens[k + 1 : k + 4]] == ["as", "well", "as"]:
            timed = any(is_time(tokens, x, min(y, k)) for x, y in frame.adjuncts if x < k)
            return k if timed and tokens[k + 4].low not in PREPOSITIONS else b
    return b


def _limits_both(tokens: Sequence[Token], a: int, b: int) -> bool:
    """Whether "never" may limit two joined verbs: "never wrote and published a book"."""
    if not any(t.low in _LIMITING for t in tokens[a:b]):
        return False
    pair = joined_verbs(tokens, a, b)
    return pair is not None and any(t.low in _LIMITING for t in tokens[a : pair[0]])


def joined_verbs(tokens: Sequence[Token], a: int, b: int) -> tuple[int, int] | None:
    """Where the verbs of "has written and directed" stand, if what follows belongs to both."""
    i = skip_adverbs(tokens, a, b)
    first = i
    while i < b and tokens[i].low in AUXILIARIES | {"been", "be"}:
        i = skip_adverbs(tokens, i + 1, b)
    if i + 2 >= b or tokens[i + 1].low != "and" or tokens[i].capital:
        return None
    second = skip_adverbs(tokens, i + 2, b)
    if second >= b or tokens[second].capital:
        return None
    if i > first:
        forms = [
            t.low in PARTICIPLES | PASSIVE or t.low.endswith("ed")
            for t in (tokens[i], tokens[second])
        ]
    else:
        forms = [finite_at(tokens, k, b) for k in (i, second)]
    return (i, second) if all(forms) else None


def _one_verb_each(
    tokens: Sequence[Token], out: list[Words], first: int, second: int
) -> list[Words]:
    """Says one of two joined verbs at a time; "was tried and sent to prison" shares nothing."""
    after = tokens[second + 1].low if second + 1 < len(tokens) else ""
    alone = after in {"to", "with", "of"} or tokens[first].low in _INTRANSITIVE
    if after in _BOTH:
        alone = False
    died = tokens[second].low == "died"
    if second + 1 >= max(words[-1][1] for words in out):
        alone = True
    elif died and after not in {"from", "of"}:
        alone = tokens[first].low not in _WHERE_DIED
    if died and after in {"from", "of"} and tokens[first].low != "suffered":
        return out  # "contracted and died from the flu"
    made: list[Words] = []
    for words in out:
        (x, y), rest = words[0], words[1:]
        if not (x <= first and y > second):
            return out
        if not alone:
            acted = tokens[second].low in _ACTED and after == "in"  # "produced and starred in"
            made.append(((x, first + 1), (second + 1 + acted, y), *rest))
        elif not made:
            made.append(((x, first + 1),))
        # "was revoked and later edited", but "was born and died"
        own = () if died and tokens[first - 1].low in _BE else ((x, first),)
        made.append((*own, (first + 2, y), *rest))
    return made


def without_agent(tokens: Sequence[Token], core: Range, a: int) -> Range:
    """Leaves "by the Brewers" out of "was signed by the Brewers", to which more is added."""
    by = next((k for k in range(a + 2, core[1] - 1) if tokens[k].low == "by"), None)
    passive = by is not None and tokens[by - 1].low.endswith("ed") and tokens[by - 2].low in _BE
    after = tokens[by + 1] if by is not None else None
    named = after is not None and (
        after.capital or after.low == "the" or tokens[core[1] - 1].low.endswith("s")
    )
    return (core[0], by) if by is not None and passive and named else core
