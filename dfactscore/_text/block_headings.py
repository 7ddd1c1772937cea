"""Blocks of whole lines: headings of people and of sections."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from dfactscore._text.block_conditions import tells_several
from dfactscore._text.people_words import (
    BORN,
    OF_A_PERSON,
    ROLE,
    bare_name,
    begun,
    head_of,
    in_small_letters,
    indefinite,
    is_role_phrase,
    name_pattern,
    thing_of,
)
from dfactscore._text.role_words import go_together, is_demonym, is_role
from dfactscore._text.sentences import VERB
from dfactscore._text.word_files import word_lists

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


_DATES = r"(?:\s*\([^()\n]{1,40}\)|,\s(?:born\s|b\.\s)?[12]\d{3}[^\n:*]{0,8})?"


@lru_cache(maxsize=64)
def _openings(name: str) -> tuple[re.Pattern[str], ...]:
    """Returns the patterns of a label that begins a person, with its end and the rest."""
    named = name_pattern(name)
    end = (
        rf"{_EMPHASIS}\s*(?:(?P<end>[:–—]|-(?=\s)|\.(?={_EMPHASIS}\s*$))\s*{_EMPHASIS}\s*|"
        rf"$)(?P<rest>.*)$"
    )
    role = rf"(?P<role>(?:\d{{4}}\s+)?{ROLE}){_EMPHASIS}(?P<dates>{_DATES})"
    labels = (
        rf"{named}{_EMPHASIS}\s*[(\[](?P<bracket>[^()\[\]\n]{{1,60}})[)\]]",
        rf"{named}{_EMPHASIS}\s*(?:\#|no\.?\s*|number\s+)?(?P<number>\d{{1,2}}|[IVX]{{1,4}})",
        rf"{named}{_EMPHASIS},?\s+(?:the\s+|an?\s+)?{role}",
        rf"{named}{_EMPHASIS}\s*[:–—-]\s*{_EMPHASIS}(?:the\s+|an?\s+)?{role}",
        rf"{named}(?P<alone>(?={_EMPHASIS}:?{_EMPHASIS}\s*$))",
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
    dates: str
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
        dates = (parts.get("dates") or "").strip()
        return _Opening(number, _shape(line), qualifier, parts["rest"].strip(), dates, named)
    return None


_TELLS_SEVERAL = re.compile(
    r"\b(?:refers?|people|persons|individuals|namesakes?|several|multiple|different|depends?|two|"
    r"three|four|five|\d|both|which|who|following|shared?|ambiguous|disambiguation|mean)\b",
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
    return _labeled(lines, name) or _itemized(lines, name) or _DASHED.sub(r"\1\2: ", text)


# "1. **Nurse** - She served": a label, not the name of a person
_DASHED = re.compile(
    r"^([^\S\n]*+(?:[-*•]|\d+[.)])[^\S\n]+)[*_]{0,2}([A-Z][\w -]{1,40}?)[*_]{0,2}[^\S\n]+[–—-]"
    r"[^\S\n]+(?=(?:He|She|They)\s)",
    re.MULTILINE,
)


def _labeled(lines: Sequence[str], name: str) -> str:
    """Begins a person at each label that names a role or number; returns nothing if none does."""
    found = [o for i, line in enumerate(lines) if (o := opening_at(i, line, name)) is not None]
    if len(found) < 2:
        return ""
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
        return ""
    dates = {o.dates for o in openings if _is_life(o.dates)}
    apart = len(dates) == len(openings)  # labels with lives of their own name several people
    titled = re.fullmatch(rf"\W*{name_pattern(name)}\W*", lead, re.I) is not None
    numbered = "1" in first.shape[1]
    described = titled and (
        numbered or all(is_demonym(o.qualifier.split(" ")[0]) for o in openings)
    )
    about_one = re.search(
        rf"{name_pattern(name)}(?:\s*\([^()]*\))?,?\s+(?:{VERB}|\w+ed)\b", lead, re.I
    )
    told = tells_several(lead, name) or (not about_one and _TELLS_SEVERAL.search(lead))
    told_apart = bool(apart or described or told)
    if not first.named and lead and not told_apart:
        return ""
    qualifiers = [o.qualifier.casefold() for o in openings]
    if len(set(filter(None, qualifiers))) < len([q for q in qualifiers if q]):
        return ""
    heads = [head_of(q) for q in qualifiers]
    bodies = _bodies(lines, openings)
    if not first.named:
        things = [thing_of(q) for q in qualifiers]
        if all(things) and not any(heads):
            if not _are_things(name, things, bodies):
                return ""
        elif not apart and (
            not all(heads)
            or not any(map(is_role, heads))
            or any(go_together({a}, {b}) for i, a in enumerate(heads) for b in heads[:i])
        ):
            return ""
        if any(_ALSO.match(" ".join(body)) for body in bodies[1:]):
            return ""
    if all(_is_canonical(lines[o.line], o, name) for o in openings):
        return ""
    if not any("".join(body).strip() for body in bodies):
        return ""
    output = [*lines[: first.line]]
    for opening, body in zip(openings, bodies, strict=True):
        output += begun(name, opening.qualifier, body)
    return "\n".join(output)


def _itemized(lines: Sequence[str], name: str) -> str:
    """Begins a person at each item of a list whose lead says that several bear the name."""
    leads = (
        i
        for i, line in enumerate(lines)
        if tells_several(line, name) or (line.endswith(":") and _are_lives(lines[i + 1 :]))
    )
    lead = next(leads, len(lines))
    marked = (i for i in range(lead + 1, len(lines)) if any(_shape(lines[i])[:3]))
    first = next(marked, None)
    if first is None:
        return ""
    indent = len(lines[first]) - len(lines[first].lstrip())
    tops = [
        i
        for i in range(first, len(lines))
        if _shape(lines[i])[:3] == _shape(lines[first])[:3]
        and len(lines[i]) - len(lines[i].lstrip()) == indent
    ]
    if len(tops) < 2:
        return ""
    output = [*lines[:first]]
    for start, end in zip(tops, [*tops[1:], len(lines)], strict=True):
        qualifier, said = _item(lines[start], name)
        body = [said] if said else []
        body += (line for line in lines[start + 1 : end] if not _LABEL_ONLY.fullmatch(line))
        output += begun(name, qualifier, body)
    return "\n".join(output)


def _are_lives(lines: Sequence[str]) -> bool:
    """Whether lines describe people of different lives: "A Swiss baker (1830-1901)"."""
    described = re.compile(
        rf"{_MARK.pattern}an?\s[^.(]{{3,60}}\(([^()\n]{{4,20}})\)", re.IGNORECASE
    )
    found = [described.match(line) for line in lines if line.strip()]
    dates = [m[m.lastindex or 0] for m in found if m is not None]
    return len(found) == len({*dates}) > 1 and all(map(_is_life, dates))


_LABEL_ONLY = re.compile(r"[A-Z][\w ]{1,30}:")


def _item(line: str, name: str) -> tuple[str, str]:
    """Returns the qualifier of an item's head and the sentence about the person."""
    mark = _MARK.match(line)
    words = line[mark.end() :].strip() if mark else line.strip()
    bare = bare_name(name)
    head = re.match(
        rf"(?P<name>{name_pattern(name)})?{_EMPHASIS}(?P<q>\s*\([^()\n]{{1,60}}\)|,\s(?!who\b)[^:–—\n]{{1,60}}?)?{_EMPHASIS}\s*"
        rf"(?:[:–—]|-(?=\s)|$){_EMPHASIS}\s*(?P<rest>.*)$",
        words,
        re.IGNORECASE,
    )
    qualifier = ""
    if head is not None and head["name"] and (head["rest"] or "," not in (head["q"] or "")):
        qualifier, words = (head["q"] or "").strip(" ,()"), head["rest"]
    if not words or re.match(name_pattern(name), words, re.I):
        return qualifier, words
    if re.match(r"(?:the|an?)\s", words, re.I) or head_of(re.split(r"[,.;(]|\bwh[oi]", words)[0]):
        return qualifier, f"{bare} is {indefinite(words)}"
    return qualifier, words


