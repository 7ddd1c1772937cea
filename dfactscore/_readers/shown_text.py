"""Extracts the answer from a model's output, for every command that reads texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from dfactscore._readers.citation_marks import strip_citations
from dfactscore._records import Biography, Citation
from dfactscore._text.clean_text import clean, one_line
from dfactscore._text.gaps import close_gaps
from dfactscore._text.links import with_targets, without_links
from dfactscore._text.marks import plain_marks, unknown_marks
from dfactscore._text.references import cut_references
from dfactscore._text.run_on import cut_run_on
from dfactscore._text.tables import without_tables
from dfactscore._text.tags import without_entities, without_tags
from dfactscore._text.thoughts import split_thoughts
from dfactscore._text.wrapping import unwrap
from dfactscore._util.numbers import counted

TextChoice = Literal["answer", "raw"]
Cut = Literal["thoughts", "next turns", "wrapping", "lists of sources", "links and markup"]
_SHOWN = 5
_PASSES = 5  # some marks appear only after others are removed


@dataclass(frozen=True, slots=True)
class ShownText:
    """The text of an answer."""

    text: str
    citations: tuple[Citation, ...]
    cuts: tuple[Cut, ...] = ()  # types of parts that were removed, not including citation markers
    unknown: tuple[str, ...] = ()


class Cuts:
    """Counts the parts removed from texts, and collects unknown markers and names for messages."""

    def __init__(self) -> None:
        self._texts = 0
        self._changed = 0
        self._kinds: Counter[str] = Counter()
        self._unknown: Counter[str] = Counter()
        self._strange = 0
        self._named: list[str] = []

    def add(self, shown: ShownText, *, named: str | None = None) -> None:
        """Adds one text."""
        self._texts += 1
        self._named += [] if named is None else [named]
        self._changed += bool(shown.cuts)
        self._kinds.update(shown.cuts)
        self._strange += bool(shown.unknown)
        if len(self._unknown) < _SHOWN:
            self._unknown.update(shown.unknown[:_SHOWN])

    def __iter__(self) -> Iterator[str]:
        """Yields messages for the user, one line each."""
        if self._changed:
            kinds = ", ".join(f"{kind} ({n})" for kind, n in self._kinds.most_common())
            yield (
                f"cut from {self._changed} of {counted(self._texts, 'text')}: {kinds}; --text raw "
                "(text_as='raw' in Python) scores the texts as they are written"
            )
        if self._strange:
            marks = ", ".join(repr(one_line(mark, 30)) for mark in list(self._unknown)[:_SHOWN])
            yield f"unknown marks in {counted(self._strange, 'text')} were not removed: {marks}"
        if self._named:
            names = list(dict.fromkeys(self._named))
            more = " ..." if len(names) > _SHOWN else ""
            yield (
                f"no question names a person in {len(self._named)} of "
                f"{counted(self._texts, 'text')}; the first name in the text is used: "
                f"{', '.join(repr(one_line(name, 30)) for name in names[:_SHOWN])}{more}"
            )


def shown_text(
    raw: str, name: str = "", titles: Sequence[str] = (), *, choice: TextChoice = "answer"
) -> ShownText:
    r"""Extracts the text of an answer from a model's output.

    Reasoning, later turns and prompts, lists of sources, line wrapping, link targets, tags and
    citation markers are removed. Plain prose does not change, so the function is idempotent.

    Example:
        >>> shown_text("<think>Who?</think>Ann [sang](https://a.org) [cite: 1].\n\nSources: [1]")
        ... # doctest: +NORMALIZE_WHITESPACE
        ShownText(text='Ann sang.', citations=(Citation(position=8, numbers=(1,)),),
                  cuts=('thoughts', 'lists of sources', 'links and markup'), unknown=())
    """
    if choice == "raw":
        return ShownText(*strip_citations(clean(raw)))
    steps: tuple[tuple[Cut | None, Callable[[str], str]], ...] = (
        ("thoughts", lambda text: split_thoughts(text).text),
        ("next turns", lambda text: cut_run_on(text, name)[0]),
        ("wrapping", unwrap),
        ("links and markup", with_targets),
        ("lists of sources", cut_references),
        ("links and markup", without_entities),
        (None, lambda text: close_gaps(plain_marks(text, titles))),
        ("links and markup", lambda text: close_gaps(without_tags(without_links(text)))),
        ("links and markup", lambda text: without_tables(text, name)),
    )
    cuts: dict[Cut, None] = {}
    text = clean(raw)
    for _ in range(_PASSES):
        previous = text
        for cut, step in steps:
            changed = step(text)
            if cut is not None and changed != text:
                cuts[cut] = None
            text = changed
        if text == previous:
            break
    text, citations = strip_citations(text)
    return ShownText(text, citations, tuple(cuts), tuple(unknown_marks(text)))


def why_no_answer(biography: Biography) -> str:
    """Returns why a text is empty although the model wrote reasoning.

    The result is empty if there is a text or if the model wrote nothing.
    """
    if biography.text.strip() or not biography.raw.strip():
        return ""
    split = split_thoughts(biography.raw)
    if split.text.strip() or not split.thoughts:
        return ""
    return f"the model's thought {'has no answer after it' if split.finished else 'did not end'}"
