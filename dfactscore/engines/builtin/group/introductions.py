"""What a clause says of its subject, as far as it tells one person from another."""

# ruff: noqa: SIM905 (word lists read better as text)

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from dfactscore.engines.builtin.group.mentions import (
    Mention,
    descriptors,
    life_years,
    roles_in,
    runs_of_names,
)
from dfactscore.engines.builtin.language.announcements import (
    ALSO,
    CONFUSED,
    CONTRAST,
    INVERTED,
    NAMED,
    ORDINALS,
    OTHER_BEARERS,
    PEOPLE,
    SHARED_NAME,
)
from dfactscore.engines.builtin.language.clauses import Clause, Range
from dfactscore.engines.builtin.language.tokenizer import Token
from dfactscore.engines.builtin.language.word_classes import (
    DETERMINERS,
    PRONOUNS,
    RELATIVES,
    is_demonym,
    is_role,
)

__all__ = ["Introduction", "introduce"]

Kind = Literal["pronoun", "owner", "name", "description", "other"]
_SAME_NAME = re.compile(r"\b(?:of|with|bearing|sharing|by) (?:the|this|that) (?:same )?name\b")
_POSSESSIVE = frozenset({"his", "her", "their", "its"})
_PERSONAL = frozenset(
    (
        "plays played studied graduated married attended served taught wrote died born educated "
        "retired represented competed sang coached coaches teaches writes lives lived starred acted"
    ).split(" ")
)
_DIRECT = frozenset(
    (
        "is was are were also a an the too , exists then another one other different second third"
    ).split(" ")
)
_GENERIC = frozenset(
    (
        "figure person individual man woman member native people star personality graduate "
        "professional head leader fellow character official resident one student amateur champion "
        "delegate veteran alumnus recipient counterpart girl boy pioneer winner icon"
    ).split(" ")
)
_ALIAS = frozenset({"also", "known", "better", "born", "nicknamed", "full", "née", "sometimes"})


@dataclass(frozen=True, slots=True)
class Introduction:
    """What a clause says of its subject.

    Attributes:
        kind: A pronoun, something that belongs to somebody ("his career"), a name, a description
            ("the botanist"), or anything else.
        mention: The name, where there is one.
        marked: Whether it says that this is somebody else ("another", "a different").
        ordinal: Which of several people ("the second"), see `ORDINALS`.
        this: Whether it points back ("this X").
        strong: Whether it presents a person: by apposition, dates, a role.
        apposed: Whether an indefinite apposition does ("X, a poet, ...").
        dated: Whether life dates stand with the name.
        additive: Whether it adds to what was said ("also").
        contrast: Whether it sets itself off ("on the other hand").
        specific: Whether the description says a nationality.
        definite: Whether a description is definite ("the botanist").
        heading: Whether it is a heading or a label and says nothing yet.
        opens: Whether a clause without a name opens with a description ("English cricketer ...").
        personal: Whether the predicate says what only a person does ("studied").
        refers: Whether the predicate speaks of somebody already presented.
        roles: What the person is said to be.
        origins: Nationalities said.
        born: Birth year.
        aliases: Other names given.
    """

    kind: Kind
    mention: Mention | None = None
    marked: bool = False
    ordinal: int | None = None
    this: bool = False
    strong: bool = False
    apposed: bool = False
    dated: bool = False
    additive: bool = False
    contrast: bool = False
    specific: bool = False
    definite: bool = False
    heading: bool = False
    opens: bool = False
    refers: bool = False
    personal: bool = False
    roles: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()
    born: int | None = None
    aliases: tuple[tuple[str, ...], ...] = ()


