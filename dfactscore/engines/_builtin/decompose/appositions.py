"""Appositions to a name in the predicate: "Tom Hill, a poet" and "EMI, one of the labels"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from dfactscore.engines._builtin.decompose.named_nouns import CHILD, ends_with_comma
from dfactscore.engines._builtin.language.clauses import Clause, Range
from dfactscore.engines._builtin.language.rows import Row, Table
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.verbs import finite_at
from dfactscore.engines._builtin.language.word_classes import PREPOSITIONS, RELATIVES, is_role
from dfactscore.engines._builtin.language.word_lists import word_list

_TIMES = word_list("times")
_OPENERS = frozenset({"a", "an", "the", "one"})
_PLACING = frozenset({"in", "at", "near", "on"})
_CLAUSES = frozenset({"who", "which", "that", "where", "before"})
_LONGEST = 16


@dataclass(frozen=True)
class Apposition:
    """Words after a name and a comma.

    Attributes:
        tokens: Tokens of the sentence.
        clause: The clause that contains them.
        name: The name.
        a: Index of the first of the words.
    """

    tokens: Sequence[Token]
    clause: Clause
    name: Range
    a: int

    @cached_property
    def b(self) -> int:
        """Index after the last token: that of the next comma, "and" or relative clause."""
        b = self.a
        while b < self.clause.end and not self.tokens[b].comma:
            low, after = self.tokens[b].low, self.tokens[b + 1]
            other = after.capital or after.low in {"his", "her"}
            parents = low == "and" and other and self._has_kin(b)
            if low in _CLAUSES or (low in {"and", "but", "as"} and not parents):
                break
            b += 1
        return b

    @property
    def words(self) -> Sequence[Token]:
        """The tokens of the apposition."""
        return self.tokens[self.a : self.b]

    def _has_kin(self, b: int) -> bool:
        return any(t.low in RELATIVES for t in self.tokens[self.a : b])

    def is_kin(self) -> bool:
        """Whether the words are about a relative."""
        return self._has_kin(self.b)

    def is_child(self) -> bool:
        """Whether the apposition refers to the subject: "was born in York, the daughter of"."""
        born = self.tokens[self.clause.verb + 1].low == "born"
        child = born and any(t.low in CHILD for t in self.words)
        # A relative clause after the words cannot be alone
        clause = self.b < self.clause.end and self.tokens[self.b].low in _CLAUSES
        return self.is_kin() and (child or self.is_placed()) and not clause

    def is_placed(self) -> bool:
        """Whether the name is that of a place."""
        return self.tokens[self.name[0] - 1].low in _PLACING

    def is_joined(self) -> bool:
        """Whether "and", or a comma that begins no phrase, follows the words."""
        after = self.tokens[self.b + 1].low
        phrase = after in PREPOSITIONS | {"who", "which", "where"}
        return self.b < self.clause.end and not (self.tokens[self.b].comma and phrase)

    def has_verb(self) -> bool:
        """Whether a finite verb is among the words."""
        return any(
            finite_at(self.tokens, k, self.b) and not self.tokens[k].low.endswith("ed")
            for k in range(self.a + 1, self.b)
        )

    def is_cut_off(self) -> bool:
        """Whether there are too few or too many words, or the last of them is "the"."""
        size = self.b - self.a
        return not 2 <= size <= _LONGEST or self.tokens[self.b - 1].low == "the"

    def is_role(self) -> bool:
        """Whether the words include a role."""
        return any(is_role(t.low) for t in self.words)


def apposition(tokens: Sequence[Token], clause: Clause, name: Range) -> Apposition | None:
    """Returns the words after a name and a comma, or None if no apposition begins there."""
    y = name[1]
    for k in range(name[0], y - 2):
        if is_role(tokens[k].low) and tokens[k + 1].low == "of":  # "CEO of Elm House, a firm"
            name = (k + 2 + (tokens[k + 2].low == "the"), y)
    comma = y < clause.end and tokens[y].comma
    a = y + comma
    if not (comma or ends_with_comma(tokens, y)) or a + 1 >= clause.end:
        return None
    if tokens[a].low not in _OPENERS or tokens[a + 1].capital:
        return None
    return Apposition(tokens, clause, name, a)


# fmt: off
OF_WHOM: Table[Apposition, Literal["subject", "name"] | None] = Table("words after a name", (
    Row("child", "A relative after a place is the subject's.",
        "Ann Lee was born in York, the daughter of Tom Hill.",
        Apposition.is_child, "subject"),
    Row("time", "A time after the name is of the action.",
        "Ann Lee recorded \"Sky\", a year after \"Rain\".",
        lambda w: any(t.low in _TIMES for t in w.words[:3]), None),
    Row("joined", "More than a phrase follows the words.",
        "Ann Lee met Tom Hill, a poet and a judge.",
        Apposition.is_joined, None),
    Row("verb", "A finite verb is among the words.",
        "Ann Lee met Tom Hill, a poet wrote.",
        Apposition.has_verb, None),
    Row("cut off", "The words are too few or too many, or are cut off.",
        "Ann Lee joined EMI, one of the",
        Apposition.is_cut_off, None),
    Row("relative", "A relative's owner is not clear.",
        "Ann Lee met Tom Hill, a son of the king.",
        lambda w: w.is_kin() or w.tokens[w.a + 1].low == "first", None),
    Row("role", "A role after a place is not the place's.",
        "Ann Lee was born in York, a poet of the town.",
        lambda w: w.is_role() and w.is_placed(), None),
), otherwise="name")
# fmt: on
