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
_PHRASES = PREPOSITIONS | {"who", "which", "where"}


@dataclass(frozen=True)
class Apposition:
    """Words after a name and a comma."""

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
            parents = other and any(t.low in RELATIVES for t in self.tokens[self.a : b])
            if low in _CLAUSES or (low in {"and", "but", "as"} and not parents):
                break
            b += 1
        return b

    @property
    def words(self) -> Sequence[Token]:
        """The tokens of the apposition."""
        return self.tokens[self.a : self.b]

    def has_verb(self) -> bool:
        """Whether a finite verb is among the words."""
        return any(
            finite_at(self.tokens, k, self.b) and not self.tokens[k].low.endswith("ed")
            for k in range(self.a + 1, self.b)
        )

    def is_role(self) -> bool:
        """Whether the words include a role."""
        return any(is_role(t.low) for t in self.words)


def apposition(tokens: Sequence[Token], clause: Clause, name: Range) -> Apposition | None:
    """Returns the words after a name and a comma, or None if no apposition begins there."""
    y = name[1]
    for k in range(name[0], y - 2):
        if is_role(tokens[k].low) and tokens[k + 1].low == "of":  # "CEO of Elm House, a firm"
            name = (k + 2 + (tokens[k + 2].low == "the"), y)
    comma = tokens[y].comma
    a = y + comma
    opens = comma or ends_with_comma(tokens, y)
    if not opens or tokens[a].low not in _OPENERS or tokens[a + 1].capital:
        return None
    return Apposition(tokens, clause, name, a)


# fmt: off
OF_WHOM: Table[Apposition, Literal["subject", "name"] | None] = Table("words after a name", (
    Row("child", "A child after a birth is the subject.",
        "Ann Lee was born in York, the daughter of Tom Hill.",
        lambda w: w.tokens[w.clause.verb + 1].low == "born"
        and any(t.low in CHILD for t in w.words), "subject"),
    Row("time", "A time after the name is of the action.",
        "Ann Lee recorded \"Sky\", a year after \"Rain\".",
        lambda w: any(t.low in _TIMES for t in w.words[:3]), None),
    Row("joined", "More than a phrase follows the words.",
        "Ann Lee met Tom Hill, a poet and a judge.",
        lambda w: w.b < w.clause.end and w.tokens[w.b + 1].low not in _PHRASES, None),
    Row("verb", "A finite verb is among the words.",
        "Ann Lee met Tom Hill, a poet wrote.",
        Apposition.has_verb, None),
    Row("relative", "A relative's owner is not clear.",
        "Ann Lee met Tom Hill, a son of the king.",
        lambda w: w.tokens[w.a + 1].low == "first"
        or any(t.low in RELATIVES for t in w.words), None),
    Row("role", "A role after a place is not the place's.",
        "Ann Lee was born in York, a poet of the town.",
        lambda w: w.is_role() and w.tokens[w.name[0] - 1].low in _PLACING, None),
), otherwise="name")
# fmt: on
