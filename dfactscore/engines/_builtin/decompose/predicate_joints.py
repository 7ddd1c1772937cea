"""Finds where a clause is split into predicates: "was born in Leeds | and moved to York"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from dfactscore.engines._builtin.decompose.clause_words import MAKING
from dfactscore.engines._builtin.decompose.second_verbs import (
    SecondVerb,
    is_participle,
    shared_words,
)
from dfactscore.engines._builtin.decompose.times import is_time
from dfactscore.engines._builtin.language.adverbs import skip_adverbs
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.rows import Row, Table
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.verbs import finite_at
from dfactscore.engines._builtin.language.word_classes import (
    AUXILIARIES,
    PREPOSITIONS,
    SMALL,
    is_role,
)
from dfactscore.engines._builtin.language.word_lists import word_list

HEDGES = word_list("hedges")  # they limit all that follows
_SUBORDINATORS = word_list("subordinators")
_BUT = frozenset({"and", "but", "yet"})
_AFTER_COMMA = _BUT | {"however", "then"}


@dataclass(frozen=True, slots=True)
class Predicate:
    """Words that share a clause's subject.

    Attributes:
        prefix: The auxiliary shared with the preceding predicate.
        start: Index of the first token.
        end: Index after the last token.
        front: The phrase before the predicate, as in "and, after two years, moved".
    """

    prefix: str
    start: int
    end: int
    front: Range


@dataclass(frozen=True)
class Joint:
    """A comma or an "and" that may end a predicate.

    Attributes:
        tokens: Tokens of the sentence.
        k: Index of the joint.
        start: Index at which the predicate before the joint starts.
        verb: Index of the verb whose auxiliary the next predicate can share.
        end: Index after the last predicate.
        clause_end: Index after the clause.
        subject: The words of the subject.
        opener: The word before the first predicate, in lowercase.
        listed: Whether bare verbs were listed before the joint: "taught, wrote a book, and sang".
    """

    tokens: Sequence[Token]
    k: int
    start: int
    verb: int
    end: int
    clause_end: int
    subject: str
    opener: str
    listed: bool

    @cached_property
    def next(self) -> int:
        """Index of the first word after the joint, which may be "and", ", and" or "and who"."""
        after = self.k + 1
        after += self.tokens[self.k].comma and self.tokens[after].low in _AFTER_COMMA
        return after + (self.tokens[after].low == self.opener == "who")

    @cached_property
    def next_verb(self) -> int:
        """Index of the first word after the joint that is not an adverb."""
        return skip_adverbs(self.tokens, self.next, self.end)

    @cached_property
    def shared(self) -> str | None:
        """The auxiliary that the next verb shares; None if no verb comes next."""
        return self.shared_at(self.next_verb)

    def shared_at(self, at: int) -> str | None:
        """Returns the auxiliary that the verb at an index shares, or None if there is no verb."""
        return shared_words(SecondVerb(self.tokens, self.verb, at, self.end, self.subject))

    def is_plain_comma(self) -> bool:
        """Whether the joint is a comma without "and"."""
        return self.tokens[self.k].comma and self.next == self.k + 1

    @cached_property
    def closing(self) -> str | None:
        """The auxiliary shared by the verb after a later "and"; None if no "and" joins a verb."""
        for k in range(self.next, self.end - 1):
            if self.tokens[k].low == "and" and not self.tokens[k].depth:
                start = phrase_end(self.tokens, k + 1, self.end) or k + 1
                shared = self.shared_at(skip_adverbs(self.tokens, start, self.end))
                if shared is not None:
                    return shared
        return None

    def is_in_clause(self) -> bool:
        """Whether the joint is inside a subordinate clause of the preceding predicate."""
        opens = [i for i in range(self.start + 1, self.k) if self._subordinates(i)]
        if opens and self.tokens[self.k].comma and self.tokens[self.k + 1].low in _BUT:
            # ", and" ends the clause unless it closes a list inside it: "where he sang, taught,
            # and"
            after = (i + 1 for i in range(opens[0], self.k) if self.tokens[i].comma)
            verbs = (skip_adverbs(self.tokens, i, self.k) for i in after)
            return any(i < self.k and finite_at(self.tokens, i, self.k) for i in verbs)
        return bool(opens)

    def _subordinates(self, i: int) -> bool:
        low = self.tokens[i].low
        if low not in _SUBORDINATORS or self.tokens[i].depth:
            return False
        if low == "since":
            return self.tokens[i + 1].low in {"he", "she", "they", "it"}
        return low != "being" or self.tokens[i - 1].comma

    def ends_examples(self) -> bool:
        """Whether an -ed form and a noun end a list of examples: "and organized crime,"."""
        at = self.next_verb
        words = self.tokens[self.start : at]
        ends = at + 2 >= self.end or self.tokens[at + 2].comma
        plain = self.tokens[at].low.endswith("ed") and _is_noun(self.tokens[at + 1])
        return ends and plain and any(t.low in {"including", "such"} for t in words)

    def opens_making(self) -> bool:
        """Whether a participle about a created work follows: ", published in 1970, and died"."""
        low, after = (self.tokens[self.next_verb + i].low for i in (0, 1))
        return low in MAKING and after in PREPOSITIONS and not self.shared

    def joins_adjectives(self) -> bool:
        """Whether the joint connects two adjectives: "a grumpy and opinionated man"."""
        adjective, after = self.tokens[self.k - 1].low, self.tokens[self.k + 1].low
        article = self.tokens[self.k - 2].low in {"a", "an"} and not is_role(adjective)
        joined = self.tokens[self.k].low == "and" and after.endswith("ed")
        return article and joined and _is_noun(self.tokens[self.k + 2])

    @cached_property
    def verb_end(self) -> int:
        """Index after the verb group: "was elected"."""
        main = self.verb
        if self.tokens[main].low in AUXILIARIES:
            main = skip_adverbs(self.tokens, main + 1, self.k)
        return main + 1 + (self.tokens[main].low == "been")

    def follows_verbs(self) -> bool:
        """Whether only bare verbs precede the joint: "wrote, directed, and produced"."""
        i = self.verb_end
        while i < self.k and self.tokens[i].comma:
            verb = skip_adverbs(self.tokens, i + 1, self.k)
            if not (finite_at(self.tokens, verb, self.k) or is_participle(self.tokens, verb)):
                break
            i = verb + 1
        return self.k <= i + self.tokens[i].comma if i > self.verb_end else self.k <= i

    def inserts_verb(self) -> bool:
        """Whether a second verb is inserted: "was elected, and later re-elected, mayor"."""
        if self.k != self.verb_end + 1 or not self.tokens[self.verb_end].comma:
            return False
        main = skip_adverbs(self.tokens, self.k + 1, self.clause_end)
        while self.tokens[main].low in AUXILIARIES | {"not"}:
            main += 1  # "was named, but did not become, mayor"
        return self.tokens[main + 1].comma


def _is_noun(token: Token) -> bool:
    """Whether a token may be a common noun, as in "and written works"."""
    return not token.capital and token.word and token.low not in SMALL


def phrase_end(tokens: Sequence[Token], i: int, b: int) -> int | None:
    """Returns the index of the verb after ", with two friends," or "despite his age,", or None."""
    comma = tokens[i].comma
    if not comma and tokens[i].low not in PREPOSITIONS:
        return None
    for k in range(i + comma + 1, b - 1):
        at_comma = tokens[k].comma
        if at_comma and finite_at(tokens, skip_adverbs(tokens, k + 1, b), b):
            return k + 1
        if not comma and (at_comma or finite_at(tokens, k, b)):
            timed = is_time(tokens, i, k) or tokens[k - 1].low == "then"
            joined = tokens[i - 1].low in {"and", "but", ","}
            return k if timed and joined and not at_comma else None  # "and by 1990 had moved"
    return None


# fmt: off
_BARE: Table[Joint, bool] = Table("verbs that share an object", (
    Row("adjectives", "Two adjectives of one noun are not verbs.",
        "Ann Lee is a brave and determined girl.",
        Joint.joins_adjectives, True),
    Row("verbs", "Only verbs are before the joint.",
        "Ann Lee owns and runs a shop.",
        Joint.follows_verbs, True),
    Row("inserted verb", "A second verb is inserted between commas.",
        "Ann Lee was elected, and later re-elected, mayor of Leeds.",
        Joint.inserts_verb, True),
    Row("participle", "A form in -ed is right before the joint.",
        "Ann Lee led a publicly owned and operated mill.",
        lambda j: j.tokens[j.k].low == "and" and j.tokens[j.k - 1].low.endswith("ed"), True),
), otherwise=False)

_UNCUT: Table[Joint, bool] = Table("joints inside a predicate", (
    Row("no verb", "The next word is not a verb.",
        "Ann Lee grew up in Hull and Ripon.",
        lambda j: j.shared is None, True),
    Row("shared object", "The verbs share an object.",
        "Ann Lee owns and runs a shop.",
        _BARE.answer, True),
    Row("clause", "The joint is in a subordinate clause.",
        "She studied at a school where she sang and danced.",
        Joint.is_in_clause, True),
    Row("examples", "The last of several examples opens with a form in -ed.",
        "Ann Lee covered topics such as rights, and organized crime, and was known for wit.",
        Joint.ends_examples, True),
    Row("listed verbs", "Bare verbs were listed before.",
        "Ann Lee taught, wrote a method that is still in print, and sang in Leeds.",
        lambda j: j.listed and j.next > j.k + 1, True),
    Row("making", "What was made follows the comma.",
        "Ann Lee wrote a novel, published in 1970, and died in Leeds.",
        lambda j: j.is_plain_comma() and j.opens_making(), True),
    Row("open list", "No verb closes the list that a comma opens.",
        "Ann Lee returned to Leeds in 1860, joined the army.",
        lambda j: j.is_plain_comma() and j.closing is None, True),
), otherwise=False)
# fmt: on


def cut_predicates(
    tokens: Sequence[Token], a: int, b: int, clause_end: int, subject: str
) -> list[Predicate]:
    """Splits "was born in X and moved to Y" into predicates that share the subject."""
    start = phrase_end(tokens, a, b) or a
    verb = skip_adverbs(tokens, start, b)
    last = Predicate("", start, b, (a, start))
    if [t.low for t in tokens[start : start + 2]] == ["not", "only"]:
        return [last]
    if any(t.low in HEDGES for t in tokens[start:verb]):
        return [last]  # "allegedly stole and sold"
    cut: list[Predicate] = []
    listed, k = False, verb + 1
    while k < b:
        if tokens[k].depth or tokens[k].low not in _BUT | {","}:
            k += 1
            continue
        opener = tokens[a - 1].low
        joint = Joint(tokens, k, last.start, verb, b, clause_end, subject, opener, listed)
        following = _next_predicate(joint)
        if following is None:
            lists = joint.shared is not None and tokens[k].comma
            listed = listed or (lists and _BARE.answer(joint))
            k += 1
            continue
        cut.append(replace(last, end=k))
        last = following
        at = skip_adverbs(tokens, last.start, b)
        verb, k = (verb if last.prefix else at), at + 1
    return [*cut, last]


def _next_predicate(joint: Joint) -> Predicate | None:
    """Returns the predicate after a joint, or None if the joint is inside a predicate."""
    start = phrase_end(joint.tokens, joint.next, joint.end)
    if start is not None and not (joint.is_plain_comma() and joint.closing is None):
        shared = joint.shared_at(skip_adverbs(joint.tokens, start, joint.end))
        if shared is not None and not joint.is_in_clause():
            return Predicate(shared, start, joint.end, (joint.next, start))
    if _UNCUT.answer(joint):
        return None
    shared = joint.shared or ""
    if joint.is_plain_comma() and not shared:
        second = SecondVerb(joint.tokens, joint.verb, joint.next_verb, joint.end, joint.subject)
        if second.may_be_done():  # "was arrested, tried for theft, and sentenced to"
            shared = joint.closing or ""
    return Predicate(shared, joint.next, joint.end, (joint.next, joint.next))
