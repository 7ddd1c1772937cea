"""Referents of pronouns and "there", put in their place so that a fact can stand alone."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass

from dfactscore.engines._builtin.group.cues import View
from dfactscore.engines._builtin.group.paragraph import Paragraph
from dfactscore.engines._builtin.language.word_classes import (
    PREPOSITIONS,
    RELATIVES,
    is_demonym,
    is_role,
)

_PRONOUN = re.compile(r"\b(?:he|she)\b(?!['’])", re.IGNORECASE)
_OTHERS = re.compile(
    r"\b(?:who|whom|whose|father|mother|parents?|brother|sister|wife|husband|son"
    r"|daughter|uncle|aunt|cousin|friend)\b",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"\b(?:his|her|their)\b", re.IGNORECASE)
_NAME = re.compile(r"\b[A-Z]")
_OBJECT = re.compile(
    r"\b(?:him|her(?=\s+(?:a|an|the|to|in|for|as|with|from|at|on|by)\b|\s*[.,;]|$))(?![\w'’])"
)
# "there" as a place; in "there is" it only says that something exists
_AT = re.compile(r" there(?=[ .,;]|$)(?:(?<!, there)|(?! (?:is|are|was|were|has|have)\b))")
_PLACED = re.compile(
    r"\b(in|at|to|from|for)( (?:the )?[A-Z][\w'’.-]*(?: (?:(?:of|de|the) )?[A-Z][\w'’.-]*)*)"
)
_MOVES = re.compile(r"\b(?:moved|returned|went|relocated|emigrated|travel\w+) there\b")
_EMPTY_IT = re.compile(
    r"It (?:is|was|has been) (?:\w+ ){0,3}(?:that|(?:for (?:\w+ ){1,3})?to|believed|unclear)\b|"
    r"It (?:is|was|ha[sd]) (?:\w+ ){1,3}(?:year|month|week|day)s? (?:since|before|after|until)\b"
)
_SPOUSE = re.compile(
    r"\b(?:marri\w+|wife|husband)\b(?:,? [\w'’-]+){0,6}?,? "
    r"([A-Z][\w'’.-]+(?: [A-Z][\w'’.-]+)+)"
)


def pronoun_subject(view: View) -> str:
    """Returns the subject of a clause if it is "he" or "she"; otherwise an empty string."""
    subject = view.words(view.clause.subject).lower()
    return subject if subject in {"he", "she"} else ""


def clauses_about_others(paragraph: Paragraph) -> set[int]:
    """Finds the clauses whose "he" or "she" is unlikely to mean the clause's individual."""
    pronouns = [pronoun_subject(reading.view) for reading in paragraph.clauses]
    used: defaultdict[int | None, Counter[str]] = defaultdict(Counter)
    for reading, pronoun in zip(paragraph.clauses, pronouns, strict=True):
        if pronoun:
            used[reading.individual][pronoun] += 1
    usual = {individual: counts.most_common(1)[0][0] for individual, counts in used.items()}
    return {
        number
        for number, (reading, pronoun) in enumerate(zip(paragraph.clauses, pronouns, strict=True))
        if pronoun
        and (
            pronoun != usual[reading.individual]
            or (used[reading.individual].total() == 1 and _may_be_spouse(reading.view))
        )
    }


def _may_be_spouse(view: View) -> bool:
    """Whether the only "she" may be someone else: "Lee married Ann Hill, but she died"."""
    start = view.tokens[view.clause.start].start
    return _SPOUSE.search(view.body, 0, start) is not None


def with_name(text: str, label: str) -> str:
    """Replaces "he" or "she" with the name in a fact that begins with a phrase.

    After a name, a relative or "who", the pronoun is kept: it is clear or may mean another person.
    """
    pronoun = _PRONOUN.search(text) or _OBJECT.search(text)
    if pronoun is None or not label:
        return text
    before = text[: pronoun.start()]
    if _POSSESSIVE.search(before) and _NAME.search(before, 1):
        return text
    if _OTHERS.search(before) or any(word in before for word in label.split()):
        return text
    return before + label + text[pronoun.end() :]


@dataclass(frozen=True, slots=True)
class Referents:
    """Possible referents of "there", "they" and "it" in a clause."""

    clause: str = ""
    thing: str = ""

    def after(self, view: View, label: str) -> Referents:
        """Returns the referents for the clause after `view`."""
        thing = _thing_named(view) or _subject_thing(view, label)
        if view.words(view.clause.subject) in {"It", "it"}:
            thing = thing or self.thing
        return Referents(view.text, thing)

    def inserted(self, text: str, before: str, label: str) -> str:
        """Returns a fact with the referents instead of "there", "They" and "It"."""
        if " there" in text and _AT.search(text):
            before = f"{self.clause} | {before}"
            places = _PLACED.findall(before[: before.rfind("there")])
            if places:
                at, place = places[-1]
                to = "to" if _MOVES.search(text) else "at" if at == "at" else "in"
                text = _AT.sub(f" {to}{place}", text, count=1)
        if text.startswith("They ") and label:
            spouse = _SPOUSE.search(self.clause)
            if spouse is not None and spouse[1] not in label:
                name = spouse[1].split(" ", 1)[is_demonym(spouse[1].split(" ")[0]) :]
                text = f"{label} and {' '.join(name)}{text[4:]}"
        if self.thing and text.startswith("It ") and not _EMPTY_IT.match(text):
            text = self.thing + text[2:]
        return text


def _thing_named(view: View) -> str:
    """Returns the only name in a clause after its verb: "She founded Elm School"."""
    names = [m for m in view.names((view.clause.verb, view.clause.end)) if not m.possessive]
    if view.clause.verb < 0 or len(names) != 1 or len(names[0].words) < 2:
        return ""
    first = names[0].first
    the = view.low(first - 1) == "the"
    if view.low(first - 1 - the) in PREPOSITIONS:
        return ""
    return f"{'The ' if the else ''}{names[0].text}"


def _subject_thing(view: View, label: str) -> str:
    """Returns the subject of a clause if it is a single thing: "His first car was made in 1936"."""
    (a, b), verb = view.clause.subject, view.low(view.clause.verb)
    if b - a < 2 or verb not in {"is", "was", "has", "had", "became"}:
        return ""
    first = view.low(a)
    owned = any(m.possessive for m in view.names((a, b)))
    last = view.low(b - 1)
    several = "and" in view.lows((a, b)) or last.endswith("s")
    person = is_role(last) or last in RELATIVES
    # "The purpose of the Treaty of Ghent": "it" may be the treaty
    of = next((k for k in range(a + 1, b) if view.low(k) == "of"), b)
    names_other = of < b and view.tokens[b - 1].capital and not view.tokens[of - 1].capital
    if several or person or names_other or not (owned or first in {"the", "his", "her"}):
        return ""
    if first in {"his", "her"}:
        return f"{label}’s {view.words((a + 1, b))}" if label else ""
    subject = view.words((a, b))
    return subject[0].upper() + subject[1:]
