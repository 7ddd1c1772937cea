"""Blocks of lines with two parts: keys with values, dates with events."""

from __future__ import annotations

import re

from dfactscore._text.people_words import NO_SUBJECT, bare_name, ended, name_pattern, with_subject
from dfactscore._text.sentences import VERB

# "Nationality: Swiss", "Nationality | Swiss", "nationality = Swiss": a line of key and value
_MARKED = r"(?:[-*+•·▪‣][^\S\n]+)?"
_KEY = r"[*_]{0,2}(?P<key>[^\W\d_][\w’'/()&]*(?:[ -][\w’'/()&]+){0,3})[*_]{0,2}"
_VALUE = r"[^\n:|]{1,120}(?::\d\d[^\n:|]{0,20})?"
_PAIR = re.compile(
    rf"{_MARKED}{_KEY}(?P<mark>\s*:[*_]{{0,2}}\s|\s=\s|\s[–—](?=\s)|\s[|→⇒»>]\s|\t)\s*(?P<value>{_VALUE})"
)
_HAS_VERB = re.compile(rf"\b(?:he|she|they)\b|^{VERB}\b|\s(?:is|was|were|are)\s", re.I)


def _is_pair(line: str) -> re.Match[str] | None:
    found = _PAIR.fullmatch(line.strip())
    if found is not None and (
        (found["key"][0].islower() and found["mark"].strip() in "–—")
        or (found.start("key") and ":" in found["mark"])  # an item with a label is read as it is
    ):
        return None
    if found is None or _HAS_VERB.search(found["value"]) or len(found["value"].split()) > 14:
        return None
    if re.match(
        r"(?:document|source|passage|person|note|summary|answer|question|q|a)\b", found["key"], re.I
    ):
        return None
    return found


def paired(text: str, name: str) -> str:
    """Writes lines of key and value as list items with a label, one fact per line."""
    people = re.split(rf"^(?=\#\# {name_pattern(name)})", text, flags=re.IGNORECASE | re.MULTILINE)
    return "".join(_paired(person, name) for person in people)


def _paired(text: str, name: str) -> str:
    """Writes lines of key and value about one person as list items with a label."""
    if not any(mark in text for mark in ":=|→⇒»\t") and " – " not in text and " — " not in text:
        return text
    lines: list[str] = []
    for line in text.split("\n"):
        parts = [p.strip() for p in re.split(r"(?<!\s)\s*[|;]\s+", line.strip(" |")) if p.strip()]
        body = parts[1:] if parts and re.fullmatch(name_pattern(name), parts[0], re.I) else parts
        inline = len(body) > 1 and all(_is_pair(p) for p in body)
        lines += parts if inline else [line]
    pairs = [_is_pair(line) for line in lines]
    keys = [pair["key"].casefold() for pair in pairs if pair is not None]
    if len(keys) < 2 or len(set(keys)) < len(keys):
        return text
    if sum(p is None and bool(line.strip()) for p, line in zip(pairs, lines, strict=True)) > 2:
        return text
    output = []
    for pair, line in zip(pairs, lines, strict=True):
        if pair is None:
            output.append(line)
        elif re.fullmatch(r"(?:full\s+)?name", pair["key"], re.I) and re.match(
            name_pattern(name), pair["value"], re.I
        ):
            output.append(pair["value"].strip(" ."))
        else:
            key = pair["key"][0].upper() + pair["key"][1:]
            output.append(f"- **{key}:** {pair['value'].strip()}")
    return "\n".join(output)


# "1971: Won the prize", "1920-1938 – lived in Cork", "[1971] Won the prize", "1940s | Lived"
_DATED = re.compile(
    r"(?P<mark>\s*(?:[-*+•]\s+)?)(?:(?:in|from|on)\s+)?[*_]{0,2}(?P<open>[\[(])?"
    r"(?P<when>(?:[A-Z][a-z]{2,8}\.?\s+(?:\d{1,2},\s+)?|\d{1,2}\s+[A-Z][a-z]{2,8}\s+|the\s+|[Cc]\.?\s+)?"
    r"(?P<from>[12]\d{3}s?)(?:\s*(?:[-–—]|to)\s*(?P<to>(?:[12]\d)?\d\d|present))?)"
    r"(?(open)[\])][*_]{0,2}\s*[:–—-]?\s*|(?:[*_]{0,2}\s*[:|→\n][*_]{0,2}\s*|[*_]{0,2}\s+[-–—]\s+|"
    r"[*_]{0,2}[,.]?\s+(?=[A-Z][a-z]+\s)))(?P<what>\S.*)",
    re.IGNORECASE,
)
_OWN_LINE = re.compile(r"^([^\S\n]*[*_#]*\s?[12]\d{3}s?[*_]*)\n+(?=[^\W\d_])", re.MULTILINE)


_DAY = re.compile(r"\d{1,2},|^\d{1,2}\s")
_PRESENT = re.compile(
    r"[A-Za-z]?[a-z]+s\s+(?:the|an?|his|her|to|from|into|with|at)\s|(?:dies|"
    r"becomes|marries|retires|moves)\b",
    re.IGNORECASE,
)


def timed(text: str, name: str) -> str:
    """Writes the lines of a timeline as sentences: "1971: Won the prize"."""
    lines = text.split("\n")
    if len(_OWN_LINE.findall(text)) > 1:
        lines = _OWN_LINE.sub(lambda m: m[1].strip(" #*_") + ": ", text).split("\n")
    found = [_DATED.fullmatch(line.rstrip()) for line in lines]
    if sum(m is not None for m in found) < 2:
        return text
    bare = bare_name(name)
    output = []
    for match, line in zip(found, lines, strict=True):
        what = match["what"] if match is not None else ""
        if match is None or not (NO_SUBJECT.match(what) or _PRESENT.match(what)):
            output.append(line)
            continue
        date = match["when"].removeprefix("the ")
        when = f"{'On' if _DAY.search(date) else 'In'} {'the ' * date.endswith('s')}{date}"
        if match["to"]:
            when = f"From {match['from']} to {match['to']}"
        said = (
            with_subject(bare, what)
            if NO_SUBJECT.match(what)
            else f"{bare} {what[0].lower()}{what[1:]}"
        )
        output.append(f"{match['mark']}{when}, {ended(said)}")
    return "\n".join(output)
