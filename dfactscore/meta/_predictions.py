"""Parses answers that list wrong segments, and reads predictions made by other programs."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError
from dfactscore._readers.files import iter_items
from dfactscore._readers.harness_logs import object_of
from dfactscore._readers.record_fields import RecordError
from dfactscore._util.files import read_bytes
from dfactscore._util.message_text import near_miss, short_repr
from dfactscore._util.numbers import counted, is_probability
from dfactscore.meta._data_sets import DataSet, Item
from dfactscore.meta._judgements import Judgement, Opinion
from dfactscore.meta._option_types import Reading

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


#: FELM's segment codes: whether the segment is flagged, and whether its label is "right".
_WORDS = {"TN": (True, False), "TP": (False, True), "FP": (False, False), "FN": (True, True)}
_SHOWN = 5


@dataclass(frozen=True)
class Predictions:
    """Predictions for labeled data."""

    # One opinion per item, by set; None for items without a prediction.
    opinions: Sequence[Sequence[Opinion | None]]
    missing: tuple[str, ...]
    unknown: int
    digest: str

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the reader, one line each."""
        notes = []
        if self.missing:
            others = f" and {len(self.missing) - _SHOWN} more" if len(self.missing) > _SHOWN else ""
            keys = ", ".join(self.missing[:_SHOWN])
            count = counted(len(self.missing), "response")
            notes.append(f"{count} without a prediction: {keys}{others}")
        if self.unknown:
            verb = "is" if self.unknown == 1 else "are"
            count = counted(self.unknown, "prediction")
            notes.append(f"{count} {verb} for responses that are not in the data")
        return tuple(notes)


def read_predictions(
    path: Path, data: Sequence[DataSet], reading: Reading = "strict"
) -> Predictions:
    """Reads predictions and matches them to items."""
    # `path`: JSON lines `{id, flagged | answer, probability?, domain?}`, or a CSV file written by
    # FELM's script.
    # `reading`: the reader for raw answers; `"stored"` uses the CSV file's `res` column.
    content = read_bytes(path, error=InputError)
    if not content.strip():
        raise InputError(f"{path}: the file is empty")
    opinions: list[list[Opinion | None]] = [[None] * len(data_set.items) for data_set in data]
    places = _places(data)
    unknown: list[str] = []
    table = path.suffix.lower() in (".csv", ".tsv")
    for line, value in iter_items(path, content):
        try:
            record = object_of(value)
            place = _find(record, places)
            if place is None:
                unknown.append(str(record.get("id")))
                continue
            item = data[place[0]].items[place[1]]
            if opinions[place[0]][place[1]] is not None:
                raise RecordError("id", f"{item.id!r} has a prediction already")
            prediction = (
                _of_row(record, item, reading) if table else _of_json(record, item, reading)
            )
            opinions[place[0]][place[1]] = prediction
        except RecordError as error:
            raise InputError(f"{path}:{line}: {error}") from None
    if all(opinion is None for set_opinions in opinions for opinion in set_opinions):
        if not unknown:
            raise InputError(f"{path}: contains no predictions")
        near = near_miss(unknown[0], [item.id for data_set in data for item in data_set.items])
        raise InputError(
            f"{path}: no prediction is for the data (the first is {unknown[0]!r}{near})"
        )
    missing = tuple(
        data_set.key(item)
        for data_set, set_opinions in zip(data, opinions, strict=True)
        for item, opinion in zip(data_set.items, set_opinions, strict=True)
        if opinion is None
    )
    return Predictions(opinions, missing, len(unknown), hashlib.sha256(content).hexdigest())


Place = tuple[int, int]


def _places(data: Sequence[DataSet]) -> dict[str, list[tuple[str, Place]]]:
    """The group and position of each item with a given id, by id."""
    places: dict[str, list[tuple[str, Place]]] = {}
    for number, data_set in enumerate(data):
        for place, item in enumerate(data_set.items):
            places.setdefault(item.id, []).append((item.group, (number, place)))
    return places


