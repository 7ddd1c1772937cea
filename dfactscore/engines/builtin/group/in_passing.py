"""People that a clause presents beside the one it is about, or without a name."""

from __future__ import annotations

import re
from dataclasses import replace

from dfactscore.engines.builtin.group.cues import POSSESSIVE, Cues, View, cues_of
from dfactscore.engines.builtin.group.mentions import Mention, life_years, roles_in
from dfactscore.engines.builtin.group.subjects import epithet_in
from dfactscore.engines.builtin.language.announcements import (
    CONFUSED,
    INVERTED,
    OTHER_BEARERS,
    SO_NAMED,
    SOURCES_TELL,
    is_listing,
)
from dfactscore.engines.builtin.language.word_classes import RELATIVES, is_demonym

__all__ = ["people_in_passing"]

# "Among those who share the name are A, a poet; B, a judge"
_AMONG = re.compile(
    r"\bamong (?:those|others|people|the (?:others|people|bearers))\b[^,;:]{0,40}?"
    r"\b(?:name|named|called)\b[^,;:]{0,40}? (?:is|are|was|were):?\s+(?=[A-Z]|an? )",
    re.IGNORECASE,
)
# What stands before the people that one clause presents: "others include A, a poet, and B, a judge"
_PRESENTS = re.compile(
    r"\b(?:including|such as|namely|includes?)\s*:?\s+|" + SOURCES_TELL.pattern, re.IGNORECASE
)
_WITH = re.compile(
    r"\bshares? (?:a|the|this|his|her) (?:\w+ )?name with (?:others?(?: \w+){0,3}? like )?|"
    r"\blike\s+|:\s+",
    re.IGNORECASE,
)
# "two people named Ann Lee, a poet and a judge"; "others with this name are a poet and a judge"
_NAMED_SO = re.compile(
    r"\b(?:named|called|name) (?:[A-Z][\w.’'-]+ )+[A-Z][\w.’'-]+,\s+(?=an? )|"
    r"\b[Oo]thers? (?:\w+ )?(?:with|of|bearing|sharing) (?:this|the|that) (?:same )?name "
    r"(?:are|were)\s+"
)
# "Ann Lee is a name shared by | a poet and a judge", "Ann Lee may refer to | a poet or a judge"
_SHARED_BY = re.compile(
    r"\b(?:(?:is|was) (?:a |the )?(?:\w+ )?name (?:that is )?(?:shared|borne|of)(?: by)?|"
    r"(?:is|was|are) (?:shared|borne) by|belongs to|refers? to|\w+ (?:named|called|share the name) "
    r"(?:(?-i:[A-Z])[\w.’'-]+ ?)+[:,]) (?:both |either )?(?=an? )",
    re.IGNORECASE,
)
# "one is a poet and the other a judge"
_ONE_IS = re.compile(r"^one (?:is|was) (?=an? )", re.IGNORECASE)
_AGAIN = frozenset({"by", "of", "to"})
_THE_OTHER = frozenset({"other", "second"})
_DISTINCT = re.compile(
    r"^(?:are|were) (?:two |three )?(?:distinct|different|separate|unrelated|not the same) "
    r"(?:people|persons?|individuals|men|women|figures)\b|^(?:are|were) two (?:distinct|different)",
    re.IGNORECASE,
)
_SHARES = re.compile(r"\bshares? (?:a|the|this|his|her) (?:\w+ )?name with\b", re.IGNORECASE)
_KINSHIP = re.compile(
    r"\b(?:parents?|sons?|daughters?|children|brothers?|sisters?|wives|cousins?|siblings)\b",
    re.IGNORECASE,
)


