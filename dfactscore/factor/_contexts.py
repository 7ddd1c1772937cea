"""The pages of items, and items with a text before the prefix: a passage, or pages of people."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from dfactscore._errors import InputError
from dfactscore._evidence.pages import open_pages
from dfactscore.factor._factor_items import FactorItem, join
from dfactscore.likelihood import Continuation, LikelihoodModel, TokenizingModel
from dfactscore.retrieval import Page, Retriever

if TYPE_CHECKING:
    from dfactscore.retrieval import Passage


_WORD = re.compile(r"(?<!\s)\s*\S+")
_BYTES_A_TOKEN = 3  # fewer than in real texts, so that texts judged by the estimate fit


def all_pages(pages: Any) -> dict[str, Page]:
    """Returns pages by title, sorted by title; documents that share a title are joined."""
    source: Any = open_pages(pages)
    if hasattr(source, "pages"):
        titles = {page.title for page in source.pages()}
    elif hasattr(source, "titles"):
        titles = set(source.titles())
    else:
        raise InputError(f"pages: a {type(source).__name__} does not list its titles")
    pages_by_title = {}
    for title in sorted(titles):
        page = source.lookup(title)
        if isinstance(page, Page) and page.text.strip():
            pages_by_title[title] = page
    if not pages_by_title:
        where = pages if isinstance(pages, (str, Path)) else "the source"
        raise InputError(f"{where}: has no pages with text")
    return pages_by_title


def pages_digest(pages: Mapping[str, Page]) -> str:
    """The SHA-256 of the titles and texts."""
    total = hashlib.sha256()
    for title in sorted(pages):
        total.update(f"{title}\0{pages[title].text}\0".encode("utf-8", "surrogatepass"))
    return total.hexdigest()


@dataclass(frozen=True, slots=True)
class ItemReading:
    """An item and the text before its prefix."""

    item: FactorItem
    context: str = "none"  # type of context, such as `"none"`, `"retrieved"` or `"gold"`
    position: str = ""  # position of the target's page if there are several pages; otherwise empty
    front: str = ""
    passages: tuple[str, ...] = ()
    prefix: str | None = None


async def spans_of(model: LikelihoodModel, text: str) -> Sequence[tuple[int, int]]:
    """The spans of a text's tokens, or of its words if the model returns no spans."""
    if isinstance(model, TokenizingModel):
        return await model.spans(text)
    return [match.span() for match in _WORD.finditer(text)]


async def token_count(model: LikelihoodModel, text: str) -> int:
    """The number of tokens in a text; a high estimate if the model returns no spans."""
    if isinstance(model, TokenizingModel):
        return len(await model.spans(text))
    return len(text.encode("utf-8", "replace")) // _BYTES_A_TOKEN + 1


async def cut_left(model: LikelihoodModel, text: str, tokens: int) -> str:
    """The end of a text, shortened to at most the given number of tokens."""
    if tokens <= 0:
        return ""
    if isinstance(model, TokenizingModel):
        spans = await model.spans(text)
        return text if len(spans) <= tokens else text[spans[-tokens][0] :]
    while text and await token_count(model, text) > tokens:
        match = _WORD.match(text)
        text = text[match.end() :] if match else ""
    return text


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


Exclude = Literal["document", "title", "none"]
_DEPTH = 20  # passages searched to find one from another document


@dataclass(frozen=True)
class Retrieval:
    """Options for retrieving passages."""

    retriever: Retriever
    query_tokens: int = 32
    doc_tokens: int = 256  # maximum number of tokens in a passage, including its title
    # Which passages to exclude: those whose id or title is the item's document (`"document"`),
    # those with the item's title (`"title"`), or `"none"`.
    exclude: Exclude = "document"
    stride: int | None = None


def open_retrieval(folder: Path, **options: object) -> Retrieval:
    """Opens an index."""
    return Retrieval(Retriever(folder), **options)  # type: ignore[arg-type]


