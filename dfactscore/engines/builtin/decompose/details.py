"""A predicate as several statements: its core, and the core with one adjunct each."""

from __future__ import annotations

from collections.abc import Sequence

from dfactscore.engines.builtin.decompose.adjuncts import Frame, frame_of, is_time
from dfactscore.engines.builtin.decompose.conjuncts import Words, conjuncts, listed, plural_start
from dfactscore.engines.builtin.language.clauses import Range
from dfactscore.engines.builtin.language.tokenizer import Token
from dfactscore.engines.builtin.language.word_classes import DETERMINERS, PREPOSITIONS
from dfactscore.engines.builtin.language.word_lists import word_list

__all__ = ["details", "kinds"]

# Verbs that say enough without an object, and the adjuncts that they can then take.
_BARE = dict.fromkeys(("studied", "taught", "trained", "lectured"), frozenset({"at", "under"}))
_KINDS = word_list("kinds")
_BEFORE_KIND = PREPOSITIONS | DETERMINERS | word_list("before_kind")
_MOST_CORES = 3
_BE = frozenset({"is", "was", "are", "were", "been"})


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
    core = frame.core
    cores: list[Words] = [(core,)]
    if core[1] > frame.begin and not nominal:
        cores = conjuncts(tokens, *core, behind=frame.begin, gapped=frame.gapped)
    out: list[Words] = list(cores) if len(cores) > 1 else []
    if frame.alone or not frame.adjuncts:
        out = list(cores)
    if not nominal:
        core = _without_agent(tokens, core, a)
    for adjunct in frame.adjuncts:
        if nominal and tokens[adjunct[0]].low == "from" and tokens[adjunct[0] + 1].capital:
            out.append((adjunct,))  # "is from Belgium"
            continue
        verb = core[0] if nominal else frame.begin - 1
        bare = tokens[adjunct[0]].low in _BARE.get(tokens[verb].low, ())
        before: list[Words] = [((core[0], frame.begin) if bare else core,)]
        if 1 < len(cores) <= _MOST_CORES and not bare and core == frame.core:
            before = cores  # "shown in galleries all over Europe", "shown in museums all over ..."
        after = conjuncts(tokens, *adjunct, behind=adjunct[0] + 1)
        out += [(*said, *words) for said in before for words in after]
    out = out or [(core,)]
    if frame.examples[1] > frame.examples[0]:
        out += _exemplified(tokens, frame, (a, b))
    return out


def kinds(tokens: Sequence[Token], a: int, b: int, *, nominal: bool = False) -> list[Words]:
    """For examples of works and people what they are: "films, such as A and B" says A is a film.

    Returns:
        For each example the stretch that names its kind, in the plural, and its own.
    """
    frame = frame_of(tokens, a, b, nominal=nominal)
    x, y = frame.examples
    if y <= x or frame.core[1] <= frame.begin:
        return []
    chunk = frame.adjuncts[-1] if frame.adjuncts else frame.core
    if tokens[chunk[1] - 1].low not in _KINDS:
        return []
    begin = chunk[1] - 1
    while begin > chunk[0] and tokens[begin - 1].word and tokens[begin - 1].low not in _BEFORE_KIND:
        begin -= 1
    items = listed(tokens, x, y)
    return [((begin, chunk[1]), item) for item in items if chunk[1] - begin <= 3]


def _without_agent(tokens: Sequence[Token], core: Range, a: int) -> Range:
    """Leaves "by the Brewers" out of "was signed by the Brewers", to which more is added."""
    by = next((k for k in range(a + 2, core[1] - 1) if tokens[k].low == "by"), None)
    passive = by is not None and tokens[by - 1].low.endswith("ed") and tokens[by - 2].low in _BE
    return (core[0], by) if by is not None and passive else core


def _exemplified(tokens: Sequence[Token], frame: Frame, whole: Range) -> list[Words]:
    """Puts A and B in the place of prizes: "won prizes in Rome, including A and B"."""
    if tokens[frame.examples[0]].low in {"those", "that"}:
        return [(whole,)]
    items = listed(tokens, *frame.examples) or [frame.examples]
    first = frame.examples[0]
    if tokens[first].low in PREPOSITIONS:  # "served in many roles, including as a nurse and a cook"
        verb = (frame.core[0], frame.begin)
        rest: list[Words] = [(verb, (first, first + 1), item) for item in items[1:]]
        return [(verb, items[0]), *rest]
    chunks = [frame.core, *frame.adjuncts]
    for chunk in reversed(chunks):
        if chunk is not frame.core and is_time(tokens, *chunk):
            continue
        begin = frame.begin if chunk is frame.core else chunk[0] + 1
        start = plural_start(tokens, begin, chunk[1])
        if start is None:
            continue
        before: Words = ((chunk[0], start),)
        if chunk is not frame.core:
            before = (frame.core, *before)
        return [(*before, item) for item in items]
    return [((whole[0], frame.examples[0]), item) for item in items]
