"""A retrieved passage before the prefix (in-context RALM, Ram et al. 2023, arXiv 2302.00083)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from dfactscore._errors import InputError
from dfactscore.factor._contexts import ItemReading, cut_left, spans_of, token_count
from dfactscore.factor._factor_items import FactorItem, join
from dfactscore.likelihood import Continuation, LikelihoodModel
from dfactscore.retrieval import Retriever

if TYPE_CHECKING:
    from dfactscore.retrieval import Passage


Exclude = Literal["document", "title", "none"]
_DEPTH = 20  # passages looked at for one that is not of the item's own document


@dataclass(frozen=True)
class Retrieval:
    """The retrieval of passages.

    Attributes:
        retriever: An open index.
        query_tokens: Tokens before the completion that are the query.
        doc_tokens: Maximum tokens of the passage, its title included.
        exclude: The passages that an item may not see: those of its own document (by the passage's
            id or title), those whose title is its ``title``, or none.
        stride: Retrieve again every so many tokens of the completion; None retrieves once.
    """

    retriever: Retriever
    query_tokens: int = 32
    doc_tokens: int = 256
    exclude: Exclude = "document"
    stride: int | None = None


def open_retrieval(folder: Path, **options: object) -> Retrieval:
    """Opens an index.

    Raises:
        InputError: If it is not one.
    """
    return Retrieval(Retriever(folder), **options)  # type: ignore[arg-type]


def _own(item: FactorItem, passage: Passage, exclude: Exclude) -> bool:
    """Whether an item may not see a passage."""
    if exclude == "none":
        return False
    title = str(item.extra.get("title") or item.document)
    if exclude == "title":
        return passage.title == title
    own = {item.document, title} - {""}
    # A bare number is a passage's place in its index, and says nothing of its page.
    return passage.title in own or (not passage.id.isdigit() and passage.id in own)


async def retrieve(
    model: LikelihoodModel, retrieval: Retrieval, item: FactorItem, before: str
) -> tuple[str, str]:
    """The best passage for the text before a completion.

    Returns:
        The text to put before the prefix (title, newline, text, blank line; empty if nothing
        is found), and the passage's title.
    """
    query = (await cut_left(model, before, retrieval.query_tokens)).strip()
    if not query:
        return "", ""
    (hits,) = retrieval.retriever.search([query], _DEPTH)
    passage = next((h.passage for h in hits if not _own(item, h.passage, retrieval.exclude)), None)
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
    """An item with one passage for all its completions."""
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
    """Passage and prefix; what does not fit is cut from the prefix's left, never the passage.

    Args:
        model: Counts tokens.
        front: The passage.
        context: The prefix.
        longest: The longest completion.
        limit: Maximum number of tokens of all three.

    Returns:
        The context, and how many tokens of the prefix were cut.
    """
    if not front:
        return context, 0
    # One for the token that begins a text, one for what joins otherwise than it is counted.
    rest = limit - await token_count(model, front) - await token_count(model, longest) - 2
    whole = await token_count(model, context)
    if whole <= rest:
        return front + context, 0
    kept = await cut_left(model, context, rest)
    return front + kept, whole - await token_count(model, kept)


async def score_by_strides(
    model: LikelihoodModel, retrieval: Retrieval, item: FactorItem, limit: int
) -> tuple[list[Continuation], tuple[str, ...]]:
    """Scores completions in pieces, each with the passage that fits the tokens before it.

    Completions then see different passages, as in the paper.
    """
    stride = retrieval.stride or 1
    found, titles = [], []
    for text in item.completions:
        context, continuation = join(item.prefix, text)
        spans = list(await spans_of(model, continuation))
        starts = [0, *(spans[i][0] for i in range(stride, len(spans), stride))]
        parts = []
        for start, end in zip(starts, [*starts[1:], len(continuation)], strict=True):
            before = context + continuation[:start]
            front, title = await retrieve(model, retrieval, item, before)
            piece = continuation[start:end]
            whole, cut = await context_with(model, front, before, piece, limit)
            (one,) = await model.score(whole, [piece])
            parts.append((one, cut))
            titles.append(title)
        found.append(_joined(parts))
    return found, tuple(dict.fromkeys(filter(None, titles)))


def _joined(parts: Sequence[tuple[Continuation, int]]) -> Continuation:
    """The pieces of a completion as one."""
    pieces = [one for one, _ in parts]
    error = next((one.error for one in pieces if one.error), "")
    return Continuation(
        tuple(token for one in pieces for token in one.tokens),
        tuple(value for one in pieces for value in one.logprobs),
        math.nan if error else math.fsum(one.logprob for one in pieces),
        sum(one.characters for one in pieces),
        sum(one.bytes for one in pieces),
        max(one.dropped + cut for one, cut in parts),
        None,
        error,
    )
