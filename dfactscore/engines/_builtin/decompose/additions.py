"""Statements about the names in a predicate: "her album, "Sky"", "the poet Tom Hill"."""

from __future__ import annotations

from bisect import insort

from dfactscore.engines._builtin.decompose.appositions import (
    NOUN_BEFORE,
    OF_WHOM,
    apposition,
    name_at,
    noun_before,
)
from dfactscore.engines._builtin.decompose.clause_words import article
from dfactscore.engines._builtin.decompose.predicates import Predicates
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.verbs import finite_at, is_year, skip_adverbs
from dfactscore.engines._builtin.language.word_classes import is_role


def _opens_name(token: Token) -> bool:
    return token.capital or token.text in {'"', "“"}


class Additions(Predicates):
    """Makes statements from the words next to a name."""

    def additions(self) -> None:
        """Makes statements about every name in the predicate."""
        after, end = max(self.clause.verb, self.clause.start) + 1, self.clause.end
        for k, token in enumerate(self.tokens[after:end], after):
            name = name_at(self.tokens, k, end) if k >= after and _opens_name(token) else None
            if name is not None:
                self.kind_before(name)
                self.year_after(name)
                self.apposed(name)
                after = name[1]

    def year_after(self, name: Range) -> None:
        """Makes a statement from the year in ""Sky" (1990)"."""
        x, y = name
        year = self.low(y + 1)
        if [self.low(y), self.low(y + 2)] == ["(", ")"] and self.tokens[x].depth and is_year(year):
            self.add(f"is from {year}", x, y + 3, self.title(name), context=True)
            insort(self.holes, (y, y + 3))

    def kind_before(self, name: Range) -> None:
        """Makes a statement from "the poet Tom Hill", "her husband Tom Hill", "the film, "Sky""."""
        noun = noun_before(self.tokens, self.clause, name, of_person=self.raw_subject_is_person())
        answer = NOUN_BEFORE.answer(noun) if noun.says_kind() else None
        if answer is None:
            return
        words, first = self.raw(noun.first, noun.at + 1), noun.first
        if answer == "relation":
            self.add(f"{self.be} {self.owner}’s {words}", first, name[1], self.title(name))
            self.once.append((first - 1, name[0]))
            return
        owned = any(self.low(k).endswith(("'s", "’s")) for k in range(first, noun.at))
        words = words if owned else f"{article(words)} {words}"
        thing = not is_role(noun.low)
        self.add(f"{self.be} {words}", first, name[1], self.title(name), context=thing)
        if noun.is_bounded():
            self.once.append((first - (noun.opener == "the"), name[0]))

    def apposed(self, name: Range) -> None:
        """Makes a statement from "Tom Hill, a poet" or "EMI, one of the labels"."""
        words = apposition(self.tokens, self.clause, name)
        if words is None:
            return
        bearer = OF_WHOM.answer(words)
        if bearer == "subject":  # "born in York, the daughter of": she is
            self.nominal(self.be, words.a, words.b)
            self.leave_out(words.a - 1, self.end_of_relative(words.b))
        elif bearer == "name":
            predicate, thing = f"{self.be} {self.raw(words.a, words.b)}", not words.is_role()
            self.add(predicate, words.name[0], words.b, self.title(words.name), context=thing)
            self.leave_out(words.a - 1, words.b)

    def end_of_relative(self, b: int) -> int:
        """Returns the end of ", a judge and head of the court," which describes the relative."""
        if not self.comma(b):
            return b
        end = self.clause.end
        joints = (k for k in range(b, end) if self.low(k) in {"and", "but"})
        verbs = ((k, skip_adverbs(self.tokens, k + 1, end)) for k in joints)
        return next((k for k, verb in verbs if finite_at(self.tokens, verb, end)), end)
