"""Reads the cues of a clause with a subject: "the painter Ann Lee", "another", "his father"."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from dfactscore._text.person_names import HONORS
from dfactscore._text.role_words import is_demonym, is_role
from dfactscore.engines._builtin.group.cues import (
    ARTICLES,
    OTHER_SOURCE,
    SOURCES,
    Cues,
    Traits,
    View,
    born_in,
    characterizes,
    copular,
    cues_of,
    describes,
    epithet_in,
    is_tie,
    kin_cues,
    says_who,
)
from dfactscore.engines._builtin.group.mentions import NO_LIFE, Life, Mention, life_years, roles_in
from dfactscore.engines._builtin.language.announcements import (
    ALSO,
    NAMED,
    ORDINALS,
    PEOPLE,
    sets_apart,
)
from dfactscore.engines._builtin.language.clauses import MAIDEN, Range
from dfactscore.engines._builtin.language.verbs import is_adverb
from dfactscore.engines._builtin.language.word_classes import (
    POSSESSIVES,
    PREPOSITIONS,
    PRONOUNS,
    RELATIVE_PRONOUNS,
    RELATIVES,
    word_list,
)

_OPENING = 5
_TITLED = re.compile(r"(?:titled|entitled|headed|named|called|labeled)\b", re.IGNORECASE)
# Verbs between a source and its subject; not "mentions", whose object may be anything
_IS_ABOUT = re.compile(
    r"(?:(?:also|instead|then|both|all|mainly|primarily|only|again|however|,) )*"
    r"(?:(?:is|are|was|seems? to be|appears? to be|talks?|tells|speaks?|writes?|deals?|centers?) "
    r"(?:instead |mainly |all |rather )?(?:about|of|with|on|devoted to|dedicated to)|"
    r"(?:describe|discuss|discusse|profile|cover|introduce|present|concern|feature|portray|detail|"
    r"chronicle|treat|outline|summarize|identifie|identify)s?|refers? to|focus(?:es)? on|"
    r"(?:provides?|gives?|contains?|offers?|has|includes?) (?:\w+ )?(?:information|details?|facts|"
    r"data|biography|profile|account|overview|summary|description) (?:about|on|of|for))\b",
    re.IGNORECASE,
)
_SAME_NAME = re.compile(
    r"\b(?:of|with|bearing|sharing|by) (?:the|this|that) (?:same )?name\b|\b(?:same|like)-named\b"
)
_ACTS = word_list("acts")
_STATE = re.compile(
    r"\b(?:at (?:the|this|that) (?:time|point|stage|moment)|by (?:training|profession|trade|birth)|"
    r"now|then|today|himself|herself|(?:since|from|until) \d{4}|all (?:his|her) life)$"
)
_NAMESAKES = frozenset({"namesake", "counterpart"})
_TAIL = re.compile(r"[ (]((?:un|not |no )(?:related|relation|connected) (?:to|with) .*?)\)?$")
_COMPARING = word_list("comparing")
_NEE = MAIDEN | {"born"}
_GENERATIONS = {
    "father": 0, "mother": 0, "son": 1, "daughter": 1, "grandson": 1, "granddaughter": 1,
    "nephew": 1, "niece": 1,
}  # fmt: skip
_OTHER = frozenset({"another", "different", "unrelated", "separate", "distinct"})
_TIMES = frozenset({"time", "day", "week", "month", "year", "decade", "season", "evening", "night"})
_COMPANIONS = word_list("companions")
_ALIAS = _NEE | {"also", "known", "better", "nicknamed", "best", "full", "sometimes"}


def has_source(view: View, reach: Range) -> bool:
    """Whether a span begins with the name of a source: "the third passage", "Document 2"."""
    a, b = reach
    return _source_at(view, (a, min(b, a + _OPENING))) is not None


def _source_at(view: View, reach: Range) -> int | None:
    """Returns the index of "passage" in "the third passage", or of "one" in "the second one is"."""
    for k in range(*reach):
        if view.low(k).removesuffix("s") in SOURCES and _is_thing(view, k):
            return k
        if view.low(k) == "one" and view.low(k - 1) in ORDINALS and _is_about(view, k + 1):
            return k
    return None


def _is_thing(view: View, k: int) -> bool:
    """Whether a word is a noun rather than a surname: "the page" or "Page 2", unlike "Tom Page"."""
    counted = view.low(k + 1).isdigit() or view.low(k + 1) == "["
    opens = k == view.clause.start and view.low(k) != "page"
    return counted or opens or not view.tokens[k].capital


def _is_about(view: View, at: int) -> re.Match[str] | None:
    return _IS_ABOUT.match(view.words((at, view.clause.end)))


def source_cues(view: View, *, anything: bool) -> Cues | None:
    """Reads "Document 2 is about X, a poet"."""
    start, end = view.whole
    place = _source_at(view, view.whole)
    at = start if place is None else place + 1
    while view.low(at).isdigit() or view.low(at) in {"[", "]", "(", ")", "#"}:
        at += 1
    about = _is_about(view, at) or _TITLED.match(view.words((at, end)))
    if about is None and not anything:
        return None
    if about is not None:
        stop = view.tokens[at].start + about.end()
        at = next((k for k in range(at, end) if view.tokens[k].start >= stop), end)
    else:
        at = max(at, view.clause.verb)
    names = view.names((at, end))
    if not names:
        return cues_of("other") if anything else None
    return _presented(view, at, names[0], about=about is not None)


def _presented(view: View, at: int, mention: Mention, *, about: bool) -> Cues:
    """Returns the cues about the person that a source is about or mentions."""
    end = view.clause.end
    words_after = (mention.last, end)
    apposed = view.low(mention.last) == "," and view.low(mention.last + 1) in {"a", "an", "the"}
    stop = next((k for k in range(mention.last + 1, end) if view.low(k) in {",", "who"}), end)
    traits_before, traits = view.traits((at, mention.first)), view.traits(words_after)
    if apposed and not traits.roles:
        traits = says_who(view, (mention.last + 1, stop))
    roles = traits.roles | traits_before.roles
    words_before = view.lows((at, mention.first))
    tied = bool(words_before & (RELATIVES | POSSESSIVES)) or mention.possessive
    article = view.low(mention.first - 1) in {"a", "an"}  # "mentions an Ann Lee who"
    is_other = OTHER_SOURCE.search(view.words((view.clause.start, at))) is not None
    marks = {",", "who", "("} | ({"as"} if is_other else set())
    return cues_of(
        "name",
        epithet=epithet_in(view, (mention.last + 2, end)) if apposed else (),
        mention=mention,
        another=article or (about and bool(words_before & {"another", "different"})),
        presented=bool(roles),
        apposed=bool(traits_before.roles) or (bool(roles) and view.low(mention.last) in marks),
        characterized=apposed and view.low(mention.last + 1) != "the",
        topic=about and not tied and mention.first - at <= 4,
        traits=Traits(roles, traits.origins | traits_before.origins),
        life=life_years(view.words(words_after)[:90]),
    )


def subject_cues(view: View) -> Cues:
    """Reads the cues of a clause with a subject and a verb."""
    clause = view.clause
    a, b = clause.subject
    if view.low(a) in PREPOSITIONS and clause.lead[1] <= clause.lead[0]:
        a = _behind_circumstance(view, a, b)
    first, lead = view.low(a), view.lows(clause.lead)
    reach = view.tokens[min(clause.end, clause.verb + 6) - 1].end
    also = bool(ALSO.search(view.body, view.tokens[clause.start].start, reach))
    # "Apart from his songs, X is", "As a poet, X is": the same person
    also = also or bool(POSSESSIVES & lead) or view.low(clause.lead[0]) == "as"
    if first in PRONOUNS and b - a == 1:
        return cues_of("pronoun", also=also, traits=copular(view), life=born_in(view))
    namesake = not _NAMESAKES.isdisjoint(view.lows((a, b)) | lead)
    theirs = lead & (RELATIVES | _COMPANIONS) or is_role(view.low(clause.lead[1] - 1))
    kin = bool(theirs) and bool(lead & POSSESSIVES)  # "Her detective, Inspector Hale, appears"
    kin = kin or (first == "one" and view.low(a + 1) == "of" and view.low(a + 2) in POSSESSIVES)
    dated = clause.brackets and _generation(view, a, b) is not None  # "His son (1854–1921) was"
    if (first in POSSESSIVES or kin) and not namesake and not dated:
        return cues_of("owner")._replace(kin=kin_cues(view))
    names = view.names((clause.start if first in HONORS else a, b))  # "Ann Lee, FRS, sang"
    if "namesake" in view.lows((a, b)) and names and names[0].possessive:  # "X's namesake sang"
        return cues_of("description", "another", "presented", traits=copular(view))
    owner = next((m for m in names if m.possessive and m.last < b), None)
    if owner is not None:
        return cues_of("owner", mention=owner)
    if describes(view, (a, b)) and _SAME_NAME.search(view.text):
        return cues_of("description", "another", "presented", traits=view.traits((a, b)))
    named = (m for m in names if view.low(m.first - 1) in {"named", "called"})
    mention = next(named, names[-1] if names else None)
    if has_source(view, (a, b)):
        return source_cues(view, anything=True) or cues_of("other")
    kind = describes(view, clause.lead) or bool(clause.brackets or clause.blocks)
    timed = view.lows(clause.lead) & _TIMES  # "Another time, X (then ill) was"
    another = namesake or _is_another(view, (a, b)) or sets_apart(view.words(clause.lead))
    another = another or (_is_another(view, clause.lead) and kind and not timed)
    if mention is None:
        mention = _name_outside(view)
    if mention is None:
        return _description(view, another=another, also=also)
    relation = view.lows((a, mention.first)) & RELATIVES if mention.first < b else set()
    if relation and not namesake and "another" not in view.lows((a, mention.first)):
        return cues_of("owner", mention=mention)  # "the younger brother of X"
    return _named(view, mention, another=another, also=also)


def _behind_circumstance(view: View, a: int, b: int) -> int:
    """Returns where the subject starts in "During World War II he" or "In Leeds his father"."""
    places = (k for k in range(b - 1, max(a, b - 6), -1) if view.low(k) in PRONOUNS | POSSESSIVES)
    return next(places, a)


def _name_outside(view: View) -> Mention | None:
    """Returns the name that follows a description in a subject: "Another poet, Ann Lee, was"."""
    clause = view.clause
    names = (
        view.names(clause.blocks[0]) if clause.blocks and describes(view, clause.subject) else []
    )
    near = [m for m in names[:1] if m.first <= clause.blocks[0][0] + 1]
    return near[0] if near else None


def _description(view: View, *, another: bool, also: bool) -> Cues:
    """Reads a subject without a name: "the second", "the botanist", "his first book"."""
    clause = view.clause
    a, b = clause.subject
    generation = _generation(view, a, b)
    ordinal = _ordinal(view, a, b) if generation is None else generation
    roles, origins = view.traits((a, b))
    described = describes(view, (a, b))
    traits = copular(view, definite=True)
    another = another and (bool(view.lows((a, b)) & PEOPLE) or bool(NAMED.search(view.text)))
    bare = b - a == 1 or (
        ordinal is not None and (b - a == 2 or view.low(b - 1) in {"one", "them"})
    )
    if (bare and view.low(clause.verb) in {"are", "were"}) or not (bare or described):
        ordinal = generation  # "novels and essays; the latter were"
    opened = {view.low(x) for x, _ in clause.blocks}
    return cues_of(
        "description" if described or ordinal is not None else "other",
        another=another,
        also=also,
        definite=view.low(a) == "the",
        presented=bool(traits.roles) or bool(opened & {"a", "an"}),
        counted=ordinal is not None,
        kin=generation is not None,
        ordinal=ordinal,
        traits=Traits(roles or traits.roles, origins | traits.origins),
    )


@dataclass
class _SubjectTraits:
    """The information a clause gives about the person it names."""

    view: View
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
    given_names: tuple[str, ...] = ()

    def read(self, mention: Mention, *, inside: bool) -> None:
        """Reads the words around the name: before it, in parentheses, between commas."""
        view, clause = self.view, self.view.clause
        self.given_names = mention.words[:-1]
        a, b = clause.subject
        self.prenominal = self.add((a, mention.first if inside else b))
        self.relative = is_tie(view, clause.lead)
        if describes(view, clause.lead) and view.low(clause.lead[0]) != "as":
            self.prenominal |= self.add(clause.lead)
        if inside and view.low(mention.last) == "the":  # "X the poet"
            self.prenominal |= self.add((mention.last, b))
            self.epithet |= epithet_in(view, (mention.last, b))
        for bracket in clause.brackets:
            self.add_bracket(bracket)
        self.in_brackets = self.life != NO_LIFE
        for block in clause.blocks:
            self.add_block(block)

    def add(self, reach: Range) -> bool:
        """Adds the roles and nationalities named in a span; returns whether it names a role."""
        roles, origins = says_who(self.view, reach)
        self.roles |= roles
        self.origins |= origins
        return bool(roles)

    def add_bracket(self, reach: Range) -> None:
        """Reads "(1744–1826)" and "(judge)"."""
        life = life_years(self.view.words(reach))
        self.life = life if life != NO_LIFE else self.life
        self.epithet |= epithet_in(self.view, reach)
        self.apposed |= self.add(reach)
        self.another |= "no relation" in self.view.words(reach)
        self.another |= sets_apart(self.view.words(reach))
        self.add_aliases(reach)

    def add_block(self, reach: Range) -> None:
        """Reads the words between commas: "a Welsh poet", "the painter", "born 1950"."""
        view, opening, inside = self.view, self.view.low(reach[0]), self.view.words(reach)
        if opening in RELATIVE_PRONOUNS:
            lived = inside.startswith(("who was born", "who died", "who passed away"))
            if lived and self.life == NO_LIFE:
                self.life = life_years(inside)
            return
        self.another |= inside.startswith("unlike the ") and is_role(view.low(reach[1] - 1))
        self.another |= sets_apart(inside)
        if opening == "unlike" or _is_state(view, reach):
            return  # the predicate decides: ", however, is a rower"
        self.relative |= is_tie(view, reach)
        epithet = epithet_in(view, reach)
        self.epithet |= epithet
        names_role = self.add(reach)
        if opening in ARTICLES or is_demonym(opening):
            self.apposed |= opening == "another" or bool(roles_in(view.tokens, *reach))
            self.another |= opening == "another" or "same name" in inside
        self.another |= "no relation" in inside
        self.apposed |= opening == "born" or (bool(epithet) and reach[1] - reach[0] <= 3)
        self.definite |= opening == "the" and names_role
        if self.life.born is None and (opening == "born" or "(" in inside):
            life = life_years(inside[inside.find("(") + 1 :])
            self.life = life if life.born is not None else self.life
        self.add_aliases(reach)

    def add_aliases(self, reach: Range) -> None:
        """Reads "born Ann Holt" and "also known as Nan Lee"."""
        if self.view.low(reach[0]) in _ALIAS:
            names = self.view.names(reach)[:1]
            self.aliases += [m.words for m in names if len(m.words) > 1 or m.last == reach[1]]
            if self.view.low(reach[0]) in _NEE:  # "née Holt": Ann Holt
                self.aliases += [self.given_names + m.words for m in names if len(m.words) == 1]


def _is_state(view: View, reach: Range) -> bool:
    """Whether an apposition gives the current state of a known person: "by then a judge"."""
    opening = view.tokens[reach[0]]
    circumstance = opening.low in PREPOSITIONS or opening.low == "no" or is_adverb(opening)
    circumstance = circumstance and opening.low not in _ALIAS
    return circumstance or _STATE.search(view.words(reach)) is not None


def _named(view: View, mention: Mention, *, another: bool, also: bool) -> Cues:
    """Reads a clause whose subject is a name."""
    clause = view.clause
    a, b = clause.subject
    first = view.low(a)
    inside = a <= mention.first < b
    subject = _SubjectTraits(view, another=another)
    subject.read(mention, inside=inside)
    dated = subject.life != NO_LIFE
    has_who = any(view.low(x) == "who" for x, _ in clause.blocks)
    traits = copular(view)
    apposed = subject.apposed or subject.prenominal
    ordinal = _ordinal(view, a, b) if mention.last == b or not inside else None
    characterized = characterizes(view)
    return cues_of(
        "name",
        another=subject.another
        or _is_said_another(view)
        or (has_who and first in {"the", "a", "an"}),  # "the X who played"
        of_a_kind=first == "another"
        and not (view.lows((a, b)) & PEOPLE or NAMED.search(view.text)),
        this=first in {"this", "that"},
        presented=dated or apposed or subject.definite or bool(traits.roles) or not inside,
        apposed=apposed,
        titled=bool(subject.roles),
        dated=dated,
        in_brackets=subject.in_brackets,
        also=also,
        many=is_role(view.low(clause.lead[0])) and "and" in view.lows(clause.lead),
        characterized=characterized
        or bool(traits.roles and view.opens and view.line.kind == "item"),
        main=a == mention.first,
        tells=characterized
        or has_who
        or (a == mention.first and bool(_ACTS & view.lows((clause.verb, clause.verb + 4)))),
        definite=subject.prenominal and first == "the",
        counted=ordinal is not None,
        relative=subject.relative,
        mention=mention,
        ordinal=ordinal,
        traits=Traits(traits.roles.union(subject.roles), traits.origins.union(subject.origins)),
        life=subject.life
        if subject.life.born is not None
        else born_in(view)._replace(died=subject.life.died),
        aliases=subject.aliases,
        epithet=subject.epithet,
    )


def _compares(word: str) -> bool:
    """Whether a word before a name selects one of several people, as "young" does not."""
    return word in _COMPARING or is_demonym(word) or word.endswith("-known")


def _is_said_another(view: View) -> bool:
    """Whether the predicate says "is another individual" or "is a different person"."""
    k = view.clause.verb
    if view.low(k) not in {"is", "was"}:
        return False
    k += 1 + (view.low(k + 1) in {"also", "yet", "a", "an"})
    words = view.lows((k, min(k + 4, view.clause.end)))
    tail = _TAIL.search(view.words((k, view.clause.end)))
    if tail and sets_apart(tail[1]) and copular(view).roles:
        return True  # "is also a politician unrelated to the painter"
    if view.low(k) in {"someone", "somebody"} and view.low(k + 1) == "else":
        return True
    return view.low(k) in _OTHER and bool(words & PEOPLE)


def _ordinal(view: View, a: int, b: int) -> int | None:
    """Returns the person's position among several: "the second X", "one", "another"."""
    first, second = view.low(a), view.low(a + 1) if b - a > 1 else ""
    if first == "the" and second in ORDINALS and second != "one":
        return ORDINALS[second]
    if first in {"a", "an"} and ORDINALS.get(second, 0) > 0:
        return ORDINALS[second] if b - a == 2 or view.low(a + 2) == "one" else None
    if first == "one" and second and view.tokens[a + 1].capital:
        return 0
    return ORDINALS.get(first) if first in {"one", "another"} and second in {"", "of"} else None


