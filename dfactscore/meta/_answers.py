r"""Parses answers that name wrong segments: strictly, and as FELM's scripts did."""

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
_LONGEST = 18  # digits; Python converts no number of thousands of them


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """Segments that an answer flags.

    Attributes:
        flagged: Places of the segments, 0-based; None if the answer names neither a segment
            nor that all are right.
        out_of_range: Numbers in it that match no segment.
    """

    flagged: frozenset[int] | None
    out_of_range: int = 0


def read_answer(text: str, n: int, *, reasons: bool = False) -> ReadAnswer:
    r"""Reads free text: numbers of wrong segments, or ALL_CORRECT.

    The text ends at the first mark by which models end theirs. Of what is left the first line that
    is not empty counts: the text after a model's answer is often questions and answers of
    its own making. If it gives reasons first, the first line that begins with "Answer" does.

    Args:
        text: The answer.
        n: Number of segments.
        reasons: Whether reasons may be before the answer.

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
        line = next((one for one in lines if one.lstrip().startswith("Answer")), line)
    said = _LABEL.sub("", line)
    plain = said.replace("\\", "")
    if "ALL" in plain and "CORRECT" in plain:
        return ReadAnswer(frozenset())
    return numbers_said(_integers(said), n)


def numbers_said(numbers: list[int], n: int) -> ReadAnswer:
    """Segments with these 1-based numbers."""
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
    r"""As FELM's script for Vicuna: every number of the whole answer, 0 being the last segment."""
    if "ALL\\_CORRECT" in text:
        return ReadAnswer(frozenset())
    kept = [number for number in _integers(text) if number <= n]
    return ReadAnswer(frozenset((number - 1) % n for number in kept))


def _felm_chat(text: str, n: int) -> ReadAnswer:
    """As FELM's script for chat models: numbers after "Answer: "."""
    if "ALL_CORRECT" in text:
        return ReadAnswer(frozenset())
    behind = text.partition("Answer: ")[2]
    kept = [number for number in _integers(behind) if 1 <= number <= n]
    return ReadAnswer(frozenset(number - 1 for number in kept))


#: The reader of raw answers, by name; ``stored`` reads none.
READINGS: Mapping[str, Callable[[str, int], ReadAnswer]] = {
    "strict": read_answer,
    "reasons": partial(read_answer, reasons=True),
    "felm-vicuna": _felm_vicuna,
    "felm-chat": _felm_chat,
}


def read_structured(found: Mapping[str, Any], n: int) -> ReadAnswer | None:
    """Segments that a structured answer flags; None if it has another form."""
    numbers = found.get("errors")
    if not isinstance(numbers, list) or not all(
        isinstance(number, int) and not isinstance(number, bool) for number in numbers
    ):
        return None
    return numbers_said(numbers, n) if numbers else ReadAnswer(frozenset())
