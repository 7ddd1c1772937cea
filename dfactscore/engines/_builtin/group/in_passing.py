"""People that a clause presents beside the one it is about."""

from __future__ import annotations

import re
from dataclasses import replace

from dfactscore.engines._builtin.group.cues import POSSESSIVE, Cues, Said, View, cues_of
from dfactscore.engines._builtin.group.epithets import ARTICLES, epithet_in
from dfactscore.engines._builtin.group.mentions import NO_LIFE, life_years, roles_in
from dfactscore.engines._builtin.language.announcements import OTHER_BEARERS, confused_in
from dfactscore.engines._builtin.language.word_classes import RELATIVES, is_demonym

# Words before the people that one clause presents: "others include A, a poet, and B, a judge"
_PRESENTS = re.compile(r"\b(?:including|such as|namely|includes?)\s*:?\s+|:\s+", re.IGNORECASE)
_DISTINCT = re.compile(
    r"(?:are|were) (?:two |three )?(?:distinct|different|separate|unrelated|not the same) "
    r"(?:people|persons?|individuals|men|women|figures)\b",
    re.IGNORECASE,
)
_Found = list[tuple[int, Cues]]


def people_in_passing(it: View, cues: Cues) -> _Found:
    """People that a clause presents beside the one that it is about, each with a first token.

    Args:
        it: The clause.
        cues: Its cues about its person.

    Example:
        "Others with the name include Ann Lee, a poet, and Ann B. Lee, a judge" presents two.
    """
    begin, end = it.tokens[it.clause.start].start, it.tokens[it.clause.end - 1].end
    confused = confused_in(it.body, begin, end)
    if confused is not None:
        return _confused(it, confused.end())
    verb = it.clause.verb
    if verb >= 0 and _DISTINCT.match(it.words((verb, it.clause.end))):
        return _people(it, it.clause.start, verb)
    if not ("announces" in cues or OTHER_BEARERS.search(it.text)):
        return []
    presents = _PRESENTS.search(it.body, begin, end)
    if presents is None:
        return _without_names(it)
    first = next((k for k in range(*it.whole) if it.tokens[k].start >= presents.end()), None)
    return [] if first is None else _people(it, first, it.clause.end)


def _without_names(it: View) -> _Found:
    """Several of an announcement, each with a role alone: "may refer to a poet or to a judge"."""
    first = next(
        (k for k in range(max(it.clause.verb, 0), it.clause.end) if it.low(k) in {"a", "an"}), None
    )
    found = [] if first is None else _people(it, first, it.clause.end)
    return (
        found if len(found) > 1 and all(of.mention is None and of.roles for _, of in found) else []
    )


def _confused(it: View, place: int) -> _Found:
    """The people after "not to be confused with", if the first is described."""
    start, end = it.whole
    names = [m for m in it.names(it.whole) if it.tokens[m.last - 1].end > place]
    mention = next((m for m in names[:3] if len(m.words) > 1), names[0] if names else None)
    if mention is None:
        return []
    between = next((k for k in range(start, mention.first + 1) if it.tokens[k].end > place), 0)
    before = roles_in(it.tokens, between, mention.first)
    roles = roles_in(it.tokens, mention.last, end) | before
    life = life_years(it.body[it.tokens[mention.last - 1].end :][:80])
    says = "who" in {it.low(mention.last), it.low(mention.last + 1)}
    follows = it.low(mention.last) in {",", "(", "who", "the"}
    if not (before or follows) or not (roles or says or life != NO_LIFE):
        return []
    first = between if before else mention.first
    cues = cues_of("name", "presented", mention=mention, said=Said(roles), life=life)
    found = [(first, cues), *_people(it, first, end)[1:]]
    return [(at, replace(of, names=of.names | {"turns back"})) for at, of in found]


def _people(it: View, first: int, stop: int) -> _Found:
    """Reads "A, a poet, B, a judge, and C, a nun", cut where a next person begins."""
    cuts = [first]
    for k in range(first + 1, it.clause.end - 1):
        if it.tokens[k].depth or it.low(k) not in {",", ";", "and", "or"}:
            continue
        at = k + 1
        while it.low(at) in {"and", "or", "as", "well", "to", "by", "of"}:
            at += 1
        if at < it.clause.end and at > cuts[-1] + 1 and _opens_person(it, cuts[-1], k, at):
            cuts.append(at)
    items = [(a, min(b, stop)) for a, b in zip(cuts, [*cuts[1:], stop], strict=True)]
    return [(a, one) for a, b in items if a < b and (one := _person(it, a, b)) is not None]


def _opens_person(it: View, last: int, stop: int, at: int) -> bool:
    """Whether a further person begins at `at`: a full name after a description, or "a poet"."""
    names = it.names((at, min(it.clause.end, at + 8)))
    near = at + (it.low(at) in ARTICLES | {"the"})
    full = bool(names) and names[0].first <= near and len(names[0].words) > 1
    full = full and not is_demonym(names[0].text)
    told = bool(roles_in(it.tokens, last, stop)) or any(
        it.low(k) == "," and it.low(k + 1) in {"a", "an", "the"} for k in range(last, stop)
    )
    if full or it.low(at) not in ARTICLES:
        return full and (told or "(" in it.words((last, stop)))
    own = it.names((last, stop))
    nameless = not own or own[0].first > last + 1 or len(own[0].words) == 1
    comma = next((k for k in range(at, it.clause.end) if it.low(k) in {",", ";"}), it.clause.end)
    return nameless and (told or bool(roles_in(it.tokens, at, comma)))


def _person(it: View, a: int, b: int) -> Cues | None:
    """The person that one item presents, if it says who that is."""
    if it.low(a) in POSSESSIVE | RELATIVES:
        return None
    article = it.low(a) in ARTICLES
    names = it.names((a, b))
    near = [m for m in names[:1] if m.first <= a + (article or it.low(a) == "the")]
    near = [m for m in near if len(m.words) > 1 and not is_demonym(m.text)]
    near += [m for m in names if it.low(m.first - 1) in {"named", "called"}]
    mention = near[0] if near else None
    said = it.says((a, b))
    life = life_years(it.words((a, b))[:120])
    epithet = frozenset[str]()
    told = bool(said.roles) or life.born is not None
    if mention is not None and it.low(mention.last) in {",", "("}:
        epithet = epithet_in(it, (mention.last + 1, b))
        told = told or it.low(mention.last + 1) in {"a", "an", "the"}
    if not (told if mention is not None else article):
        return None
    kind = "name" if mention else "description"
    return cues_of(kind, "presented", mention=mention, said=said, life=life, epithet=epithet)
