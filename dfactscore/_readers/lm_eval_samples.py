"""Reads biographies from samples logged by lm-eval (``--log_samples``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from dfactscore._text.thoughts import split_thoughts


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