class _Clause:
    """One clause with the look-ups that reading it needs."""

    def __init__(self, tokens: Sequence[Token], clause: Clause, body: str, before: str) -> None:
        self.tokens = tokens
        self.clause = clause
        self.body = body
        start = tokens[clause.start].start
        self.text = body[start : tokens[clause.end - 1].end]
        self.numbered = False
        self.contrast = bool(CONTRAST.search(before)) or bool(
            CONTRAST.match(self.text) and clause.lead[1] > clause.lead[0]
        )
        self.contrast = self.contrast or bool(CONFUSED.search(self.text))

    def lows(self, reach: Range) -> set[str]:
        return {t.low for t in self.tokens[reach[0] : reach[1]]}

    def names(self, reach: Range) -> list[Mention]:
        if reach[1] <= reach[0]:
            return []
        return runs_of_names(self.tokens, *reach, self.body)

    def words(self, reach: Range) -> str:
        if reach[1] <= reach[0]:
            return ""
        return self.body[self.tokens[reach[0]].start : self.tokens[reach[1] - 1].end]

    def says(self, reach: Range) -> tuple[set[str], set[str]]:
        """Roles and nationalities in a stretch, empty words like "member" left out."""
        roles, origins = descriptors(self.tokens, *reach)
        return set(roles - _GENERIC), set(origins)


_TIMES = frozenset({"time", "day", "week", "month", "year", "decade", "season", "evening", "night"})


def introduce(
    tokens: Sequence[Token], clause: Clause, body: str, *, before: str = "", item: bool = False
) -> Introduction:
    """Reads what a clause says of its subject.

    Args:
        tokens: Of the sentence.
        clause: The clause.
        body: The text that the tokens were cut from.
        before: Connectives that stood before it.
        item: Whether it opens a list item or a heading.
    """
    it = _Clause(tokens, clause, body, before)
    it.numbered = item
    found = _announced(it)
    if found is None:
        if clause.verb < 0 or clause.subject[1] <= clause.subject[0]:
            found = _fragment(it)
        elif tokens[clause.subject[0]].low == "there":
            found = _there(it)
        else:
            found = _subject(it)
    if item:
        found = _as_item(it, found)
    return replace(found, contrast=it.contrast)


def _announced(it: _Clause) -> Introduction | None:
    """Reads wordings in which the person is not the subject."""
    reach = (it.clause.start, it.clause.end)
    shared = SHARED_NAME.search(it.text)
    others = OTHER_BEARERS.search(it.text)
    inverted = INVERTED.match(it.text)
    if not (shared or others or inverted):
        return None
    roles, origins = it.says(reach)
    names = it.names(reach)
    if not roles and life_years(it.text)[0] is None:
        return None
    if others and not (NAMED.search(it.text) or names):
        return None
    mention = names[-1 if inverted else 0] if names else None
    return Introduction(
        "name" if mention else "description",
        mention,
        marked=True,
        strong=True,
        roles=frozenset(roles),
        origins=frozenset(origins),
        born=life_years(it.text)[0],
    )


def _there(it: _Clause) -> Introduction:
    """Reads "there is also X, a poet" and "there is a poet named X"."""
    clause = it.clause
    reach = (clause.verb, clause.end)
    lows = [t.low for t in it.tokens[clause.verb : clause.end]]
    if {"no", "not", "little", "limited", "nothing"} & set(lows[:6]):
        return Introduction("other")
    roles, origins = it.says(reach)
    names = it.names(reach)
    if not names:
        if "another" in lows[:4] and roles:
            return Introduction("description", marked=True, strong=True, roles=frozenset(roles))
        return Introduction("other")
    named = NAMED.search(it.text)
    mention = names[0]
    if named:
        at = it.tokens[clause.start].start + named.end()
        mention = next((m for m in names if it.tokens[m.first].start >= at), names[0])
    before = it.lows((clause.verb, mention.first))
    born = life_years(it.words((mention.last, clause.end))[:80])[0]
    direct = before <= _DIRECT
    indefinite = it.tokens[mention.first - 1].low in {"a", "an"} or (
        bool(before & {"a", "an", "another"})
        and mention.first - clause.verb <= 4
        and not roles_in(it.tokens, clause.verb, mention.first)
        and len(mention.words) > 1
    )
    person = (
        bool(named)
        or indefinite
        or (direct and (bool(roles) or born is not None or "another" in before))
    )
    if not person:
        return Introduction("other")
    return Introduction(
        "name",
        mention,
        marked=True,
        strong=True,
        roles=frozenset(roles),
        origins=frozenset(origins),
        born=born,
    )


