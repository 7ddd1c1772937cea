"""Finds where a list is split into items: "plays, a novel and two songs"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dfactscore.engines._builtin.decompose.times import ORDINALS, PHRASE_OPENERS
from dfactscore.engines._builtin.language.adverbs import is_adverb
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.rows import Row, Table
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.verbs import finite_at
from dfactscore.engines._builtin.language.word_classes import (
    DETERMINERS,
    PRONOUNS,
    is_adjective_ed,
    is_finite_form,
    is_role,
)
from dfactscore.engines._builtin.language.word_lists import word_list

OPEN = DETERMINERS - {"this", "that", "these", "those", "both", "all", "each", "every", "another"}
QUANTITIES = word_list("quantities")
ITEM_OPENERS = OPEN | QUANTITIES
_NAMELESS = QUANTITIES | {"one", "another", "other"}
_NO_ITEMS = PRONOUNS | {"and", "who", "which", "whose", "then", "not", "its", "their"}
_CLAUSES = frozenset({"who", "which", "that", "where", "while", ";", "etc"})
_QUOTES = frozenset('"“”‘')


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
