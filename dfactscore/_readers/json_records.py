"""Reads JSON records one by one, also from the logs of lm-eval and Inspect."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._errors import InputError, MissingExtraError
from dfactscore._readers.chats import is_packed, unpacked
from dfactscore._readers.record_fields import FIELDS, RecordError
from dfactscore._text.questions import name_in
from dfactscore._text.thoughts import split_thoughts
from dfactscore._util import jsonl
from dfactscore._util.files import check_regular, check_zip, decode, open_bytes, read_bytes
from dfactscore._util.jsonl import JSONError, raw_decode
from dfactscore._util.message_text import short_repr
from dfactscore._util.tables import columns_as_rows

if TYPE_CHECKING:
    from inspect_ai.log import EvalSample


_SPACE = re.compile(r"[ \t\r\n]*")
_SEPARATOR = re.compile(r"[ \t\r\n]*,[ \t\r\n]*")
# The probable start of the next record in an array after a broken one.
_RESTART = re.compile(r"\}[ \t\r\n]*,[ \t\r\n]*(?=\{)")


@dataclass(frozen=True, slots=True)
class BrokenItem:
    """A record that is not valid JSON."""

    reason: str


def object_of(item: Any) -> Mapping[str, Any]:
    """Checks that a record is a JSON object."""
    if isinstance(item, BrokenItem):
        raise RecordError("", item.reason)
    if not isinstance(item, Mapping):
        raise RecordError("", f"expected an object, found {short_repr(item)}")
    return item


def iter_lines(source: Path | Iterable[bytes]) -> Iterator[tuple[int, Any]]:
    """Yields the record on each nonblank line, with the line number."""
    if isinstance(source, Path) and (objects := _printed(source)) is not None:
        yield from objects
        return
    for line in jsonl.iter_lines(source, error=InputError):
        try:
            yield line.number, jsonl.parse_json(line.raw, missing=True)
        except JSONError as error:
            yield line.number, BrokenItem(str(error))


def _printed(path: Path) -> Iterator[tuple[int, Any]] | None:
    """Returns the records of a file whose objects take several lines each, or of one list."""
    with open_bytes(path, error=InputError) as file:
        first = next((line for line in file if line.strip(b" \t\r\n\xef\xbb\xbf\x00")), b"")
        first = first.removeprefix(b"\xef\xbb\xbf").strip()
        second = next((line for line in file if line.strip()), b"").strip()
    if first == b"[" or (first[:1] == b"[" and first[-1:] == b"," and first[1:2] == b"{"):
        return iter_array(read_bytes(path, error=InputError), path)
    if first != b"{" or second[:1] != b'"':
        return None
    return _objects(decode(read_bytes(path, error=InputError), path, error=InputError))


def _objects(text: str) -> Iterator[tuple[int, Any]]:
    lines, position = _LineNumbers(text), _skip(text.removeprefix("\ufeff"), 0)
    while position < len(text):
        line = lines.at(position)
        try:
            item, position = raw_decode(text, position, missing=True)
        except JSONError as error:
            yield error.line, BrokenItem(str(error))
            return
        yield line, item
        position = _skip(text, position)


def iter_array(
    data: bytes,
    path: Path,
    *,
    whole: bool = False,  # whether an object without a known list is a record
) -> Iterator[tuple[int, Any]]:
    """Yields the records of a JSON array, or of the array under ``"data"``, with line numbers.

    The number is that of the line on which the record starts or, if it is broken, on which the
    error occurs. After a broken record, reading continues with the next recognizable record.
    """
    text = decode(data.rstrip(b" \t\r\n"), path, error=InputError)
    start = _array_start(text, path, whole=whole)
    if not isinstance(start, int):
        yield from ((1, row) for row in start)
        return
    position = start
    lines = _LineNumbers(text)
    while True:
        position = _skip(text, position)
        if text[position : position + 1] == "]":
            return
        line = lines.at(position)
        if position >= len(text):
            yield line, BrokenItem("the file ends within the list: it is cut short")
            return
        try:
            item, position = raw_decode(text, position, missing=True)
        except JSONError as error:
            restart = _RESTART.search(text, position)
            cut = "" if restart else "; the file may be cut short"
            yield error.line, BrokenItem(f"{error.reason}{cut}")
            if restart is None:
                return
            position = restart.end()
            continue
        yield line, item
        separator = _SEPARATOR.match(text, position)
        position = separator.end() if separator else _skip(text, position)
        if not separator and text[position : position + 1] not in ("]", ""):
            yield lines.at(position), BrokenItem("expected ',' or ']' between two records")
            return


class _LineNumbers:
    """Computes line numbers for ascending positions in a single pass over the text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0
        self._line = 1

    def at(self, position: int) -> int:
        if position < self._position:
            return self._text.count("\n", 0, position) + 1
        self._line += self._text.count("\n", self._position, position)
        self._position = position
        return self._line


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


