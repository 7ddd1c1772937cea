"""A predicate as several statements: its core, and the core with one adjunct each."""

from __future__ import annotations

from collections.abc import Sequence
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
from dfactscore.engines._builtin.decompose.times import counts, is_time
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.tokenizer import Token

# Verbs that say enough without an object, and the adjuncts that they can then take.
_BARE = dict.fromkeys(("studied", "taught", "trained", "lectured"), frozenset({"at", "under"})) | {
    verb: frozenset({"in", "on"}) for verb in ("graduated", "retired")
}
# Prepositions whose phrase applies to both: "composed Aida and Otello in 1871", not "over 24 years"
_OF_EACH = frozenset({"in", "at", "on", "as", "for"})
_COMPLEMENTING = frozenset({"of", "for", "to"})
_BE = frozenset({"is", "was", "are", "were", "been"})


def details(
    tokens: Sequence[Token], a: int, b: int, *, nominal: bool = False, frame: Frame | None = None
) -> list[Words]:
    """Says one thing at a time, each with its event.

    Args:
        tokens: Of the sentence.
        a: First token of a predicate, its verb, or of a description.
        b: After its last.
        nominal: Whether it is a description.
        frame: The result of `frame_of`, if it is known.

    Returns:
        For each statement the stretches that make it, in the order in which they are said.

    Example:
        >>> from dfactscore.engines._builtin.language.tokenizer import tokenize
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
    frame = frame or frame_of(tokens, a, b, nominal=nominal)
    pairs = [] if nominal else dated_places(tokens, frame.begin, b)
    if pairs:
        first = pairs[0][0]
        if counts(tokens, a, first):
            return [*details(tokens, a, first), ((a, b),)]
        return [((a, first), pair) for pair in pairs]
    core = frame.core
    stop = insertion(tokens, *core)
    if stop < core[1] < b:  # nothing hangs on a core that is interrupted
        alone = worth_saying(tokens, frame.begin, (a, stop), nominal=nominal)
        return [((a, stop),), ((a, b),)] if alone else [((a, b),)]
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
    several = counts(tokens, frame.begin, core[1])
    for adjunct in frame.adjuncts:
        own = nominal and "of" not in (t.low for t in tokens[slice(*core)])
        if own and tokens[adjunct[0]].low == "from" and tokens[adjunct[0] + 1].capital:
            out.append((adjunct,))  # "is from Belgium"
            continue
        verb = core[0] if nominal else frame.begin - 1
        bare = tokens[adjunct[0]].low in _BARE.get(tokens[verb].low, ())
        named = tokens[adjunct[0] + 1].capital or tokens[adjunct[0] + 1].low == "the"
        bare = bare and (named or is_time(tokens, adjunct[0], adjunct[0] + 3))
        before = (core[0], frame.begin) if bare else core
        whole = several and tokens[adjunct[0]].low != "as"
        after = [(adjunct,)] if whole else conjuncts(tokens, *adjunct, behind=adjunct[0] + 1)
        of_each = tokens[adjunct[0]].low in _OF_EACH and len(after) == 1
        each = _names(tokens, cores) if of_each and not (bare or nominal) else []
        out += [(*said, *words) for said in each or [(before,)] for words in after]
    if frame.clause:
        out.append((core, *frame.clause))
    out = out or [(core,)]
    if frame.examples[1] > frame.examples[0]:
        out += exemplified(tokens, frame, (a, b))
    return out


def _names(tokens: Sequence[Token], cores: Sequence[Words]) -> Sequence[Words]:
    """The cores where each ends with another name: "composed Aida", "composed Otello"."""
    named = all(is_name(tokens, *words[-1]) for words in cores)
    return cores if len(cores) == 2 and named else []


def without_agent(tokens: Sequence[Token], core: Range, a: int) -> Range:
    """Leaves "by the Brewers" out of "was signed by the Brewers", to which more is added."""
    by = next((k for k in range(a + 2, core[1] - 1) if tokens[k].low == "by"), None)
    passive = by is not None and tokens[by - 1].low.endswith("ed") and tokens[by - 2].low in _BE
    after = tokens[by + 1] if by is not None else None
    named = after is not None and (
        after.capital or after.low == "the" or tokens[core[1] - 1].low.endswith("s")
    )
    return (core[0], by) if by is not None and passive and named else core
