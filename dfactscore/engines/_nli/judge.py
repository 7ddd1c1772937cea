"""Judges facts against documents with an entailment model, chunk by chunk."""

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
from dfactscore.engines._nli.entailment_model import EncodedRow, NLIModel, chunk_spans, make_batches
from dfactscore.engines._nli.forms import Form
from dfactscore.engines._nli.loading import Dtype, load_model
from dfactscore.retrieval._page_bm25 import PageBM25

_Span = tuple[int, int]
_LOG = logging.getLogger(__name__)
_LEAST = 8  # a fact is too long if it leaves less than 1/8 of the model's input to evidence


class FactsAndTexts(NamedTuple):
    """Several facts, and the texts to judge each of them against."""

    facts: tuple[str, ...]
    texts: tuple[str, ...]


class StrongestChunk(NamedTuple):
    """The chunk that supports a fact most strongly."""

    # Probability of support, rounded to four digits; None if the fact is too long for the model,
    # NaN if the model returns NaN.
    probability: float | None
    text: int = -1  # index of the text that contains the chunk; -1 if there is no evidence
    start: int = 0  # index of the chunk's first character
    end: int = 0  # index after the chunk's last character


class Stopped(Exception):
    """Raised if the caller no longer waits for the answers."""


class _Chunk(NamedTuple):
    """A part of a text."""

    text: int
    start: int
    end: int
    words: str


class JudgeOptions(TypedDict, total=False):
    """The options of an entailment model, except for its name; see `NLIJudge`."""

    threshold: float
    form: Form | None
    label: int | None
    chunk_tokens: int
    chunks: int | None
    batch_tokens: int | None
    device: str
    dtype: Dtype


