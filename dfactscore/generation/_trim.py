"""Removes sentences from passages until a prompt fits in the model's context."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dfactscore._text.sentences import split_sentences
from dfactscore.generation._request import Trim
from dfactscore.retrieval import Passage


def estimate_tokens(text: str) -> int:
    """Estimates the number of tokens in a text without a tokenizer.

    The estimate is one token per three UTF-8 bytes; English text has about one token per four
    bytes.
    """
    return -(-len(text.encode("utf-8")) // 3)


def sentences_of(text: str) -> list[str]:
    """Returns the sentences of a text, including all spaces: joining them gives the text."""
    starts = [sentence.start for sentence in split_sentences(text)]
    if not starts:
        return [text] if text else []
    starts[0] = 0
    return [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]


def fit_passages(
    passages: Sequence[Passage], budget: int, count: Callable[[str], int] = estimate_tokens
) -> tuple[tuple[Passage, ...], tuple[Trim, ...]]:
    """Removes the last sentence of the longest passage until all texts fit.

    A passage whose first sentence does not fit loses its whole text. The other passages keep their
    first sentence for as long as possible; after that, they lose it too, starting with the last
    passage. Passages without text keep their numbers and titles.
    """
    parts = [sentences_of(p.text) for p in passages]
    counts = [len(p) for p in parts]
    sizes = [[count(s) for s in p] for p in parts]
    for i, size in enumerate(sizes):
        if (
            size and size[0] > budget
        ):  # removed first, so that other passages are not shortened to make room for it
            parts[i], sizes[i] = [], []
    while any(parts) and sum(map(sum, sizes)) > budget:
        several = [i for i, sentences in enumerate(parts) if len(sentences) > 1]
        longest = max(several, key=lambda i: (sum(sizes[i]), i), default=None)
        if longest is None:
            longest = max(i for i, sentences in enumerate(parts) if sentences)
        parts[longest].pop()
        sizes[longest].pop()
    fitted = tuple(
        p if len(sentences) == n else Passage(p.title, "".join(sentences).rstrip(), p.id)
        for p, sentences, n in zip(passages, parts, counts, strict=True)
    )
    trims = tuple(
        Trim(i, n - len(sentences), dropped=not sentences)
        for i, (sentences, n) in enumerate(zip(parts, counts, strict=True), 1)
        if len(sentences) != n
    )
    return fitted, trims
