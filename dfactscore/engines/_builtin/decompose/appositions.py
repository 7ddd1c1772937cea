"""Words next to a name: the noun before it, an apposition, a relative clause."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from dfactscore._text.role_words import is_role
from dfactscore.engines._builtin.decompose.nouns import TIMES
from dfactscore.engines._builtin.language.clauses import Clause, Range
from dfactscore.engines._builtin.language.rows import Row, Table, WordCase
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.verbs import finite_at, is_adverb
from dfactscore.engines._builtin.language.word_classes import (
    AUXILIARIES,
    DETERMINERS,
    MONTHS,
    PREPOSITIONS,
    RELATIVES,
    SMALL,
    is_base_form,
    word_list,
)

CHILD = frozenset({"son", "sons", "daughter", "daughters", "child", "children"})
_SPOUSE = frozenset({"wife", "husband", "spouse"})
_KINDS = word_list("kinds_of_one")
_INSIDE = frozenset({"of", "de", "la", "del", "for"})
_FOLLOW = frozenset(
    {"and", "or", "who", "which", "whose", "where", "when", "to", "that", "there", "but"}
)
_BEFORE_NOUN = SMALL | _FOLLOW
_OWN = frozenset({"his", "her"})
_TIMES = word_list("times")
_OPENERS = frozenset({"a", "an", "the", "one"})
_PLACING = frozenset({"in", "at", "near", "on"})
_CLAUSES = frozenset({"who", "which", "that", "where", "before"})
_PHRASES = PREPOSITIONS | {"who", "which", "where"}
_COUNTS = word_list("quantities") - {"one", "other", "number", "range", "variety"}
_BEFORE_THING = PREPOSITIONS | _COUNTS
_BEFORE_PLACE = frozenset({"in", "at", "from", "near"})


def name_at(tokens: Sequence[Token], k: int, end: int) -> Range | None:
    """Returns the range of the quoted title or capitalized words that begin at `k`, or None."""
    if tokens[k].text in {'"', "“"}:
        close = next((i for i in range(k + 1, end) if tokens[i].text in {'"', "”"}), end)
        return (k, close + 1) if k + 1 < close < end else None
    if tokens[k].depth:
        return None
    following = stop = k
    while tokens[following].capital:
        following = stop = following + 1
        if tokens[stop].low in _INSIDE:  # "the Bank of the West"
            following += 1 + (tokens[stop + 1].low == "the")
    return (k, stop)


def ends_with_comma(tokens: Sequence[Token], y: int) -> bool:
    """Whether a quotation that closes right before `y` ends with a comma."""
    return tokens[y - 2].text == "," and tokens[y - 1].text in {'"', "”"}


@dataclass(frozen=True)
class NamedNoun(WordCase):
    """A noun before a name."""

    verb: int  # index of the clause's verb
    name: Range
    of_person: bool  # whether the clause's subject is the individual itself

    @property
    def comma(self) -> bool:
        """Whether a comma separates the noun from the name."""
        return self.after.comma

    @property
    def following(self) -> Token:
        """The token after the name."""
        return self.tokens[self.name[1]]

    @cached_property
    def first(self) -> int:
        """Index at which the noun and its description start."""
        return next(k for k in range(self.at, -1, -1) if self._precedes(k - 1))

    def _precedes(self, k: int) -> bool:
        """Whether the word at `k` precedes the noun's description."""
        word = self.tokens[k]
        plain = word.word and not word.text[0].isdigit() and not word.low.endswith("ing")
        opens = word.low in _BEFORE_NOUN | AUXILIARIES or is_adverb(word)
        return not plain or opens or finite_at(self.tokens, k, self.at)

    @property
    def opener(self) -> str:
        """The word before the noun and its description, in lowercase."""
        return self.tokens[self.first - 1].low

    def says_kind(self) -> bool:
        """Whether the noun names a relative, a role or a type of work."""
        known = self.low in RELATIVES or is_role(self.low) or self.low in _KINDS
        return known and not self.token.capital

    def is_bounded(self) -> bool:
        """Whether the description is complete, unlike "the British singing | competition show"."""
        return self.first - 1 <= self.verb or self.opener in _BEFORE_NOUN

    def precedes_noun(self) -> bool:
        """Whether a noun follows the name: "the film Star Wars franchise"."""
        after = self.following
        continued = after.text in "+:"  # "the film Code: Red"
        ends = not after.word or after.low in PREPOSITIONS | _FOLLOW or is_adverb(after)
        return self.name[1] < self.end and (continued or not ends)

    def is_of_parent(self) -> bool:
        """Whether the noun is a parent's spouse: "the daughter of Tom Hill and his wife Eva"."""
        words = self.tokens[max(self.verb, 0) : self.at]
        before_of = itertools.takewhile(lambda t: t.low != "of", words)
        return self.low in _SPOUSE and any(t.low in CHILD for t in before_of)

    def is_of_object(self) -> bool:
        """Whether "his" may refer to the object: "reconciled Tom with his daughter Eva"."""
        for k in range(self.verb + 1, self.first - 1 if self.opener in _OWN else 0):
            before = self.tokens[k - 1]
            opens = self.tokens[k].capital and before.word and not before.capital
            if opens and before.low not in SMALL:
                name = name_at(self.tokens, k, self.end)
                if name and self.tokens[name[1]].low in PREPOSITIONS:
                    return True
        return False


