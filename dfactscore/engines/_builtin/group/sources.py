"""Clauses about what a text was written from: "Document 2 is about Ann Lee, a poet"."""

from __future__ import annotations

import re

from dfactscore.engines._builtin.group.cues import POSSESSIVE, SOURCES, Cues, Said, View, cues_of
from dfactscore.engines._builtin.group.epithets import OTHER_SOURCE, epithet_in, says_who
from dfactscore.engines._builtin.group.mentions import Mention, life_years
from dfactscore.engines._builtin.language.announcements import ORDINALS
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.word_classes import RELATIVES

_OPENING = 5
_TITLED = re.compile(r"(?:titled|entitled|headed|named|called|labeled)\b", re.IGNORECASE)
# Verbs between a source and its subject; what it "mentions" may be anything
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


def has_source(it: View, reach: Range) -> bool:
    """Whether a stretch begins with a source: "the third passage", "Document 2"."""
    a, b = reach
    return _source_at(it, (a, min(b, a + _OPENING))) is not None


def _source_at(it: View, reach: Range) -> int | None:
    """The place of "passage" in "the third passage", and of "one" in "the second one is about"."""
    for k in range(*reach):
        if it.low(k).removesuffix("s") in SOURCES and _is_thing(it, k):
            return k
        if it.low(k) == "one" and it.low(k - 1) in ORDINALS and _is_about(it, k + 1):
            return k
    return None


def _is_thing(it: View, k: int) -> bool:
    """Whether a word is not a surname: "the page" and "Page 2", unlike "Tom Page"."""
    counted = it.low(k + 1).isdigit() or it.low(k + 1) == "["
    opens = k == it.clause.start and it.low(k) != "page"
    return counted or opens or not it.tokens[k].capital


def _is_about(it: View, at: int) -> re.Match[str] | None:
    return _IS_ABOUT.match(it.words((at, it.clause.end)))


def source_cues(it: View, *, anything: bool) -> Cues | None:
    """Reads "Document 2 is about X, a poet".

    Args:
        it: The clause, whose first words name a source.
        anything: Whether to read a source that only mentions someone as well.
    """
    start, end = it.whole
    place = _source_at(it, it.whole)
    at = start if place is None else place + 1
    while it.low(at).isdigit() or it.low(at) in {"[", "]", "(", ")", "#"}:
        at += 1
    about = _is_about(it, at) or _TITLED.match(it.words((at, end)))
    if about is None and not anything:
        return None
    if about is not None:
        stop = it.tokens[at].start + about.end()
        at = next((k for k in range(at, end) if it.tokens[k].start >= stop), end)
    else:
        at = max(at, it.clause.verb)
    names = it.names((at, end))
    if not names:
        return cues_of("other") if anything else None
    return _presented(it, at, names[0], about=about is not None)


def _presented(it: View, at: int, mention: Mention, *, about: bool) -> Cues:
    """The cues of the one that a source is about, or that it mentions."""
    end = it.clause.end
    behind = (mention.last, end)
    told = it.low(mention.last) == "," and it.low(mention.last + 1) in {"a", "an", "the"}
    stop = next((k for k in range(mention.last + 1, end) if it.low(k) in {",", "who"}), end)
    before, said = it.says((at, mention.first)), it.says(behind)
    if told and not said.roles:
        said = says_who(it, (mention.last + 1, stop))
    roles = said.roles | before.roles
    between = it.lows((at, mention.first))
    tied = bool(between & (RELATIVES | POSSESSIVE)) or mention.possessive
    article = it.low(mention.first - 1) in {"a", "an"}  # "mentions an Ann Lee who"
    other = OTHER_SOURCE.search(it.words((it.clause.start, at))) is not None
    marks = {",", "who", "("} | ({"as"} if other else set())
    return cues_of(
        "name",
        epithet=epithet_in(it, (mention.last + 2, end)) if told else (),
        mention=mention,
        another=article or (about and bool(between & {"another", "different"})),
        presented=bool(roles),
        apposed=bool(before.roles) or (bool(roles) and it.low(mention.last) in marks),
        characterized=told and it.low(mention.last + 1) != "the",
        topic=about and not tied and mention.first - at <= 4,
        said=Said(roles, said.origins | before.origins),
        life=life_years(it.words(behind)[:90]),
    )
