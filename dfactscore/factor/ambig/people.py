"""A person's page as statements that fill slots."""

from __future__ import annotations

from dataclasses import dataclass

from dfactscore._util.names import plain_name
from dfactscore.engines.builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.factor.ambig.slots import SINGLE, Filler, Slot, filler
from dfactscore.records import Biography
from dfactscore.retrieval import Page
from dfactscore.text.sentences import split_sentences

__all__ = ["Person", "Statement", "read_person"]


@dataclass(frozen=True, slots=True)
class Statement:
    """A fact of a page that fills a slot.

    Attributes:
        filler: Slot, frame and value.
        sentence: The fact about the shared name.
        start: Where its sentence begins in the page's text.
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
        statements: What it says in the slots, in its order.
    """

    name: str
    title: str
    text: str
    statements: tuple[Statement, ...]


def read_person(name: str, page: Page) -> Person:
    """Reads the facts of a page by rules.

    Args:
        name: The shared name, under which the facts are written.
        page: The page.
    """
    own = plain_name(page.title)
    variants = sorted({own, name, own.split()[-1]}, key=lambda v: (-len(v), v))
    facts = BuiltinDecomposer().decompose(Biography("page", own, page.text))
    starts = [sentence.start for sentence in split_sentences(page.text)]
    found: dict[tuple[int, Slot], Statement] = {}
    for fact in facts:
        one = filler(fact.text, variants)
        if one is None or fact.span is None:
            continue
        start = max((s for s in starts if s <= fact.span[0]), default=0)
        statement = Statement(one, one.sentence.replace("{}", name), start)
        # A person has one birthday: the first sentence that says it, in its fullest form. Of a
        # sentence that says a thing in several lengths, the shortest is taken.
        if one.slot in SINGLE:
            key = (-1, one.slot)
            old = found.get(key)
            if old is None or (old.start == start and len(old.sentence) < len(statement.sentence)):
                found[key] = statement
        elif one.slot in ("affiliation", "award"):
            key = (start, one.slot)
            old = found.get(key)
            if old is None or len(statement.sentence) < len(old.sentence):
                found[key] = statement
        else:
            found[len(found), one.slot] = statement
    kept = list(found.values())
    values = [one.filler.value.casefold() for one in kept]
    return Person(
        name,
        page.title,
        page.text,
        tuple(one for i, one in enumerate(kept) if values[i] not in values[:i]),
    )
