"""Likelihoods from forward passes of transformers models, which process each context once."""

from __future__ import annotations

import asyncio
import copy
import hashlib
import importlib.util
import inspect
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from dfactscore._asking.cache import AnswerCache
from dfactscore._asking.messages import Answer
from dfactscore._errors import DFactScoreError, InputError, MissingExtraError
from dfactscore._util.files import sha256
from dfactscore._util.imports import quiet_transformers
from dfactscore._util.jsonl import parse_json
from dfactscore._util.message_text import near_file
from dfactscore.likelihood._continuations import (
    Bos,
    Continuation,
    Window,
    common_start,
    first_token,
    make_window,
    scored,
    unscored,
)

_LIMITS = ("max_position_embeddings", "n_positions", "max_seq_len", "n_ctx")
_UNSET = 1_000_000  # tokenizers use a larger number to mean "no limit"


@dataclass(frozen=True)
class CausalModel:
    """A loaded model."""

    network: Any
    tokenizer: Any
    name: str
    digest: str  # SHA-256 of the files that affect its results
    limit: int | None  # maximum number of tokens, or None if unknown


def model_digest(model: str | Path) -> tuple[str, str]:
    """Returns a model's name and hash without loading it."""
    path = Path(model).expanduser()
    if path.is_file():
        if path.suffix.lower() != ".gguf":
            raise InputError(
                f"--hf {model}: is a file, but not a .gguf file; give that, or a model's folder"
            )
        return path.name, sha256(path, error=InputError)
    if path.suffix.lower() == ".gguf":
        raise InputError(f"--hf {model}: no such file{near_file(path, '.gguf')}")
    folder = _folder(model)
    return folder.name, folder.digest


def _folder(model: str | Path) -> Any:
    from dfactscore.engines._nli.loading import open_folder

    try:
        return open_folder(model)
    except InputError as error:
        raise InputError(str(error).replace("NLI model", "--hf", 1)) from None
    except MissingExtraError:
        raise MissingExtraError("A model from the hub", "likelihood") from None


def load_causal(model: str | Path, *, dtype: str = "float32", device: str = "cpu") -> CausalModel:
    """Loads a model for likelihoods."""
    # `model`: a folder, a hub id, or a GGUF file (which needs the packages gguf and accelerate).
    needed = ["torch", "transformers"]
    path = Path(model).expanduser()
    if path.suffix.lower() == ".gguf":
        needed += ["gguf", "accelerate"]
    if any(importlib.util.find_spec(name) is None for name in needed):
        raise MissingExtraError("Likelihoods with transformers", "likelihood")
    import torch
    import transformers

    name, digest = model_digest(model)
    more: dict[str, Any]
    if path.is_file():
        # A file name without a folder would be read as a hub id.
        where, more = Path(os.path.abspath(path)).parent, {"gguf_file": path.name}
    else:
        where, more = _folder(model).path, {"trust_remote_code": False}
    with quiet_transformers(), _one_line(name):
        tokenizer = transformers.AutoTokenizer.from_pretrained(where, **more)
        network: Any = transformers.AutoModelForCausalLM.from_pretrained(
            where, dtype=getattr(torch, dtype), **more
        )
    return CausalModel(
        network.to(device).eval(), tokenizer, name, digest, _limit(network.config, tokenizer)
    )


def _limit(config: Any, tokenizer: Any) -> int | None:
    text = getattr(config, "text_config", None) or config
    limits = [getattr(text, field, None) for field in _LIMITS]
    limits.append(getattr(tokenizer, "model_max_length", None))
    known = [int(value) for value in limits if value and 0 < value < _UNSET]
    return min(known) if known else None


@contextmanager
def _one_line(name: str) -> Iterator[None]:
    """Converts errors from the library into errors with a one-line message."""
    try:
        yield
    except DFactScoreError:
        raise
    except Exception as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:300]
        raise InputError(f"--hf {name}: cannot be loaded: {reason}") from error


_BLOCK = 64


class PrefixStates:
    """Processes contexts in blocks of tokens and keeps the states of the last context.

    Items from the same page have contexts that begin in the same way. A context is always split
    into the same blocks, so its results do not depend, even in the last bit, on earlier contexts.
    """

    def __init__(self, network: Any, device: str) -> None:
        self._network = network
        self._device = device
        self._ids: list[int] = []
        self._states: Any = None
        self._whole = True  # whether the states can be cropped and copied
        known = inspect.signature(network.forward).parameters
        # Only the logits after the last token of a context are needed.
        self._last: dict[str, int] = {"logits_to_keep": 1} if "logits_to_keep" in known else {}

    def read(self, ids: Sequence[int]) -> tuple[Any, Any] | None:
        """Returns the states after some tokens, and the next logits.

        The caller may change the states. The result is None if the model
        has no states or does not have one state per token.
        """
        if not self._whole:
            return None
        blocks = (len(ids) - 1) // _BLOCK * _BLOCK  # leaves at least one token
        kept = min(common_start(self._ids, ids) // _BLOCK * _BLOCK, blocks)
        if kept == 0:
            self._states = None
        elif kept < len(self._ids):
            self._states.crop(kept - len(self._ids))  # a negative number removes tokens
        self._ids = list(ids[:kept])
        for start in range(kept, blocks, _BLOCK):
            self._states = self._pass(ids[start : start + _BLOCK], self._states)[0]
            if not _can_be_cut(self._states):
                self._whole, self._states, self._ids = False, None, []
                return None
            self._ids = list(ids[: start + _BLOCK])
        states, logits = self._pass(ids[blocks:], copy.deepcopy(self._states))
        return (states, logits) if _can_be_cut(states) else None

    def _pass(self, ids: Sequence[int], states: Any) -> tuple[Any, Any]:
        import torch

        tokens = torch.tensor([list(ids)], device=self._device)
        output = self._network(tokens, past_key_values=states, use_cache=True, **self._last)
        return getattr(output, "past_key_values", None), output.logits[0, -1:]


def _can_be_cut(states: Any) -> bool:
    """Whether there is one state per token, rather than states of a window or a running sum."""
    layers: Any = getattr(states, "layers", None) or ()
    return (
        bool(layers)
        and hasattr(states, "crop")
        and hasattr(states, "batch_repeat_interleave")
        and all(type(layer).__name__ == "DynamicLayer" for layer in layers)
    )


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