def _is_excluded(item: FactorItem, passage: Passage, exclude: Exclude) -> bool:
    """Whether a passage is excluded for an item."""
    if exclude == "none":
        return False
    title = str(item.extra.get("title") or item.document)
    if exclude == "title":
        return passage.title == title
    names = {item.document, title} - {""}
    # A numeric id is a position in the index, not the id of a document.
    return passage.title in names or (not passage.id.isdigit() and passage.id in names)


async def retrieve(
    model: LikelihoodModel, retrieval: Retrieval, item: FactorItem, text_before: str
) -> tuple[str, str]:
    """Retrieves the best passage for the text before a completion."""
    # Returns the text to put before the prefix (title, newline, text, blank line; empty if there is
    # no passage), and the passage's title.
    query = (await cut_left(model, text_before, retrieval.query_tokens)).strip()
    if not query:
        return "", ""
    (hits,) = retrieval.retriever.search([query], _DEPTH)
    passage = next(
        (h.passage for h in hits if not _is_excluded(item, h.passage, retrieval.exclude)), None
    )
    if passage is None:
        return "", ""
    text = f"{passage.title}\n{passage.text}"
    spans = await spans_of(model, text)
    if len(spans) > retrieval.doc_tokens:
        text = text[: spans[retrieval.doc_tokens - 1][1]]
    return f"{text}\n\n", passage.title


async def read_with_passage(
    model: LikelihoodModel, retrieval: Retrieval, item: FactorItem, limit: int
) -> ItemReading:
    """Reads an item with the same passage for all its completions."""
    front, title = await retrieve(model, retrieval, item, item.prefix)
    if front and await token_count(model, front) > limit // 2:
        raise InputError(
            f"item {item.id}: a passage of {await token_count(model, front)} tokens leaves too "
            f"little of {limit}; give a smaller doc_tokens or more --context-tokens"
        )
    return ItemReading(item, "retrieved", "", front, (title,) if title else ())


async def context_with(
    model: LikelihoodModel, front: str, context: str, longest: str, limit: int
) -> tuple[str, int]:
    """Joins passage and prefix, without the start of the prefix if both are too long."""
    if not front:
        return context, 0
    # One token is for the beginning of the text, one for differences due to joining.
    available = limit - await token_count(model, front) - await token_count(model, longest) - 2
    length = await token_count(model, context)
    if length <= available:
        return front + context, 0
    shortened = await cut_left(model, context, available)
    return front + shortened, length - await token_count(model, shortened)


async def score_by_strides(
    model: LikelihoodModel, retrieval: Retrieval, item: FactorItem, limit: int
) -> tuple[list[Continuation], tuple[str, ...]]:
    """Scores completions piece by piece, each with the best passage for the preceding tokens.

    As in the paper, different completions can therefore have different passages.
    """
    stride = retrieval.stride or 1
    scores, titles = [], []
    for text in item.completions:
        context, continuation = join(item.prefix, text)
        spans = list(await spans_of(model, continuation))
        starts = [0, *(spans[i][0] for i in range(stride, len(spans), stride))]
        parts = []
        for start, end in zip(starts, [*starts[1:], len(continuation)], strict=True):
            text_before = context + continuation[:start]
            front, title = await retrieve(model, retrieval, item, text_before)
            piece = continuation[start:end]
            fitted, cut = await context_with(model, front, text_before, piece, limit)
            (result,) = await model.score(fitted, [piece])
            parts.append((result, cut))
            titles.append(title)
        scores.append(_joined(parts))
    return scores, tuple(dict.fromkeys(filter(None, titles)))


def _joined(parts: Sequence[tuple[Continuation, int]]) -> Continuation:
    """Joins the pieces of a completion."""
    pieces = [piece for piece, _ in parts]
    error = next((piece.error for piece in pieces if piece.error), "")
    return Continuation(
        tuple(token for piece in pieces for token in piece.tokens),
        tuple(value for piece in pieces for value in piece.logprobs),
        math.nan if error else math.fsum(piece.logprob for piece in pieces),
        sum(piece.characters for piece in pieces),
        sum(piece.bytes for piece in pieces),
        max(piece.dropped + cut for piece, cut in parts),
        None,
        error,
    )
