"""Reads clauses about the sources of a text: "Document 2 is about Ann Lee, a poet"."""

from __future__ import annotations

import re

from dfactscore.engines._builtin.group.cues import SOURCES, Cues, Traits, View, cues_of
from dfactscore.engines._builtin.group.epithets import OTHER_SOURCE, epithet_in, says_who
from dfactscore.engines._builtin.group.mentions import Mention, life_years
from dfactscore.engines._builtin.language.announcements import ORDINALS
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.word_classes import POSSESSIVES, RELATIVES

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
