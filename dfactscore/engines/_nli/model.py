"""A loaded entailment model: converts questions to tokens and tokens to probabilities."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dfactscore._errors import InputError
from dfactscore.engines._nli.encoding import EncodedRow, RowEncoder
from dfactscore.engines._nli.forms import WRITING, Form

_UNBOUNDED = 1_000_000  # tokenizers report a larger length if they do not know the limit
_USUAL = 512
_RELATIVE = 2048  # limit for T5 models, which have no maximum position


class NLIModel:
    """Computes the probability that a chunk of evidence supports a fact."""

    def __init__(
        self,
        network: Any,  # torch module in evaluation mode, on its device
        tokenizer: Any,
        *,
        name: str,
        digest: str,
        form: Form,
        label: int | None,
        device: str,
        dtype: str,
    ) -> None:
        self.name = name
        self.digest = digest
        self.form: Form = form
        self.label = label
        self.device = device
        self.dtype = dtype
        self._network = network
        self._tokenizer = tokenizer
        self._pad = int(tokenizer.pad_token_id or 0)
        if getattr(network.config, "pad_token_id", None) is None:
            network.config.pad_token_id = self._pad  # some classifiers search for the last token
        self._answers = self._answer_pieces() if form in WRITING else None
        self._typed = (
            form not in WRITING
            and "token_type_ids" in tokenizer.model_input_names
            and "token_type_ids" in inspect.signature(network.forward).parameters
            and getattr(network.config, "type_vocab_size", 0) > 1
        )
        self._encoder = RowEncoder(tokenizer, form, typed=self._typed, name=name)
        self.max_tokens = self._longest()

    @property
    def label_name(self) -> str:
        """The name of the output that means support."""
        if self.form in WRITING:
            return "1"
        labels = self._network.config.id2label
        return str(labels[self.label if self.label is not None else min(labels)])

    def count(self, texts: Sequence[str]) -> list[int]:
        """Returns the number of tokens in each text, excluding special tokens."""
        return self._encoder.count(texts)

    def room(self, facts: Sequence[str]) -> list[int]:
        """Returns the number of evidence tokens that fit alongside each fact (may be negative)."""
        return [
            self.max_tokens - len(row.ids) for row in self._encoder.encode([("", f) for f in facts])
        ]

    def encode(self, pairs: Sequence[tuple[str, str]]) -> list[EncodedRow]:
        """Converts questions to tokens."""
        rows = self._encoder.encode(pairs)
        for i, (chunk, fact) in enumerate(pairs):
            while len(rows[i].ids) > self.max_tokens and chunk:
                chunk = chunk[: len(chunk) * self.max_tokens // (len(rows[i].ids) + 1)]
                rows[i] = self._encoder.encode([(chunk, fact)])[0]
        return rows

    def probabilities(self, rows: Sequence[EncodedRow]) -> NDArray[np.float64]:
        """Runs the model on all rows in one call."""
        import torch

        width = max(len(row.ids) for row in rows)
        ids = np.full((len(rows), width), self._pad, dtype=np.int64)
        mask = np.zeros((len(rows), width), dtype=np.int64)
        types = np.zeros((len(rows), width), dtype=np.int64)
        for i, row in enumerate(rows):
            ids[i, : len(row.ids)] = row.ids
            mask[i, : len(row.ids)] = 1
            if row.types is not None:
                types[i, : len(row.types)] = row.types
        inputs = {"input_ids": ids, "attention_mask": mask}
        if self._typed:
            inputs["token_type_ids"] = types
        if self._answers is not None:
            inputs["decoder_input_ids"] = np.tile(self._answers[0], (len(rows), 1))
        with torch.inference_mode():
            tensors = {k: torch.from_numpy(v).to(self.device) for k, v in inputs.items()}
            values = self._to_probabilities(self._network(**tensors).logits).tolist()
        # Probability of support, shape `(rows,)`; NaN if the model returns NaN. Values are rounded
        # to four digits, so that they do not depend on the batch or the number of threads.
        return np.array([round(value, 4) for value in values], dtype=np.float64)

    def _to_probabilities(self, logits: Any) -> Any:
        """Converts logits to probabilities of support."""
        if self._answers is not None:
            return logits[:, -1, list(self._answers[1:])].float().softmax(dim=-1)[:, 1]
        if self.label is None:
            return logits[:, 0].float().sigmoid()
        return logits.float().softmax(dim=-1)[:, self.label]

    def _answer_pieces(self) -> tuple[list[int], int, int]:
        """Returns the decoder's input and the pieces of ``0`` and ``1`` to compare.

        These are the first pieces in which the two answers differ: T5's vocabulary writes ``0`` as
        the pieces ``▁`` and ``0``, but ``1`` as the single piece ``▁1``.
        """
        zero, one = (list(self._tokenizer(text_target=a)["input_ids"]) for a in ("0", "1"))
        shared = 0
        while shared < min(len(zero), len(one)) and zero[shared] == one[shared]:
            shared += 1
        if shared == min(len(zero), len(one)) or self._tokenizer.unk_token_id in (
            *zero,
            *one,
        ):
            raise InputError(
                f"NLI model {self.name!r}: its vocabulary cannot write the answers '0' and '1' "
                "apart; only models that answer 1 or 0, like TRUE's, can be used"
            )
        first = self._network.config.decoder_start_token_id
        start = self._pad if first is None else int(first)
        return [start, *zero[:shared]], zero[shared], one[shared]

    def _longest(self) -> int:
        """Returns the maximum number of tokens in a question, including special tokens."""
        positions = []
        for name, part in self._network.named_modules():
            size = getattr(part, "num_embeddings", None)
            if name.endswith(("position_embeddings", "embed_positions")) and size:
                padding = getattr(part, "padding_idx", None)
                reserved = 0 if padding is None else padding + 1
                positions.append(size - reserved - getattr(part, "offset", 0))
        if self.form in WRITING:
            return int(min([_RELATIVE, *positions]))
        config = self._network.config
        stated = [
            value
            for value in (
                getattr(config, "max_position_embeddings", None),
                self._tokenizer.model_max_length,
            )
            if isinstance(value, int) and 0 < value < _UNBOUNDED
        ]
        return int(min([*positions, *stated], default=_USUAL))
