"""Compares the cues of a clause with the people introduced so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dfactscore._text.person_names import TITLES
from dfactscore.engines._builtin.group.cast import DOUBT, Cast, Individual
from dfactscore.engines._builtin.group.cues import Cues, Years
from dfactscore.engines._builtin.group.same_name import (
    contains,
    numbered_otherwise,
    same,
)

_LIFETIME = 75  # maximum number of years between two events of one life in a text
_LATE = 5  # maximum years from a death to a posthumous work; allows for errors
_LATTER = -1


@dataclass(frozen=True, slots=True)
class Relations:
    """The relations between a clause's cues and the people introduced so far."""

    names: frozenset[str]
    pointers: Mapping[str, int]


def relations(cast: Cast, cues: Cues) -> Relations:
    """Compares a clause's cues with the people introduced so far, without changing the people."""
    people = cast.people
    counted = cues.ordinal
    names = {
        "role said": bool(cues.roles),
        "no one yet": len(people) == 1 and not people[0].described,
        "listing": cast.listing or {"item", "characterized"} <= cues.names,
        "someone named": bool(people[cast.current].label),
        "facts": cast.facts,
        "by a role": bool(people[cast.current].roles) and not people[cast.current].characterized,
        "suits": people[cast.current].goes_with(cues),
    }
    pointers: dict[str, int] = {"current": cast.current}
    if counted is not None and 0 <= counted < len(people):
        pointers["counted one"] = counted
    elif counted == _LATTER and len(people) > 1:
        pointers["counted one"] = len(people) - 1
    elif counted is not None:
        repeats = cast.listing if cues.mention is None else cast.target <= set(cues.mention.words)
        is_next = repeats and (cues.mention is None or counted > 0 or len(people) == 1)
        names["next one"] = is_next or ("presented" in cues and counted != _LATTER)
    if {"description", "definite"} <= cues.names:
        fitting = [i for i in cast.order() if people[i].roles & cues.roles]
        if fitting[:1] == [cast.current] or len(fitting) == 1:
            pointers["one with the role"] = fitting[0]
    if cues.mention is not None:
        names |= _by_name(cast, cues, _untitled(cast, cues.mention.words), pointers)
    return Relations(frozenset([*(n for n, holds in names.items() if holds), *pointers]), pointers)


def _untitled(cast: Cast, words: tuple[str, ...]) -> tuple[str, ...]:
    """Returns a name without a title that could be a given name: "Baron Hill" for a Hill."""
    known = len(words) == 2 and words[0] in TITLES and not cast.bearers(words)
    return words[1:] if known and cast.bearers(words[1:]) else words


def _by_name(
    cast: Cast, cues: Cues, words: tuple[str, ...], pointers: dict[str, int]
) -> dict[str, bool]:
    people, forms = cast.people, cast.forms()
    long_known = any(len(form) > 1 for _, form in forms)
    names = {
        "tied to someone": words in cast.tied,
        "their name": cast.has_name(cues.mention),
        "bears the name": bool(cast.target) and cast.target <= set(words),
        "surname": words[-1:] == cast.surname,
        "kin": cast.is_kin(words),
        "full name": len(words) > 1 or (set(words) == cast.target and not long_known),
    }
    namesakes = [(i, people[i]) for i, form in forms if form == words]
    namesakes = [
        (i, p) for i, p in namesakes if cues.roles <= p.roles and cues.origins <= p.origins
    ]
    namesakes = [(i, p) for i, p in namesakes if not p.born_otherwise(cues)]
    if namesakes and cues.roles:
        pointers["same name and role"] = namesakes[0][0]
    matches = partial = cast.bearers(words)
    if partial:
        if cast.aside in partial:
            pointers["set apart"] = cast.aside
        pointers["known"] = _bearer_meant([(i, people[i]) for i in partial], cues)
    if len(words) > 1:
        equal = dict.fromkeys(i for i, f in forms if len(f) == len(words) and same(f, words))
        # the exact form first: "Tom Lee" if there is also a Thomas Lee
        matches = sorted(equal, key=lambda i: words not in people[i].words) or partial
        names["longer name"] = not matches
        matches = matches or [*dict.fromkeys(i for i, f in forms if f[1:] and contains(words, f))]
    if not matches or numbered_otherwise(words, (form for _, form in forms)):
        return names | _of_a_stranger(cues, names) | {"longer name": False}
    bearers = [(i, people[i]) for i in matches]
    pointers["bearer"] = _fitting(bearers, cues)[0][0]
    return names | _among(bearers, cues, pointers, longer=names.get("longer name", False))


