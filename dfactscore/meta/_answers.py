r"""Parses answers that list wrong segments, either strictly or as FELM's scripts do."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

Reading = Literal["strict", "reasons", "stored", "felm-vicuna", "felm-chat"]
_END = re.compile(re.escape("</s>") + "|" + re.escape("<|im_end|>") + "|" + re.escape("<|eot_id|>"))
_LABEL = re.compile(r"^\s*Answers?\s*:")
_INTEGER = re.compile(r"[0-9]+")
_LONGEST = 18  # digits; Python refuses to convert very long numbers


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """The segments flagged by an answer."""

    # 0-based indices of the segments; None if the answer neither lists a segment nor states that
    # all segments are right.
    flagged: frozenset[int] | None
    out_of_range: int = 0


def read_answer(text: str, n: int, *, reasons: bool = False) -> ReadAnswer:
    r"""Reads a free-text answer: the numbers of the wrong segments, or ALL_CORRECT.

    The text is cut at the first end-of-text token. The first non-empty line is the answer, because
    some models then invent further questions and answers. With `reasons`, the answer is the first
    line that begins with "Answer", if there is one.

    Example:
        >>> sorted(read_answer("2, 7</s> 3", 3).flagged)
        [1]
        >>> sorted(read_answer("1 is right.\nAnswer: 2", 3, reasons=True).flagged)
        [1]
        >>> read_answer(r"ALL\_CORRECT", 3).flagged, read_answer("I do not know", 3).flagged
        (frozenset(), None)
    """
    lines = [line for line in _END.split(text, 1)[0].splitlines() if line.strip()]
    if not lines:
        return ReadAnswer(None)
    line = lines[0]
    if reasons:
        line = next(
            (candidate for candidate in lines if candidate.lstrip().startswith("Answer")), line
        )
    answer = _LABEL.sub("", line)
    unescaped = answer.replace("\\", "")
    if "ALL" in unescaped and "CORRECT" in unescaped:
        return ReadAnswer(frozenset())
    return flag_numbers(_integers(answer), n)


def flag_numbers(numbers: list[int], n: int) -> ReadAnswer:
    """Flags the segments that have these 1-based numbers."""
    if not numbers:
        return ReadAnswer(None)
    inside = frozenset(number - 1 for number in numbers if 1 <= number <= n)
    return ReadAnswer(inside, sum(not 1 <= number <= n for number in numbers))


def _integers(text: str) -> list[int]:
    return [
        int(digits[-_LONGEST:]) if len(digits.lstrip("0")) <= _LONGEST else 10**_LONGEST
        for digits in _INTEGER.findall(text)
    ]


def _felm_vicuna(text: str, n: int) -> ReadAnswer:
    r"""Parses as FELM's script for Vicuna does: all numbers count, and 0 is the last segment."""
    if "ALL\\_CORRECT" in text:
        return ReadAnswer(frozenset())
    numbers = [number for number in _integers(text) if number <= n]
    return ReadAnswer(frozenset((number - 1) % n for number in numbers))


def _felm_chat(text: str, n: int) -> ReadAnswer:
    """Parses as FELM's script for chat models does: only numbers after "Answer: " count."""
    if "ALL_CORRECT" in text:
        return ReadAnswer(frozenset())
    listed = text.partition("Answer: ")[2]
    numbers = [number for number in _integers(listed) if 1 <= number <= n]
    return ReadAnswer(frozenset(number - 1 for number in numbers))


#: Readers of raw answers, by name; ``stored`` needs none.
READINGS: Mapping[str, Callable[[str, int], ReadAnswer]] = {
    "strict": read_answer,
    "reasons": partial(read_answer, reasons=True),
    "felm-vicuna": _felm_vicuna,
    "felm-chat": _felm_chat,
}


def read_structured(answer: Mapping[str, Any], n: int) -> ReadAnswer | None:
    """Reads a structured answer; None if its format is unexpected."""
    numbers = answer.get("errors")
    if not isinstance(numbers, list) or not all(
        isinstance(number, int) and not isinstance(number, bool) for number in numbers
    ):
        return None
    return flag_numbers(numbers, n) if numbers else ReadAnswer(frozenset())
