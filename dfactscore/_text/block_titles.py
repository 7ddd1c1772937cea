"""Titles that begin the lines or sentences of a text: "Elm, Ohio: Elm is ...", "Otto II was"."""

from __future__ import annotations

import re

from dfactscore._text.clean_text import fold_accents
from dfactscore._text.people_words import bare_name, heading_of, is_role_phrase, name_pattern
from dfactscore._text.thing_names import compare_names

_LINE = re.compile(
    r"[^\S\n]*(?:(?:[-*+•▪‣]|\d{1,2}[.)])[^\S\n]+)?[*_]{0,3}(?P<line>[^\s*_#].*:[*_]{0,3}\s.*)"
)
_SIGN = re.compile(r":[*_]{0,3}\s+[*_]{0,3}")
_HEADING = re.compile(r"^##[^\S\n]+(?P<title>[^\n]{2,120}?)[^\S\n]*\n+(?P<body>[^\n]{0,300})", re.M)
_ARTICLE = re.compile(r"\A[\"“'‘*_]*(?:(?:the|an?)\s+)?[\"“'‘*_]*", re.IGNORECASE)
_QUALIFIER = re.compile(r"\(([^()]*)\)\Z|,\s([^\W\d_a-z][^:]{0,100})\Z")
_SUBJECT_END = re.compile(r"\s(?:is|was|are|were|has|had)\b|\s?[(,;]")
_NUMERAL = re.compile(r"\s(?:[IVX]{1,5}|\d{1,3})\b(?![.-]\w)")
_OF_LIFE = re.compile(r"\bborn\b|\bdied\b|\d[–-]")
_QUALIFYING = re.compile(r"\w{2,}")
_MOST_LABEL = 100  # characters


def titled(text: str, name: str) -> str:
    """Begins a person or thing at each line with a title: "Elm, Ohio: Elm is a town"."""
    lines = text.split("\n")
    found = [_labeled(line) for line in lines]
    labels = [label for pair in found if pair is not None for label in pair[:1]]
    named = re.compile(name_pattern(name), re.IGNORECASE)
    if (
        len({label.casefold() for label in labels}) < max(len(labels), 2)
        or not any(map(named.search, labels))
        or (all(map(_is_person, labels)) and len({*map(_unqualified, labels)}) == 1)
    ):
        return text
    output = []
    for line, pair in zip(lines, found, strict=True):
        output += [line] if pair is None else [_heading(pair[0]), pair[1]]
    return "\n".join(output)


def _labeled(line: str) -> tuple[str, str] | None:
    """Splits "Elm, Ohio: Elm is a town", whose text begins with the name of its label."""
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    for sign in _SIGN.finditer(found["line"], 0, _MOST_LABEL):
        label, rest = found["line"][: sign.start()].strip(), found["line"][sign.end() :].strip()
        if label[:1].isupper() and _repeats(label, rest):
            return label, rest
    return None


def _repeats(title: str, text: str) -> bool:
    """Whether a text begins with a title, perhaps without its article, qualifier or last word."""
    bare, plain = (_ARTICLE.sub("", _folded(t)) for t in (_unqualified(title), text))
    if plain.startswith(bare) and not plain[len(bare) : len(bare) + 1].isalnum():
        return True
    wanted, subject = bare.split(), _SUBJECT_END.split(plain, maxsplit=1)[0].split()
    if wanted[:1] != subject[:1] or not 1 < len(subject) < len(wanted) + 3:
        return False
    return {*wanted} <= {*subject} or {*subject} <= {*wanted}  # "Bo Ray Sr.: Bo Lee Ray Sr. was"


def _folded(text: str) -> str:
    return fold_accents(text[:_MOST_LABEL]).casefold().strip()


def _unqualified(title: str) -> str:
    return _QUALIFIER.sub("", title).strip()


def _is_person(label: str) -> bool:
    """Whether a label gives the role of a person, which other blocks read: "Ann Lee (poet)"."""
    found = _QUALIFIER.search(label)
    return found is not None and is_role_phrase(found[1] or found[2])


def _heading(label: str) -> str:
    found = _QUALIFIER.search(label)
    return (
        heading_of(label[: found.start()].strip(), found[1] or found[2])
        if found
        else heading_of(label)
    )


def sections_of(text: str) -> tuple[tuple[int, str], ...]:
    r"""Returns the start and name of each section whose text begins with its heading's name.

    Example:
        >>> sections_of("## Elm (film)\nElm is a film.\n## Elm (Ohio)\nElm is a town.")
        ((0, 'Elm'), (29, 'Elm'))
        >>> sections_of("## Career\nShe sang.\n## Death\nDeath came in 1990.")
        ()
    """
    found = list(_HEADING.finditer(text)) if text.count("## ") > 1 else []
    titles = {match["title"].casefold() for match in found}
    whole = len(found) > 1 and len(titles) == len(found)
    if not whole or not all(_repeats(m["title"], m["body"]) for m in found):
        return ()
    return tuple((match.start(), _unqualified(match["title"])) for match in found)


def retold(text: str, name: str) -> str:
    """Begins a person or thing at each sentence with another number or a first qualifier."""
    base = _ARTICLE.sub("", _NUMERAL.split(_unqualified(bare_name(name)))[0]).strip()
    if not base or "## " in text:
        return text
    opens = re.compile(
        rf"(?:^|(?<=[.!?])[^\S\n]+)(?P<title>(?:an? |the )?{name_pattern(base)}"
        rf"(?:{_NUMERAL.pattern})?"
        rf"(?P<more>(?:(?-i: [^\W\d_]['’\w]{{0,3}})?(?-i: [A-Z])[^.,;:()\n]{{1,40}})?"
        rf"(?:,? (?:of )?(?-i:[A-Z])[^.,;:()\n]{{2,40}}?)?(?: ?\([^()\n]{{2,60}}\))?))"
        rf"(?=,?\s(?:is|was)\s)",
        re.IGNORECASE | re.MULTILINE,
    )
    pieces: list[str] = []
    last, current = 0, ""
    for match in opens.finditer(text):
        title = match["title"]
        if current and not _differ(current, title, text[: match.start()]):
            continue
        current = title
        before = text[last : match.start()].rstrip(" ")
        gap = "\n" if (pieces or before) and not before.endswith("\n") else ""
        pieces.append(f"{before}{gap}{heading_of(title)}\n")
        last = match.start("title")
    return "".join([*pieces, text[last:]]) if len(pieces) > 1 else text


def _differ(title: str, other: str, before: str) -> bool:
    """Whether a title after another one has another number, or is the first with a qualifier."""
    numerals = [_NUMERAL.findall(t) for t in (title, other)]
    if all(numerals) and compare_names(title, other)[0] == "other":
        return True
    told, added = (
        found and (found[1] or found[2]) for found in map(_QUALIFIER.search, (title, other))
    )
    if not added or _OF_LIFE.search(added) or (told and is_role_phrase(added)):
        return False
    words = {word.casefold() for word in _QUALIFYING.findall(told or before)}
    own = {word.casefold() for word in _QUALIFYING.findall(added)}
    return not own <= words if told else bool(own) and own.isdisjoint(words)
