"""Finds where a clause is split into predicates: "was born in Leeds | and moved to York"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from dfactscore._text.role_words import is_role
from dfactscore.engines._builtin.decompose.nouns import is_time
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.rows import Row, Table, WordCase
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.verbs import finite_at, skip_adverbs
from dfactscore.engines._builtin.language.word_classes import (
    ARTICLES,
    AUXILIARIES,
    BE,
    DETERMINERS,
    PARTICIPLES,
    PAST_PARTICIPLES,
    PREPOSITIONS,
    SMALL,
    is_base_form,
    past_of_any_gerund,
    word_list,
)

# Of a thing where no object follows: "wrote a novel, published in 1970, and died"
MAKING = frozenset(
    {
        *("founded", "established", "created", "directed", "designed", "published", "released"),
        *("completed", "built", "written", "recorded", "composed", "produced", "issued"),
    }
)
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
HEDGES = word_list("hedges")  # they limit all that follows
_SUBORDINATORS = word_list("subordinators")
_BUT = frozenset({"and", "but", "yet"})
_RELATIVES = frozenset({"who", "which"})
_EXAMPLES = frozenset({"including", "such"})
_AFTER_COMMA = _BUT | {"however", "then"}


@dataclass(frozen=True, slots=True)
class Piece:
    """A predicate of a clause."""

    prefix: str
    start: int  # index of the first token
    end: int  # index after the last token
    front: Range  # phrase before the predicate, as in "and, after two years, moved"


@dataclass(frozen=True)
class SecondVerb(WordCase):
    """A word that may be the second verb of a subject."""

    verb: int  # index of the first verb

    @property
    def shared(self) -> str | None:
        """The auxiliary that the word shares: "" if there is none, None if it is not a verb."""
        return _SHARED.answer(self)(self) if self.at < self.end else None

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
        done = is_participle(self.token) or self.low in _TRANSITIVE
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
        lambda v: v.token.capital, lambda v: None),
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
        lambda v: v.continues_passive and v.before.text != "," and v.may_be_passive(),
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


@dataclass(frozen=True)
class PredicateJoint(WordCase):
    """A comma or an "and" that may end a predicate."""

    last: Piece  # predicate before the joint
    verb: int  # index of the verb whose auxiliary the next predicate can share

    @cached_property
    def next(self) -> int:
        """Index of the first word after the joint, which may be "and", ", and" or "and who"."""
        after = self.at + 1
        after += self.token.comma and self.tokens[after].low in _AFTER_COMMA
        return after + (self.tokens[after].low == self.tokens[self.last.front[0] - 1].low == "who")

    @cached_property
    def following(self) -> Piece | None:
        """The next predicate, with the phrase before it; None if no verb follows."""
        after_phrase = phrase_end(self.tokens, self.next, self.end) or self.next
        for start in dict.fromkeys((after_phrase, self.next)):
            shared = self.verb_after(start).shared
            if shared is not None:
                return Piece(shared, start, self.end, (self.next, start))
        return None

    def verb_after(self, i: int) -> SecondVerb:
        """Returns the first word at or after an index that is not an adverb."""
        at = skip_adverbs(self.tokens, i, self.end)
        return SecondVerb(self.tokens, at, self.end, self.verb)

    def is_plain_comma(self) -> bool:
        """Whether the joint is a comma without "and"."""
        return self.token.comma and self.next == self.at + 1

    @cached_property
    def closing(self) -> str | None:
        """The auxiliary shared by the verb after a later "and"; None if no "and" joins a verb."""
        tokens = self.tokens
        ands = (k for k in range(self.next, self.end - 1) if tokens[k].low == "and")
        later = (replace(self, at=k).following for k in ands if not tokens[k].depth)
        return next((piece.prefix for piece in later if piece), None)

    def is_in_clause(self) -> bool:
        """Whether the joint is inside a subordinate clause of the preceding predicate."""
        opens = [i for i in range(self.last.start + 1, self.at) if self._subordinates(i)]
        clause = (opens or [self.at])[-1]
        if self.after.low in _BUT:
            # ", and" ends the clause unless a comma is inside it: "where he sang, taught, and"
            commas = [i for i in range(clause, self.at) if self.tokens[i].comma]
            if self.tokens[clause].low not in _RELATIVES:
                return bool(commas)
            verbs = (skip_adverbs(self.tokens, i + 1, self.at) for i in commas)
            return any(finite_at(self.tokens, i, self.at) for i in verbs)
        return clause < self.at

    def _subordinates(self, i: int) -> bool:
        low = self.tokens[i].low
        if self.tokens[i].depth:
            return False  # "(who sang in York) and moved"
        if low == "since":
            return self.tokens[i + 1].low in {"he", "she", "they", "it"}
        return low in _SUBORDINATORS and (low != "being" or self.tokens[i - 1].comma)

    def ends_examples(self) -> bool:
        """Whether an -ed form and a noun end a list of examples: "and organized crime,"."""
        at = self.verb_after(self.next).at
        noun, after = self.tokens[at + 1], self.tokens[at + 2]
        plain = noun.word and not noun.capital and not after.word
        examples = any(t.low in _EXAMPLES for t in self.tokens[self.last.start : at])
        return examples and plain and self.tokens[at].low.endswith("ed")

    def opens_making(self) -> bool:
        """Whether a participle about a created work follows: ", published in 1970, and died"."""
        second = self.verb_after(self.next)
        making = self.is_plain_comma() and second.low in MAKING
        return making and second.after.low in PREPOSITIONS and not second.shared

    def joins_adjectives(self) -> bool:
        """Whether the joint connects two adjectives: "a grumpy and opinionated man"."""
        adjective, after, noun = (self.tokens[self.at + i] for i in (-1, 1, 2))
        article = self.tokens[self.at - 2].low in {"a", "an"} and not is_role(adjective.low)
        plain = noun.word and not noun.capital and noun.low not in SMALL
        joined = self.token.low == "and" and after.low.endswith("ed")
        return article and joined and plain

    def follows_verbs(self) -> bool:
        """Whether only bare verbs precede the joint: "wrote, directed, and produced"."""
        main = self.verb
        if self.tokens[main].low in AUXILIARIES:
            main = skip_adverbs(self.tokens, main + 1, self.at)
        i = after = main + 1 + (self.tokens[main].low == "been")
        while self.tokens[i].comma:
            verb = skip_adverbs(self.tokens, i + 1, self.at)
            if not (finite_at(self.tokens, verb, self.at) or is_participle(self.tokens[verb])):
                break
            i = verb + 1
        second = skip_adverbs(self.tokens, i + 2, self.end)
        if self.tokens[second].low in AUXILIARIES:
            second = skip_adverbs(self.tokens, second + 1, self.end)
        inserted = self.tokens[second + 1].comma  # "was named, but did not become, mayor"
        return self.at <= i + (self.tokens[i].comma and (i > after or inserted))


def phrase_end(tokens: Sequence[Token], i: int, b: int) -> int | None:
    """Returns the index of the verb after ", with two friends," or "despite his age,", or None."""
    comma = tokens[i].comma
    if not comma and tokens[i].low not in PREPOSITIONS:
        return None
    for k in range(i + comma + 1, b - 1):
        if tokens[k].comma:
            if finite_at(tokens, skip_adverbs(tokens, k + 1, b), b):
                return k + 1
            if not comma:
                return None
        elif not comma and finite_at(tokens, k, b):  # "and by 1990 had moved"
            timed = is_time(tokens, i, k) or tokens[k - 1].low == "then"
            return k if timed and tokens[i - 1].low in {"and", "but", ","} else None
    return None


# fmt: off
_UNCUT: Table[PredicateJoint, bool] = Table("joints inside a predicate", (
    Row("clause", "The joint is in a subordinate clause.",
        "She studied at a school where she sang and danced.",
        PredicateJoint.is_in_clause, True),
    Row("open list", "No verb closes the list that a comma opens.",
        "Ann Lee returned to Leeds in 1860, joined the army.",
        lambda j: j.is_plain_comma() and j.closing is None, True),
    Row("adjectives", "Two adjectives of one noun are not verbs.",
        "Ann Lee is a brave and determined girl.",
        PredicateJoint.joins_adjectives, True),
    Row("shared object", "Verbs with only verbs before them share an object.",
        "Ann Lee owns and runs a shop.",
        PredicateJoint.follows_verbs, True),
    Row("participle", "A form in -ed is right before the joint.",
        "Ann Lee led a publicly owned and operated mill.",
        lambda j: j.token.low == "and" and j.before.low.endswith("ed"), True),
    Row("examples", "The last of several examples opens with a form in -ed.",
        "Ann Lee covered topics such as rights, and organized crime, and was known for wit.",
        PredicateJoint.ends_examples, True),
    Row("making", "What was made follows the comma.",
        "Ann Lee wrote a novel, published in 1970, and died in Leeds.",
        PredicateJoint.opens_making, True),
), otherwise=False)
# fmt: on


def cut_predicates(tokens: Sequence[Token], a: int, b: int) -> list[Piece]:
    """Splits "was born in X and moved to Y" into predicates that share the subject."""
    start = phrase_end(tokens, a, b) or a
    verb = skip_adverbs(tokens, start, b)
    last = Piece("", start, b, (a, start))
    paired = [t.low for t in tokens[start : start + 2]] == ["not", "only"]
    if paired or any(t.low in HEDGES for t in tokens[start:verb]):
        return [last]  # "not only won but also kept", "allegedly stole and sold"
    cut: list[Piece] = []
    k = main_verb(tokens, verb, b)
    while k < b:
        following = None
        if tokens[k].comma or (tokens[k].low in _BUT and not tokens[k].depth):
            following = _next_predicate(PredicateJoint(tokens, k, b, last, verb))
        if following is None:
            k += 1
            continue
        cut.append(replace(last, end=k))
        last = following
        at = skip_adverbs(tokens, last.start, b)
        verb, k = (verb if last.prefix else at), main_verb(tokens, at, b)
    return [*cut, last]


def main_verb(tokens: Sequence[Token], verb: int, b: int) -> int:
    """Returns the index of the word after an auxiliary, or after a verb that is not one."""
    auxiliary = tokens[verb].low in AUXILIARIES
    return SecondVerb(tokens, verb, b, verb).main if auxiliary else verb + 1


def _next_predicate(joint: PredicateJoint) -> Piece | None:
    """Returns the predicate after a joint, or None if the joint is inside a predicate."""
    following = joint.following
    if following is None or _UNCUT.answer(joint):
        return None
    second = joint.verb_after(following.start)
    if not following.prefix and second.may_be_passive():
        return replace(following, prefix=joint.closing or "")  # "was arrested, tried for theft,"
    return following


def listed_gerunds(tokens: Sequence[Token], verb: int, b: int) -> list[Range]:
    """Returns the items of "enjoys walking, playing, and reading"; empty if not a list."""
    first = skip_adverbs(tokens, verb + 1, b)
    starts = [
        k
        for k in range(first, b)
        if past_of_any_gerund(tokens[k].low) and (k == first or tokens[k - 1].low in {",", "and"})
    ]
    if len(starts) < 2 or starts[0] != first or tokens[starts[-1] - 1].low != "and":
        return []
    ends = [k - 1 - tokens[k - 2].comma for k in starts[1:]]
    items = list(zip(starts, [*ends, b], strict=True))
    inner = any(tokens[k].comma for x, y in items[:-1] for k in range(x, y))
    one_object = ends[0] == first + 1 and not tokens[ends[0]].comma  # "making and selling X"
    return [] if inner or one_object else items
