"""Conjuncts that stay together: "the vast and unforgiving terrain"."""

from __future__ import annotations

import itertools

from dfactscore.engines._builtin.decompose._alike import are_alike
from dfactscore.engines._builtin.decompose.joined import Joined
from dfactscore.engines._builtin.decompose.list_items import OPEN, QUANTITIES, is_item
from dfactscore.engines._builtin.decompose.nouns import is_modifier, is_plural
from dfactscore.engines._builtin.language.adverbs import is_year
from dfactscore.engines._builtin.language.rows import Row, Table
from dfactscore.engines._builtin.language.word_classes import (
    PREPOSITIONS,
    is_role,
    past_of_any_gerund,
)
from dfactscore.engines._builtin.language.word_lists import word_list

_TOGETHER = word_list("together")
_UNITS = word_list("units")
_COUNTED = QUANTITIES - {"other", "some", "one"}
_LAST_NOUNS = frozenset({"railroad", "railway", "company", "corporation", "centuries"})


def _mix_prepositions(j: Joined) -> bool:
    """Whether only some conjuncts begin with a preposition, or with a year."""
    opens = [t.low in PREPOSITIONS for t in j.openers]
    dated = {is_year(j.tokens[x + 1].text) for x, _ in j.items}
    return any(opens[1:]) and (len(dated) > 1 or not all(opens))


def _hold_more_than_items(j: Joined) -> bool:
    """Whether one of the conjuncts cannot be an item."""
    clauses = len(j.items) == 2 and j.opener.low == "the"  # "the mayor of A and B, and the judge"
    nested = (j.follows_comma() and not clauses) or j.adds()
    skipped = j.tokens[j.start].low in {"their", "its"}
    first = is_item(j.tokens, j.start + skipped, j.items[0][1], nested=nested)
    return not (first and all(is_item(j.tokens, *item, nested=nested) for item in j.items[1:]))


def _share_counted_noun(j: Joined) -> bool:
    """Whether the first conjunct is a quantity and its noun follows the last word."""
    head = j.tokens[j.items[0][1] - 1]
    counted = j.tokens[j.start].low in _COUNTED
    return counted and not (is_plural(head) or is_modifier(head.low))


def _has_aside(j: Joined) -> bool:
    """Whether a comma and an -ed form are in the first conjunct: "the mill, valued at a pound"."""
    words = itertools.pairwise(j.tokens[slice(*j.items[0])])
    return any(comma.comma and t.low.endswith("ed") for comma, t in words)


def _precede_object(j: Joined) -> bool:
    """Whether two names and another object follow a verb: "gave | Tom and Eve | a cake"."""
    after = next((t.low for t in j.tokens[j.last + 1 : j.b] if not t.capital), "")
    return len(j.items) == 2 and j.start == j.verb_end and j.are_names() and after in {"a", "an"}


# fmt: off
UNDIVIDED: Table[Joined, bool] = Table("joined things that stay together", (
    Row("participle", "A phrase with a form in -ing is one fact.",
        "Ann Lee lived in Illinois during her career as a physician and politician.",
        lambda j: j.tokens[j.a].low.endswith("ing"), True),
    Row("with a number", "A number after \"with\" is a part of what is before.",
        "Ann Lee is known for punches, with 18 of her wins by knockout and 9 by points.",
        lambda j: j.tokens[j.a].low == "with" and j.tokens[j.verb_end].text.isdigit(), True),
    Row("comma after verb", "A comma after the verb opens another phrase.",
        "Ann Lee sold, in a few days, enough pears, plums and figs.",
        lambda j: j.tokens[j.verb_end].comma, True),
    Row("ranks", "Two superlatives with clauses are one phrase.",
        "Her journal is the first to describe the lakes of Kent and the only source for the flood.",
        lambda j: j.is_ranked(j.last), True),
    Row("another name", "A second name of a title is not another title.",
        "Ann Lee sang. Her books include \"Elm\" also known as \"Oak\", \"Ash\" and \"Fir\".",
        lambda j: any(t.depth for t in j.tokens[j.a : j.lead - 3])
        and [t.low for t in j.tokens[j.lead - 3 : j.lead]] == ["also", "known", "as"], True),
    Row("together", "A word such as \"between\" needs both things.",
        "Ann Lee was head of Customs between 1923 and 1927.",
        lambda j: any(t.low in _TOGETHER for t in j.tokens[j.a : j.lead + 1]), True),
    Row("prepositions", "Only some of the things open with a preposition.",
        "Her journal was published in 1797 in Leeds and in 1801 in York. Ann Lee kept it.",
        _mix_prepositions, True),
    Row("doing", "A form in -ing between nouns opens another phrase.",
        "Ann Lee resigned in 2004, citing illness and a wish to travel.",
        lambda j: any(past_of_any_gerund(t.low) for t in j.openers[1:-1])
        and j.last_opener.low in OPEN | QUANTITIES, True),
    Row("complement", "\", as well as\" after a complement with \"of\" adds to the noun before it.",
        "Ann Lee covers news of the town and its mills, as well as articles of use to students.",
        lambda j: j.adds() and j.before.low == "of", True),
    Row("no items", "A clause or a verb is among the things.",
        "She studied at a school where she sang and danced.",
        _hold_more_than_items, True),
    Row("comma", "A comma before \"and\" opens another phrase, or ends an aside.",
        "Ann Lee has taught at Elm College, and Kent University.",
        lambda j: len(j.items) == 2 and j.follows_comma()
        and (j.last_opener.low != j.tokens[j.start].low or _has_aside(j)), True),
    Row("years", "Two years after \"the\" share a noun.",
        "Ann Lee won medals in the 2008 and 2013 races.",
        lambda j: is_year(j.tokens[j.start].text) and j.before.low == "the", True),
    Row("last noun", "A last word such as \"Railroad\" or \"centuries\" is of all.",
        "Ann Lee worked with the Chicago, Burlington and Quincy Railroad from 1900.",
        lambda j: j.tokens[j.b - 1].low in _LAST_NOUNS, True),
    Row("roles", "Two roles before a name are of one person.",
        "Ann Lee is the son of the artist and writer William Hooper.",
        lambda j: is_role(j.tokens[j.items[0][1] - 1].low) and is_role(j.last_opener.low)
        and j.tokens[j.last + 1].capital, True),
    Row("adjectives", "Two adjectives, the second in -ing, share a noun.",
        "Ann Lee was proficient in navigating the vast and unforgiving terrain.",
        lambda j: j.tokens[j.items[0][1] - 2].low == "the" and j.last_opener.low.endswith("ing"),
        True),
    Row("units", "Years, months and days are one measure.",
        "Ann Lee gave birth at the age of five years, seven months, and 21 days.",
        lambda j: any(j.tokens[y - 1].low in _UNITS for _, y in j.items)
        and j.last_opener.text[0].isdigit(), True),
    Row("counted noun", "A quantity counts what the last noun names.",
        "Ann Lee won multiple art and design prizes.",
        _share_counted_noun, True),
    Row("names before an object", "Two names before another object can be one title.",
        "Tom Hill earned Master and Commander an Oscar. Ann Lee saw it.",
        _precede_object, True),
    Row("unlike", "Things that are not alike stay together.",
        "Ann Lee had two daughters, Ann and Rosemary.",
        lambda j: j.common_complement is None and j.common_noun is None
        and not j.gapped and not are_alike(j), True),
), otherwise=False)
# fmt: on
