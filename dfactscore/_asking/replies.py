"""Reads chat completions and log-probabilities, even if they deviate from OpenAI's schema."""

from __future__ import annotations

import json
import math
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dfactscore._asking.messages import Answer, TokenLogprob, declines, ending, finish_word
from dfactscore._asking.transport import Transient

_IMPOSSIBLE = -9999.0  # as servers write it


def read_logprobs(choice: Mapping[str, Any]) -> tuple[TokenLogprob, ...]:
    """Reads the log-probabilities of an answer's tokens.

    The chat format is ``logprobs.content[{token, logprob, top_logprobs}]``, the completion format
    ``logprobs.{tokens, token_logprobs, top_logprobs}``. Some servers use either format for either
    route, so both are tried; anything else yields an empty tuple.
    """
    data = choice.get("logprobs")
    if not isinstance(data, dict):
        return ()
    if isinstance(content := data.get("content"), list) and content:
        return tuple(
            TokenLogprob(
                str(one.get("token", "")),
                _number(one.get("logprob")),
                _top(one.get("top_logprobs")),
            )
            for one in content
            if isinstance(one, dict)
        )
    tokens, values, tops = (data.get(n) for n in ("tokens", "token_logprobs", "top_logprobs"))
    if not isinstance(tokens, list) or not isinstance(values, list):
        return ()
    if not isinstance(tops, list) or len(tops) != len(tokens):
        tops = [None] * len(tokens)
    return tuple(
        TokenLogprob(str(token), _number(value), _top(top))
        for token, value, top in zip(tokens, values, tops, strict=False)
        if value is not None
    )


def _top(listed: Any) -> tuple[tuple[str, float], ...]:
    """Reads alternatives from a list of objects or a single object; ignores other values."""
    if isinstance(listed, dict):
        return tuple([(str(token), _number(value)) for token, value in listed.items()])
    if not isinstance(listed, list):
        return ()
    return tuple(
        [
            (str(one.get("token", "")), _number(one.get("logprob")))
            for one in listed
            if isinstance(one, dict)
        ]
    )


def _number(value: Any) -> float:
    """Reads a log-probability; values that are not numbers are read as impossible."""
    if type(value) not in (float, int) or value != value:
        return _IMPOSSIBLE
    return float(min(max(value, _IMPOSSIBLE), 0.0))


def token_starts(tokens: Sequence[TokenLogprob], text: str) -> list[int]:
    """Returns the character position at which each token of an answer starts.

    The position is negative for tokens before the answer: some servers strip a Markdown fence or
    spaces from the answer but not from the tokens.
    """
    joined = "".join(token.token for token in tokens)
    position = -joined.find(text)
    if position > 0 or not text:
        return []
    starts = []
    for token in tokens:
        starts.append(position)
        position += len(token.token)
    return starts


def probability_of_true(
    tokens: Sequence[TokenLogprob], starts: Sequence[int], offset: int, *, value: bool
) -> float | None:
    """Returns the probability of *true* relative to *false* where an answer contains either word.

    Example:
        >>> token = TokenLogprob("true", math.log(0.6), (("false", math.log(0.2)),))
        >>> probability_of_true([token], token_starts([token], "true"), 0, value=True)
        0.75
    """
    # Returns a number in [0, 1] rounded to six digits; None if there are no usable
    # log-probabilities.
    if not starts:
        return None
    index = bisect_right(starts, offset) - 1
    return _ratio(tokens[index], offset - starts[index], value)


def _ratio(token: TokenLogprob, skip: int, value: bool) -> float | None:
    mass = {True: 0.0, False: 0.0}
    lead = token.token[:skip].strip()
    is_listed = False
    total_mass = 0.0
    for text, logprob in token.top:
        total_mass += math.exp(logprob)
        is_listed = is_listed or text == token.token
        word = text.strip().removeprefix(lead).strip().lower()
        if word and ("true".startswith(word) or word.startswith("true")):
            mass[True] += math.exp(logprob)
        elif word and ("false".startswith(word) or word.startswith("false")):
            mass[False] += math.exp(logprob)
    if not is_listed:
        mass[value] += math.exp(token.logprob)
        total_mass += math.exp(token.logprob)
    if not mass[not value]:
        # The other word is not listed, so it has at most the remaining probability.
        mass[not value] = max(0.0, 1.0 - total_mass)
        if mass[not value] > mass[value]:
            # A grammar forced the model to write this word when it preferred something else.
            return None
    total = mass[True] + mass[False]
    return round(mass[True] / total, 6) if total > 0 else None


_THOUGHTS = ("thinking", "reasoning", "reasoning_text", "summary_text")  # types of content parts
_FILTERS = ("prompt_filter_results", "prompt_annotations", "content_filter_results",
            "content_filter_result", "moderation")  # fmt: skip
_ASIDE = ("reasoning_content", "reasoning", "reasoning_details", "thinking")


def read_reply(reply: Mapping[str, Any]) -> Answer:
    """Reads a chat completion."""
    choices = reply.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
        if reason := _filtered(reply):
            usage = _object(reply.get("usage"))
            prompt = _count(usage.get("prompt_tokens"))
            return Answer("", "content_filter", reason, prompt_tokens=prompt)
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
        refusal=str(message.get("refusal") or _refused_part(message) or refusal),
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


def _refused_part(message: Mapping[str, Any]) -> str:
    """Returns the refusal in a list of content parts; empty if there is none."""
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    return next((str(part["refusal"]) for part in parts if _object(part).get("refusal")), "")


def _filtered(reply: Mapping[str, Any]) -> str:
    """Returns why a filter withheld the answer to a prompt; empty if none did."""
    for feedback in (reply.get("promptFeedback"), reply.get("prompt_feedback")):  # Gemini's
        if reason := _object(feedback).get("blockReason") or _object(feedback).get("block_reason"):
            return f"the prompt was blocked ({str(reason)[:80]})"
    kinds = sorted({kind for name in _FILTERS for kind in _filters(reply.get(name))})  # Azure's
    return f"the prompt was filtered ({', '.join(kinds)[:80]})" if kinds else ""


def _filters(value: Any, name: str = "", depth: int = 0) -> Iterator[str]:
    """Yields the names of the filters that stopped a prompt, in nested results."""
    if isinstance(value, list) and depth < 6:
        for item in value:
            yield from _filters(item, name, depth + 1)
    elif isinstance(value, Mapping) and depth < 6:
        if value.get("filtered") is True or value.get("blocked") is True:
            yield name or "content_filter"
        for key, item in value.items():
            yield from _filters(item, str(key), depth + 1)


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
