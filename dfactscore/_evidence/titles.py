"""Recognizes passage titles that are not names, and finds headings within passages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from dfactscore._text.person_names import PARTICLES

_NUMBERED = re.compile(
    r"(?:chunk|passage|doc|document|page|section|part|text|context|source|snippet|result|node|"
    r"search result|paragraph|file|item|record|entry|article|excerpt|content|split|segment|id|p|n)"
    r"[\s_#:.-]*(?:[ivx]+|\d+)(?:\s*(?:of|/)\s*\d+)?",
    re.IGNORECASE,
)
_EMPTY = re.compile(
    r"|untitled|unknown|none|null|nan|n/?a|(?:passage|chunk|document|context|snippet|text)s?|"
    r"(?:no|without) (?:title|name)|[\W_]+",
    re.IGNORECASE,
)
ADDRESS = re.compile(
    r"(?:https?:|www\.|file:|s3:|gs:|ftp:|doi:)\S.*|\.{0,2}[/\\]\S.*|[a-z]:\\.*|"
    r".*\.(?:pdf|txt|md|html?|json|jsonl|docx?|csv|tsv|xml|epub|rst|rtf|odt|pptx?|xlsx?|wiki)"
    r"(?:[#?: ].*)?",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(
    r"\A(?:(?=.*\d)(?:[0-9a-f]{8,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=.*[a-z])[\w-]{16,}|"
    r"[a-z]{1,5}[-_]?\d{2,}(?:[-_.:]\d+)*)|(?!(?:1\d|20)\d\d\Z)[\d.,:_-]+)",
    re.IGNORECASE,
)
_CAPITAL = r"[^\W\d_a-z][\w.'’-]*"
_PARTICLE = "|".join(sorted(PARTICLES))
_OTHER_WORDS = rf"(?: (?:{_CAPITAL}|[\"“‘][^\"”’]{{1,20}}[\"”’]|{_PARTICLE})){{0,6}}?"
# Headings before the first sentence: "Ann Lee (rower) She rowed", "Ann Lee Ann Mary Lee was"
_HEADING = re.compile(
    rf"(?:\A|(?<=[.!?\"”)\n] ))[#* \t]{{0,9}}+(?P<name>(?P<first>{_CAPITAL}){_OTHER_WORDS})"
    r"(?: \((?P<qualifier>[^()]{1,60})\))?"
    r"(?:[* \t]{0,9}\n|\s{1,3}(?(qualifier)(?=[\"“]?[^\W\d_a-z])|(?=(?P=first)\b)))"
)
_REPEATED = re.compile(
    rf"\b(?P<name>{_CAPITAL} {_CAPITAL}{_OTHER_WORDS})(?: \((?P<qualifier>[^()]{{1,60}})\))?"
    r"\s{1,3}(?=(?P=name)\b)"
)


class Heading(NamedTuple):
    """A heading within a passage."""

    end: int
    name: str
    qualifier: str  # qualifier, such as "rower"; empty if there is none


def names_no_one(title: str) -> bool:
    """Whether a title is empty, a number, a file name, an address, a hash, or similar to "chunk 0".

    Example:
        >>> [names_no_one(t) for t in ("chunk 0", "a/b.pdf", "", "7f3a99c01b", "https://x.org/y")]
        [True, True, True, True, True]
        >>> [names_no_one(t) for t in ("Ann Lee", "1996", "List of poets", "Page Hill", "U2")]
        [False, False, False, False, False]
    """
    plain = title.strip()
    return any(p.fullmatch(plain) for p in (_EMPTY, _NUMBERED, ADDRESS, _IDENTIFIER))


def headings(text: str) -> Iterator[Heading]:
    """Yields those headings in a passage that are people's names, in order.

    Example:
        >>> [(h.name, h.qualifier) for h in headings("Ann Lee (rower) She rowed.")]
        [('Ann Lee', 'rower')]
        >>> [h.name for h in headings("in 1990. Ann Lee Ann Mary Lee was a poet.")]
        ['Ann Lee']
    """
    matches = (m for pattern in (_HEADING, _REPEATED) for m in pattern.finditer(text))
    for match in sorted(matches, key=lambda m: m.end()):
        yield Heading(match.end(), match["name"], (match["qualifier"] or "").casefold())
