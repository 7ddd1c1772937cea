"""The people presented so far, and how what a clause shows relates to them.

`Cast` is the one owner of what changes while a paragraph is read. `relations` only looks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dfactscore.engines.builtin.group.cues import SOURCES, Cues
from dfactscore.engines.builtin.group.mentions import Mention, person_words
from dfactscore.engines.builtin.group.same_name import (
    SUFFIXES,
    contains,
    numbered_otherwise,
    same,
)
from dfactscore.engines.builtin.language.professions import go_together

__all__ = ["Cast", "Individual", "Relations", "relations"]

_RECENT = 40
_ENDING = re.compile(r"(?:er|or|ist|ian|ing|ed|s)$")
_MOST_FORMS = 8
_LATER = SUFFIXES - {"sr", "senior"}
_BRITISH = frozenset({"british", "english", "scottish", "welsh", "irish"})
_MOST_MENTIONED = 500


@dataclass
class Individual:
    """A person that the reader perceives.

    Attributes:
        label: The name as first written, or empty.
        words: The words of each name form seen.
        born: Birth year as introduced, or None.
        died: Year of death, or None.
        roles: What introductions say the person is.
        origins: Nationalities that introductions give.
        described: Whether anything has been said about the person yet.
        characterized: Whether a sentence has said what the person is.
        qualifiers: What headings put behind the name.
        epithets: Words of "X, the painter" and "X (judge)".
        said: Words of the clauses that are about the person.
        called: Those of clauses that say who the person is.
        adds: Whether "also" has joined roles that do not go together.
        followed: Whether the text continues about the person with "he" or the surname.
    """

    label: str
    words: list[tuple[str, ...]] = field(default_factory=list)
    born: int | None = None
    died: int | None = None
    roles: set[str] = field(default_factory=set)
    origins: set[str] = field(default_factory=set)
    described: bool = True
    characterized: bool = False
    qualifiers: set[str] = field(default_factory=set)
    epithets: set[str] = field(default_factory=set)
    said: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)
    adds: bool = False
    followed: bool = False


class Cast:
    """What a reader of the paragraph knows at one place.

    Args:
        name: The target name, or empty.

    Attributes:
        people: In order of appearance.
        current: Index of the one that the text is about.
        listing: Whether several people have been announced.
        mentioned: Names in passing, each with whether it was presented as a person.
        aside: Index of someone that the clause before says not to confuse with its subject.
        counted_from: Index of the person that "the first" of the list announced is.
        just_named: Whether the clause before gave a name and said nothing.
        bystanders: How many people of other names the clause before speaks of.
        namesake: "elder" or "younger", where the first person's parent or child has the name.
        counts_others: Whether "one" was someone of another name: "One, Tom Hill, was an actor".
        heir: Index of that parent or child once the text turns to them.
    """

    def __init__(self, name: str) -> None:
        self.target = frozenset(person_words(name)) if name else frozenset()
        self.surname = person_words(name)[-1:] if name else ()
        self.people: list[Individual] = []
        self.current = 0
        self.listing = False
        self.mentioned: dict[tuple[str, ...], bool] = {}
        self.aside: int | None = None
        self.counted_from = 0
        self.just_named = False
        self.bystanders = 0
        self.namesake = ""
        self.heir: int | None = None
        self.counts_others = False

    def order(self) -> list[int]:
        """The people that a mention is compared with: the current, the latest, the first."""
        last = len(self.people)
        if not last:
            return []
        order = [self.current, *range(last - 1, max(-1, last - _RECENT), -1), *range(min(3, last))]
        return list(dict.fromkeys(order))

    def bearers(self, words: Sequence[str]) -> list[int]:
        """The people that a name or a part of it can mean."""
        return [i for i in self.order() if any(contains(f, words) for f in self.people[i].words)]

    def is_kin(self, words: Sequence[str]) -> bool:
        """Whether a name shares a word with the target or with a person presented."""
        mine = set(words)
        return bool(mine & self.target) or any(
            mine & set(form) for i in self.order() for form in self.people[i].words
        )

    def has_given_name(self, words: Sequence[str]) -> bool:
        """Whether a name begins as that of someone presented."""
        return any(form[:1] == words[:1] for i in self.order() for form in self.people[i].words)

    def is_bearer(self, words: Sequence[str]) -> bool:
        """Whether a name is the target's, or contains it."""
        return bool(self.target) and self.target <= set(words)

    # -- what happens -------------------------------------------------------------------------

    def announce(self, mention: Mention | None, *, others: bool = False) -> int:
        """A clause says that several people, or others, bear the name."""
        self.listing = True
        if others and self.people and self.people[0].described:
            self.counted_from = len(self.people)
        if not self.people:
            self.people.append(Individual("", described=False))
        person = self.people[0]
        if mention is not None and not person.label and not person.described:
            person.label = mention.text
            person.words.append(mention.words)
        return self.current

    def begin(self, cues: Cues) -> int:
        """The first person: whoever is named or described first."""
        person = self.people[0]
        words = cues.mention.words if cues.mention is not None else ()
        if len(words) == 1 and self.target and not set(words) & self.target:
            return 0  # "Hi there": no one
        if words and words[0] in SOURCES:
            return 0  # "Document 1 and Document 3 both mention"
        if cues.mention is not None:
            person.label = cues.mention.text
            person.words = [cues.mention.words]
            person.described = "heading" not in cues
        elif "description" in cues or "opens" in cues or (self.listing and "presented" in cues):
            person.described = True
        return 0

    def present(self, cues: Cues) -> int:
        """Adds a new person; the current individual stays."""
        if cues.mention is not None:
            person = Individual(cues.mention.text, [cues.mention.words])
        else:
            person = Individual(self.people[0].label, list(self.people[0].words))
        person.described = "heading" not in cues
        person.born, person.died = cues.born, cues.died
        person.roles |= cues.roles
        person.origins |= cues.origins
        person.epithets |= cues.epithet
        self.people.append(person)
        if (self.namesake and self.namesake in cues) or {"child", "parent"} & cues.names:
            self.heir = len(self.people) - 1
        return len(self.people) - 1

    def learn(self, who: int, cues: Cues) -> None:
        """Makes a person current, and remembers what a clause says of them."""
        self.current = who
        person = self.people[who]
        if {"child", "parent"} & cues.names:
            self.namesake = "younger" if "child" in cues else "elder"
        if cues.qualifier:
            person.qualifiers.add(cues.qualifier)
        if "heading" not in cues and ("other" not in cues or len(self.people) > 1 or person.words):
            person.described = person.described or bool(person.label)
        person.epithets |= cues.epithet
        by_name = cues.mention is not None and "name" in cues and len(cues.mention.words) > 1
        person.followed = person.followed or ("statement" in cues and not by_name)
        person.adds = person.adds or "many" in cues
        if "pronoun" in cues or ("description" in cues and "presented" in cues) or "name" in cues:
            apart = person.roles and cues.roles and not go_together(person.roles, cues.roles)
            person.adds = person.adds or bool("also" in cues and apart)
            person.roles |= cues.roles
            person.origins |= cues.origins
            person.born = person.born if person.born is not None else cues.born
            person.died = person.died if person.died is not None else cues.died
        if "name" not in cues or cues.mention is None:
            return
        alone = len(cues.mention.words) == 1 and "statement" not in cues and not person.label
        alone = alone and cues.mention.words[0] not in SOURCES
        if alone and self.target and not self.is_kin(cues.mention.words):
            return  # "Studied in Leeds" gives no name
        person.characterized = person.characterized or bool(
            {"characterized", "apposed"} & cues.names
        )
        for form in (cues.mention.words, *cues.aliases):
            room = len(person.words) < _MOST_FORMS and form not in person.words
            if room and (len(form) > 1 or not person.words or form in cues.aliases):
                person.words.append(form)
        person.label = person.label or cues.mention.text

    def mention(self, words: tuple[str, ...], *, presented: bool) -> None:
        """Remembers a name in passing: a relative, or a person that an apposition presents."""
        if len(self.mentioned) > _MOST_MENTIONED:
            return
        if presented:
            self.mentioned.setdefault(words, True)
        else:
            self.mentioned[words] = False


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
    names: set[str] = {"named"} if cues.mention is not None else set()
    if cues.roles:
        names.add("role said")
    if cues.born is not None:
        names.add("birth year")
    if cues.born is not None or ("presented" in cues and (cues.roles or "apposed" in cues)):
        names.add("introduced")
    which: dict[str, int] = {"current": cast.current, "latest": len(people) - 1, "first": 0}
    if len(people) == 1 and not people[0].described:
        names.add("no one yet")
    if cast.listing:
        names.add("listing")
    if cast.just_named:
        names.add("just named")
    if cast.bystanders > 1:
        names.add("bystanders")
    if len(people) > 1:
        names.add("several")
    if len(people) == 2:
        which["the other"] = 1 - cast.current
    _by_ordinal(cast, cues, names, which)
    _by_role(cast, cues, which)
    if people[cast.current].roles and cues.roles and _alike(people[cast.current], cues):
        names.add("goes with current")
    if cues.mention is not None:
        _by_name(cast, cues, cues.mention.words, names, which)
    elif cast.namesake and cues.names & {"elder", "younger"}:
        _by_age(cast, cues, [], names, which)
    return Relations(frozenset(names | which.keys()), which)


