"""Compares dates and content words of two values."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dfactscore.factor._words import words

MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September",
          "October", "November", "December")  # fmt: skip
_MONTH = "|".join(MONTHS)
_DATE = re.compile(
    rf"\b(?:(?P<d1>\d{{1,2}}) (?P<m1>{_MONTH}),? (?P<y1>\d{{4}})"
    rf"|(?P<m2>{_MONTH}) (?P<d2>\d{{1,2}}), (?P<y2>\d{{4}}))\b"
)
# Spelled with an initial vowel, but pronounced like "you" or "won".
_YOU = re.compile(r"uni(?!n)|us[ae]|eu|one\b|once|ukr|ugan|uru|uro|uta|ute|uti|uto")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_FUNCTION = words("function_words")


@dataclass(frozen=True, slots=True)
class Date:
    """A date."""

    day: int
    month: int
    year: int
    day_first: bool = True  # whether the date is written as `1 May 1900` rather than `May 1, 1900`

    def written(self, *, day_first: bool) -> str:
        """The date as written in one of the two styles.

        Example:
            >>> Date(1, 5, 1900).written(day_first=False)
            'May 1, 1900'
        """
        month = MONTHS[self.month - 1]
        if day_first:
            return f"{self.day} {month} {self.year}"
        return f"{month} {self.day}, {self.year}"

    def same(self, other: Date) -> bool:
        """Whether both dates refer to the same day."""
        return (self.day, self.month, self.year) == (other.day, other.month, other.year)


def date_in(text: str) -> Date | None:
    """The first complete date in a text."""
    match = _DATE.search(text)
    if match is None:
        return None
    first = match["d1"] is not None
    day, month, year = (match[f"{part}{1 if first else 2}"] for part in "dmy")
    return Date(int(day), MONTHS.index(month) + 1, int(year), first)


def content_words(text: str) -> set[str]:
    """The content words of a text, in lower case."""
    words = {word.casefold().replace("’", "'") for word in _WORD.findall(text)}
    return {word.removesuffix("'s") for word in words} - _FUNCTION


def with_article(phrase: str) -> str:
    """Adds an indefinite article to a phrase.

    Example:
        >>> with_article("explorer"), with_article("university teacher"), with_article("NBA player")
        ('an explorer', 'a university teacher', 'an NBA player')
    """
    first = phrase.split()[0]
    if re.match(r"[A-Z]{2,}\b", first):
        vowel = first[0] in "AEFHILMNORSX"
    else:
        low = first.lower()
        vowel = low[0] in "aeiou" and not _YOU.match(low)
        vowel = vowel or low.startswith(("hour", "honest", "honor", "honour", "heir"))
    return f"{'an' if vowel else 'a'} {phrase}"
