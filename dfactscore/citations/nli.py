"""Entailment by a Hugging Face sequence-to-sequence NLI model such as TRUE's T5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dfactscore.citations.entailment import Judgment, Query
from dfactscore.errors import InputError, MissingExtraError

__all__ = ["TRUE_MODEL", "Seq2SeqEntailer", "true_prompt"]

TRUE_MODEL = "google/t5_xxl_true_nli_mixture"
"""The 11-billion-parameter model that ALCE and the paper used."""


def true_prompt(premise: str, sentence: str) -> str:
    """The input form that TRUE's models were trained on (Honovich et al. 2022)."""
    return f"premise: {premise} hypothesis: {sentence}"


class Seq2SeqEntailer:
    """Asks an encoder-decoder model that answers ``1`` (entailed) or ``0``.

    The probability is that of ``1`` against ``0`` at the decoder step at which the two answers,
    as the tokenizer writes them, first differ; at 0.5 and above the sentence counts as entailed.

    Args:
        model: A Hugging Face model id or a local folder.
        device: ``"auto"`` takes CUDA, then MPS, then the CPU.
        dtype: ``"auto"`` is bfloat16 on CUDA, else float32.
        batch_size: Questions in one forward pass; longest first.
        max_tokens: Longer questions lose the end of their last passages, never the sentence;
            `truncated` counts them.

    Raises:
        MissingExtraError: If torch or transformers is not installed.
        InputError: If the model cannot be loaded, or cannot tell one answer from the other.
    """

    def __init__(
        self,
        model: str = TRUE_MODEL,
        *,
        device: str = "auto",
        dtype: str = "auto",
        batch_size: int = 8,
        max_tokens: int = 2048,
    ) -> None:
        try:
            import torch
            from transformers import AutoModelForSeq2SeqLM, AutoTokenizer
        except ImportError as error:
            raise MissingExtraError("Entailment by a Hugging Face model", "nli") from error
        if batch_size < 1 or max_tokens < 8:
            raise InputError(f"batch_size={batch_size}, max_tokens={max_tokens}: too small")
        self.model_name = model
        self.batch_size = batch_size
        self.max_tokens = max_tokens
        self.truncated = 0
        self._torch = torch
        self._device = _device(torch) if device == "auto" else device
        kind = (
            ("bfloat16" if self._device.startswith("cuda") else "float32")
            if (dtype == "auto")
            else dtype
        )
        self.dtype = kind
        if not hasattr(torch, kind):
            raise InputError(f"dtype {kind!r} is not one of float32, bfloat16, float16")
        try:
            self._tokenizer = AutoTokenizer.from_pretrained(model)
            self._model = AutoModelForSeq2SeqLM.from_pretrained(model, dtype=getattr(torch, kind))
        except (OSError, ValueError, KeyError) as error:
            hint = "" if Path(model).exists() else "; is the name right, and is there a network?"
            reason = str(error).strip().splitlines()[0]
            raise InputError(f"NLI model {model!r} cannot be loaded: {reason}{hint}") from error
        self._model = self._model.to(self._device).eval()
        self._begin, *self._answers = self._answer_pieces()

    @property
    def settings(self) -> Mapping[str, Any]:
        """The model and how it is asked."""
        return {
            "entailer": "nli",
            "model": self.model_name,
            "dtype": self.dtype,
            "max_tokens": self.max_tokens,
        }

    def judge(self, queries: Sequence[Query]) -> list[Judgment]:
        """Judges in batches of similar length."""
        encoded = [self._encode(query) for query in queries]
        order = sorted(range(len(queries)), key=lambda i: -len(encoded[i]))
        answers: dict[int, Judgment] = {}
        for start in range(0, len(order), self.batch_size):
            batch = order[start : start + self.batch_size]
            for index, p in zip(batch, self._forward([encoded[i] for i in batch]), strict=True):
                answers[index] = Judgment(p >= 0.5, round(p, 6))
        return [answers[i] for i in range(len(queries))]

    def _encode(self, query: Query) -> list[int]:
        """Token ids; the premise is cut where the whole is too long."""
        premise = "\n".join(f"Title: {p.title}\n{p.text}" for p in query.passages)
        ids: list[int] = self._ids(true_prompt(premise, query.sentence))
        if len(ids) <= self.max_tokens:
            return ids
        self.truncated += 1
        head = self._ids(true_prompt(premise, ""), special=False)
        tail = self._ids(f"hypothesis: {query.sentence}")
        if len(tail) >= self.max_tokens:
            return ids[: self.max_tokens]
        return head[: self.max_tokens - len(tail)] + tail

    def _ids(self, text: str, *, special: bool = True) -> list[int]:
        return list(self._tokenizer(text, add_special_tokens=special)["input_ids"])

    def _forward(self, rows: Sequence[Sequence[int]]) -> list[float]:
        torch = self._torch
        width = max(len(row) for row in rows)
        pad = self._tokenizer.pad_token_id or 0
        ids = torch.full((len(rows), width), pad, dtype=torch.long)
        mask = torch.zeros((len(rows), width), dtype=torch.long)
        for i, row in enumerate(rows):
            ids[i, : len(row)] = torch.tensor(row)
            mask[i, : len(row)] = 1
        first = self._model.config.decoder_start_token_id
        begin = [pad if first is None else first, *self._begin]
        start = torch.tensor([begin], dtype=torch.long).expand(len(rows), -1)
        with torch.inference_mode():
            logits = self._model(
                input_ids=ids.to(self._device),
                attention_mask=mask.to(self._device),
                decoder_input_ids=start.to(self._device),
            ).logits[:, -1, self._answers]
        return [float(p) for p in torch.softmax(logits.float(), dim=-1)[:, 1].cpu()]

    def _answer_pieces(self) -> tuple[list[int], int, int]:
        """What both answers begin with, then the first piece of ``0`` and of ``1`` that differ.

        T5's vocabulary writes ``0`` as ``▁`` and ``0``, ``1`` as the one piece ``▁1``.
        """
        zero, one = (list(self._tokenizer(text_target=a)["input_ids"]) for a in ("0", "1"))
        shared = 0
        while shared < min(len(zero), len(one)) and zero[shared] == one[shared]:
            shared += 1
        if shared == min(len(zero), len(one)) or self._tokenizer.unk_token_id in (*zero, *one):
            raise InputError(
                f"NLI model {self.model_name!r}: its vocabulary cannot write the answers '0' and "
                "'1' apart; only models that answer 1 or 0, like TRUE's, can be used"
            )
        return zero[:shared], zero[shared], one[shared]


def _device(torch: Any) -> str:
    if torch.cuda.is_available():
        return "cuda"
    if torch.backends.mps.is_available():
        return "mps"
    return "cpu"
