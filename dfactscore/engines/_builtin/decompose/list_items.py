"""Where a list begins and how it is split into items: "wrote | plays, a novel and two songs"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dfactscore._text.role_words import is_role
from dfactscore.engines._builtin.decompose.nouns import (
    ORDINALS,
    PHRASE_OPENERS,
    is_modifier,
    is_plural,
    opens_phrase,
)
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.rows import Row, Table, WordCase
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.verbs import finite_at, is_adverb
from dfactscore.engines._builtin.language.word_classes import (
    DETERMINERS,
    POSSESSIVES,
    PREPOSITIONS,
    PRONOUNS,
    RELATIVES,
    SMALL,
    is_adjective_ed,
    is_finite_form,
    past_of_any_gerund,
    word_list,
)

OPEN = DETERMINERS - {"this", "that", "these", "those", "both", "all", "each", "every", "another"}
QUANTITIES = word_list("quantities")
ITEM_OPENERS = OPEN | QUANTITIES
_NAMELESS = QUANTITIES | {"one", "another", "other"}
_NO_ITEMS = PRONOUNS | {"and", "who", "which", "whose", "then", "not", "its", "their"}
_CLAUSES = frozenset({"who", "which", "that", "where", "while", ";", "etc"})
_QUOTES = frozenset('"“”‘')
PLACING = frozenset({"with", "in", "to", "for", "from", "at", "against", "by", "on"})
_REPEATED = PREPOSITIONS | {"the"}
_BEFORE_NOUN = DETERMINERS | {"and"}
_MATCHED = OPEN - {"the"}
_WITH_TO = word_list("with_to")  # "contributions to set theory and topology"
_LINKS = frozenset({"of", "for", "in", "with", "on", "from", "at"})


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words that may be an item."""

    tokens: Sequence[Token]
    x: int  # index of the first token
    y: int  # index after the last token
    words: Sequence[int]  # indices of the tokens outside brackets and quotations
    nested: bool

    @property
    def first(self) -> Token:
        """The first word of the span."""
        return self.tokens[self.x]

    def opens_with_number(self) -> bool:
        """Whether "one", "some" or "the other" opens the span without a noun."""
        number = self.x + (self.first.low == "the")
        nameless = self.tokens[number].low in _NAMELESS
        return nameless and self.tokens[number + 1].low in PHRASE_OPENERS | {"a", "an", "one"}

    def opens_with_past(self) -> bool:
        """Whether the first word is an -ed verb and not a title such as "Seaweed"."""
        low = self.first.low
        past = low.endswith("ed") and not self.first.capital
        return past and is_finite_form(low) and not is_adjective_ed(low)

    def opens_clause(self, k: int) -> bool:
        """Whether a clause or an independent part begins at `k`, or a list ends with "etc".

        "Code: Red" is a title.
        """
        token = self.tokens[k]
        colon = token.text == ":" and not self.tokens[k + 1].capital
        return colon or token.low in _CLAUSES

    def joins(self, k: int) -> bool:
        """Whether an "and" at `k` joins more than words within an item."""
        alike = self.tokens[k - 1].capital == self.tokens[k + 1].capital
        return self.tokens[k].low == "and" and not (self.nested and alike)


