"""Whether conjuncts are of the same kind, so that each can be a fact: "a poet and a judge"."""

from __future__ import annotations

from dfactscore.engines._builtin.decompose._titles import are_one_name, are_two_names
from dfactscore.engines._builtin.decompose.first_item import PLACING
from dfactscore.engines._builtin.decompose.joined import Joined
from dfactscore.engines._builtin.decompose.list_items import OPEN
from dfactscore.engines._builtin.decompose.nouns import is_modifier, is_plural
from dfactscore.engines._builtin.language.rows import Row, Table
from dfactscore.engines._builtin.language.word_classes import (
    DETERMINERS,
    PREPOSITIONS,
    is_base_form,
    is_role,
)
from dfactscore.engines._builtin.language.word_lists import word_list

_FIXED = word_list("fixed_pairs")  # one thing, not two
_AGENTS = ("er", "or", "ist", "ian")


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
