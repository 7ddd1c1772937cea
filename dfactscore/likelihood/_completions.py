"""Likelihoods from servers that return log-probabilities for the prompt, and their responses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, Literal

from dfactscore._asking.client import ChatClient
from dfactscore._asking.messages import Answer, AnswerError, Call, CallError, ModelError
from dfactscore._asking.transport import Rejected
from dfactscore._util.files import dump_json
from dfactscore._util.jsonl import parse_json
from dfactscore._util.numbers import finite
from dfactscore.likelihood._continuations import (
    Continuation,
    common_start,
    first_token,
    scored,
    unscored,
)


@dataclass(frozen=True, slots=True)
class ResponseToken:
    """A token in a response."""

    text: str
    logprob: float | None  # token's log-probability; None if the server does not return it
    id: int | None = None  # token id; None if the server does not return it
    start: int | None = None  # where the token starts in the prompt, in characters; None if unknown


@dataclass(frozen=True, slots=True)
class ReadReply:
    """The tokens of a response."""

    tokens: tuple[
        ResponseToken, ...
    ]  # tokens of the prompt and completion, or of the completion alone
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
        return ReadReply(tuple(ResponseToken(*line) for line in lines), prompt, completion)
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


def listed(choice: Mapping[str, Any]) -> tuple[ResponseToken, ...]:
    """Reads tokens in chat (``logprobs.content``) or completions (``logprobs.tokens``) format."""
    data = choice.get("logprobs")
    if not isinstance(data, Mapping):
        return ()
    content = data.get("content")
    if isinstance(content, list) and content:
        return tuple(
            ResponseToken(str(e.get("token", "")), _number(e.get("logprob")), _integer(e.get("id")))
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
        ResponseToken(str(token), _number(value), None, _integer(start))
        for token, value, start in zip(tokens, values, starts, strict=True)
    )


def _prompt_logprobs(entries: Sequence[Any]) -> tuple[ResponseToken, ...]:
    """Reads one ``{id: {logprob, decoded_token}}`` per token; the actual token comes first."""
    tokens = []
    for entry in entries:
        if not isinstance(entry, Mapping) or not entry:
            tokens.append(ResponseToken("", None))  # the first token has no context
            continue
        key, value = next(iter(entry.items()))
        about = value if isinstance(value, Mapping) else {"logprob": value}
        text = about.get("decoded_token")
        tokens.append(
            ResponseToken(
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


Style = Literal["echo", "prompt_logprobs"]
_WIDEST = 12  # characters per token in the longest text that could fit


@dataclass(eq=False)
class CompletionsModel:
    """A server whose ``/completions`` endpoint returns the log-probabilities of the prompt.

    Args:
        client: The client of the server.
        style: The request format.
        bos: Whether to begin texts with the beginning-of-sequence token; ``"auto"`` leaves this to
            the server.
        context_tokens: Maximum number of tokens, as chosen by the user.
        limit: Maximum number of tokens that the model accepts, which applies if it is smaller than
            `context_tokens`; 0 if unknown.
    """

    client: ChatClient
    _: KW_ONLY
    style: Style
    bos: str
    context_tokens: int
    limit: int = 0

    def __post_init__(self) -> None:
        self.limit = min(self.context_tokens, self.limit or self.context_tokens)

    @property
    def settings(self) -> Mapping[str, Any]:
        """See `dfactscore.likelihood.LikelihoodModel`."""
        return {
            "engine": "completions",
            "style": self.style,
            "model": self.client.model.model,
            "endpoint": self.client.transport.endpoint,
            "bos": self.bos,
            "context_tokens": self.context_tokens,
        }

    async def score(self, context: str, continuations: Sequence[str]) -> Sequence[Continuation]:
        """See `dfactscore.likelihood.LikelihoodModel`."""
        results = []
        for continuation in continuations:
            try:
                results.append(await self._one(context, continuation))
            except (AnswerError, CallError) as error:
                results.append(unscored(error.reason, passing=error.passing))
        return results

    async def aclose(self) -> None:
        """Closes connections."""
        await self.client.aclose()

    async def _one(self, context: str, continuation: str) -> Continuation:
        try:
            tokens = await self._tokens(context, continuation)
        except Rejected:
            # Too long for the server: send only the part that can fit.
            most = max(1, self.limit * _WIDEST - len(continuation))
            if len(context) <= most:
                raise
            context = context[-most:]
            tokens = await self._tokens(context, continuation)
        first = await self._first(tokens, context, len(context))
        length = len(tokens) - first
        if length > self.limit:
            return unscored(
                f"the continuation has {length} tokens and does not fit into a context of "
                f"{self.limit} tokens"
            )
        dropped = max(0, len(tokens) - self.limit)
        if dropped:
            start = tokens[dropped].start if dropped < len(tokens) else None
            if start is None or dropped >= first:
                return unscored("the context cannot be cut: the server gives no token offsets")
            shortened = context[start:]
            tokens = await self._tokens(shortened, continuation)
            first = await self._first(tokens, shortened, len(shortened))
        own_tokens, written = tokens[first:], ""
        if first == 0 and own_tokens and own_tokens[0].logprob is None:
            # The first token of a text has no log-probability, so its characters do not count.
            written = own_tokens[0].text or continuation[: _end(own_tokens)]
            own_tokens = own_tokens[1:]
            if not own_tokens:
                return unscored("the only token of the text has nothing before it")
        return scored(
            [token.text for token in own_tokens],
            [token.logprob for token in own_tokens],
            characters=len(continuation) - len(written),
            bytes=_size(continuation) - _size(written),
            dropped=dropped,
        )

    async def _tokens(self, context: str, continuation: str) -> list[ResponseToken]:
        text = context + continuation
        version = f"likelihood-1 {self.style} bos={self.bos} limit={self.limit}"
        call = echo_call(text, self.style, bos=self.bos, version=version)
        return await self.client.call(call, lambda answer: prompt_part(from_answer(answer), text))

    async def _first(self, tokens: Sequence[ResponseToken], context: str, cut: int) -> int:
        """The index of the continuation's first token, based on offsets or the encoded context."""
        if all(token.start is not None for token in tokens):
            starts = [token.start or 0 for token in tokens]
            ends = [*starts[1:], max(starts[-1], cut) + 1]
            return first_token(list(zip(starts, ends, strict=True)), cut)
        ids = [token.id for token in tokens]
        if any(i is None for i in ids[1:]):
            raise AnswerError("the server gives neither offsets nor ids of its tokens")
        known = await self._context_ids(context)
        lead = 1 if ids[0] is None and known else 0
        return lead + common_start([i or 0 for i in ids[lead:]], known[lead:])

    async def _context_ids(self, context: str) -> list[int]:
        body: dict[str, Any] = {"prompt": context, "add_special_tokens": self.bos != "no"}
        call = Call("tokenize", "//tokenize", body, "tokenize-1", _ids, free=True)
        try:
            return await self.client.call(call, lambda answer: list(parse_json(answer.text)))
        except (ModelError, CallError, AnswerError) as error:
            raise AnswerError(f"the place of the server's tokens is unknown ({error})") from None


