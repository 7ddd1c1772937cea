"""Extracts the answer from a model's output, and the citations from the answer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from dfactscore._records import Biography, Citation
from dfactscore._text.answer_ends import cut_references, cut_run_on, unwrap
from dfactscore._text.answer_markup import (
    close_gaps,
    with_targets,
    without_entities,
    without_links,
    without_pictures,
    without_tables,
    without_tags,
)
from dfactscore._text.clean_text import clean, damaged_words, one_line, repair
from dfactscore._text.layouts import Block, read_blocks
from dfactscore._text.marks import plain_marks, unknown_marks
from dfactscore._text.outputs import failed_output, printed_text, tells_of_trouble
from dfactscore._text.remarks import is_abstention
from dfactscore._text.thoughts import split_thoughts
from dfactscore._util.numbers import counted

# [1], [1, 2], [1-3], [^1], [Document 4], [Source: 1], [Doc 1, Doc 2], and with full-width brackets
# also 【4†source】 and 【4:0†source】. No pattern matches a run of white space in two ways, because
# a million spaces would take quadratic time.
_WORD = (
    r"(?:\^|(?:documents?|docs?|sources?|passages?|references?|refs?)\.?\s*(?:no\.\s*)?"
    r"(?:[#:]\s*)?)?"
)
_LIST = rf"{_WORD}\d{{1,3}}(?:\s*[-–—,;&]\s*(?:and\s+)?{_WORD}\d{{1,3}})*"
_PLACE = r"(?::\d+)?(?:†[^】\n]{0,80})?"
_CITATION = rf"(?:\[\s*{_LIST}\s*\]|【\s*{_LIST}{_PLACE}\s*】)"
_BETWEEN = r"[\s,;]*(?:(?:and|[-–—&])\s*)?"
_MARKS = rf"{_CITATION}(?:{_BETWEEN}{_CITATION})*"
_RUN = re.compile(rf"(?<!\s)(\s*)(\(\s*{_MARKS}\s*\)|{_MARKS})(\s*)", re.IGNORECASE)
# "(1)" is a mark only in texts without square brackets, with one digit, and at the end of a clause:
# "(1) he swam" is a list.
_ROUND = rf"\(\s*{_WORD}[1-9](?:\s*[-–—,;&]\s*(?:and\s+)?[1-9])*\s*\)"
_ROUND_RUN = re.compile(
    rf"((?<=\w)\s*|(?<=[.!?,;:'’\"”)])\s*)((?:{_ROUND})(?:[\s,;]*(?:{_ROUND}))*)()(?=[.,;!?]|\s*$)",
    re.IGNORECASE | re.MULTILINE,
)
_NUMBERS = re.compile(r"(\d{1,3})(?:[\]】]?\s*[-–—]\s*[\[【]?\s*(\d{1,3}))?")
_NO_NUMBERS = re.compile(r":\d+|†[^】]*")
_CLOSING = ".,;:!?)]}"
_QUOTES = "’”\"'"  # closing quotes only if no space precedes them
_MOST = 100  # maximum number of passages in a range; a longer range is not a citation


def strip_citations(raw: str) -> tuple[str, tuple[Citation, ...]]:
    """Removes citation markers from a text.

    A marker between two words is replaced by one space; a marker before punctuation is simply
    removed. A year in brackets (``[1936]``) is not a citation. In a text without square brackets,
    numbers in parentheses at the end of a clause are markers: ``"He died (3)."``, but not ``"(1) a
    coach"``.

    Example:
        >>> strip_citations("He was born in 1936[1][2] and died [3]. She sang.[1-3] He left")
        ... # doctest: +NORMALIZE_WHITESPACE
        ('He was born in 1936 and died. She sang. He left',
         (Citation(position=19, numbers=(1, 2)), Citation(position=28, numbers=(3,)),
          Citation(position=39, numbers=(1, 2, 3))))
    """
    pieces: list[str] = []
    citations: list[Citation] = []
    length = last = 0
    marks = _RUN if _RUN.search(raw) else _ROUND_RUN
    for match in marks.finditer(raw):
        before = raw[last : match.start()]
        pieces.append(before)
        length += len(before)
        after = raw[match.end() : match.end() + 1]
        gap = _gap(match.group(1), match.group(3), after, at_start=length == 0)
        opens_line = "\n" in match.group(1) and "\n" not in match.group(3)
        place = length + len(gap) if opens_line else length
        citations.append(Citation(place, _numbers(match.group(2))))
        pieces.append(gap)
        length += len(gap)
        last = match.end()
    pieces.append(raw[last:])
    return "".join(pieces), tuple(citations)


def _gap(space_before: str, space_after: str, next_character: str, *, at_start: bool) -> str:
    """Returns the whitespace that replaces a run of markers."""
    lines = "".join(c for c in space_before + space_after if c == "\n")
    if lines:
        return lines
    if (
        at_start
        or not next_character
        or next_character in _CLOSING
        or (next_character in _QUOTES and not space_after)
    ):
        return ""
    return " "


def _numbers(marks: str) -> tuple[int, ...]:
    numbers: list[int] = []
    for first, last in _NUMBERS.findall(_NO_NUMBERS.sub("", marks)):
        low, high = int(first), int(last or first)
        spread = range(low, high + 1) if low <= high < low + _MOST else (low, high)
        numbers.extend(spread)
    return tuple(numbers)


TextChoice = Literal["answer", "raw"]

Cut = Literal[
    "thoughts", "next turns", "wrapping", "lists of sources", "links and markup", "damaged letters"
]

_SHOWN = 5
_PASSES = 5  # some marks appear only after others are removed


@dataclass(frozen=True, slots=True)
class ShownText:
    """The text of an answer."""

    text: str
    citations: tuple[Citation, ...]
    cuts: tuple[Cut, ...] = ()  # types of parts that were removed, not including citation markers
    unknown: tuple[str, ...] = ()
    damaged: tuple[str, ...] = ()  # words with letters that were lost
    # Lines that tell people apart or state one fact, each with the kind of its block.
    blocks: tuple[tuple[str, Block], ...] = field(default=(), repr=False)


def _fields(counts: Counter[str]) -> str:
    shown = ", ".join(f"{field!r} of {counted(n, 'record')}" for field, n in counts.most_common(3))
    return f"{shown} ..." if len(counts) > 3 else shown


class Cuts:
    """Counts the parts removed from texts, and collects unknown markers and names for messages."""

    def __init__(self) -> None:
        self._texts = 0
        self._changed = 0
        self._kinds: Counter[str] = Counter()
        self._unknown: Counter[str] = Counter()
        self._strange = 0
        self._repaired = 0
        self._damaged: Counter[str] = Counter()
        self._in_damaged = 0
        self._stated_nothing: Counter[str] = Counter()
        self._named: list[str] = []
        self._null_passages = 0
        self._read_from: Counter[str] = Counter()
        self._unread: Counter[str] = Counter()

    def add(self, shown: ShownText, *, named: str | None = None) -> None:
        """Adds one text."""
        self._texts += 1
        self._named += [] if named is None else [named]
        cuts = [cut for cut in shown.cuts if cut != "damaged letters"]
        self._changed += bool(cuts)
        self._repaired += len(cuts) < len(shown.cuts)
        self._kinds.update(cuts)
        self._strange += bool(shown.unknown)
        self._in_damaged += bool(shown.damaged)
        self._damaged.update(shown.damaged[:_SHOWN])
        if len(self._unknown) < _SHOWN:
            self._unknown.update(shown.unknown[:_SHOWN])

    def leave_out(self, facts: Sequence[str]) -> None:
        """Adds given facts that state nothing and were left out."""
        self._stated_nothing.update(facts)

    def leave_out_passages(self, count: int) -> None:
        """Adds passages without a text, which were left out."""
        self._null_passages += count

    def read_passages(self, field: str, others: Sequence[str]) -> None:
        """Adds the field in which passages were found, and fields with texts that were not read."""
        self._read_from.update([field] if field else [])
        self._unread.update(others)

    def __iter__(self) -> Iterator[str]:
        """Yields messages for the user, one line each."""
        if self._changed:
            kinds = ", ".join(f"{kind} ({n})" for kind, n in self._kinds.most_common())
            yield (
                f"cut from {self._changed} of {counted(self._texts, 'text')}: {kinds}; --text raw "
                "(text_as='raw' in Python) scores the texts as they are written"
            )
        if self._repaired:
            yield (
                f"repaired damaged letters in {self._repaired} of {counted(self._texts, 'text')} "
                "(UTF-8 read as another encoding, or letters written as codes); --text raw scores "
                "them as they are written"
            )
        if self._strange:
            marks = ", ".join(repr(one_line(mark, 30)) for mark in list(self._unknown)[:_SHOWN])
            yield f"unknown marks in {counted(self._strange, 'text')} were not removed: {marks}"
        if self._damaged:
            words = ", ".join(repr(one_line(word, 30)) for word in list(self._damaged)[:_SHOWN])
            yield (
                f"letters are lost in {counted(self._in_damaged, 'text')}, and their words match "
                f"no page: {words}; read the file in its own encoding and save it as UTF-8"
            )
        if self._stated_nothing:
            facts = ", ".join(repr(one_line(fact, 40)) for fact in list(self._stated_nothing)[:3])
            yield (
                f"left out {counted(self._stated_nothing.total(), 'given fact')} without a "
                f"statement: {facts}"
            )
        if self._null_passages:
            yield f"left out {counted(self._null_passages, 'passage')} without a text"
        if self._read_from:
            yield f"read passages from {_fields(self._read_from)}"
        if self._unread:
            field = next(iter(self._unread))
            yield (
                f"did not read the texts of {_fields(self._unread)}; if they are passages, add "
                f"--field passages={field}"
            )
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
                  cuts=('thoughts', 'lists of sources', 'links and markup'), unknown=(), damaged=())
    """
    if choice == "raw":
        return ShownText(*strip_citations(clean(raw)))
    blocks: list[tuple[str, Block]] = []

    def read_layout(text: str) -> str:
        text, read = read_blocks(text, name)
        blocks.extend(read)
        return text

    steps: tuple[tuple[Cut | None, Callable[[str], str]], ...] = (
        ("wrapping", _opened),
        ("thoughts", lambda text: split_thoughts(text).text),
        ("next turns", lambda text: cut_run_on(text, name)[0]),
        ("wrapping", unwrap),
        ("links and markup", with_targets),
        ("lists of sources", cut_references),
        ("links and markup", lambda text: without_entities(without_pictures(text))),
        (None, lambda text: close_gaps(plain_marks(text, titles))),
        ("links and markup", lambda text: close_gaps(without_tags(without_links(text)))),
        ("links and markup", lambda text: without_tables(text, name)),
        (None, read_layout),
    )
    cuts: dict[Cut, None] = {}
    text = repair(clean(raw))
    if text != clean(raw):
        cuts["damaged letters"] = None
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
    unknown, damaged = tuple(unknown_marks(text)), tuple(damaged_words(text))
    return ShownText(text, citations, tuple(cuts), unknown, damaged, tuple(blocks))


