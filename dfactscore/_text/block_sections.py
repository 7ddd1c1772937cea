"""Section headings that run into the sentence after them: "... a poet. Career The poet sang"."""

from __future__ import annotations

import re
from collections.abc import Callable

from dfactscore._text.sentences import VERB
from dfactscore._text.word_files import word_lists

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
_MARKED = re.compile(
    r"(?P<gap>[^\S\n]*)(?P<marks>={2,6}) ?(?P<title>[^=\n]{1,80}?) ?(?P=marks)(?P<end>[^\S\n]*)"
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
        text = _MARKED.sub(alone, text)
    if "#" in text:
        text = _SHARP.sub(alone, text)
    return _RUN_IN.sub(alone, text)
