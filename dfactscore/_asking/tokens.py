"""Estimates token counts for budgets."""

from __future__ import annotations

from collections.abc import Iterable

from dfactscore._asking.messages import Message


def estimate_tokens(text: str) -> int:
    """Estimates the number of tokens in a text at four UTF-8 bytes per token; at least 1."""
    return len(text.encode("utf-8", "replace")) // 4 + 1


def prompt_tokens(messages: Iterable[Message]) -> int:
    """Estimates the number of tokens in a prompt, including those that separate messages."""
    return sum(estimate_tokens(content) + 4 for _, content in messages) + 3
