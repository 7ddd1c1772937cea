"""Joints at which a verb is omitted: "joined Ajax in 1990 and Leeds in 1992"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from dfactscore.engines._builtin.decompose.openings import CLAUSES
from dfactscore.engines._builtin.decompose.times import PHRASE_OPENERS, is_time, opens_time
from dfactscore.engines._builtin.language.adverbs import is_adverb
from dfactscore.engines._builtin.language.rows import Row, Table
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.word_classes import DETERMINERS, is_role

_ENDS = frozenset({",", "before", "after", "where"})


@dataclass(frozen=True)
class AdjunctJoint:
    """A comma or "and" in an adjunct."""

    tokens: Sequence[Token]
    begin: int  # index of the first token after the verb
    start: int
    end: int
    at: int

    @property
    def after(self) -> Token:
        """The token after the joint."""
        return self.tokens[self.at + 1]

    @property
    def joins(self) -> bool:
        """Whether the joint is "and"."""
        return self.tokens[self.at].low == "and"

    @cached_property
    def limit(self) -> int:
        """Index at which the words after the joint end."""
        return next(
            (i for i in range(self.at + 2, self.end) if self.tokens[i].low in _ENDS), self.end
        )

    @cached_property
    def opens_thing(self) -> bool:
        """Whether a noun phrase that can be another object follows the joint."""
        near = {t.low for t in self.tokens[self.at + 2 : self.at + 4]}
        named = self.after.capital and self.tokens[self.begin].capital
        head = self.tokens[self.start - 1]  # "old views in youth and new views"
        repeated = not head.capital and head.low in near
        return self.after.low in DETERMINERS or named or repeated

    @property
    def repeats(self) -> bool:
        """Whether the adjunct's preposition, or the noun before it, recurs after the joint."""
        words = [t.low for t in self.tokens[self.at + 2 : self.limit]]
        head = self.tokens[self.start - 1]
        repeated = not head.capital and self.tokens[self.at + 2].low == head.low
        return self.tokens[self.start].low in words or repeated

    @property
    def has_own_phrase(self) -> bool:
        """Whether the object after the joint has a phrase with the adjunct's preposition."""
        if self.after.depth or is_adverb(self.after):
            return False
        tokens, start, limit = self.tokens, self.start, self.limit
        phrase = next(
            (i for i in range(self.at + 2, limit) if tokens[i].low in PHRASE_OPENERS), limit
        )
        same = tokens[phrase].low == tokens[start].low
        timed = opens_time(tokens, start, self.at + 1) == opens_time(tokens, phrase, limit)
        between = {t.low for t in tokens[start + 1 : phrase]}
        return same and timed and between.isdisjoint(PHRASE_OPENERS | {"well", "both"})

    @property
    def follows_time(self) -> bool:
        """Whether the joint is outside brackets and immediately follows a time."""
        tokens, at = self.tokens, self.at
        first = max(self.start, at - 1 - (tokens[at - 1].text == ")"))
        return not tokens[at].depth and is_time(tokens, first, at)

    @property
    def precedes_thing(self) -> bool:
        """Whether a quoted title, a determiner or (after "and") a name follows the joint."""
        after = self.after
        return bool(after.depth) or after.low in DETERMINERS or (after.capital and self.joins)


# fmt: off
GAP: Table[AdjunctJoint, bool | None] = Table("joints with a verb left out", (
    Row("same phrase", "A noun phrase after and with the same preposition is another object.",
        "Ann Lee studied Old Arts at the University of Kent and Roman Studies at Hill College.",
        lambda j: j.joins and j.opens_thing and j.repeats, True),
    Row("own phrase", "A bare noun after and with a phrase of the same kind is another object.",
        "Ann Lee became head of Kent in 1843 and county judge in 1848.",
        lambda j: j.joins and j.tokens[j.at - 1].text != "," and j.has_own_phrase, True),
    Row("not after time", "A joint that no time precedes leaves no verb out.",
        "Ann Lee was a clerk at Hill House and the Mill for ten years.",
        lambda j: not j.follows_time, None),
    Row("dated list",
        "A name with the same preposition after a date and a comma is another object.",
        "Ann Lee played for Leeds in 1892, Hull in 1899, and York from 1905 to 1923.",
        lambda j: (j.after.capital or is_role(j.after.low)) and j.repeats, True),
    Row("same opening",
        "After a time, the first word of the complement opens another complement.",
        "Ann Lee served as Head of Kent and Minister from 2019 to 2020 and as Dean from 2015.",
        lambda j: j.after.low == j.tokens[j.begin].low, True),
    Row("thing after time", "After a time, a noun phrase other than a time is another object.",
        "Ann Lee was head of Kent from 1977 to 1979, the first after the war.",
        lambda j: j.precedes_thing and not is_time(j.tokens, j.at + 1, j.at + 4), True),
), otherwise=None)
# fmt: on


def leaves_out_verb(tokens: Sequence[Token], begin: int, start: int, stop: int, end: int) -> bool:
    """Whether an adjunct continues with another object of the verb: "in 1990 and the cup"."""
    clause = next((i for i in range(start + 1, stop - 1) if tokens[i].low in CLAUSES), stop - 1)
    joints = (at for at in range(start + 1, clause) if tokens[at].low in {"and", ","})
    answers = (GAP.answer(AdjunctJoint(tokens, begin, start, end, at)) for at in joints)
    return next((answer for answer in answers if answer is not None), False)
