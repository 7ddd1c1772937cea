"""Requests to a likelihood model and its answers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class Continuation:
    """Likelihood of a text after a context, under a model.

    Attributes:
        tokens: The continuation's tokens as text; the first may begin within the context.
        logprobs: Natural logarithm of each token's probability given all tokens before it.
        logprob: Their sum; NaN if there is an error.
        characters: Characters of the continuation that these tokens write.
        bytes: The same in UTF-8.
        dropped: Context tokens that were cut away on the left, because all would not fit.
        alone: Tokens of the continuation encoded without the context, if the engine knows it.
        error: The reason why there is no number, else empty.
        passing: Whether the error may pass: the request got no answer, and another time may.
    """

    tokens: tuple[str, ...]
    logprobs: tuple[float, ...]
    logprob: float
    characters: int
    bytes: int
    dropped: int = 0
    alone: int | None = None
    error: str = ""
    passing: bool = False


class LikelihoodModel(Protocol):
    """Says how likely continuations of a context are."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """Settings that can change a number: engine, model, its hash, BOS, context limit."""

    async def score(self, context: str, continuations: Sequence[str]) -> Sequence[Continuation]:
        """Scores each continuation after the same context.

        Args:
            context: The text before; it may be empty.
            continuations: The texts, none of them empty.

        Returns:
            One `Continuation` for each, in order.
        """

    async def aclose(self) -> None:
        """Frees connections or memory."""


@runtime_checkable
class TokenizingModel(Protocol):
    """A likelihood model that also says where its tokens are."""

    async def spans(self, text: str) -> Sequence[tuple[int, int]]:
        """Start and end of each token of a text, in characters."""


def scored(
    tokens: Sequence[str],
    logprobs: Sequence[float | None],
    *,
    characters: int,
    bytes: int,
    dropped: int = 0,
    alone: int | None = None,
) -> Continuation:
    """A continuation with its numbers; an error where one of them is not a log-probability.

    Example:
        >>> scored(["a", " b"], [-1.0, -0.5], characters=3, bytes=3).logprob
        -1.5
        >>> scored(["a", " b"], [-1.0, None], characters=3, bytes=3).error
        "no log-probability for ' b' (token 2 of 2)"
    """
    values: list[float] = []
    for number, value in enumerate(logprobs, start=1):
        where = f"{tokens[number - 1]!r} (token {number} of {len(logprobs)})"
        if value is None:
            return unscored(f"no log-probability for {where}", dropped=dropped, alone=alone)
        # Servers write -9999 or the lowest number there is for a probability of zero.
        if not math.isfinite(value) or value <= -9999:
            said = f"the log-probability of {where} is {value:g}"
            return unscored(said, dropped=dropped, alone=alone)
        if value > 0.001:
            said = f"the log-probability of {where} is {value:g}, above 0"
            return unscored(said, dropped=dropped, alone=alone)
        values.append(min(float(value), 0.0))
    if not values or len(values) != len(tokens):
        said = "no token can be scored" if not values else "tokens and numbers do not match"
        return unscored(said, dropped=dropped, alone=alone)
    return Continuation(
        tuple(tokens), tuple(values), math.fsum(values), characters, bytes, dropped, alone
    )


def unscored(
    reason: str, *, dropped: int = 0, alone: int | None = None, passing: bool = False
) -> Continuation:
    """A continuation without a number, and why."""
    return Continuation((), (), math.nan, 0, 0, dropped, alone, reason, passing)
