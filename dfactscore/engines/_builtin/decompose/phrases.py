"""Phrases without a finite verb: "born in Leeds", "earning a degree"."""

from __future__ import annotations

import re

from dfactscore._text.person_names import TITLES
from dfactscore.engines._builtin.decompose.clause_words import ClauseWords
from dfactscore.engines._builtin.language.adverbs import is_adverb, is_year, skip_adverbs
from dfactscore.engines._builtin.language.life_dates import life_statements
from dfactscore.engines._builtin.language.word_classes import (
    PASSIVE,
    PREPOSITIONS,
    RELATIVES,
    SMALL,
    past_of_any_gerund,
    past_of_gerund,
)
from dfactscore.engines._builtin.language.word_lists import word_list

STARTING_PARTICIPLES = word_list("starting_participles")
_PAST = re.compile(r"born|educated|raised|\w+ (?:in|on) (?:[A-Z]\w+ |\d+,? )*\d{4}\b")  # of no "is"
PHRASE_PREFIXES = frozenset({"best", "better", "widely", "well", "originally", "also", "later"})


class Phrases(ClauseWords):
    """Makes statements from participles and gerunds."""

    def is_phrase(self, a: int, b: int) -> bool:
        """Whether a span is a participle and its complements ("born in Leeds")."""
        k = a
        while k < b and (self.low(k) in PHRASE_PREFIXES or is_adverb(self.tokens[k])):
            k += 1
        low = self.low(k)
        if k >= b:
            return False
        if low == "based" and self.low(k + 1) in {"on", "upon"}:
            return False  # said of a film, not of a person
        if low in STARTING_PARTICIPLES:
            return True
        return low.endswith("ed") and low in PASSIVE and self.low(k + 1) in PREPOSITIONS

    def phrase(self, a: int, b: int, subject: str | None = None) -> None:
        """States a participle phrase; -ing phrases joined to it by "and" are stated separately."""
        start = a
        for k in range(a + 1, b - 1):
            if self.low(k) != "and" or self.tokens[k].depth:
                continue
            if past_of_gerund(self.low(k + 1)) is not None:
                self.life_or_plain(start, k, subject)
                self.gerunds(k + 1, b)
                return
        self.life_or_plain(start, b, subject)

    def life_or_plain(self, a: int, b: int, subject: str | None = None) -> None:
        """States one participle phrase; births and deaths are split by date and place."""
        words = self.raw(a, b).rstrip(", ")
        words = words[0].lower() + words[1:] if words else words
        be = "was" if _PAST.match(words) else self.be
        who = self.subject if subject is None else subject
        head = who.rpartition(" ")[2]
        if head.islower() and head.endswith("s") and not head.endswith("ss"):
            be = {"was": "were", "is": "are"}.get(be, be)  # "her songs"
        kin = RELATIVES & {*who.lower().replace(",", "").split()} or a >= self.clause.subject[0]
        if re.search(r"['’]s? ", who) and not kin:
            who = self.owner  # "Born in Canada, his career ...": the person was
        found = life_statements(f"{be} {words}")
        if len(found) == 1:
            self.spread(f"{be} ", a, b, subject=who, verb=self.low(a))
            return
        for piece in found:
            self.add(piece, a, b, who)

    def is_deed(self, i: int, b: int) -> bool:
        """Whether an -ing form at `i` adds an action of the subject."""
        if i + 1 >= b or self.tokens[i].capital:
            return False
        if self.low(i + 1) in TITLES and self.low(i + 2) == "of":
            return False  # "Henry III, ruling Count of Kent"
        if self.low(i) in {"starring", "featuring"} and self.tokens[i + 1].capital:
            return False  # the film does
        if self.low(i) == "having":
            return i + 2 < b
        if past_of_gerund(self.low(i)) is not None:
            return True
        after = self.tokens[i + 1]
        goes_on = after.capital or after.text[0].isdigit()
        goes_on = goes_on or after.low in SMALL | {"numerous", "out", "up"}
        return goes_on and past_of_any_gerund(self.low(i)) != ""

    def deed(self, a: int, b: int) -> None:
        """Makes statements from ", earning X and becoming Y" or ", having held the seat"."""
        if self.low(a) == "having":
            end = self.next_deed(a, b)
            own = self.owner and self.subject.startswith((f"{self.owner}’s", f"{self.owner}'s"))
            kin = not RELATIVES.isdisjoint(self.subject.replace(",", "").split())
            who = self.owner if own and not kin else None  # "her career spans ..., having met"
            self.spread("had " if self.be == "was" else "has ", a + 1, end, subject=who)
            if end < b:
                self.gerunds(end + 1, b)
            return
        dated = any(is_year(t.text) for t in self.tokens[a:b])
        past = dated and "since" not in {t.low for t in self.tokens[a:b]}
        if past or self.be == "was" or self.low(self.main) in {"has", "have"}:
            self.gerunds(a, b)
        else:
            self.spread("is ", a, b)

    def next_deed(self, a: int, b: int) -> int:
        """Returns the index of "and" in "having won the cup and cementing his place", or `b`."""
        ands = (k for k in range(a + 2, b - 2) if self.low(k) == "and" and not self.tokens[k].depth)
        return next((k for k in ands if self.is_deed(k + 1, b)), b)

    def gerunds(self, a: int, b: int) -> None:
        """Makes statements from ", earning X and becoming Y"."""
        start, before = a, ""
        for k in range(a + 1, b):
            if (self.low(k) == "and" or self.comma(k)) and k + 1 < b:
                nxt = k + 2 if self.comma(k) and self.low(k + 1) == "and" else k + 1
                verb = skip_adverbs(self.tokens, nxt, b)
                if verb < b and k > start and self.is_deed(verb, b):
                    if k == start + 1 and not before:  # "studying and working with X" is one
                        before = f"{past_of_gerund(self.low(start))} and "
                    else:
                        self.gerund(start, k, before)
                        before = ""
                    start = nxt
        self.gerund(start, b, before)

    def gerund(self, a: int, b: int, before: str = "") -> None:
        """States a single -ing phrase, with its verb put into the past tense."""
        verb = skip_adverbs(self.tokens, a, b)
        before += f"{self.raw(a, verb)} " if a < verb < b else ""
        a = verb if verb < b else a
        past = past_of_any_gerund(self.low(a)) or self.low(a)
        done = next((k for k in range(a + 2, b - 1) if self.low(k - 1) == "and"), b)
        if past == "was" and self.low(done) in PASSIVE:
            self.add(f"{before}was {self.raw(a + 1, b)}", a, b)  # "being sold and moved to York"
        elif self.low(done).endswith("ed") and self.low(done + 1) == "by":
            self.spread(before, a, done - 1, verb=past)  # "wearing white and accompanied by Tom"
            self.spread("was ", done, b)
        else:
            self.spread(before, a, b, verb=past)