def _fragment(it: _Clause) -> Introduction:
    """Reads a heading, a list item or a sentence that was cut off."""
    clause = it.clause
    names = it.names((clause.start, clause.end))
    first = it.tokens[clause.start]
    roles, origins = it.says((clause.start, min(clause.end, clause.start + 30)))
    if first.low == "another" and (roles or NAMED.search(it.text)):
        mention = names[-1] if names else None
        return Introduction(
            "name" if mention else "description", mention, marked=True, strong=True,
            roles=frozenset(roles),
        )  # fmt: skip
    if not names or names[0].first > clause.start + 1 or names[0].possessive:
        opens = bool(roles) and (
            first.low in {"a", "an", "the", "one"} or is_demonym(first.low) or is_role(first.low)
        )
        return Introduction(
            "other",
            opens=opens,
            roles=frozenset(roles),
            origins=frozenset(origins),
            born=life_years(it.text)[0],
        )
    mention = names[0]
    rest = it.body[it.tokens[mention.last - 1].end : it.tokens[clause.end - 1].end]
    opened = re.match(r"\s*(?:[,:–—-]|\()", rest)
    born = life_years(rest[:70])[0] if opened else None
    bracket = re.match(r"\s*\([^)]*\)", rest)
    left = rest[bracket.end() :] if bracket else rest
    heading = not left.strip(" .:*")
    return Introduction(
        "name",
        mention,
        strong=bool(opened) and (bool(roles) or born is not None),
        apposed=bool(opened) and bool(roles),
        dated=born is not None,
        heading=heading,
        roles=frozenset(roles),
        origins=frozenset(origins),
        born=born,
    )


def _as_item(it: _Clause, found: Introduction) -> Introduction:
    """A list item or heading that opens with a name presents that person."""
    clause = it.clause
    names = it.names((clause.start, min(clause.end, clause.start + 10)))
    if not names or names[0].first > clause.start + 1 or len(names[0].words) < 2:
        return found
    mention = names[0]
    rest = it.body[it.tokens[mention.last - 1].end :].lstrip("* ")
    if rest.strip(" .:") and rest[0] not in ":–—-(,":
        return found
    bracket = re.match(r"\(([^)]*)\)", rest)
    left = rest[bracket.end() :] if bracket else rest
    born = life_years(rest[:70])[0]
    roles, origins = it.says((mention.last, clause.end))
    return replace(
        found,
        kind="name",
        mention=mention,
        strong=True,
        apposed=True,
        marked=found.marked or (it.numbered and (bool(roles) or born is not None)),
        dated=born is not None,
        born=born,
        roles=frozenset(roles) or found.roles,
        origins=frozenset(origins) or found.origins,
        definite=False,
        heading=not left.strip(" .:*"),
    )


