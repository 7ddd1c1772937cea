"""Evidence of the person in a clause: named cues, and the words that bear them."""

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

POSSESSIVE = frozenset({"his", "her", "their", "its"})
# The sources of a text: "Document 1 mentions".
SOURCES = frozenset({"document", "passage", "source", "result", "article", "page"})
Years = tuple[int | None, int | None]


class Said(NamedTuple):
    """Roles and nationalities in a stretch."""

    roles: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()


NOTHING = Said()
# They say that it is a person, not which one.
GENERIC = word_list("generic")


@dataclass(frozen=True, slots=True)
class View:
    """A clause in its place; it does not depend on the people mentioned before.

    Attributes:
        sentence: Index of its sentence.
        offset: Character of the paragraph at which the tokens' positions begin.
        body: The text that the tokens were cut from.
        tokens: Of the sentence.
        clause: The clause.
        start: First character in the paragraph.
        end: After the last.
        before: Connectives before it.
        line: Its line of the paragraph.
        opens: Whether it opens its line.
    """

    sentence: int
    offset: int
    body: str
    tokens: Sequence[Token]
    clause: Clause
    start: int
    end: int
    before: str
    line: Line
    opens: bool
    _found: dict[Range, list[Mention]] = field(default_factory=dict, compare=False, repr=False)

    @property
    def whole(self) -> Range:
        """All tokens of the clause."""
        return self.clause.start, self.clause.end

    @property
    def text(self) -> str:
        """Its characters."""
        return self.words(self.whole)

    def low(self, i: int) -> str:
        """A token of the clause in lower case; empty outside."""
        return self.tokens[i].low if 0 <= i < self.clause.end else ""

    def lows(self, reach: Range) -> set[str]:
        """The words of a stretch in lower case."""
        return {t.low for t in self.tokens[reach[0] : reach[1]]}

    def names(self, reach: Range) -> list[Mention]:
        """The runs of capitalised words in a stretch."""
        if reach not in self._found:  # asked for many times, and read once
            some = reach[1] > reach[0]
            self._found[reach] = runs_of_names(self.tokens, *reach, self.body) if some else []
        return self._found[reach]

    def words(self, reach: Range) -> str:
        """The characters of a stretch."""
        if reach[1] <= reach[0]:
            return ""
        return self.body[self.tokens[reach[0]].start : self.tokens[reach[1] - 1].end]

    def says(self, reach: Range) -> Said:
        """Roles and nationalities in a stretch, empty words like "member" left out."""
        roles, origins = descriptors(self.tokens, *reach)
        return Said(roles - GENERIC, origins)


@dataclass(frozen=True, slots=True)
class Cues:
    """The cues of a clause about its person.

    Attributes:
        names: The cues by name; `rules.py` says what each rule needs.
        mention: The name, if there is one.
        ordinal: The number among several people ("the second"), see `announcements.ORDINALS`.
        roles: The roles of the person.
        origins: Nationalities said.
        life: Birth and death.
        aliases: Further names given.
        stated: First and last year in the clause.
        epithet: The words after the name that identify its bearer: "the painter", "(judge)".
        kin: The cues if the clause is about a relative of the same name instead.
    """

    names: frozenset[str]
    mention: Mention | None = None
    ordinal: int | None = None
    roles: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()
    life: Life = NO_LIFE
    aliases: tuple[tuple[str, ...], ...] = ()
    epithet: frozenset[str] = frozenset()
    stated: Years = (None, None)
    kin: Cues | None = None

    def __contains__(self, name: str) -> bool:
        return name in self.names


def cues_of(
    *names: str,
    mention: Mention | None = None,
    ordinal: int | None = None,
    said: Said = NOTHING,
    life: Life = NO_LIFE,
    aliases: Iterable[tuple[str, ...]] = (),
    epithet: Iterable[str] = (),
    **shown: bool,
) -> Cues:
    """Makes cues: those named, and those of the keywords that hold.

    Example:
        >>> sorted(cues_of("name", also=True, another=False).names)
        ['also', 'name']
    """
    held = {name.replace("_", " ") for name, holds in shown.items() if holds}
    every = frozenset(names) | held
    return Cues(every, mention, ordinal, *said, life, tuple(aliases), frozenset(epithet))
