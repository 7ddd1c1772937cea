"""Blocks that begin with a heading, a list item or a label for one person."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from dfactscore._text.people_words import (
    BORN,
    ROLE,
    bare_name,
    begun,
    head_of,
    in_small_letters,
    is_role_phrase,
    name_pattern,
    thing_of,
)
from dfactscore._text.role_words import go_together, is_role

# fmt: off
_MARK = re.compile(
    r"[^\S\n]*(?P<hash>\#{1,6}[^\S\n]+)?"
    r"(?P<mark>(?:[-*+•–—·▪‣✓✔→►▶○●◦∙»][^\S\n]+)?(?:\*{1,3}(?=\S)|_{1,3}(?=\S))?(?:\(?(?:\d{1,2}|"
    r"[a-zA-Z]|[ivx]{2,4}|[IVX]{2,4})[.):][^\S\n]+)?)(?:\*{1,3}|_{1,3})?"
)


_EMPHASIS = r"[*_]{0,3}"


_NUMBER = r"(?:\#|no\.?\s*|number\s+)?(?P<number>\d{1,2}|[IVX]{1,4}|[A-E]|one|two|three|four|five)"


_PERSON = (
    r"(?:person|individual|entry|biography|profile|subject|figure|candidate|namesake|"
    r"possibility|option|result)"
)


_ORDINAL = r"(?:the\s+)?(?P<ordinal>first|second|third|fourth|fifth|another|other)"


_DATES = r"(?:\s*\([^()\n]{1,40}\))?"


@lru_cache(maxsize=64)
def _openings(name: str) -> tuple[re.Pattern[str], ...]:
    """Returns the patterns of a label that begins a person, with its end and the rest."""
    named = name_pattern(name)
    end = (
        rf"{_EMPHASIS}\s*(?:(?P<end>[:–—]|-(?=\s)|\.(?={_EMPHASIS}\s*$))\s*{_EMPHASIS}\s*|"
        rf"$)(?P<rest>.*)$"
    )
    role = rf"(?P<role>(?:\d{{4}}\s+)?{ROLE})(?P<dates>{_DATES})"
    labels = (
        rf"{named}{_EMPHASIS}\s*[(\[](?P<bracket>[^()\[\]\n]{{1,60}})[)\]]",
        rf"{named}{_EMPHASIS}\s*(?:\#|no\.?\s*|number\s+)?(?P<number>\d{{1,2}}|[IVX]{{1,4}})",
        rf"{named}{_EMPHASIS},?\s+(?:the\s+|an?\s+)?{role}",
        rf"{named}{_EMPHASIS}\s*[:–—-]\s*{_EMPHASIS}(?:the\s+|an?\s+)?{role}",
        rf"{_PERSON}\s*{_NUMBER}{_DATES}",
        rf"{_ORDINAL}\s+(?:{_PERSON}|one|{named})",
        rf"{named}{_EMPHASIS},\s+(?P<place>(?-i:[A-Z])[^\n:,]{{1,30}})(?=:)",
        rf"(?:the\s+)?{role}(?:\s+{named})?",
    )
    return tuple(re.compile(label + end, re.IGNORECASE) for label in labels)


@dataclass(frozen=True, slots=True)
class _Opening:
    """A line that begins a person."""

    line: int
    shape: tuple[str, ...]
    qualifier: str  # the role, or empty for a number
    rest: str
    named: bool  # whether the label contains the name or a number


def _shape(line: str) -> tuple[str, ...]:
    """Returns what a line's marks look like: lines of one shape have one rank."""
    mark = _MARK.match(line)
    hashes = (mark["hash"] or "").strip() if mark else ""
    kind = re.sub(r"\d+", "1", mark["mark"].strip(" *_")) if mark else ""
    kind = re.sub(r"[A-Za-z]+", "a", kind)
    body = line[mark.end() :] if mark else line
    bold = "**" in line[: mark.end() + 2] if mark else False
    label = re.match(r"[^:\n]{1,80}:(?=[\s*_]|$)", body) is not None
    return (hashes, kind, "bold" if bold else "", "label" if label else "")


def opening_at(number: int, line: str, name: str) -> _Opening | None:
    """Reads a line that begins a person."""
    mark = _MARK.match(line)
    if mark is None or not line.strip() or len(line) > 5000:
        return None
    marked = bool(mark["hash"] or mark["mark"].strip()) or "**" in line[: mark.end()]
    body = line[mark.end() :].strip()
    for pattern in _openings(name):
        found = pattern.match(body)
        if found is None:
            continue
        parts = found.groupdict()
        role = (parts.get("role") or "").strip(" ,")
        thing = bool(thing_of(role)) and not is_role_phrase(role)
        if "role" in parts and not thing and not is_role_phrase(role):
            continue
        closed = parts["end"] is None
        if thing and closed and not mark["hash"] and "**" not in line:
            continue
        named = not pattern.pattern.startswith("(?:the\\s+)?(?P<role>")
        if not named and not marked and parts["end"] in {"–", "—", "-"}:
            continue
        if not named and not marked and closed:
            continue
        qualifier = in_small_letters(role) or (parts.get("bracket") or "").strip()
        qualifier = qualifier or (parts.get("place") or "").strip()
        if parts.get("bracket"):
            if re.fullmatch(r"(?:[IVX]{1,4}|\d{1,2})", qualifier):
                qualifier = ""
            elif is_role_phrase(qualifier):
                qualifier = in_small_letters(qualifier)
        return _Opening(number, _shape(line), qualifier, parts["rest"].strip(), named)
    return None