def _subject(it: _Clause) -> Introduction:
    """Reads a clause with a subject and a verb."""
    clause = it.clause
    a, b = clause.subject
    first = it.tokens[a]
    reach = it.tokens[min(clause.end, clause.verb + 6) - 1].end
    additive = bool(ALSO.search(it.body, it.tokens[clause.start].start, reach))
    if first.low in PRONOUNS and b - a == 1:
        roles, origins = _copular(it)[:2]
        return Introduction(
            "pronoun", additive=additive, roles=frozenset(roles), origins=frozenset(origins)
        )
    lead_first = it.tokens[clause.lead[0]].low if clause.lead[1] > clause.lead[0] else ""
    if first.low in _POSSESSIVE and "namesake" in it.lows((a, b)) and it.names((a, b)):
        return _named(it, it.names((a, b))[-1], marked=True, described=True, additive=False)
    if first.low in _POSSESSIVE or (lead_first in _POSSESSIVE and it.lows(clause.lead) & RELATIVES):
        return Introduction("owner")
    subject = it.names((a, b))
    owner = next((m for m in subject if m.possessive and m.last < b), None)
    if owner is not None:
        return Introduction("owner", owner)
    lead = it.names(clause.lead)
    mention = subject[-1] if subject else None
    if not subject and _describes(it, (a, b)) and _SAME_NAME.search(it.text):
        roles, origins = it.says((a, b))
        return Introduction(
            "description", marked=True, strong=True, roles=frozenset(roles),
            origins=frozenset(origins),
        )  # fmt: skip
    if first.low in {"document", "passage", "source", "result", "article", "page"}:
        return _document(it)
    described = _describes(it, clause.lead) or _another_thing(it)
    marked = _is_marked(it, (a, b)) or (_is_marked(it, clause.lead) and described)
    if mention is None:
        mention, marked_there = _name_outside(it, lead)
        described = described or mention is not None
        marked = marked or marked_there
    if mention is None:
        return _description(it, marked=marked, additive=additive)
    relation = it.lows((a, mention.first)) & RELATIVES if mention.first < b else set()
    if relation and it.tokens[mention.first - 1].low not in relation | {"the", "another"}:
        return Introduction("owner", mention)  # "the younger brother of X"
    if relation and first.low not in {"another", "the", "a"} and first.low not in relation:
        return Introduction("owner")
    if relation and "of" in it.lows((a, mention.first)):
        return Introduction("owner", mention)
    return _named(it, mention, marked=marked, described=described, additive=additive)


def _another_thing(it: _Clause) -> bool:
    """Whether the lead is "Another ship," and the name is explained: "USS Enterprise (CVN-65)"."""
    a, b = it.clause.lead
    return (
        b - a == 2
        and it.tokens[a].low == "another"
        and it.tokens[a + 1].low not in _TIMES
        and bool(it.clause.brackets or it.clause.blocks)
    )


def _document(it: _Clause) -> Introduction:
    """Reads "Document 2 is about X, a poet"."""
    names = it.names((it.clause.verb, it.clause.end))
    if not names or names[0].last >= it.clause.end:
        return Introduction("other")
    mention = names[0]
    roles, origins = it.says((mention.last, it.clause.end))
    born = life_years(it.words((mention.last, it.clause.end))[:90])[0]
    return Introduction(
        "name",
        mention,
        strong=bool(roles),
        apposed=bool(roles) and it.tokens[mention.last].text == ",",
        roles=frozenset(roles),
        origins=frozenset(origins),
        born=born,
    )


def _name_outside(it: _Clause, lead: Sequence[Mention]) -> tuple[Mention | None, bool]:
    """The name where the subject is a description: "Another X, the poet, was"."""
    clause = it.clause
    if lead and it.tokens[clause.lead[0]].low in DETERMINERS | {"another"}:
        return lead[-1], _is_marked(it, clause.lead)
    if clause.blocks and _describes(it, clause.subject):
        names = it.names(clause.blocks[0])
        if names and names[0].first <= clause.blocks[0][0] + 1:
            return names[0], False
    # "Another figure sharing this name is X, a poet"
    if _is_marked(it, clause.subject) and it.tokens[clause.verb].low in {"is", "was"}:
        names = it.names((clause.verb + 1, min(clause.end, clause.verb + 8)))
        if names and names[0].first <= clause.verb + 2:
            return names[0], True
    return None, False


def _description(it: _Clause, *, marked: bool, additive: bool) -> Introduction:
    """Reads a subject without a name: "the second", "the botanist", "his first book"."""
    clause = it.clause
    a, b = clause.subject
    ordinal = _ordinal(it, a, b)
    roles, origins = it.says((a, b))
    described = _describes(it, (a, b))
    said, said_origins, _ = _copular(it)
    if marked and not (it.lows((a, b)) & PEOPLE or NAMED.search(it.text)):
        marked = False
    bare = b - a == 1 or (b - a == 2 and ordinal is not None)
    if ordinal is not None and not bare and not described:
        ordinal = None
    return Introduction(
        "description" if described or ordinal is not None else "other",
        marked=marked,
        ordinal=ordinal,
        this=it.tokens[a].low in {"this", "that"},
        additive=additive,
        definite=it.tokens[a].low == "the",
        roles=frozenset(roles or said),
        origins=frozenset(origins | said_origins),
        strong=bool(said) or any(it.tokens[x].low in {"a", "an"} for x, _ in clause.blocks),
    )


