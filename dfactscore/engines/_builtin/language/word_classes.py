"""Lists and classes of words: verb forms, roles of people, relatives, connectives."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from dfactscore._text.word_files import word_lists

_VERB_PREFIXES = frozenset({"co", "re", "self", "pre", "out", "over", "under", "ghost", "hand"})


def words_in_order(name: str) -> list[str]:
    """Returns the words of a list in ``words.txt`` in the order in which they are written."""
    return word_lists(__package__)[name].split()


@lru_cache
def word_list(name: str) -> frozenset[str]:
    """Returns the words of a list in ``words.txt``.

    Example:
        >>> "also" in word_list("adverbs")
        True
    """
    return frozenset(words_in_order(name))


def word_pairs(name: str) -> Mapping[str, str]:
    """Returns the pairs in a list from ``words.txt`` whose entries are written as ``one:other``."""
    pairs = (pair.partition(":") for pair in word_list(name))
    return {one: other for one, _, other in pairs}


def word_heads(*names: str) -> Mapping[str, str]:
    """Returns the first word of its line for each other word of some lists.

    If a word is in several lines, the first of them counts.

    Example:
        >>> word_heads("irregular")["sung"]
        'sing'
    """
    heads: dict[str, str] = {}
    for name in names:
        for line in word_lists(__package__)[name].splitlines():
            head, *words = line.split() or [""]
            for word in words:
                heads.setdefault(word, head)
    return heads


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


AUXILIARIES = word_list("auxiliaries")
RELATIVE_PRONOUNS = _words("who whose which where whom that")
PRONOUNS = _words("he she they it this these those")
POSSESSIVES = _words("his her their its")
BE = _words("is was are were")
ARTICLES = _words("a an the")
DETERMINERS = word_list("determiners")
PREPOSITIONS = word_list("prepositions")
ADVERBS = word_list("adverbs")
MONTHS = word_list("months")
RELATIVES = word_list("relatives")
PASSIVE = word_list("passive")
PARTICIPLES = word_list("participles")
PAST_PARTICIPLES = PARTICIPLES | PASSIVE
SMALL = DETERMINERS | PREPOSITIONS
_PAST = word_list("past")
_NOT_VERBS_ED = word_list("not_verbs_ed")
_ADJECTIVES_ED = word_list("adjectives_ed")
_PRESENT = word_list("present")
_GERUNDS = word_pairs("gerunds")
_OTHER_PAST = dict(word_pairs("other_gerunds"))
_NOT_GERUNDS = word_list("not_gerunds")
_REGULAR_GERUNDS = word_list("regular_gerunds")
_BASE_FORMS = _REGULAR_GERUNDS | word_list("base_forms")


@lru_cache(maxsize=20000)
def is_finite_form(word: str) -> bool:
    """Whether a lowercase word can be a finite verb.

    Regular past forms are guessed from their ending.
    """
    if word in AUXILIARIES or word in _PAST or word in _PRESENT:
        return True
    if word in PARTICIPLES or word in _NOT_VERBS_ED:
        return False
    if "-" in word:  # "co-wrote", but not "computer-supported"
        prefix, _, verb = word.partition("-")
        return prefix in _VERB_PREFIXES and is_finite_form(verb)
    return len(word) > 4 and word.endswith("ed")


def is_base_form(word: str) -> bool:
    """Whether a word is the base form of a known verb ("promote")."""
    return word in _BASE_FORMS


def is_adjective_ed(word: str) -> bool:
    """Whether an -ed word usually describes a noun ("renowned", "retired")."""
    return word in _ADJECTIVES_ED


def _gerund(verb: str) -> str:
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return verb[:-1] + "ing"
    return verb + "ing"


def _past(verb: str) -> str:
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ied"
    return verb + "ed"


_PAST_OF = {_gerund(verb): _past(verb) for verb in _REGULAR_GERUNDS} | dict(_GERUNDS)


def past_of_any_gerund(word: str) -> str:
    """Returns the past tense for an -ing form, guessed if it is not known; empty for other words.

    Example:
        >>> [past_of_any_gerund(w) for w in ("citing", "planning", "saying", "king")]
        ['cited', 'planned', 'said', '']
    """
    known = _PAST_OF.get(word) or _OTHER_PAST.get(word)
    if known is not None:
        return known
    stem = word.removesuffix("ing")
    if stem == word or len(stem) < 3 or not any(v in stem for v in "aeiou") or word in _NOT_GERUNDS:
        return ""
    return _past(stem)


def past_of_gerund(word: str) -> str | None:
    """Returns the past tense for the -ing form of a well-known verb ("earned" for "earning")."""
    return _PAST_OF.get(word)