# fmt: off
_NOT_ITEMS: Table[Stretch, bool] = Table("words that are not an item", (
    Row("ordinal", "An ordinal without its noun is not an item.",
        "Ann Lee sang in the 12th and 14th festivals and became a teacher.",
        lambda s: s.tokens[s.y - 1].low.endswith(ORDINALS), True),
    Row("adjectives", "Two adjectives of one noun are not items.",
        "Ann Lee is known for her exaggerated, over-the-top style and her wit.",
        lambda s: s.tokens[s.y].text == "," and is_adjective_ed(s.tokens[s.y - 1].low), True),
    Row("one for", "A number without its noun is not an item.",
        "Ann Lee won two medals, one for courage and another for long service.",
        Stretch.opens_with_number, True),
    Row("half", "A half adds to the number before it.",
        "Ann Lee ran a mile and a half in 1990.",
        lambda s: s.first.low == "a" and s.tokens[s.x + 1].low == "half", True),
    Row("past form", "A verb in -ed does not open an item.",
        "Ann Lee is the sister of famed singer and acclaimed critic Tom Hill.",
        Stretch.opens_with_past, True),
    Row("pronoun", "A pronoun or a joining word does not open an item.",
        "Ann Lee lives with her husband Tom and their two dogs.",
        lambda s: s.first.low in _NO_ITEMS, True),
    Row("adverb", "An adverb does not open an item.",
        "Ann Lee runs in the 800 meters and formerly the 400 meters.",
        lambda s: is_adverb(s.first), True),
    Row("clause", "An item does not contain a clause.",
        "Ann Lee was educated at York (BA); at Leeds (MA); and at Hull.",
        lambda s: any(s.opens_clause(k) for k in s.words), True),
    Row("joint", "An item does not contain a second \"and\".",
        "Ann Lee has three children, two sons and a daughter, and two dogs.",
        lambda s: any(s.joins(k) for k in s.words), True),
    Row("verb", "An item does not contain a finite verb.",
        "Ann Lee allegedly stole the plans and sold them to France.",
        lambda s: any(not s.tokens[k].low.endswith(("s", "ed")) and finite_at(s.tokens, k, s.y)
                      for k in s.words), True),
    Row("mark", "An item begins with a word or a quotation mark.",
        "Her songs came from the hills and, in particular, the farms of Kent.",
        lambda s: not s.first.word and s.first.text not in _QUOTES, True),
), otherwise=False)
# fmt: on


def is_item(tokens: Sequence[Token], x: int, y: int, *, nested: bool = False) -> bool:
    """Whether a span can be one of several items: it contains no verb, clause or joint."""
    words = [k for k in range(x, y) if not tokens[k].depth]
    return not _NOT_ITEMS.answer(Stretch(tokens, x, y, words, nested))


def list_cuts(tokens: Sequence[Token], a: int, b: int) -> list[Range]:
    """Returns where the last list is split: the end of each item and the start of the next."""
    joints = [k for k in range(a, b - 1) if not tokens[k].depth and _joint(tokens, k)]
    if not joints:
        return []
    # "A, B, and C and D": the comma says which "and" closes the list
    closed = (k for k in reversed(joints) if tokens[k - 1].text in {",", '"', "”"})
    joint = next(closed, joints[-1])
    end = joint - (tokens[joint - 1].text == ",")
    cuts = [(end, joint + _joint(tokens, joint))]
    for k in range(end - 1, a, -1):
        quoted = _ends_quoted_item(tokens, k) and k + 1 < end
        if not quoted and (not tokens[k].comma or _is_inside_item(tokens, k, cuts[0][1])):
            continue
        if not is_item(tokens, k + 1, cuts[-1][0]):
            break
        cuts.append((k + quoted, k + 1))
    return cuts[::-1]


def _joint(tokens: Sequence[Token], k: int) -> int:
    """Returns the number of words in "and" or "as well as" at `k`; 0 for other words."""
    if [t.low for t in tokens[k : k + 3]] == ["as", "well", "as"]:
        return 3
    return int(tokens[k].low == "and")


def _is_inside_item(tokens: Sequence[Token], k: int, last: int) -> bool:
    """Whether the comma at `k`, which is before the last item of a list, is inside an item.

    It is inside a name with a rank ("the son of Tom IV, Duke of Kent, and Eva Hill") and inside a
    place name ("the University of California, Berkeley and a degree").
    """
    following, opener = tokens[k + 1].low, tokens[last].low
    rank = is_role(following) and tokens[k + 2].low == "of" and following != opener
    place = opener in {"a", "an"} and following not in ITEM_OPENERS
    return tokens[k - 1].capital and (rank or place)


