"""Texts that repeat a pattern in several places, and the operations that scoring them takes."""

from __future__ import annotations

import itertools
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from dfactscore import Scorer

ROOT = Path(__file__).resolve().parents[2]
SOURCES = tuple(f"{ROOT / folder}/" for folder in ("dfactscore", "linking", "retrieval"))
LEAST = 20_000  # operations; less is the same for every text
NAME = "Ann Lee"
PAGE = (
    "Ann Lee (born 4 May 1950) is an English painter of landscapes. She moved to York in 1971, "
    "where she taught at the Elm School. Her brother Tom Lee was a rower."
)
TEXT = "Ann Lee was born in 1950. She is a painter. She moved to York in 1971 and taught there."
_SYLLABLES = ("ba", "de", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu")


def word(number: int) -> str:
    """A word of its own for each number."""
    return "".join(_SYLLABLES[int(digit)] for digit in f"{number:03d}")


def year(number: int) -> int:
    """One of 300 years."""
    return 1700 + number % 300


def _name(number: int) -> str:
    return f"{word(number).title()} {word(number + 7).title()}"


Pattern = Callable[[int], str]
PATTERNS: dict[str, Pattern] = {
    "years": lambda i: f"{year(i)}",
    "years after commas": lambda i: f"{year(i)},",
    "in years": lambda i: f"in {year(i)}",
    "in years and": lambda i: f"in {year(i)} and",
    "ranges of years": lambda i: f"{year(i)}–{year(i) + 9},",
    "years in brackets": lambda i: f"({year(i)})",
    "life dates": lambda i: f"{_name(i)} ({year(i)}–{year(i) + 60}),",
    "dates": lambda i: f"on {i % 28 + 1} May {year(i)},",
    "to and from": lambda i: "to and from",
    "to places": lambda i: f"to {word(i).title()}",
    "from place to place": lambda i: f"from {word(i).title()} to {word(i + 1).title()}",
    "adjuncts": lambda i: f"with {word(i)} at {word(i + 1).title()}",
    "of the": lambda i: f"of the {word(i)}",
    "prepositions": lambda i: "in of by at",
    "the name": lambda i: "Ann Lee",
    "the name and": lambda i: "Ann Lee and",
    "first names": lambda i: "Ann",
    "other names": lambda i: _name(i),
    "other names and": lambda i: f"{_name(i)} and",
    "other names after commas": lambda i: f"{_name(i)},",
    "namesakes": lambda i: f"Ann {word(i).title()} Lee,",
    "titled names": lambda i: f"Dr. {_name(i)},",
    "initials": lambda i: "A. B.",
    "initials and names": lambda i: f"A. {word(i).title()},",
    "capital words": lambda i: word(i).title(),
    "upper case": lambda i: word(i).upper(),
    "lower case": word,
    "she": lambda i: "she",
    "she sang": lambda i: "she sang",
    "she sang and": lambda i: f"she {word(i)}ed and",
    "he and she": lambda i: ("he", "she")[i % 2] + " sang,",
    "her": lambda i: f"her {word(i)}",
    "they": lambda i: "they sang it there and",
    "who": lambda i: f"who knew {_name(i)},",
    "that": lambda i: "that was",
    "which was": lambda i: f"which was a {word(i)},",
    "relatives": lambda i: f"the son of {_name(i)},",
    "brothers": lambda i: "her brother",
    "commas": lambda i: ",",
    "lists": lambda i: f"{word(i)},",
    "semicolons": lambda i: f"she {word(i)}ed;",
    "colons": lambda i: f"{word(i)}:",
    "and": lambda i: f"and {word(i)}",
    "or": lambda i: f"{word(i)} or",
    "but": lambda i: f"but she {word(i)}ed",
    "verbs": lambda i: f"{word(i)}ed,",
    "was": lambda i: "was",
    "was a": lambda i: f"was a {word(i)} and",
    "to do": lambda i: "to play",
    "not": lambda i: "not",
    "professions": lambda i: "painter, rower and",
    "nationalities": lambda i: "English Scottish",
    "quotes": lambda i: f"“{word(i)}”",
    "straight quotes": lambda i: f'"{word(i)}"',
    "open quotes": lambda i: f"“{word(i)}",
    "titles in quotes": lambda i: f"“The {word(i).title()} of {word(i + 1).title()}”,",
    "apostrophes": lambda i: f"{word(i).title()}'s",
    "single quotes": lambda i: f"'{word(i)}'",
    "brackets": lambda i: f"({word(i)})",
    "open brackets": lambda i: "(",
    "nested brackets": lambda i: f"({word(i)} (",
    "square brackets": lambda i: f"[{word(i)}]",
    "open square brackets": lambda i: "[",
    "braces": lambda i: "{{" + word(i) + "|",
    "citations": lambda i: f"{word(i)} [{i % 5 + 1}][{i % 3 + 1}]",
    "citations only": lambda i: f"[{i % 9 + 1}]",
    "Wikipedia citations": lambda i: f"{word(i)}[{i}]",
    "dashes": lambda i: f"{word(i)} –",
    "long dashes": lambda i: f"— {word(i)} —",
    "hyphens": lambda i: f"{word(i)}-{word(i + 1)}-",
    "slashes": lambda i: f"{word(i)}/{word(i + 1)}",
    "dots": lambda i: "...",
    "stops": lambda i: f"{word(i)}.",
    "marks": lambda i: f"{word(i)}!?",
    "URLs": lambda i: f"https://www.{word(i)}.org/{word(i + 1)}?q={i}",
    "links": lambda i: f"[{word(i)}](https://{word(i)}.org)",
    "addresses": lambda i: f"{word(i)}@{word(i)}.org",
    "digits": lambda i: "7",
    "long numbers": lambda i: f"{i * 7919},{i % 900 + 100}",
    "decimals": lambda i: f"{i}.{i % 10}",
    "percent": lambda i: f"{i % 100}%",
    "money": lambda i: f"${i},000",
    "ordinals": lambda i: f"the {i}th",
    "written ordinals": lambda i: "first second third",
    "written numbers": lambda i: "twenty one hundred",
    "roman numerals": lambda i: "II IV XII",
    "repeated word": lambda i: "very",
    "repeated letters": lambda i: "a",
    "long word": lambda i: "abcdefghij" * 3,
    "the": lambda i: "the",
    "the first": lambda i: f"the first {word(i)} of",
    "as a": lambda i: f"as a {word(i)}",
    "including": lambda i: f"including {word(i).title()},",
    "such as": lambda i: f"such as {_name(i)},",
    "also known as": lambda i: f"also known as {_name(i)},",
    "born": lambda i: f"born in {word(i).title()} in {year(i)},",
    "married": lambda i: f"married {_name(i)},",
    "after": lambda i: f"after she left {word(i).title()},",
    "when": lambda i: f"when she was {i % 90},",
    "while": lambda i: "while",
    "however": lambda i: "however,",
    "another": lambda i: "another Ann Lee",
    "there": lambda i: "there",
    "it": lambda i: "it was",
    "list marks": lambda i: f"\n- {word(i)}",
    "numbered items": lambda i: f"\n{i + 1}. {_name(i)} was a painter",
    "headings": lambda i: f"\n## {_name(i)}\n",
    "bold": lambda i: f"**{_name(i)}**",
    "bold lines": lambda i: f"\n**{_name(i)}**: a painter",
    "stars": lambda i: "*",
    "underscores": lambda i: f"_{word(i)}_",
    "keys": lambda i: f"\n{word(i).title()}: {word(i + 1)}",
    "table rows": lambda i: f"\n| {word(i)} | {year(i)} |",
    "newlines": lambda i: "\n",
    "blank lines": lambda i: f"{word(i)}\n\n",
    "tabs": lambda i: f"{word(i)}\t",
    "spaces": lambda i: "   ",
    "backticks": lambda i: f"`{word(i)}`",
    "code": lambda i: "```",
    "tags": lambda i: f"<b>{word(i)}</b>",
    "open tags": lambda i: "<b>",
    "comparisons": lambda i: "<",
    "entities": lambda i: "&amp;",
    "thoughts": lambda i: "<think>",
    "equals": lambda i: f"{word(i)} = {i}",
    "JSON": lambda i: f'{{"{word(i)}": "{word(i + 1)}"}},',
    "accents": lambda i: "Éva Łódź",
    "Chinese": lambda i: "安李",
    "Arabic": lambda i: "آن لي",
    "combining marks": lambda i: "e\u0301\u0301",
    "emoji": lambda i: "🎨",
    "question": lambda i: f"Who was {_name(i)}?",
    "requests": lambda i: "tell me about",
    "refusals": lambda i: "I cannot say",
    "based on": lambda i: "based on the context,",
    "passage marks": lambda i: f"Document [{i}](Title: {_name(i)}):",
    "mixed": lambda i: f"in {year(i)} “{word(i)}” ({_name(i)}), and [1] she – who sang – to",
}


def pieces(pattern: str, size: int) -> list[str]:
    """The pieces of a pattern that together have about this number of characters."""
    parts: list[str] = []
    numbers = itertools.count()
    while sum(map(len, parts)) + len(parts) < size:
        parts += [PATTERNS[pattern](number) for number in itertools.islice(numbers, 25)]
    return parts


def _sentences(parts: list[str]) -> str:
    return " ".join(
        f"{'Ann Lee' if i % 9 == 0 else 'She'} sang {part}." for i, part in enumerate(parts)
    )


def _record(**fields: object) -> dict[str, object]:
    return {"id": "1", "name": NAME, "text": TEXT, "passages": _passages(PAGE)} | fields


def _passages(*texts: str, title: str = NAME) -> list[dict[str, str]]:
    return [{"title": title, "text": text} for text in texts]


PLACES: dict[str, Callable[[list[str]], dict[str, object]]] = {
    "sentence": lambda parts: _record(text=f"Ann Lee sang {' '.join(parts)}."),
    "bare": lambda parts: _record(text=" ".join(parts)),
    "sentences": lambda parts: _record(text=_sentences(parts)),
    "page": lambda parts: _record(passages=_passages(f"Ann Lee sang {' '.join(parts)}.")),
    "page of sentences": lambda parts: _record(passages=_passages(_sentences(parts))),
    "name": lambda parts: _record(name=f"Ann {' '.join(parts)}"),
    "title": lambda parts: _record(passages=_passages(PAGE, title=f"Ann {' '.join(parts)}")),
    "context": lambda parts: _record(
        passages=_passages(f"Ann Lee sang {' '.join(parts)}.", title="")
    ),
    "contexts": lambda parts: _record(
        passages=_passages(*(f"Ann Lee sang {part}." for part in parts[::4]), title="")
    ),
    "question": lambda parts: {
        "question": f"Who was {' '.join(parts)}?",
        "output": TEXT,
        "docs": _passages(PAGE),
    },
}


def work(pattern: str, place: str, size: int, *, turned: bool = False) -> Callable[[], object]:
    """Scoring a text of a pattern in a place, as a function to measure."""
    parts = pieces(pattern, size)
    record = PLACES[place](parts[1:] + parts[:1] if turned else parts)

    def score() -> object:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return [result.scores for result in Scorer().score_many([record])]

    return score


def operations(function: Callable[[], object]) -> int:
    """The number of lines of this package that a call runs."""
    count = 0

    def line(frame: FrameType, event: str, argument: object) -> object:
        nonlocal count
        count += 1
        return line

    def call(frame: FrameType, event: str, argument: object) -> object:
        return line if any(map(frame.f_code.co_filename.startswith, SOURCES)) else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        function()
    finally:
        sys.settrace(before)
    return count


def growth(pattern: str, place: str, size: int) -> float:
    """The operations for a text of twice the size, as a multiple of those for one of this size."""
    work(pattern, place, 2 * size, turned=True)()  # its words are then in the caches
    short, long = (operations(work(pattern, place, n)) for n in (size, 2 * size))
    return long / max(short, LEAST)