def _is_life(dates: str) -> bool:
    """Whether dates are those of a life, rather than of a career: "(1888-1961)", "(born 1921)"."""
    years = [int(year) for year in re.findall(r"\b[12]\d{3}\b", dates)]
    return len(years) == 1 or (len(years) == 2 and years[1] - years[0] > 40)


_LEADS_IN = re.compile(r"\b(?:as|be|is|are|to|includes?):$")  # "Ann Lee is known as:"


def without_lead(text: str, name: str) -> str:
    """Removes the sentences before the first person that only say that several bear the name."""
    named = name_pattern(name)
    begins = re.compile(
        rf"^(?:\#\# |[-*•\d.)\[\]_ ]{{0,6}}){named}(?=(?P<line>[^\n]*))"
        rf"|(?<=[.:] )(?:One|Another) {named}",
        re.IGNORECASE | re.MULTILINE,
    )
    heads = [
        m
        for m in begins.finditer(text)
        if not tells_several(line := m[0] + (m["line"] or ""), name) and not _LEADS_IN.search(line)
    ]
    if len(heads) < 2:
        return text
    lead = re.split(r"(?<=[.!?:])(?=\s)|(?=\n)", text[: heads[0].start()])
    about = re.compile(rf"{name_pattern(name)}(?:\s*\([^()]*\))?,?\s+{VERB}\b", re.IGNORECASE)
    kept = []
    for sentence in lead:
        found = tells_several(sentence, name)
        leads_in = sentence.endswith(":") and (
            not about.search(sentence) or _LEADS_IN.search(sentence)
        )
        if not leads_in and (found is None or found.start() > 30):
            kept.append(sentence)
    return ("".join(kept) + text[heads[0].start() :]).lstrip()


