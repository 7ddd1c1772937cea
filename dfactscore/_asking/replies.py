"""Reads chat completions, even if they deviate from OpenAI's schema."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from dfactscore._asking.finish_reasons import declines, ending, finish_word
from dfactscore._asking.logprobs import read_logprobs
from dfactscore._asking.messages import Answer
from dfactscore._asking.transport import Transient

_THOUGHTS = ("thinking", "reasoning", "reasoning_text", "summary_text")  # types of content parts
_ASIDE = ("reasoning_content", "reasoning", "reasoning_details", "thinking")


def read_reply(reply: Mapping[str, Any]) -> Answer:
    """Reads a chat completion."""
    choices = reply.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
        error = reply.get("error")
        message = error.get("message") if isinstance(error, Mapping) else error
        raise Transient(f"the response has no choices ({str(message)[:200]})")
    choice = choices[0]
    message, usage = _object(choice.get("message")), _object(reply.get("usage"))
    text, aside = _content(choice, message), _aside(message)
    finish, refusal, fault = _end(reply, choice)
    return Answer(
        text=text,
        finish=finish,
        refusal=str(message.get("refusal") or refusal),
        prompt_tokens=_count(usage.get("prompt_tokens")),
        completion_tokens=_count(usage.get("completion_tokens")),
        logprobs=read_logprobs(choice),
        model=str(reply.get("model") or ""),
        fingerprint=str(reply.get("system_fingerprint") or ""),
        thought=bool(
            aside or _object(usage.get("completion_tokens_details")).get("reasoning_tokens")
        ),
        cached_tokens=_cached_tokens(reply, usage),
        aside="" if text.strip() else aside,
        fault=fault,
    )


def _end(reply: Mapping[str, Any], choice: Mapping[str, Any]) -> tuple[str, str, str]:
    """Returns an answer's finish reason, refusal and error."""
    finish = finish_word(choice.get("finish_reason")) or "stop"
    error = choice.get("error") or reply.get("error")
    if not error:
        fault = f"the answer ended with {finish!r}" if ending(finish) == "faulty" else ""
        return finish, "", fault
    message = error.get("message") if isinstance(error, Mapping) else error
    message = " ".join(str(message or error).split())[:200]
    if declines(message):
        return "content_filter", message, ""
    return finish, "", f"the answer broke off with an error ({message})"


def _aside(message: Mapping[str, Any]) -> str:
    """Returns the field that contains the model's reasoning; empty if none does."""
    return next((name for name in _ASIDE if message.get(name)), "")


def _cached_tokens(reply: Mapping[str, Any], usage: Mapping[str, Any]) -> int:
    """Returns the prompt tokens from the prefix cache, which servers report in various fields."""
    counts = (
        _object(usage.get("prompt_tokens_details")).get("cached_tokens"),
        usage.get("prompt_cache_hit_tokens"),
        _object(reply.get("timings")).get("cache_n"),
    )
    return max(map(_count, counts))


def _object(value: Any) -> Mapping[str, Any]:
    """Returns a value that is a JSON object; an empty object for any other value."""
    return value if isinstance(value, Mapping) else {}


def _content(choice: Mapping[str, Any], message: Mapping[str, Any]) -> str:
    """Returns the text of a choice: a string, a list of parts, or the arguments of a tool call."""
    content = message.get("content", choice.get("text"))
    if isinstance(content, list):
        parts = (p for p in content if isinstance(p, dict) and p.get("type") not in _THOUGHTS)
        content = "".join(str(part.get("text", "")) for part in parts)
    calls = message.get("tool_calls")
    if not content and isinstance(calls, list) and len(calls) == 1:
        call = calls[0].get("function") if isinstance(calls[0], Mapping) else None
        content = call.get("arguments") if isinstance(call, Mapping) else None
        content = json.dumps(content) if isinstance(content, Mapping) else content
    # Half a surrogate pair cannot be encoded, either in a file or in a repair request.
    return str(content or "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _count(value: Any) -> int:
    """Returns a value that is a number of tokens; 0 for any other value."""
    number = isinstance(value, (int, float)) and 0 <= value < 1e12
    return int(value) if number else 0
