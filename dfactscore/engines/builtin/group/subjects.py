"""Cues of a clause that has a subject: "the painter Ann Lee", "another", "his father"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from dfactscore.engines.builtin.group.cues import (
    GENERIC,
    POSSESSIVE,
    SOURCES,
    Cues,
    View,
    cues_of,
)
from dfactscore.engines.builtin.group.mentions import Mention, life_years, roles_in
from dfactscore.engines.builtin.language.announcements import ALSO, NAMED, ORDINALS, PEOPLE
from dfactscore.engines.builtin.language.clauses import Range
from dfactscore.engines.builtin.language.word_classes import (
    DETERMINERS,
    PREPOSITIONS,
    PRONOUNS,
    RELATIVES,
    is_demonym,
    is_role,
)
from dfactscore.engines.builtin.language.word_lists import word_list

__all__ = ["epithet_in", "is_agent", "subject_cues"]

_NO_NATION = frozenset({"citizen", "national", "resident", "native", "family"})
_ELDER = {"elder": "elder", "older": "elder", "younger": "younger"}
_OF_PEOPLE = frozenset({"born", "who", "killed", "raised", "educated", "a", "an"})
_SAME_NAME = re.compile(
    r"\b(?:of|with|bearing|sharing|by) (?:the|this|that) (?:same )?name\b|\b(?:same|like)-named\b"
)
# An office that makes a politician: "was a Labour Member of Parliament"
_SEAT = re.compile(
    r"\bmember of (?:the )?(?:\w+ ){0,3}(?:parliament|congress|senate|assembly)", re.I
)
_LIKEWISE = re.compile(r"(?:also|likewise|too|himself|herself) (?:called|named|known as)\b")
_PARENTS = frozenset({"father", "mother", "grandfather", "grandmother", "uncle", "aunt"})
_COMPANIONS = word_list("companions")
_CHILDREN = frozenset({"son", "daughter", "grandson", "granddaughter", "nephew", "niece"})
_ACTS = word_list("acts")
_STANCES = word_list("stances")
_ALIAS = frozenset({"also", "known", "better", "born", "nicknamed", "full", "née", "sometimes"})
_ASIDES = word_list("asides")
_SAME_ONE = frozenset({"aforementioned", "real", "actual"})
_OF_THEM = (" of them", " of these", " of those", " one", " of the two", " of the three")
_EPITHETS = frozenset({"elder", "younger", "great", "senior", "junior", "first", "second"})
_TIMES = frozenset({"time", "day", "week", "month", "year", "decade", "season", "evening", "night"})
# One more thing that the same person does: "In a separate venture, X owns"
_SIDELINE = re.compile(
    r"in (?:an?|his|her|another) (?:\w+ )?(?:venture|role|capacity|career|project|position)\b",
    re.IGNORECASE,
)
_DIES = re.compile(r"who (?:died|passed away)\b[^,]*?\b(\d{3,4})\b")
# "was born in Ohio in 1950"; years behind "and moved", "the son of" and in brackets are others
_BIRTH = re.compile(
    r"(?:was|is) born\b(?:(?!\band (?-i:[a-z])|, (?:the|an?|his|her) |\b(?:who|whose|where|when)\b|"
    r"[;:]|(?<!born )\().)*",
    re.IGNORECASE | re.DOTALL,
)
_AGENTS = ("er", "or", "ist", "ian", "eer", "ess")
_NO_AGENTS = RELATIVES | word_list("no_agents")
_CIRCUMSTANCE = frozenset({"as", "in", "besides", "despite", "after", "while"})


def subject_cues(it: View) -> Cues:
    """Reads a clause with a subject and a verb."""
    clause = it.clause
    a, b = clause.subject
    first = it.low(a)
    if first in PREPOSITIONS and b - a > 1 and clause.lead[1] <= clause.lead[0]:
        a, first = _behind_circumstance(it, a, b)
    reach = it.tokens[min(clause.end, clause.verb + 6) - 1].end
    also = bool(ALSO.search(it.body, it.tokens[clause.start].start, reach))
    # "Apart from his songs, X is", "As a poet, X is": the same person
    also = also or bool(POSSESSIVE & it.lows(clause.lead)) or it.low(clause.lead[0]) == "as"
    also = also or bool(_SIDELINE.match(it.words(clause.lead)))
    if first in PRONOUNS and b - a == 1:
        roles, origins = _copular(it)[:2]
        return cues_of("pronoun", also=also, roles=roles, origins=origins, years=_born_in(it))
    lead_first = it.low(clause.lead[0]) if clause.lead[1] > clause.lead[0] else ""
    belongs = first in POSSESSIVE | {"a", "another"} or it.low(clause.lead[0]) in POSSESSIVE
    if "namesake" in it.lows((a, b)) | it.lows(clause.lead) and belongs:
        return _namesake(it)
    heir = _heir(it) if first in POSSESSIVE else None
    if heir is not None:
        return heir
    if _tied_behind(it):
        return cues_of("owner")  # "Tom Lee, who was a judge, is his uncle"
    tied = it.lows(clause.lead) & (RELATIVES | _COMPANIONS)
    if first in POSSESSIVE or (lead_first in POSSESSIVE and tied):
        return cues_of("owner")
    subject = it.names((a, b))
    owner = next((m for m in subject if m.possessive and m.last < b), None)
    if owner is not None:
        age = _ELDER.get(it.low(a + 1), "") if first == "the" else ""
        return cues_of("owner", age, mention=owner) if age else cues_of("owner", mention=owner)
    named = next((m for m in subject if it.low(m.first - 1) in {"named", "called"}), None)
    estates = len(subject) > 1 and " of " in subject[0].text and len(subject[-1].words) == 1
    which = subject[0] if estates and subject[0].first == a else subject[-1] if subject else None
    mention = _withepithet_in(it, named or which) if which else None
    if mention is not None and set(mention.words) <= RELATIVES:
        return cues_of("owner")  # "Father was a merchant"
    if _describes(it, (a, b)) and _SAME_NAME.search(it.text):
        roles, origins = it.says((a, b))
        return cues_of("description", "another", "presented", roles=roles, origins=origins)
    counted = mention is None and it.low(a + 1) in ORDINALS and bool(it.lows((a, b)) & SOURCES)
    one_more = first in {"another", "one"} and b - a == 2 and it.low(a + 1) in SOURCES
    one_more = one_more or (first in {"a", "an"} and b - a == 3 and it.low(a + 2) in SOURCES)
    if counted or one_more or first in SOURCES or (mention and mention.words[0] in SOURCES):
        return _document(it)
    described = _describes(it, clause.lead) or _another_thing(it)
    another = _is_another(it, (a, b)) or (_is_another(it, clause.lead) and described)
    if mention is None:
        mention, another_there = _name_outside(it, it.names(clause.lead))
        described = described or mention is not None
        another = another or another_there
    if mention is None:
        return _description(it, another=another, also=also)
    relation = it.lows((a, mention.first)) & RELATIVES if mention.first < b else set()
    before = it.low(mention.first - 1)
    if relation and (
        before not in relation | {"the", "another"}
        or (first not in {"another", "the", "a"} and first not in relation)
        or "of" in it.lows((a, mention.first))
    ):
        return cues_of("owner", mention=mention)  # "the younger brother of X"
    return _named(it, mention, another=another, described=described, also=also)


def _namesake(it: View) -> Cues:
    """Reads "his namesake Tom Lee was", "her daughter and namesake, Ann Lee, was"."""
    a, b = it.clause.subject
    names = it.names((a, b))
    kin = (it.lows((a, b)) | it.lows(it.clause.lead)) & RELATIVES
    if names and not names[-1].possessive and len(names[-1].words) > 1:
        found = _named(it, names[-1], another=True, described=True, also=False)
    else:
        roles, origins = _copular(it)[:2]
        years = life_years(it.words((a, it.clause.verb)))
        found = cues_of(
            "description", "another", "presented", roles=roles, origins=origins, years=years
        )
    generation = {"child"} if kin & _CHILDREN else {"parent"} if kin & _PARENTS else set()
    return replace(found, names=found.names | generation)


def _heir(it: View) -> Cues | None:
    """Reads "his son, also called Tom Lee," and "her mother of the same name"."""
    a, b = it.clause.subject
    kin = it.lows((a, b)) & RELATIVES
    added = it.words(it.clause.blocks[0]) if it.clause.blocks else ""
    said = _SAME_NAME.search(it.words((a, b))) or _SAME_NAME.match(added)
    if len(kin) != 1 or not (said or _LIKEWISE.match(added)):
        return None
    return cues_of("owner", parent=bool(kin & _PARENTS), child=bool(kin & _CHILDREN))


def _behind_circumstance(it: View, a: int, b: int) -> tuple[int, str]:
    """Where the subject begins in "During World War II he" and "In Leeds his father"."""
    for k in (b - 1, *range(b - 2, max(a, b - 6), -1)):
        low = it.low(k)
        if (low in PRONOUNS and k == b - 1) or (low in POSSESSIVE and k < b - 1):
            return k, low
    return a, it.low(a)


def _tied_behind(it: View) -> bool:
    """Whether the predicate ties its subject to someone: "is his uncle"."""
    k = it.clause.verb
    if it.low(k) not in {"is", "was"} or it.low(k + 1) not in POSSESSIVE:
        return False
    near = range(k + 2, min(k + 5, it.clause.end))
    return any(it.low(i) in RELATIVES for i in near)


def _withepithet_in(it: View, mention: Mention) -> Mention:
    """The name with "the younger" behind it."""
    word = it.low(mention.last + 1)
    if it.low(mention.last) != "the" or word not in _EPITHETS:
        return mention
    last = mention.last + 2
    text = it.words((mention.first, last))
    return replace(mention, last=last, text=text, words=(*mention.words, word))


def _another_thing(it: View) -> bool:
    """Whether the lead is "Another ship," and the name is explained: "USS Enterprise (CVN-65)"."""
    a, b = it.clause.lead
    return (
        b - a == 2
        and it.low(a) == "another"
        and it.low(a + 1) not in _TIMES
        and bool(it.clause.brackets or it.clause.blocks)
    )


def _document(it: View) -> Cues:
    """Reads "Document 2 is about X, a poet"."""
    names = it.names((it.clause.verb, it.clause.end))
    if not names or names[0].last >= it.clause.end:
        return cues_of("other")
    mention = names[0]
    roles, origins = it.says((mention.last, it.clause.end))
    said = it.low(mention.last) == "," and it.low(mention.last + 1) in {"a", "an", "the"}
    return cues_of(
        "name",
        "document",
        epithet=epithet_in(it, (mention.last + 2, it.clause.end)) if said else (),
        mention=mention,
        another=it.low(mention.first - 1) in {"a", "an"},  # "mentions an Ann Lee who"
        presented=bool(roles),
        apposed=bool(roles) and it.low(mention.last) in {",", "who", "(", "as"},
        roles=roles,
        origins=origins,
        years=life_years(it.words((mention.last, it.clause.end))[:90]),
    )


def _name_outside(it: View, lead: Sequence[Mention]) -> tuple[Mention | None, bool]:
    """The name where the subject is a description: "Another X, the poet, was"."""
    clause = it.clause
    one = it.words(clause.subject).lower().endswith(_OF_THEM)
    if clause.blocks and (one or _describes(it, clause.subject)):
        names = it.names(clause.blocks[0])
        if names and names[0].first <= clause.blocks[0][0] + 1:
            return names[0], False
    if clause.blocks and _LIKEWISE.match(it.words(clause.blocks[0])):
        names = it.names(clause.blocks[0])
        if names:
            return names[0], _is_another(it, clause.subject)
    # "Another figure sharing this name is X, a poet"
    if _is_another(it, clause.subject) and it.low(clause.verb) in {"is", "was"}:
        names = it.names((clause.verb + 1, min(clause.end, clause.verb + 8)))
        named = bool(names) and not names[0].text.partition("-")[2][:1].islower()
        if named and names[0].first <= clause.verb + 2:
            return names[0], True
    return None, False


def _description(it: View, *, another: bool, also: bool) -> Cues:
    """Reads a subject without a name: "the second", "the botanist", "his first book"."""
    clause = it.clause
    a, b = clause.subject
    ordinal = _ordinal(it, a, b)
    roles, origins = it.says((a, b))
    described = _describes(it, (a, b))
    said, said_origins, _ = _copular(it, definite=True)
    people = bool(it.lows((a, b)) & PEOPLE)
    another = another and (people or bool(NAMED.search(it.text)))
    bare = b - a == 1 or (b - a == 2 and ordinal is not None)
    bare = bare or (ordinal is not None and it.words((a, b)).lower().endswith((*_OF_THEM, " one")))
    if bare and it.low(clause.verb) in {"are", "were"}:
        ordinal = None  # "novels and essays; the latter were"
    if ordinal is not None and not bare and not described:
        ordinal = None
    opened = {it.low(x) for x, _ in clause.blocks}
    heir = it.low(a + 1) if it.low(a) == "the" and b - a == 2 else ""
    alone = bare and ordinal == 0 and it.low(a) == "the"
    alone = alone and (it.low(a + 1) == "former" or it.low(clause.verb) in _ACTS)
    is_other = ordinal == -2 and it.low(a) == "the" and (people or bare)
    return cues_of(
        "description" if described or ordinal is not None else "other",
        another=another,
        other_one=is_other,
        also=also,
        definite=it.low(a) == "the",
        presented=bool(said)
        or bool(opened & {"a", "an"})
        or (bare and ordinal is not None and bool(opened & _OF_PEOPLE)),
        alone=alone,
        elder=heir in _PARENTS,
        younger=heir in _CHILDREN,
        counted=ordinal is not None and ordinal != -1,
        latter=ordinal == -1,
        ordinal=ordinal,
        roles=roles or said,
        origins=origins | said_origins,
        subject=_telling(it, (a, b)),
        agent=is_agent(it.low(b - 1)),
    )


def _telling(it: View, reach: Range) -> set[str]:
    """What "the hockey player" says beside that it is a person."""
    head = it.low(reach[1] - 1)
    short = reach[1] - reach[0] == 2 and head.isalpha()  # "the attendant"
    if it.low(reach[0]) != "the" or not (is_role(head) or is_agent(head) or short):
        return set()
    return {t.low for t in it.tokens[slice(*reach)] if len(t.low) > 3} - GENERIC - PEOPLE


def _named(it: View, mention: Mention, *, another: bool, described: bool, also: bool) -> Cues:
    """Reads a clause whose subject is a name."""
    clause = it.clause
    a, b = clause.subject
    first = it.low(a)
    outside = not a <= mention.first < b
    roles, origins = it.says((a, b if outside else mention.first))
    before = it.low(mention.first - 1)
    if not roles and not outside and first in {"the", "a", "an"} and is_agent(before):
        roles = {before}  # "the curler X"
    prenominal = bool(roles)
    behind: frozenset[str] = frozenset()
    circumstance = it.low(clause.lead[0]) in _CIRCUMSTANCE
    if described and clause.lead[1] > clause.lead[0] and not circumstance:
        prenominal = _add(it, clause.lead, roles, origins) or prenominal
    if mention.last < b and it.low(mention.last) == "the":
        prenominal = _add(it, (mention.last, b), roles, origins) or prenominal  # "X the poet"
        behind = epithet_in(it, (mention.last, b))
    years: tuple[int | None, int | None] = (None, None)
    apposed = definite = bracketed = False
    epithet = set(behind)
    aliases: list[tuple[str, ...]] = []
    for bracket in clause.brackets:
        found = life_years(it.words(bracket))
        years = found if found != (None, None) else years
        bracketed = bracketed or found != (None, None)
        epithet |= epithet_in(it, bracket)
        apposed = _add(it, bracket, roles, origins) or apposed
        aliases.extend(_maiden_names(it, bracket, mention))
    dated = years != (None, None)
    for block in clause.blocks:
        opening, inside = it.low(block[0]), it.words(block)
        more, more_origins = it.says(block)
        epithet |= epithet_in(it, block)
        if epithet_in(it, block) and (opening != "the" or block[1] - block[0] <= 3):
            apposed = True  # "X, the painter,"
        near = it.lows((block[0], min(block[1], block[0] + 4)))
        if opening in POSSESSIVE and near & RELATIVES and len(mention.words) == 1:
            return cues_of("owner")  # "A second Lee, his cousin Tom, sat"
        if opening in {"who", "that"} and first in {"the", "a", "an"}:
            another = True  # "the X who played hurling"
        if opening in {"who", "whose", "which", "where", "whom"}:
            died = _DIES.match(inside)
            if died and years == (None, None):
                years, dated = (None, int(died[1])), True
            elif opening == "who" and years == (None, None):
                years = (life_years(inside)[0] if inside.startswith("who was born") else None, None)
            continue
        if opening in {"a", "an", "one", "another"} or is_demonym(opening):
            apposed = apposed or opening == "another" or bool(roles_in(it.tokens, *block))
            another = another or opening == "another" or "same name" in inside
        elif opening in {"born", "née"}:
            apposed = True
            years = life_years(inside) if life_years(inside)[0] is not None else years
        elif opening == "the" and more:
            definite = True
        if "(" in inside and years[0] is None:
            years = life_years(inside[inside.index("(") :])
        if opening in _ALIAS:
            named = it.names(block)[:1]
            aliases.extend(m.words for m in named if len(m.words) > 1 or m.last == block[1])
        roles |= more
        origins |= more_origins
        dated = dated or years[0] is not None
    said, said_origins, nationality = _copular(it)
    if circumstance and dated:
        _add(it, clause.lead, roles, origins)
    if years[0] is None and it.low(clause.lead[0]) == "born" and said:
        years = (life_years(it.words(clause.lead))[0], years[1])
    if years[0] is None:
        years = (_born_in(it)[0], years[1])
    if first == "the" and _nation_before(it, a, mention.first):
        origins |= set(re.split("[-–]", it.low(a + 1)))
    apposed = apposed or prenominal
    ordinal = _ordinal(it, a, b) if mention.last == b or outside else None
    return cues_of(
        "name",
        another=another or _said_another(it),
        of_a_kind=_of_a_kind(it),
        of_a_nation=_of_a_nation(it, said_origins),
        nation_before=first == "the" and _nation_before(it, a, mention.first),
        elder=first == "the" and _ELDER.get(it.low(a + 1)) == "elder",
        younger=first == "the" and _ELDER.get(it.low(a + 1)) == "younger",
        this=first in {"this", "that"} or bool(it.lows((a, b)) & _SAME_ONE),
        presented=dated or apposed or described or definite or bool(said),
        apposed=apposed,
        articled=(a, b) == (mention.first, mention.last)
        and any(it.low(x) in {"a", "an"} for x, _ in clause.blocks),
        dated=dated,
        in_brackets=bracketed,
        also=also,
        nationality=nationality,
        many=is_role(it.low(clause.lead[0])) and "and" in it.lows(clause.lead),
        characterized=_characterizes(it) or bool(said and it.opens and it.line.kind == "item"),
        main=a == mention.first,
        says_who=_characterizes(it) or any(it.low(x) == "who" for x, _ in clause.blocks),
        acts=a == mention.first
        and bool(_ACTS & it.lows((clause.verb, min(clause.end, clause.verb + 4)))),
        definite=(definite and not apposed) or (prenominal and first == "the"),
        # ", and the footballer X played" behind what another X did
        joined=prenominal and first == "the" and it.before.rstrip().endswith(", and"),
        counted=ordinal is not None and ordinal != -1,
        latter=ordinal == -1,
        mention=mention,
        ordinal=ordinal,
        roles=roles | said | _office(it),
        origins=origins | said_origins,
        years=years,
        aliases=aliases,
        epithet=epithet,
    )


def _maiden_names(it: View, bracket: Range, mention: Mention) -> list[tuple[str, ...]]:
    """The names in "(née Poe; May 1920 – June 1999)"."""
    a, b = bracket
    at = next((k for k in range(a, b) if it.low(k) in {"née", "nee", "né"}), None)
    if at is None:
        return []
    found = [m for m in it.names((at + 1, b)) if m.first == at + 1]
    return [m.words if len(m.words) > 1 else (*mention.words[:-1], *m.words) for m in found]


def epithet_in(it: View, reach: Range) -> frozenset[str]:
    """The words that say which one is meant: "the Swedish curler", "(judge)", "musician"."""
    a, b = reach
    a += it.low(a) in {"the", "a", "an"}
    stop = next(
        (k for k in range(a, b) if it.low(k) in PREPOSITIONS | {"who", ",", ":", "of", "born"}), b
    )
    tokens = it.tokens[a:stop]
    office = stop < b and it.low(stop) == "of"
    bracket = it.low(reach[0] - 1) == "("
    if not 0 < len(tokens) <= 4 or office or not all(t.word for t in tokens):
        return frozenset()
    if it.low(reach[0]) in {"a", "an"} and not bracket:
        return frozenset()
    head = tokens[-1].low
    plain = bracket and head not in _ASIDES
    plain = plain and all(t.text.isalpha() and not t.capital for t in tokens)
    if plain and it.low(stop) in {"", ")"}:
        return frozenset(t.low for t in tokens) - PEOPLE  # "(capoeirista)"
    if head in RELATIVES or not (is_role(head) or is_agent(head) or head in PEOPLE):
        return frozenset()
    return frozenset(t.low for t in tokens) - PEOPLE


def is_agent(word: str) -> bool:
    """Whether a noun of an unknown profession can be one: "powerlifter", "jumper"."""
    return len(word) > 4 and word.endswith(_AGENTS) and word not in _NO_AGENTS


def _add(it: View, reach: Range, roles: set[str], origins: set[str]) -> bool:
    """Adds what a stretch says; whether it says what a person is."""
    more, more_origins = it.says(reach)
    roles |= more
    origins |= more_origins
    return bool(more)


def _born_in(it: View) -> tuple[int | None, int | None]:
    """The year of "was born in 1950"."""
    predicate = it.words((it.clause.verb, it.clause.end))
    born = _BIRTH.match(predicate)
    return (life_years(born.group())[0], None) if born else (None, None)


def _of_a_kind(it: View) -> bool:
    """Whether the subject is another of a kind: "another pupil", "another Leeds employee"."""
    a, b = it.clause.subject
    if it.low(it.clause.lead[0]) == "another" and it.clause.lead[1] > it.clause.lead[0] + 1:
        a, b = it.clause.lead  # "Another comedian, Tom Poe, asked"
    if it.low(a) != "another" or it.lows((a, b)) & PEOPLE or NAMED.search(it.text):
        return False
    names = it.names((a, b))
    return not names or (names[0].first > a + 1 and names[0].last < b) or names[-1].last < b


def _of_a_nation(it: View, said: set[str]) -> bool:
    """Whether it is said what the person is, and of which nation: "is a Swedish tax adviser"."""
    if any(is_demonym(it.low(x)) for x, _ in it.clause.blocks):
        return True
    verb = it.clause.verb
    near = it.lows((verb, min(verb + 6, it.clause.end)))
    return bool(said) and _characterizes(it) and not near & _NO_NATION


def _nation_before(it: View, a: int, b: int) -> bool:
    """Whether "The Canadian Ann Lee" says which one is meant."""
    return a + 2 <= b <= a + 4 and is_demonym(it.low(a + 1))


def _office(it: View) -> set[str]:
    """The office in "was Bishop of Durham", which has no article."""
    k = it.clause.verb
    if it.low(k) not in {"is", "was"} or it.low(k + 2) not in {"of", "for", "at"}:
        return set()
    return {it.low(k + 1)} - GENERIC if is_role(it.low(k + 1)) else set()


def _said_another(it: View) -> bool:
    """Whether the predicate says it: "is another person with the name"."""
    k = it.clause.verb
    if it.low(k) not in {"is", "was"}:
        return False
    after = [it.low(i) for i in range(k + 1, k + 6)]
    another = after[:1] == ["another"] or after[:2] in (["a", "different"], ["yet", "another"])
    return another and (bool(set(after) & PEOPLE) or bool(NAMED.search(it.text)))


def _characterizes(it: View) -> bool:
    """Whether the predicate says what the person is: "is an American powerlifter"."""
    k = it.clause.verb
    articles = {"a", "an"} | ({"the"} if it.opens and it.line.kind == "item" else set())
    return it.low(k) in {"is", "was"} and it.low(k + 1) in articles


def _copular(it: View, *, definite: bool = False) -> tuple[set[str], set[str], bool]:
    """Roles and nationalities in "is a Polish poet", and whether it characterises the person.

    "was a delegate to the synod" says what a person did, not who it is.
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
            or low in {"mentioned", "listed", "identified", "introduced"}
            or low in {"has", "had", "also", "later", "now", "currently", "both", "best", "perhaps"}
            or low.endswith("ly")
        ):
            break
        k += 1
    articles = {"a", "an", "another", "one"} | ({"the"} if definite else set())
    if not seen or k >= clause.end or tokens[k].low not in articles:
        return set(), set(), False
    if tokens[k].low == "one" and it.low(min(k + 1, clause.end - 1)) == "of":
        return set(), set(), False
    stop = k + 1
    while stop < clause.end and tokens[stop].low not in {
        "who", "which", "that", "whose", "born", "for", "from", "to", "at", "in", "of", "with",
    }:  # fmt: skip
        if tokens[stop].depth or (tokens[stop].text == "," and stop > k + 8):
            break
        stop += 1
    roles, origins = it.says((k, stop))
    roles |= {t.low for t in tokens[k:stop] if is_role(t.low)} - GENERIC  # "a Bishop of Lindsey"
    roles |= {"politician"} if _SEAT.search(it.words((k, clause.end))) else set()
    if it.low(stop) in {"of", "for"}:
        roles -= _STANCES  # "an advocate of reform" is not a lawyer
    end = next((i for i in range(k, stop) if tokens[i].text in ",;"), stop)
    if not roles and end - k > 1 and is_agent(tokens[end - 1].low):
        roles = {tokens[end - 1].low}
    return roles, origins, bool(roles and origins)


