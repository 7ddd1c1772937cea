"""Biographies from the samples that lm-eval logs (``--log_samples``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from dfactscore._text.thoughts import split_thoughts


def answers_of(responses: Any) -> list[str]:
    """The answers of one document, however lm-eval nests them; none at all is an empty one.

    Example:
        >>> answers_of([["one", "two"]]), answers_of(["three"]), answers_of([[None]])
        (['one', 'two'], ['three'], [''])
    """
    if isinstance(responses, (list, tuple)):
        return [text for one in responses for text in answers_of(one)]
    return ["" if responses is None else str(responses)]


def unpack_samples(items: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    """Makes a record of each answer where an item is a sample of lm-eval; passes others on.

    The fields of ``doc`` become those of the record. The id is the document's own, else its number;
    of several answers ``id.1``, ``id.2``. Those of another filter on the same document are skipped:
    the answers are the same. If the filter keeps whole answers, as one that takes thoughts
    off, they are read as it left them.

    Args:
        items: Records with the lines on which they begin.

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
        texts = _whole(item)
        for number, text in enumerate(texts, start=1):
            place = f".{number}" if len(texts) > 1 else ""
            yield line, {**doc, "id": f"{id}{place}", "text": text}


def _whole(item: Mapping[str, Any]) -> list[str]:
    """The answers as the task's filter left them, if it keeps them whole; else as they came."""
    texts = answers_of(item["resps"])
    filtered = answers_of(item.get("filtered_resps") or [])
    pairs = zip(filtered, texts, strict=True) if len(filtered) == len(texts) else ()
    kept = [one for one, whole in pairs if _keeps(one, whole)]
    return kept if len(kept) == len(texts) else texts


def _keeps(filtered: str, whole: str) -> bool:
    """Whether what a filter left is the answer: the removed text was before or after it."""
    answer = split_thoughts(whole).text.strip()
    left, said = (" ".join(text.split()) for text in (filtered, whole))
    return left != "" and left in said and len(left) * 2 > len(answer)


def _is_sample(item: Any) -> bool:
    return (
        isinstance(item, Mapping)
        and isinstance(item.get("doc"), Mapping)
        and isinstance(item.get("resps"), list)
    )
