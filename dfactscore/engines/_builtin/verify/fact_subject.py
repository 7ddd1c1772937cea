"""Replaces the subject of a fact, whatever its form, with the plain name of the page's person.

If the subject may be the page's person, the verifier judges what the fact states, not the form of
its subject. Titles, honorifics and nicknames never count as words that the page lacks. A different
full name that the page does not mention belongs to another person.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import NamedTuple

from dfactscore._records import Fact
from dfactscore._text.names import (
    SHORT_FORMS,
    differs_within,
    is_form_of,
    is_numbered_otherwise,
    may_be_one,
    name_words,
    plain_name,
    says_no_more,
)
from dfactscore._text.person_names import PersonMention, PersonName, mention_at, read_name
from dfactscore._text.role_words import is_demonym, is_role
from dfactscore.engines._builtin.language.tokens import resembles
from dfactscore.engines._builtin.verify.reading import plain_fact

_OPENING = re.compile(
    r"(?:After|Although|As|At|Because|Before|Between|By|During|Following|For|From|However|In|Later"
    r"|On|Since|Then|Through|Throughout|Under|Until|Upon|When|While|With)\b[^.;:]{0,80}"
)
_CAPITAL = re.compile(r"(?<![\w.'’-])[^\W\d_a-z]\w*")
_COMMA = re.compile(r", (?=[^\W\d_a-z])")
_PRONOUN = re.compile(r"\b(?:he|she|they)\b", re.IGNORECASE)
_FIRST_WORD = re.compile(r"[\w'’-]+ ")


People = tuple[tuple[PersonName, ...], ...]


@dataclass(frozen=True)
class Pages:
    """The people named in the documents that facts are judged against."""

    target: PersonName
    people: People
    other_people: People = ()

    @classmethod
    def of(cls, target: str, people: People, other_people: People = ()) -> Pages:
        """Creates the people of some documents for a target name as written."""
        return cls(read_name(plain_name(target)), people, other_people)

    def plain(self, mention: PersonName, *, anyone: bool) -> str:
        """Returns the plain name of the person a mention may refer to, or an empty string.

        With `anyone`, the mention may also refer to a bearer of the target name on another page.
        """
        for names in self.people:
            if is_form_of(mention, names):
                return self._plain_name(names)
        everyone = chain.from_iterable(self.people)
        if says_no_more(mention, self.target) and not is_numbered_otherwise(mention, everyone):
            return self.target.text
        bearers = (names for names in self.other_people if self._bears(names))
        return self.target.text if anyone and any(is_form_of(mention, n) for n in bearers) else ""

    def _plain_name(self, names: tuple[PersonName, ...]) -> str:
        """Returns a person's plain name: the target name if their names contain its words."""
        words = {word for name in names for word in name.words}
        is_target = self._bears(names) and words.issuperset(self.target.words)
        return self.target.text if is_target else names[0].text

    def _bears(self, names: tuple[PersonName, ...]) -> bool:
        """Whether a person with these names may bear the target name."""
        return any(may_be_one(self.target, name) for name in names)

    @cached_property
    def shorter(self) -> str:
        """The name of a bearer on the page that lacks parts of the target name, if any."""
        wanted = set(name_words(self.target.text))
        for names in self.people:
            written = [set(name_words(name.text)) for name in names]
            if self._bears(names) and not set().union(*written) >= wanted:
                known = zip(names, written, strict=True)
                return next((n.text for n, words in known if len(words) > 1 and words < wanted), "")
        return ""

    @cached_property
    def namesake(self) -> str:
        """The name of the page's person if it has another middle name or suffix than the target."""
        if len(self.people) != 1 or self._bears(self.people[0]):
            return ""
        return next((n.text for n in self.people[0] if differs_within(self.target, n)), "")

    @property
    def words(self) -> frozenset[str]:
        """All words that occur in the names."""
        return frozenset(
            word
            for name in (self.target, *chain.from_iterable(self.people))
            for word in (*name.words, *name.nicknames)
        )


class Subject(NamedTuple):
    """A fact with a plain subject, and any words showing that its subject is another person."""

    text: str
    foreign: tuple[str, ...] = ()


