"""Likelihoods from llama.cpp, which is forced to write the continuation.

The server returns log-probabilities only for the tokens that it writes, not for its prompt. A
grammar that allows only one token does not change these log-probabilities.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import groupby
from typing import Any

from dfactscore._asking.client import ChatClient
from dfactscore._asking.messages import Answer, AnswerError, Call, CallError
from dfactscore._util.files import dump_json
from dfactscore._util.jsonl import parse_json
from dfactscore.likelihood._completions import from_answer, generated
from dfactscore.likelihood._continuations import (
    Continuation,
    Window,
    common_start,
    first_token,
    make_window,
    scored,
    unscored,
)

_EVERY = 1_000_000  # more tokens than in any vocabulary
Piece = tuple[int, bytes | None]


@dataclass(eq=False)
class ForcedModel:
    """A llama.cpp server, or a GGUF file in this process.

    Args:
        client: The client for the server or file.
        name: The name of the model.
        bos: The user's choice of whether to begin texts with the beginning-of-sequence token.
        bos_id: The id of the beginning-of-sequence token, or None.
        safe: The id of a token that consists of complete characters, written in place of one that
            does not.
        context_tokens: Maximum number of tokens, as chosen by the user.
        limit: Maximum number of tokens that the model accepts, which applies if it is smaller than
            `context_tokens`; 0 if unknown.
        prefill: Whether to process a context before its continuations, so that all are scored from
            the same state; intended for models whose requests are free.
    """

    client: ChatClient
    _: KW_ONLY
    name: str
    bos: str
    bos_id: int | None
    safe: int
    context_tokens: int
    limit: int = 0
    prefill: bool = False

    def __post_init__(self) -> None:
        self.limit = min(self.context_tokens, self.limit or self.context_tokens)

    @property
    def settings(self) -> Mapping[str, Any]:
        """See `dfactscore.likelihood.LikelihoodModel`."""
        return {
            "engine": "forced decoding",
            "model": self.name,
            "endpoint": self.client.transport.endpoint,
            "bos": self.bos,
            "context_tokens": self.context_tokens,
        }

    @property
    def version(self) -> str:
        """The part of the cache key that is added to the endpoint and token ids."""
        return f"likelihood-1 forced bos={self.bos_id} limit={self.limit}"

    async def score(self, context: str, continuations: Sequence[str]) -> Sequence[Continuation]:
        """See `dfactscore.likelihood.LikelihoodModel`."""
        plans: list[tuple[Window | str | Continuation, list[list[Piece]], int]] = []
        for continuation in continuations:
            try:
                plans.append(await self._plan(context, continuation))
            except (AnswerError, CallError) as error:
                failed = unscored(f"not tokenized: {error.reason}", passing=error.passing)
                plans.append((failed, [], 0))
        if self.prefill:
            await self._read_ahead([(w, r) for w, r, _ in plans if isinstance(w, Window)])
        scores = []
        for window, runs, alone in plans:
            # In sequence, so that the server finds the context in its cache.
            scores.append(await self._one(window, runs, alone))
        return scores

    async def spans(self, text: str) -> Sequence[tuple[int, int]]:
        """See `dfactscore.likelihood.TokenizingModel`."""
        pieces = await self.tokenize(text)
        ends = _byte_ends(pieces, text.encode("utf-8", "replace"))
        if ends is None:
            raise CallError("the server's tokens do not add up to the text")
        places = _characters(text)
        starts = [0, *ends[:-1]]
        return [(places[a], places[b]) for a, b in zip(starts, ends, strict=True)]

    async def aclose(self) -> None:
        """Closes connections."""
        await self.client.aclose()

    async def tokenize(self, text: str) -> list[Piece]:
        """The token ids of a text and their bytes, excluding special tokens."""
        if not text:
            return []
        return await self.client.call(tokenize_call(text), written_ids)

    async def _plan(
        self, context: str, continuation: str
    ) -> tuple[Window | str, list[list[Piece]], int]:
        pieces = await self.tokenize(context + continuation)
        alone = len(await self.tokenize(continuation))
        data = (context + continuation).encode("utf-8", "replace")
        cut = len(context.encode("utf-8", "replace"))
        ends = _byte_ends(pieces, data)
        if ends is None:
            first = common_start(
                [i for i, _ in pieces], [i for i, _ in await self.tokenize(context)]
            )
            skipped = ""
        else:
            first = first_token(list(zip([0, *ends], ends, strict=False)), cut)
            end = ends[first] if first < len(ends) else cut
            skipped = data[cut:end].decode("utf-8", "ignore")
        window = make_window(
            [i for i, _ in pieces],
            first,
            [(b or b"").decode("utf-8", "replace") for _, b in pieces[first:]],
            continuation=continuation,
            skipped=skipped,
            bos=self.bos_id,
            limit=self.limit,
        )
        if isinstance(window, str):
            return window, [], alone
        target = pieces[len(pieces) - len(window.target) :]
        runs = [list(run) for _, run in groupby(target, key=lambda piece: _whole(piece[1]))]
        return window, runs, alone

    async def _one(
        self, window: Window | str | Continuation, runs: list[list[Piece]], alone: int
    ) -> Continuation:
        if isinstance(window, Continuation):
            return window
        if isinstance(window, str):
            return unscored(window, alone=alone)
        values: list[float | None] = []
        try:
            for call, ids in self._calls(window, runs):
                values += await self.client.call(call, _reader(ids))
        except (AnswerError, CallError) as error:
            return unscored(
                error.reason, dropped=window.dropped, alone=alone, passing=error.passing
            )
        return scored(
            window.texts,
            values,
            characters=window.characters,
            bytes=window.bytes,
            dropped=window.dropped,
            alone=alone,
        )

    def _calls(self, window: Window, runs: list[list[Piece]]) -> list[tuple[Call, tuple[int, ...]]]:
        """The requests for a continuation: one per run of whole characters or incomplete token.

        A server returns no log-probability for a token that ends within a character, and grammars
        do not match such tokens. For these, the server writes another token, and returns the
        log-probabilities of the whole vocabulary.
        """
        calls = []
        prompt = list(window.prompt)
        for run in runs:
            if _whole(run[0][1]):
                ids = tuple(i for i, _ in run)
                calls.append((force_call(prompt, ids, version=self.version), ids))
                prompt += ids
                continue
            for one, _ in run:
                call = force_call(prompt, (self.safe,), version=self.version, wanted=one)
                calls.append((call, (one,)))
                prompt.append(one)
        return calls

    async def _read_ahead(self, plans: list[tuple[Window, list[list[Piece]]]]) -> None:
        """Processes the common start of the contexts unless all answers are cached.

        Without this step, the first continuation would be scored directly after a long prompt and
        the others from the server's cache. With quantized weights, this gives slightly different
        values.
        """
        missing = [
            window
            for window, runs in plans
            if not all(self.client.call_cached(call) for call, _ in self._calls(window, runs))
        ]
        if not missing:
            return
        prompts = [window.prompt for window, _ in plans]
        shared = min(common_start(prompts[0], prompt) for prompt in prompts)
        if shared:
            body = {"prompt": list(prompts[0][:shared]), "max_tokens": 1, "cache_prompt": True}
            call = Call("prefill", "/completions", body, "", _nothing, keep=False, free=True)
            await self.client.call(call, lambda answer: None)


def force_call(
    prompt: Sequence[int], ids: Sequence[int], *, version: str, wanted: int | None = None
) -> Call:
    """The request that makes a server write given token ids after a prompt."""
    # `wanted`: a token id whose log-probability is returned instead of that of the first of `ids`.
    body = {
        "prompt": list(prompt),
        "grammar": "root ::= " + " ".join(f"<[{i}]>" for i in ids),
        "temperature": 0,
        "max_tokens": len(ids),
        "logprobs": 1 if wanted is None else _EVERY,
        "cache_prompt": True,
    }
    if wanted is None:
        return Call("likelihood", "/completions", body, version, generated)

    def look_up(reply: Mapping[str, Any]) -> Answer:
        content = reply["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
        kept = [entry for entry in content if entry.get("id") == wanted]
        choice = {"logprobs": {"content": kept}}
        return generated({"choices": [choice], "usage": reply.get("usage")})

    def reduce(reply: Mapping[str, Any]) -> Answer:
        try:
            return look_up(reply)
        except (KeyError, IndexError, TypeError, AttributeError):
            return generated({})

    return Call("likelihood", "/completions", body, f"{version} id={wanted}", reduce)


def _reader(ids: Sequence[int]) -> Any:
    def read(answer: Answer) -> list[float | None]:
        tokens = from_answer(answer).tokens
        if not tokens:
            raise AnswerError("the server gave no log-probabilities")
        came = tuple(token.id for token in tokens)
        if came != tuple(ids):
            raise AnswerError(f"the server wrote the tokens {came} instead of {tuple(ids)}")
        return [token.logprob for token in tokens]

    return read


def tokenize_call(text: str, *, special: bool = False) -> Call:
    """The request for the token ids of a text."""
    body = {"content": text, "add_special": special, "with_pieces": True}
    return Call("tokenize", "//tokenize", body, "tokenize-1", _tokenized, free=True)


def _tokenized(reply: Mapping[str, Any]) -> Answer:

    return Answer(dump_json(reply.get("tokens")))


def written_ids(answer: Answer) -> list[Piece]:
    """Returns the token ids and bytes from an answer to `tokenize_call`."""
    try:
        tokens = parse_json(answer.text)
        if not isinstance(tokens, list):
            raise TypeError
        return [
            (entry, None)
            if isinstance(entry, int)
            else (int(entry["id"]), _piece(entry.get("piece")))
            for entry in tokens
        ]
    except (ValueError, TypeError, KeyError):
        raise AnswerError(f"/tokenize answered {answer.text[:60]!r}") from None


def _piece(value: Any) -> bytes | None:
    if isinstance(value, str):
        return value.encode("utf-8", "replace")
    return bytes(value) if isinstance(value, list) else None


def _whole(piece: bytes | None) -> bool:
    """Whether a token consists of complete characters, as far as is known."""
    try:
        return piece is None or piece.decode("utf-8") is not None
    except UnicodeDecodeError:
        return False


def _byte_ends(pieces: Sequence[Piece], data: bytes) -> list[int] | None:
    """Where each token ends in the text's bytes; None if the tokens do not match the text."""
    if any(piece is None for _, piece in pieces):
        return None
    joined = b"".join(piece or b"" for _, piece in pieces)
    # Some tokenizers add a space before every text.
    extra = len(joined) - len(data)
    if extra not in (0, 1) or joined[extra:] != data or joined[:extra].strip():
        return None
    ends, place = [], -extra
    for _, piece in pieces:
        place += len(piece or b"")
        ends.append(max(place, 0))
    return ends


def _characters(text: str) -> list[int]:
    """The character index at each byte offset."""
    places: list[int] = []
    for index, character in enumerate(text):
        places += [index] * len(character.encode("utf-8", "replace"))
    return [*places, len(text)]


def _nothing(reply: Mapping[str, Any]) -> Answer:
    return Answer("")
