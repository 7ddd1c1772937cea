"""Facts of one biography, prepared once for all of its candidate entities."""

# ruff: noqa: SIM905 (word lists read better as text)

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dfactscore.engines.builtin.language.announcements import ORDINALS
from dfactscore.engines.builtin.language.lexicon import PRONOUNS
from dfactscore.engines.builtin.language.life_events import life_terms
from dfactscore.engines.builtin.language.tokens import tokens, words
from dfactscore.engines.builtin.verify.event_classes import event_class_of
from dfactscore.engines.builtin.verify.name_types import (
    ORGANIZATION,
    PLACE,
    UNKNOWN,
    type_hint,
    word_type,
)
from dfactscore.engines.builtin.verify.positions import (
    AGE,
    PREPOSITIONS,
    UNREAL,
    Read,
    chained,
    codes,
    read_form,
)
from dfactscore.engines.builtin.verify.reading import plain_fact

__all__ = ["UNIT_SHAPE", "Claims", "prepare_claims"]

MAX_CHARACTERS = 4000
MAX_WORDS = 400  # longer "facts" are paragraphs; what follows is not read
UNKNOWN_IDF = 9.0
ARTICLES = frozenset({"a", "an", "the"})
_BEARER = frozenset(("he", "she", "they"))
_BEARERS = frozenset(("his", "her", "their"))
_KIN = frozenset("parent brother son spouse uncl aunt nephew niec cousin".split())  # keys
_TO, _BETWEEN = PREPOSITIONS["to"], (PREPOSITIONS["between"], PREPOSITIONS["and"])
_INSIDE_NAMES = frozenset("of the de van von".split())
COPULAS = frozenset(
    {"is", "was", "are", "were", "be", "been", "become", "became", "becoming", "as"}
)


@dataclass(frozen=True, eq=False, slots=True)
class Owned:
    """Names or chains of words of all facts, of one or more families.

    Attributes:
        words: The different ones.
        place: Shape ``(n,)``, which of them each one is.
        cell: Shape ``(n,)``, family times number of facts, plus the fact.
        size: Shape ``(families * facts,)``, how many each family and fact has.
    """

    words: list[str]
    place: NDArray[np.intp]
    cell: NDArray[np.intp]
    size: NDArray[np.intp]


@dataclass(frozen=True, eq=False, slots=True)
class Units:
    """What of each fact could be another: a name of several words, a date, a number, a word.

    Attributes:
        starts: Shape ``(U,)``, where each unit's words begin in the list of content words.
        owner: Shape ``(U,)``, its fact.
        sort: Shape ``(U,)``, see `positions.CLASSES`; a date with a year is a year.
        before: Shape ``(U,)``, which of `positions.PREPOSITIONS` stands before it.
        type: Shape ``(U,)``, of a name, what it is of (`name_types`); 0 for other words.
        event: Shape ``(U,)``, place in the list of content words of the lower-case word that it
            goes with: the last one before it, else the first one behind it; its own place where
            there is none.
        verb: Shape ``(U,)``, which of `event_classes` that word is of, 0 if of none.
        backward: Shape ``(U,)``, 1 for years of a range from a later to an earlier one.
        sizes: Shape ``(U,)``, number of words.
        around: Shape ``(4, U)``, places of the unit's first word, of the word before it, of the
            one behind it and of its event; its own place where there is no such word in the fact.
        apart: Shape ``(3, U)``, whether there is a word before it, one behind it, and an event that
            is not among its own words.
        codes: Shape ``(4, U)``, what is compared with `Positions.codes`.
        shape: Shape ``(len(UNIT_SHAPE), U)``, features of the unit in its fact alone.
    """

    starts: NDArray[np.intp]
    owner: NDArray[np.intp]
    sort: NDArray[np.int32]
    before: NDArray[np.intp]
    type: NDArray[np.intp]
    event: NDArray[np.intp]
    verb: NDArray[np.intp]
    backward: NDArray[np.intp]
    sizes: NDArray[np.intp]
    around: NDArray[np.intp]
    apart: NDArray[np.bool_]
    codes: NDArray[np.int8]
    shape: NDArray[np.float32]


UNIT_SHAPE = (
    "sort",
    "size",
    "place",
    "before",
    "denied",
    "next_sort",
    "of_subject",
    "fact_kin",
    "type",
    "is_role",
    "verb",
    "backward",
    "subject",
    "fact_unreal",
)