_TELLS_SEVERAL = re.compile(
    r"\b(?:refers?|people|persons|individuals|namesakes?|several|multiple|different|more than one|"
    r"depends?|two|three|four|five|\d|both|which|who|following|shared?|ambiguous|"
    r"disambiguation|mean)\b",
    re.IGNORECASE,
)


_ALSO = re.compile(
    r"\W*(?:(?:s?he|they)\s+(?:is|was|has|had)?\s*(?:also|later|then|additionally)"
    r"\b|(?:also|additionally|in addition|later)\b)",
    re.I,
)


_UNDERLINED = re.compile(
    r"^(?P<title>[^\S\n]*\S[^\n]{0,80})\n[^\S\n]*(?:-{3,}|={3,})[^\S\n]*$", re.M
)


def headed(text: str, name: str) -> str:
    """Begins a person at each label of one shape, if every label of that shape names a person."""
    lines = _UNDERLINED.sub(lambda m: f"## {m['title'].strip()}", text).split("\n")
    if len(lines) < 2:
        return text
    found = [o for i, line in enumerate(lines) if (o := opening_at(i, line, name)) is not None]
    if len(found) < 2:
        return text
    shapes = Counter(o.shape for o in found)
    first = next((o for o in found if shapes[o.shape] > 1), found[0])
    openings = [o for o in found if o.shape == first.shape]
    ranks = {o.line for o in openings}
    marked = any(first.shape[:3])
    others = [
        i
        for i, line in enumerate(lines)
        if line.strip()
        and i not in ranks
        and any(first.shape)
        and _shape(line) == first.shape
        and (i > first.line or marked)
    ]
    lead = " ".join(lines[: first.line]).strip()
    if len(openings) < 2 or others:
        return text
    if not first.named and lead and not _TELLS_SEVERAL.search(lead):
        return text
    qualifiers = [o.qualifier.casefold() for o in openings]
    if len(set(filter(None, qualifiers))) < len([q for q in qualifiers if q]):
        return text
    heads = [head_of(q) for q in qualifiers]
    bodies = _bodies(lines, openings)
    if not first.named:
        things = [thing_of(q) for q in qualifiers]
        if all(things) and not any(heads):
            if not _are_things(name, things, bodies):
                return text
        elif (
            not all(heads)
            or not any(map(is_role, heads))
            or any(go_together({a}, {b}) for i, a in enumerate(heads) for b in heads[:i])
        ):
            return text
        if any(_ALSO.match(" ".join(body)) for body in bodies[1:]):
            return text
    if all(_is_canonical(lines[o.line], o, name) for o in openings):
        return text
    if not any("".join(body).strip() for body in bodies):
        return text
    output = lines[: first.line]
    for opening, body in zip(openings, bodies, strict=True):
        output += begun(name, opening.qualifier, body)
    return "\n".join(output)


_OF_A_PERSON = re.compile(r"\b(?:s?he|hers?|his|him|born|died|married)\b", re.IGNORECASE)


def _are_things(name: str, kinds: Sequence[str], bodies: Sequence[Sequence[str]]) -> bool:
    """Whether labels such as "1931 film" name several things, rather than the works of a person."""
    texts = [" ".join(body) for body in bodies]
    if any(map(_OF_A_PERSON.search, texts)):
        return False
    return len(set(kinds)) == 1 or all(re.search(name_pattern(name), t, re.I) for t in texts)


def _is_canonical(line: str, opening: _Opening, name: str) -> bool:
    """Whether a line has a form that the rules read: "Ann Lee (painter)", in small letters."""
    if not opening.qualifier:
        return False
    plain = re.search(r"\((?P<in>[^()]*)\)", line)
    named = re.search(name_pattern(name), line) and bare_name(name).split()[0] in line
    if plain is None or not named:
        return False
    inside = plain["in"]
    if BORN.match(opening.rest):
        return False
    if not is_role_phrase(inside):
        return line.startswith("## ") and not opening.rest
    return inside == in_small_letters(inside)


def _bodies(lines: Sequence[str], openings: Sequence[_Opening]) -> list[list[str]]:
    ends = [*(o.line for o in openings[1:]), len(lines)]
    return [
        [*([o.rest] if o.rest else []), *lines[o.line + 1 : end]]
        for o, end in zip(openings, ends, strict=True)
    ]