def _named(
    it: _Clause, mention: Mention, *, marked: bool, described: bool, additive: bool
) -> Introduction:
    """Reads a clause whose subject is a name."""
    clause = it.clause
    a, b = clause.subject
    first = it.tokens[a]
    outside = not a <= mention.first < b
    roles, origins = it.says((a, b if outside else mention.first))
    prenominal = bool(roles)
    if described and clause.lead[1] > clause.lead[0] and not lead_is_circumstance(it):
        more, more_origins = it.says(clause.lead)
        roles |= more
        origins |= more_origins
        prenominal = prenominal or bool(more)
    if mention.last < b and it.tokens[mention.last].low == "the":
        more, more_origins = it.says((mention.last, b))  # "X the poet"
        roles |= more
        origins |= more_origins
        prenominal = prenominal or bool(more)
    born: int | None = None
    dated = apposed = False
    aliases: list[tuple[str, ...]] = []
    for bracket in clause.brackets:
        years = life_years(it.words(bracket))
        if years != (None, None):
            born, dated = years[0], True
        more, more_origins = it.says(bracket)
        roles |= more
        origins |= more_origins
        apposed = apposed or bool(more)
    definite = False
    for block in clause.blocks:
        opening = it.tokens[block[0]].low
        inside = it.words(block)
        more, more_origins = it.says(block)
        if opening == "the" and more and block[1] - block[0] <= 3:
            apposed = True  # "X, the painter,"
        if opening in {"who", "that"} and first.low in {"the", "a", "an"}:
            marked = True  # "the X who played hurling"
        if opening in {"who", "whose", "which", "where", "whom"}:
            continue
        if opening in {"a", "an", "one", "another"} or is_demonym(opening):
            apposed = apposed or opening == "another" or bool(roles_in(it.tokens, *block))
            marked = marked or opening == "another" or "same name" in inside
        elif opening in {"born", "née"}:
            year = life_years(inside)[0]
            apposed = True
            if year is not None:
                born, dated = year, True
        elif opening == "the" and more:
            definite = True
        if "(" in inside and born is None:
            year = life_years(inside[inside.index("(") :])[0]
            if year is not None:
                born, dated = year, True
        if opening in _ALIAS:
            aliases.extend(m.words for m in it.names(block)[:1] if len(m.words) > 1)
        roles |= more
        origins |= more_origins
    said, said_origins, specific = _copular(it)
    roles |= said
    origins |= said_origins
    if lead_is_circumstance(it) and dated:
        more, more_origins = it.says(clause.lead)
        roles |= more
        origins |= more_origins
    if clause.lead[1] > clause.lead[0] and it.tokens[clause.lead[0]].low == "born" and said:
        born = born if born is not None else life_years(it.words(clause.lead))[0]
    predicate = it.words((clause.verb, clause.end))
    if born is None and re.match(r"(?:was|is) born\b", predicate):
        born = life_years(predicate)[0]
    return Introduction(
        "name",
        mention,
        marked=marked,
        ordinal=_ordinal(it, a, b),
        this=first.low in {"this", "that"} or "aforementioned" in it.lows((a, b)),
        strong=dated or apposed or prenominal or described or bool(said),
        apposed=apposed or prenominal,
        dated=dated,
        additive=additive,
        specific=specific,
        personal=first is it.tokens[mention.first]
        and bool(_PERSONAL & it.lows((clause.verb, min(clause.end, clause.verb + 4)))),
        definite=(definite and not apposed) or (prenominal and first.low == "the"),
        roles=frozenset(roles),
        origins=frozenset(origins),
        born=born,
        aliases=tuple(aliases),
    )


def lead_is_circumstance(it: _Clause) -> bool:
    """Whether what is fronted begins with "as", "in addition to" and the like."""
    return it.tokens[it.clause.lead[0]].low in {"as", "in", "besides", "despite", "after", "while"}


