"""Sentences to turn into items, and their false variants with edits."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from dfactscore._records import Biography
from dfactscore._text.names import plain_name
from dfactscore._text.sentences import split_sentences
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.factor._settings import Type
from dfactscore.retrieval import Page

_QUOTED = re.compile(r"^[\"“'‘]|[\"“][^\"”]{15,}[\"”]")
# A number, or a name that is not the first word: something that can be changed.
_DETAIL = re.compile(r"\d|(?<=[\s(“\"])[A-Z]")
_LIST_LINE = re.compile(r"^(?:[-*•–#]|\d+[.)])\s")


@dataclass(frozen=True, slots=True)
class Selected:
    """A sentence that may become an item."""

    title: str
    number: int
    prefix: str
    sentence: str

    @property
    def key(self) -> str:
        """A key that is unique within a corpus."""
        return f"{self.title}|{self.number}"


def select_sentences(
    page: Page, *, most: int | None = None, min_words: int = 10, seed: int = 0
) -> list[Selected]:
    """Draws sentences from a page in random order.

    Only sentences that contain a name or a number, and a fact found by the built-in decomposer, are
    drawn. The first sentence, headings, list items and quotations are excluded.
    """
    text = page.text
    sentences = split_sentences(text)
    facts = BuiltinDecomposer().decompose(Biography("page", plain_name(page.title), text))
    stated = {fact.sentence for fact in facts}
    spans = [fact.span for fact in facts if fact.span is not None]
    selected = []
    for number, one in enumerate(sentences):
        sentence = text[one.start : one.end]
        line = text[: one.start].rpartition("\n")[2] + sentence
        states = number in stated or any(one.start <= a < one.end for a, _ in spans)
        if (
            number > 0
            and len(sentence.split()) >= min_words
            and sentence.rstrip()[-1:] in ".!?"
            and sentence[:1].isupper()
            and "\n" not in sentence
            and not _LIST_LINE.match(line)
            and not _QUOTED.search(sentence)
            and _DETAIL.search(sentence)
            and states
        ):
            selected.append(Selected(page.title, number, text[: one.start], sentence))
    draw = random.Random(f"{seed}|{page.title}")
    return draw.sample(selected, len(selected))[:most]


_AT_MOST = 3


@dataclass(frozen=True, slots=True)
class Edit:
    """One change to a sentence."""

    old: str
    new: str
    span: tuple[int, int]  # position of `old` in the original, in characters


@dataclass(frozen=True, slots=True)
class Candidate:
    """A changed sentence."""

    type: Type
    text: str
    edits: tuple[Edit, ...]
    maker: str  # `"rules"`, or the name of the model


def apply_edits(sentence: str, edits: Sequence[Edit]) -> str:
    """Applies edits to a sentence.

    Example:
        >>> apply_edits("He won in 1936.", [Edit("1936", "1938", (10, 14))])
        'He won in 1938.'
    """
    text = sentence
    for edit in sorted(edits, key=lambda e: e.span, reverse=True):
        start, end = edit.span
        assert sentence[start:end] == edit.old, edit
        text = text[:start] + edit.new + text[end:]
    return text


def candidate(type: Type, sentence: str, edits: Sequence[Edit]) -> Candidate:
    """Creates a rule-based candidate from its edits."""
    ordered = tuple(sorted(edits, key=lambda e: e.span))
    return Candidate(type, apply_edits(sentence, ordered), ordered, "rules")


def drawn(
    type: Type, sentence: str, place: tuple[str, int], choices: Sequence[str], draw: Random
) -> list[Candidate]:
    """Creates up to three candidates, each with a different replacement in the same place."""
    old, start = place
    span = (start, start + len(old))
    chosen = draw.sample(choices, min(_AT_MOST, len(choices)))
    return [candidate(type, sentence, [Edit(old, new, span)]) for new in chosen]


def candidate_record(candidate: Candidate) -> dict[str, Any]:
    """A candidate as stored in journals and items."""
    return {
        "text": candidate.text,
        "type": candidate.type,
        "edits": [{"from": e.old, "to": e.new, "span": list(e.span)} for e in candidate.edits],
        "maker": candidate.maker,
    }
