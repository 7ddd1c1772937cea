"""Cues to the person a clause is about, and access to the clause's words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from dfactscore._text.role_words import is_demonym, is_role
from dfactscore.engines._builtin.group.mentions import (
    NO_LIFE,
    Life,
    Mention,
    descriptors,
    life_years,
    runs_of_names,
)
from dfactscore.engines._builtin.language.announcements import PEOPLE
from dfactscore.engines._builtin.language.clauses import Clause, Range
from dfactscore.engines._builtin.language.markup import Line
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.word_classes import (
    DETERMINERS,
    PREPOSITIONS,
    RELATIVE_PRONOUNS,
    RELATIVES,
    word_list,
)

# Words that refer to the sources of a text: "Document 1 mentions".
SOURCES = frozenset({"document", "passage", "source", "result", "article", "page"})
Years = tuple[int | None, int | None]
# Words that fit any person.
GENERIC = word_list("generic")
ARTICLES = frozenset({"a", "an", "another", "one"})
_ASIDES = word_list("asides")
_STANCES = word_list("stances")
_SO_SAID = frozenset({"described", "identified", "listed", "presented", "introduced", "portrayed"})
COPULAS = frozenset({"is", "was", "are", "were", "been"})
# Words between a copula and its complement: "is best known as a poet"
_BEFORE_ROLE = word_list("before_role")
_BEHIND_ROLE = RELATIVE_PRONOUNS | {"born", "for", "from", "to", "at", "in", "of", "with"}
OTHER_SOURCE = re.compile(
    r"\b(?:another|other|different|second|third|fourth|fifth|last|final|next|remaining|[2-9])\b",
    re.IGNORECASE,
)
# "was born in Ohio in 1950"; years after "and moved", "the son of" or "(" are other dates
_BIRTH = re.compile(
    r"born\b(?:(?!\band (?-i:[a-z])|, (?:the|an?|his|her) |\b(?:who|whose|where|when)\b|"
    r"[;:]|(?<!born )\().)*",
    re.IGNORECASE | re.DOTALL,
)
# A namesake has the same sex: "her son Ben Ford" is not in a text about a Ben Ford.
_MEN, _WOMEN = word_list("namesake_men"), word_list("namesake_women")
_OF = {"his": _MEN, "her": _WOMEN, "the": _MEN | _WOMEN}
_ELDERS = word_list("elders")
_REACH = 8  # words between "his" and the relative's name
_PASSING = frozenset({"born", "died"})


class Traits(NamedTuple):
    """Roles and nationalities in a span."""

    roles: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()


NO_TRAITS = Traits()


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


def epithet_in(view: View, reach: Range) -> frozenset[str]:
    """Returns the words that identify the person: "the Swedish curler", "(judge)", "musician"."""
    a, b = reach
    bracket = view.low(a - 1) == "("
    if view.low(a) in {"a", "an"} and not bracket:
        return frozenset()
    a += view.low(a) in {"the", "a", "an"}
    ends = PREPOSITIONS | {"who", ",", ":", "born"}
    stop = next((k for k in range(a, b) if view.low(k) in ends), b)
    tokens = view.tokens[a:stop]
    office = stop < b and view.low(stop) == "of"
    if not 0 < len(tokens) <= 4 or office or not all(t.word for t in tokens):
        return frozenset()
    head = tokens[-1].low
    plain = bracket and head not in _ASIDES and view.low(stop) in {"", ")"}
    plain = plain and all(t.text.isalpha() and not t.capital for t in tokens)  # "(capoeirista)"
    if not plain and (head in RELATIVES or not (is_role(tokens[-1].text) or head in PEOPLE)):
        return frozenset()
    return frozenset(t.low for t in tokens) - PEOPLE


def born_in(view: View) -> Life:
    """Reads the birth in "was born in 1950", "is a poet born in 1950" or "Born in 1950, she"."""
    start, end = view.clause.verb, view.clause.end
    lead = view.clause.lead
    if lead[1] > lead[0] and view.low(lead[0]) == "born":
        return life_years(view.words(lead))._replace(died=None)
    if view.low(start) not in {"is", "was"}:
        return NO_LIFE
    at = next((k for k in range(start + 1, end) if view.low(k) in _BEHIND_ROLE), end)
    at += 2 * (view.low(at) == "who" and view.low(at + 1) == "was")
    born = _BIRTH.match(view.words((at, end)))
    return life_years(born.group())._replace(died=None) if born else NO_LIFE


def _from_other_source(view: View) -> bool:
    """Whether a clause reports what another source says: "In another document, ..."."""
    words = {word.removesuffix("s") for word in re.findall(r"[a-z]+", view.before.lower())}
    return bool(SOURCES & words) and OTHER_SOURCE.search(view.before) is not None


def characterizes(view: View) -> bool:
    """Whether the predicate says what the person is: "is an American powerlifter"."""
    articles = {"a", "an"} | ({"the"} if view.opens and view.line.kind == "item" else set())
    at = view.clause.verb
    if _from_other_source(view) and view.low(at + 1) in _SO_SAID and view.low(at + 2) == "as":
        at += 2  # "In another document, X is described as a poet"
    return view.low(view.clause.verb) in {"is", "was"} and view.low(at + 1) in articles


def copular(view: View, *, definite: bool = False) -> Traits:
    """Returns the roles and nationalities in a predicate such as "is a Polish poet"."""
    start, end = view.clause.verb, view.clause.end
    place = start
    while view.low(place) in COPULAS | _BEFORE_ROLE or view.low(place).endswith("ly"):
        place += 1
    article = view.low(place) in ARTICLES or (definite and view.low(place) == "the")
    if not article or not view.lows((start, place)) & COPULAS:
        return Traits()
    stops = (
        i for i in range(place + 1, end) if view.low(i) in _BEHIND_ROLE or view.tokens[i].depth
    )
    stop = next(stops, end)
    if (view.low(place), stop) == ("one", place + 1):
        return Traits()
    roles, origins = says_who(view, (place, stop))
    roles |= {
        t.low for t in view.tokens[place:stop] if is_role(t.text)
    } - GENERIC  # "a Bishop of Lindsey"
    if view.low(stop) in {"of", "for"}:
        roles -= _STANCES  # "an advocate of reform" is not a lawyer
    return Traits(roles, origins)


def says_who(view: View, reach: Range) -> Traits:
    """Returns roles and nationalities; any noun after a nationality is a role: "a Cuban rebel"."""
    traits = view.traits(reach)
    if (
        traits.roles
        or not traits.origins
        or view.low(reach[0]) not in ARTICLES | {"the"} | traits.origins
    ):
        return traits
    stop = next((k for k in range(*reach) if view.low(k) in _BEHIND_ROLE), reach[1])
    head = view.tokens[stop - 1]
    noun = head.word and head.text.isalpha() and not head.capital and head.low not in GENERIC
    return Traits(frozenset({head.low}), traits.origins) if noun else traits


def describes(view: View, reach: Range) -> bool:
    """Whether a span describes a person ("the ethnographer", "a Norwegian tenor")."""
    low = view.low(reach[0]) if reach[1] > reach[0] else ""
    opens = low in DETERMINERS or is_demonym(low) or is_role(low)
    return opens and any(is_role(low) or low in PEOPLE for low in view.lows(reach))


def is_tie(view: View, reach: Range) -> bool:
    """Whether a span calls someone a relative who may bear the same name: "his eldest son"."""
    a, b = reach
    b -= view.low(b - 1) == ","
    lows = [view.low(k) for k in range(a, b)]
    if lows[:1] in (["a"], ["the"], ["another"]) and lows[-3:-1] == ["of", "the"]:
        return lows[-4] in _OF["the"] and is_role(lows[-1])  # "a grandson of the missionary"
    return 0 < b - a <= 4 and view.low(b - 1) in _OF.get(view.low(a), ())


def kin_cues(view: View) -> Cues | None:
    """Returns the cues of a clause when it is read as being about its subject, a named relative."""
    # Returns the cues; None if the clause does not introduce the relative, as with an elder without
    # dates, a mere birth or death, "his son also sang", or "his son, also Ben Ford" without dates
    # or a role.
    start, verb = view.clause.start, view.clause.verb
    if (view.low(start), view.low(start + 1)) == ("one", "of"):
        start += 2  # "One of his sons, Ann Lee,"
    of = _OF.get(view.low(start), ())
    near = range(start + 1, min(verb, start + 5))
    relation = max((k for k in near if view.low(k).removesuffix("s") in of), default=verb)
    names = (
        [m for m in view.names((relation + 1, verb)) if len(m.words) > 1] if relation < verb else []
    )
    if not names or names[0].first > relation + _REACH:
        return None
    mention = names[0]
    dates = life_years(view.words((mention.last, verb)))
    life = dates if dates != NO_LIFE else born_in(view)
    traits_before, traits_after = (
        says_who(view, (relation + 1, mention.first)),
        view.traits((mention.last, verb)),
    )
    traits = copular(view)
    roles = traits.roles | traits_before.roles | traits_after.roles
    passing = view.low(verb) == "died" or view.low(verb + 1) in _PASSING
    passing = passing or "also" in view.lows((relation, mention.first))
    if life == NO_LIFE and view.low(relation) in _ELDERS:
        return None
    if "also" in view.lows((verb, verb + 3)) or (passing and not roles and dates == NO_LIFE):
        return None
    return cues_of(
        *("name", "presented", "relative"),
        mention=mention,
        life=life,
        traits=Traits(roles, traits.origins | traits_before.origins | traits_after.origins),
    )