def _copular(it: _Clause) -> tuple[set[str], set[str], bool]:
    """Roles and nationalities in "is a Polish poet", and whether it characterises the person.

    "was a delegate to the synod" tells what somebody did, not who it is.
    """
    clause, tokens = it.clause, it.tokens
    k = clause.verb
    seen = False
    while k < clause.end:
        low = tokens[k].low
        if low in {"is", "was", "are", "were", "been"}:
            seen = True
        elif not (
            low in {"known", "regarded", "considered", "described", "remembered", "as", "widely"}
            or low in {"has", "had", "also", "later", "now", "currently", "both", "best", "perhaps"}
            or low.endswith("ly")
        ):
            break
        k += 1
    if not seen or k >= clause.end or tokens[k].low not in {"a", "an", "another", "one"}:
        return set(), set(), False
    if tokens[k].low == "one" and tokens[min(k + 1, clause.end - 1)].low == "of":
        return set(), set(), False
    stop = k + 1
    while stop < clause.end and tokens[stop].low not in {
        "who", "which", "that", "whose", "born", "for", "from", "to", "at", "in", "of", "with",
    }:  # fmt: skip
        if tokens[stop].depth or (tokens[stop].text == "," and stop > k + 8):
            break
        stop += 1
    roles, origins = it.says((k, stop))
    complement = stop < clause.end and tokens[stop].low in {"of", "to", "at", "for", "with"}
    return roles, origins, bool(roles) and (bool(origins) or not complement)


def _describes(it: _Clause, reach: Range) -> bool:
    """Whether a stretch describes a person ("the ethnographer", "a Norwegian tenor")."""
    a, b = reach
    if b <= a:
        return False
    low = it.tokens[a].low
    if low in _POSSESSIVE or not (
        low in DETERMINERS or is_demonym(low) or is_role(low) or low in {"fellow", "one", "as"}
    ):
        return False
    return any(is_role(t.low) or t.low in PEOPLE for t in it.tokens[a:b])


def _ordinal(it: _Clause, a: int, b: int) -> int | None:
    """Which of several people a subject means ("the second X", "one", "another")."""
    lows = [t.low for t in it.tokens[a : min(b, a + 3)]]
    if not lows:
        return None
    if (
        lows[0] == "the"
        and len(lows) > 1
        and lows[1] in ORDINALS
        and lows[1] not in {"one", "last"}
    ):
        return ORDINALS[lows[1]]
    if (
        lows[0] in {"a", "an"}
        and len(lows) > 1
        and lows[1] in {"second", "third", "fourth", "fifth"}
    ):
        return ORDINALS[lows[1]] if b - a == 2 else None
    if lows[0] == "one" and len(lows) > 1 and it.tokens[a + 1].capital:
        return 0
    if lows[0] in {"one", "another", "others"} and (len(lows) == 1 or lows[1] in {"of", "such"}):
        return ORDINALS.get(lows[0], -2)
    return None


def _indefinite_name(it: _Clause, reach: Range) -> bool:
    """Whether an indefinite article stands with a name: "a lesser-known Ann Lee"."""
    names = it.names(reach)
    if not names or len(names[0].words) < 2 or names[0].first > reach[0] + 3:
        return False
    return not roles_in(it.tokens, reach[0], names[0].first) and names[0].last == reach[1]


def _is_marked(it: _Clause, reach: Range) -> bool:
    """Whether a stretch says "another", "a different", "a second"."""
    lows = [t.low for t in it.tokens[reach[0] : min(reach[1], reach[0] + 3)]]
    if len(lows) < 2:
        return False
    if lows[0] == "another" or lows[:2] in (["yet", "another"], ["still", "another"]):
        return True
    if lows[:2] == ["one", "more"] or lows[:2] == ["a", "further"]:
        return True
    if lows[0] in {"a", "an"} and _indefinite_name(it, reach):
        return True
    return lows[0] in {"a", "an", "the"} and (
        lows[1] in {"different", "unrelated", "separate", "distinct"}
        or (lows[0] in {"a", "an"} and lows[1] in {"second", "third", "fourth", "fifth", "further"})
    )
