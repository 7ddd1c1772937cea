"""Reads records from the logs of lm-eval and Inspect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._errors import InputError, MissingExtraError
from dfactscore._readers.record_fields import RecordError
from dfactscore._text.questions import name_in
from dfactscore._text.thoughts import split_thoughts
from dfactscore._util.files import check_regular, check_zip
from dfactscore._util.json_rows import BrokenItem
from dfactscore._util.message_text import short_repr

if TYPE_CHECKING:
    from inspect_ai.log import EvalSample


def object_of(item: Any) -> Mapping[str, Any]:
    """Checks that a record is a JSON object."""
    if isinstance(item, BrokenItem):
        raise RecordError("", item.reason)
    if not isinstance(item, Mapping):
        raise RecordError("", f"expected an object, found {short_repr(item)}")
    return item


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
    """Converts samples of lm-eval and SAFE to a record per answer; yields other items unchanged.

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
        if isinstance(item, Mapping) and not {*_SIDES}.isdisjoint(item):
            yield from _sides(line, item)
            continue
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


# The responses of two models to a prompt, in the released results of SAFE.
_SIDES = ("side1_response", "side2_response")


def _sides(line: int, row: Mapping[str, Any]) -> Iterator[tuple[int, Any]]:
    for side, field in enumerate(_SIDES, start=1):
        if row.get(field) is not None:
            record = {"id": f"{line - 1}-side{side}", "model": f"side{side}"}
            yield line, {**record, "prompt": row.get("prompt"), "response": row[field]}


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
