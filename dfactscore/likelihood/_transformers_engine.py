"""Likelihoods from forward passes of transformers models, which process each context once."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from dfactscore._asking.cache import AnswerCache
from dfactscore._asking.messages import Answer
from dfactscore._errors import InputError
from dfactscore._util.jsonl import parse_json
from dfactscore.likelihood._continuations import Continuation, scored, unscored
from dfactscore.likelihood._loading import CausalModel, load_causal, model_digest
from dfactscore.likelihood._states import PrefixStates
from dfactscore.likelihood._windows import Bos, Window, common_start, first_token, make_window

_T = TypeVar("_T")
_VERSION = "likelihood-1"


class TransformersModel:
    """A causal language model from transformers, run in this process.

    The model is loaded only when a likelihood is not in the cache.

    Args:
        model: A folder with safetensors, a hub id, or a GGUF file.
        bos: Whether to begin texts with the beginning-of-sequence token; ``"auto"`` follows the
            tokenizer.
        context_tokens: Maximum number of tokens in context and continuation together.
        cache: The cache of likelihoods; if None, none are stored.
        dtype: The data type of the model's weights.
        device: The device to run the model on.

    Raises:
        InputError: If there is no such model.
    """

    def __init__(
        self,
        model: str | Path,
        *,
        bos: Bos = "auto",
        context_tokens: int = 1024,
        cache: AnswerCache | None = None,
        dtype: str = "float32",
        device: str = "cpu",
    ) -> None:
        self.given = model
        self.bos = bos
        self.context_tokens = context_tokens
        self.cache = cache
        self.dtype = dtype
        self.device = device
        self.name, self.digest = model_digest(model)
        self._loaded: CausalModel | None = None
        self._states: PrefixStates | None = None
        self._bos_id: int | None = None
        self._limit = context_tokens
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="likelihood")

    @property
    def settings(self) -> Mapping[str, Any]:
        """See `dfactscore.likelihood.LikelihoodModel`."""
        return {
            "engine": "transformers",
            "model": self.name,
            "sha256": self.digest,
            "dtype": self.dtype,
            "bos": self.bos,
            "context_tokens": self.context_tokens,
        }

    async def score(self, context: str, continuations: Sequence[str]) -> Sequence[Continuation]:
        """See `dfactscore.likelihood.LikelihoodModel`."""
        key = self._key(context, continuations)
        if self.cache is not None and (stored := self.cache.get(key)) is not None:
            return [_read(line) for line in parse_json(stored.text, strict=False)]
        results = await self._run(self._score, context, list(continuations))
        if self.cache is not None and not any(one.error for one in results):
            text = json.dumps([_written(one) for one in results])
            await self.cache.put(
                key,
                Answer(text),
                {"model": self.name, "context": context, "continuations": list(continuations)},
                endpoint=f"sha256:{self.digest[:24]}",
                stage="likelihood",
                version=_VERSION,
                sample=0,
            )
        return results

    async def spans(self, text: str) -> Sequence[tuple[int, int]]:
        """See `dfactscore.likelihood.TokenizingModel`."""
        return await self._run(self._spans, text)

    async def aclose(self) -> None:
        """Frees the model; the next call loads it again."""
        self._loaded = self._states = None

    async def _run(self, function: Callable[..., _T], *args: Any) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, function, *args)

    def _key(self, context: str, continuations: Sequence[str]) -> bytes:
        parts = [_VERSION, dict(self.settings), context, list(continuations)]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).digest()

    def _model(self) -> CausalModel:
        if self._loaded is None:
            loaded = load_causal(self.given, dtype=self.dtype, device=self.device)
            self._bos_id = _bos(loaded, self.bos)
            self._limit = min(self.context_tokens, loaded.limit or self.context_tokens)
            self._loaded = loaded
            self._states = PrefixStates(loaded.network, self.device)
        return self._loaded

    def _encode(self, text: str) -> tuple[list[int], list[tuple[int, int]] | None]:
        tokenizer = self._model().tokenizer
        if not tokenizer.is_fast:
            return list(tokenizer(text, add_special_tokens=False).input_ids), None
        encoding = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
        return list(encoding.input_ids), [(int(a), int(b)) for a, b in encoding.offset_mapping]

    def _spans(self, text: str) -> list[tuple[int, int]]:
        ids, spans = self._encode(text)
        if spans is not None:
            return spans
        tokenizer = self._model().tokenizer
        ends = [len(tokenizer.decode(ids[: i + 1])) for i in range(len(ids))]
        return list(zip([0, *ends], ends, strict=False))

    def _window(self, context: str, continuation: str) -> Window | str:
        text = context + continuation
        ids, spans = self._encode(text)
        if spans is None:
            first = common_start(ids, self._encode(context)[0])
            decode = self._model().tokenizer.decode
            texts = [decode([i]) for i in ids[first:]]
            skipped = texts[0] if texts else ""
        else:
            first = first_token(spans, len(context))
            texts = [text[a:b] for a, b in spans[first:]]
            skipped = text[len(context) : spans[first][1]] if first < len(spans) else ""
        return make_window(
            ids,
            first,
            texts,
            continuation=continuation,
            skipped=skipped,
            bos=self._bos_id,
            limit=self._limit,
        )

    def _score(self, context: str, continuations: list[str]) -> list[Continuation]:
        self._model()
        windows = [self._window(context, text) for text in continuations]
        alone = [len(self._encode(text)[0]) for text in continuations]
        usable = [window for window in windows if isinstance(window, Window)]
        values = iter(self._logprobs(usable))
        results = []
        for window, count in zip(windows, alone, strict=True):
            if isinstance(window, str):
                results.append(unscored(window, alone=count))
                continue
            results.append(
                scored(
                    window.texts,
                    next(values),
                    characters=window.characters,
                    bytes=window.bytes,
                    dropped=window.dropped,
                    alone=count,
                )
            )
        return results

    def _logprobs(self, windows: Sequence[Window]) -> list[list[float]]:
        """The log-probabilities of the targets, whose common context is processed only once."""
        if not windows:
            return []
        rows = [(*window.prompt, *window.target) for window in windows]
        shared = min(
            *(common_start(rows[0], row) for row in rows),
            *(len(window.prompt) for window in windows),
        )
        values = self._together(windows, rows, shared) if shared and len(rows) > 1 else None
        if values is not None:
            return values
        return [self._apart(window, row) for window, row in zip(windows, rows, strict=True)]

    def _apart(self, window: Window, row: Sequence[int]) -> list[float]:
        import torch

        network = self._model().network
        with torch.inference_mode():
            logits = network(torch.tensor([row], device=self.device)).logits[0]
            return _picked(logits[len(window.prompt) - 1 : -1], window.target)

    def _together(
        self, windows: Sequence[Window], rows: Sequence[Sequence[int]], shared: int
    ) -> list[list[float]] | None:
        """Processes the common tokens, then all others in one pass; None if there are no states."""
        import torch

        network = self._model().network
        with torch.inference_mode():
            read = self._states.read(rows[0][:shared]) if self._states else None
            if read is None:
                return None
            cache, last = read
            remainders = [row[shared:] for row in rows]
            longest = max(map(len, remainders))
            lengths = [(ids, longest - len(ids)) for ids in remainders]
            filled = [[*ids, *([0] * padding)] for ids, padding in lengths]
            mask = [[1] * (shared + len(ids)) + [0] * padding for ids, padding in lengths]
            places = torch.arange(shared, shared + longest, device=self.device)
            cache.batch_repeat_interleave(len(rows))
            logits = network(
                torch.tensor(filled, device=self.device),
                attention_mask=torch.tensor(mask, device=self.device),
                position_ids=places.expand(len(rows), -1),
                past_key_values=cache,
            ).logits
            values = []
            for window, following in zip(windows, logits, strict=True):
                # Row i of `joined` predicts the token after position shared - 1 + i.
                joined = torch.cat([last, following])
                start = len(window.prompt) - shared
                values.append(_picked(joined[start : start + len(window.target)], window.target))
            return values


def _picked(logits: Any, target: Sequence[int]) -> list[float]:
    import torch

    values = torch.log_softmax(logits.float(), dim=-1)
    wanted = torch.tensor(target, device=values.device)
    picked: list[float] = values.gather(1, wanted[:, None])[:, 0].tolist()
    return picked


def _bos(model: CausalModel, bos: Bos) -> int | None:
    tokenizer = model.tokenizer
    token = tokenizer.bos_token_id
    if bos == "no":
        return None
    if bos == "yes":
        if token is None:
            raise InputError(
                f"--bos yes: {model.name} has no beginning-of-sequence token; use auto"
            )
        return int(token)
    plain = tokenizer("a", add_special_tokens=False).input_ids
    with_marks = tokenizer("a", add_special_tokens=True).input_ids
    adds = len(with_marks) > len(plain) and with_marks[0] == token
    return int(token) if adds and token is not None else None


def _written(continuation: Continuation) -> list[Any]:
    parts = (
        continuation.tokens,
        continuation.logprobs,
        continuation.characters,
        continuation.bytes,
        continuation.dropped,
        continuation.alone,
    )
    return [list(part) if isinstance(part, tuple) else part for part in parts]


def _read(line: list[Any]) -> Continuation:
    tokens, logprobs, characters, size, dropped, alone = line
    return scored(tokens, logprobs, characters=characters, bytes=size, dropped=dropped, alone=alone)