def people_in_passing(it: View) -> list[tuple[int, Cues]]:
    """People that a clause presents beside the one that it is about, each with a first token.

    Example:
        "Others with the name include Ann Lee, a poet, and Ann B. Lee, a judge" presents two.
    """
    if INVERTED.match(it.text) and CONFUSED.match(it.text):
        return []
    confused = CONFUSED.search(it.body, it.tokens[it.clause.start].start, _stop(it))
    if confused is not None:
        found = _after(it, confused.end())
        if found is None:
            return []
        if "relat" in confused.group():
            (found,) = _marked([found], "perhaps")
        items = _items(it, found[0])[1:]
        more = [m for a, b in items if (m := _person(it, a, b)) is not None]
        return [found, *_marked(more, "turns back")]
    if _DISTINCT.search(it.words((it.clause.verb, it.clause.end))) and it.clause.verb >= 0:
        items = [(a, min(b, it.clause.verb)) for a, b in _items(it, it.clause.start)]
        return [f for a, b in items if a < b and (f := _person(it, a, b)) is not None]
    both = _coordinated(it) or _described(it)
    if both:
        return both
    announcing = (OTHER_BEARERS, _SHARES, SO_NAMED, _NAMED_SO, _AMONG, SOURCES_TELL)
    others = is_listing(it.text) or any(pattern.search(it.text) for pattern in announcing)
    if not others or _KINSHIP.search(it.text):
        return []
    begin = it.tokens[it.clause.start].start
    words = (_AMONG, _PRESENTS, _NAMED_SO, _WITH)
    matches = (pattern.search(it.body, begin, _stop(it)) for pattern in words)
    presents = next((match for match in matches if match), None)
    if presents is None:
        return []
    first = next((k for k in range(*it.whole) if it.tokens[k].start >= presents.end()), None)
    if first is None:
        return []
    people = [f for a, b in _items(it, first) if (f := _person(it, a, b)) is not None]
    if SOURCES_TELL.search(it.text):  # of whoever they mention
        return _marked(people, "perhaps")
    return _without_names(people) or people


def _described(it: View) -> list[tuple[int, Cues]]:
    """Several without names: "Ann Lee is a name shared by a poet and a judge".

    So in a list announced: "Two people are called Ann Lee: a poet and a judge", "one is a poet and
    the other a judge".
    """
    start, end = it.clause.start, it.clause.end
    listed = it.clause.verb < 0 and it.before.rstrip().endswith(":")
    found = _SHARED_BY.search(it.text) or _ONE_IS.match(it.text)
    if (not listed and found is None) or _KINSHIP.search(it.text):
        return []
    place = it.tokens[start].start + (found.end() if found is not None else 0)
    first = next((k for k in range(start, end) if it.tokens[k].start >= place), end)
    if it.low(first) not in {"a", "an"}:
        return []
    items = _items(it, first)
    if found is not None and found.re is _ONE_IS:
        others = (k for k in range(first, end - 2) if it.low(k) in _THE_OTHER)
        other = next(
            (k for k in others if it.low(k - 1) == "the" and it.low(k + 1) in {"a", "an"}), 0
        )
        if not other:
            return []
        items = [(first, other - 1), (other + 1, end)]
    people = [one for a, b in items if (one := _person(it, a, b)) is not None]
    told = _without_names(people) if len(people) == len(items) else []
    return _marked(told, "perhaps")


def _without_names(people: list[tuple[int, Cues]]) -> list[tuple[int, Cues]]:
    """Those people if they are several, each only described."""
    if len(people) < 2 or any(of.mention is not None or not of.roles for _, of in people):
        return []
    return _marked(people, "without a name")


def _marked(people: list[tuple[int, Cues]], cue: str) -> list[tuple[int, Cues]]:
    """The same people with a further cue."""
    return [(at, replace(of, names=of.names | {cue})) for at, of in people]


def _coordinated(it: View) -> list[tuple[int, Cues]]:
    """Reads "X (author) and Sir X (governor) were both English": two of one name."""
    verb = it.clause.verb
    if it.low(verb) not in {"are", "were"}:
        return []
    items = [(a, min(b, verb)) for a, b in _items(it, it.clause.start) if a < verb]
    found = [f for a, b in items if (f := _person(it, a, b)) is not None]
    ends = {(c.mention.words[0], c.mention.words[-1]) for _, c in found if c.mention is not None}
    return found if len(found) == len(items) > 1 and len(ends) == 1 else []


def _stop(it: View) -> int:
    return it.tokens[it.clause.end - 1].end


