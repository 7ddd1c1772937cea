"""The people introduced so far: the only state that changes while a paragraph is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dfactscore._text.person_names import SUFFIXES
from dfactscore.engines._builtin.group.cues import SOURCES, Cues
from dfactscore.engines._builtin.group.mentions import NO_LIFE, Life, Mention, person_words
from dfactscore.engines._builtin.group.same_name import contains
from dfactscore.engines._builtin.language.professions import go_together, nations_differ
from dfactscore.engines._builtin.language.word_classes import is_role

_RECENT = 40
_MOST_FORMS = 8
DOUBT = 3  # years by which sources may differ about a birth


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
        for form in (words, *cues.aliases):
            new_form = len(person.words) < _MOST_FORMS and form not in person.words
            if new_form and (len(form) > 1 or not person.words or form in cues.aliases):
                person.words.append(form)
        person.label = person.label or mention.text