def _describes(it: View, reach: Range) -> bool:
    """Whether a stretch describes a person ("the ethnographer", "a Norwegian tenor")."""
    a, b = reach
    if b <= a:
        return False
    low = it.low(a)
    if not (low in DETERMINERS or is_demonym(low) or is_role(low)):
        return False
    return any(is_role(t.low) or t.low in PEOPLE for t in it.tokens[a:b])


def _ordinal(it: View, a: int, b: int) -> int | None:
    """Which of several people a subject means ("the second X", "one", "another")."""
    lows = [t.low for t in it.tokens[a : min(b, a + 3)]]
    if not lows:
        return None
    more = lows[1] if len(lows) > 1 else ""
    if lows[0] == "the" and more in ORDINALS and more not in {"one", "last"}:
        return ORDINALS[more]
    if lows[0] == "the" and b - a == 2 and more in _ELDER:
        return int(more == "younger")
    if lows[0] in {"a", "an"} and more in {"second", "third", "fourth", "fifth"}:
        return ORDINALS[more] if b - a == 2 or lows[2:] == ["one"] else None
    if lows[0] == "one" and more and it.tokens[a + 1].capital:
        return 0
    if lows[0] in {"one", "another", "others"} and (not more or more in {"of", "such"}):
        return ORDINALS.get(lows[0], -2)
    return None


