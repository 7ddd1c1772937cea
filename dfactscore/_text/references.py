"""Removes lists of sources, notes and links from the end of a text."""

from __future__ import annotations

import re

_KINDS = (
    r"(?:(?:cited|used|web|online|primary|secondary|additional|selected|key|main|original"
    r"|source)\s+)?"
    r"(?:references?(?:\s+(?:and|&)\s+(?:notes|links|sources|further\s+reading))?"
    r"|sources?(?:\s+(?:used|cited|consulted|documents?|and\s+references|and\s+notes|&\s+references"
    r"|of\s+information))?|citations?|works\s+cited|literature\s+cited|footnotes?|endnotes?"
    r"|notes(?:\s+(?:and|&)\s+(?:references|sources))?|(?:external|related|useful)\s+links?|links?"
    r"|further\s+(?:reading|information)|see\s+also|read\s+more|learn\s+more"
    r"|documents?(?:\s+cited)?"
    r"|urls?|web\s?sites?|bibliography)"
)
_HEADING = re.compile(
    rf"^[^\S\n]*+(?:#{{1,6}}[^\S\n]*+|\d+\.[^\S\n]++)?[*_=]{{0,3}}[^\S\n]*+(?P<kind>{_KINDS})[^\S\n]*+"
    r"[*_=]{0,3}[^\S\n]*+:?[*_]{0,3}[^\S\n]*+$",
    re.IGNORECASE | re.MULTILINE,
)
_LINE = re.compile(
    rf"^[^\S\n]*+(?:[-*•][^\S\n]++)?[*_(\[]{{0,3}}(?P<kind>{_KINDS})[*_]{{0,3}}[^\S\n]*+:[*_]{{0,3}}"
    r"[^\S\n]*+(?P<rest>\S.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_TAIL = re.compile(
    rf"(?<=[.!?\])”\"])[^\S\n]++[*_]{{0,2}}(?P<kind>{_KINDS})[*_]{{0,2}}:"
    r"[*_]{0,2}[^\S\n]++(?P<rest>\S[^\n]*)\s*\Z",
    re.IGNORECASE,
)
_DEFINITION = re.compile(r"^[^\S\n]*+\[\^?[^\]\n]{1,40}\]:[^\S\n]*+\S.*$", re.MULTILINE)
_NUMBERED = re.compile(
    r"[^\S\n]*+(?:[-*•][^\S\n]++)?(?:\[\^?(?P<n>\d{1,3})\]|【(?P<m>\d{1,3})[^】\n]*】|\^(?P<k>\d{1,3})"
    r"|(?P<high>[⁰¹²³⁴-⁹]{1,3}))"
    r"[^\S\n]*+[:.–-]?[^\S\n]*+\S"
)
_ITEM = re.compile(r"[^\S\n]*+(?:[-*•–—▪◦]|\(?\d{1,3}[.)\]:]|\[|【|\^|[¹²³⁴-⁹]|[†‡])")
_HIGH = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_DIGITS = str.maketrans(_HIGH, "0123456789")
_URL = re.compile(r"https?://|www\.|\bdoi\b|\]\(|\bISBN\b|\b(?:Retrieved|Accessed|Archived)\b")
# How a sentence about a person begins; a list with such a sentence is not one of sources.
_TELLS = re.compile(
    r"[^\S\n]*+(?:[-*•–—]|\(?\d{1,3}[.)])?[^\S\n]*+(?:he|she|they|his|her|their|it|this|there)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(
    r"\b(?:is|was|were|are|has|had|have|became|died|served|won|played|wrote|born|worked|studied)\b"
)
_RULE = re.compile(r"[^\S\n]*+(?:[-*_=—][^\S\n]*+){3,}")
_NEEDS_MARKS = ("note", "bibliograph", "document", "website", "link", "footnote", "see also")


