"""A model for which all tokens are equally likely."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from dfactscore.likelihood._continuations import Continuation, first_token, scored

_TOKEN = re.compile(r"\s*(?:\w+|[^\w\s])|\s+$")


class UniformModel:
    """Gives each token the same log-probability: the baseline of an evaluation.

    Tokens are words and punctuation marks, with preceding spaces.

    Args:
        logprob: The log-probability of every token; by default of 50,000 equally likely ones.

    Example:
        >>> import asyncio
        >>> (one,) = asyncio.run(UniformModel(-2.0).score("He was born in", [" Oslo."]))
        >>> one.tokens, one.logprob
        ((' Oslo', '.'), -4.0)
    """

    def __init__(self, logprob: float = -math.log(50_000)) -> None:
        self.logprob = logprob

    @property
    def settings(self) -> Mapping[str, Any]:
        """See `dfactscore.likelihood.LikelihoodModel`."""
        return {"engine": "uniform", "logprob": self.logprob}

    async def score(self, context: str, continuations: Sequence[str]) -> Sequence[Continuation]:
        """See `dfactscore.likelihood.LikelihoodModel`."""
        return [self._one(context, continuation) for continuation in continuations]

    def _one(self, context: str, continuation: str) -> Continuation:
        text = context + continuation
        spans = _spans(text)
        first = first_token(spans, len(context))
        tokens = [text[a:b] for a, b in spans[first:]]
        return scored(
            tokens,
            [self.logprob] * len(tokens),
            characters=len(continuation),
            bytes=len(continuation.encode("utf-8", "surrogatepass")),
            alone=len(_spans(continuation)),
        )

    async def spans(self, text: str) -> Sequence[tuple[int, int]]:
        """See `dfactscore.likelihood.TokenizingModel`."""
        return _spans(text)

    async def aclose(self) -> None:
        """Does nothing."""


def _spans(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in _TOKEN.finditer(text)]