def _indefinite_name(it: View, reach: Range) -> bool:
    """Whether an indefinite article stands with a name: "a lesser-known Ann Lee"."""
    names = it.names(reach)
    if not names or len(names[0].words) < 2:
        return False
    before = it.lows((reach[0], names[0].first))
    if before & PEOPLE and before & {"named", "called", "name"}:
        return True  # "a person named Ann Lee with a background in"
    if names[0].first > reach[0] + 3 or names[0].last != reach[1]:
        return False
    return not roles_in(it.tokens, reach[0], names[0].first)


def _is_another(it: View, reach: Range) -> bool:
    """Whether a stretch says "another", "a different", "a second"."""
    lows = [t.low for t in it.tokens[reach[0] : min(reach[1], reach[0] + 3)]]
    if len(lows) < 2 or it.tokens[reach[0]].depth:
        return False  # "Another Time" is a title
    if lows[0] == "another" or lows[:2] in (["yet", "another"], ["still", "another"]):
        return True
    if lows[:2] in (["one", "more"], ["a", "further"]):
        return True
    if lows[0] in {"a", "an"} and _indefinite_name(it, reach):
        return True
    return lows[0] in {"a", "an", "the"} and (
        lows[1] in {"different", "unrelated", "separate", "distinct"}
        or (lows[0] in {"a", "an"} and lows[1] in {"second", "third", "fourth", "fifth", "further"})
    )
