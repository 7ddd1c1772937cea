"""Finds the person introduced by a passage: names, years, roles, nationalities."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from dfactscore._evidence.titles import Heading, headings
from dfactscore._text.lead_names import lead_names
from dfactscore._text.names import may_be_one
from dfactscore._text.person_names import PersonName, mention_at, read_name
from dfactscore._text.sentences import sentence_spans
from dfactscore.engines._builtin.group.mentions import NO_LIFE, Life, descriptors, life_years
from dfactscore.engines._builtin.language.tokenizer import tokenize
from dfactscore.engines._builtin.language.word_classes import go_together, nations_differ

_BRACKET = re.compile(r"[ ,]{0,3}\(((?:[^()]|\([^()]*\)){0,300})\)")
_LIFE_CLAUSE = re.compile(r"\b(?:was born|born|died)\b[^.;]{0,60}")
_IS = re.compile(r"[^.;]{0,160}?\b(?:is|was|were|are)\b\s+(?=(?:an?|the|one)\b|[a-z])")
_WORDY = re.compile(r"\b(?!born\b|died\b|circa\b)[^\W\d_]{3}")  # words that are not part of dates
_OPENINGS = 3  # number of initial sentences in which a passage may introduce a person
_LEAD = 1500  # characters after a heading that has occurred before
_BELOW = 10_000  # characters after other headings, where the heading may occur again
_NO_KIND = frozenset(
    ("a", "an", "the", "and", "or", "former", "retired", "late", "professional", "of", "also")
)
_STOPS = frozenset(("who", "which", "that", "best", "known", "for", "from", "in", "at", ";"))


@dataclass(frozen=True, slots=True)
class IntroducedPerson:
    """A description of the person introduced by a passage."""

    names: tuple[PersonName, ...]
    life: Life = NO_LIFE
    roles: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()
    role: str = ""
    qualifier: str = ""

    def conflicts(self, other: IntroducedPerson) -> bool:
        """Whether years, roles, nationalities or headings show that these are different people."""
        if self.qualifier and other.qualifier:
            return self.qualifier != other.qualifier
        for mine, theirs in zip(self.life[:2], other.life[:2], strict=True):
            if mine is not None and theirs is not None and mine != theirs:
                return True
        days = {self.life.birthday, other.life.birthday} - {""}
        if len(days) > 1:
            return True
        if self.agrees(other):
            return False
        if self.roles and other.roles and not go_together(self.roles, other.roles):
            return True
        return nations_differ(self.origins, other.origins)

    def agrees(self, other: IntroducedPerson) -> bool:
        """Whether the two descriptions give the same year of birth or the same year of death."""
        mine, theirs = self.life, other.life
        born = None not in (mine.born, theirs.born) and mine.born == theirs.born
        return born or (None not in (mine.died, theirs.died) and mine.died == theirs.died)

    def may_be(self, other: IntroducedPerson) -> bool:
        """Whether both descriptions may refer to the same person."""
        if self.conflicts(other):
            return False
        if not self.names or not other.names:
            return False
        similar = [(a, b) for a in self.names for b in other.names if may_be_one(a, b)]
        same_qualifier = bool(self.qualifier) and self.qualifier == other.qualifier
        if any(a.words == b.words and (len(a.words) > 1 or same_qualifier) for a, b in similar):
            return True
        if self.agrees(other):
            return bool(similar)
        full = any(min(len(n.words) > 1 and len(n.words[0]) > 1 for n in pair) for pair in similar)
        return full and bool(self.roles & other.roles)


def introduced_person(text: str, title: str = "") -> IntroducedPerson | None:
    """Finds the person a passage introduces, either below a heading or in its first sentences."""
    if title:
        return _introduced(text, title) or IntroducedPerson((read_name(title),))
    before: set[str] = set()
    for heading in headings(text):
        # Where the heading occurs again was read after its first occurrence.
        length = _LEAD if heading.name in before else _BELOW
        below = text[heading.end : heading.end + length]
        if (person := _headed(text, below, heading, again=heading.name in before)) is not None:
            return person
        before.add(heading.name)
    starts = [start for start, _ in sentence_spans(text[:1200])[:_OPENINGS]]
    for start in starts:
        person = _introduced(text[start:], "")
        full = person is not None and len(person.names[0].words) > 1
        if person and ((person.roles and (full or not start)) or (full and person.life != NO_LIFE)):
            return person
    return None


def _introduced(text: str, title: str, *, anywhere: bool = True) -> IntroducedPerson | None:
    """Finds the person that the first sentence of a page introduces."""
    lead = text[:600]
    names = lead_names(text, title, anywhere=anywhere)
    if not names and (opening := mention_at(lead)) and _BRACKET.match(lead, opening.end):
        names = (opening.name,)  # "Ann Lee (born 1950), who sang, married"
    return _described(lead, names) if names else None


def _headed(text: str, below: str, heading: Heading, *, again: bool) -> IntroducedPerson | None:
    """Combines a heading with the description in the sentence after it."""
    name = read_name(heading.name)
    person = _introduced(below, heading.name, anywhere=not again)
    if person is None:
        opens = text[:_LEAD].lstrip("#* \n").startswith(heading.name)
        if not heading.qualifier and (len(name.words) == 1 or not opens):
            return None
        person = IntroducedPerson((name,))
    tokens = tokenize(heading.qualifier)
    roles, origins = descriptors(tokens, 0, len(tokens))
    life = life_years(heading.qualifier) if person.life == NO_LIFE else person.life
    return replace(
        person,
        names=tuple(dict.fromkeys((*person.names, name))),
        life=life,
        roles=person.roles | roles,
        origins=person.origins | origins,
        role=person.role or (heading.qualifier if roles else ""),
        qualifier=heading.qualifier if _WORDY.search(heading.qualifier) else "",
    )


def _described(lead: str, names: tuple[PersonName, ...]) -> IntroducedPerson:
    """Parses the description in the first sentence of a page."""
    plain = lead.lstrip("\ufeff \n\t'*\"“")
    spans = sentence_spans(plain)
    first = plain[: spans[0][1]] if spans else plain
    opening = mention_at(first)
    after_name = first[opening.end :] if opening else first
    bracket = _BRACKET.search(after_name[:200])  # "Ann Lee, known as A. Lee, (1845–1905) was"
    life = life_years(bracket[1]) if bracket else NO_LIFE
    description = after_name[bracket.end() :] if bracket else after_name
    if life == NO_LIFE and (life_clause := _LIFE_CLAUSE.search(description)):
        life = life_years(life_clause[0])
    is_a = _IS.match(description)
    tokens = tokenize(description[is_a.end() :]) if is_a else []
    stop = next((k for k, t in enumerate(tokens) if t.low in _STOPS), len(tokens))
    roles, origins = descriptors(tokens, 0, stop)
    at = next((k for k, t in enumerate(tokens[:stop]) if t.low in roles), None)
    role = "" if at is None else tokens[at].low
    if at and (kind := tokens[at - 1]).text.islower() and kind.low not in _NO_KIND:
        role = f"{kind.low} {role}"  # "chess player"
    return IntroducedPerson(names, life, roles, origins, role)
