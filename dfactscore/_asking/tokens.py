"""Estimates of the number of tokens, close enough for budgets before a call."""

from __future__ import annotations

from collections.abc import Iterable

from dfactscore._asking.messages import Message


def estimate_tokens(text: str) -> int:
    """About four UTF-8 bytes a token, never none; the server's own count is used afterwards."""
    return len(text.encode("utf-8", "replace")) // 4 + 1


def prompt_tokens(messages: Iterable[Message]) -> int:
    """Tokens of a prompt, with the few that separate its messages."""
    return sum(estimate_tokens(content) + 4 for _, content in messages) + 3
