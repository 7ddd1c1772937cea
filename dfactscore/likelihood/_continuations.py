"""Protocols for likelihood models, their results, and continuations that fit the window."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class Continuation:
    """The likelihood of a text after a context, under a model.

    Attributes:
        tokens: The texts of the tokens, the first of which may begin within the context.
        logprobs: The natural logarithm of each token's probability, given all previous tokens.
        logprob: The sum of `logprobs`; NaN if there is an error.
        characters: Number of characters of the continuation that are in these tokens.
        bytes: Number of UTF-8 bytes in these characters.
        dropped: Number of tokens removed from the start of the context to fit the context window.
        alone: Number of tokens when the continuation is encoded without the context; None if the
            engine cannot tell.
        error: Why there is no likelihood; empty if there is one.
        passing: Whether the error is temporary, such as a request without an answer.
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
    """A model that computes the likelihoods of continuations."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """Settings that affect a likelihood, such as engine, model, hash, BOS and context limit."""

    async def score(self, context: str, continuations: Sequence[str]) -> Sequence[Continuation]:
        """Scores each continuation as a continuation of the same context.

        Args:
            context: The text before the continuations; it may be empty.
            continuations: The texts to score; they must not be empty.

        Returns:
            One `Continuation` per text, in order.
        """

    async def aclose(self) -> None:
        """Frees connections or memory."""


@runtime_checkable
class TokenizingModel(Protocol):
    """A likelihood model that can also return the positions of tokens."""

    async def spans(self, text: str) -> Sequence[tuple[int, int]]:
        """The start and end (exclusive) of each token of a text, in characters."""


def scored(
    tokens: Sequence[str],
    logprobs: Sequence[float | None],
    *,
    characters: int,
    bytes: int,
    dropped: int = 0,
    alone: int | None = None,
) -> Continuation:
    """Creates a scored continuation, or one with an error if a log-probability is invalid.

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
        # Servers return -9999 or the lowest float for a probability of zero.
        if not math.isfinite(value) or value <= -9999:
            problem = f"the log-probability of {where} is {value:g}"
            return unscored(problem, dropped=dropped, alone=alone)
        if value > 0.001:
            problem = f"the log-probability of {where} is {value:g}, above 0"
            return unscored(problem, dropped=dropped, alone=alone)
        values.append(min(float(value), 0.0))
    if not values or len(values) != len(tokens):
        problem = "no token can be scored" if not values else "tokens and numbers do not match"
        return unscored(problem, dropped=dropped, alone=alone)
    return Continuation(
        tuple(tokens), tuple(values), math.fsum(values), characters, bytes, dropped, alone
    )


def unscored(
    reason: str, *, dropped: int = 0, alone: int | None = None, passing: bool = False
) -> Continuation:
    """Creates a continuation that has no likelihood and records why."""
    return Continuation((), (), math.nan, 0, 0, dropped, alone, reason, passing)


Bos = Literal["auto", "yes", "no"]


@dataclass(frozen=True, slots=True)
class Window:
    """The model input for one continuation."""

    prompt: tuple[int, ...]  # token ids before the target; never empty
    target: tuple[int, ...]  # token ids to score
    texts: tuple[str, ...]  # text of each target token
    characters: int
    bytes: int  # number of UTF-8 bytes in these characters
    dropped: int  # number of tokens removed from the start of the context


def first_token(spans: Sequence[tuple[int, int]], cut: int) -> int:
    """The index of the first token that contains a character at or after `cut`.

    Example:
        >>> first_token([(0, 3), (3, 7), (7, 9)], 5)  # the second token begins within the context
        1
    """
    return next((i for i, (_, end) in enumerate(spans) if end > cut), len(spans))


def common_start(first: Sequence[int], second: Sequence[int]) -> int:
    """The length of the common prefix of two token sequences."""
    same = 0
    for a, b in zip(first, second, strict=False):
        if a != b:
            break
        same += 1
    return same


def make_window(
    ids: Sequence[int],
    first: int,
    texts: Sequence[str],
    *,
    continuation: str,
    # The part of the continuation that is in its first token. If no token precedes the first one,
    # that part cannot be scored and is excluded from the sum and the lengths.
    skipped: str,
    bos: int | None,  # id of the beginning-of-sequence token, or None
    limit: int,  # maximum number of tokens, including the beginning-of-sequence token
) -> Window | str:
    """Removes the start of the context so that the whole continuation fits."""
    context, target = list(ids[:first]), list(ids[first:])
    if not target:
        return "the continuation has no token of its own"
    start = [] if bos is None else [bos]
    room = limit - len(target) - len(start)
    # Without a preceding token, the first one cannot be scored.
    if room < (1 if context and not start else 0):
        return (
            f"the continuation has {len(target)} tokens and does not fit into a context of "
            f"{limit} tokens"
        )
    dropped = max(0, len(context) - room)
    prompt = start + context[dropped:]
    pieces = list(texts)
    if not prompt:
        prompt, target, pieces = target[:1], target[1:], pieces[1:]
        continuation = continuation.removeprefix(skipped)
        if not target:
            return "the only token of the text has nothing before it: its likelihood needs --bos"
    return Window(
        tuple(prompt),
        tuple(target),
        tuple(pieces),
        len(continuation),
        len(continuation.encode("utf-8", "surrogatepass")),
        dropped,
    )
