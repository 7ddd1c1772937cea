"""Finds the people a clause introduces in addition to its subject."""

from __future__ import annotations

import re

from dfactscore.engines._builtin.group.cues import Cues, Traits, View, cues_of
from dfactscore.engines._builtin.group.epithets import ARTICLES, epithet_in
from dfactscore.engines._builtin.group.mentions import NO_LIFE, life_years, roles_in
from dfactscore.engines._builtin.language.announcements import OTHER_BEARERS, confused_in
from dfactscore.engines._builtin.language.word_classes import POSSESSIVES, RELATIVES, is_demonym

# Words before the people a clause introduces: "others include A, a poet, and B, a judge"
_PRESENTS = re.compile(r"\b(?:including|such as|namely|includes?)\s*:?\s+|:\s+", re.IGNORECASE)
_DISTINCT = re.compile(
    r"(?:are|were) (?:two |three )?(?:distinct|different|separate|unrelated|not the same) "
    r"(?:people|persons?|individuals|men|women|figures)\b",
    re.IGNORECASE,
)
_Found = list[tuple[int, Cues]]


def people_in_passing(view: View, cues: Cues) -> _Found:
    """Finds the people a clause introduces in addition to its subject, and the first token of each.

    Example:
        "Others with the name include Ann Lee, a poet, and Ann B. Lee, a judge" introduces two.
    """
    begin, end = view.tokens[view.clause.start].start, view.tokens[view.clause.end - 1].end
    confused = confused_in(view.body, begin, end)
    if confused is not None:
        return _confused(view, confused.end())
    verb = view.clause.verb
    if verb >= 0 and _DISTINCT.match(view.words((verb, view.clause.end))):
        return _people(view, view.clause.start, verb)
    if not ("announces" in cues or OTHER_BEARERS.search(view.text)):
        return []
    presents = _PRESENTS.search(view.body, begin, end)
    if presents is None:
        return _without_names(view)
    first = next((k for k in range(*view.whole) if view.tokens[k].start >= presents.end()), None)
    return [] if first is None else _people(view, first, view.clause.end)


def _without_names(view: View) -> _Found:
    """Reads people an announcement does not name: "may refer to a poet or to a judge"."""
    first = next(
        (k for k in range(max(view.clause.verb, 0), view.clause.end) if view.low(k) in {"a", "an"}),
        None,
    )
    people = [] if first is None else _people(view, first, view.clause.end)
    return (
        people
        if len(people) > 1 and all(of.mention is None and of.roles for _, of in people)
        else []
    )


def _confused(view: View, place: int) -> _Found:
    """Reads the people listed after "not to be confused with" if the first one is described."""
    start, end = view.whole
    names = [m for m in view.names(view.whole) if view.tokens[m.last - 1].end > place]
    mention = next((m for m in names[:3] if len(m.words) > 1), names[0] if names else None)
    if mention is None:
        return []
    start_of_description = next(
        (k for k in range(start, mention.first + 1) if view.tokens[k].end > place), 0
    )
    roles_before = roles_in(view.tokens, start_of_description, mention.first)
    roles = roles_in(view.tokens, mention.last, end) | roles_before
    life = life_years(view.body[view.tokens[mention.last - 1].end :][:80])
    says = "who" in {view.low(mention.last), view.low(mention.last + 1)}
    follows = view.low(mention.last) in {",", "(", "who", "the"}
    if not (roles_before or follows) or not (roles or says or life != NO_LIFE):
        return []
    first = start_of_description if roles_before else mention.first
    cues = cues_of("name", "presented", mention=mention, traits=Traits(roles), life=life)
    found = [(first, cues), *_people(view, first, end)[1:]]
    return [(at, of._replace(names=of.names | {"turns back"})) for at, of in found]


def _people(view: View, first: int, stop: int) -> _Found:
    """Reads "A, a poet, B, a judge, and C, a nun", splitting it at the start of each person."""
    cuts = [first]
    for k in range(first + 1, view.clause.end - 1):
        if view.tokens[k].depth or view.low(k) not in {",", ";", "and", "or"}:
            continue
        at = k + 1
        while view.low(at) in {"and", "or", "as", "well", "to", "by", "of"}:
            at += 1
        if at < view.clause.end and at > cuts[-1] + 1 and _opens_person(view, cuts[-1], k, at):
            cuts.append(at)
    items = [(a, min(b, stop)) for a, b in zip(cuts, [*cuts[1:], stop], strict=True)]
    return [(a, cues) for a, b in items if a < b and (cues := _person(view, a, b)) is not None]


def _opens_person(view: View, last: int, stop: int, at: int) -> bool:
    """Whether another person begins at `at`: a full name after a description, or "a poet"."""
    names = view.names((at, min(view.clause.end, at + 8)))
    near = at + (view.low(at) in ARTICLES | {"the"})
    full = bool(names) and names[0].first <= near and len(names[0].words) > 1
    full = full and not is_demonym(names[0].text)
    described = bool(roles_in(view.tokens, last, stop)) or any(
        view.low(k) == "," and view.low(k + 1) in {"a", "an", "the"} for k in range(last, stop)
    )
    if full or view.low(at) not in ARTICLES:
        return full and (described or "(" in view.words((last, stop)))
    earlier_names = view.names((last, stop))
    nameless = (
        not earlier_names or earlier_names[0].first > last + 1 or len(earlier_names[0].words) == 1
    )
    comma = next(
        (k for k in range(at, view.clause.end) if view.low(k) in {",", ";"}), view.clause.end
    )
    return nameless and (described or bool(roles_in(view.tokens, at, comma)))


def _person(view: View, a: int, b: int) -> Cues | None:
    """Returns the cues about the person in an item, or None if it does not describe a person."""
    if view.low(a) in POSSESSIVES | RELATIVES:
        return None
    article = view.low(a) in ARTICLES
    names = view.names((a, b))
    near = [m for m in names[:1] if m.first <= a + (article or view.low(a) == "the")]
    near = [m for m in near if len(m.words) > 1 and not is_demonym(m.text)]
    near += [m for m in names if view.low(m.first - 1) in {"named", "called"}]
    mention = near[0] if near else None
    traits = view.traits((a, b))
    life = life_years(view.words((a, b))[:120])
    epithet = frozenset[str]()
    described = bool(traits.roles) or life.born is not None
    if mention is not None and view.low(mention.last) in {",", "("}:
        epithet = epithet_in(view, (mention.last + 1, b))
        described = described or view.low(mention.last + 1) in {"a", "an", "the"}
    if not (described if mention is not None else article):
        return None
    kind = "name" if mention else "description"
    return cues_of(kind, "presented", mention=mention, traits=traits, life=life, epithet=epithet)
