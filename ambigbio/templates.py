"""Templates that stand for text: dates, units, foreign words, dashes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dfactscore.ambigbio.languages import Language

__all__ = ["template_text"]

_ARGUMENT = re.compile(r"\{(-?\d)(:date)?\}")
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September",
           "October", "November", "December")  # fmt: skip


def _date(values: Sequence[str]) -> str:
    numbers = [value for value in values if re.fullmatch(r"\d{1,4}", value)][:3]
    if len(numbers) == 3 and 1 <= int(numbers[1]) <= 12:
        return f"{int(numbers[2])} {_MONTHS[int(numbers[1]) - 1]} {numbers[0]}"
    return numbers[0] if numbers else ""


def template_text(name: str, values: Sequence[str], language: Language) -> str:
    """The text that a template stands for; an empty string where it stands for none.

    Args:
        name: Name of the template.
        values: Its unnamed arguments.
        language: Language data.

    Example:
        >>> from dfactscore.ambigbio.languages import language
        >>> template_text("Convert", ["5", "km", "mi"], language("en"))
        '5 km'
        >>> template_text("Birth date and age", ["1950", "3", "4"], language("en"))
        '4 March 1950'
    """
    pattern = language.text_templates.get(name.strip().replace("_", " ").casefold(), "")

    def argument(match: re.Match[str]) -> str:
        if match[2]:
            return _date(values)
        index = int(match[1])
        index = index - 1 if index > 0 else len(values) + index
        return values[index] if 0 <= index < len(values) else ""

    return _ARGUMENT.sub(argument, pattern)