def _by_ordinal(cast: Cast, cues: Cues, names: set[str], which: dict[str, int]) -> None:
    k = cues.ordinal
    if k is not None and k >= 0 and cast.listing:
        k += cast.counted_from
    if k is not None and 0 <= k < len(cast.people):
        which["counted one"] = k
    if k is not None and k > 0:
        names.add("beyond the first")
    if k == -2 and cues.mention is not None:
        names.add("other of the name")


def _by_role(cast: Cast, cues: Cues, which: dict[str, int]) -> None:
    fitting = [i for i in cast.order() if cast.people[i].roles & cues.roles]
    if cast.people[cast.current].roles & cues.roles:
        which["one with the role"] = cast.current
    elif len(fitting) == 1:
        which["one with the role"] = fitting[0]
    if not cues.subject:
        return
    told = [i for i in cast.order() if _is_told(cast.people[i], cues)]
    if len(told) == 1:
        which["described so"] = told[0]


def _is_told(person: Individual, cues: Cues) -> bool:
    """Whether what was said of someone speaks of this: "the rower" who won in rowing."""
    if not cues.roles and "agent" not in cues:
        return bool(cues.subject & person.called)  # "the attendant"
    said = {_stem(word) for word in person.said | person.roles | person.epithets}
    return any(_stem(word) in said for word in cues.subject)