def _after(it: View, place: int) -> tuple[int, Cues] | None:
    """The person behind "not to be confused with", where something is said of them."""
    start, end = it.whole
    names = [m for m in it.names(it.whole) if it.tokens[m.last - 1].end > place]
    mention = next((m for m in names[:3] if len(m.words) > 1), names[0] if names else None)
    if mention is None:
        return None
    between = next((k for k in range(start, mention.first + 1) if it.tokens[k].end > place), 0)
    before = roles_in(it.tokens, between, mention.first)
    roles = roles_in(it.tokens, mention.last, end) | before
    years = life_years(it.body[it.tokens[mention.last - 1].end :][:80])
    follows = it.low(mention.last) in {",", "(", "who", "the"}
    says = "who" in {it.low(mention.last), it.low(mention.last + 1)}
    if not (before or follows) or not (roles or says or years != (None, None)):
        return None
    cues = cues_of("name", "turns back", "presented", mention=mention, roles=roles, years=years)
    return (between if before else mention.first), cues


def _items(it: View, first: int) -> list[tuple[int, int]]:
    """Cuts "A, a poet, B, a judge, and C, a nun" where the next person is named or described."""
    cuts = [first]
    for k in range(first + 1, it.clause.end - 1):
        token = it.tokens[k]
        if token.depth or not (token.text in ",;" or token.low in {"and", "or"}):
            continue
        at = k + 1
        while at < it.clause.end and it.low(at) in {"and", "or", "as", "well"}:
            at += 1
        again = (
            token.low in {"and", "or"} and it.low(at) in _AGAIN and it.low(at + 1) in {"a", "an"}
        )
        at += again and it.low(first - 1) == it.low(at)  # "the name of a poet and of a judge"
        if at < it.clause.end and at > cuts[-1] + 1 and _opens_person(it, cuts[-1], k, at):
            cuts.append(at)
    return list(zip(cuts, [*cuts[1:], it.clause.end], strict=True))


def _opens_person(it: View, last: int, stop: int, at: int) -> bool:
    """Whether a further person begins at `at`: a full name behind a description, or "a poet"."""
    names = it.names((at, min(it.clause.end, at + 8)))
    named = bool(names) and names[0].first <= at + (it.low(at) in {"a", "an", "the", "another"})
    article = it.low(at) in {"a", "an"}  # "a Texan pilot"
    named = named and not is_demonym(names[0].text)
    named = named and not (article and len(names[0].words) == 1)
    described = bool(roles_in(it.tokens, last, stop)) or any(
        it.low(k) == "," and it.low(k + 1) in {"a", "an", "the"} for k in range(last, stop)
    )
    if it.low(at) in {"a", "an", "another"} and not named:
        comma = next(
            (k for k in range(at, it.clause.end) if it.low(k) in {",", ";"}), it.clause.end
        )
        described = described or bool(roles_in(it.tokens, at, comma))
        own = it.names((last, stop))
        nameless = not own or own[0].first > last + 1 or len(own[0].words) == 1
        return nameless and described
    return named and len(names[0].words) > 1 and (described or "(" in it.words((last, stop)))


def _person(it: View, a: int, b: int) -> tuple[int, Cues] | None:
    """The person that one item presents, if it says who that is."""
    if it.low(a) in POSSESSIVE | RELATIVES:
        return None
    names = it.names((a, b))
    near = a + (it.low(a) in {"a", "an", "the", "another", "one"})
    mention: Mention | None = None
    if names and names[0].first <= near and len(names[0].words) > 1:
        mention = None if is_demonym(names[0].text) else names[0]
    roles, origins = it.says((a, b))
    years = life_years(it.words((a, b))[:120])
    if mention is None:
        mention = next((m for m in names if it.low(m.first - 1) in {"named", "called"}), None)
    nameless = mention is None and it.low(a) in {"a", "an", "another", "one"}
    said = bool(roles) or years[0] is not None
    if mention is not None and not said:
        said = it.low(mention.last) in {",", "("} and it.low(mention.last + 1) in {"a", "an", "the"}
    if not nameless and (mention is None or not said):
        return None
    kind = "name" if mention else "description"
    epithet = frozenset[str]()
    if mention is not None and it.low(mention.last) in {",", "("}:
        epithet = epithet_in(it, (mention.last + 1, b))
    return a, cues_of(
        kind,
        "presented",
        mention=mention,
        roles=roles,
        origins=origins,
        years=years,
        epithet=epithet,
    )