def _ends_quoted_item(tokens: Sequence[Token], k: int) -> bool:
    """Whether a quotation that ends with a comma closes at `k`: ""Elm," "Oak" and "Ash"."""
    comma = tokens[k - 1]
    return tokens[k].text in {'"', "”"} and comma.text == "," and comma.depth > 0


def items_between(start: int, cuts: Sequence[Range], b: int) -> list[Range]:
    """Returns the items between the cuts."""
    starts = [start, *(following for _, following in cuts)]
    ends = [*(end for end, _ in cuts), b]
    return list(zip(starts, ends, strict=True))


@dataclass(frozen=True)
class JointCase(WordCase):
    """A word before the joint, together with the last conjunct."""

    verb_end: int  # earliest index at which the conjuncts can start, after the verb
    last: int  # index of the first token of the last conjunct

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
        return self.low in _LINKS and self.has_opener() and self.at - 1 > self.verb_end

    def is_gerund(self) -> bool:
        """Whether the word is an -ing form and the last conjunct does not begin with one."""
        return past_of_any_gerund(self.low) != "" and not past_of_any_gerund(self.last_low)

    def follows_noun(self) -> bool:
        """Whether the -ing form describes what a noun does: "her work uncovering fraud"."""
        plain = self.at - 1 > self.verb_end and self.before.low not in _BEFORE_NOUN
        return plain and not is_plural(self.after) and not opens_phrase(self.before)

    def has_object(self) -> bool:
        """Whether the -ing form follows a preposition and is followed by its object."""
        return self.at + 2 < self.end and self.before.low in PREPOSITIONS


# fmt: off
_STARTS: Table[JointCase, int | None] = Table("start of the first joined thing", (
    Row("quotation", "A quotation or a title is read as a word.",
        "Ann Lee is known for her roles in Without a Trace and Devious Maids.",
        lambda p: p.token.depth or (p.token.capital and p.low in PREPOSITIONS), None),
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
        lambda p: p.low in PREPOSITIONS and p.is_own() and p.at - 1 > p.verb_end, None),
    Row("complement of a name", "A name holds its complement if the last thing opens with \"the\".",
        "She trained at the New Orleans Center for Creative Arts and the Ailey School.",
        lambda p: p.low in {"of", "for"} and p.before.capital and p.last_low == "the", None),
    Row("complement", "A noun holds its complement if the last thing has an article.",
        "Ann Lee has a record of 12 wins, 3 losses, and 2 draws.",
        JointCase.links_noun, None),
    Row("purpose as well as", "Two purposes of an act are not cut at \"as well as\".",
        "Ann Lee initiated programs to protect forests as well as campaigns to promote recycling.",
        lambda p: p.is_verbal_to() and p.tokens[p.last - 1].low == "as", None),
    Row("purpose", "The objects of a verb after \"to\" are joined.",
        "Ann Lee hoped to become a writer and feminist.",
        JointCase.is_verbal_to, 2),
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
        JointCase.matches_opener, 0),
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
        offset = _STARTS.answer(JointCase(tokens, k, end, verb_end, last))
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
    # "degrees from | Kent in 1894 and Yale in 1901", "in the bands | Elm in Ohio and Oak in Kent"
    names = [k for k in range(start + 1, end) if tokens[k].capital and not tokens[k - 1].capital]
    after = _after_name(tokens, last)
    alike = (
        k
        for k in names
        if tokens[k - 1].low.endswith("s") and _after_name(tokens, k) == after in PLACING
    )
    placed = (k for k in names if tokens[k - 1].low in PLACING)
    return next(alike, next(placed, start))


def _after_name(tokens: Sequence[Token], k: int) -> str:
    """Returns the first word after the capitalized words at `k`."""
    while tokens[k].capital:
        k += 1
    return tokens[k].low
