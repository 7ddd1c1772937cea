"""Renders templates for dates, ages, numbers, units, foreign words and dashes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date

from dfactscore.ambigbio._languages import Language

_ARGUMENT = re.compile(r"\{(-?\d|\*)(?::(\w+))?\}")
_NAMED = re.compile(r"\{([^\W\d]\w*)\}")
_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September",
           "October", "November", "December")  # fmt: skip
_RANGES = {
    "to": " to ",
    "and": " and ",
    "or": " or ",
    "-": "–",
    "–": "–",
    "by": " by ",
    "x": " × ",
    "×": " × ",
}


def _date(values: Sequence[str]) -> str:
    """Formats a date: the year, with the month and day if given."""
    numbers = [value for value in values if re.fullmatch(r"\d{1,4}", value)][:3]
    if len(numbers) > 1 and 1 <= int(numbers[1]) <= 12:
        return " ".join([*numbers[2:], _MONTHS[int(numbers[1]) - 1], numbers[0]])
    return " ".join(values[:3]) if not numbers else numbers[0]


def _ordinal(values: Sequence[str]) -> str:
    number = values[0] if values else ""
    if not number.isdecimal():
        return number
    teen = number[-2:-1] == "1"
    return number + ("th" if teen else {"1": "st", "2": "nd", "3": "rd"}.get(number[-1], "th"))


def _number(values: Sequence[str]) -> str:
    whole, dot, rest = (values[0] if values else "").replace(",", "").partition(".")
    return f"{int(whole):,}{dot}{rest}" if whole.isdecimal() else "".join(values[:1])


def _age(values: Sequence[str]) -> str:
    """Returns the number of full years between two dates; empty if the second date is missing."""
    try:
        born, then = (date(*map(int, values[at : at + 3])) for at in (0, 3))
    except (ValueError, TypeError):
        return ""
    return str(then.year - born.year - ((then.month, then.day) < (born.month, born.day)))


def _measure(values: Sequence[str]) -> str:
    """Formats a number or range of numbers, followed by the first unit."""
    if len(values) > 3 and values[1] in _RANGES:
        return f"{values[0]}{_RANGES[values[1]]}{values[2]} {values[3]}"
    return " ".join(values[:2])


def _fraction(values: Sequence[str]) -> str:
    parts = ["1", *values] if len(values) == 1 else list(values)
    return " ".join([*parts[:-2], "/".join(parts[-2:])])


_FORMS = {
    "date": _date,
    "ordinal": _ordinal,
    "number": _number,
    "age": _age,
    "measure": _measure,
    "fraction": _fraction,
    "list": ", ".join,
    "joined": "".join,
}


def _name_of(name: str) -> str:
    return name.strip().replace("_", " ").casefold()


def is_silent(name: str, language: Language) -> bool:
    """Whether a template, such as a reference, adds no words to a sentence."""
    return language.silent_templates.match(_name_of(name)) is not None


def _filled(pattern: str, named: Mapping[str, str]) -> str:
    """Fills in named arguments; a part in brackets is left out if one of its arguments is empty."""
    given = {key.strip().casefold(): value.strip() for key, value in named.items()}

    def part(match: re.Match[str]) -> str:
        keys = _NAMED.findall(match[1])
        return match[1] if all(given.get(key.casefold()) for key in keys) else ""

    text = _OPTIONAL.sub(part, pattern)
    return _NAMED.sub(lambda match: given.get(match[1].casefold(), ""), text)


def template_text(
    name: str, values: Sequence[str], language: Language, named: Mapping[str, str] | None = None
) -> str:
    """Renders a template; returns an empty string if the template is unknown.

    Example:
        >>> from dfactscore.ambigbio._languages import language
        >>> template_text("Convert", ["5", "to", "6", "km", "mi"], language("en"))
        '5 to 6 km'
        >>> template_text("Birth date and age", ["1950", "3", "4"], language("en"))
        '4 March 1950'
        >>> named = {"Nome": "Ada", "Cognome": "Ferrin", "AnnoNascita": "1901"}
        >>> template_text("Bio", [], language("it"), named)
        'Ada Ferrin (1901).'
    """
    name, colon, value = _name_of(name).partition(":")
    values = [value, *values] if colon else values  # {{formatnum:1234}}
    pattern = language.text_templates.get(name, "")
    if _NAMED.search(pattern):
        return _filled(pattern, named or {}).strip()

    def argument(match: re.Match[str]) -> str:
        if match[2]:
            return _FORMS[match[2]](values)
        index = int(match[1])
        index = index - 1 if index > 0 else len(values) + index
        return values[index] if 0 <= index < len(values) else ""

    return _ARGUMENT.sub(argument, pattern).strip(" " if "{" in pattern else "")
