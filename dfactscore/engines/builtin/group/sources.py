"""Clauses about what a text was written from: "Document 2 is about Ann Lee, a poet"."""

from __future__ import annotations

import re

from dfactscore.engines.builtin.group.cues import POSSESSIVE, SOURCES, Cues, View, cues_of
from dfactscore.engines.builtin.group.epithets import epithet_in
from dfactscore.engines.builtin.group.mentions import Mention, life_years
from dfactscore.engines.builtin.language.clauses import Range
from dfactscore.engines.builtin.language.word_classes import RELATIVES

__all__ = ["has_source", "source_cues"]

_OPENING = 5
# What a source does with the one that it is about; what it "mentions" may be anything
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
    return bool(SOURCES & {low.removesuffix("s") for low in it.lows((a, min(b, a + _OPENING)))})


def source_cues(it: View, *, anything: bool) -> Cues | None:
    """Reads "Document 2 is about X, a poet".

    Args:
        it: The clause, whose first words name a source.
        anything: Whether to read a source that only mentions someone as well.
    """
    start, end = it.whole
    at = next(k for k in range(start, end) if it.low(k).removesuffix("s") in SOURCES) + 1
    while it.low(at).isdigit() or it.low(at) in {"[", "]", "(", ")", "#"}:
        at += 1
    about = _IS_ABOUT.match(it.words((at, end)))
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
    behind = (mention.last, it.clause.end)
    said = it.says(behind)
    told = it.low(mention.last) == "," and it.low(mention.last + 1) in {"a", "an", "the"}
    between = it.lows((at, mention.first))
    tied = bool(between & (RELATIVES | POSSESSIVE)) or mention.possessive
    article = it.low(mention.first - 1) in {"a", "an"}  # "mentions an Ann Lee who"
    return cues_of(
        "name",
        epithet=epithet_in(it, (mention.last + 2, it.clause.end)) if told else (),
        mention=mention,
        another=article or (about and bool(between & {"another", "different"})),
        presented=bool(said.roles),
        apposed=bool(said.roles) and it.low(mention.last) in {",", "who", "(", "as"},
        characterized=told and it.low(mention.last + 1) != "the",
        topic=about and not tied and mention.first - at <= 3,
        said=said,
        life=life_years(it.words(behind)[:90]),
    )