def _stem(word: str) -> str:
    stem = _ENDING.sub("", word)
    return stem if len(stem) > 2 else word


def _by_name(
    cast: Cast, cues: Cues, words: tuple[str, ...], names: set[str], which: dict[str, int]
) -> None:
    people, order = cast.people, cast.order()
    passing = cast.mentioned.get(words)
    if passing is not None:
        names.add("presented in passing" if passing else "tied to someone")
    if cast.is_bearer(words):
        names.add("bears the name")
    if tuple(words[-1:]) == cast.surname:
        names.add("surname")
    if cast.is_kin(words):
        names.add("kin")
    if set(words) & SUFFIXES:
        names.add("suffix")
    longer_known = any(len(f) > 1 for i in order for f in people[i].words)
    if len(words) > 1 or (set(words) == cast.target and not longer_known):
        names.add("full name")
    if people[cast.current].label:
        names.add("someone named")
    for i in order:
        person = people[i]
        if words not in person.words:
            continue
        if cues.qualifier and cues.qualifier in person.qualifiers:
            which.setdefault("same qualifier", i)
        fits = cues.roles and cues.roles <= person.roles and cues.origins <= person.origins
        if fits:
            which.setdefault("same name and role", i)
    if any(numbered_otherwise(words, f) for i in order for f in people[i].words):
        names.update({"other number", "stranger"})
        return
    parts = cast.bearers(words)
    if parts:
        told = [i for i in parts if cues.epithet & (people[i].roles | people[i].said)]
        which["known"] = told[0] if len(told) == 1 else parts[0]  # "Lee, the prop, ..."
    if cast.aside in parts:
        which["set apart"] = cast.aside
    if any(contains(f, words) for f in people[-1].words):
        which["latest by name"] = len(people) - 1
    equal = [i for i in order if any(same(f, words) for f in people[i].words)]
    shorter = [
        i for i in order if any(len(words) < len(f) and contains(f, words) for f in people[i].words)
    ]
    longer = [
        i
        for i in order
        if any(1 < len(f) < len(words) and contains(words, f) for f in people[i].words)
    ]
    if len(words) == 1:
        found = parts
    else:
        found = equal or shorter or longer
        if found and found is longer:
            names.add("longer name")
        if found is equal:  # "Tom Lee" beside a Thomas Lee
            found = sorted(equal, key=lambda i: words not in people[i].words)
    if not found:
        names.add("stranger")
        return
    if cues.names & {"elder", "younger"}:
        _by_age(cast, cues, parts or found, names, which)
    which["bearer"] = found[0]
    _among(cast, cues, found, names, which)


