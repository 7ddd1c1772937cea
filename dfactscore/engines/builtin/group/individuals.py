"""The individuals whom a reader perceives, and which of them a clause is about.

A reader takes a paragraph to be about one person until the text presents another: by saying so
("another", "on the other hand, there is"), by new dates, by a new description of the same name, by
a different full name as the subject, or by an enumeration. Doubt keeps the current individual.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from dfactscore.engines.builtin.group.introductions import Introduction
from dfactscore.engines.builtin.group.mentions import Mention, near_words, person_words
from dfactscore.engines.builtin.language.professions import go_together

__all__ = ["Cast", "Individual"]

_NUMERAL = re.compile(r"[ivxl]+")
_RECENT = 40
_MOST_FORMS = 8
_SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv", "junior", "senior"})


@dataclass
class Individual:
    """A person whom the reader perceives.

    Attributes:
        label: The name as first written, or empty.
        words: The words of each name form seen.
        born: Birth year as introduced, or None.
        roles: What introductions say the person is.
        origins: Nationalities that introductions give.
        described: Whether anything has been said about the person yet.
    """

    label: str
    words: list[tuple[str, ...]] = field(default_factory=list)
    born: int | None = None
    roles: set[str] = field(default_factory=set)
    origins: set[str] = field(default_factory=set)
    described: bool = True


class Cast:
    """The people presented so far.

    Args:
        name: The target name, or empty.

    Attributes:
        people: In order of appearance.
        current: Index of the one whom the text is about.
    """

    def __init__(self, name: str) -> None:
        self.target = frozenset(person_words(name)) if name else frozenset()
        self.people: list[Individual] = []
        self.current = 0
        self.listing = False  # several people have been announced
        self.mentioned: dict[tuple[str, ...], bool] = {}  # names in passing: presented as somebody?

    # -- what happens -------------------------------------------------------------------------

    def announce_list(self, mention: Mention | None) -> int:
        """A clause says that several people bear the name."""
        self.listing = True
        if not self.people:
            person = Individual("", described=False)
            if mention is not None:
                person.label = mention.text
                person.words.append(mention.words)
            self.people.append(person)
        return self.current

    def present(self, intro: Introduction) -> int:
        """Somebody new, whatever was said before; the current individual stays."""
        self.people.append(self._person(intro))
        return len(self.people) - 1

    def stands_for_known(self, words: tuple[str, ...]) -> bool:
        """Whether a name is that of somebody presented, or a part of it."""
        return any(self._fits(i, words) for i in self._order())

    def hear(self, intro: Introduction, *, item: bool = False) -> int:
        """Takes in a clause and returns whom it is about."""
        if not self.people:
            self.people.append(Individual("", described=False))
        if item and self.listing and intro.mention is None and intro.opens:
            intro_new = self.people[0].described
            self.current = self._new(intro) if intro_new else 0
            self.people[self.current].described = True
        elif item and intro.heading and intro.mention is not None and self.people[0].described:
            self.current = self._heading(intro)
        else:
            self.current = self._who(intro)
        self._learn(self.people[self.current], intro)
        return self.current

    # -- deciding -----------------------------------------------------------------------------

    def _who(self, intro: Introduction) -> int:
        if intro.kind in {"pronoun", "other"}:
            return self.current
        if self._nobody_yet():
            return self._begin(intro)
        if intro.kind == "description":
            return self._by_description(intro)
        if intro.mention is None:
            return self.current
        if intro.kind == "owner":
            return self._known(intro.mention.words)
        if intro.this:
            latest = len(self.people) - 1
            return (
                latest
                if self._fits(latest, intro.mention.words)
                else self._known(intro.mention.words)
            )
        if intro.marked:
            return self._new(intro)
        return self._by_name(intro, intro.mention.words)

    def _heading(self, intro: Introduction) -> int:
        """A heading that names somebody opens a part about somebody else, or goes back to one."""
        for i in self._order():
            person = self.people[i]
            same = intro.mention is not None and intro.mention.words in person.words
            if same and i != self.current and intro.roles and intro.roles <= person.roles:
                return i
        return self._new(intro)

    def _nobody_yet(self) -> bool:
        return len(self.people) == 1 and not self.people[0].described

    def _begin(self, intro: Introduction) -> int:
        """The first person: whoever is named or described first."""
        person = self.people[0]
        if intro.mention is not None:
            person.label = intro.mention.text
            person.words = [intro.mention.words]
            person.described = not intro.heading
        elif intro.kind == "description":
            person.described = True
        return 0

    def _by_description(self, intro: Introduction) -> int:
        """Whom "the second ...", "another is ..." or "the botanist ..." means."""
        if intro.marked:
            return self._new(intro)
        k = intro.ordinal
        if k is not None and (self.listing or (len(self.people) > 1 and intro.strong)):
            if k == -1:
                return len(self.people) - 1
            if 0 <= k < len(self.people):
                return k
            return self._new(intro)
        if k is not None and k > 0 and intro.strong:
            return self._new(intro)
        if intro.definite and intro.roles and len(self.people) > 1:
            if self.people[self.current].roles & intro.roles:
                return self.current
            fitting = [i for i in self._order() if self.people[i].roles & intro.roles]
            if len(fitting) == 1:
                return fitting[0]
        return self.current

    def _by_name(self, intro: Introduction, words: tuple[str, ...]) -> int:
        if intro.ordinal is not None and intro.strong:
            if 0 <= intro.ordinal < len(self.people):
                return intro.ordinal
            if intro.ordinal != -1:
                return self._new(intro)
        order = self._order()
        if len(words) == 1:
            fitting = [i for i in order if self._fits(i, words)]
            if fitting:
                return fitting[0]
            return self._stranger(intro, words)
        mine = set(words)
        equal = [i for i in order if any(set(form) == mine for form in self.people[i].words)]
        if equal:
            return self._among(intro, equal)
        shorter = [i for i in order if any(mine < set(form) for form in self.people[i].words)]
        if shorter:
            return self._among(intro, shorter)
        longer = [
            i for i in order if any(set(f) < mine for f in self.people[i].words if len(f) > 1)
        ]
        if longer:
            return self._longer(intro, words, longer)
        return self._stranger(intro, words)

    def _among(self, intro: Introduction, bearers: list[int]) -> int:
        """The same name again: one of those who bear it, or somebody new?"""
        undescribed = [i for i in bearers if not self.people[i].described]
        if undescribed:
            return undescribed[0]
        if intro.dated and intro.born is not None:
            for i in bearers:
                if self.people[i].born == intro.born:
                    return i
            open_ones = [i for i in bearers if self.people[i].born is None]
            # dates with the name introduce somebody: only the very same role is the same person
            alike = [i for i in open_ones if self.people[i].roles & intro.roles]
            if alike and not intro.origins - self.people[alike[0]].origins:
                return alike[0]
            blank = [i for i in open_ones if not self.people[i].roles]
            return blank[0] if blank else self._new(intro)
        if not intro.strong or not intro.roles or intro.additive:
            return bearers[0]
        alike = [i for i in bearers if self._alike(i, intro)]
        if alike:
            return alike[0]
        if any(not self.people[i].roles for i in bearers):
            return bearers[0]
        if intro.apposed or intro.contrast or (intro.specific and intro.origins) or intro.heading:
            return self._new(intro)
        return bearers[0]

    def _alike(self, i: int, intro: Introduction) -> bool:
        """Whether a description can be of somebody already described."""
        person = self.people[i]
        if person.origins and intro.origins and not person.origins & intro.origins:
            return False
        if person.born is not None and intro.born is not None and person.born != intro.born:
            return False
        return go_together(person.roles, intro.roles)

    def _longer(self, intro: Introduction, words: tuple[str, ...], known: list[int]) -> int:
        """A known name with more words: the same person in full, or somebody else?"""
        undescribed = [i for i in known if not self.people[i].described]
        if undescribed:
            return undescribed[0]
        suffix = set(words) & _SUFFIXES
        if suffix and not intro.additive and self._bears(words):
            return self._new(intro)
        if not intro.strong or intro.additive:
            return known[0]
        if intro.dated and intro.born is not None:
            for i in known:
                if self.people[i].born == intro.born:
                    return i
            return self._new(intro)
        if len(self.people) == 1 and not intro.apposed and self._alike(known[0], intro):
            return known[0]
        if not intro.roles and not intro.apposed:
            return known[0]
        return self._new(intro)

    def _stranger(self, intro: Introduction, words: tuple[str, ...]) -> int:
        """A name that is nobody's so far."""
        presented = self.mentioned.get(words)
        if presented is False and not self._bears(words) and not intro.contrast:
            return self.current  # a relative or another passing figure
        strong = intro.born is not None or (intro.strong and bool(intro.roles or intro.apposed))
        if self._numbered_otherwise(words):
            return self._new(intro)
        if not presented and not strong:
            # "Ibrahim Juma plays for": a full name that shares a word, as the one who acts
            acts = intro.personal and len(words) > 1 and not intro.refers
            return self._new(intro) if acts and self._kin(words) else self.current
        if not self._kin(words) and (intro.refers or (intro.definite and not intro.dated)):
            return self.current  # "the critic Ann Poe praised him"
        return self._new(intro)

    # -- names --------------------------------------------------------------------------------

    def _order(self) -> list[int]:
        """Whom a mention is compared with: the current, the latest, the first."""
        last = len(self.people)
        if not last:
            return []
        order = [self.current, *range(last - 1, max(-1, last - _RECENT), -1), *range(min(3, last))]
        return list(dict.fromkeys(order))

    def _fits(self, i: int, words: tuple[str, ...]) -> bool:
        """Whether a name or a part of it can mean this individual, one slip of spelling allowed."""
        return any(
            all(any(near_words(word, other) for other in form) for word in words)
            for form in self.people[i].words
        )

    def _known(self, words: tuple[str, ...]) -> int:
        """The individual that a name in passing means: the current where it can be."""
        return next((i for i in self._order() if self._fits(i, words)), self.current)

    def _bears(self, words: tuple[str, ...]) -> bool:
        """Whether a name is the target's, or contains it."""
        return bool(self.target) and self.target <= set(words)

    def _numbered_otherwise(self, words: tuple[str, ...]) -> bool:
        """Whether only a numeral tells a name from a known one (Cyril V, Cyril VI)."""
        mine = [w for w in words if not _NUMERAL.fullmatch(w)]
        if len(mine) == len(words) or not mine:
            return False
        return any(
            [w for w in form if not _NUMERAL.fullmatch(w)] == mine and len(form) == len(words)
            for i in self._order()
            for form in self.people[i].words
        )

    def _kin(self, words: tuple[str, ...]) -> bool:
        """Whether a name shares a word with the target or with somebody presented."""
        mine = set(words)
        return bool(mine & self.target) or any(
            mine & set(form) for i in self._order() for form in self.people[i].words
        )

    def _person(self, intro: Introduction) -> Individual:
        if intro.mention is not None:
            person = Individual(intro.mention.text, [intro.mention.words])
        else:
            person = Individual(self.people[0].label, list(self.people[0].words))
        person.described = not intro.heading
        person.born = intro.born
        person.roles |= intro.roles
        person.origins |= intro.origins
        return person

    def _new(self, intro: Introduction) -> int:
        self.people.append(self._person(intro))
        return len(self.people) - 1

    def _learn(self, person: Individual, intro: Introduction) -> None:
        """Remembers what an introduction says of a person."""
        if not intro.heading and (intro.kind != "other" or len(self.people) > 1 or person.words):
            person.described = person.described or bool(person.label)
        if intro.kind in {"pronoun", "description"}:
            if intro.kind == "pronoun" or intro.strong:
                person.roles |= intro.roles
                person.origins |= intro.origins
            return
        if intro.kind != "name" or intro.mention is None:
            return
        forms: Sequence[tuple[str, ...]] = (intro.mention.words, *intro.aliases)
        for form in forms:
            room = len(person.words) < _MOST_FORMS and form not in person.words
            if room and (len(form) > 1 or not person.words):
                person.words.append(form)
        person.label = person.label or intro.mention.text
        if person.born is None:
            person.born = intro.born
        person.roles |= intro.roles
        person.origins |= intro.origins