def cut_references(text: str) -> str:
    r"""Removes lists of sources and lines that name sources from the end of a text.

    The following are removed: the lines under a heading such as "Sources", "References", "Notes" or
    "Links"; a line, or the end of a line, that has such a label ("Sources: [1], [2]"); definitions
    of footnotes; and a block of numbered sources that has no heading. Statements about a person
    under such a heading ("Notes: He also painted.") are kept.

    Example:
        >>> cut_references("He swam [1].\n\nReferences:\n[1] Ann Lee (painter)")
        'He swam [1].'
        >>> cut_references("References to his work fill a book.")
        'References to his work fill a book.'
    """
    previous = None
    cut_text = text
    while previous != cut_text:
        previous = cut_text
        cut_text = _without_definitions(cut_text)
        for cut in (_headed, _lines, _numbered, _tail):
            cut_text = cut(cut_text)
    return cut_text


def _stripped(text: str) -> str:
    """Removes blank lines and horizontal rules from the end of a text."""
    lines = text.rstrip().split("\n")
    while lines and (not lines[-1].strip() or _RULE.fullmatch(lines[-1])):
        lines.pop()
    return "\n".join(lines).rstrip()


def _without_definitions(text: str) -> str:
    if not _DEFINITION.search(text):
        return text
    return _stripped(_DEFINITION.sub("", text))


def _headed(text: str) -> str:
    """Cuts a text at the first heading that has only sources below it."""
    for heading in _HEADING.finditer(text):
        if not text[: heading.start()].strip():
            continue
        lines = [line for line in text[heading.end() :].split("\n") if line.strip()]
        needs = heading["kind"].lower().startswith(_NEEDS_MARKS)
        if all(_is_source(line, needs=needs) for line in lines):
            return _stripped(text[: heading.start()])
    return text


def _is_source(line: str, *, needs: bool) -> bool:
    if _RULE.fullmatch(line) or _HEADING.fullmatch(line):
        return True
    if _URL.search(line) or _NUMBERED.match(line):
        return True
    if _TELLS.match(line):
        return False
    if needs:
        return not _SENTENCE.search(line) and len(line) < 120
    return _ITEM.match(line) is not None or (len(line) < 120 and not _SENTENCE.search(line))


def _lines(text: str) -> str:
    """Removes the last line if it begins with a label such as "Sources:"."""
    lines = text.rstrip().split("\n")
    last = next((i for i in range(len(lines) - 1, -1, -1) if lines[i].strip()), -1)
    labeled = _LINE.fullmatch(lines[last]) if last > 0 else None
    if labeled and _names_sources(labeled["kind"], labeled["rest"]):
        return _stripped("\n".join(lines[:last]))
    return text


def _tail(text: str) -> str:
    """Truncates the last line at a label such as "Sources:" within it."""
    labeled = _TAIL.search(text, max(0, text.rstrip().rfind("\n")))
    if (
        labeled
        and labeled["kind"][0].isupper()
        and _names_sources(labeled["kind"], labeled["rest"])
    ):
        return text[: labeled.start()].rstrip()
    return text


def _names_sources(kind: str, text: str) -> bool:
    if len(text) < 400 and re.search(r"https?://|www\.|[\[【]\^?\d", text):
        return True
    if _TELLS.match(text) or _SENTENCE.search(text) or len(text) > 160:
        return False
    needs = kind.lower().startswith(_NEEDS_MARKS) and not kind.lower().startswith("see also")
    return not needs or re.search(r"\b(?:documents?|passages?|wikipedia)\b", text, re.I) is not None


def _numbered(text: str) -> str:
    """Removes a block of numbered sources at the end if the text above cites their numbers."""
    lines = text.rstrip().split("\n")
    first, numbers = len(lines), list[int]()
    while first > 0 and (not lines[first - 1].strip() or _NUMBERED.match(lines[first - 1])):
        first -= 1
        if match := _NUMBERED.match(lines[first]):
            digits = match["n"] or match["m"] or match["k"] or match["high"].translate(_DIGITS)
            numbers.insert(0, int(digits))
    above = "\n".join(lines[:first])
    if not numbers or not above.strip() or numbers != sorted(set(numbers)):
        return text
    block = [line for line in lines[first:] if line.strip()]
    short = all(_URL.search(line) or not _SENTENCE.search(line) for line in block)
    plain = above.translate(_DIGITS)
    cites = any(
        re.search(rf"[\[【^]\^?{n}\b", above)
        or any(above[m.start()] in _HIGH for m in re.finditer(rf"(?<=\D){n}(?!\d)", plain))
        for n in numbers
    )
    return _stripped(above) if cites and short else text
