"""State of a scan through a predicate for the beginnings of its adjuncts."""

from __future__ import annotations

from collections.abc import Sequence

from dfactscore.engines._builtin.decompose.times import opens_time
from dfactscore.engines._builtin.language.adverbs import is_adverb
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.word_classes import (
    DETERMINERS,
    PREPOSITIONS,
    PRONOUNS,
    SMALL,
    is_finite_form,
    is_role,
)

ENDS = frozenset({"death", "retirement", "resignation", "marriage", "return", "arrival"})
ENDS |= {"formation", "inception", "foundation", "founding", "creation", "establishment"}
WHEN = frozenset({"before", "after", "until", "since"})
_BE = frozenset({"is", "was", "are", "were", "been", "be"})


class Scan:
    """The state of a scan at one word of a predicate."""

    def __init__(self, tokens: Sequence[Token], begin: int, end: int, *, nominal: bool) -> None:
        self.tokens, self.begin, self.end, self.nominal = tokens, begin, end, nominal
        self.opens: list[int] = []  # indices of the beginnings of adjuncts found so far
        self.chunk = begin  # index at which the current adjunct or the complement begins
        self.complete = self.timed_first = False
        self.move(begin)

    def move(self, at: int) -> None:
        """Moves to a token."""
        self.at, self.token, self.low = at, self.tokens[at], self.tokens[at].low
        self.before, self.after = self.tokens[at - 1], self.tokens[at + 1]

    def attach(self) -> None:
        """Attaches a preposition to the words before it."""
        self.complete = True
        if self.at == self.begin:
            self.timed_first = self.timed

    def open(self) -> None:
        """Opens an adjunct; a time right after the verb and before a place becomes one, too."""
        if self.timed_first and not self.opens and not self.timed:
            self.opens.append(self.begin)
        self.opens.append(self.at)
        self.chunk = self.at

    def ahead(self, distance: int) -> str:
        """Returns the word that many tokens ahead (or, if negative, behind) in lowercase."""
        return self.tokens[self.at + distance].low

    @property
    def verb(self) -> str:
        """The last word of the verb."""
        return self.tokens[self.begin - 1].low

    @property
    def timed(self) -> bool:
        """Whether the phrase opened by the preposition expresses a time."""
        return opens_time(self.tokens, self.at, self.end)

    @property
    def known(self) -> str:
        """The word before the preposition, or before an adverb: "active mainly | in"."""
        return self.ahead(-1 - is_adverb(self.before))

    @property
    def after_adjective(self) -> bool:
        """Whether only an adjective separates "is" from the word: "is most notable | for"."""
        at = self.begin
        while is_adverb(self.tokens[at - 1]):
            at -= 1
        words = self.tokens[self.begin : self.at]
        plain = 0 < len(words) <= 3 and all(map(_is_adjective, words))
        return plain and self.tokens[at - 1].low in _BE

    @property
    def superlative(self) -> bool:
        """Whether the current adjunct contains a superlative such as "the oldest"."""
        return any(
            t.low.endswith("est") and self.tokens[i - 1].low == "the"
            for i, t in enumerate(self.tokens[self.chunk : self.at - 1], self.chunk)
        )

    @property
    def opens_clause(self) -> bool:
        """Whether an independent clause follows: "after he had left Leeds", "as the town grew"."""
        if self.after.low in PRONOUNS:
            return True
        for i in range(self.at + 1, min(self.end, self.at + 8)):
            token = self.tokens[i]
            if token.text == "," or token.low in PREPOSITIONS:
                return False
            if i > self.at + 1 and not token.depth and is_finite_form(token.text):
                return not (token.low.endswith("ed") and self.tokens[i - 1].low in DETERMINERS)
        return False


def can_be_verb(token: Token) -> bool:
    """Whether a word after "to" can be a verb."""
    return not token.capital and token.low not in SMALL and token.text.isalpha()


def _is_adjective(token: Token) -> bool:
    plain = token.text.replace("-", "").isalpha() and not token.low.endswith(("ing", "s"))
    return plain and not is_role(token.low) and token.low not in SMALL
