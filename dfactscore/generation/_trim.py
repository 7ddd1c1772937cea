"""Shortens passages by whole sentences until a prompt fits the model's context."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dfactscore._text.sentences import split_sentences
from dfactscore.generation._request import Trim
from dfactscore.retrieval import Passage


def estimate_tokens(text: str) -> int:
    """A cautious number of tokens for a text whose tokenizer is not at hand.

    One token for every three UTF-8 bytes; English needs about one for every four.
    """
    return -(-len(text.encode("utf-8")) // 3)


def sentences_of(text: str) -> list[str]:
    """Sentences that put together again are the text."""
    starts = [sentence.start for sentence in split_sentences(text)]
    if not starts:
        return [text] if text else []
    starts[0] = 0
    return [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]


def fit_passages(
    passages: Sequence[Passage], budget: int, count: Callable[[str], int] = estimate_tokens
) -> tuple[tuple[Passage, ...], tuple[Trim, ...]]:
    """Leaves out last sentences, of the longest passage first, until the texts fit.

    A passage whose first sentence alone is too long is emptied. Every other one keeps its first
    sentence for as long as possible; after that whole passages are
    emptied, the last first. Numbers do not move: an emptied passage keeps its place and title.

    Args:
        passages: Best first.
        budget: Tokens for all the texts together.
        count: Tokens of a text.

    Returns:
        As many passages as were given, and what was left out.
    """
    parts = [sentences_of(p.text) for p in passages]
    whole = [len(p) for p in parts]
    sizes = [[count(s) for s in p] for p in parts]
    for i, size in enumerate(sizes):
        if size and size[0] > budget:  # it must go anyway; the others need not suffer for it
            parts[i], sizes[i] = [], []
    while any(parts) and sum(map(sum, sizes)) > budget:
        several = [i for i, kept in enumerate(parts) if len(kept) > 1]
        longest = max(several, key=lambda i: (sum(sizes[i]), i), default=None)
        if longest is None:
            longest = max(i for i, kept in enumerate(parts) if kept)
        parts[longest].pop()
        sizes[longest].pop()
    fitted = tuple(
        p if len(kept) == n else Passage(p.title, "".join(kept).rstrip(), p.id)
        for p, kept, n in zip(passages, parts, whole, strict=True)
    )
    trims = tuple(
        Trim(i, n - len(kept), dropped=not kept)
        for i, (kept, n) in enumerate(zip(parts, whole, strict=True), 1)
        if len(kept) != n
    )
    return fitted, trims