def _fitting(
    people: Sequence[tuple[int, Individual]], cues: Cues
) -> Sequence[tuple[int, Individual]]:
    """Returns the people whose dates are compatible with the cues, or everyone if none are."""
    fitting = [
        (i, p)
        for i, p in people
        if not p.born_otherwise(cues) and not _another_time(p, cues.stated)
    ]
    return fitting or people


def _bearer_meant(people: Sequence[tuple[int, Individual]], cues: Cues) -> int:
    """Returns the index of the person a partial name refers to, judging by dates and roles."""
    fitting = _fitting(people, cues)
    born = cues.life.born
    same_birth = [i for i, p in fitting if born is not None and p.life.born == born]
    words = cues.epithet | (cues.roles if "definite" in cues or "apposed" in cues else frozenset())
    words |= cues.mention.titles if cues.mention is not None else frozenset()
    # "Lee, the prop, ..."
    described = [i for i, p in fitting if words & (p.roles | p.context | p.titles)]
    return (same_birth or (described if len(described) == 1 else []) or [fitting[0][0]])[0]


def _of_a_stranger(cues: Cues, names: Mapping[str, bool]) -> dict[str, bool]:
    """Returns the cues that decide whether a new name introduces a person."""
    introduced = (
        cues.life.born is not None
        or "topic" in cues
        or ("presented" in cues and (bool(cues.roles) or "apposed" in cues))
    )
    alone = not names["full name"] and "apposed" not in cues
    passing = alone or bool({"refers", "detail"} & cues.names)
    critic = "definite" in cues and not names["surname"]  # "the critic James Poe"
    return {
        "stranger": True,
        "mentioned": not introduced or critic or (passing and not names["kin"]),
        "colleague": "of a kind" in cues and not names["kin"],
    }


def _among(
    bearers: Sequence[tuple[int, Individual]], cues: Cues, pointers: dict[str, int], *, longer: bool
) -> dict[str, bool]:
    """Compares the cues with what is known about each bearer of the name."""
    born = cues.life.born
    open_ones = [(i, p) for i, p in bearers if p.life.born is None]
    alike = [i for i, p in open_ones if p.roles & cues.roles and cues.origins <= p.origins]
    able = [(i, p) for i, p in bearers if not p.born_otherwise(cues)]
    born_then = [i for i, p in able if born in {p.life.born, *p.doubted}] or alike
    holds = {
        "undescribed": [i for i, p in able if not p.described],
        "one with the role": [i for i, p in able if p.epithets & cues.epithet],
        "fits": [i for i, p in able if p.goes_with(cues)],
        "without a role": [
            i for i, p in able if not p.roles and (i == bearers[0][0] or "definite" in cues)
        ],
        "same birth": born_then if born is not None else [],
    }
    pointers.update({cue: indexes[0] for cue, indexes in holds.items() if indexes})
    repeats_role = any(p.adds and cues.epithet & p.roles for _, p in bearers)
    roleless = [p for _, p in bearers if not p.roles]
    is_unique = "definite" in cues and len(bearers) == 1
    is_full = cues.mention is not None and len(cues.mention.words) > 1
    plain = not cues.roles and "in brackets" not in cues and not longer
    adds = any(p.adds for _, p in bearers) and "characterized" in cues and not longer
    return {
        "other epithet": bool(cues.epithet)
        and any(p.epithets for _, p in bearers)
        and not repeats_role,
        "followed": is_unique or (bool(roleless) and roleless[0].followed),
        "born otherwise": born is not None
        and ("dated" in cues or is_full)
        and (not able or bool(open_ones and "dated" in cues and not plain)),
        "another time": all(_another_time(p, cues.stated) for _, p in bearers),
        "said before": all(p.characterized for _, p in bearers),
        "defined": all(p.defined for _, p in bearers),
        "role shown": bool({"apposed", "characterized", "titled"} & cues.names),
        "adds": adds,
        "also": adds,
    }


def _another_time(person: Individual, stated: Years) -> bool:
    """Whether years are too far from a person's years to belong to the same life."""
    first, last = stated
    if first is None or last is None:
        return False
    born, died, _ = person.life
    if died is not None and first > died + _LATE:
        return True
    if born is not None and last < born - DOUBT:
        return True
    earliest, latest = person.years or (first, last)
    return first - latest > _LIFETIME or earliest - last > _LIFETIME
