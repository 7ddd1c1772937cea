"""A predicate as several statements: its core, and the core with one adjunct each."""

from __future__ import annotations

from collections.abc import Sequence

from dfactscore.engines.builtin.decompose.adjuncts import Frame, frame_of, is_time
from dfactscore.engines.builtin.decompose.conjuncts import Words, conjuncts, listed, plural_start
from dfactscore.engines.builtin.language.clauses import Range
from dfactscore.engines.builtin.language.tokenizer import Token

__all__ = ["details"]


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
        played for Leeds and Hull in 1990
        played for Leeds and Hull as a defender
    """
    frame = frame_of(tokens, a, b, nominal=nominal)
    core = frame.core
    cores: list[Words] = [(core,)]
    if core[1] > frame.begin and not nominal:
        cores = conjuncts(tokens, *core, behind=frame.begin, gapped=frame.gapped)
    out: list[Words] = list(cores) if len(cores) > 1 else []
    if frame.alone or not frame.adjuncts:
        out = list(cores)
    for adjunct in frame.adjuncts:
        out += [(core, *words) for words in conjuncts(tokens, *adjunct, behind=adjunct[0] + 1)]
    out = out or [(core,)]
    if frame.examples[1] > frame.examples[0]:
        out += _exemplified(tokens, frame, (a, b))
    return out


def _exemplified(tokens: Sequence[Token], frame: Frame, whole: Range) -> list[Words]:
    """Puts A and B in the place of prizes: "won prizes in Rome, including A and B"."""
    if tokens[frame.examples[0]].low in {"those", "that"}:
        return [(whole,)]
    items = listed(tokens, *frame.examples) or [frame.examples]
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
