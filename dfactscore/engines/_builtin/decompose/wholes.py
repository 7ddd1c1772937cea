"""Tells which predicates stay whole as their adjuncts do not apply separately to the core."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from dfactscore._text.role_words import is_role
from dfactscore.engines._builtin.decompose.nouns import (
    NUMBERS,
    ORDINALS,
    PHRASE_OPENERS,
    UNITS,
    counts,
    is_time,
    opens_time,
)
from dfactscore.engines._builtin.decompose.openings import (
    ALL_CLAUSES,
    CLAUSES,
    WHEN,
    can_be_verb,
    openings,
)
from dfactscore.engines._builtin.language.rows import Row, Table, WordCase
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.verbs import is_adverb
from dfactscore.engines._builtin.language.word_classes import (
    DETERMINERS,
    POSSESSIVES,
    PREPOSITIONS,
    word_list,
)

_ENDS = frozenset({",", "before", "after", "where"})
_FOCUS = word_list("focus")
_MEASURES = NUMBERS | {"a", "one", "few", "just", "only", "less", "more", "than", "about"}
# "up until", "far from"
_COMPOUND = frozenset({"together", "along", "up", "far", "away", "apart", "next", "close"})
_RANKS = frozenset({"first", "second", "third", "last", "only"})
_NEGATIVE = frozenset({"not", "never", "refused", "refuses", "failed", "declined", "preferred"})
_LIMITING = frozenset({"every", "only"})  # "every race | in 1950"


@dataclass(frozen=True)
class AdjunctJoint(WordCase):
    """A comma or "and" in an adjunct."""

    begin: int  # index of the first token after the verb
    start: int  # index of the preposition that opens the adjunct

    @property
    def joins(self) -> bool:
        """Whether the joint is "and"."""
        return self.low == "and"

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
        lambda j: j.joins and j.before.text != "," and j.has_own_phrase, True),
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
    answers = (GAP.answer(AdjunctJoint(tokens, at, end, begin, start)) for at in joints)
    return next((answer for answer in answers if answer is not None), False)


@dataclass
class PredicateSpan:
    """A predicate in which adjuncts are sought."""

    tokens: Sequence[Token]
    start: int  # index of the first token
    begin: int  # index of the first token after the verb
    end: int  # index after its last token
    nominal: bool

    @cached_property
    def opens(self) -> list[int]:
        """The indices at which adjuncts begin, including any adverb before them."""
        starts = openings(self.tokens, self.begin, self.end, nominal=self.nominal)
        return [_with_adverb(self.tokens, start, self.begin) for start in starts]

    @property
    def parts(self) -> Iterator[tuple[int, int]]:
        """The adjuncts, as ranges of tokens."""
        return itertools.pairwise([*self.opens, self.end])

    @property
    def core_end(self) -> int:
        """Index after the core."""
        return min([*self.opens, self.end])


def _with_adverb(tokens: Sequence[Token], k: int, begin: int) -> int:
    """Moves the start of an adjunct to include "particularly", "together" or "a few months"."""
    start, before = k, tokens[k - 1].low
    focus = before in _FOCUS and tokens[k - 2].low not in DETERMINERS | UNITS  # "a day later"
    if tokens[k].low in WHEN and before in UNITS:
        start -= 1
        while tokens[start - 1].low in _MEASURES or tokens[start - 1].text.isdecimal():
            start -= 1
        start = k if tokens[start - 1].low in PREPOSITIONS else start  # "for six years before"
    elif focus or before in _COMPOUND:
        start -= 1
    return start if start > begin else k


def _contrasts(p: PredicateSpan) -> bool:
    """Whether "and not" or "not only ... but" joins parts of the predicate."""
    lows = [t.low for t in p.tokens[p.start : p.end]]
    if "and" not in lows and "only" not in lows:
        return False
    pairs = {*itertools.pairwise(itertools.takewhile(lambda low: low not in ALL_CLAUSES, lows))}
    return not pairs.isdisjoint({("and", ","), ("and", "not"), ("not", "only")})


def _is_rank(p: PredicateSpan) -> bool:
    """Whether words after a superlative or ordinal limit it: "the first woman to fly | to Rome"."""
    tokens = p.tokens
    k = p.begin + 1 + (tokens[p.begin].low == "as")
    ranked = tokens[k].low in _RANKS or tokens[k].low.endswith(("est", *ORDINALS))
    return (
        ranked
        and tokens[k - 1].low == "the"
        and any(tokens[i].low == "to" and can_be_verb(tokens[i + 1]) for i in range(k, p.end - 1))
    )


def _terms(p: PredicateSpan) -> bool:
    """Whether a count has several periods: "two terms, from 1950 to 1954 and from 1960"."""
    repeated = (y for x, y in itertools.pairwise(p.opens) if p.tokens[x].low == p.tokens[y].low)
    joined = any(p.tokens[y - 1].low == "and" for y in repeated)
    return joined and counts(p.tokens, p.begin, p.opens[0])


def _has_asides(p: PredicateSpan) -> bool:
    """Whether two phrases set off by commas interrupt the predicate before an adjunct."""
    after = ((k, p.tokens[k]) for k in range(p.begin + 1, p.end) if p.tokens[k - 1].comma)
    asides = [k for k, t in after if t.low in PREPOSITIONS or is_adverb(t)]
    return len(asides) > 1 and any(k > asides[0] for k in p.opens)


def _alternates(p: PredicateSpan) -> bool:
    """Whether adjuncts come in pairs: "in Leeds until 1990, in York until 1992"."""
    tokens = p.tokens
    starts = [p.begin, *p.opens]
    heads = [x + (tokens[x].low == "then") for x in starts]  # "in Leeds until 1990, then in York"
    kinds = [(tokens[x].low, opens_time(tokens, x, p.end)) for x in heads]
    return any(
        tokens[x - 1].low in {",", "then", "and"} and kinds[n] in kinds[: n - 1]
        for n, x in enumerate(starts)
        if n > 1
    )


def _omits_verb(p: PredicateSpan) -> bool:
    """Whether an adjunct, or "to" and a name, continues with another object of the verb."""
    words = itertools.pairwise(p.tokens[p.begin + 1 : p.core_end + 1])
    named = (t.low == "to" and (after.low in DETERMINERS or after.capital) for t, after in words)
    to = [k for k, is_start in enumerate(named, p.begin + 1) if is_start]
    edges = itertools.pairwise([*to, *p.opens, p.end])
    return any(leaves_out_verb(p.tokens, p.begin, x, y, p.end) for x, y in edges)


def _pairs_phrases(p: PredicateSpan) -> bool:
    """Whether phrases recur after "and": "clerk in Leeds in 1843 and judge in York in 1851"."""
    kinds = [(p.tokens[k].low, opens_time(p.tokens, k, p.end)) for k in p.opens]
    half = len(kinds) // 2
    middle = p.tokens[slice(*p.opens[half - 1 : half + 1])] if half > 1 else []
    return kinds[:half] == kinds[half:] and any(t.low == "and" for t in middle)


def _joins_object(p: PredicateSpan) -> bool:
    """Whether an adjunct contains another object: "for his work in law and his role"."""
    for x, y in p.parts:
        for before, t in itertools.pairwise(p.tokens[x:y]):
            owned = t.low in POSSESSIVES and p.tokens[x + 1].low not in POSSESSIVES
            described = t.low == "of" or (p.nominal and t.low in {"a", "an"})
            if (before.low == "and" and described) or (before.low in {"and", "as"} and owned):
                return True
    return False


def _lists_phrases(p: PredicateSpan) -> bool:
    """Whether an adjunct is a list with phrases: "law at Yale, history at Kent, and music"."""
    for x, y in p.parts:
        commas = [k for k in range(x + 1, y - 1) if p.tokens[k].comma]
        for k, last in itertools.pairwise(commas):
            item, follow, joint = p.tokens[k + 1], p.tokens[k + 2], p.tokens[last + 1]
            if item.text.islower() and follow.low in PHRASE_OPENERS and joint.low == "and":
                return True
    return False


def _adds_thing(p: PredicateSpan) -> bool:
    """Whether "and the" or "as well as appearances" adds something to an adjunct."""
    for x, y in p.parts:
        for k in (k for k in range(x + 1, y - 4) if p.tokens[k].comma):
            first, second, _, fourth = p.tokens[k + 1 : k + 5]
            phrase = fourth.capital or fourth.low in PREPOSITIONS
            well = first.low == "as" and second.low == "well" and not phrase
            thing = first.low == "and" and second.low in DETERMINERS - {"this", "these"}
            if well or thing:
                return True
    return False


# fmt: off
WHOLE: Table[PredicateSpan, Literal["", "whole", "gapped"]] = Table("predicates that stay whole", (
    Row("contrast", "A contrast of its parts keeps a predicate whole.",
        "Ann Lee sang in Leeds in 1990 and not in York.",
        _contrasts, "whole"),
    Row("semicolon", "A semicolon keeps a predicate whole.",
        "Ann Lee taught in Leeds in 1990; in York in 1991.",
        lambda p: any(t.text == ";" and not t.depth for t in p.tokens[p.begin : p.end]), "whole"),
    Row("negation", "A negated predicate stays whole.",
        "Ann Lee never sang in Leeds in 1990.",
        lambda p: any(t.low in _NEGATIVE for t in p.tokens[p.start : p.begin]), "whole"),
    Row("rank", "A rank stays with all that limits it.",
        "Ann Lee became the first woman to fly across the sea in 1930.",
        _is_rank, "whole"),
    Row("limit", "Every and only apply to the whole predicate.",
        "Ann Lee won every race in 1950.",
        lambda p: any(t.low in _LIMITING for t in p.tokens[p.begin : p.core_end]), "whole"),
    Row("terms", "A count stays with its several periods.",
        "Ann Lee served two terms, from 1950 to 1954 and from 1960 to 1964.",
        _terms, "whole"),
    Row("asides", "Two phrases after commas keep a predicate whole.",
        "Ann Lee paints on the coast of Kent, mainly its cliffs, from 1980 to 1990.",
        _has_asides, "whole"),
    Row("alternation", "Adjuncts that come in pairs stay together.",
        "Ann Lee was a judge in Kent until 1950, then in York until 1960.",
        _alternates, "whole"),
    Row("gap", "Each object keeps its adjunct where a verb is left out.",
        "Ann Lee joined Ajax in 1990 and Leeds in 1992.",
        _omits_verb, "gapped"),
    Row("paired phrases", "Phrases that repeat after and belong to another object.",
        "Ann Lee was appointed reader in Leeds in 1843 and full professor in York in 1851.",
        _pairs_phrases, "gapped"),
    Row("second object", "An adjunct that contains another object keeps the predicate whole.",
        "Ann Lee won praise for the work in law and her art in 1990.",
        _joins_object, "whole"),
    Row("list of phrases", "A list of nouns with phrases keeps the predicate whole.",
        "Ann Lee won prizes for law at Yale, history at Kent, and music.",
        _lists_phrases, "whole"),
    Row("added thing", "A thing added after a comma keeps the predicate whole.",
        "Ann Lee was praised for the raid on Rome, and the siege of York.",
        _adds_thing, "whole"),
), otherwise="")
# fmt: on
