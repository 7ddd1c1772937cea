"""Finds where the first of several conjuncts begins: "won | a cup in Leeds and a medal"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dfactscore.engines._builtin.decompose.list_items import ITEM_OPENERS, OPEN
from dfactscore.engines._builtin.decompose.nouns import is_modifier, is_plural, opens_phrase
from dfactscore.engines._builtin.language.rows import Row, Table
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.word_classes import (
    DETERMINERS,
    POSSESSIVES,
    PREPOSITIONS,
    RELATIVES,
    SMALL,
    past_of_any_gerund,
)
from dfactscore.engines._builtin.language.word_lists import word_list

PLACING = frozenset({"with", "in", "to", "for", "from", "at", "against", "by", "on"})
_REPEATED = PREPOSITIONS | {"the"}
_BEFORE_NOUN = DETERMINERS | {"and"}
_MATCHED = OPEN - {"the"}
_WITH_TO = word_list("with_to")  # "contributions to set theory and topology"
_LINKS = frozenset({"of", "for", "in", "with", "on", "from", "at"})


@dataclass(frozen=True, slots=True)
class Place:
    """A word before the joint, together with the last conjunct."""

    tokens: Sequence[Token]
    k: int
    verb_end: int
    end: int
    last: int  # index of the first token of the last conjunct

    @property
    def low(self) -> str:
        """The word in lowercase."""
        return self.tokens[self.k].low

    @property
    def before(self) -> Token:
        """The token before the word."""
        return self.tokens[self.k - 1]

    @property
    def after(self) -> Token:
        """The token after the word."""
        return self.tokens[self.k + 1]

    @property
    def last_low(self) -> str:
        """The first word of the last conjunct, in lowercase."""
        return self.tokens[self.last].low

    def has_opener(self) -> bool:
        """Whether the last conjunct has an article, a quantity or a number of its own."""
        token, after = self.tokens[self.last], self.tokens[self.last + 1]
        if token.low == "other" or (token.low == "the" and after.capital):
            return False
        return token.low in ITEM_OPENERS or token.text[0].isdigit()

    def is_verbal_to(self) -> bool:
        """Whether the word is "to" and a verb follows it."""
        noun = self.after.capital or self.after.low in DETERMINERS or self.before.low in _WITH_TO
        noun = noun or is_modifier(self.after.low) or self.after.low == self.last_low
        return self.low == "to" and not noun

    def is_own(self) -> bool:
        """Whether the last conjunct begins with "her" or the like."""
        return self.last_low in POSSESSIVES

    def matches_opener(self) -> bool:
        """Whether both conjuncts begin with the same type of word, such as an article."""
        return (
            self.low in _MATCHED
            and self.has_opener()
            and (self.low in POSSESSIVES) == self.is_own()
        )

    def links_noun(self) -> bool:
        """Whether the word can introduce a noun's complement: "a degree in law and a doctorate"."""
        return self.low in _LINKS and self.has_opener() and self.k - 1 > self.verb_end

    def is_gerund(self) -> bool:
        """Whether the word is an -ing form and the last conjunct does not begin with one."""
        return past_of_any_gerund(self.low) != "" and not past_of_any_gerund(self.last_low)

    def follows_noun(self) -> bool:
        """Whether the -ing form describes what a noun does: "her work uncovering fraud"."""
        plain = self.k - 1 > self.verb_end and self.before.low not in _BEFORE_NOUN
        return plain and not is_plural(self.after) and not opens_phrase(self.before)

    def has_object(self) -> bool:
        """Whether the -ing form follows a preposition and is followed by its object."""
        return self.k + 2 < self.end and self.before.low in PREPOSITIONS