def _generation(view: View, a: int, b: int) -> int | None:
    """Returns the position of "the father", "the son", "his son (1854–1921)" among namesakes."""
    fits = b - a == 2 and view.low(a) in {"the", "his", "her"}
    return _GENERATIONS.get(view.low(a + 1)) if fits else None


def _is_another(view: View, reach: Range) -> bool:
    """Whether a span says "another", "a different", "a second", "a lesser-known Ann Lee"."""
    a, b = reach
    first, second = view.low(a), view.low(a + 1)
    if b - a < 2 or view.tokens[a].depth:
        return False  # "Another Time" is a title
    if "another" in {first, second} or (first, second) == ("one", "more"):
        return True
    if first not in {"a", "an", "the"}:
        return False
    if second in _OTHER:
        return True
    if first == "the":
        return False
    names = [m for m in view.names(reach)[:1] if len(m.words) > 1]
    words_before = view.lows((a + 1, names[0].first)) if names else set()
    near = bool(names) and names[0].last == b and all(_compares(low) for low in words_before)
    if names and names[0].first == a + 1 and view.low(names[0].last) == "of":
        return True  # "A Paul Ritter of later years"
    if words_before & {"named", "called"}:  # "a fiddler named Ann Lee"
        near = bool(words_before & PEOPLE) or any(map(is_role, words_before))
    return ORDINALS.get(second, 0) > 0 or second == "further" or near
