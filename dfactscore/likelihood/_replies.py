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
    """A token in a response."""

    text: str
    logprob: float | None  # token's log-probability; None if the server does not return it
    id: int | None = None  # token id; None if the server does not return it
    start: int | None = None  # where the token starts in the prompt, in characters; None if unknown


@dataclass(frozen=True, slots=True)
class ReadReply:
    """The tokens of a response."""

    tokens: tuple[Token, ...]  # tokens of the prompt and completion, or of the completion alone
    prompt_tokens: int  # number of prompt tokens reported by the server; 0 if it reports none
    # Number of completion tokens reported by the server; 0 if it reports none.
    completion_tokens: int


def as_answer(reply: ReadReply) -> Answer:
    """Converts a response into the format used in the cache."""
    lines = [[t.text, finite(t.logprob), t.id, t.start] for t in reply.tokens]
    return Answer(
        dump_json([lines, reply.prompt_tokens, reply.completion_tokens]),
        prompt_tokens=reply.prompt_tokens,
        completion_tokens=reply.completion_tokens,
    )


def from_answer(answer: Answer) -> ReadReply:
    """Reads the output of `as_answer`."""
    try:
        lines, prompt, completion = parse_json(answer.text)
        return ReadReply(tuple(Token(*line) for line in lines), prompt, completion)
    except (ValueError, TypeError) as error:
        raise AnswerError(f"not stored log-probabilities ({error})") from None


def generated(reply: Mapping[str, Any]) -> Answer:
    """The generated tokens; empty if the response has no log-probabilities."""
    return as_answer(ReadReply(listed(_choice(reply)), *_usage(reply)))


def echoed(reply: Mapping[str, Any]) -> Answer:
    """The prompt tokens, read from vLLM's ``prompt_logprobs`` or from an echoed prompt."""
    choice = _choice(reply)
    prompt = choice.get("prompt_logprobs", reply.get("prompt_logprobs"))
    tokens = _prompt_logprobs(prompt) if isinstance(prompt, list) and prompt else listed(choice)
    return as_answer(ReadReply(tokens, *_usage(reply)))


def listed(choice: Mapping[str, Any]) -> tuple[Token, ...]:
    """Reads tokens in chat (``logprobs.content``) or completions (``logprobs.tokens``) format."""
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
    """Reads one ``{id: {logprob, decoded_token}}`` per token; the actual token comes first."""
    tokens = []
    for entry in entries:
        if not isinstance(entry, Mapping) or not entry:
            tokens.append(Token("", None))  # the first token has no context
            continue
        key, value = next(iter(entry.items()))
        about = value if isinstance(value, Mapping) else {"logprob": value}
        text = about.get("decoded_token")
        tokens.append(
            Token(
                "" if text is None else str(text),
                _number(about.get("logprob")),
                int(key) if str(key).lstrip("-").isdigit() else None,
            )
        )
    return tuple(tokens)


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
