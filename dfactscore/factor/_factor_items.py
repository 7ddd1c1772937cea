"""FACTOR items: a prefix, the true completion and false variants of it."""

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
        type: The type of change (``"entity"``, ``"circumstance"`` ...), or empty.
        kind: The owner of the fact in AmbigFACTOR: ``"namesake"`` or ``"stranger"``; else empty.
        of: The owner's name, or empty.
        extra: Further fields of the file.
    """

    text: str
    type: str = ""
    kind: str = ""
    of: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FactorItem:
    """One question to a model: which completion is likelier?

    Attributes:
        id: Unique within its file.
        document: The document that it comes from; items of one document are drawn together.
        prefix: The text before; it may be empty.
        completion: The true completion.
        contradictions: 1 to 7 false ones.
        extra: Further fields of the file, carried along.
    """

    id: str
    document: str
    prefix: str
    completion: str
    contradictions: tuple[Contradiction, ...]
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def completions(self) -> tuple[str, ...]:
        """The true completion, then the false ones."""
        return (self.completion, *(one.text for one in self.contradictions))

    @property
    def cluster(self) -> str:
        """Sampling unit: items about one name, else of one document, else one by one."""
        return str(self.extra.get("name") or self.document or self.id)


def join(prefix: str, completion: str) -> tuple[str, str]:
    r"""Context and continuation of a prefix and a completion.

    White space that a completion begins with goes; where the prefix ends in a blank, that one opens
    the completion; otherwise both are joined unchanged. As in FACTOR's script, nothing but a
    blank is moved: a line break that ends a prefix is context, and no token of the completion.

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
    """The reason why an item is unusable, or empty."""
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
    """An item as a line of our JSONL."""
    false = []
    for one in item.contradictions:
        named = {"type": one.type, "kind": one.kind, "of": one.of}
        false.append({"text": one.text, **{k: v for k, v in named.items() if v}, **one.extra})
    return {
        "id": item.id,
        "document": item.document,
        "prefix": item.prefix,
        "completion": item.completion,
        "contradictions": false,
        **item.extra,
    }
