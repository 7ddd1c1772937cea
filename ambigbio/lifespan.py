"""Years of birth and death as lines, short descriptions and categories give them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from dfactscore.ambigbio.languages import Language

__all__ = ["Lifespan", "cut_lifespan", "from_categories"]


class Lifespan(NamedTuple):
    """Years of birth and death, negative before Christ; None where not given."""

    born: int | None = None
    died: int | None = None


def _words(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


@cache
def _patterns(data: Language) -> dict[str, re.Pattern[str]]:
    era = rf"(?:\s*(?P<{{0}}era>{_words(data.before_christ)}))?"
    about = rf"(?:(?:{_words(data.about)})\s*|\?\s*){{0,2}}"
    # a date may stand before the year: "15 March 1950", "März 1950", "3. 4. 1950"
    date = r"(?:(?:\d{1,2}\.?\s+)?[^\W\d]{3,12}\.?\s+(?:\d{1,2},?\s+)?|\d{1,2}\.\s*\d{1,2}\.\s*)?"

    def year(name: str) -> str:
        return rf"{about}{date}{about}(?P<{name}>\d{{1,4}})(?:/\d{{1,4}}|s|\?)?" + era.format(name)

    dash = r"\s*[-–—−]\s*"
    born, died = _words(data.born), _words(data.died)
    edge = r"(?<![\w])"
    return {
        "parenthesis": re.compile(r"\s*\(([^()]{1,120})\)"),
        "flourished": re.compile(rf"{edge}(?:{_words(data.flourished)})(?!\w)"),
        "range": re.compile(
            rf"^(?:{edge}(?:{born})\s*)?(?:{year('b')}|\?){dash}(?:{edge}(?:{died})\s*)?"
            rf"(?:{year('d')}|\?|[^\W\d]+)?(?=$|[,;\s])"
        ),
        "born": re.compile(rf"{edge}(?:{born})\s*{year('b')}(?!\d)"),
        "died": re.compile(rf"{edge}(?:{died})\s*{year('d')}(?!\d)"),
    }


def _year(match: re.Match[str], name: str) -> int | None:
    digits = match.groupdict().get(name)
    if not digits or not 0 < int(digits) < 2200:
        return None
    return -int(digits) if match[f"{name}era"] else int(digits)


def _read(text: str, patterns: dict[str, re.Pattern[str]]) -> Lifespan | None:
    if patterns["flourished"].search(text):
        return Lifespan()
    span = patterns["range"].search(text.strip())
    if span:
        born, died = _year(span, "b"), _year(span, "d")
        if died is not None and died < 0 and born is not None and born > 0:
            born = -born
        if born is not None and died is not None and born > died:
            return None
        return Lifespan(born, died) if (born, died) != (None, None) else None
    born_match, died_match = patterns["born"].search(text), patterns["died"].search(text)
    if born_match or died_match:
        return Lifespan(
            _year(born_match, "b") if born_match else None,
            _year(died_match, "d") if died_match else None,
        )
    return None


def cut_lifespan(text: str, language: Language) -> tuple[Lifespan, str]:
    """The years that a line gives, and the line without the parenthesis that gave them.

    Args:
        text: Plain text after a person's name.
        language: Language data.

    Example:
        >>> from dfactscore.ambigbio.languages import language
        >>> cut_lifespan("(c. 1650 – 17 May 1700), bishop of Ely", language("en"))
        (Lifespan(born=1650, died=1700), ', bishop of Ely')
        >>> cut_lifespan(", footballer born in 1950", language("en"))
        (Lifespan(born=1950, died=None), ', footballer born in 1950')
    """
    patterns = _patterns(language)
    for match in patterns["parenthesis"].finditer(text):
        found = _read(match[1], patterns)
        if found is not None:
            return found, text[: match.start()] + text[match.end() :]
    born, died = patterns["born"].search(text), patterns["died"].search(text)
    lifespan = Lifespan(_year(born, "b") if born else None, _year(died, "d") if died else None)
    return lifespan, text


def from_categories(categories: Iterable[str], language: Language) -> Lifespan:
    """The years that the categories of a page give.

    Example:
        >>> from dfactscore.ambigbio.languages import language
        >>> from_categories(["384 BC births", "322 BC deaths"], language("en"))
        Lifespan(born=-384, died=-322)
    """
    years: list[int | None] = []
    for pattern in (language.born_category, language.died_category):
        matches = (pattern.match(category.casefold()) for category in categories)
        match = next((match for match in matches if match), None)
        years.append(None if match is None else int(match[1]) * (-1 if match[2] else 1))
    return Lifespan(*years)
