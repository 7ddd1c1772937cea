"""Joints at which a verb is omitted: "joined Ajax in 1990 and Leeds in 1992"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from dfactscore.engines._builtin.decompose.list_items import LINKING
from dfactscore.engines._builtin.decompose.openings import CLAUSES
from dfactscore.engines._builtin.decompose.times import ORDINALS, is_time, opens_time
from dfactscore.engines._builtin.language.adverbs import is_adverb
from dfactscore.engines._builtin.language.rows import Row, Table
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.word_classes import DETERMINERS, PREPOSITIONS, is_role

_ENDS = frozenset({",", "before", "after", "where"})


@dataclass(frozen=True)
class Joint:
    """A comma or "and" in an adjunct.

    Attributes:
        tokens: Tokens of the sentence.
        begin: Index of the first token after the verb.
        start: Index of the preposition that opens the adjunct.
        stop: Index after the adjunct.
        end: Index after the predicate.
        at: Index of the joint.
    """

    tokens: Sequence[Token]
    begin: int
    start: int
    stop: int
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

    @property
    def repeats_head(self) -> bool:
        """Whether the noun before the adjunct recurs: "old views in youth and new views later"."""
        head = self.tokens[self.start - 1]
        near = [t.low for t in self.tokens[self.at + 2 : self.at + 4]]
        return not head.capital and head.low in near

    @cached_property
    def opens_thing(self) -> bool:
        """Whether the joint is followed by a noun phrase that can be another object."""
        after = self.after
        named = after.capital and self.tokens[self.begin].capital
        ranked = after.low in DETERMINERS or after.low.endswith(ORDINALS)
        return ranked or named or self.repeats_head

    @property
    def repeats(self) -> bool:
        """Whether the adjunct's preposition, or the noun before it, recurs after the joint."""
        tokens, opener = self.tokens, self.tokens[self.start].low
        words = (t.low for t in tokens[self.at + 2 : self.limit])
        if opener in PREPOSITIONS and opener in words:
            return True
        head = tokens[self.start - 1].low
        return self.opens_thing and head == tokens[min(self.at + 2, self.end - 1)].low

    @property
    def has_own_phrase(self) -> bool:
        """Whether the object after the joint has a phrase with the adjunct's preposition."""
        tokens, first = self.tokens, self.at + 1
        if self.after.low in PREPOSITIONS or self.after.depth or is_adverb(self.after):
            return False
        limit = self.limit
        phrase = next((i for i in range(first + 1, limit) if tokens[i].low in LINKING), limit)
        opener = tokens[self.start].low
        if phrase == limit or tokens[phrase].capital or tokens[phrase].low != opener:
            return False
        between = {t.low for t in tokens[self.start + 1 : phrase]}
        timed = opens_time(tokens, self.start, first)
        return between.isdisjoint(LINKING | {"well", "both"}) and (
            timed == opens_time(tokens, phrase, limit)
        )

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

    @property
    def precedes_time(self) -> bool:
        """Whether a time follows the joint."""
        return is_time(self.tokens, self.at + 1, min(self.stop, self.at + 4))


def _lists_dated(joint: Joint) -> bool:
    """Whether words such as "Yale in 1901" continue "from Kent in 1894,"."""
    follows = joint.after.capital or is_role(joint.after.low)
    words = (t.low for t in joint.tokens[joint.begin : joint.end])
    return not joint.joins and follows and joint.repeats and "well" not in words


# fmt: off
GAP: Table[Joint, bool | None] = Table("joints with a verb left out", (
    Row("same phrase", "A noun phrase after and with the same preposition is another object.",
        "Ann Lee studied Old Arts at the University of Kent and Roman Studies at Hill College.",
        lambda j: j.joins and j.start > j.begin and j.opens_thing and j.repeats, True),
    Row("own phrase", "A bare noun after and with a phrase of the same kind is another object.",
        "Ann Lee was head of Kent in 1843 and judge in 1848.",
        lambda j: j.joins and j.tokens[j.at - 1].text != "," and j.has_own_phrase, True),
    Row("not after time", "A joint that no time precedes leaves no verb out.",
        "Ann Lee was a clerk at Hill House and the Mill for ten years.",
        lambda j: not j.follows_time, None),
    Row("dated list",
        "A name with the same preposition after a date and a comma is another object.",
        "Ann Lee was raised to deacon in 1911, vicar in 1914, and canon in 1920.",
        _lists_dated, True),
    Row("same preposition",
        "After a time, the preposition of the complement opens another complement.",
        "Ann Lee served as Head of Kent and Minister from 2019 to 2020 and as Dean from 2015.",
        lambda j: j.after.low in PREPOSITIONS and j.after.low == j.tokens[j.begin].low, True),
    Row("second time", "After a time, a second time continues the adjunct.",
        "Ann Lee led the club since 1980, a year marked by cups including two gold ones.",
        lambda j: j.precedes_thing and j.precedes_time, False),
    Row("thing after time", "After a time, a noun phrase is another object.",
        "Ann Lee won the league in 1990 and the cup.",
        lambda j: j.precedes_thing, True),
), otherwise=None)
# fmt: on


def leaves_out_verb(tokens: Sequence[Token], begin: int, start: int, stop: int, end: int) -> bool:
    """Whether an adjunct continues with another object of the verb: "in 1990 and the cup"."""
    for at in range(start + 1, stop - 1):
        if tokens[at].low in CLAUSES:
            return False
        if tokens[at].low in {"and", ","}:
            answer = GAP.answer(Joint(tokens, begin, start, stop, end, at))
            if answer is not None:
                return answer
    return False