def noun_before(
    tokens: Sequence[Token], clause: Clause, name: Range, *, of_person: bool
) -> NamedNoun:
    """Returns the noun before a name, and before the comma between them."""
    at = name[0] - 1 - tokens[name[0] - 1].comma
    return NamedNoun(tokens, at, clause.end, clause.verb, name, of_person)


# fmt: off
NOUN_BEFORE: Table[NamedNoun, Literal["relation", "kind"] | None] = Table("noun before a name", (
    Row("infinitive", "A base form after \"to\" is a verb.",
        "Ann Lee was the first to coach Tom Hill.",
        lambda n: n.before.low == "to" and is_base_form(n.low), None),
    Row("role in the name", "A role that opens the name belongs to the noun before it.",
        "Ann Lee was the abstentionist Member of Parliament for Kent.",
        lambda n: is_role(n.tokens[n.name[0]].low), None),
    Row("joined names", "\"and\" after the name may be part of it.",
        "Ann Lee founded the charity Read and Grow.",
        lambda n: n.following.low == "and" and n.tokens[n.name[1] + 1].capital
        and not is_role(n.low), None),
    Row("open name", "A name after a comma is not the noun's if the sentence continues.",
        "Ann Lee released the album, Sky Road in 1990.",
        lambda n: n.comma and n.name[1] < n.end and n.following.text not in ",."
        and not ends_with_comma(n.tokens, n.name[1]), None),
    Row("noun after", "The name describes the noun after it.",
        "Ann Lee wrote for the magazine Elm Tree section.",
        NamedNoun.precedes_noun, None),
    Row("joined nouns", "The noun is joined with another before it.",
        "Ann Lee wrote the book and film Sky Road.",
        lambda n: n.before.low in {"and", "or", "of"}, None),
    Row("spouse of a parent", "A spouse after a parent is the parent's.",
        "Ann Lee was the daughter of Tom Hill and his wife Eva Hill.",
        NamedNoun.is_of_parent, None),
    Row("relative of the object", "\"his\" after an object may mean the object.",
        "Ann Lee reconciled Tom Hill with his brother Bob Hill.",
        NamedNoun.is_of_object, None),
    Row("own relation", "A noun after \"her\" is the subject's.",
        "Ann Lee married her manager Tom Hill.",
        lambda n: n.opener in _OWN and n.of_person, "relation"),
    Row("another's", "A relation without \"her\" is of someone else.",
        "Ann Lee met the king's brother Tom Hill.",
        lambda n: n.low in RELATIVES or (n.comma and n.opener != "the")
        or n.opener in DETERMINERS - {"the", "a", "an"}, None),
    Row("kind", "A noun with its article says what the name is.",
        "Ann Lee met the poet Tom Hill.",
        lambda n: n.opener == "the" or n.opener in PREPOSITIONS or n.first < n.at
        or n.low in _KINDS, "kind"),
), otherwise=None)
# fmt: on


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
        lambda w: w.tokens[w.first - 1].low in _BEFORE_PLACE
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
