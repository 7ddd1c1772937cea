"""Puts pages before the prefix: the target's, its namesakes', both, or retrieved ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from dfactscore._errors import InputError
from dfactscore.factor._contexts import ItemReading
from dfactscore.factor._factor_items import FactorItem
from dfactscore.retrieval import Page

if TYPE_CHECKING:
    from dfactscore.retrieval import Retriever


CONTEXTS = ("none", "gold", "namesakes", "all", "retrieved")
NEED_PAGES = frozenset({"gold", "namesakes", "all"})
_PASSAGES = 5


def readings_in(
    contexts: Sequence[str], pages: Mapping[str, Page], retriever: Retriever | None
) -> Callable[[FactorItem], Sequence[ItemReading]]:
    """Returns a function that reads an item in several contexts."""
    # `contexts`: `"none"`, `"gold"`, `"namesakes"`, `"all"`, `"retrieved"` and `"prior"` (the same
    # completions following just the name).

    def read(item: FactorItem) -> list[ItemReading]:
        return [reading for name in contexts for reading in _readings(item, name, pages, retriever)]

    return read


def _readings(
    item: FactorItem, context: str, pages: Mapping[str, Page], retriever: Retriever | None
) -> list[ItemReading]:
    if context == "none":
        return [ItemReading(item)]
    if context == "prior":
        return [ItemReading(item, "prior", prefix=f"{item.extra.get('name', '')}\n")]
    if context == "retrieved":
        assert retriever is not None
        (hits,) = retriever.search_names([_named(item, "name")], _PASSAGES)
        passages = [(hit.passage.title, hit.passage.text) for hit in hits]
        return [_reading(item, context, "", passages)]
    target = _page(item, _named(item, "title"), pages)
    namesakes = item.extra.get("namesakes")
    if context != "gold" and not isinstance(namesakes, list):
        raise InputError(f"item {item.id!r}: --before {context} needs its field 'namesakes'")
    of_namesakes = [_page(item, str(title), pages) for title in namesakes or []]
    if context == "gold":
        return [_reading(item, context, "", [target])]
    if context == "namesakes":
        return [_reading(item, context, "", of_namesakes)]
    readings = [
        _reading(item, "all", "first", [target, *of_namesakes]),
        _reading(item, "all", "last", [*of_namesakes, target]),
    ]
    if len(of_namesakes) >= 2:
        half = len(of_namesakes) // 2
        middle = [*of_namesakes[:half], target, *of_namesakes[half:]]
        readings.insert(1, _reading(item, "all", "middle", middle))
    return readings


def _named(item: FactorItem, field: str) -> str:
    value = item.extra.get(field)
    if not isinstance(value, str) or not value:
        raise InputError(f"item {item.id!r}: has no field {field!r}, which this --before needs")
    return value


def _page(item: FactorItem, title: str, pages: Mapping[str, Page]) -> tuple[str, str]:
    if title not in pages:
        raise InputError(f"item {item.id!r}: no page is called {title!r}")
    return title, pages[title].text


def _reading(
    item: FactorItem, context: str, position: str, pages: Sequence[tuple[str, str]]
) -> ItemReading:
    front = "".join(f"{title}\n{text.strip()}\n\n" for title, text in pages)
    return ItemReading(item, context, position, front, tuple(title for title, _ in pages))
