"""How what a clause shows relates to the people presented so far; changes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dfactscore.engines.builtin.group.cast import Cast, Individual
from dfactscore.engines.builtin.group.cues import Cues, Years
from dfactscore.engines.builtin.group.same_name import (
    SUFFIXES,
    contains,
    numbered_otherwise,
    same,
)
from dfactscore.engines.builtin.language.professions import nations_differ

__all__ = ["Relations", "relations"]

_LIFETIME = 75  # years between two events of which a text tells
_LATE = 5  # years until a work comes out, and slips


@dataclass(frozen=True, slots=True)
class Relations:
    """How a clause's cues relate to the people presented.

    Attributes:
        names: The cues by name.
        which: For the cues that point at a person, which one.
    """

    names: frozenset[str]
    which: Mapping[str, int]


def relations(cast: Cast, cues: Cues) -> Relations:
    """Compares what a clause shows with the people presented; changes nothing."""
    people = cast.people
    introduced = "presented" in cues and (cues.roles or "apposed" in cues)
    names = {
        "named": cues.mention is not None,
        "role said": bool(cues.roles),
        "birth year": cues.born is not None,
        "introduced": cues.born is not None or introduced,
        "no one yet": len(people) == 1 and not people[0].described,
        "listing": cast.listing,
        "beyond the first": (cues.ordinal or 0) > 0 or (cues.ordinal == -2 and len(people) == 1),
        "latter": cues.ordinal == -1,
        "someone named": bool(people[cast.current].label),
    }
    which: dict[str, int] = {"current": cast.current}
    if cues.ordinal is not None and 0 <= cues.ordinal < len(people):
        which["counted one"] = cues.ordinal
    elif cues.ordinal == -1 and len(people) > 1:
        which["counted one"] = len(people) - 1
    fitting = [i for i in cast.order() if people[i].roles & cues.roles]
    if fitting[:1] == [cast.current] or len(fitting) == 1:
        which["one with the role"] = fitting[0]
    if cues.mention is not None:
        names |= _by_name(cast, cues, cues.mention.words, which)
    return Relations(frozenset([*(n for n, holds in names.items() if holds), *which]), which)


def _by_name(
    cast: Cast, cues: Cues, words: tuple[str, ...], which: dict[str, int]
) -> dict[str, bool]:
    people, order = cast.people, cast.order()
    long_known = any(len(f) > 1 for i in order for f in people[i].words)
    names = {
        "tied to someone": words in cast.tied,
        "bears the name": bool(cast.target) and cast.target <= set(words),
        "suffix": bool(set(words) & SUFFIXES),
        "surname": words[-1:] == cast.surname,
        "kin": cast.is_kin(words),
        "full name": len(words) > 1 or (set(words) == cast.target and not long_known),
    }
    again = [(i, p) for i in order if words in (p := people[i]).words]
    again = [(i, p) for i, p in again if cues.roles <= p.roles and cues.origins <= p.origins]
    if again and cues.roles:
        which["same name and role"] = again[0][0]
    if any(numbered_otherwise(words, f) for i in order for f in people[i].words):
        return names | {"stranger": True}
    found = parts = cast.bearers(words)
    if parts:
        told = [i for i in parts if cues.epithet & (people[i].roles | people[i].said)]
        if cast.aside in parts:
            which["set apart"] = cast.aside
        which["known"] = told[0] if len(told) == 1 else parts[0]  # "Lee, the prop, ..."
    if len(words) > 1:
        equal = [i for i in order if any(same(f, words) for f in people[i].words)]
        # "Tom Lee" beside a Thomas Lee
        found = sorted(equal, key=lambda i: words not in people[i].words) or parts
        names["longer name"] = not found
        found = found or [
            i for i in order if any(len(f) > 1 and contains(words, f) for f in people[i].words)
        ]
    if not found:
        return names | {"stranger": True, "longer name": False}
    which["bearer"] = found[0]
    bearers = [(i, people[i]) for i in found]
    return names | _among(bearers, cues, which, longer=names.get("longer name", False))


def _among(
    found: Sequence[tuple[int, Individual]], cues: Cues, which: dict[str, int], *, longer: bool
) -> dict[str, bool]:
    """What sets apart those who bear a name."""
    open_ones = [(i, p) for i, p in found if p.born is None]
    holds = {
        "undescribed": [i for i, p in found if not p.described],
        "adds": [i for i, p in found if p.adds],
        "same epithet": [i for i, p in found if p.epithets & cues.epithet],
        "fits": [i for i, p in found if p.goes_with(cues)],
        "without a role": [i for i, p in found[:1] if not p.roles],
        "same birth": [i for i, p in found if cues.born is not None and p.born == cues.born],
        "open, same role": [
            i
            for i, p in open_ones
            if cues.born is not None and p.roles & cues.roles and cues.origins <= p.origins
        ],
    }
    which.update({cue: who[0] for cue, who in holds.items() if who})
    told = any(p.adds and cues.epithet & p.roles for _, p in found)
    roleless = [p for _, p in found if not p.roles]
    return {
        "other epithet": bool(cues.epithet) and any(p.epithets for _, p in found) and not told,
        "followed": bool(roleless) and roleless[0].followed,
        "born otherwise": cues.born is not None and not open_ones,
        "no role": bool(open_ones) and not cues.roles and "in brackets" not in cues and not longer,
        "died otherwise": cues.died is not None
        and all(p.died not in {None, cues.died} for _, p in found),
        "another time": all(_another_time(p, cues.stated) for _, p in found),
        "another nation": all(nations_differ(p.origins, cues.origins) for _, p in found),
        "said before": all(p.characterized for _, p in found),
    }


def _another_time(person: Individual, stated: Years) -> bool:
    """Whether years are too far from those of a person to be of the same life."""
    first, last = stated
    if first is None or last is None:
        return False
    if person.died is not None and first > person.died + _LATE:
        return True
    if person.born is not None and last < person.born:
        return True
    earliest, latest = person.years or (first, last)
    return first - latest > _LIFETIME or earliest - last > _LIFETIME