def _ids(reply: Mapping[str, Any]) -> Answer:
    tokens = reply.get("tokens")
    return Answer(dump_json(tokens if isinstance(tokens, list) else []))


def _end(tokens: Sequence[ResponseToken]) -> int:
    """The end of the first token if there is a second one, otherwise 0."""
    return (tokens[1].start or 0) if len(tokens) > 1 else 0


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def echo_call(text: str, style: Style, *, bos: str, version: str, keep: bool = True) -> Call:
    """The request for the log-probabilities of a text.

    The request asks for one new token, because some servers take 0 to mean *no limit*. That token
    is ignored.
    """
    body: dict[str, Any] = {"prompt": text, "max_tokens": 1, "temperature": 0}
    body |= {"echo": True, "logprobs": 1} if style == "echo" else {"prompt_logprobs": 1}
    if bos != "auto":
        body["add_special_tokens"] = bos == "yes"
    return Call("likelihood", "/completions", body, version, echoed, keep=keep)


def prompt_part(reply: ReadReply, text: str) -> list[ResponseToken]:
    """Returns the prompt tokens in a response, with their offsets."""
    tokens = list(reply.tokens)
    if reply.prompt_tokens and len(tokens) > reply.prompt_tokens:
        tokens = tokens[: reply.prompt_tokens]
    if not tokens:
        raise AnswerError("the answer has no log-probabilities of the prompt")
    joined = "".join(token.text for token in tokens)
    if tokens[0].text == "" and joined != text and text.endswith(joined):
        # vLLM returns no text for the first token, which has no context.
        tokens[0] = replace(tokens[0], text=text[: len(text) - len(joined)])
        joined = text
    if (lead := joined.find(text)) >= 0:
        return [token for token in _placed(tokens, lead) if (token.start or 0) < len(text)]
    if len(joined) >= len(text) // 2 and all(token.start is not None for token in tokens):
        return [token for token in tokens if (token.start or 0) < len(text)]
    if len(tokens) == reply.prompt_tokens and all(token.id is not None for token in tokens[1:]):
        return tokens
    raise AnswerError(
        "the answer has no log-probabilities of the prompt"
        if len(joined) < len(text) // 2
        else f"the answer's tokens do not add up to the prompt: {joined[:40]!r}"
    )


def _placed(tokens: Sequence[ResponseToken], lead: int) -> list[ResponseToken]:
    """Adds offsets to tokens, given that `lead` characters (such as ``<s>``) precede the text."""
    placed, end = [], 0
    for token in tokens:
        start, end = end, end + len(token.text)
        text = token.text[max(0, lead - start) :]
        placed.append(replace(token, text=text, start=max(0, start - lead)))
    return placed