def _find(record: Mapping[str, Any], places: Mapping[str, list[tuple[str, Place]]]) -> Place | None:
    identity = record.get("id")
    if not isinstance(identity, (str, int)) or isinstance(identity, bool):
        raise RecordError("id", f"expected a text, found {short_repr(identity)}")
    candidates = places.get(str(identity), [])
    domain = record.get("domain") or record.get("dataset")
    matches = [place for group, place in candidates if group == domain]
    if len(matches) == 1:
        return matches[0]
    if isinstance(domain, str) and record.get("domain"):
        return None
    if len(candidates) > 1:
        groups = ", ".join(group for group, _ in candidates)
        raise RecordError("domain", f"the id {identity!r} is in several domains: {groups}")
    return candidates[0][1] if candidates else None


def _of_json(record: Mapping[str, Any], item: Item, reading: Reading) -> Opinion:
    n = len(item.segments)
    chances = record.get("probability")
    if chances is not None and (
        not isinstance(chances, list)
        or len(chances) != n
        or not all(p is None or is_probability(p) for p in chances)
    ):
        raise RecordError(
            "probability", f"expected {n} numbers from 0 to 1, found {short_repr(chances)}"
        )
    values = [None] * n if chances is None else chances
    flagged, answer = record.get("flagged"), record.get("answer")
    if isinstance(flagged, list):
        if len(flagged) != n or not all(v is None or isinstance(v, bool) for v in flagged):
            raise RecordError(
                "flagged", f"expected {n} of true, false or null, found {short_repr(flagged)}"
            )
        return Opinion(
            tuple(
                Judgement(flag, p, "unread" if flag is None else "read")
                for flag, p in zip(flagged, values, strict=True)
            )
        )
    if not isinstance(answer, str):
        raise RecordError("answer", "expected 'flagged', a list, or 'answer', a text")
    if reading == "stored":
        raise RecordError("flagged", "is missing; --reading stored does not read answers")
    return _opinion(READINGS[reading](answer, n), values)


def _of_row(record: Mapping[str, Any], item: Item, reading: Reading) -> Opinion:
    n = len(item.segments)
    labels = _literal(record, "label")
    truth = [not segment.error for segment in item.segments]
    if [bool(label) for label in labels] != truth or len(labels) != n:
        raise RecordError(
            "label", f"expected {short_repr(truth)} as in the data, found {short_repr(labels)}"
        )
    if reading != "stored":
        answer = record.get("gen")
        return _opinion(READINGS[reading]("" if answer is None else str(answer), n), [None] * n)
    words = _literal(record, "res")
    if len(words) != n or not all(isinstance(word, str) and word in _WORDS for word in words):
        known = ", ".join(_WORDS)
        raise RecordError("res", f"expected {n} of {known}, found {short_repr(words)}")
    for word, right in zip(words, truth, strict=True):
        if _WORDS[word][1] != right:
            kind = "right" if right else "error"
            raise RecordError("res", f"{word} for a segment with the label {kind}")
    return Opinion(tuple(Judgement(_WORDS[word][0]) for word in words))


def _literal(record: Mapping[str, Any], name: str) -> list[Any]:
    """Parses a cell that contains a Python list, without executing it."""
    text = record.get(name)
    try:
        value = ast.literal_eval(str(text).strip())
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise RecordError(name, f"expected a list, found {short_repr(text)}") from None
    if not isinstance(value, list):
        raise RecordError(name, f"expected a list, found {short_repr(text)}")
    return value


def _opinion(read: ReadAnswer, values: Sequence[float | None]) -> Opinion:
    flagged = read.flagged
    if flagged is None:
        return Opinion(tuple(Judgement(None, p, "unread") for p in values), read.out_of_range)
    judgements = (Judgement(i in flagged, p) for i, p in enumerate(values))
    return Opinion(tuple(judgements), read.out_of_range)
