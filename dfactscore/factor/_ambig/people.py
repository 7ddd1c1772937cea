"""A person's page as statements that fill slots."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dfactscore._records import Biography
from dfactscore._text.names import plain_name
from dfactscore._text.sentences import split_sentences
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.engines._builtin.language.word_classes import RELATIVES
from dfactscore.factor._ambig.occupations import fields_of, fits_gender, gender_of
from dfactscore.factor._ambig.slots import SINGLE, Filler, filler
from dfactscore.factor._ambig.values import date_in
from dfactscore.factor._ambig.wording import as_written, without_origin
from dfactscore.factor._settings import Slot
from dfactscore.retrieval import Page

_ARTICLE = re.compile(r"an? ")
_WHOLE = re.compile(r"[.!?][\"'”’)\]]*\s*\Z")
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")


@dataclass(frozen=True, slots=True)
class SlotFact:
    """A fact of a page that fills a slot.

    Attributes:
        filler: Slot, frame and value.
        sentence: The fact about the shared name.
        start: The start of its sentence in the page's text.
    """

    filler: Filler
    sentence: str
    start: int

    @property
    def slot(self) -> Slot:
        """The slot."""
        return self.filler.slot


@dataclass(frozen=True, slots=True)
class Person:
    """One of the people of a name.

    Attributes:
        name: The shared name.
        title: Title of the page.
        text: Its text.
        statements: Its statements in the slots, in its order.
        doubts: The number of other statements left out, by why they may not be the person's.
        fields: The fields of the roles in its title, its first sentence and its statements.
    """

    name: str
    title: str
    text: str
    statements: tuple[SlotFact, ...]
    doubts: Mapping[str, int]
    fields: frozenset[str]


def read_person(name: str, page: Page) -> Person:
    """Reads the facts of a page by rules.

    Args:
        name: The shared name, under which the facts are written.
        page: The page.
    """
    own = plain_name(page.title)
    variants = sorted({own, name, own.split()[-1]}, key=lambda v: (-len(v), v))
    starts = [sentence.start for sentence in split_sentences(page.text)]
    doubts: Counter[str] = Counter()
    twice: set[Slot] = set()
    found: dict[tuple[int, Slot], SlotFact] = {}
    for statement in _statements(name, page, variants, starts, doubts):
        # A person has one birthday: the first sentence that says it, in its fullest form. Of a
        # sentence that says a thing in several lengths, the shortest is taken.
        slot, size = statement.slot, len(statement.sentence)
        place = -1 if slot in SINGLE else len(found)
        if slot in ("affiliation", "award"):
            place = statement.start
        old = found.setdefault((place, slot), statement)
        if slot not in SINGLE:
            better = size < len(old.sentence)
        else:
            better = old.start == statement.start and size > len(old.sentence)
            if not better and not _alike(old, statement):
                twice.add(slot)
        if better:
            found[place, slot] = statement
    doubts["two dates on the page"] += len(twice)
    kept = [one for one in found.values() if one.slot not in twice]
    values = [_plain(one) for one in kept]
    statements = tuple(one for i, one in enumerate(kept) if values[i] not in values[:i])
    opening = page.text[: starts[1]] if len(starts) > 1 else page.text
    roles = [one.filler.value for one in statements if one.slot == "occupation"]
    fields = fields_of(" . ".join([page.title, opening, *roles]))
    return Person(name, page.title, page.text, statements, doubts, frozenset(fields))


def _statements(
    name: str, page: Page, variants: Sequence[str], starts: Sequence[int], doubts: Counter[str]
) -> Iterator[SlotFact]:
    """Statements of a page in the slots, by sentence; those perhaps of another are counted."""
    text = page.text
    end, gender = _last_whole(text, starts), gender_of(text)
    for fact in BuiltinDecomposer().decompose(Biography("page", plain_name(page.title), text)):
        one = filler(fact.text, variants)
        if one is None or fact.span is None:
            continue
        if one.slot in ("birth_place", "death_place") and one.value not in text:
            continue  # "in" and a name that the page does not put together
        start = max((s for s in starts if s <= fact.span[0]), default=0)
        article = _ARTICLE.match(text, fact.span[0])
        before = text[start : article.end() if article else fact.span[0]]
        one = as_written(one, before, variants)
        statement = SlotFact(one, one.sentence.replace("{}", name), start)
        if doubt := _doubt(statement, text, end, gender, variants):
            doubts[doubt] += 1
        else:
            yield statement


def _last_whole(text: str, starts: Sequence[int]) -> int:
    """Returns the start of an incomplete last sentence; else the end of the text."""
    return len(text) if not starts or _WHOLE.search(text) else starts[-1]


def _doubt(statement: SlotFact, text: str, end: int, gender: str, variants: Sequence[str]) -> str:
    """The reason why a statement may not be the person's own, or empty."""
    if statement.start >= end:
        return "a sentence that breaks off"
    value = statement.filler.value
    if statement.slot == "occupation" and not fits_gender(without_origin(value), gender):
        return "a role of the other gender"
    place = text.find(value.split()[-1].rstrip("."), statement.start)
    before = _WORD.findall(text[statement.start : max(place, statement.start)])
    relative = max((i for i, word in enumerate(before) if word.lower() in RELATIVES), default=-1)
    # Behind a relative it is the person's only where the person is named again: not "his mother,
    # Ann Lee, is an actress", but "the son of a miner, he was a poet".
    named = {"he", "she", *(word.lower() for variant in variants for word in variant.split()[:1])}
    behind = [word.lower() for word in before[relative + 1 :]]
    return "" if relative < 0 or named & set(behind) else "it may be a relative's"


def _alike(one: SlotFact, other: SlotFact) -> bool:
    """Whether two statements of a slot of which a person has one do not name different days."""
    first, second = date_in(one.filler.value), date_in(other.filler.value)
    return first is None or second is None or first.same(second)


def _plain(one: SlotFact) -> str:
    """A value by which statements are told apart: "American diplomat" says "diplomat" again."""
    value = one.filler.value
    return (without_origin(value) if one.slot == "occupation" else value).casefold()