def _by_age(
    cast: Cast, cues: Cues, found: list[int], names: set[str], which: dict[str, int]
) -> None:
    """Finds "the elder Lee" beside "Ann Lee II", the one without a number, and beside a son."""
    elder = "elder" in cues
    numbered = [i for i in found if any(set(f) & _LATER for f in cast.people[i].words)]
    plain = [i for i in found if i not in numbered]
    if numbered and plain:
        which["the elder"] = plain[-1] if elder else numbered[0]
    elif cast.namesake and cast.namesake != ("elder" if elder else "younger"):
        which["the elder"] = 0
    elif cast.namesake and cast.heir is not None:
        which["the elder"] = cast.heir
    elif cast.namesake:
        names.add("heir")


def _among(
    cast: Cast, cues: Cues, found: list[int], names: set[str], which: dict[str, int]
) -> None:
    """What sets apart those who bear a name."""
    people = cast.people

    def first(cue: str, holds: list[int]) -> None:
        if holds:
            which[cue] = holds[0]

    first("undescribed", [i for i in found if not people[i].described])
    first("adds", [i for i in found if people[i].adds])
    if cues.epithet:
        first("same epithet", [i for i in found if people[i].epithets & cues.epithet])
        known = any(people[i].adds and cues.epithet & people[i].roles for i in found)
        if any(people[i].epithets for i in found) and not known:
            names.add("other epithet")
    first("fits", [i for i in found if _alike(people[i], cues)])
    roleless = [i for i in found if not people[i].roles]
    first("without a role", roleless)
    if roleless and people[roleless[0]].followed:
        names.add("followed")
    if cues.born is not None:
        first("same birth", [i for i in found if people[i].born == cues.born])
        open_ones = [i for i in found if people[i].born is None]
        first("open, same role", [
            i for i in open_ones
            if people[i].roles & cues.roles and not cues.origins - people[i].origins
        ])  # fmt: skip
        first("open, without a role", [i for i in open_ones if not people[i].roles])
        if not open_ones:
            names.add("born otherwise")
        elif not cues.roles and "in brackets" not in cues and "longer name" not in names:
            names.add("no role")
    if cues.died is not None and all(people[i].died not in {None, cues.died} for i in found):
        names.add("died otherwise")
    if all(people[i].characterized for i in found):
        names.add("said before")
    if cues.origins and all(_of_another_nation(people[i], cues) for i in found):
        names.add("another nation")


def _of_another_nation(person: Individual, cues: Cues) -> bool:
    """Whether nationalities were said and cannot be of one person; the English are British."""
    if not person.origins or person.origins & cues.origins:
        return False
    both = person.origins | cues.origins
    return not ("british" in both and person.origins & _BRITISH and cues.origins & _BRITISH)


def _alike(person: Individual, cues: Cues) -> bool:
    """Whether a description can be of a person already described."""
    if cues.roles & person.said and cues.origins <= person.said:
        return True
    if person.origins and cues.origins and not person.origins & cues.origins:
        return False
    if person.born is not None and cues.born is not None and person.born != cues.born:
        return False
    return go_together(person.roles, cues.roles) or bool(cues.roles & person.said)
