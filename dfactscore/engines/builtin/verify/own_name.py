"""Who a fact is about: any form of the page's person counts as the plain name.

What a fact says is judged; how it names its subject is not, as long as the page's person may be
meant. Titles, honors and nicknames are never words that a page could lack. A different full name,
of which the page knows nothing, is another person's.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from dfactscore.engines.builtin.language.spellings import resembles
from dfactscore.engines.builtin.language.word_classes import is_demonym, is_role
from dfactscore.engines.builtin.verify.reading import plain_fact
from dfactscore.records import Fact
from dfactscore.text.names import plain_name
from dfactscore.text.person_names import Mention, PersonName, mention_at, read_name
from dfactscore.text.same_person import SHORT_FORMS, is_form_of, may_be_one, says_no_more

__all__ = ["Pages", "Subject", "subject_of"]

_OPENING = re.compile(
    r"(?:After|Although|As|At|Because|Before|Between|By|During|Following|For|From|However|In|Later"
    r"|On|Since|Then|Through|Throughout|Under|Until|Upon|When|While|With)\b[^.;:]{0,80}"
)
_CAPITAL = re.compile(r"(?<![\w.'’-])[^\W\d_a-z]\w*")
_PRONOUN = re.compile(r"\b(?:he|she|they)\b", re.IGNORECASE)
_FIRST_WORD = re.compile(r"[\w'’-]+ ")


People = tuple[tuple[PersonName, ...], ...]


@dataclass(frozen=True, slots=True)
class Pages:
    """Who facts are judged of.

    Attributes:
        target: The target name, which stands for any form of it; it may be empty.
        people: The names of the people of the documents, by `people_of`.
        others: The names of the people of all pages that the same facts are judged against.
    """

    target: PersonName
    people: People
    others: People = ()

    @classmethod
    def of(cls, target: str, people: People, others: People = ()) -> Pages:
        """The people of some documents, for a target name."""
        return cls(read_name(plain_name(target)), people, others)

    def plain(self, mention: PersonName, *, anyone: bool) -> str:
        """The plain name of the person that a mention may name, or an empty string."""
        target = self.target
        if says_no_more(mention, target):
            return target.text
        for names in self.people:
            if is_form_of(mention, names):
                return target.text if self._bears(names) else names[0].text
        known = (names for names in self.others if self._bears(names))
        return target.text if anyone and any(is_form_of(mention, n) for n in known) else ""

    def _bears(self, names: tuple[PersonName, ...]) -> bool:
        """Whether someone with these names may bear the target name."""
        return any(may_be_one(self.target, name) for name in names)

    @property
    def words(self) -> frozenset[str]:
        """The words of all names."""
        return frozenset(
            word
            for name in (self.target, *chain.from_iterable(self.people))
            for word in (*name.words, *name.nicknames)
        )


class Subject(NamedTuple):
    """A fact as it is judged against a page, and the words that make its subject someone else."""

    text: str
    foreign: tuple[str, ...] = ()


def subject_of(fact: Fact, text: str, pages: Pages) -> Subject:
    """Reads whether a fact's subject is a person of the pages.

    Where the text has a pronoun, of which the decomposer made the name, it may be the name of any
    of the people: whether this page's person is meant is what is asked.

    Args:
        fact: The fact.
        text: The biography that it was made of.
        pages: Whose pages it is judged against.
    """
    said = plain_fact(fact.text)
    related: tuple[int, int, PersonName] | None = None
    for start, mention in _mentions(said):
        if _is_plain(mention.name, pages.target):
            return Subject(fact.text)
        end = start + mention.end
        plain = _plain(mention.name, pages, anyone=_is_pronoun(fact, text, said[start:end]))
        if plain:
            return Subject(said[:start] + plain + said[end:])
        if related is None and not pages.words.isdisjoint(mention.name.words):
            related = start, end, mention.name
    if related is None:
        return Subject(fact.text)
    start, end, name = related
    return Subject(said[:start] + name.text + said[end:], _foreign(name, pages))


@lru_cache(maxsize=4096)
def _mentions(said: str) -> tuple[tuple[int, Mention], ...]:
    """The mentions that may be the subject, with where they begin."""
    opening = _OPENING.match(said)
    starts = [0] if opening is None else [m.start() for m in _CAPITAL.finditer(opening[0], 1)]
    behind, word = 0, _FIRST_WORD.match(said)
    while word is not None and (is_role(word[0][:-1]) or is_demonym(word[0][:-1])):
        behind = word.end()
        word = _FIRST_WORD.match(said, behind)
    found = [(start, mention_at(said[start:])) for start in (*starts, behind)]
    if behind and (found[-1][1] is None or len(found[-1][1].name.words) < 2):
        found.pop()  # "Philosopher Francis Hill", but not "Dean Hill"
    return tuple((start, mention) for start, mention in found if mention is not None)


@lru_cache(maxsize=4096)
def _is_plain(mention: PersonName, target: PersonName) -> bool:
    """Whether a mention is the name or a word of it: nothing is to be left out."""
    bare = not (mention.titles or mention.suffix or mention.nicknames)
    return bare and bool(mention.words) and f" {mention.text} " in f" {target.text} "


@lru_cache(maxsize=4096)
def _plain(mention: PersonName, pages: Pages, *, anyone: bool) -> str:
    return pages.plain(mention, anyone=anyone)


def _is_pronoun(fact: Fact, text: str, written: str) -> bool:
    """Whether the text has "he" or "she" where the fact has a name."""
    if fact.span is None or not text:
        return False
    end = fact.span[1]
    last = max((m.start() for m in _PRONOUN.finditer(text, 0, end)), default=-1)
    return last > text.rfind(written, 0, end)


@lru_cache(maxsize=4096)
def _foreign(mention: PersonName, pages: Pages) -> tuple[str, ...]:
    """The words of a full name, or its suffix, that no name of the people has.

    All words where only their order differs, and the last one is a given name: "Godfrey John".
    """
    suffixes = {name.suffix for name in chain.from_iterable(pages.people)} - {""}
    if mention.suffix and suffixes and mention.suffix not in suffixes:
        return (mention.suffix,)
    if len(mention.words) < 2:
        return ()
    known: AbstractSet[str] = pages.words
    strange = [word for word in mention.words if not resembles(word, known)]
    if strange or mention.words[-1] not in SHORT_FORMS:
        return tuple(strange)
    return (" ".join(mention.words),)
