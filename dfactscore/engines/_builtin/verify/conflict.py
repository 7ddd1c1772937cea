"""Finds conflicts between a page and a fact: a different year, number or name for the event."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from dfactscore.engines._builtin.language.tokens import token
from dfactscore.engines._builtin.language.word_classes import MONTHS, PREPOSITIONS
from dfactscore.engines._builtin.verify.binding import CLOSE, UNIT_FEATURES, Bound
from dfactscore.engines._builtin.verify.features import FEATURES, is_year_of_life
from dfactscore.engines._builtin.verify.positions import CLASSES, ENTRY, class_of
from dfactscore.engines._builtin.verify.premise import Premise

LEAST_THERE = 0.5  # share of the fact's other words in the best sentence
LEAST_NEAR = 0.45  # nearness of the fact's other words to the page's value
MOST_GAP = 3  # words between a negation and the first denied word
FURTHEST = 40  # words between a negation and the last denied word
LEAST_MARGIN = 0.1  # how much closer the page's value must be than the fact's
_FORM = re.compile(r"[^\W_]+(?:[.,'’][^\W_]+)*")
_COUNTED_NAME = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,3}) "
    r"(?:[^\W\d_a-z]\w* ?)+"
)
_SUBJECT = re.compile(r"^(?:[^\W\d_a-z]\S* ?)+")
_TIMES = "times"
_NO_THINGS = frozenset([*PREPOSITIONS, *MONTHS, "and", "or", "years", "percent", "million"])
_REACH = 3  # words after a number, one of which is the counted noun
_MISSING = "best_missing_numbers best_missing_caps best_other best_idf role_conflict fact_roles"
_AT = {name: UNIT_FEATURES.index(name) for name in UNIT_FEATURES}


def may_conflict(table: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Marks facts for whose event the page may give another number or name, shape ``(facts,)``.

    Either the page gives a different year of birth or death, or the best sentence lacks a number or
    name in the fact but contains half of the fact's other words and 40 % of all its words by
    weight. The condition on weight does not apply to births and deaths, where the missing place
    carries most of the weight.
    """
    numbers, caps, other, idf, year, life = (
        table[:, FEATURES.index(name)] for name in _MISSING.split()
    )
    there = np.where(life > 0, other, np.minimum(other, 0.1 + idf))
    return np.asarray((year > 0) | ((numbers + caps > 0) & (there >= LEAST_THERE)))


def conflicts(bound: Bound, count: int) -> NDArray[np.intp]:
    """Returns, for each fact, the entry of `Positions` that contradicts it, or -1.

    Each name, date or number in the fact may have a rival on the page: one that is closer to the
    fact's other words and follows the same word or preposition. The returned entry is the rival
    with the largest margin.
    """
    entries = np.full(count, -1, dtype=np.intp)
    table = bound.table
    if not len(table):
        return entries
    near, after = table[:, _AT["rival_near"]], table[:, _AT["rival_after"]]
    margin = near - table[:, _AT["near"]]
    follows = (after <= CLOSE) & (after < table[:, _AT["after"]])
    alike = table[:, _AT["rival_near_alike"]] >= LEAST_NEAR
    is_name = bound.sort == CLASSES["name"]
    fits = np.where(is_name, follows & alike, follows | alike)
    clear = (
        (bound.sort > 0)
        & (bound.rival >= 0)
        & (near >= LEAST_NEAR)
        & (margin >= LEAST_MARGIN)
        & fits
    )
    for unit in sorted(np.flatnonzero(clear), key=lambda i: margin[i]):
        entries[bound.owner[unit]] = bound.rival[unit]
    return entries


def life_year(terms: Iterable[str], premise: Premise) -> int:
    """Returns the entry of the page's birth or death year if `terms` has another one, else -1."""
    for term in sorted(filter(is_year_of_life, terms)):
        theirs = sorted(t for t in premise.roles if t[0] == term[0] and is_year_of_life(t))
        if theirs and term not in theirs:
            rows = premise.entries[ENTRY.index("row")]
            places = np.flatnonzero(rows == premise.rows.get(theirs[0][2:], -1))
            return int(places[0]) if len(places) else -1
    return -1


def denied(bound: Bound, count: int) -> NDArray[np.bool_]:
    """Whether the page denies each fact: "She did not sing" against "She sang".

    All words of a denied fact come after a negation, at least one of them soon after it, and the
    fact itself contains no negation.
    """
    table = bound.table
    if not len(table):
        return np.zeros(count, dtype=np.bool_)
    gap = np.where(table[:, _AT["times"]] > 0, table[:, _AT["denied_there"]], np.inf)
    nearest, furthest = np.full(count, np.inf), np.zeros(count)
    np.minimum.at(nearest, bound.owner, gap)
    np.maximum.at(furthest, bound.owner, gap)
    negated = np.zeros(count)
    np.maximum.at(negated, bound.owner, table[:, _AT["denied"]])
    return np.asarray((negated == 0) & (nearest <= MOST_GAP) & (furthest < FURTHEST))


