"""Removes text that is not part of a fact: preambles, Markdown and citation marks."""

from __future__ import annotations

import re

_CITATION = re.compile(r"\s?\[(?:\d{1,3}(?:\s?[,–-]\s?\d{1,3})*|citation needed|note \d+)\](?!\()")
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
# A year directly followed by a date, because the page's text lost the dash between the two dates.
_LOST_DASH = re.compile(
    rf"[12]\d{{3}}(?<!\d{{5}})(?=(?:[12]?\d|3[01]) {_MONTH} [12]\d{{3}}(?!\d)"
    rf"|{_MONTH} [1-3]?\d, [12]\d{{3}}(?!\d))"
)
_LINK = re.compile(r"!?\[([^\[\]]+)\]\([^()\s]*\)")
_START = re.compile(r"(?<!\s)\s*(?:#{1,6}\s+|[-*+•]\s+|\d{1,2}[.)]\s+|>\s+)")
_MARKS = re.compile(r"\*+|__+|`+|(?<!\w)_(?=\w)|(?<=\w)_(?!\w)|~~")
_SOURCE = (
    r"(?:(?:the|this|these|those|your|our|all|both)\s+)?"
    r"(?:(?:provided|given|above|retrieved|following|cited|available|first|second|third)\s+)*"
    r"(?:search\s+results?|wikipedia(?:\s+(?:page|article|entry))?|documents?|passages?|sources?"
    r"|texts?|articles?|pages?|context|information|references?|excerpts?|snippets?)"
    r"(?:\s*(?:\(?\[?#?\d{1,2}\]?\)?|[A-E]\b)(?:\s*(?:,|and|&)\s*(?:\(?\[?\d{1,2}\]?\)?|[A-E]\b))*)?"
    r"(?:\s+(?:provided|given|above|you\s+provided))?"
)
_PREAMBLES = (
    re.compile(
        rf"\s*(?:according\s+to|based\s+on|as\s+per|per|from|in|as\s+(?:stated|mentioned|noted"
        rf"|described|reported|written|said|shown|seen)\s+(?:in|by))\s+{_SOURCE}\s*[,:]\s*(?=\S)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\s*{_SOURCE}\s+(?:also\s+)?(?:states?|says?|mentions?|notes?|reports?|indicates?"
        r"|describes?|tells?\s+us|shows?|suggests?|confirms?)\s+that\s+(?=\S)",
        re.IGNORECASE,
    ),
    re.compile(
        r"\s*(?:it\s+(?:is|was|should\s+be|has\s+been)\s+(?:also\s+)?(?:worth\s+(?:noting|mentioning)"
        r"|noted|stated|mentioned|reported|known|said|important\s+to\s+note)\s+that|note\s+that"
        r"|i\s+(?:found|know|can\s+tell\s+you)\s+that|we\s+know\s+that|here\s+is\s+what\s+i\s+found:"
        r"|sure[,!.:]|certainly[,!.:]|fact:|answer:|claim:)\s*(?=\S)",
        re.IGNORECASE,
    ),
)
_TRAILING = re.compile(
    rf"(?<![,\s])[,\s]*\(?(?:according\s+to|based\s+on|as\s+(?:stated|mentioned|noted)\s+in|see|source:)"
    rf"\s+{_SOURCE}\)?(?=\s*(?:[.!?]\s*)?\Z)\s*|(?<!\s)\s*\((?:documents?|passages?|sources?)\s*\d{{1,2}}\)",
    re.IGNORECASE,
)


def plain_fact(text: str) -> str:
    """Removes a fact's preamble, Markdown and citation marks, unless nothing would be left.

    A preamble names a retrieved document, so "According to Forbes, …" is not one.

    >>> plain_fact("**According to Document 1**, he won the [prize](http://a.b) in 1956 [2][3].")
    'he won the prize in 1956.'
    >>> plain_fact("According to Forbes, he is rich.")
    'According to Forbes, he is rich.'
    """
    fact = text
    if not fact.isalnum():
        if not fact[:1].isalpha():
            fact = _START.sub("", fact, count=1)
        if any(map(fact.__contains__, "*_`~")):
            fact = _MARKS.sub("", fact)
    previous = None
    while previous != fact:
        previous = fact
        for pattern in _PREAMBLES:
            if preamble := pattern.match(fact):
                fact = fact[preamble.end() :]
    if "[" in fact:
        fact = _LINK.sub(r"\1", without_citations(fact))
    low = fact.lower()
    if any(map(low.__contains__, ("according", "based on", "(", " as ", "see "))):
        fact = _TRAILING.sub("", fact)
    return fact if any(map(str.isalnum, fact)) else text


def without_citations(text: str) -> str:
    """Removes citation marks such as "[1]", "[2, 3]" and "[citation needed]".

    >>> without_citations("He won [1] twice[2][3].")
    'He won twice.'
    """
    return _CITATION.sub("", text)


def with_dashes(text: str) -> str:
    """Inserts a dash between two dates that have nothing between them.

    >>> with_dashes("Bill Hunter (27 February 194021 May 2011) was an actor.")
    'Bill Hunter (27 February 1940 – 21 May 2011) was an actor.'
    """
    return _LOST_DASH.sub(r"\g<0> – ", text)
