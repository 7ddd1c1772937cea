"""The antecedent of ", which ...": "won the Elm Cup, which began in 1990"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from dfactscore.engines._builtin.decompose.times import TIMES
from dfactscore.engines._builtin.language.rows import Row, Table
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.verbs import finite_at
from dfactscore.engines._builtin.language.word_classes import DETERMINERS, MONTHS, PREPOSITIONS
from dfactscore.engines._builtin.language.word_lists import word_list

_COUNTS = word_list("quantities") - {"one", "other", "number", "range", "variety"}
_BEFORE_THING = PREPOSITIONS | _COUNTS
_PLACING = frozenset({"in", "at", "from", "near"})


@dataclass(frozen=True)
class Antecedent:
    """The words before the comma of a relative clause."""

    tokens: Sequence[Token]
    main: int  # index of the predicate's verb
    comma: int

    @cached_property
    def first(self) -> int:
        """Index of the first word, right after a preposition, quantity, verb or punctuation."""
        k = self.comma - 1
        while self._is_of_thing(k):
            k -= 1
        return k + 1

    def _is_of_thing(self, k: int) -> bool:
        """Whether the token at `k` can be part of the words; a quotation is part as a whole."""
        token = self.tokens[k]
        title = self.tokens[k - 1].capital and self.tokens[k + 1].capital  # "Code: Red"
        ends = token.low in _BEFORE_THING or finite_at(self.tokens, k, self.comma)
        inside = token.text == "/" or (token.text == ":" and title)
        return bool(token.depth) or inside or (token.word and not ends)

    @property
    def opener(self) -> Token:
        """First of the words."""
        return self.tokens[self.first]

    def holds_time(self) -> bool:
        """Whether a word of time is among the words: "her time acting", "Elm every day"."""
        words = self.tokens[self.first : self.comma]
        return any(t.text in TIMES and not t.depth for t in words)

    def is_object(self) -> bool:
        """Whether a verb immediately precedes the words."""
        return finite_at(self.tokens, self.first - 1, self.comma)


# fmt: off
ANTECEDENT: Table[Antecedent, Literal["owned", "the", "words"] | None] = Table(
    "thing of a relative clause", (
    Row("time", "A time is not a thing.",
        "Ann Lee retired in January 1990, which surprised the town.",
        lambda w: w.opener.low in MONTHS or w.holds_time(), None),
    Row("place", "A place after a thing is not the only possible thing.",
        "Ann Lee founded a school in Leeds, which closed in 1990.",
        lambda w: w.tokens[w.first - 1].low in _PLACING
        and any(t.low in DETERMINERS for t in w.tokens[w.main + 1 : w.first - 1]), None),
    Row("owned", "A thing with \"her\" is the individual's.",
        "Ann Lee published her book, which won a prize.",
        lambda w: w.opener.low in {"his", "her"} and w.is_object(), "owned"),
    Row("object", "A thing with an article after the verb is known in its clause.",
        "Ann Lee founded a school, which closed in 1990.",
        lambda w: w.opener.low in {"a", "an", "the"} and w.is_object(), "the"),
    Row("the name", "A name with \"the\" is a thing.",
        "Ann Lee sang for the Elm Choir, which won the cup.",
        lambda w: w.opener.low == "the" and w.tokens[w.first + 1].capital, "the"),
    Row("name", "A name or a title is a thing.",
        "Ann Lee played for Elm Town, which won the cup.",
        lambda w: w.opener.capital or w.opener.depth, "words"),
), otherwise=None)
# fmt: on
