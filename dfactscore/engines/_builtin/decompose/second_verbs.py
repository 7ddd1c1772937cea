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
    BE,
    DETERMINERS,
    PARTICIPLES,
    PAST_PARTICIPLES,
    PREPOSITIONS,
    SMALL,
    is_adjective_ed,
    is_base_form,
    past_of_any_gerund,
)
from dfactscore.engines._builtin.language.word_lists import word_list

OF_THINGS = frozenset({"called", "titled", "entitled", "named", "located", "nicknamed"})
_HAVE = frozenset({"has", "have", "had"})
_HELD_TO_BE = frozenset(
    {"considered", "regarded", "recognized", "recognised", "known", "remembered", "believed"}
)
_RAISED = frozenset({"promoted", "appointed", "elected", "ordained", "knighted", "inducted"})
_HELD_AS = frozenset({"a", "an", "one", "as", "for", "to", "by", "among", "today"})
_PERFECTS = frozenset({"won", "made", "led", "held", "had", "left", "built", "become", "come"})
_GIVEN = frozenset({"awarded", "named", "elected", "appointed", "called", "granted", "given"})
_WORKS = word_list("works")
_OF_WORKS = word_list("of_works")
_IRREGULAR = word_list("past")
_TRANSITIVE = word_list("transitive")
_DONE = PAST_PARTICIPLES | _TRANSITIVE
_INTRANSITIVE = word_list("acts") | word_list("motion") | word_list("intransitive")


@dataclass(frozen=True)
class SecondVerb:
    """A word that may be the second verb of a subject.

    Attributes:
        tokens: Tokens of the sentence.
        verb: Index of the first verb.
        at: Index of the word.
        end: Index after the predicates.
        subject: The words of the subject.
    """

    tokens: Sequence[Token]
    verb: int
    at: int
    end: int
    subject: str

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
    def auxiliaries(self) -> str:
        """The first verb, followed by "been" if that comes next."""
        been = self.first in _HAVE and self.tokens[self._following].low == "been"
        return f"{self.first} been" if been else self.first

    @property
    def _following(self) -> int:
        return skip_adverbs(self.tokens, self.verb + 1, self.end)

    @cached_property
    def main(self) -> int:
        """Index of the word after the auxiliaries."""
        been = self.auxiliaries != self.first
        return skip_adverbs(self.tokens, self._following + 1, self.end) if been else self._following

    def follows_comma(self) -> bool:
        """Whether a comma precedes the word."""
        return self.tokens[self.at - 1].text == ","

    def is_made_title(self) -> bool:
        """Whether the word confers a title: "and made a Companion of Kent"."""
        return (
            self.low == "made"
            and self.after.low in {"a", "an"}
            and self.tokens[self.at + 2].capital
        )

    def is_participle(self) -> bool:
        """Whether the word can be a past participle."""
        regular = self.low.endswith("ed") and "-" not in self.low
        return regular or self.low in PARTICIPLES or self.is_made_title()

    @cached_property
    def continues_passive(self) -> bool:
        """Whether the first verb is passive and the word can be another participle of it."""
        passive = self.auxiliaries != self.first or self.first in BE
        done = self.is_participle() or self.low in _TRANSITIVE
        return passive and done and is_participle(self.tokens, self.main)

    def has_agent(self) -> bool:
        """Whether the word's complement makes it passive: "praised by", "jailed for refusing"."""
        agent = self.after.low == "by" and self.low not in _INTRANSITIVE
        doing = self.after.low == "for" and self.tokens[self.at + 2].low.endswith("ing")
        return agent or doing

    def is_done_to_work(self) -> bool:
        """Whether the subject is a work that is "performed at" a place or the like."""
        work = self.low in _OF_WORKS and self.subject.split()[-1] in _WORKS
        return work and self.after.low in PREPOSITIONS

    def lacks_object(self) -> bool:
        """Whether no object follows the word: "and shot the next day", "and held in Kent"."""
        return lacks_object(self.tokens, self.at + 1, self.end)

    def is_given(self) -> bool:
        """Whether a title or a prize follows the word: "and named the Player of the Year"."""
        return self.low in _GIVEN and (self.after.low in {"the", "a", "an"} or self.after.capital)

    def may_be_done(self) -> bool:
        """Whether an -ed form without an object may be passive: "and threatened with death"."""
        irregular = self.low in _INTRANSITIVE | _IRREGULAR
        return not irregular and is_participle(self.tokens, self.at) and self.lacks_object()

    def continues_perfect(self) -> bool:
        """Whether "has" applies to both participles."""
        main, named = self.tokens[self.main].low, self.follows_comma() and self.low in OF_THINGS
        perfect = is_participle(self.tokens, self.main) or main in _PERFECTS
        return self.first in _HAVE and perfect and self.is_participle() and not named

    def describes(self) -> bool:
        """Whether the word is an -ed adjective before a noun: "has won and gifted friends"."""
        return is_adjective_ed(self.low) and self.after.low not in SMALL

    def is_done_by(self) -> bool:
        """Whether the word is a participle with its agent: "and accompanied by Tom"."""
        past = self.low.endswith("ed") and self.low not in _INTRANSITIVE
        return past and self.after.low == "by"


