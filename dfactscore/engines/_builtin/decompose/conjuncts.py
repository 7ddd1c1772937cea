"""Words joined by "and" that are split, or stay together: "plays and songs", "wit and wisdom"."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from dfactscore._text.role_words import is_role
from dfactscore.engines._builtin.decompose.joined import Joined, are_one_name, are_two_names, joined
from dfactscore.engines._builtin.decompose.list_items import (
    OPEN,
    PLACING,
    QUANTITIES,
    is_item,
    items_between,
    list_cuts,
)
from dfactscore.engines._builtin.decompose.nouns import UNITS, is_modifier, is_plural
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.rows import Row, Table
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.verbs import is_year
from dfactscore.engines._builtin.language.word_classes import (
    DETERMINERS,
    POSSESSIVES,
    PREPOSITIONS,
    is_base_form,
    past_of_any_gerund,
    word_list,
)

_FIXED = word_list("fixed_pairs")  # one thing, not two
_AGENTS = ("er", "or", "ist", "ian")
_TOGETHER = word_list("together")
_COUNTING = QUANTITIES - {"other", "some", "one"}
_LAST_NOUNS = frozenset({"railroad", "railway", "company", "corporation", "centuries"})
Words = tuple[Range, ...]  # consecutive spans
_SHARED = POSSESSIVES | {"the", "a", "an"}
_COUNTED = DETERMINERS | QUANTITIES | {"one"}
_COUNTS = frozenset({"numerous", "several", "many", "various", "multiple"})


def _holds_and(j: Joined) -> bool:
    """Whether the "and" is part of a name: "Trinidad and Tobago", "Minister for X and Y"."""
    body = j.before.low in {"of", "for", "in"} and j.tokens[j.start - 2].capital
    return j.are_names() and ((body and j.start - 2 >= j.a) or are_one_name(j.tokens, j.items))


def _differ_in_article(j: Joined) -> bool:
    """Whether exactly one of two names begins with "the"."""
    differ = (j.opener.text == "the") != (j.last_opener.text == "the")
    return differ and len(j.items) == 2 and j.are_names()


def _are_places(j: Joined) -> bool:
    """Whether "with", "in" or the like precedes two names, or each name can stand alone."""
    placed = j.before.low in PLACING or j.start == j.a
    return placed or are_two_names(j.tokens, j.items)


def _are_plain(j: Joined) -> bool:
    """Whether the last name does not modify a noun: "Archives", but not "Archives program"."""
    words = j.tokens[slice(*j.items[-1])]
    complement = any(t.low in PREPOSITIONS for t in words)
    return words[-1].capital or words[-1].text == ")" or complement


def _can_part(j: Joined) -> bool:
    """Whether each of two names can stand alone."""
    long = all(y - x > 1 for x, y in j.items)
    placed = j.before.low in {"for", "in", "at", "with", "against"}
    return long or placed or are_two_names(j.tokens, j.items)


def _is_counted(j: Joined) -> bool:
    """Whether the first conjunct has an article or a number, is plural or is short."""
    (x, y), first = j.items[0], j.opener
    counted = first.low in OPEN or first.text[0].isdigit()
    return counted or first.low.endswith("s") or y - x <= 2


def _are_common(j: Joined) -> bool:
    """Whether two common nouns are joined and do not form a fixed pair."""
    first = j.heads[0].low
    words = (t for x, y in j.items for t in j.tokens[x:y])
    named = any(t.capital for t in words)
    fixed = f"{first}-{j.heads[1].low}" in _FIXED
    return j.sizes[0] > 1 and not (named or fixed or is_modifier(first))


def _balance(j: Joined) -> bool:
    """Whether both conjuncts are single words or agree in number."""
    first, last = (is_plural(head) for head in (j.heads[0], j.heads[-1]))
    return max(j.sizes) == 1 or (min(j.sizes) > 1 and first == last)


# fmt: off
_ALIKE: Table[Joined, bool] = Table("joined things of one kind", (
    Row("degree", "Adjectives after \"most\" are of one noun.",
        "Ann Lee is one of the most original and important authors.",
        lambda j: j.tokens[j.items[0][1] - 2].low in {"most", "more", "very"}, False),
    Row("act", "A verb with its object is not one of several things.",
        "Ann Lee helped modernize the town and improve its mills.",
        lambda j: any(is_base_form(j.tokens[x].text) and j.tokens[x + 1].low in DETERMINERS
                      for x, _ in j.items), False),
    Row("quotations", "Quoted titles are of one kind.",
        "Ann Lee sang in \"Rain\" and \"The Sky.\"",
        lambda j: any(t.depth for t in j.openers)
        and all(t.depth or t.capital for t in j.openers), True),
    Row("quotation and words", "A quoted title and other words are not of one kind.",
        "Ann Lee appeared in over 300 films, including the classic films \"Rain\" and \"Snow\".",
        lambda j: any(t.depth for t in j.openers), False),
    Row("one name", "\"and\" can be part of a name.",
        "Ann Lee is the Director of Elm News and Current Affairs.",
        _holds_and, False),
    Row("the second", "\"the\" opens the second of two names.",
        "Ann Lee is a graduate of Kent University and the Elm School of Law.",
        lambda j: _differ_in_article(j) and j.last_opener.low == "the" and _are_places(j), True),
    Row("the first", "\"the\" opens one name with \"and\" in it.",
        "Ann Lee is a senior fellow at the Ethics and Public Policy Center.",
        _differ_in_article, False),
    Row("names", "Several names are of one kind.",
        "Ann Lee wrote for the Times, Guardian, and Observer.",
        lambda j: j.are_names() and len(j.items) > 2 and _are_plain(j), True),
    Row("names before a noun", "Several names before a noun are of the noun.",
        "Ann Lee has played for Elm Town, Oak City and Ash United volleyball clubs.",
        lambda j: j.are_names() and len(j.items) > 2, False),
    Row("two names", "Two long names, or two places, are of one kind.",
        "Ann Lee grew up in Hull and Ripon.",
        lambda j: j.are_names() and _can_part(j), True),
    Row("name and noun", "A name and a noun are not of one kind.",
        "Ann Lee had two daughters, Ann and Rosemary.",
        lambda j: any(j.names) and not all(t.low in OPEN for t in j.openers), False),
    Row("articles", "Things with articles or numbers are of one kind.",
        "Ann Lee threw for over 27,000 yards and 183 touchdowns.",
        lambda j: j.has_counted_last() and _is_counted(j), True),
    Row("article in the last", "An article in just the last thing opens another phrase.",
        "Ann Lee appeared in minor roles in plays and several films.",
        lambda j: j.has_counted_last(), False),
    Row("number in the first", "A number in just the first thing counts nothing else.",
        "Ann Lee played in over 200 matches and experienced promotion to the top flight.",
        lambda j: j.opener.text[0].isdigit(), False),
    Row("prepositions", "Things with prepositions are of one kind.",
        "Ann Lee wrote for the \"Elm Review\" and for magazines.",
        lambda j: all(t.low in PREPOSITIONS for t in (j.opener, j.last_opener)), True),
    Row("list", "Three things are of one kind.",
        "Ann Lee is known for her folk, jazz, and choir music.",
        lambda j: len(j.items) > 2, True),
    Row("people", "Two roles are of one kind.",
        "Ann Lee served as its founder and musical director.",
        lambda j: all(is_role(h.low) or h.low.endswith(_AGENTS) for h in j.heads), True),
    Row("nouns", "Two nouns are of one kind unless they are a fixed pair.",
        "Ann Lee is known for her low vocal range and gentle ballads.",
        _are_common, True),
    Row("plural first", "A plural and another noun are of one kind.",
        "Ann Lee teaches politics and modern history.",
        lambda j: is_plural(j.heads[0]), True),
    Row("balanced", "Two single words, or two nouns of one number, are of one kind.",
        "Ann Lee is known for her wit and patience.",
        _balance, True),
), otherwise=False)
# fmt: on


def are_alike(things: Joined) -> bool:
    """Whether the conjuncts are of the same kind, so that each can stand alone."""
    return _ALIKE.answer(things)


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
    counted = j.tokens[j.start].low in _COUNTING
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
        lambda j: any(j.tokens[y - 1].low in UNITS for _, y in j.items)
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


def conjuncts(
    tokens: Sequence[Token], a: int, b: int, *, verb_end: int, gapped: bool = False
) -> list[Words]:
    """Splits the words joined by the last "and" of a span, or returns the whole span.

    Example:
        >>> from dfactscore.engines._builtin.language.tokenizer import tokenize
        >>> tokens = tokenize("wrote several plays, a novel and two songs")
        >>> for words in conjuncts(tokens, 0, len(tokens), verb_end=1):
        ...     print(" ".join(t.text for x, y in words for t in tokens[x:y]))
        wrote several plays
        wrote a novel
        wrote two songs
    """
    things = joined(tokens, a, b, verb_end, gapped=gapped)
    if things is None or UNDIVIDED.answer(things):
        return [((a, b),)]
    return _PARTS.answer(things)(things)


def listed(tokens: Sequence[Token], a: int, b: int) -> list[Range]:
    """Returns the items of a span that is just a list; empty if there is only one or no list."""
    items = items_between(a, list_cuts(tokens, a, b), b)
    if len(items) < 2 or not all(is_item(tokens, *item) for item in items):
        return []
    quoted = tokens[a].depth > 0
    return items if quoted or are_alike(Joined(tokens, a, b, a, a, items)) else []


def _each(j: Joined, lead: int, tail: int | None = None) -> list[Words]:
    """Returns each conjunct between the words before `lead`, without "both", and those of `tail`.

    The first conjunct begins at `lead`, or after it if a noun such as "films" precedes titles.
    """
    tail = j.b if tail is None else tail
    article = lead - (j.tokens[lead - 1].low in {"a", "an"})  # put together with each noun
    both = next((k for k in range(j.a, lead + 1) if j.tokens[k].low == "both"), article)
    before = ((j.a, both), (both + (j.tokens[both].low == "both"), article), (article, lead))
    first = max(lead + (j.tokens[lead].low == "both"), j.start)
    items = [(first, j.items[0][1]), *j.items[1:-1], (j.last, tail)]
    parts = ((*before, item, (tail, j.b)) for item in items)
    return [tuple(part for part in spans if part[0] < part[1]) for spans in parts]


def _with_noun(j: Joined) -> list[Words]:
    """Returns each conjunct with the noun they share."""
    if j.tokens[j.start].low not in DETERMINERS:
        return _each(j, j.lead, j.common_noun)
    best = j.last_opener.low.startswith(("highest", "best"))
    most = j.tokens[j.start + 1].low == "most" and not best
    return _each(j, j.start + 1 + most, j.common_noun)  # "the senior and junior teams"


def _shares_opener(j: Joined) -> bool:
    """Whether "her", "the" or "a" opens the first conjunct and the others have no opener."""
    return j.tokens[j.lead].low in _SHARED and not any(
        t.capital or t.depth or t.text[0].isdigit() or t.low in _COUNTED for t in j.openers[1:]
    )


def _shares_quantity(j: Joined) -> bool:
    """Whether "several" or the like applies to all conjuncts."""
    plural = all(j.tokens[y - 1].low.endswith("s") for _, y in j.items[1:])
    return plural and j.tokens[j.start].low in _COUNTS


# fmt: off
_PARTS: Table[Joined, Callable[[Joined], list[Words]]] = Table("words that each thing repeats", (
    Row("complement", "The complement after the last noun is of all.",
        "Ann Lee oversaw the design and construction of bridges.",
        lambda j: j.common_complement is not None,
        lambda j: _each(j, j.start + 1, j.common_complement)),
    Row("noun", "The noun after the last adjective is of all.",
        "She won several gold and silver medals.",
        lambda j: j.common_noun is not None, _with_noun),
    Row("opener", "The first thing's \"her\", \"the\" or \"a\" is of all.",
        "Ann Lee worked as an architect and planner.",
        _shares_opener, lambda j: _each(j, j.lead + 1)),
    Row("quantity", "The first thing's quantity is of all.",
        "Ann Lee won numerous awards and medals.",
        _shares_quantity, lambda j: _each(j, j.start + 1)),
), otherwise=lambda j: _each(j, j.lead))
# fmt: on