def subject_of(fact: Fact, text: str, pages: Pages) -> Subject:
    """Rewrites a fact with the plain name of its subject if the subject is a person on the pages.

    If the text has a pronoun that the decomposer replaced with a name, the subject may be any of
    the people, and the fact is judged as if it were about this page's person.
    """
    statement = plain_fact(fact.text)
    foreign = Subject(fact.text)
    for start, mention in _mentions(statement):
        written = statement[start : start + mention.end]
        if written == pages.target.text and pages.shorter:
            return Subject(statement[:start] + pages.shorter + statement[start + len(written) :])
        if written == pages.target.text or _is_bare(mention.name):
            return Subject(fact.text)
        plain = _plain(mention.name, pages, anyone=_is_pronoun(fact, text, written))
        if plain:
            changed = statement[:start] + plain + statement[start + len(written) :]
            return Subject(changed if plain != written else fact.text)
        if foreign.text is fact.text and _is_namesake(mention.name, pages):
            changed = statement[:start] + mention.name.text + statement[start + len(written) :]
            foreign = Subject(changed, _foreign(mention.name, pages))
    return foreign


def _is_bare(name: PersonName) -> bool:
    """Whether a mention is a single word without a title, suffix or nickname."""
    return len(name.words) == 1 and not (name.titles or name.suffix or name.nicknames)


@lru_cache(maxsize=4096)
def _mentions(statement: str) -> tuple[tuple[int, PersonMention], ...]:
    """Returns the start of each mention that may be the subject, and the mention."""
    opening = _OPENING.match(statement)
    starts = [0] if opening is None else [m.start() for m in _CAPITAL.finditer(opening[0], 1)]
    end, word = 0, _FIRST_WORD.match(statement)
    while word is not None and _describes(word[0][:-1]):
        end = word.end()
        word = _FIRST_WORD.match(statement, end)
    starts += [end, *(match.end() for match in _COMMA.finditer(statement, 0, 250))]
    mentions = []
    for start in dict.fromkeys(starts):
        mention = mention_at(statement[start:])
        # "Philosopher Francis Hill", but not "Dean Hill"
        if mention is not None and (
            not start or len(mention.name.words) + bool(mention.name.titles) > 1
        ):
            mentions.append((start, mention))
    return tuple(mentions)


def _describes(word: str) -> bool:
    """Whether a word before the name can describe the person: "English poet and painter"."""
    return is_role(word) or is_demonym(word) or word == "and"


@lru_cache(maxsize=4096)
def _plain(mention: PersonName, pages: Pages, *, anyone: bool) -> str:
    return pages.plain(mention, anyone=anyone)


def _is_pronoun(fact: Fact, text: str, written: str) -> bool:
    """Whether the text has a pronoun where the fact has a name."""
    if fact.span is None or not text:
        return False
    end = fact.span[1]
    last = max((m.start() for m in _PRONOUN.finditer(text, 0, end)), default=-1)
    return last > text.rfind(written, 0, end)


def _is_namesake(mention: PersonName, pages: Pages) -> bool:
    """Whether a name begins or ends with a known surname or with the target's first name."""
    everyone = chain(*pages.people, [pages.target] if pages.target.words else ())
    name_words = {name.words[-1] for name in everyone}.union(pages.target.words[:1])
    return mention.words[-1] in name_words or mention.words[0] in name_words


@lru_cache(maxsize=4096)
def _foreign(mention: PersonName, pages: Pages) -> tuple[str, ...]:
    """Returns the words of a full name, or its suffix, that occur in none of the people's names.

    Returns the whole name if the given name and surname are swapped: "Godfrey John". A surname
    after the whole target name does not count: "Ann Lee y Hill".
    """
    everyone = tuple(chain.from_iterable(pages.people))
    if is_numbered_otherwise(mention, everyone):
        return (mention.suffix or " ".join(mention.peerage),)
    words = mention.words
    if len(words) < 2 or words[: len(pages.target.words)] == pages.target.words:
        return ()
    strange = [word for word in words if not resembles(word, pages.words)]
    turned = any(n.words[0] == words[-1] and n.words[-1] in words for n in everyone)
    if not strange and turned and words[-1] in SHORT_FORMS:
        return (" ".join(words),)
    return tuple(strange)
