"""FACTOR items: a prefix, its true completion, and false variants of that completion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

MOST = 7


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A false completion.

    Attributes:
        text: The text.
        type: The type of change, such as ``"entity"`` or ``"circumstance"``; may be empty.
        kind: In AmbigFACTOR, whether the fact is true of a ``"namesake"`` or a ``"stranger"``;
            otherwise empty.
        of: The title of the page of that namesake or stranger, or empty.
        extra: Other fields of the file.
    """

    text: str
    type: str = ""
    kind: str = ""
    of: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FactorItem:
    """A question for a model: which completion is likelier?

    Attributes:
        id: An id that is unique within the file.
        document: The document that the item comes from; intervals are based on resampling
            documents.
        prefix: The text before the completions; may be empty.
        completion: The true completion.
        contradictions: 1 to 7 false completions.
        extra: Other fields of the file, which are copied to the results.
    """

    id: str
    document: str
    prefix: str
    completion: str
    contradictions: tuple[Contradiction, ...]
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def completions(self) -> tuple[str, ...]:
        """The true completion, followed by the false ones."""
        return (self.completion, *(contradiction.text for contradiction in self.contradictions))

    @property
    def cluster(self) -> str:
        """The unit of resampling: all items with the same name or document, or the item itself."""
        return str(self.extra.get("name") or self.document or self.id)


def join(prefix: str, completion: str) -> tuple[str, str]:
    r"""Splits a prefix and a completion into the context and the continuation.

    White space at the start of the completion is removed. A space at the end of the prefix is moved
    to the completion, as in FACTOR's script; a line break stays in the context.

    Example:
        >>> join("He was born in ", " Oslo.")
        ('He was born in', ' Oslo.')
        >>> join("Answer:", " Oslo.")
        ('Answer:', 'Oslo.')
        >>> join("He was born.\n", "Oslo was his home.")
        ('He was born.\n', 'Oslo was his home.')
    """
    text = completion.lstrip()
    if prefix.endswith(" "):
        return prefix[:-1], f" {text}"
    return prefix, text


def item_fault(item: FactorItem) -> str:
    """Why an item is unusable; empty if it is usable."""
    texts = [text.strip() for text in item.completions]
    if not texts[0]:
        return "its completion is empty"
    for number, text in enumerate(texts[1:]):
        if not text:
            return f"its contradiction {number} is empty"
    if not 1 <= len(item.contradictions) <= MOST:
        return f"it has {len(item.contradictions)} contradictions; 1 to {MOST} can be used"
    if len(set(texts)) == 1:
        return "all of its completions are equal"
    if texts[0] in texts[1:]:
        return f"its contradiction {texts[1:].index(texts[0])} is the true completion"
    return ""


def item_record(item: FactorItem) -> dict[str, Any]:
    """An item as a line in dfactscore's JSONL format."""
    false = []
    for contradiction in item.contradictions:
        named = {"type": contradiction.type, "kind": contradiction.kind, "of": contradiction.of}
        false.append(
            {
                "text": contradiction.text,
                **{k: v for k, v in named.items() if v},
                **contradiction.extra,
            }
        )
    return {
        "id": item.id,
        "document": item.document,
        "prefix": item.prefix,
        "completion": item.completion,
        "contradictions": false,
        **item.extra,
    }
