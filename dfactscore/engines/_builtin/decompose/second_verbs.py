"""Verbs after a joint, and the auxiliary that they share: "was signed in 1990 and | praised by"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from dfactscore.engines._builtin.decompose.times import is_time
from dfactscore.engines._builtin.language.adverbs import skip_adverbs
from dfactscore.engines._builtin.language.rows import Row, Table
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.verbs import finite_at
from dfactscore.engines._builtin.language.word_classes import (
    ARTICLES,
    BE,
    DETERMINERS,
    PARTICIPLES,
    PAST_PARTICIPLES,
    PREPOSITIONS,
    SMALL,
    is_base_form,
    past_of_any_gerund,
)
from dfactscore.engines._builtin.language.word_lists import word_list

OF_THINGS = frozenset({"called", "titled", "entitled", "named", "located", "nicknamed"})
_HAVE = frozenset({"has", "have", "had"})
_RANKED = frozenset(
    {
        *("considered", "regarded", "recognized", "recognised", "known", "remembered", "believed"),
        *("promoted", "appointed", "elected", "ordained", "knighted", "inducted"),
    }
)
_PERFECTS = frozenset({"won", "made", "led", "held", "had", "left", "built"})
_GIVEN = frozenset({"awarded", "named", "elected", "appointed", "called", "granted", "given"})
_COMPOSED = frozenset({"composed", "written", "painted", "filmed"})
_AFTER_RANKED = PREPOSITIONS | {"a", "an", "one", "today"}
_AFTER_OBJECTLESS = PREPOSITIONS | {"there"}
_TIME_ENDS = PREPOSITIONS - {"following"}
_TRANSITIVE = word_list("transitive")
_DONE = PAST_PARTICIPLES | _TRANSITIVE
_INTRANSITIVE = word_list("acts") | word_list("motion") | word_list("intransitive")
_ACTIVE = _INTRANSITIVE | word_list("past")


@dataclass(frozen=True)
class SecondVerb:
    """A word that may be the second verb of a subject."""

    tokens: Sequence[Token]
    verb: int
    at: int
    end: int

    @property
    def shared(self) -> str | None:
        """The auxiliary that the word shares: "" if there is none, None if it is not a verb."""
        return _SHARED.answer(self)(self) if self.at < self.end else None

    @property
    def low(self) -> str:
        """The word in lowercase."""
        return self.tokens[self.at].low

    @property
    def after(self) -> Token:
        """The token after the word."""
        return self.tokens[self.at + 1]

    @property
    def first(self) -> str:
        """The first verb in lowercase."""
        return self.tokens[self.verb].low

    @cached_property
    def main(self) -> int:
        """Index of the word after the auxiliaries."""
        main = skip_adverbs(self.tokens, self.verb + 1, self.end)
        if self.tokens[main].low == "been":
            main = skip_adverbs(self.tokens, main + 1, self.end)
        if not self.tokens[main].comma:
            return main
        ends = (k + 1 for k in range(main + 1, self.end) if self.tokens[k].comma)
        return next(ends, main)  # "was, in 1990, elected"

    @property
    def auxiliaries(self) -> str:
        """The first verb, followed by "been" if that comes next."""
        been = any(t.low == "been" for t in self.tokens[self.verb : self.main])
        return f"{self.first} been" if been else self.first

    @cached_property
    def continues_passive(self) -> bool:
        """Whether the first verb is passive and the word can be another participle of it."""
        passive = self.first in BE or self.auxiliaries != self.first
        done = is_participle(self.tokens[self.at]) or self.low in _TRANSITIVE
        return passive and done and is_participle(self.tokens[self.main])

    def has_agent(self) -> bool:
        """Whether the agent of a participle follows: "praised by Tom"."""
        return self.after.low == "by" and self.low not in _INTRANSITIVE

    def is_done_to_work(self) -> bool:
        """Whether the first verb is about a work: "was composed in 1901, revised in 1905"."""
        return self.tokens[self.main].low in _COMPOSED and self.low not in _ACTIVE - {"performed"}

    def is_given(self) -> bool:
        """Whether a title or a prize follows the word: "and named the Player of the Year"."""
        if self.low == "made":  # "a Companion of Kent", but not "a fortune"
            return self.after.low in {"a", "an"} and self.tokens[self.at + 2].capital
        return self.low in _GIVEN and (self.after.low in ARTICLES or self.after.capital)

    def lacks_object(self) -> bool:
        """Whether a preposition, a time or the end follows: "and shot the next day"."""
        i = skip_adverbs(self.tokens, self.at + 1, self.end)
        token = self.tokens[i]
        if i >= self.end or token.low in _AFTER_OBJECTLESS or token.text in ",.;":
            return True
        ends = (k for k in range(i, self.end) if self.tokens[k].low in _TIME_ENDS)
        near = next(ends, self.end)
        return is_time(self.tokens, i, near)

    def may_be_passive(self) -> bool:
        """Whether an -ed form without an object may be passive: "and threatened with death"."""
        return self.low not in _ACTIVE and self.lacks_object()

    def continues_perfect(self) -> bool:
        """Whether "has" applies to both participles."""
        main = self.tokens[self.main]
        perfect = self.first in _HAVE and (is_participle(main) or main.low in _PERFECTS)
        done = self.low in PARTICIPLES or (self.low.endswith("ed") and "-" not in self.low)
        return perfect and done and self.low not in OF_THINGS


def is_participle(token: Token) -> bool:
    """Whether a token can be a past participle."""
    return token.low in PAST_PARTICIPLES or token.low.endswith("ed")


# fmt: off
_SHARED: Table[SecondVerb, Callable[[SecondVerb], str | None]] = Table("auxiliary of a verb", (
    Row("name", "A name is not a verb.",
        "Ann Lee has played with Bob Poe and Ned Fox.",
        lambda v: v.tokens[v.at].capital, lambda v: None),
    Row("agent", "A participle with an agent shares \"was\".",
        "Ann Lee was captured by the army and harassed by the king.",
        lambda v: v.continues_passive and v.has_agent(), lambda v: v.auxiliaries),
    Row("no object", "A participle that lacks its object shares \"was\".",
        "Ann Lee was born in Leeds and raised in York.",
        lambda v: v.continues_passive and v.lacks_object()
        and (v.low in _DONE or v.is_done_to_work()), lambda v: v.auxiliaries),
    Row("given", "A participle with the thing given shares \"was\".",
        "Ann Lee was awarded the Kent Medal in 1999 and made a Dame of the Order of Kent in 2001.",
        lambda v: v.continues_passive and v.is_given(), lambda v: v.auxiliaries),
    Row("unclear", "A form in -ed without an object may be passive or active.",
        "Ann Lee was beaten in the street and menaced with death.",
        lambda v: v.continues_passive and v.tokens[v.at - 1].text != "," and v.may_be_passive(),
        lambda v: None),
    Row("progressive", "Two forms in -ing share \"is\".",
        "Ann Lee is currently working in York and finishing her acting and dancing course.",
        lambda v: v.first in BE and v.tokens[v.main].low.endswith("ing")
        and past_of_any_gerund(v.low) and v.after.low in DETERMINERS, lambda v: v.first),
    Row("ranked", "\"considered one of\" or \"promoted to\" after a description shares \"was\".",
        "Ann Lee was a painter and considered one of the best.",
        lambda v: v.first in BE and v.low in _RANKED
        and v.after.low in _AFTER_RANKED, lambda v: v.first),
    Row("perfect", "Two participles share \"has\".",
        "She has written three books and appeared in two films.",
        SecondVerb.continues_perfect, lambda v: v.first),
    Row("plural present", "A base form shares the plural subject of \"have\".",
        "Ann Lee and Tom Hill have two sons and live in Leeds.",
        lambda v: v.first == "have" and is_base_form(v.low)
        and v.after.low in SMALL, lambda v: ""),
    Row("finite", "A finite verb shares no auxiliary.",
        "Ann Lee moved to Leeds and played for the town.",
        lambda v: finite_at(v.tokens, v.at, v.end)
        and not (v.low.endswith("ed") and v.has_agent()), lambda v: ""),
), otherwise=lambda v: None)
# fmt: on