def _are_things(name: str, kinds: Sequence[str], bodies: Sequence[Sequence[str]]) -> bool:
    """Whether labels such as "1931 film" name several things, rather than the works of a person."""
    texts = [" ".join(body) for body in bodies]
    if any(map(OF_A_PERSON.search, texts)):
        return False
    told = re.compile(rf"{name_pattern(name)}\s+(?:is|was|are|were|has\s+been|ran|lies)\b", re.I)
    return len(set(kinds)) == 1 or all(map(told.search, texts))


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


_WORDS = word_lists(__package__, "heading_words.txt")
_NOUN = "(?:" + "|".join(_WORDS["nouns"].split()) + ")"
_KIND = "(?:" + "|".join(_WORDS["kinds"].split()) + ")"
_PHRASE = rf"(?:{_KIND} ){{0,2}}{_NOUN}"
_TITLE = (
    rf"(?=[A-Z])(?i:{_PHRASE}(?:(?:,| and| &| in| of| outside) {_PHRASE}){{0,2}}"
    r"(?: as an? [a-z]+| (?:in|of|with|at) [a-z]+)?)"
)
# How the sentence after a heading begins, so that "Death Valley" and "Career Girl" are none.
_NEXT = (
    r"(?:(?:He|She|They|It|His|Her|Their|Its|This) |The [a-z]|(?:Born|Raised|Educated) [a-z]"
    r"|(?:In|At|On|From|By|For|With|During|After|Before|Until|Since|While|When|As|Following|Although)"
    r" (?:[a-z\d]|[A-Z][\w ]{1,30},))"
)
_NAMED = (
    rf"(?P<named>[A-Z][\w.'’-]+)(?: [A-Z][\w.'’-]+){{0,3}},? (?:{VERB}\b|\w+s (?:the|an?|in|at)\b)"
)
_RUN_IN = re.compile(
    rf"(?:^|(?<=[.!?\])\"”\n])(?P<gap> +))(?P<title>{_TITLE})(?P<end> +)(?={_NEXT}|{_NAMED})",
    re.MULTILINE,
)
_WIKI = re.compile(
    r"(?<![^\S\n])(?P<gap>[^\S\n]*+)(?P<marks>={2,6}) ?"
    r"(?P<title>[^=\n]{1,80}?) ?(?P=marks)(?P<end>[^\S\n]*)"
)
_SHARP = re.compile(
    rf"(?<=[.!?\])\"”])(?P<gap> +)(?P<marks>\#{{1,6}}) (?P<title>{_TITLE})(?P<end> +)"
)


def with_sections(text: str, name: str = "") -> str:
    r"""Writes each section heading on a line of its own; the text keeps its length.

    Example:
        >>> with_sections("Lee is a poet. Early life Lee was born in Cork. Death He died in 2001.")
        'Lee is a poet.\nEarly life\nLee was born in Cork.\nDeath\nHe died in 2001.'
        >>> with_sections("Death Valley is in California.")
        'Death Valley is in California.'
    """
    return _changed(text, name, _of_length)


def without_sections(text: str, name: str = "") -> str:
    """Removes section headings that run into sentences or stand between marks."""
    return _changed(text, name, lambda match: " ")


def in_sections(text: str, name: str) -> str:
    """Writes each section heading as Markdown does."""
    changed = _changed(text, name, lambda match: f"\n## {match['title']}\n")
    return text if changed == text else re.sub(r"\n(## [^\n]*)\n+", r"\n\1\n", changed).strip("\n")


def _of_length(match: re.Match[str]) -> str:
    before, after = match.start("title") - match.start(), match.end() - match.end("title")
    first = "\n" if match.start() and before else ""
    return f"{first:<{before}}{match['title']}" + " " * (after - 1) + "\n" * (after > 0)


def _changed(text: str, name: str, written: Callable[[re.Match[str]], str]) -> str:
    def alone(match: re.Match[str]) -> str:
        title, named = match["title"], match.groupdict().get("named")
        known = not named or " " in title or named in f"{text[: match.start()]} {name}"
        return written(match) if known else match[0]

    if "==" in text:
        text = _WIKI.sub(alone, text)
    if "#" in text:
        text = _SHARP.sub(alone, text)
    return _RUN_IN.sub(alone, text)
