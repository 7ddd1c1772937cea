"""Items with a text placed before the prefix, such as a passage or pages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dfactscore.factor._factor_items import FactorItem
from dfactscore.likelihood import LikelihoodModel, TokenizingModel

_WORD = re.compile(r"(?<!\s)\s*\S+")
_BYTES_A_TOKEN = 3  # fewer than in real texts, so that texts judged by the estimate fit


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