def _nothing(case: SecondVerb) -> str:
    return ""


def _no_verb(case: SecondVerb) -> None:
    return None


def _first(case: SecondVerb) -> str:
    return case.first


def _auxiliaries(case: SecondVerb) -> str:
    return case.auxiliaries


# fmt: off
_SHARED: Table[SecondVerb, Callable[[SecondVerb], str | None]] = Table("auxiliary of a verb", (
    Row("name", "A name is not a verb.",
        "Ann Lee has played with Bob Poe and Ned Fox.",
        lambda v: v.tokens[v.at].capital, _no_verb),
    Row("agent", "A participle with an agent or a reason shares \"was\".",
        "Ann Lee was captured by the army and tortured for refusing to talk.",
        lambda v: v.continues_passive and v.has_agent(), _auxiliaries),
    Row("work", "A participle of what is done to works shares \"was\".",
        "Her opera was composed in 1901, revised in 1905, and performed at Covent Garden.",
        lambda v: v.continues_passive and v.is_done_to_work(), _auxiliaries),
    Row("no object", "A participle that lacks its object shares \"was\".",
        "Ann Lee was born in Leeds and raised in York.",
        lambda v: v.continues_passive and v.lacks_object()
        and v.low in _DONE, _auxiliaries),
    Row("given", "A participle with the thing given shares \"was\".",
        "Ann Lee was awarded the Kent Medal in 1999 and made a Dame of the Order of Kent in 2001.",
        lambda v: v.continues_passive and (v.is_given() or v.is_made_title()), _auxiliaries),
    Row("unclear", "A form in -ed without an object may be passive or active.",
        "Ann Lee was beaten in the street and menaced with death.",
        lambda v: v.continues_passive and not v.follows_comma() and v.may_be_done(), _no_verb),
    Row("progressive", "Two forms in -ing share \"is\".",
        "Ann Lee is currently working in York and finishing her acting and dancing course.",
        lambda v: v.first in BE and v.tokens[v.main].low.endswith("ing")
        and past_of_any_gerund(v.low) != "" and v.after.low in DETERMINERS, _first),
    Row("held to be", "\"considered one of\" after a description shares \"is\".",
        "Ann Lee was a painter and considered one of the best.",
        lambda v: v.first in BE and v.low in _HELD_TO_BE and v.after.low in _HELD_AS, _first),
    Row("raised", "\"promoted to\" after a description shares \"was\".",
        "Ann Lee was commander of the fort in 1986 and promoted to captain in 1987.",
        lambda v: v.first in BE and v.low in _RAISED
        and v.after.low in PREPOSITIONS, _first),
    Row("perfect", "Two participles share \"has\".",
        "She has written three books and appeared in two films.",
        lambda v: v.continues_perfect() and not v.describes(), _first),
    Row("plural present", "A base form shares the plural subject of \"have\".",
        "Ann Lee and Tom Hill have two sons and live in Leeds.",
        lambda v: v.first == "have" and is_base_form(v.low) and v.after.low in PREPOSITIONS,
        _nothing),
    Row("finite", "A finite verb shares no auxiliary.",
        "Ann Lee moved to Leeds and played for the town.",
        lambda v: finite_at(v.tokens, v.at, v.end) and not v.is_done_by(), _nothing),
), otherwise=_no_verb)
# fmt: on


def shared_words(case: SecondVerb) -> str | None:
    """Returns the auxiliary that a second verb shares: "" if none, None if it is not a verb."""
    if case.at >= case.end:
        return None
    return _SHARED.answer(case)(case)


def is_participle(tokens: Sequence[Token], i: int) -> bool:
    """Whether a token can be a past participle."""
    low = tokens[i].low
    return low in PAST_PARTICIPLES or low.endswith("ed")


def lacks_object(tokens: Sequence[Token], i: int, b: int) -> bool:
    """Whether there is no object at `i`, but a preposition, a time or the end."""
    i = skip_adverbs(tokens, i, b)
    if i >= b or tokens[i].low in PREPOSITIONS | {"there"} or tokens[i].text in ",.;":
        return True
    ends = PREPOSITIONS - {"following"}
    near = next((k for k in range(i, b) if tokens[k].low in ends or tokens[k].text == ","), b)
    return near - i < 4 and not tokens[i].capital and is_time(tokens, i, near)
