"""Judges facts against documents with an entailment model: chunks, batches, the best chunk."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from dfactscore._errors import InputError
from dfactscore.engines._nli.batches import make_batches
from dfactscore.engines._nli.chunks import chunk_spans
from dfactscore.engines._nli.encoding import EncodedRow
from dfactscore.engines._nli.forms import Form
from dfactscore.engines._nli.loading import Dtype, load_model
from dfactscore.engines._nli.model import NLIModel
from dfactscore.retrieval._page_bm25 import PageBM25

_Span = tuple[int, int]
_LOG = logging.getLogger(__name__)
_LEAST = 8  # a fact that leaves less than this part of what the model reads to evidence is too long


class FactsAndTexts(NamedTuple):
    """Facts, and the texts that each of them is judged against."""

    facts: tuple[str, ...]
    texts: tuple[str, ...]


class StrongestChunk(NamedTuple):
    """Verdict of the texts on one fact.

    Attributes:
        probability: Of the chunk that supports it most, rounded to four digits; None if the
            fact is longer than the model reads, NaN if the model gives no number.
        text: Index of the text with that chunk; -1 if there is no evidence.
        start: First character of the chunk.
        end: After its last character.
    """

    probability: float | None
    text: int = -1
    start: int = 0
    end: int = 0


class Stopped(Exception):
    """The caller no longer waits for the answers."""


class _Chunk(NamedTuple):
    """A part of one of the texts."""

    text: int
    start: int
    end: int
    words: str


class JudgeOptions(TypedDict, total=False):
    """Settings of an entailment model besides its name; see `NLIJudge` for each."""

    threshold: float
    form: Form | None
    label: int | None
    chunk_tokens: int
    chunks: int | None
    batch_tokens: int | None
    device: str
    dtype: Dtype


class NLIJudge:
    """An entailment model with what decides how pages are read by it, and what counts as support.

    Args:
        model: A folder or a hub id; weights as safetensors.
        threshold: The probability from which a fact counts as supported, or a sentence as entailed.
        form: The input format: ``"pair"``, ``"joined"``, ``"true"`` or ``"minicheck-t5"``; read
            from its config if None.
        label: The output of a classifier that means support; found by name if None.
        chunk_tokens: Tokens of a chunk; fewer where the model reads less beside a fact.
        chunks: Chunks of an entity that are read for a fact, the best by BM25; 0 for all; None
            for all on a GPU, 3 on a CPU.
        batch_tokens: Tokens in one call of the model, padding included; None for 16,384 on CUDA,
            4,096 elsewhere.
        device: ``"auto"`` takes CUDA, then MPS, then the CPU.
        dtype: ``"auto"`` is bfloat16 on a CUDA device that has it, else float32.

    Raises:
        MissingExtraError: If torch or transformers is not installed.
        InputError: If the model cannot be used, which the message explains, or a number is out of
            its range.
    """

    def __init__(
        self,
        model: str | Path,
        *,
        threshold: float = 0.5,
        form: Form | None = None,
        label: int | None = None,
        chunk_tokens: int = 400,
        chunks: int | None = None,
        batch_tokens: int | None = None,
        device: str = "auto",
        dtype: Dtype = "auto",
    ) -> None:
        if not 0.0 <= threshold <= 1.0:
            raise InputError(f"threshold {threshold} is not in [0, 1]")
        if chunk_tokens < 1 or (chunks or 0) < 0 or (batch_tokens is not None and batch_tokens < 1):
            raise InputError(
                f"chunk_tokens={chunk_tokens}, chunks={chunks}, batch_tokens={batch_tokens}: "
                "expected positive numbers (chunks may be 0: all)"
            )
        self.model: NLIModel = load_model(model, form=form, label=label, device=device, dtype=dtype)
        self.threshold = float(threshold)
        cuda = self.model.device.startswith("cuda")
        self.chunk_tokens = chunk_tokens
        self.chunks = (3 if self.model.device == "cpu" else 0) if chunks is None else chunks
        self.batch_tokens = batch_tokens or (16_384 if cuda else 4_096)
        self.calls = 0
        self.tokens = 0
        self.padded_tokens = 0
        self._halved = False

    @property
    def settings(self) -> Mapping[str, Any]:
        """The model, how it reads a page, the threshold; not what only changes its speed."""
        model = self.model
        return {
            "model": model.name,
            "form": model.form,
            "label": model.label_name if model.label is None else model.label,
            "max_tokens": model.max_tokens,
            "chunk_tokens": self.chunk_tokens,
            "chunks": self.chunks or "all",
            "dtype": model.dtype,
            "device": model.device.partition(":")[0],
            "sha256": model.digest,
            "threshold": self.threshold,
        }

    def describe(self) -> str:
        """One line for a person: the form, what counts as support, and how pages are read."""
        model = self.model
        which = "" if model.label is None else f"label {model.label} "
        read = f"the best {self.chunks} chunks" if self.chunks else "all chunks"
        return (
            f"NLI model {model.name}: form {model.form}, support is {which}{model.label_name!r}, "
            f"{model.dtype} on {model.device}; {read} of a page, up to "
            f"{min(self.chunk_tokens, model.max_tokens)} tokens each"
        )

    def judge(
        self, asked: Sequence[FactsAndTexts], stop: Callable[[], bool] = lambda: False
    ) -> list[list[StrongestChunk]]:
        """Judges all facts in as few calls of the model as fit.

        Args:
            asked: Facts with their texts.
            stop: Asked before each call of the model whether to give up.

        Returns:
            One answer per fact, in the order of `asked`.

        Raises:
            Stopped: If `stop` says so.
            InputError: If one question alone does not fit into the memory of the GPU.
        """
        facts = list(dict.fromkeys(fact for one in asked for fact in one.facts))
        rooms = dict(zip(facts, self.model.room(facts), strict=True))
        cut = lru_cache(maxsize=None)(self._cut)
        plan = [self._choose(one, rooms, cut) for one in asked]
        pairs = {
            (chunk.words, fact): math.nan
            for one, row in zip(asked, plan, strict=True)
            for fact, chosen in zip(one.facts, row, strict=True)
            for chunk in chosen or ()
        }
        values = self._ask(self.model.encode(list(pairs)), stop)
        pairs = dict(zip(pairs, values.tolist(), strict=True))
        return [
            [_best(fact, chosen, pairs) for fact, chosen in zip(one.facts, row, strict=True)]
            for one, row in zip(asked, plan, strict=True)
        ]

    def _choose(
        self,
        one: FactsAndTexts,
        rooms: Mapping[str, int],
        cut: Callable[[str, int], Sequence[_Span]],
    ) -> list[list[_Chunk] | None]:
        """The chunks that each fact is asked about, in the order of the page.

        None for a fact that leaves no room for evidence; no chunk for one that says nothing.
        """
        chosen: list[list[_Chunk] | None] = [[] for _ in one.facts]
        by_limit: dict[int, list[int]] = {}
        for i, fact in enumerate(one.facts):
            if rooms[fact] < max(1, self.model.max_tokens // _LEAST):
                chosen[i] = None
            elif any(map(str.isalnum, fact)):
                by_limit.setdefault(min(self.chunk_tokens, rooms[fact]), []).append(i)
        for limit, places in by_limit.items():
            chunks = [
                _Chunk(number, start, end, text[start:end])
                for number, text in enumerate(one.texts)
                for start, end in cut(text, limit)
            ]
            if not self.chunks or len(chunks) <= self.chunks:
                chosen = [chunks if i in places else row for i, row in enumerate(chosen)]
                continue
            page = PageBM25([chunk.words for chunk in chunks])
            best = page.select_many([one.facts[i] for i in places], self.chunks)
            for i, ranked in zip(places, best, strict=True):
                chosen[i] = [chunks[k] for k in sorted(ranked)]
        return chosen

    def _cut(self, text: str, limit: int) -> list[_Span]:
        return chunk_spans(text, limit, self.model.count)

    def _ask(self, rows: Sequence[EncodedRow], stop: Callable[[], bool]) -> NDArray[np.float64]:
        """The probability of each row; longest first, in calls that fit into the memory."""
        values = np.full(len(rows), math.nan)
        waiting = make_batches([len(row.ids) for row in rows], self.batch_tokens)[::-1]
        while waiting:
            if stop():
                raise Stopped
            batch = waiting.pop()
            found = self._call([rows[i] for i in batch])
            if found is not None:
                values[batch] = found
                continue
            left = [i for part in (batch, *reversed(waiting)) for i in part]
            parts = make_batches([len(rows[i].ids) for i in left], self.batch_tokens)
            waiting = [[left[i] for i in part] for part in reversed(parts)]
        return values

    def _call(self, rows: Sequence[EncodedRow]) -> NDArray[np.float64] | None:
        """One call of the model; None if its memory was too small, with smaller batches set."""
        import torch

        try:
            found = self.model.probabilities(rows)
        except torch.cuda.OutOfMemoryError:
            width = len(rows[0].ids)
            if len(rows) == 1:
                raise InputError(
                    f"NLI model {self.model.name!r}: one question of {width} tokens does not fit "
                    "into the memory of the GPU; lower --nli chunk-tokens=N or take a smaller model"
                ) from None
            self.batch_tokens = max(width, min(self.batch_tokens, len(rows) * width) // 2)
            if not self._halved:
                self._halved = True
                _LOG.warning(
                    f"the memory of the GPU is too small for calls of {len(rows) * width} tokens: "
                    f"trying {self.batch_tokens} (--nli batch-tokens=N), and fewer where that fails"
                )
            torch.cuda.empty_cache()
            return None
        self.calls += 1
        self.tokens += sum(len(row.ids) for row in rows)
        self.padded_tokens += len(rows) * max(len(row.ids) for row in rows)
        return found


def _best(
    fact: str, chosen: Sequence[_Chunk] | None, values: Mapping[tuple[str, str], float]
) -> StrongestChunk:
    """The chunk with the highest probability, the first of equals."""
    if chosen is None:
        return StrongestChunk(None)
    if not chosen:
        return StrongestChunk(0.0)
    found = [values[chunk.words, fact] for chunk in chosen]
    if any(map(math.isnan, found)):
        return StrongestChunk(math.nan)
    chunk = chosen[found.index(max(found))]
    return StrongestChunk(max(found), chunk.text, chunk.start, chunk.end)