def value_span(
    premise: Premise, entry: int, documents: Sequence[tuple[str, str]]
) -> tuple[int, int, int]:
    """Returns the document, start and end of the value at an entry of `Positions`.

    The value includes neighboring words that belong to the same name or date. If the entry's word
    does not occur in the sentence, the whole sentence is returned.
    """
    rows, columns = (premise.entries[ENTRY.index(name)] for name in ("row", "column"))
    document, start, end = premise.spans[columns[entry]]
    sentence = documents[document][1][start:end]
    forms = list(_FORM.finditer(sentence))
    row = int(rows[entry])
    # a sentence may contain the word several times
    occurrences = np.flatnonzero((columns == columns[entry]) & (rows == row))
    occurrence = int(np.searchsorted(occurrences, entry))
    places = [i for i, m in enumerate(forms) if premise.rows.get(token(m[0]).key) == row]
    if not places:
        return document, start, end
    first = last = places[min(occurrence, len(places) - 1)]
    belongs = _belongs(sentence, forms)
    while first > 0 and belongs(first - 1, first):
        first -= 1
    while last + 1 < len(forms) and belongs(last, last + 1):
        last += 1
    return document, start + forms[first].start(), start + forms[last].end()


def counts_other_things(fact: str, sentence: str, value: tuple[int, int]) -> bool:
    """Whether a value does not contradict a count in a fact because it counts other things.

    "Three awards" contradicts "two awards", but neither "eight marriages" nor "twice to Bo Hall"
    does; a name that follows a count ("two Emmy Awards") is not contradicted by a different name.
    The counted noun is one of the words after the number; a number of times is only contradicted by
    another number of times.

    Example:
        >>> counts_other_things("She won two awards.", "She married twice.", (12, 17))
        True
        >>> counts_other_things("She won two awards.", "She won three awards.", (8, 13))
        False
    """
    counted = _counted(fact)
    if not counted:
        return False
    forms = _FORM.findall(sentence[value[0] :])
    if not forms or _sort(forms[0]) not in (CLASSES["number"], CLASSES["name"]):
        return False
    if _sort(forms[0]) == CLASSES["name"]:
        return bool(_COUNTED_NAME.search(fact)) and not _has_other_name(fact)
    things = _things(forms)
    return all(things.isdisjoint(nouns) for nouns in counted)


def _counted(fact: str) -> list[frozenset[str]]:
    """Returns, for each count in a fact, the nouns it may refer to; ages are not counts."""
    forms = _FORM.findall(fact)
    return [_things(forms[i:]) for i, form in enumerate(forms) if _is_count(form, forms[i + 1 :])]


def _things(forms: Sequence[str]) -> frozenset[str]:
    """Returns the keys of the words that follow a count, or `_TIMES` for words such as "twice"."""
    if forms[0].lower() in ("once", "twice") or [f.lower() for f in forms[1:2]] == ["times"]:
        return frozenset({_TIMES})
    return frozenset(token(form).key for form in forms[1 : 1 + _REACH])


def _is_count(form: str, following: Sequence[str]) -> bool:
    item = token(form)
    if _sort(form) != CLASSES["number"] or item.key.endswith("th"):
        return False
    if form.lower() in ("once", "twice"):
        return True
    return bool(following) and following[0].isalpha() and following[0].lower() not in _NO_THINGS


def _has_other_name(fact: str) -> bool:
    """Whether a fact has a name that is not its subject and does not follow a count."""
    predicate = _SUBJECT.sub("", _COUNTED_NAME.sub("", fact))
    return any(form[0].isupper() for form in _FORM.findall(predicate))


def _belongs(sentence: str, forms: Sequence[re.Match[str]]) -> Callable[[int, int], bool]:
    def are_one(first: int, second: int) -> bool:
        gap = sentence[forms[first].end() : forms[second].start()]
        sorts = [_sort(forms[i][0]) for i in (first, second)]
        if sorts[0] == sorts[1] == CLASSES["name"]:
            return gap in (" ", "-")
        return min(sorts) >= CLASSES["number"] and max(sorts) > 2 and gap in (" ", ", ")

    return are_one


def _sort(form: str) -> int:
    item = token(form)
    if item.key.startswith("month") and item.key != "month":
        return CLASSES["month"]
    return class_of(item, item.upper) if item.kind in (1, 2) else 0