@dataclass(frozen=True, eq=False, slots=True)
class Claims:
    """Facts as flat lists of content words; each fact begins with one empty word.

    Attributes:
        keys: Key of each different content word, length ``D``; so `loose` and `exact`.
        place: Shape ``(T,)``, which of these each content word of all facts is.
        starts: Shape ``(facts,)``, where each fact's words begin.
        owner: Shape ``(T,)``, fact of each word.
        weights: Shape ``(T, 5)``: one, idf, capitalised, number, other; 0 for the empty words.
        chains: Pairs of neighbouring content keys and triples of neighbouring forms, by `chained`.
        edges: Shape ``(facts, 2)``, places of the first and the last content word (0 if none).
        heads: Shape ``(facts,)``, place of the noun in "is a … noun" (the empty word if none).
        names: Leading capitalised forms; the first of them; forms of the target name.
        roles: See `life_terms`, for each fact.
        shape: Shape ``(facts, n)``: features of the fact alone.
        units: The content words again, joined to names, dates and so on.
    """

    keys: list[str]
    loose: list[str]
    exact: list[str]
    place: NDArray[np.intp]
    starts: NDArray[np.intp]
    owner: NDArray[np.intp]
    weights: NDArray[np.float32]
    chains: Owned
    edges: NDArray[np.intp]
    heads: NDArray[np.intp]
    names: Owned
    roles: tuple[frozenset[str], ...]
    shape: NDArray[np.float32]
    units: Units


SHAPE = (
    "fact_words",
    "fact_content",
    "fact_idf",
    "fact_caps",
    "fact_numbers",
    "fact_negated",
    "fact_pronoun",
    "fact_named",
    "fact_roles",
    "fact_subject",
    "fact_backward",
)
_PRONOUN, _NAMED = SHAPE.index("fact_pronoun"), SHAPE.index("fact_named")
_SUBJECT = SHAPE.index("fact_subject")
_COUNTS = [SHAPE.index("fact_caps"), SHAPE.index("fact_numbers")]
_CAPITAL = 3
# weights of the empty word, of a word, of a number and of a capitalized word; `idf` is filled in
_FLAGS = np.array(
    [[0, 0, 0, 0, 0], [1, 0, 0, 0, 1], [1, 0, 0, 1, 0], [1, 0, 1, 0, 0]], dtype=np.float32
)


