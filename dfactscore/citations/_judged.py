"""Recomputes citation recall and precision from existing judgments."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from dfactscore._errors import InputError
from dfactscore._util.jsonl import iter_lines
from dfactscore.citations._scores import (
    MAX_CITATIONS,
    CitationScore,
    Outcome,
    SentenceScore,
    Status,
    status_of,
)


def read_judged(path: str | Path, *, n_passages: int = 5) -> list[CitationScore]:
    """Reads a JSONL file of judged sentences, one paragraph per line.

    A line is ``{"name": ..., "sentences": [{"text": ..., "citations": [1, 2], "entailed": true,
    "precise": [true, false]}]}``. ``entailed`` is null or absent if no passage is cited or
    the answer was unreadable; ``precise`` is optional. ``dfactscore citations --out`` writes this
    format and includes ``n_passages`` in each line.

    Args:
        path: The file.
        n_passages: The number of passages that can be cited, for lines that do not give this
            number. A sentence that cites a larger number has recall 0.

    Raises:
        InputError: If a line does not have this format; the message names the line and the field.
    """
    source = Path(path)
    scores = []
    for line in iter_lines(source, error=InputError):
        record = line.value(error=InputError)
        scores.append(_paragraph(record, line.where, n_passages, default_id=str(line.number)))
    if not scores:
        raise InputError(f"{source}: no judged paragraphs in it")
    return scores


def _paragraph(record: Any, where: str, n_passages: int, *, default_id: str) -> CitationScore:
    if not isinstance(record, Mapping) or not isinstance(record.get("sentences"), list):
        raise InputError(
            f'{where}: expected an object with a list "sentences"'
            + (f"; found keys {sorted(record)}" if isinstance(record, Mapping) else "")
        )
    limit = _int(record.get("n_passages", n_passages), f'{where}, field "n_passages"')
    sentences = tuple(
        _sentence(item, f"{where}, sentence {i}", limit)
        for i, item in enumerate(record["sentences"], 1)
    )
    written = record.get("status") or ("scored" if sentences else "empty")
    status = next((known for known in get_args(Status) if known == written), None)
    if status is None:
        raise InputError(f'{where}, field "status": {written!r} is not scored, abstained or empty')
    if status == "scored" and not sentences:
        raise InputError(f'{where}: status "scored", but "sentences" is empty')
    return CitationScore(
        id=str(record.get("id", default_id)),
        name=str(record.get("name", "")),
        sentences=sentences,
        status=status_of(sentences, status),
        n_passages=limit,
    )


def _sentence(item: Any, where: str, n_passages: int) -> SentenceScore:
    if not isinstance(item, Mapping):
        raise InputError(f"{where}: expected an object, found {item!r}")
    cited = item.get("citations")
    if not isinstance(cited, list):
        raise InputError(f'{where}, field "citations": expected a list of numbers, found {cited!r}')
    numbers = tuple(_int(n, f'{where}, field "citations"') for n in cited)
    entailed = item.get("entailed")
    if entailed not in (None, True, False):
        raise InputError(f'{where}, field "entailed": {entailed!r} is not true, false or null')
    outcome = _outcome(numbers, entailed, n_passages)
    precise = item.get("precise")
    read = min(len(numbers), MAX_CITATIONS)
    flags: tuple[bool, ...] | None
    if precise is None:
        certain = outcome != "entailed" or read == 1
        flags = (outcome == "entailed",) * read if certain else None
    elif (
        isinstance(precise, list)
        and len(precise) == read
        and all(flag in (True, False) for flag in precise)
    ):
        flags = tuple(bool(flag) and outcome == "entailed" for flag in precise)
    else:
        raise InputError(
            f'{where}, field "precise": {precise!r} needs true or false for each of the first '
            f"{MAX_CITATIONS} citations"
        )
    return SentenceScore(str(item.get("text", "")), numbers, outcome, flags)


def _outcome(numbers: tuple[int, ...], entailed: bool | None, n_passages: int) -> Outcome:
    if not numbers:
        return "uncited"
    if any(not 1 <= n <= n_passages for n in numbers):
        return "no_such_passage"
    if entailed is None:
        return "unreadable"
    return "entailed" if entailed else "not_entailed"


def _int(value: Any, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(f"{where}: {value!r} is not a whole number")
    return value
