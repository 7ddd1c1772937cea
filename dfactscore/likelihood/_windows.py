"""Splits tokens into context and continuation, and fits the context to the window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Bos = Literal["auto", "yes", "no"]


@dataclass(frozen=True, slots=True)
class Window:
    """Model input for the score of one continuation.

    Attributes:
        prompt: Token ids before the first one that is scored; never empty.
        target: Token ids that are scored.
        texts: The text of each of them.
        characters: Characters of the continuation that they write.
        bytes: The same in UTF-8.
        dropped: Context tokens cut away on the left.
    """

    prompt: tuple[int, ...]
    target: tuple[int, ...]
    texts: tuple[str, ...]
    characters: int
    bytes: int
    dropped: int


def first_token(spans: Sequence[tuple[int, int]], cut: int) -> int:
    """Index of the first token that holds a character at or after `cut`.

    Args:
        spans: Start and end of each token.
        cut: The start of the continuation, in the same unit.

    Example:
        >>> first_token([(0, 3), (3, 7), (7, 9)], 5)  # the second token begins within the context
        1
    """
    return next((i for i, (_, end) in enumerate(spans) if end > cut), len(spans))


def common_start(first: Sequence[int], second: Sequence[int]) -> int:
    """Returns the length of the common prefix of two token sequences."""
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
    skipped: str,
    bos: int | None,
    limit: int,
) -> Window | str:
    """Cuts the context so that the continuation fits whole.

    Args:
        ids: Tokens of context and continuation, encoded as one text.
        first: Index of the continuation's first token.
        texts: The texts of the continuation's tokens.
        continuation: The continuation.
        skipped: The part of the continuation in its first token: it cannot be scored if
            no token is before it, and counts neither in the sum nor in the lengths then.
        bos: The token that begins every text, or None.
        limit: Maximum number of tokens, the one that begins the text included.

    Returns:
        The window, or why there is none.
    """
    context, target = list(ids[:first]), list(ids[first:])
    if not target:
        return "the continuation has no token of its own"
    start = [] if bos is None else [bos]
    room = limit - len(target) - len(start)
    # Without any token before it the first one could not be scored.
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
