"""Names that may be one person's: parts left out, initials, short forms, nicknames, titles aside.

Example:
    >>> from dfactscore._text.person_names import read_name
    >>> page = [read_name(text) for text in ("Steve McQueen", "Terrence Stephen McQueen")]
    >>> [is_form_of(read_name(text), page) for text in ("Sir T. S. McQueen", "Mr. McQueen")]
    [True, True]
    >>> [is_form_of(read_name(text), page) for text in ("Terrence Paul McQueen", "Ann McQueen")]
    [False, False]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dfactscore._text.person_names import PersonName
from dfactscore._text.word_files import word_groups

SHORT_FORMS = word_groups("dfactscore._text", "given_names.txt")
"""Given names with the numbers of the groups of forms that they belong to: "bob", "robert"."""


def same_given(one: str, other: str) -> bool:
    """Whether two given names can be the same: equal, an initial, a short form.

    Example:
        >>> same_given("bob", "robert"), same_given("a", "ann"), same_given("ann", "anna")
        (True, True, False)
    """
    if one == other or (min(len(one), len(other)) == 1 and one[0] == other[0]):
        return True
    return not SHORT_FORMS.get(one, frozenset()).isdisjoint(SHORT_FORMS.get(other, ()))


def may_be_one(one: PersonName, other: PersonName) -> bool:
    """Whether two mentions may be one person.

    One may leave out given names, shorten them, or be a single part of the other; another given
    name, surname, order, or suffix ("Jr." and "Sr.") is another person.
    """
    return _relation(one, other) is not None


def says_no_more(mention: PersonName, name: PersonName) -> bool:
    """Whether a mention may be of a name's bearer, and adds no given name to it."""
    return _relation(mention, name) == "within"


def is_form_of(mention: PersonName, names: Iterable[PersonName]) -> bool:
    """Whether a mention may be the person who has these names.

    A given name that no name of the person has may be added to the fullest one only: "Paul Peter
    Hill" is not the Paul Hill whose page says "Paul William Hill".

    Args:
        mention: The text's mention of someone.
        names: The names of the person: title, redirects, names in the lead.
    """
    names = list(names)
    if is_numbered_otherwise(mention, names):
        return False
    found = [(name, _relation(mention, name)) for name in names]
    if any(relation == "within" or _has_unknown_title(mention, name) for name, relation in found):
        return True
    fullest = max((len(name.words) for name in names if name.words), default=0)
    return any(relation == "beyond" and len(name.words) == fullest for name, relation in found)


def _has_unknown_title(mention: PersonName, name: PersonName) -> bool:
    """Whether a mention only adds words before the whole name, none a known given name."""
    count = len(mention.words) - len(name.words)
    added = mention.words[:count]
    whole = count > 0 and len(name.words) > 1 and mention.words[count:] == name.words
    return whole and all(len(word) > 1 and word not in SHORT_FORMS for word in added)


def is_numbered_otherwise(mention: PersonName, names: Iterable[PersonName]) -> bool:
    """Whether a mention has another suffix or peerage than those that the names have.

    Example:
        >>> from dfactscore._text.person_names import read_name
        >>> is_numbered_otherwise(read_name("Cyril V"), [read_name("Cyril VI")])
        True
    """
    names = list(names)
    for own, known in (
        (mention.suffix, {name.suffix for name in names} - {""}),
        (mention.peerage, {name.peerage for name in names} - {()}),
    ):
        if own and known and own not in known:
            return True
    return False


def _relation(one: PersonName, other: PersonName) -> str | None:
    """Whether the one says no more than the other ("within"), says more ("beyond"), or differs."""
    if is_numbered_otherwise(one, [other]):
        return None
    if not one.words or not other.words:
        return None
    if "".join(one.words) == "".join(other.words):  # "Min-seo", "Minseo"
        return "within"
    if len(one.words) == 1 or len(other.words) == 1:
        return _single(one, other)
    if set(one.words[-one.surnames :]).isdisjoint(other.words[-other.surnames :]):
        return None
    mine = one.words[: -one.surnames] or one.words[:1]
    theirs = other.words[: -other.surnames] or other.words[:1]
    if _in_order(mine, theirs) or _in_order(mine, other.nicknames):
        return "within"
    if _in_order(theirs, mine) or _in_order(theirs, one.nicknames):
        return "beyond"
    return None


def _single(one: PersonName, other: PersonName) -> str | None:
    """The relation of names of which one is a single word, such as a bare surname."""
    short, long = (one, other) if len(one.words) == 1 else (other, one)
    (word,) = short.words
    if len(word) == 1 or word not in (*long.words, *long.nicknames):
        return None
    return "within" if short is one else "beyond"


def _in_order(few: Sequence[str], many: Sequence[str]) -> bool:
    """Whether each given name is among the others, in order.

    An initial in the middle does not match the first name: "T. F. Hill" is not Francis Hill.
    """
    place = 0
    for number, word in enumerate(few):
        while place < len(many) and not (
            same_given(word, many[place])
            and (number or not place or len(word) == 1 or len(many[place]) > 1)
        ):
            place += 1
        if place == len(many):
            return False
        place += 1
    return bool(few)
