"""Cues to the person a clause is about, and access to the clause's words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from dfactscore.engines._builtin.group.mentions import (
    NO_LIFE,
    Life,
    Mention,
    descriptors,
    runs_of_names,
)
from dfactscore.engines._builtin.language.clauses import Clause, Range
from dfactscore.engines._builtin.language.markup import Line
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.word_lists import word_list

# Words that refer to the sources of a text: "Document 1 mentions".
SOURCES = frozenset({"document", "passage", "source", "result", "article", "page"})
Years = tuple[int | None, int | None]


class Traits(NamedTuple):
    """Roles and nationalities in a span."""

    roles: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()


NO_TRAITS = Traits()
# Words that fit any person.
GENERIC = word_list("generic")


@dataclass(frozen=True, slots=True)
class View:
    """A clause in its context, independent of the people mentioned earlier."""

    sentence: int
    offset: int  # index in the paragraph of the character from which token positions are counted
    body: str  # text that the tokens come from
    tokens: Sequence[Token]
    clause: Clause
    start: int  # index in the paragraph of the clause's first character
    end: int  # index after the clause's last character
    before: str
    line: Line
    opens: bool
    _names: dict[Range, list[Mention]] = field(default_factory=dict, compare=False, repr=False)

    @property
    def whole(self) -> Range:
        """The clause's token range."""
        return self.clause.start, self.clause.end

    @property
    def text(self) -> str:
        """The text of the clause."""
        return self.words(self.whole)

    def low(self, i: int) -> str:
        """Returns a token in lower case, or an empty string if it is outside the clause."""
        return self.tokens[i].low if 0 <= i < self.clause.end else ""

    def lows(self, reach: Range) -> set[str]:
        """Returns the words in a span, in lower case."""
        return {t.low for t in self.tokens[reach[0] : reach[1]]}

    def names(self, reach: Range) -> list[Mention]:
        """Returns the runs of capitalized words in a span."""
        if reach not in self._names:  # callers ask for the same spans repeatedly
            empty = reach[1] <= reach[0]
            self._names[reach] = [] if empty else runs_of_names(self.tokens, *reach, self.body)
        return self._names[reach]

    def words(self, reach: Range) -> str:
        """Returns the words in a span as text."""
        if reach[1] <= reach[0]:
            return ""
        return self.body[self.tokens[reach[0]].start : self.tokens[reach[1] - 1].end]

    def traits(self, reach: Range) -> Traits:
        """Returns roles and nationalities in a span, excluding generic words such as "member"."""
        roles, origins = descriptors(self.tokens, *reach)
        return Traits(roles - GENERIC, origins)


class Cues(NamedTuple):
    """The cues that a clause gives about its person."""

    names: frozenset[str]  # names of the cues; `rules.py` lists the cues each rule needs
    mention: Mention | None = None
    # The person's position among several people ("the second"); see `announcements.ORDINALS`.
    ordinal: int | None = None
    roles: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()
    life: Life = NO_LIFE
    aliases: tuple[tuple[str, ...], ...] = ()
    epithet: frozenset[str] = frozenset()
    stated: Years = (None, None)
    kin: Cues | None = None

    def __contains__(self, name: object) -> bool:
        return name in self.names


def cues_of(
    *names: str,
    mention: Mention | None = None,
    ordinal: int | None = None,
    traits: Traits = NO_TRAITS,
    life: Life = NO_LIFE,
    aliases: Iterable[tuple[str, ...]] = (),
    epithet: Iterable[str] = (),
    **flags: bool,
) -> Cues:
    """Creates cues from names and from the keyword arguments that are true.

    Example:
        >>> sorted(cues_of("name", also=True, another=False).names)
        ['also', 'name']
    """
    flagged = {name.replace("_", " ") for name, holds in flags.items() if holds}
    all_names = frozenset(names) | flagged
    return Cues(all_names, mention, ordinal, *traits, life, tuple(aliases), frozenset(epithet))
