"""Reads facts from people's pages, by slot."""

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
    """A fact that was read from a page and fills a slot."""

    filler: Filler
    sentence: str
    start: int

    @property
    def slot(self) -> Slot:
        """The slot."""
        return self.filler.slot


@dataclass(frozen=True, slots=True)
class Person:
    """A person who shares a name with others."""

    name: str
    title: str
    text: str
    statements: tuple[SlotFact, ...]
    doubts: Mapping[str, int]
    fields: frozenset[str]


def read_person(name: str, page: Page) -> Person:
    """Uses rules to read the facts on a page."""
    own_name = plain_name(page.title)
    variants = sorted({own_name, name, own_name.split()[-1]}, key=lambda v: (-len(v), v))
    starts = [sentence.start for sentence in split_sentences(page.text)]
    doubts: Counter[str] = Counter()
    twice: set[Slot] = set()
    facts: dict[tuple[int, Slot], SlotFact] = {}
    for statement in _statements(name, page, variants, starts, doubts):
        # A person has one birthday: the first sentence with it counts, in its longest form. Of
        # other facts that one sentence gives in several lengths, the shortest counts.
        slot, size = statement.slot, len(statement.sentence)
        place = -1 if slot in SINGLE else len(facts)
        if slot in ("affiliation", "award"):
            place = statement.start
        old = facts.setdefault((place, slot), statement)
        if slot not in SINGLE:
            better = size < len(old.sentence)
        else:
            better = old.start == statement.start and size > len(old.sentence)
            if not better and not _alike(old, statement):
                twice.add(slot)
        if better:
            facts[place, slot] = statement
    doubts["two dates on the page"] += len(twice)
    unique = [fact for fact in facts.values() if fact.slot not in twice]
    values = [_plain(fact) for fact in unique]
    statements = tuple(fact for i, fact in enumerate(unique) if values[i] not in values[:i])
    opening = page.text[: starts[1]] if len(starts) > 1 else page.text
    roles = [fact.filler.value for fact in statements if fact.slot == "occupation"]
    fields = fields_of(" . ".join([page.title, opening, *roles]))
    return Person(name, page.title, page.text, statements, doubts, frozenset(fields))


def _statements(
    name: str, page: Page, variants: Sequence[str], starts: Sequence[int], doubts: Counter[str]
) -> Iterator[SlotFact]:
    """Yields the facts on a page, but only counts those that may be about someone else."""
    text = page.text
    end, gender = _last_whole(text, starts), gender_of(text)
    for fact in BuiltinDecomposer().decompose(Biography("page", plain_name(page.title), text)):
        slot_filler = filler(fact.text, variants)
        if slot_filler is None or fact.span is None:
            continue
        if slot_filler.slot in ("birth_place", "death_place") and slot_filler.value not in text:
            continue  # the page does not contain this combination of "in" and a name
        start = max((s for s in starts if s <= fact.span[0]), default=0)
        article = _ARTICLE.match(text, fact.span[0])
        text_before = text[start : article.end() if article else fact.span[0]]
        slot_filler = as_written(slot_filler, text_before, variants)
        statement = SlotFact(slot_filler, slot_filler.sentence.replace("{}", name), start)
        if doubt := _doubt(statement, text, end, gender, variants):
            doubts[doubt] += 1
        else:
            yield statement


def _last_whole(text: str, starts: Sequence[int]) -> int:
    """The start of an incomplete last sentence, or the end of the text."""
    return len(text) if not starts or _WHOLE.search(text) else starts[-1]


def _doubt(statement: SlotFact, text: str, end: int, gender: str, variants: Sequence[str]) -> str:
    """Why a fact may be about someone else; empty if there is no reason to think so."""
    if statement.start >= end:
        return "a sentence that breaks off"
    value = statement.filler.value
    if statement.slot == "occupation" and not fits_gender(without_origin(value), gender):
        return "a role of the other gender"
    place = text.find(value.split()[-1].rstrip("."), statement.start)
    words_before = _WORD.findall(text[statement.start : max(place, statement.start)])
    relative = max(
        (i for i, word in enumerate(words_before) if word.lower() in RELATIVES), default=-1
    )
    # After a relative, a fact is about the person only if the person is named again: not in "his
    # mother, Ann Lee, is an actress", but in "the son of a miner, he was a poet".
    named = {"he", "she", *(word.lower() for variant in variants for word in variant.split()[:1])}
    behind = [word.lower() for word in words_before[relative + 1 :]]
    return "" if relative < 0 or named & set(behind) else "it may be a relative's"


def _alike(fact: SlotFact, other: SlotFact) -> bool:
    """Whether two facts for one slot can both be true, that is, do not name different days."""
    first, second = date_in(fact.filler.value), date_in(other.filler.value)
    return first is None or second is None or first.same(second)


def _plain(fact: SlotFact) -> str:
    """The value used to compare facts: "American diplomat" repeats "diplomat"."""
    value = fact.filler.value
    return (without_origin(value) if fact.slot == "occupation" else value).casefold()
