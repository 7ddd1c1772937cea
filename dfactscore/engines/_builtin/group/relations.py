"""Relations of a clause's cues to the people presented so far; changes nothing."""

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

_LIFETIME = 75  # years between two events of which a text tells
_LATE = 5  # years until a work comes out, and slips
_LATTER = -1


@dataclass(frozen=True, slots=True)
class Relations:
    """The relations of a clause's cues to the people presented.

    Attributes:
        names: The cues by name.
        which: For the cues that point at a person, which one.
    """

    names: frozenset[str]
    which: Mapping[str, int]


def relations(cast: Cast, cues: Cues) -> Relations:
    """Compares a clause's cues with the people presented; changes nothing."""
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
    which: dict[str, int] = {"current": cast.current}
    if counted is not None and 0 <= counted < len(people):
        which["counted one"] = counted
    elif counted == _LATTER and len(people) > 1:
        which["counted one"] = len(people) - 1
    elif counted is not None:
        told = cast.listing if cues.mention is None else cast.target <= set(cues.mention.words)
        beside = told and (cues.mention is None or counted > 0 or len(people) == 1)
        names["next one"] = beside or ("presented" in cues and counted != _LATTER)
    if {"description", "definite"} <= cues.names:
        fitting = [i for i in cast.order() if people[i].roles & cues.roles]
        if fitting[:1] == [cast.current] or len(fitting) == 1:
            which["one with the role"] = fitting[0]
    if cues.mention is not None:
        names |= _by_name(cast, cues, _untitled(cast, cues.mention.words), which)
    return Relations(frozenset([*(n for n, holds in names.items() if holds), *which]), which)


def _untitled(cast: Cast, words: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a name, without a title that can be a given name: "Baron Hill", of a Hill."""
    known = len(words) == 2 and words[0] in TITLES and not cast.bearers(words)
    return words[1:] if known and cast.bearers(words[1:]) else words


def _by_name(
    cast: Cast, cues: Cues, words: tuple[str, ...], which: dict[str, int]
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
    again = [(i, people[i]) for i, form in forms if form == words]
    again = [(i, p) for i, p in again if cues.roles <= p.roles and cues.origins <= p.origins]
    again = [(i, p) for i, p in again if not p.born_otherwise(cues)]
    if again and cues.roles:
        which["same name and role"] = again[0][0]
    found = parts = cast.bearers(words)
    if parts:
        if cast.aside in parts:
            which["set apart"] = cast.aside
        which["known"] = _meant([(i, people[i]) for i in parts], cues)
    if len(words) > 1:
        equal = dict.fromkeys(i for i, f in forms if len(f) == len(words) and same(f, words))
        # "Tom Lee" beside a Thomas Lee
        found = sorted(equal, key=lambda i: words not in people[i].words) or parts
        names["longer name"] = not found
        found = found or [*dict.fromkeys(i for i, f in forms if f[1:] and contains(words, f))]
    if not found or numbered_otherwise(words, (form for _, form in forms)):
        return names | _of_a_stranger(cues, names) | {"longer name": False}
    bearers = [(i, people[i]) for i in found]
    which["bearer"] = _fitting(bearers, cues)[0][0]
    return names | _among(bearers, cues, which, longer=names.get("longer name", False))


def _fitting(
    found: Sequence[tuple[int, Individual]], cues: Cues
) -> Sequence[tuple[int, Individual]]:
    """Those whose dates allow what is said; all where none do."""
    fitting = [
        (i, p) for i, p in found if not p.born_otherwise(cues) and not _another_time(p, cues.stated)
    ]
    return fitting or found


def _meant(found: Sequence[tuple[int, Individual]], cues: Cues) -> int:
    """The one that a part of a name means: the latest whose dates and role fit."""
    fitting = _fitting(found, cues)
    born = cues.life.born
    same_birth = [i for i, p in fitting if born is not None and p.life.born == born]
    words = cues.epithet | (cues.roles if "definite" in cues or "apposed" in cues else frozenset())
    words |= cues.mention.titles if cues.mention is not None else frozenset()
    told = [i for i, p in fitting if words & (p.roles | p.said | p.titles)]  # "Lee, the prop, ..."
    return (same_birth or (told if len(told) == 1 else []) or [fitting[0][0]])[0]


def _of_a_stranger(cues: Cues, names: Mapping[str, bool]) -> dict[str, bool]:
    """Returns the evidence for whether a new name presents someone."""
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
    found: Sequence[tuple[int, Individual]], cues: Cues, which: dict[str, int], *, longer: bool
) -> dict[str, bool]:
    """The differences between bearers of a name."""
    born = cues.life.born
    open_ones = [(i, p) for i, p in found if p.life.born is None]
    alike = [i for i, p in open_ones if p.roles & cues.roles and cues.origins <= p.origins]
    able = [(i, p) for i, p in found if not p.born_otherwise(cues)]
    born_then = [i for i, p in able if born in {p.life.born, *p.doubted}] or alike
    holds = {
        "undescribed": [i for i, p in able if not p.described],
        "one with the role": [i for i, p in able if p.epithets & cues.epithet],
        "fits": [i for i, p in able if p.goes_with(cues)],
        "without a role": [
            i for i, p in able if not p.roles and (i == found[0][0] or "definite" in cues)
        ],
        "same birth": born_then if born is not None else [],
    }
    which.update({cue: who[0] for cue, who in holds.items() if who})
    told = any(p.adds and cues.epithet & p.roles for _, p in found)
    roleless = [p for _, p in found if not p.roles]
    told_apart = "definite" in cues and len(found) == 1
    whole = cues.mention is not None and len(cues.mention.words) > 1
    plain = not cues.roles and "in brackets" not in cues and not longer
    adds = any(p.adds for _, p in found) and "characterized" in cues and not longer
    return {
        "other epithet": bool(cues.epithet) and any(p.epithets for _, p in found) and not told,
        "followed": told_apart or (bool(roleless) and roleless[0].followed),
        "born otherwise": born is not None
        and ("dated" in cues or whole)
        and (not able or bool(open_ones and "dated" in cues and not plain)),
        "another time": all(_another_time(p, cues.stated) for _, p in found),
        "said before": all(p.characterized for _, p in found),
        "defined": all(p.defined for _, p in found),
        "role shown": bool({"apposed", "characterized", "titled"} & cues.names),
        "adds": adds,
        "also": adds,
    }


def _another_time(person: Individual, stated: Years) -> bool:
    """Whether years are too far from those of a person to be of the same life."""
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
