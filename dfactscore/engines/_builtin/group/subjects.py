"""Cues of a clause that has a subject: "the painter Ann Lee", "another", "his father"."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from dfactscore._text.person_names import HONORS
from dfactscore.engines._builtin.group.cues import (
    POSSESSIVE,
    Cues,
    Said,
    View,
    cues_of,
)
from dfactscore.engines._builtin.group.epithets import (
    ARTICLES,
    born_in,
    characterizes,
    copular,
    describes,
    epithet_in,
    says_who,
)
from dfactscore.engines._builtin.group.kin import is_tie, kin_cues
from dfactscore.engines._builtin.group.mentions import NO_LIFE, Life, Mention, life_years, roles_in
from dfactscore.engines._builtin.group.sources import has_source, source_cues
from dfactscore.engines._builtin.language.announcements import ALSO, NAMED, ORDINALS, PEOPLE
from dfactscore.engines._builtin.language.clauses import Range, is_adverb
from dfactscore.engines._builtin.language.word_classes import (
    PREPOSITIONS,
    PRONOUNS,
    RELATIVE_PRONOUNS,
    RELATIVES,
    is_demonym,
    is_role,
)
from dfactscore.engines._builtin.language.word_lists import word_list

_SAME_NAME = re.compile(
    r"\b(?:of|with|bearing|sharing|by) (?:the|this|that) (?:same )?name\b|\b(?:same|like)-named\b"
)
_ACTS = word_list("acts")
_STATE = re.compile(
    r"\b(?:at (?:the|this|that) (?:time|point|stage|moment)|by (?:training|profession|trade|birth)|"
    r"now|then|today|himself|herself|(?:since|from|until) \d{4}|all (?:his|her) life)$"
)
_NAMESAKES = frozenset({"namesake", "counterpart"})
_COMPARING = word_list("comparing")
_NEE = frozenset({"née", "nee", "born"})
_OTHER = frozenset({"another", "different", "unrelated", "separate", "distinct"})
_TIMES = frozenset({"time", "day", "week", "month", "year", "decade", "season", "evening", "night"})
_COMPANIONS = word_list("companions")
_ALIAS = frozenset(
    {"also", "known", "better", "born", "nicknamed", "best", "full", "née", "sometimes"}
)


def subject_cues(it: View) -> Cues:
    """Reads a clause with a subject and a verb."""
    clause = it.clause
    a, b = clause.subject
    if it.low(a) in PREPOSITIONS and clause.lead[1] <= clause.lead[0]:
        a = _behind_circumstance(it, a, b)
    first, lead = it.low(a), it.lows(clause.lead)
    reach = it.tokens[min(clause.end, clause.verb + 6) - 1].end
    also = bool(ALSO.search(it.body, it.tokens[clause.start].start, reach))
    # "Apart from his songs, X is", "As a poet, X is": the same person
    also = also or bool(POSSESSIVE & lead) or it.low(clause.lead[0]) == "as"
    if first in PRONOUNS and b - a == 1:
        return cues_of("pronoun", also=also, said=copular(it), life=born_in(it))
    namesake = not _NAMESAKES.isdisjoint(it.lows((a, b)) | lead)
    theirs = lead & (RELATIVES | _COMPANIONS) or is_role(it.low(clause.lead[1] - 1))
    kin = bool(theirs) and bool(lead & POSSESSIVE)  # "Her detective, Inspector Hale, appears"
    kin = kin or (first == "one" and it.low(a + 1) == "of" and it.low(a + 2) in POSSESSIVE)
    if (first in POSSESSIVE or kin) and not namesake:
        return replace(cues_of("owner"), kin=kin_cues(it))
    names = it.names((clause.start if first in HONORS else a, b))  # "Ann Lee, FRS, sang"
    if "namesake" in it.lows((a, b)) and names and names[0].possessive:  # "X's namesake sang"
        return cues_of("description", "another", "presented", said=copular(it))
    owner = next((m for m in names if m.possessive and m.last < b), None)
    if owner is not None:
        return cues_of("owner", mention=owner)
    if describes(it, (a, b)) and _SAME_NAME.search(it.text):
        return cues_of("description", "another", "presented", said=it.says((a, b)))
    named = (m for m in names if it.low(m.first - 1) in {"named", "called"})
    mention = next(named, names[-1] if names else None)
    if has_source(it, (a, b)):
        return source_cues(it, anything=True) or cues_of("other")
    kind = describes(it, clause.lead) or bool(clause.brackets or clause.blocks)
    timed = it.lows(clause.lead) & _TIMES  # "Another time, X (then ill) was"
    another = namesake or _is_another(it, (a, b))
    another = another or (_is_another(it, clause.lead) and kind and not timed)
    if mention is None:
        mention = _name_outside(it)
    if mention is None:
        return _description(it, another=another, also=also)
    relation = it.lows((a, mention.first)) & RELATIVES if mention.first < b else set()
    if relation and not namesake and "another" not in it.lows((a, mention.first)):
        return cues_of("owner", mention=mention)  # "the younger brother of X"
    return _named(it, mention, another=another, also=also)


def _behind_circumstance(it: View, a: int, b: int) -> int:
    """Returns the start of the subject in "During World War II he" and "In Leeds his father"."""
    own = (k for k in range(b - 1, max(a, b - 6), -1) if it.low(k) in PRONOUNS | POSSESSIVE)
    return next(own, a)


def _name_outside(it: View) -> Mention | None:
    """The name where the subject is a description: "Another poet, Ann Lee, was"."""
    clause = it.clause
    names = it.names(clause.blocks[0]) if clause.blocks and describes(it, clause.subject) else []
    near = [m for m in names[:1] if m.first <= clause.blocks[0][0] + 1]
    return near[0] if near else None


def _description(it: View, *, another: bool, also: bool) -> Cues:
    """Reads a subject without a name: "the second", "the botanist", "his first book"."""
    clause = it.clause
    a, b = clause.subject
    ordinal = _ordinal(it, a, b)
    roles, origins = it.says((a, b))
    described = describes(it, (a, b))
    said = copular(it, definite=True)
    another = another and (bool(it.lows((a, b)) & PEOPLE) or bool(NAMED.search(it.text)))
    bare = b - a == 1 or (ordinal is not None and (b - a == 2 or it.low(b - 1) in {"one", "them"}))
    if (bare and it.low(clause.verb) in {"are", "were"}) or not (bare or described):
        ordinal = None  # "novels and essays; the latter were"
    opened = {it.low(x) for x, _ in clause.blocks}
    return cues_of(
        "description" if described or ordinal is not None else "other",
        another=another,
        also=also,
        definite=it.low(a) == "the",
        presented=bool(said.roles) or bool(opened & {"a", "an"}),
        counted=ordinal is not None,
        ordinal=ordinal,
        said=Said(roles or said.roles, origins | said.origins),
    )


@dataclass
class _Told:
    """The statements of a clause about the person it names."""

    it: View
    roles: set[str] = field(default_factory=set)
    origins: set[str] = field(default_factory=set)
    epithet: set[str] = field(default_factory=set)
    aliases: list[tuple[str, ...]] = field(default_factory=list)
    life: Life = NO_LIFE
    apposed: bool = False
    definite: bool = False
    another: bool = False
    prenominal: bool = False
    in_brackets: bool = False
    relative: bool = False
    given: tuple[str, ...] = ()

    def read(self, mention: Mention, *, inside: bool) -> None:
        """Reads the words around the name: before it, in brackets, between commas."""
        it, clause = self.it, self.it.clause
        self.given = mention.words[:-1]
        a, b = clause.subject
        self.prenominal = self.add((a, mention.first if inside else b))
        self.relative = is_tie(it, clause.lead)
        if describes(it, clause.lead) and it.low(clause.lead[0]) != "as":
            self.prenominal |= self.add(clause.lead)
        if inside and it.low(mention.last) == "the":  # "X the poet"
            self.prenominal |= self.add((mention.last, b))
            self.epithet |= epithet_in(it, (mention.last, b))
        for bracket in clause.brackets:
            self.add_bracket(bracket)
        self.in_brackets = self.life != NO_LIFE
        for block in clause.blocks:
            self.add_block(block)

    def add(self, reach: Range) -> bool:
        """Adds roles and nationalities; whether the stretch says what the person is."""
        roles, origins = says_who(self.it, reach)
        self.roles |= roles
        self.origins |= origins
        return bool(roles)

    def add_bracket(self, reach: Range) -> None:
        """Reads "(1744–1826)" and "(judge)"."""
        life = life_years(self.it.words(reach))
        self.life = life if life != NO_LIFE else self.life
        self.epithet |= epithet_in(self.it, reach)
        self.apposed |= self.add(reach)
        self.another |= "no relation" in self.it.words(reach)
        self.add_aliases(reach)

    def add_block(self, reach: Range) -> None:
        """Reads the words between commas: "a Welsh poet", "the painter", "born 1950"."""
        it, opening, inside = self.it, self.it.low(reach[0]), self.it.words(reach)
        if opening in RELATIVE_PRONOUNS:
            lived = inside.startswith(("who was born", "who died", "who passed away"))
            if lived and self.life == NO_LIFE:
                self.life = life_years(inside)
            return
        self.another |= inside.startswith("unlike the ") and is_role(it.low(reach[1] - 1))
        if opening == "unlike" or _is_state(it, reach):
            return  # the predicate decides: ", however, is a rower"
        self.relative |= is_tie(it, reach)
        epithet = epithet_in(it, reach)
        self.epithet |= epithet
        said = self.add(reach)
        if opening in ARTICLES or is_demonym(opening):
            self.apposed |= opening == "another" or bool(roles_in(it.tokens, *reach))
            self.another |= opening == "another" or "same name" in inside
        self.another |= "no relation" in inside
        self.apposed |= opening == "born" or (bool(epithet) and reach[1] - reach[0] <= 3)
        self.definite |= opening == "the" and said
        if self.life.born is None and (opening == "born" or "(" in inside):
            life = life_years(inside[inside.find("(") + 1 :])
            self.life = life if life.born is not None else self.life
        self.add_aliases(reach)

    def add_aliases(self, reach: Range) -> None:
        """Reads "born Ann Holt" and "also known as Nan Lee"."""
        if self.it.low(reach[0]) in _ALIAS:
            names = self.it.names(reach)[:1]
            self.aliases += [m.words for m in names if len(m.words) > 1 or m.last == reach[1]]
            if self.it.low(reach[0]) in _NEE:  # "née Holt": Ann Holt
                self.aliases += [self.given + m.words for m in names if len(m.words) == 1]


def _is_state(it: View, reach: Range) -> bool:
    """Whether an addition tells a state of someone known: "by then a judge", "a cook by trade"."""
    opening = it.tokens[reach[0]]
    circumstance = opening.low in PREPOSITIONS or opening.low == "no" or is_adverb(opening)
    circumstance = circumstance and opening.low not in _ALIAS
    return circumstance or _STATE.search(it.words(reach)) is not None


def _named(it: View, mention: Mention, *, another: bool, also: bool) -> Cues:
    """Reads a clause whose subject is a name."""
    clause = it.clause
    a, b = clause.subject
    first = it.low(a)
    inside = a <= mention.first < b
    told = _Told(it, another=another)
    told.read(mention, inside=inside)
    dated = told.life != NO_LIFE
    who = any(it.low(x) == "who" for x, _ in clause.blocks)
    said = copular(it)
    apposed = told.apposed or told.prenominal
    ordinal = _ordinal(it, a, b) if mention.last == b or not inside else None
    characterized = characterizes(it)
    return cues_of(
        "name",
        another=told.another
        or _is_said_another(it)
        or (who and first in {"the", "a", "an"}),  # "the X who played"
        of_a_kind=first == "another" and not (it.lows((a, b)) & PEOPLE or NAMED.search(it.text)),
        this=first in {"this", "that"},
        presented=dated or apposed or told.definite or bool(said.roles) or not inside,
        apposed=apposed,
        titled=bool(told.roles),
        dated=dated,
        in_brackets=told.in_brackets,
        also=also,
        many=is_role(it.low(clause.lead[0])) and "and" in it.lows(clause.lead),
        characterized=characterized or bool(said.roles and it.opens and it.line.kind == "item"),
        main=a == mention.first,
        tells=characterized
        or who
        or (a == mention.first and bool(_ACTS & it.lows((clause.verb, clause.verb + 4)))),
        definite=told.prenominal and first == "the",
        counted=ordinal is not None,
        relative=told.relative,
        mention=mention,
        ordinal=ordinal,
        said=Said(said.roles.union(told.roles), said.origins.union(told.origins)),
        life=told.life if told.life.born is not None else born_in(it)._replace(died=told.life.died),
        aliases=told.aliases,
        epithet=told.epithet,
    )


def _compares(word: str) -> bool:
    """Whether a word before a name says which of several is meant; no state: "a young Ann Lee"."""
    return word in _COMPARING or is_demonym(word) or word.endswith("-known")


def _is_said_another(it: View) -> bool:
    """Whether the predicate says so: "is another individual", "is a different person"."""
    k = it.clause.verb
    if it.low(k) not in {"is", "was"}:
        return False
    k += 1 + (it.low(k + 1) in {"also", "yet", "a", "an"})
    words = it.lows((k, min(k + 4, it.clause.end)))
    if it.low(k) in {"someone", "somebody"} and it.low(k + 1) == "else":
        return True
    return it.low(k) in _OTHER and bool(words & PEOPLE)


def _ordinal(it: View, a: int, b: int) -> int | None:
    """The one of several people that a subject means ("the second X", "one", "another")."""
    first, more = it.low(a), it.low(a + 1) if b - a > 1 else ""
    if first == "the" and more in ORDINALS and more != "one":
        return ORDINALS[more]
    if first in {"a", "an"} and ORDINALS.get(more, 0) > 0:
        return ORDINALS[more] if b - a == 2 or it.low(a + 2) == "one" else None
    if first == "one" and more and it.tokens[a + 1].capital:
        return 0
    return ORDINALS.get(first) if first in {"one", "another"} and more in {"", "of"} else None


def _is_another(it: View, reach: Range) -> bool:
    """Whether a stretch says "another", "a different", "a second", "a lesser-known Ann Lee"."""
    a, b = reach
    first, more = it.low(a), it.low(a + 1)
    if b - a < 2 or it.tokens[a].depth:
        return False  # "Another Time" is a title
    if "another" in {first, more} or (first, more) == ("one", "more"):
        return True
    if first not in {"a", "an", "the"}:
        return False
    if more in _OTHER:
        return True
    if first == "the":
        return False
    names = [m for m in it.names(reach)[:1] if len(m.words) > 1]
    before = it.lows((a + 1, names[0].first)) if names else set()
    near = bool(names) and names[0].last == b and all(_compares(low) for low in before)
    if names and names[0].first == a + 1 and it.low(names[0].last) == "of":
        return True  # "A Paul Ritter of later years"
    if before & {"named", "called"}:  # "a fiddler named Ann Lee"
        near = bool(before & PEOPLE) or any(map(is_role, before))
    return ORDINALS.get(more, 0) > 0 or more == "further" or near
