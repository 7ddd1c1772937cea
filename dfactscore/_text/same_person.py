"""Decides whether names may refer to the same person, given initials, short forms and the like.

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
"""Given names with the numbers of their groups of equivalent forms ("bob", "robert")."""


def same_given(first: str, second: str) -> bool:
    """Whether two given names are equal, or one is an initial or a short form of the other.

    Example:
        >>> same_given("bob", "robert"), same_given("a", "ann"), same_given("ann", "anna")
        (True, True, False)
    """
    if first == second or (min(len(first), len(second)) == 1 and first[0] == second[0]):
        return True
    return not SHORT_FORMS.get(first, frozenset()).isdisjoint(SHORT_FORMS.get(second, ()))


def may_be_one(first: PersonName, second: PersonName) -> bool:
    """Whether two names may refer to one person.

    One name may omit or shorten given names of the other, or be a single word from it. Names that
    differ in given names, surnames, word order or suffixes ("Jr." and "Sr.") refer to different
    people.
    """
    return _relation(first, second) is not None


def says_no_more(mention: PersonName, name: PersonName) -> bool:
    """Whether a mention may refer to the bearer of a name and does not add a given name."""
    return _relation(mention, name) == "within"


def is_form_of(mention: PersonName, names: Iterable[PersonName]) -> bool:
    """Whether a mention may refer to the person who has the given names.

    The mention may add a given name only to the longest of them: "Paul Peter Hill" does not refer
    to the Paul Hill whose page says "Paul William Hill".
    """
    names = list(names)
    if is_numbered_otherwise(mention, names):
        return False
    relations = [(name, _relation(mention, name)) for name in names]
    if any(
        relation == "within" or _has_unknown_title(mention, name) for name, relation in relations
    ):
        return True
    fullest = max((len(name.words) for name in names if name.words), default=0)
    return any(relation == "beyond" and len(name.words) == fullest for name, relation in relations)


def _has_unknown_title(mention: PersonName, name: PersonName) -> bool:
    """Whether a mention is the whole name, preceded by words that are not known as given names."""
    count = len(mention.words) - len(name.words)
    added = mention.words[:count]
    ends_with_name = count > 0 and len(name.words) > 1 and mention.words[count:] == name.words
    return ends_with_name and all(len(word) > 1 and word not in SHORT_FORMS for word in added)


def is_numbered_otherwise(mention: PersonName, names: Iterable[PersonName]) -> bool:
    """Whether a mention's suffix or peerage contradicts those of the names.

    Example:
        >>> from dfactscore._text.person_names import read_name
        >>> is_numbered_otherwise(read_name("Cyril V"), [read_name("Cyril VI")])
        True
    """
    names = list(names)
    for value, known in (
        (mention.suffix, {name.suffix for name in names} - {""}),
        (mention.peerage, {name.peerage for name in names} - {()}),
    ):
        if value and known and value not in known:
            return True
    return False


def _relation(mention: PersonName, name: PersonName) -> str | None:
    """Returns "within" if the first name adds nothing to the second, or "beyond" if it adds names.

    Returns None if the names refer to different people.
    """
    if is_numbered_otherwise(mention, [name]):
        return None
    if not mention.words or not name.words:
        return None
    if "".join(mention.words) == "".join(name.words):  # "Min-seo", "Minseo"
        return "within"
    if len(mention.words) == 1 or len(name.words) == 1:
        return _single(mention, name)
    if set(mention.words[-mention.surnames :]).isdisjoint(name.words[-name.surnames :]):
        return None
    given = mention.words[: -mention.surnames] or mention.words[:1]
    given_of_name = name.words[: -name.surnames] or name.words[:1]
    if _in_order(given, given_of_name) or _in_order(given, name.nicknames):
        return "within"
    if _in_order(given_of_name, given) or _in_order(given_of_name, mention.nicknames):
        return "beyond"
    return None


def _single(mention: PersonName, name: PersonName) -> str | None:
    """Returns the relation between two names, one of which is a single word, such as a surname."""
    short, long = (mention, name) if len(mention.words) == 1 else (name, mention)
    (word,) = short.words
    if len(word) == 1 or word not in (*long.words, *long.nicknames):
        return None
    return "within" if short is mention else "beyond"


def _in_order(given: Sequence[str], others: Sequence[str]) -> bool:
    """Whether the second list contains the given names in the first, in the same order.

    A middle initial does not match a first name: "T. F. Hill" is not Francis Hill.
    """
    place = 0
    for number, word in enumerate(given):
        while place < len(others) and not (
            same_given(word, others[place])
            and (number or not place or len(word) == 1 or len(others[place]) > 1)
        ):
            place += 1
        if place == len(others):
            return False
        place += 1
    return bool(given)
