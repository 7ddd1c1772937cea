"""The people introduced so far: the only state that changes while a paragraph is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dfactscore._text.names import compare
from dfactscore._text.person_names import SUFFIXES, TITLES, read_name
from dfactscore._text.role_words import go_together, is_role, nations_differ
from dfactscore.engines._builtin.group.cues import SOURCES, Cues, Years
from dfactscore.engines._builtin.group.mentions import (
    NO_LIFE,
    Life,
    Mention,
    contains,
    numbered_otherwise,
    person_words,
    same,
)

_RECENT = 40
_MOST_FORMS = 8
DOUBT = 3  # years by which sources may differ about a birth
_LIFETIME = 75  # maximum number of years between two events of one life in a text
_LATE = 5  # maximum years from a death to a posthumous work; allows for errors
_LATTER = -1


@dataclass
class Individual:
    """A person as a reader of the paragraph perceives them."""

    label: str  # name as first written, or empty
    words: list[tuple[str, ...]] = field(default_factory=list)
    life: Life = NO_LIFE  # birth and death as given in the person's introduction
    doubted: set[int] = field(default_factory=set)
    roles: set[str] = field(default_factory=set)
    origins: set[str] = field(default_factory=set)
    described: bool = True
    characterized: bool = False
    defined: bool = False
    epithets: set[str] = field(default_factory=set)
    context: set[str] = field(default_factory=set)
    adds: bool = False
    years: tuple[int, int] | None = None
    followed: bool = False
    titles: set[str] = field(default_factory=set)

    def goes_with(self, cues: Cues) -> bool:
        """Whether a description is compatible with the person as described so far."""
        if cues.roles & self.context and cues.origins <= self.context:
            return True
        if nations_differ(self.origins, cues.origins):
            return False
        if self.born_otherwise(cues):
            return False
        if self.origins and cues.origins and not any(map(is_role, cues.roles)):
            return True  # "an English singer", "a British treasure"
        return go_together(self.roles, cues.roles) or bool(cues.roles & self.context)

    def born_otherwise(self, cues: Cues) -> bool:
        """Whether a clause gives a birth year or birthday that differs from the known one."""
        own_life, new_life = self.life, cues.life
        if None in {own_life.born, new_life.born} or "hedged" in cues:
            return False
        plain = not {"dated", "in brackets"} & cues.names and not cues.roles
        if plain and abs((own_life.born or 0) - (new_life.born or 0)) <= DOUBT:
            return False  # a contradiction: the clause introduces no one
        if own_life.born == new_life.born:
            return (
                bool(own_life.birthday and new_life.birthday)
                and own_life.birthday != new_life.birthday
            )
        return new_life.born not in self.doubted

    def learn_life(self, life: Life) -> None:
        """Fills in birth and death if they are unknown."""
        known = self.life
        self.life = Life(
            life.born if known.born is None else known.born,
            life.died if known.died is None else known.died,
            known.birthday or life.birthday,
        )


class Cast:
    """The people a reader knows at a given point in the paragraph."""

    def __init__(self, name: str) -> None:
        self.target = frozenset(person_words(name)) if name else frozenset()
        self.surname = person_words(name)[-1:] if name else ()
        self.people: list[Individual] = []  # people, in order of appearance
        self.current = 0
        self.listing = False
        # Index of the person that the last clause said not to confuse with its subject.
        self.aside: int | None = None
        self.tied: set[tuple[str, ...]] = set()
        self.facts = False

    def order(self) -> list[int]:
        """Returns the people to compare a mention with: the current, latest and first ones."""
        last = len(self.people)
        if last < 2:
            return list(range(last))
        order = [self.current, *range(last - 1, max(-1, last - _RECENT), -1), *range(min(3, last))]
        return list(dict.fromkeys(order))

    def bearers(self, words: tuple[str, ...]) -> list[int]:
        """Returns the people that a name, or part of a name, can refer to."""
        return list(dict.fromkeys(i for i, f in self.forms() if contains(f, words)))

    def has_name(self, mention: Mention | None) -> bool:
        """Whether the target or anyone introduced so far has this full name, ignoring suffixes."""
        words = frozenset(mention.words if mention is not None else ()) - SUFFIXES
        return len(words) > 1 and (
            words == self.target - SUFFIXES
            or any(words == frozenset(form) - SUFFIXES for _, form in self.forms())
        )

    def forms(self) -> list[tuple[int, tuple[str, ...]]]:
        """Returns the names to compare a mention with, and the index of each name's bearer."""
        return [(i, form) for i in self.order() for form in self.people[i].words]

    def is_kin(self, words: Sequence[str]) -> bool:
        """Whether a name shares a word with the target's name or with that of anyone introduced."""
        forms = (form for _, form in self.forms())
        return not (self.target.isdisjoint(words) and all(map(set(words).isdisjoint, forms)))

    # -- changes ------------------------------------------------------------------------------

    def announce(self, mention: Mention | None) -> None:
        """Records that a clause says several people bear the name."""
        self.listing = True
        if not self.people:
            self.people.append(Individual("", described=False))
        person = self.people[0]
        if mention is not None and not person.label and not person.described:
            person.label = mention.text
            person.words.append(mention.words)

    def begin(self, cues: Cues) -> int:
        """Fills in the first person based on the first name or description; returns their index."""
        person = self.people[0]
        words = cues.mention.words if cues.mention is not None else ()
        if len(words) == 1 and self.target and not set(words) & self.target:
            return 0  # "Hi there": no one
        if cues.mention is not None:
            person.label, person.words = cues.mention.text, [words]
            person.described = "heading" not in cues
        elif "description" in cues or "opens" in cues or (self.listing and "presented" in cues):
            person.described = True
        return 0

    def present(self, cues: Cues) -> int:
        """Adds a new person without making them current; returns their index."""
        mention = cues.mention
        label = mention.text if mention else self.people[0].label
        words = [mention.words] if mention else list(self.people[0].words)
        self.people.append(
            Individual(
                label,
                words,
                cues.life,
                set(),
                set(cues.roles),
                set(cues.origins),
                described="heading" not in cues,
                epithets=set(cues.epithet),
            )
        )
        return len(self.people) - 1

    def add_in_passing(self, cues: Cues) -> int:
        """Returns the index of a person mentioned in passing; adds them if they are new."""
        if len(self.people) != 1 or self.people[0].described or cues.mention is not None:
            return self.present(cues)
        self.learn(self.begin(cues), cues)
        return 0

    def learn(self, index: int, cues: Cues) -> None:
        """Makes a person the current one and adds a clause's cues to what is known about them."""
        self.current = index
        person = self.people[index]
        if "heading" not in cues and ("other" not in cues or len(self.people) > 1 or person.words):
            person.described = person.described or bool(person.label)
        person.epithets |= cues.epithet
        by_name = cues.mention is not None and len(cues.mention.words) > 1 and "name" in cues
        person.followed |= "statement" in cues and not by_name
        person.adds |= "many" in cues
        years = [year for year in (*(person.years or ()), *cues.stated) if year is not None]
        person.years = (min(years), max(years)) if years else None
        if {"pronoun", "name"} & cues.names or {"description", "presented"} <= cues.names:
            differ = person.roles and cues.roles and not go_together(person.roles, cues.roles)
            person.adds |= "also" in cues and bool(differ)
            person.roles |= cues.roles
            person.origins |= cues.origins
            person.learn_life(cues.life)
        elif self.listing and {"description", "definite"} <= cues.names and not person.roles:
            person.roles |= cues.roles  # "Several share the name. The judge sat in Bonn."
        born = person.life.born
        if born is None and "tells a birth" in cues:
            person.doubted |= {year for year in cues.stated if year is not None}
        elif born is not None:
            person.doubted |= {y for y in cues.stated if y is not None and abs(y - born) <= DOUBT}
        if "name" in cues and cues.mention is not None:
            self._learn_name(person, cues, cues.mention)

    def _learn_name(self, person: Individual, cues: Cues, mention: Mention) -> None:
        words = mention.words
        person.titles |= mention.titles
        only_word = len(words) == 1 and "statement" not in cues and not person.label
        if only_word and self.target and words[0] not in SOURCES and not self.is_kin(words):
            return  # "Studied in Leeds" gives no name
        person.characterized |= bool({"characterized", "apposed"} & cues.names)
        person.defined |= "characterized" in cues
        nicknames = [(nick, words[-1]) for nick in read_name(mention.text).nicknames]
        for form in (words, *cues.aliases, *nicknames):
            new_form = len(person.words) < _MOST_FORMS and form not in person.words
            if new_form and (len(form) > 1 or not person.words or form in cues.aliases):
                person.words.append(form)
        person.label = person.label or mention.text


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
        presented = "presented" in cues and "kin" not in cues
        names["next one"] = is_next or (presented and counted != _LATTER)
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
        equal = dict.fromkeys(i for i, f in forms if same(f, words))
        # the exact form first: "Tom Lee" if there is also a Thomas Lee
        matches = sorted(equal, key=lambda i: words not in people[i].words) or partial
        names["longer name"] = not matches
        matches = matches or [*dict.fromkeys(i for i, f in forms if f[1:] and contains(words, f))]
        matches = matches or [i for i in cast.order() if _one_name(people[i].label, cues.mention)]
    if not matches or numbered_otherwise(words, (form for _, form in forms)):
        return names | _of_a_stranger(cues, names) | {"longer name": False}
    bearers = [(i, people[i]) for i in matches]
    pointers["bearer"] = _fitting(bearers, cues)[0][0]
    return names | _among(bearers, cues, pointers, longer=names.get("longer name", False))


def _one_name(label: str, mention: Mention | None) -> bool:
    """Whether two full names are one in another spelling: "Abdul Rahman", "Abd al-Rahman"."""
    if mention is None or " " not in label:
        return False
    name, other = read_name(mention.text), read_name(label)
    return name.suffix == other.suffix and compare(name, other)[0] != "other"


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
