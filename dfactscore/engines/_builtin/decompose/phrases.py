"""Phrases without a finite verb: "born in Leeds", "earning a degree"."""

from __future__ import annotations

import re

from dfactscore._text.person_names import TITLES
from dfactscore.engines._builtin.decompose.clause_words import ClauseWords
from dfactscore.engines._builtin.language.life_dates import life_statements
from dfactscore.engines._builtin.language.verbs import is_adverb, is_year, skip_adverbs
from dfactscore.engines._builtin.language.word_classes import (
    PASSIVE,
    PREPOSITIONS,
    RELATIVES,
    SMALL,
    past_of_any_gerund,
    past_of_gerund,
    word_list,
)

STARTING_PARTICIPLES = word_list("starting_participles")
PHRASE_PREFIXES = frozenset({"best", "better", "widely", "well", "originally", "also", "later"})
_PAST = re.compile(r"born|educated|raised|\w+ (?:in|on) (?:[A-Z]\w+ |\d+,? )*\d{4}\b")  # of no "is"
_PLURAL = re.compile(r"\b[a-z]+[^s\W]s$")  # "her songs", "Hill's parents"
_OBJECT_OPENERS = SMALL | {"numerous", "out", "up"}


class Phrases(ClauseWords):
    """Makes statements from participles and gerunds."""

    def ands(self, a: int, b: int) -> list[int]:
        """Indexes of each "and" that is outside brackets and quotations."""
        return [k for k in range(a, b) if self.low(k) == "and" and not self.tokens[k].depth]

    def is_phrase(self, a: int, b: int) -> bool:
        """Whether a participle and its complements begin at `a`: "born in Leeds"."""
        while self.low(a) in PHRASE_PREFIXES or is_adverb(self.tokens[a]):
            a += 1
        low, after = self.low(a), self.low(a + 1)
        if low == "based" and after in {"on", "upon"}:
            return False  # said of a film, not of a person
        passive = low.endswith("ed") and low in PASSIVE and after in PREPOSITIONS
        return a < b and (low in STARTING_PARTICIPLES or passive)

    def phrase(self, a: int, b: int, subject: str | None = None) -> None:
        """States a participle phrase; -ing phrases joined to it by "and" are stated separately."""
        ands = self.ands(a + 1, b - 2)
        end = next((k for k in ands if past_of_gerund(self.low(k + 1)) is not None), b)
        self.participle(a, end, self.subject if subject is None else subject)
        self.gerunds(end + 1, b)

    def participle(self, a: int, b: int, subject: str) -> None:
        """States one participle phrase; births and deaths are split by date and place."""
        words = self.raw(a, b).rstrip(", ")
        words = words[:1].lower() + words[1:]
        be = "was" if _PAST.match(words) else self.be
        if _PLURAL.search(subject):
            be = {"was": "were", "is": "are"}.get(be, be)
        if a < self.clause.subject[0]:  # "Born in Canada, his career ...": the person was
            subject = self.person(subject)
        parts = life_statements(f"{be} {words}")
        if len(parts) == 1:
            self.spread(f"{be} ", a, b, subject=subject, verb=self.low(a))
            return
        for part in parts:
            self.add(part, a, b, subject)

    def person(self, subject: str) -> str:
        """Returns the owner of a thing ("Ann Lee" for "her career"), or else the subject."""
        kin = not RELATIVES.isdisjoint(subject.lower().replace(",", "").split())
        return self.owner if re.search(r"['’]s? ", subject) and not kin else subject

    def is_deed(self, i: int, b: int) -> bool:
        """Whether an -ing form at `i` adds an action of the subject."""
        low, after = self.low(i), self.tokens[i + 1]
        if self.tokens[i].capital or (after.low in TITLES and self.low(i + 2) == "of"):
            return False  # "Henry III, ruling Count of Kent"
        if low in {"starring", "featuring"} and after.capital:
            return False  # the film does
        if low == "having":
            return i + 2 < b
        if past_of_gerund(low) is not None:
            return True
        named = after.capital or after.text[:1].isdigit()
        return bool(past_of_any_gerund(low)) and (named or after.low in _OBJECT_OPENERS)

    def deed(self, a: int, b: int) -> None:
        """Makes statements from ", earning X and becoming Y" or ", having held the seat"."""
        dated = any(is_year(t.text) for t in self.tokens[a:b])
        had = self.low(self.main) in {"has", "have"} or self.low(a) == "having"
        if dated or had or self.be == "was":
            self.gerunds(a, b)
        else:
            self.spread("is ", a, b)

    def gerunds(self, a: int, b: int) -> None:
        """Makes statements from ", earning X and becoming Y"."""
        start, before = a, ""
        ands = self.ands(a + 1, b)
        for k in range(a + 1, b):
            if self.comma(k) or k in ands:
                following = k + 1 + (self.low(k + 1) == "and")
                if not self.is_deed(skip_adverbs(self.tokens, following, b), b):
                    continue
                if k == start + 1:  # "studying and working with X" is one action
                    before = f"{past_of_gerund(self.low(start))} and "
                else:
                    self.gerund(start, k, before)
                    before = ""
                start = following
        self.gerund(start, b, before)

    def gerund(self, a: int, b: int, before: str = "") -> None:
        """States a single -ing phrase, with its verb put into the past tense."""
        verb = skip_adverbs(self.tokens, a, b)
        before += f"{self.raw(a, verb)} " if verb > a else ""
        if self.low(verb) == "having":  # "her career spans ten years, having met": she has
            before += "had " if self.be == "was" else "has "
            self.spread(before, verb + 1, b, subject=self.person(self.subject))
            return
        ands = self.ands(verb + 2, b)
        end = next((k for k in ands if self.low(k + 2) == "by"), b)  # "and accompanied by Tom"
        self.spread(before, verb, end, verb=past_of_any_gerund(self.low(verb)))
        self.spread("was ", end + 1, b)
