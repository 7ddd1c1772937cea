"""Conflicts between a page and a fact: another year, number or name at the event."""

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

LEAST_THERE = 0.5
LEAST_NEAR = 0.45  # of the fact's other words, by weight and nearness, at the page's value
MOST_GAP = 3  # words from a negation to what it denies
FURTHEST = 40
LEAST_MARGIN = 0.1  # by which the page's value is nearer to them than the fact's own
_FORM = re.compile(r"[^\W_]+(?:[.,'’][^\W_]+)*")
_COUNTED_NAME = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,3}) "
    r"(?:[^\W\d_a-z]\w* ?)+"
)
_SUBJECT = re.compile(r"^(?:[^\W\d_a-z]\S* ?)+")
_TIMES = "times"
_NO_THINGS = frozenset([*PREPOSITIONS, *MONTHS, "and", "or", "years", "percent", "million"])
_BEHIND = 3  # words after a number, one of which is what it counts
_MISSING = "best_missing_numbers best_missing_caps best_other best_idf role_conflict fact_roles"
_AT = {name: UNIT_FEATURES.index(name) for name in UNIT_FEATURES}


def may_conflict(table: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Facts whose event the page may give with another number or name, shape ``(facts,)``.

    The page gives another year of birth or death; or a number or name of theirs is missing from the
    best sentence, which has half of their other words and 40 % of all by weight. Of a birth or a
    death no share by weight: the missing place is most of what such a fact says.

    Args:
        table: Shape ``(facts, len(FEATURES))``.
    """
    numbers, caps, other, idf, year, life = (
        table[:, FEATURES.index(name)] for name in _MISSING.split()
    )
    there = np.where(life > 0, other, np.minimum(other, 0.1 + idf))
    return np.asarray((year > 0) | ((numbers + caps > 0) & (there >= LEAST_THERE)))


def conflicts(bound: Bound, count: int) -> NDArray[np.intp]:
    """Returns for each of the bound facts the entry of `Positions` that contradicts it, or -1.

    Of its names, dates and numbers, the one is taken whose rival on the page is the most
    nearer to the fact's other words, after the same word or preposition.

    Args:
        bound: The facts' units.
        count: Number of facts.
    """
    found = np.full(count, -1, dtype=np.intp)
    table = bound.table
    if not len(table):
        return found
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
        found[bound.owner[unit]] = bound.rival[unit]
    return found


def life_year(spoken: Iterable[str], premise: Premise) -> int:
    """The entry of a page's year of birth or death where a fact's `life_terms` differ, or -1."""
    for term in sorted(filter(is_year_of_life, spoken)):
        theirs = sorted(t for t in premise.roles if t[0] == term[0] and is_year_of_life(t))
        if theirs and term not in theirs:
            rows = premise.entries[ENTRY.index("row")]
            places = np.flatnonzero(rows == premise.rows.get(theirs[0][2:], -1))
            return int(places[0]) if len(places) else -1
    return -1


def denied(bound: Bound, count: int) -> NDArray[np.bool_]:
    """Whether the page denies each fact: "She did not sing" against "She sang".

    All words of such a fact are after a negation, one of them right after it, and the
    fact itself has none.
    """
    table = bound.table
    if not len(table):
        return np.zeros(count, dtype=np.bool_)
    gap = np.where(table[:, _AT["times"]] > 0, table[:, _AT["denied_there"]], np.inf)
    least, most = np.full(count, np.inf), np.zeros(count)
    np.minimum.at(least, bound.owner, gap)
    np.maximum.at(most, bound.owner, gap)
    own = np.zeros(count)
    np.maximum.at(own, bound.owner, table[:, _AT["denied"]])
    return np.asarray((own == 0) & (least <= MOST_GAP) & (most < FURTHEST))


def value_span(
    premise: Premise, entry: int, documents: Sequence[tuple[str, str]]
) -> tuple[int, int, int]:
    """Document, start and end of the value of an entry of `Positions`.

    Neighbouring words of a name or date belong to it; the whole sentence if it is not found.
    """
    rows, columns = (premise.entries[ENTRY.index(name)] for name in ("row", "column"))
    document, start, end = premise.spans[columns[entry]]
    sentence = documents[document][1][start:end]
    forms = list(_FORM.finditer(sentence))
    wanted = int(rows[entry])
    # the entries of the sentence with this word, so that the same occurrence is shown
    same = np.flatnonzero((columns == columns[entry]) & (rows == wanted))
    which = int(np.searchsorted(same, entry))
    places = [i for i, m in enumerate(forms) if premise.rows.get(token(m[0]).key) == wanted]
    if not places:
        return document, start, end
    first = last = places[min(which, len(places) - 1)]
    belongs = _belongs(sentence, forms)
    while first > 0 and belongs(first - 1, first):
        first -= 1
    while last + 1 < len(forms) and belongs(last, last + 1):
        last += 1
    return document, start + forms[first].start(), start + forms[last].end()


def counts_other_things(fact: str, sentence: str, value: tuple[int, int]) -> bool:
    """Whether a value says nothing against a fact that counts: it counts other things.

    "Two awards" is contradicted by "three awards", by neither "eight marriages" nor "twice to Bo
    Hall"; a name after a count ("two Emmy Awards") by no other name. The counted noun is in the
    words after the number; a number of times goes with another one.

    Args:
        fact: The fact.
        sentence: The page's sentence with the value.
        value: Start and end of the value in it.

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
        return bool(_COUNTED_NAME.search(fact)) and not _behind_a_name(fact)
    things = _things(forms)
    return all(things.isdisjoint(one) for one in counted)


def _counted(fact: str) -> list[frozenset[str]]:
    """Returns the nouns that a fact counts: numbers before a noun, or of times; no ages."""
    forms = _FORM.findall(fact)
    return [_things(forms[i:]) for i, form in enumerate(forms) if _is_count(form, forms[i + 1 :])]


def _things(forms: Sequence[str]) -> frozenset[str]:
    """Keys of the words that a count, the first word, counts; `_TIMES` for a number of times."""
    if forms[0].lower() in ("once", "twice") or [f.lower() for f in forms[1:2]] == ["times"]:
        return frozenset({_TIMES})
    return frozenset(token(form).key for form in forms[1 : 1 + _BEHIND])


def _is_count(form: str, behind: Sequence[str]) -> bool:
    item = token(form)
    if _sort(form) != CLASSES["number"] or item.key.endswith("th"):
        return False
    if form.lower() in ("once", "twice"):
        return True
    return bool(behind) and behind[0].isalpha() and behind[0].lower() not in _NO_THINGS


def _behind_a_name(fact: str) -> bool:
    """Whether a fact has a name after its subject, and not after a count."""
    rest = _SUBJECT.sub("", _COUNTED_NAME.sub("", fact))
    return any(form[0].isupper() for form in _FORM.findall(rest))


def _belongs(sentence: str, forms: Sequence[re.Match[str]]) -> Callable[[int, int], bool]:
    def together(one: int, other: int) -> bool:
        gap = sentence[forms[one].end() : forms[other].start()]
        sorts = [_sort(forms[i][0]) for i in (one, other)]
        if sorts[0] == sorts[1] == CLASSES["name"]:
            return gap in (" ", "-")
        return min(sorts) >= CLASSES["number"] and max(sorts) > 2 and gap in (" ", ", ")

    return together


def _sort(form: str) -> int:
    item = token(form)
    if item.key.startswith("month") and item.key != "month":
        return CLASSES["month"]
    return class_of(item, item.upper) if item.kind in (1, 2) else 0