def prepare_claims(facts: Sequence[str], name: str, idf: Mapping[str, float]) -> Claims:
    """Prepares facts about the bearer of a name.

    Args:
        facts: Sentences.
        name: The target name; its words neither support nor contradict by themselves.
        idf: Inverse document frequency by key; `UNKNOWN_IDF` for the others.
    """
    name_words = {item.exact for item in tokens(name)}
    name_keys = {item.key for item in tokens(name)}
    forms_of: dict[tuple[str, str, str], int] = {("", "", ""): 0}
    place: list[int] = []
    starts: list[int] = []
    owner: list[int] = []
    values: list[float] = []
    flags: list[int] = []  # rows of `_FLAGS`
    pairs: list[str] = []
    pair_owner: list[int] = []
    triples: list[str] = []
    triple_owner: list[int] = []
    subject: list[str] = []
    subject_owner: list[int] = []
    leads: dict[int, str] = {}
    named: list[str] = []
    named_owner: list[int] = []
    edges: list[int] = []
    heads: list[int] = []
    roles: list[frozenset[str]] = []
    shape: list[tuple[float, ...]] = []
    units: list[list[int]] = []  # as in `Units`
    for number, text in enumerate(facts):
        text = plain_fact(text[:MAX_CHARACTERS])
        forms = list(map(read_form, words(text)[:MAX_WORDS]))
        starts.append(len(place))
        place.append(0)
        owner.append(number)
        values.append(0.0)
        flags.append(0)
        negated = own = 0
        total = 0.0
        in_subject = True
        head, inside, last = starts[-1], False, ""
        keys: list[str] = []
        link = 0
        latest = -9
        subject_is = 0
        event = event_class = 0
        waiting = len(units)  # units before the first lower-case word
        first_unit = waiting
        backward = 0
        dying = aging = False
        if _counts_namesakes(forms, name_words):
            forms = forms[2:]  # "the second" of "The second Ann Lee" is said of the text
        exact = [form[1] for form in forms]
        triples += map(chained, zip(exact, exact[1:], exact[2:], strict=False))
        triple_owner += [number] * max(0, len(exact) - 2)
        for position, (kind, low, key, short, upper, _, read_as, says) in enumerate(forms):
            if not subject_is and (kind == 1 or low in PRONOUNS):
                if low in _BEARER or low in name_words:
                    subject_is = 3
                elif low in _BEARERS:
                    subject_is = 2
                else:
                    subject_is = 1 if upper else 2
            if kind == 0:
                inside = low in ARTICLES and last in COPULAS and head == starts[-1]
                last = low
            if in_subject:
                if kind == 1 and upper:
                    subject.append(low)
                    subject_owner.append(number)
                    leads.setdefault(number, low)
                elif position or (kind == 0 and low not in {"the", "a", "an"}):
                    in_subject = False
            if kind == 3:
                negated += 1
                latest = -9
                continue
            if kind == 0:
                if says > 0:  # a preposition
                    link = says
                if low not in _INSIDE_NAMES and not (
                    low == "for" and latest >= 0 and units[-1][5] >= ORGANIZATION
                ):
                    latest = -9
                continue
            if dying and low in ("age", "aged"):
                aging = True
                continue
            if aging:
                aging = False
                if kind == 2:
                    key = AGE + key
            dying = dying or key == "die"
            if low in name_words or key in name_keys:
                named.append(low)
                named_owner.append(number)
                own += 1
                link = 0
                latest = -9
                continue
            value = idf.get(key, UNKNOWN_IDF)
            cap = kind == 1 and upper and (position > 0 or key not in idf)
            sort = read_as if cap or read_as != 1 else 0
            if sort and latest >= 0 and position - latest <= 3 and (sort > 1) == (units[-1][2] > 1):
                units[-1][2] = _joined(units[-1][2], sort)
                units[-1][9] += 1
                if cap:
                    units[-1][5] = max(units[-1][5], -says if read_as == 1 else type_hint(low))
            else:
                hint = 0 if sort > 1 else -says if sort == read_as else word_type(low, key)
                here = len(place)
                row = [here, number, sort, link, min(1, negated), hint, event or here, event_class]
                units.append([*row, 0, 1, len(units) - first_unit])
                if sort == 0:
                    event, event_class = here, event_class_of(key)
                    while waiting < len(units) - 1:
                        units[waiting][6:8] = event, event_class
                        waiting += 1
                    waiting = len(units) + len(forms)
            latest = position if sort else -9
            link = 0
            place.append(forms_of.setdefault((key, short, low), len(forms_of)))
            owner.append(number)
            values.append(value)
            flags.append(kind if not cap else _CAPITAL)
            keys.append(key)
            last = low
            if inside and kind == 1:
                head = len(place) - 1
            total += value
        content = len(keys)
        pairs += map(chained, pairwise(keys))
        pair_owner += [number] * (content - 1)
        for one_unit, next_unit in pairwise(units[first_unit:]):
            links = one_unit[3], next_unit[3]
            if one_unit[2] == next_unit[2] == 3 and (links[1] == _TO or links == _BETWEEN):
                span = [_year_in(forms_of, place, unit) for unit in (one_unit, next_unit)]
                if span[0] > span[1] > 0:
                    one_unit[8] = next_unit[8] = backward = 1
        edges += (starts[-1] + min(1, content), len(place) - 1)
        heads.append(head)
        spoken = life_terms(text)
        roles.append(spoken)
        first = exact[0] if exact else ""
        shape.append(
            (
                len(forms),
                content,
                total / max(1, content),
                0,  # capitals and numbers are counted below
                0,
                min(1, negated),
                first in PRONOUNS,
                own > 0,
                len(spoken) > 0,
                subject_is,
                backward,
            )
        )

    marks = np.array(
        [[key in _KIN for key, _, _ in forms_of], [low in UNREAL for _, _, low in forms_of]]
    )[:, place]
    shapes = np.array(shape, dtype=np.float32).reshape(-1, len(SHAPE))
    weights = _FLAGS[flags]
    weights[:, 1] = values
    if len(facts):
        shapes[:, _COUNTS] = np.add.reduceat(weights[:, 2:4], starts)
    return Claims(
        keys=[key for key, _, _ in forms_of],
        loose=[short for _, short, _ in forms_of],
        exact=[low for _, _, low in forms_of],
        place=_index(place),
        starts=_index(starts),
        owner=_index(owner),
        weights=weights,
        chains=_owned(len(facts), (pairs, pair_owner), (triples, triple_owner)),
        heads=_index(heads),
        edges=_index(edges).reshape(-1, 2),
        names=_owned(
            len(facts),
            (subject, subject_owner),
            (list(leads.values()), list(leads)),
            (named, named_owner),
        ),
        roles=tuple(roles),
        shape=shapes,
        units=_units(units, _index(starts), _index(heads), shapes, marks),
    )


