"""Reads input for `dfactscore safe`: answers to questions, biographies, or SAFE's output."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError
from dfactscore._readers import BadRecord, Reading, read_biographies
from dfactscore._readers.problems import RecordError
from dfactscore._readers.records import biography_from_record
from dfactscore._readers.shown_text import Cuts, TextChoice
from dfactscore._util.jsonl import read_json

_SIDES = ("side1_response", "side2_response")


def read_texts(path: Path, *, limit: int | None = None, text: TextChoice = "answer") -> Reading:
    """Reads ``{id, prompt, response[, name, model]}``, biographies, or ``per_prompt_data``.

    The two responses to a prompt in a ``per_prompt_data`` file become two texts, attributed to the
    models ``side1`` and ``side2``.
    """
    # `text`: which part of each text to score: only the answer, or the whole text (`"raw"`).
    if path.suffix.lower() == ".json":
        content = read_json(path, error=InputError)
        if isinstance(content, Mapping) and isinstance(content.get("per_prompt_data"), list):
            return _released(path, content, limit, text)
    return read_biographies(path, limit=limit, text=text)


def _released(
    path: Path, content: Mapping[str, Any], limit: int | None, text: TextChoice
) -> Reading:
    good, bad, cuts = [], [], Cuts()
    for number, record in enumerate(_sides(content)):
        if limit is not None and number >= limit:
            break
        try:
            good.append(
                biography_from_record(record, default_id=str(record["id"]), text=text, cuts=cuts)
            )
        except RecordError as error:
            bad.append(BadRecord(path.name, record["line"], str(record["id"]), str(error)))
    if not good:
        raise InputError(f"{path}: per_prompt_data contains no usable response; {bad[:1]}")
    return Reading(tuple(good), tuple(bad), cuts=cuts)


def _sides(content: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for number, row in enumerate(content["per_prompt_data"]):
        if not isinstance(row, Mapping):
            yield {"id": str(number), "line": number + 1}
            continue
        for side, field in enumerate(_SIDES, 1):
            if row.get(field) is not None:
                yield {
                    "id": f"{number}-side{side}",
                    "line": number + 1,
                    "prompt": row.get("prompt"),
                    "response": row[field],
                    "model": f"side{side}",
                }