# Keys under which files list their records, if the whole is not a record itself.
_LISTS = (
    "results", "records", "rows", "samples", "examples", "items", "biographies", "answers",
    "predictions", "test_cases", "testCases", "runs", "traces",
)  # fmt: skip


def _rows_of_object(value: Mapping[str, Any]) -> list[Any] | None:
    """Returns the records in an object, in any orientation of pandas; None if there are none."""
    if isinstance(value.get("columns"), list) and isinstance(value.get("data"), list):
        names = [str(name) for name in value["columns"]]
        cells = [row if isinstance(row, list) else [] for row in value["data"]]
        return [dict(zip(names, row, strict=False)) for row in cells]
    texts, names_of = FIELDS["text"], (*FIELDS["name"], *FIELDS["passages"])
    if any(name in value for name in texts) and any(name in value for name in names_of):
        columns = columns_as_rows(value)
        if isinstance(columns, list):
            return columns
        parts = [part for part in value.values() if isinstance(part, Mapping)]
        if len(parts) == len(value) and len({frozenset(part) for part in parts}) == 1:
            return [{name: value[name][key] for name in value} for key in parts[0]]
        return [value]
    for name in _LISTS:
        rows = value.get(name)
        if isinstance(rows, list) and rows and all(isinstance(row, Mapping) for row in rows):
            inner = [row["row"] if isinstance(row.get("row"), Mapping) else row for row in rows]
            return inner  # the rows of the hub's API are numbered
    rows = [*value.values()]
    if rows and all(isinstance(row, Mapping) and {*map(str, row)} & {*texts} for row in rows):
        return [{"id": key, **row} for key, row in value.items()]
    return [value] if is_packed(value) and any(n in unpacked(value) for n in texts) else None


def _array_start(text: str, path: Path, *, whole: bool) -> int | list[Any]:
    """Returns the position after the ``[`` of the records, or the records of an object."""
    start = _skip(text, 0)
    if text[start : start + 1] == "[":
        return start + 1
    if text[start : start + 1] != "{":
        raise InputError(f"{path}:1: expected a list of records or {{'data': [...]}}")
    position = _skip(text, start + 1)
    keys: list[str] = []
    try:
        while text[position : position + 1] == '"':
            key, position = raw_decode(text, position)
            position = _skip(text, position)
            if text[position : position + 1] != ":":
                break
            position = _skip(text, position + 1)
            lists = key == "data" and "columns" not in keys
            if lists and text[position : position + 1] == "[":
                return position + 1
            keys.append(str(key))
            _, position = raw_decode(text, position, missing=True)
            separator = _SEPARATOR.match(text, position)
            position = separator.end() if separator else len(text)
    except JSONError as error:
        raise InputError(f"{path}:{error.line}: {error}") from None
    with contextlib.suppress(JSONError):
        value = raw_decode(text, start, missing=True)[0]
        if (rows := _rows_of_object(value)) is not None or whole:
            return [value] if rows is None else rows
    key_list = ", ".join(keys[:8]) or "none"
    raise InputError(f"{path}: expected a list under the key 'data'; found keys: {key_list}")


_HEAD = 4096


def need_inspect() -> None:
    """Checks that Inspect is installed."""
    try:
        import inspect_ai  # noqa: F401
    except ImportError:
        raise MissingExtraError("Inspect", "inspect") from None


def is_inspect_log(data: bytes) -> bool:
    """Whether JSON data is an Inspect log, judging by its first characters."""
    head = data[:_HEAD]
    return head.lstrip().startswith(b"{") and all(
        key in head for key in (b'"eval"', b'"version"', b'"task_id"')
    )