class NLIJudge:
    """An entailment model, with a threshold and options for reading pages."""

    def __init__(
        self,
        model: str | Path,  # folder or a hub id, with weights as safetensors
        *,
        threshold: float = 0.5,  # minimum probability of a supported fact or an entailed sentence
        # The input format: `"pair"`, `"joined"`, `"true"` or `"minicheck-t5"`. If None, it is
        # chosen based on the model's config and name.
        form: Form | None = None,
        label: int | None = None,
        chunk_tokens: int = 400,
        # Number of chunks to read per entity and fact (the best by BM25); 0 means all. None means
        # all on a GPU and 3 on a CPU.
        chunks: int | None = None,
        # Maximum number of tokens in one call, including padding. None means 16,384 on CUDA and
        # 4,096 elsewhere.
        batch_tokens: int | None = None,
        device: str = "auto",  # `"auto"` chooses CUDA, then MPS, then the CPU
        # `"auto"` means bfloat16 on a CUDA device that supports it, else float32.
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
        """The settings that affect verdicts: the model, how pages are read, and the threshold."""
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
        """Describes the format, which output means support and how pages are read, in one line."""
        model = self.model
        label = "" if model.label is None else f"label {model.label} "
        chunks = f"the best {self.chunks} chunks" if self.chunks else "all chunks"
        return (
            f"NLI model {model.name}: form {model.form}, support is {label}{model.label_name!r}, "
            f"{model.dtype} on {model.device}; {chunks} of a page, up to "
            f"{min(self.chunk_tokens, model.max_tokens)} tokens each"
        )

    def judge(
        self, questions: Sequence[FactsAndTexts], stop: Callable[[], bool] = lambda: False
    ) -> list[list[StrongestChunk]]:
        """Judges all facts in as few calls to the model as possible."""
        facts = list(dict.fromkeys(fact for question in questions for fact in question.facts))
        rooms = dict(zip(facts, self.model.room(facts), strict=True))
        cut = lru_cache(maxsize=None)(self._cut)
        plan = [self._choose(question, rooms, cut) for question in questions]
        pairs = {
            (chunk.words, fact): math.nan
            for question, row in zip(questions, plan, strict=True)
            for fact, chosen in zip(question.facts, row, strict=True)
            for chunk in chosen or ()
        }
        values = self._ask(self.model.encode(list(pairs)), stop)
        pairs = dict(zip(pairs, values.tolist(), strict=True))
        # One row per question, with one answer per fact.
        return [
            [_best(fact, chosen, pairs) for fact, chosen in zip(question.facts, row, strict=True)]
            for question, row in zip(questions, plan, strict=True)
        ]

    def _choose(
        self,
        question: FactsAndTexts,
        rooms: Mapping[str, int],
        cut: Callable[[str, int], Sequence[_Span]],
    ) -> list[list[_Chunk] | None]:
        """Chooses the chunks to judge each fact against, in page order."""
        chosen: list[list[_Chunk] | None] = [[] for _ in question.facts]
        by_limit: dict[int, list[int]] = {}
        for i, fact in enumerate(question.facts):
            if rooms[fact] < max(1, self.model.max_tokens // _LEAST):
                chosen[i] = None
            elif any(map(str.isalnum, fact)):
                by_limit.setdefault(min(self.chunk_tokens, rooms[fact]), []).append(i)
        for limit, places in by_limit.items():
            chunks = [
                _Chunk(number, start, end, text[start:end])
                for number, text in enumerate(question.texts)
                for start, end in cut(text, limit)
            ]
            if not self.chunks or len(chunks) <= self.chunks:
                chosen = [chunks if i in places else row for i, row in enumerate(chosen)]
                continue
            page = PageBM25([chunk.words for chunk in chunks])
            best = page.select_many([question.facts[i] for i in places], self.chunks)
            for i, ranked in zip(places, best, strict=True):
                chosen[i] = [chunks[k] for k in sorted(ranked)]
        # The chunks for each fact: None for a fact that leaves too little room for evidence, and an
        # empty list for a fact without letters or digits.
        return chosen

    def _cut(self, text: str, limit: int) -> list[_Span]:
        return chunk_spans(text, limit, self.model.count)

    def _ask(self, rows: Sequence[EncodedRow], stop: Callable[[], bool]) -> NDArray[np.float64]:
        """Computes the probability for each row, longest first, in calls that fit in memory."""
        values = np.full(len(rows), math.nan)
        waiting = make_batches([len(row.ids) for row in rows], self.batch_tokens)[::-1]
        while waiting:
            if stop():
                raise Stopped
            batch = waiting.pop()
            probabilities = self._call([rows[i] for i in batch])
            if probabilities is not None:
                values[batch] = probabilities
                continue
            remaining = [i for part in (batch, *reversed(waiting)) for i in part]
            parts = make_batches([len(rows[i].ids) for i in remaining], self.batch_tokens)
            waiting = [[remaining[i] for i in part] for part in reversed(parts)]
        return values

    def _call(self, rows: Sequence[EncodedRow]) -> NDArray[np.float64] | None:
        """Calls the model once; if out of memory, reduces the batch size and returns None."""
        import torch

        try:
            probabilities = self.model.probabilities(rows)
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
                    f"trying {self.batch_tokens}, and fewer where that fails"
                )
            torch.cuda.empty_cache()
            return None
        self.calls += 1
        self.tokens += sum(len(row.ids) for row in rows)
        self.padded_tokens += len(rows) * max(len(row.ids) for row in rows)
        return probabilities


def _best(
    fact: str, chosen: Sequence[_Chunk] | None, values: Mapping[tuple[str, str], float]
) -> StrongestChunk:
    """Returns the chunk with the highest probability, or the first one if several are equal."""
    if chosen is None:
        return StrongestChunk(None)
    if not chosen:
        return StrongestChunk(0.0)
    probabilities = [values[chunk.words, fact] for chunk in chosen]
    if any(map(math.isnan, probabilities)):
        return StrongestChunk(math.nan)
    chunk = chosen[probabilities.index(max(probabilities))]
    return StrongestChunk(max(probabilities), chunk.text, chunk.start, chunk.end)
