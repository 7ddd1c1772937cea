"""Parses log-probabilities from server responses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dfactscore._asking.errors import AnswerError
from dfactscore._asking.messages import Answer
from dfactscore._util.files import dump_json
from dfactscore._util.jsonl import parse_json
from dfactscore._util.numbers import finite


@dataclass(frozen=True, slots=True)
class Token:
    """A token as a server reports it.

    Attributes:
        text: Its text.
        logprob: Its log-probability, or None if the server gives none.
        id: Its id, or None if the server does not say.
        start: Its start in the prompt, or None.
    """

    text: str
    logprob: float | None
    id: int | None = None
    start: int | None = None


@dataclass(frozen=True, slots=True)
class ReadReply:
    """The tokens of a response.

    Attributes:
        tokens: Prompt and generated tokens, or the generated ones alone.
        prompt_tokens: As the server counts them, or 0.
        completion_tokens: As the server counts them, or 0.
    """

    tokens: tuple[Token, ...]
    prompt_tokens: int
    completion_tokens: int


def as_answer(found: ReadReply) -> Answer:
    """The form in which a response is stored."""
    lines = [[t.text, finite(t.logprob), t.id, t.start] for t in found.tokens]
    return Answer(
        dump_json([lines, found.prompt_tokens, found.completion_tokens]),
        prompt_tokens=found.prompt_tokens,
        completion_tokens=found.completion_tokens,
    )


def from_answer(answer: Answer) -> ReadReply:
    """Reads the output of `as_answer`."""
    try:
        lines, prompt, completion = parse_json(answer.text)
        return ReadReply(tuple(Token(*line) for line in lines), prompt, completion)
    except (ValueError, TypeError) as error:
        raise AnswerError(f"not stored log-probabilities ({error})") from None


def generated(reply: Mapping[str, Any]) -> Answer:
    """The tokens that were written; none if the response has no log-probabilities."""
    return as_answer(ReadReply(listed(_choice(reply)), *_usage(reply)))


def echoed(reply: Mapping[str, Any]) -> Answer:
    """The prompt's tokens: from vLLM's ``prompt_logprobs``, else from an echo."""
    choice = _choice(reply)
    prompt = choice.get("prompt_logprobs", reply.get("prompt_logprobs"))
    tokens = _prompt_logprobs(prompt) if isinstance(prompt, list) and prompt else listed(choice)
    return as_answer(ReadReply(tokens, *_usage(reply)))


def listed(choice: Mapping[str, Any]) -> tuple[Token, ...]:
    """Tokens in the chat shape (``logprobs.content``) or the classic one (``logprobs.tokens``)."""
    data = choice.get("logprobs")
    if not isinstance(data, Mapping):
        return ()
    content = data.get("content")
    if isinstance(content, list) and content:
        return tuple(
            Token(str(e.get("token", "")), _number(e.get("logprob")), _integer(e.get("id")))
            for e in content
            if isinstance(e, Mapping)
        )
    tokens, values = data.get("tokens"), data.get("token_logprobs")
    if not isinstance(tokens, list) or not isinstance(values, list) or len(tokens) != len(values):
        return ()
    starts = data.get("text_offset")
    if not isinstance(starts, list) or len(starts) != len(tokens):
        starts = [None] * len(tokens)
    return tuple(
        Token(str(token), _number(value), None, _integer(start))
        for token, value, start in zip(tokens, values, starts, strict=True)
    )


def _prompt_logprobs(entries: Sequence[Any]) -> tuple[Token, ...]:
    """One entry a prompt token: ``{id: {logprob, decoded_token}}``, the actual token first."""
    found = []
    for entry in entries:
        if not isinstance(entry, Mapping) or not entry:
            found.append(Token("", None))  # the first token has nothing before it
            continue
        key, value = next(iter(entry.items()))
        about = value if isinstance(value, Mapping) else {"logprob": value}
        text = about.get("decoded_token")
        found.append(
            Token(
                "" if text is None else str(text),
                _number(about.get("logprob")),
                int(key) if str(key).lstrip("-").isdigit() else None,
            )
        )
    return tuple(found)


def _choice(reply: Mapping[str, Any]) -> Mapping[str, Any]:
    choices = reply.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], Mapping):
        return choices[0]
    return {}


def _usage(reply: Mapping[str, Any]) -> tuple[int, int]:
    usage = reply.get("usage")
    usage = usage if isinstance(usage, Mapping) else {}
    return (
        _integer(usage.get("prompt_tokens")) or 0,
        _integer(usage.get("completion_tokens")) or 0,
    )


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value)


def _integer(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