def read_log(path: Path) -> Iterator[tuple[int, Any]]:
    """Yields the answers in a log as records, along with the number of each sample.

    The id is the sample's id. If a sample has several answers (epochs, choices), the id is
    ``id#epoch.choice``.
    """
    need_inspect()
    check_regular(path, error=InputError)
    check_zip(path, path, error=InputError)
    from inspect_ai.log import read_eval_log

    try:
        log = read_eval_log(str(path), resolve_attachments="core")
    except Exception as error:  # Inspect's readers raise many types of errors
        raise InputError(f"{path}: is not a log that Inspect can read ({error})") from None
    if not log.samples:
        raise InputError(f"{path}: contains no samples (status {log.status!r})")
    epochs = max(sample.epoch for sample in log.samples)
    for number, sample in enumerate(log.samples, start=1):
        if sample.error is not None:
            reason = f"sample {sample.id} ended with an error: {sample.error.message}"
            yield number, BrokenItem(reason)
            continue
        for record in _answers(sample, several_epochs=epochs > 1):
            yield number, {**record, "model": log.eval.model}


def _answers(sample: EvalSample, *, several_epochs: bool) -> Iterator[dict[str, Any]]:
    choices = sample.output.choices
    texts = [choice.message.text for choice in choices] or [""]
    question = sample.input if isinstance(sample.input, str) else sample.input[-1].text
    name = sample.metadata.get("name") or name_in(question)
    for number, text in enumerate(texts, start=1):
        place = f"#{sample.epoch}" if several_epochs else ""
        place += f".{number}" if len(texts) > 1 else ""
        record = {**sample.metadata, "id": f"{sample.id}{place}", "text": text}
        yield record if name is None else {**record, "name": name}


def answers_of(responses: Any) -> list[str]:
    """Returns the answers for one document, however deeply nested; null counts as an empty answer.

    Example:
        >>> answers_of([["one", "two"]]), answers_of(["three"]), answers_of([[None]])
        (['one', 'two'], ['three'], [''])
    """
    if isinstance(responses, (list, tuple)):
        return [text for response in responses for text in answers_of(response)]
    return ["" if responses is None else str(responses)]


def unpack_samples(items: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    """Converts lm-eval samples to one record per answer; yields other items unchanged.

    The fields of ``doc`` become fields of the record. The id is the document's id or, if it has
    none, the document's number; if there are several answers, their ids are ``id.1``, ``id.2`` and
    so on. lm-eval repeats a sample for each filter; only the first copy is read. If its filter
    preserves whole answers (for instance, if it only removes reasoning), the filtered answers are
    read.

    Example:
        >>> sample = {"doc_id": 3, "doc": {"name": "Ann Lee"}, "resps": [["She sang.", "Sorry."]]}
        >>> [record["id"] for _, record in unpack_samples([(1, sample)])]
        ['3.1', '3.2']
    """
    filters: dict[Any, Any] = {}
    for line, item in items:
        if not _is_sample(item):
            yield line, item
            continue
        first = filters.setdefault(item.get("doc_id"), item.get("filter"))
        if item.get("filter") != first:
            continue
        doc = item["doc"]
        id = doc.get("id", item.get("doc_id", line))
        texts = _texts(item)
        for number, text in enumerate(texts, start=1):
            place = f".{number}" if len(texts) > 1 else ""
            yield line, {**doc, "id": f"{id}{place}", "text": text}


def _texts(item: Mapping[str, Any]) -> list[str]:
    """Returns the filtered answers if the filter preserves whole answers, else the responses."""
    texts = answers_of(item["resps"])
    filtered = answers_of(item.get("filtered_resps") or [])
    pairs = zip(filtered, texts, strict=True) if len(filtered) == len(texts) else ()
    whole_answers = [answer for answer, text in pairs if _is_preserved(answer, text)]
    return whole_answers if len(whole_answers) == len(texts) else texts


def _is_preserved(filtered: str, response: str) -> bool:
    """Whether a filter preserved the answer and only removed text before or after it."""
    answer = split_thoughts(response).text.strip()
    remainder, original = (" ".join(text.split()) for text in (filtered, response))
    return remainder != "" and remainder in original and len(remainder) * 2 > len(answer)


def _is_sample(item: Any) -> bool:
    return (
        isinstance(item, Mapping)
        and isinstance(item.get("doc"), Mapping)
        and isinstance(item.get("resps"), list)
    )