# fmt: off
_STARTS: Table[Place, int | None] = Table("start of the first joined thing", (
    Row("quotation", "A quotation or a title is read as a word.",
        "Ann Lee is known for her roles in Without a Trace and Devious Maids.",
        lambda p: p.tokens[p.k].depth or (p.tokens[p.k].capital and p.low in PREPOSITIONS), None),
    Row("again", "The first thing begins at the word that opens the last.",
        "Ann Lee spent ten years of her life as a cook at Elm House and at Oak House.",
        lambda p: p.low == p.last_low and p.low in _REPEATED
        and not (p.low == "of" and p.before.capital), 0),
    Row("relative", "After \"of\" a person and a relative are joined.",
        "She was the daughter of King Wulfric and his second wife Edith.",
        lambda p: p.low == "of"
        and any(t.low in RELATIVES for t in p.tokens[p.last + 1 : p.last + 3]), 1),
    Row("own", "A complement is in the first thing if the last opens with \"her\".",
        "Ann Lee is known for her wit as an artist and her dedication to her craft.",
        lambda p: p.low in PREPOSITIONS and p.is_own() and p.k - 1 > p.verb_end, None),
    Row("complement of a name", "A name holds its complement if the last thing opens with \"the\".",
        "She trained at the New Orleans Center for Creative Arts and the Ailey School.",
        lambda p: p.low in {"of", "for"} and p.before.capital and p.last_low == "the", None),
    Row("complement", "A noun holds its complement if the last thing has an article.",
        "Ann Lee has a record of 12 wins, 3 losses, and 2 draws.",
        Place.links_noun, None),
    Row("purpose as well as", "Two purposes of an act are not cut at \"as well as\".",
        "Ann Lee initiated programs to protect forests as well as campaigns to promote recycling.",
        lambda p: p.is_verbal_to() and p.tokens[p.last - 1].low == "as", None),
    Row("purpose", "The objects of a verb after \"to\" are joined.",
        "Ann Lee hoped to become a writer and feminist.",
        Place.is_verbal_to, 2),
    Row("other preposition", "The last thing's preposition is another.",
        "Ann Lee was educated by Tom Hill and at Elm College.",
        lambda p: p.last_low in PREPOSITIONS, None),
    Row("preposition", "The first thing begins after a preposition.",
        "Ann Lee grew up in Hull and Ripon.",
        lambda p: p.low in PREPOSITIONS, 1),
    Row("number", "A number and another number are joined after \"the\".",
        "Ann Lee rowed at both the 1996 and 2000 Olympics.",
        lambda p: p.low == "the" and p.tokens[p.last].text[0].isdigit(), 1),
    Row("opener", "The first thing begins at a word of the kind that opens the last.",
        "The daughter of a baker and a nurse, Lee studied law.",
        Place.matches_opener, 0),
    Row("by doing", "The objects of a form in -ing after a preposition are joined.",
        "She is known for blending folk melodies, electronic textures, and orchestral writing.",
        lambda p: p.is_gerund() and (p.before.low == "by" or p.has_object()), 1),
    Row("noun doing", "The objects of a form in -ing after a noun are joined.",
        "Ann Lee was recognized for her work uncovering corruption and human rights abuses.",
        lambda p: p.is_gerund() and p.follows_noun(), 1),
), otherwise=None)
# fmt: on


def first_start(tokens: Sequence[Token], verb_end: int, end: int, last: int) -> int | None:
    """Returns the start of the first conjunct, which is after the verb or a preposition."""
    acts = tokens[last + 1].low in SMALL  # not "reading sessions"
    if acts and past_of_any_gerund(tokens[last].low):
        doing = _first_doing(tokens, verb_end, end)
        if doing is not None or past_of_any_gerund(tokens[end - 1].low):
            return doing  # "years living and working in Kent" stay together
    for k in range(end - 1, verb_end - 1, -1):
        offset = _STARTS.answer(Place(tokens, k, verb_end, end, last))
        if offset is not None:
            return k + offset
    return verb_end


def _first_doing(tokens: Sequence[Token], verb_end: int, end: int) -> int | None:
    """Returns the start of "raising funds" in "known for raising funds for X and helping Y"."""
    doings = (
        k
        for k in range(end - 1, verb_end - 1, -1)
        if past_of_any_gerund(tokens[k].low) and tokens[k - 1].low in PREPOSITIONS
    )
    return next(doings, None)


def start_with_adjuncts(tokens: Sequence[Token], verb_end: int, end: int, last: int) -> int:
    """Returns the start of the first conjunct if each has an adjunct of its own."""
    if tokens[last].low in POSSESSIVES:  # "known for | his work in Kent and his wit in Ohio"
        return next((k for k in range(verb_end, end) if tokens[k].low in POSSESSIVES), verb_end)
    start = verb_end + (tokens[verb_end].low in PREPOSITIONS)
    if not tokens[last].capital:
        return start
    # "degrees from | Kent in 1894 and Yale in 1901"
    placed = (
        k for k in range(start + 1, end) if tokens[k].capital and tokens[k - 1].low in PLACING
    )
    return next(placed, start)