def _opened(text: str) -> str:
    """Returns the text inside a printed object; leaves a plain text unchanged."""
    inside = printed_text(text)
    return text if inside is None else inside


class NoText(NamedTuple):
    """Why a biography has no text to score."""

    status: Literal["no_answer", "failed", "abstained"]
    reason: str = ""


def no_text(biography: Biography) -> NoText | None:
    """Returns why a biography has no text to score; None if it has one.

    The output may be reasoning without an answer, an object without text, a message of a failed
    service, or a refusal. Facts of the input are scored whatever the text is.
    """
    if biography.facts is not None:
        return None
    raw = biography.raw or biography.text
    if raw.strip() and not biography.text.strip():
        split = split_thoughts(raw)
        if split.thoughts and not split.text.strip():
            end = "has no answer after it" if split.finished else "did not end"
            return NoText("no_answer", f"the model's thought {end}")
        if printed_text(raw) == "":
            return NoText("no_answer", f"a printed object without a text: {one_line(raw, 60)}")
        if (kind := failed_output(raw, biography.name)) is not None:
            return NoText("failed", f"{kind}: {one_line(raw, 100)}")
    if is_abstention(biography.text) and not tells_of_trouble(biography.text, biography.name):
        return NoText("abstained")
    for text in dict.fromkeys((raw, biography.text)):
        if (kind := failed_output(text, biography.name)) is not None:
            return NoText("failed", f"{kind}: {one_line(text, 100)}")
    return None
