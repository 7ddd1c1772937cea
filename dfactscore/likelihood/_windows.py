"""Splits tokens into context and continuation, and fits the context into the window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

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
