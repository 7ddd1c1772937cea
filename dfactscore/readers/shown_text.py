"""What of a string is the text: the answer alone, for every command that reads texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from dfactscore._util.numbers import counted
from dfactscore.readers.citation_marks import strip_citations
from dfactscore.records import Citation
from dfactscore.text.clean_text import clean, one_line
from dfactscore.text.gaps import close_gaps
from dfactscore.text.links import without_links
from dfactscore.text.marks import plain_marks, unknown_marks
from dfactscore.text.references import cut_references
from dfactscore.text.run_on import cut_run_on
from dfactscore.text.tags import without_entities, without_tags
from dfactscore.text.thoughts import split_thoughts
from dfactscore.text.wrapping import unwrap

__all__ = ["Cuts", "ShownText", "TextChoice", "shown_text"]

TextChoice = Literal["answer", "raw"]
Cut = Literal["thoughts", "next turns", "wrapping", "lists of sources", "links and markup"]
_PASSES = 5  # of marks that only stand there once others are gone


@dataclass(frozen=True, slots=True)
class ShownText:
    """The text of an answer.

    Attributes:
        text: What is scored; places refer to it.
        citations: Its citations, in order.
        cuts: What was cut, besides marks of citation.
        unknown: What looks like a mark and is not known; it stays in the text.
    """

    text: str
    citations: tuple[Citation, ...]
    cuts: tuple[Cut, ...] = ()
    unknown: tuple[str, ...] = ()


def shown_text(raw: str, name: str = "", titles: Sequence[str] = ()) -> ShownText:
    r"""Reads what of an answer is its text.

    Thoughts, next turns and prompts, lists of sources, wrapping, links, tags and marks of citation
    leave; the words of links stay. Prose without any of this is not changed. The text of a text is
    the text itself.

    Args:
        raw: What the model returned.
        name: The person it is about.
        titles: Titles of its passages, in order.

    Example:
        >>> shown_text("<think>Who?</think>Ann [sang](https://a.org) [cite: 1].\n\nSources: [1]")
        ... # doctest: +NORMALIZE_WHITESPACE
        ShownText(text='Ann sang.', citations=(Citation(position=8, numbers=(1,)),),
                  cuts=('thoughts', 'lists of sources', 'links and markup'), unknown=())
    """
    steps: tuple[tuple[Cut | None, Callable[[str], str]], ...] = (
        ("thoughts", lambda text: split_thoughts(text).text),
        ("next turns", lambda text: cut_run_on(text, name)[0]),
        ("wrapping", unwrap),
        ("lists of sources", cut_references),
        ("links and markup", without_entities),
        (None, lambda text: close_gaps(plain_marks(text, titles))),
        ("links and markup", lambda text: close_gaps(without_tags(without_links(text)))),
    )
    cuts: dict[Cut, None] = {}
    text = clean(raw)
    for _ in range(_PASSES):
        before = text
        for cut, step in steps:
            changed = step(text)
            if cut is not None and changed != text:
                cuts[cut] = None
            text = changed
        if text == before:
            break
    text, citations = strip_citations(text)
    return ShownText(text, citations, tuple(cuts), tuple(unknown_marks(text)))