def _counts_namesakes(forms: Sequence[Read], name: AbstractSet[str]) -> bool:
    """Whether a fact begins like "The second Ann Lee", which tells bearers of a name apart."""
    return (
        len(forms) > 2
        and forms[0][1] == "the"
        and forms[1][1] in ORDINALS
        and forms[2][4]
        and forms[2][1] in name
    )


def _joined(sort: int, other: int) -> int:
    """The class of a date or name of several words: a year, a month, or what both are."""
    return max(sort, other) if {sort, other} != {3, 4} else 3


def _year_in(forms: Mapping[tuple[str, str, str], int], place: list[int], unit: list[int]) -> int:
    """The year of a date, which may have a day and a month before it; 0 where there is none."""
    keys = list(forms)
    for number in range(unit[0], min(unit[0] + 3, len(place))):
        key = keys[place[number]][0]
        if len(key) == 4 and key.isdecimal():
            return int(key)
    return 0


def _units(
    units: list[list[int]],
    starts: NDArray[np.intp],
    heads: NDArray[np.intp],
    shape: NDArray[np.float32],
    marks: NDArray[np.bool_],
) -> Units:
    """Units from rows of eleven numbers, with what their facts say of them.

    Args:
        units: Of each its first word, fact, sort, preposition, negation, type, event, verb,
            whether it is of a range that runs backward, size, and place in the fact.
        starts: As in `Claims`; so `heads` and `shape`.
        heads: The nouns of "is a … noun".
        shape: Features of the facts.
        marks: Shape ``(2, T)``, whether each content word is a relative, and whether it says that
            something was only hoped for or lost.
    """
    table = np.array(units, dtype=np.intp).reshape(-1, 11).T.copy()
    begin, owner, sort, before, denied, kind, event, verb, backward, sizes, place = table
    kind[(sort == 1) & (kind == UNKNOWN) & (before >= 1) & (before <= 3)] = PLACE
    ends = begin + sizes
    is_first = place == 0
    is_last = np.ones_like(is_first)
    is_last[:-1] = is_first[1:]
    next_sort = np.full_like(sort, -1)
    next_sort[:-1] = sort[1:]
    next_sort[is_last] = -1
    said = np.zeros((2, 0), dtype=np.bool_)
    if len(starts):
        said = np.logical_or.reduceat(marks, starts, axis=1)
    head = heads[owner]
    features = {
        "sort": sort,
        "size": sizes,
        "place": place,
        "before": before,
        "denied": denied,
        "next_sort": next_sort,
        "of_subject": np.minimum(1, shape[:, _PRONOUN] + shape[:, _NAMED])[owner],
        "fact_kin": said[0, owner],
        "type": kind,
        "is_role": (head >= begin) & (head < ends),
        "verb": verb,
        "backward": backward,
        "subject": shape[owner, _SUBJECT],
        "fact_unreal": said[1, owner],
    }
    whole = np.empty((len(UNIT_SHAPE), len(begin)), dtype=np.float32)
    for row, name in enumerate(UNIT_SHAPE):
        whole[row] = features[name]
    return Units(
        starts=begin,
        owner=owner,
        sort=sort.astype(np.int32),
        before=before,
        type=kind,
        event=event,
        verb=verb,
        backward=backward,
        sizes=sizes,
        around=np.array([begin, begin - ~is_first, np.where(is_last, begin, ends), event]),
        apart=np.array([~is_first, ~is_last, (event < begin) | (event >= ends)]),
        codes=codes(before, kind, sort, unknown=-1),
        shape=whole,
    )


def _owned(count: int, *families: tuple[list[str], list[int]]) -> Owned:
    table: dict[str, int] = {}
    places = [table.setdefault(item, len(table)) for items, _ in families for item in items]
    cells = [i * count + owner for i, (_, owners) in enumerate(families) for owner in owners]
    size = np.bincount(_index(cells), minlength=count * len(families))
    return Owned(list(table), _index(places), _index(cells), size)


def _index(values: list[int]) -> NDArray[np.intp]:
    return np.array(values, dtype=np.intp)
