"""A loaded entailment model: converts questions to tokens, and tokens to probabilities."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dfactscore._errors import InputError
from dfactscore._text.sentences import split_sentences
from dfactscore.engines._nli.forms import WRITING, Form, question


def make_batches(lengths: Sequence[int], limit: int) -> list[list[int]]:
    """Sorts questions by length and splits them into batches with little padding.

    Every question in a batch is padded to the length of the longest. A batch has at most `limit`
    tokens including padding, unless that would require more than ``ceil(sum(lengths) / limit) + 1``
    batches (if lengths vary greatly) or a single question is longer.

    >>> make_batches([9, 4, 9, 4, 4], limit=20)
    [[0, 2], [1, 3, 4]]
    """
    order = sorted(range(len(lengths)), key=lambda i: -lengths[i])
    sizes = [lengths[i] for i in order]
    max_batches = -(-sum(sizes) // limit) + 1
    batch_size = limit
    cuts = _fill(sizes, batch_size)
    while len(cuts) - 1 > max_batches:
        batch_size += max(1, batch_size // 16)
        cuts = _fill(sizes, batch_size)
    while len(cuts) - 1 < max_batches:
        gain, place = _best_cut(sizes, cuts)
        if gain <= limit // 64:  # another call would cost more than the padding does
            break
        cuts = sorted((*cuts, place))
    return [order[start:end] for start, end in pairwise(cuts)]


def _fill(sizes: Sequence[int], batch_size: int) -> list[int]:
    """Returns the boundaries of batches that are as full as possible."""
    cuts = [0]
    for i, _ in enumerate(sizes):
        if i > cuts[-1] and (i - cuts[-1] + 1) * sizes[cuts[-1]] > batch_size:
            cuts.append(i)
    return [*cuts, len(sizes)] if sizes else [0]


def _best_cut(sizes: Sequence[int], cuts: Sequence[int]) -> tuple[int, int]:
    """Returns the number of padding tokens saved by the best cut, and the index of that cut."""
    best = (0, 0)
    for start, end in pairwise(cuts):
        for i in range(start + 1, end):
            if sizes[i] < sizes[i - 1]:
                best = max(best, ((end - i) * (sizes[start] - sizes[i]), i))
    return best


Count = Callable[[Sequence[str]], Sequence[int]]
_BLANK = re.compile(r"\s")


def chunk_spans(text: str, limit: int, count: Count) -> list[tuple[int, int]]:
    """Splits a text into chunks of as many whole sentences as fit.

    A sentence that is longer than a chunk is split between words; a word that is longer than a
    chunk is split between characters.

    >>> text = "Ann swam. She won a race in Lund. She died."
    >>> [text[a:b] for a, b in chunk_spans(text, 7, lambda texts: [len(t.split()) for t in texts])]
    ['Ann swam.', 'She won a race in Lund.', 'She died.']
    """
    # Returns start and end (exclusive) of each chunk in characters; every character that is not
    # whitespace is in exactly one chunk.
    if text.strip() and count([text])[0] <= limit:
        return [(len(text) - len(text.lstrip()), len(text.rstrip()))]
    pieces = _pieces(text, limit, count)
    # Includes the whitespace before each piece: some vocabularies have tokens for line breaks.
    begins = [start if i == 0 else pieces[i - 1][1] for i, (start, _) in enumerate(pieces)]
    sizes = count([text[begin:end] for begin, (_, end) in zip(begins, pieces, strict=True)])
    chunks, first = [], 0
    while first < len(pieces):
        stop, total = first + 1, sizes[first]
        while stop < len(pieces) and total + sizes[stop] <= limit:
            total += sizes[stop]
            stop += 1
        stop = _fit(text, pieces, first, stop, limit, count)
        chunks.append((pieces[first][0], pieces[stop - 1][1]))
        first = stop
    return chunks


def _fit(
    text: str, pieces: Sequence[tuple[int, int]], first: int, stop: int, limit: int, count: Count
) -> int:
    """Returns the largest end that fits; a chunk's tokens may differ from those of its parts."""

    def fits(end: int) -> bool:
        return count([text[pieces[first][0] : pieces[end - 1][1]]])[0] <= limit

    while stop > first + 1 and not fits(stop):
        stop -= 1
    while stop < len(pieces) and fits(stop + 1):
        stop += 1
    return stop


def _pieces(text: str, limit: int, count: Count) -> list[tuple[int, int]]:
    """Returns the sentences, splitting any that are too long."""
    sentences = split_sentences(text)
    sizes = count([sentence.text for sentence in sentences])
    spans = []
    for sentence, size in zip(sentences, sizes, strict=True):
        if size <= limit:
            spans.append((sentence.start, sentence.end))
        else:
            spans += _cut(text, sentence.start, sentence.end, limit, count)
    return spans


def _cut(text: str, start: int, end: int, limit: int, count: Count) -> list[tuple[int, int]]:
    """Splits a long sentence, at whitespace if possible."""
    spans = []
    while start < end:
        remainder = text[start:end]
        size = _longest_prefix(remainder, limit, count)
        if size < len(remainder) and not remainder[size].isspace():
            size = max((m.start() for m in _BLANK.finditer(remainder[:size])), default=0) or size
        spans.append((start, start + len(remainder[:size].rstrip())))
        start += size + len(remainder[size:]) - len(remainder[size:].lstrip())
    return spans


def _longest_prefix(text: str, limit: int, count: Count) -> int:
    """Returns the number of characters in the longest prefix that fits, at least one."""
    low, high = 1, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if count([text[:middle]])[0] <= limit:
            low = middle
        else:
            high = middle - 1
    return low


Ids = NDArray[np.int32]
_BLOCK = 512  # number of questions held in memory as lists of Python numbers
_SURROGATE = re.compile("[\ud800-\udfff]")
#: Evidence and facts for which a vocabulary might merge end and beginning into one token.
_PROBES = (
    ("Ann Lee (born 1901) swam.", "She swam in 1936."),
    ("“Über” – 3,5 %…\nA new line", '"Quoted", he said.'),
    ("It ends with a dash -", "(1) She was born."),
    ("1936", "1936 was her year."),
    ("He said: ", " It begins with a blank."),
    ("東京。", "é"),
    ("", "She swam."),
)


class EncodedRow(NamedTuple):
    """The tokens of a question, and their segments if the model uses segments."""

    ids: Ids
    types: Ids | None


class RowEncoder:
    """Converts evidence and facts to tokens in a model's input format.

    If tokenizing evidence and fact separately and joining them gives the same result for probe
    questions as tokenizing whole questions, each part is tokenized only once; otherwise, whole
    questions are tokenized.
    """

    def __init__(self, tokenizer: Any, form: Form, *, typed: bool, name: str) -> None:
        self._tokenizer = tokenizer
        self._form: Form = form
        self._typed = typed
        self._separator = ""
        if form in ("joined", "minicheck-t5"):
            self._separator = tokenizer.eos_token or tokenizer.sep_token or ""
            if not self._separator:
                raise InputError(
                    f"NLI model {name!r}: its tokenizer has no end-of-sequence mark, which the "
                    f"form {form} puts between evidence and fact"
                )
        self._seam = {"pair": "", "true": "hypothesis:"}.get(form, self._separator)
        self._seam_tokens = len(self._plain([self._seam])[0]) if self._seam else 0
        self._marks = None if typed else self._find_marks()
        self.joins = self._marks is not None and self._joins_alike(_PROBES)

    def count(self, texts: Sequence[str]) -> list[int]:
        """Returns the number of tokens in each text, excluding special tokens."""
        return [len(ids) for ids in self._plain(texts)]

    def encode(self, pairs: Sequence[tuple[str, str]]) -> list[EncodedRow]:
        """Returns the tokens of each question, in order."""
        return self._encode_joined(pairs) if self.joins else self._encode_whole(pairs)

    def _joins_alike(self, pairs: Sequence[tuple[str, str]]) -> bool:
        """Whether joining the parts gives the same tokens for these questions."""
        row_pairs = zip(self._encode_joined(pairs), self._encode_whole(pairs), strict=True)
        return all(np.array_equal(joined.ids, whole.ids) for joined, whole in row_pairs)

    def _encode_whole(self, pairs: Sequence[tuple[str, str]]) -> list[EncodedRow]:
        rows = []
        for start in range(0, len(pairs), _BLOCK):
            questions = [
                question(self._form, _clean(chunk), _clean(fact), self._separator)
                for chunk, fact in pairs[start : start + _BLOCK]
            ]
            encoded = self._tokenizer(
                [text for text, _ in questions],
                text_pair=[str(fact) for _, fact in questions] if self._form == "pair" else None,
                return_attention_mask=False,
                return_token_type_ids=self._typed,
                verbose=False,
            )
            types = encoded["token_type_ids"] if self._typed else [None] * len(questions)
            rows += [
                EncodedRow(_array(ids), None if segments is None else _array(segments))
                for ids, segments in zip(encoded["input_ids"], types, strict=True)
            ]
        return rows

    def _encode_joined(self, pairs: Sequence[tuple[str, str]]) -> list[EncodedRow]:
        """Tokenizes each piece of evidence and each fact once, and adds the special tokens."""
        assert self._marks is not None
        before, between, after = self._marks
        chunks = list(dict.fromkeys(chunk for chunk, _ in pairs))
        facts = list(dict.fromkeys(fact for _, fact in pairs))
        heads = dict(zip(chunks, self._plain([self._head(c) for c in chunks]), strict=True))
        tails = dict(zip(facts, self._plain([self._tail(f) for f in facts]), strict=True))
        return [
            EncodedRow(
                np.concatenate(
                    [before, heads[chunk], between, tails[fact][self._seam_tokens :], after]
                ),
                None,
            )
            for chunk, fact in pairs
        ]

    def _head(self, chunk: str) -> str:
        """Returns the part of a question up to and including the seam."""
        if self._form == "true":
            return f"premise: {chunk} {self._seam}"
        return (
            f"predict: {chunk}{self._seam}" if self._form == "minicheck-t5" else chunk + self._seam
        )

    def _tail(self, fact: str) -> str:
        """Returns the part of a question from the seam onward."""
        return f"{self._seam} {fact}" if self._form == "true" else self._seam + fact

    def _plain(self, texts: Sequence[str]) -> list[Ids]:
        """Returns the tokens of texts, excluding special tokens."""
        tokens: list[Ids] = []
        for start in range(0, len(texts), _BLOCK):
            answer = self._tokenizer(
                [_clean(text) for text in texts[start : start + _BLOCK]],
                add_special_tokens=False,
                return_attention_mask=False,
                return_token_type_ids=False,
                verbose=False,
            )
            tokens += [_array(ids) for ids in answer["input_ids"]]
        return tokens

    def _find_marks(self) -> tuple[Ids, Ids, Ids] | None:
        """Finds the special tokens before, between and after evidence and fact; None if unclear."""
        first, second = (ids.tolist() for ids in self._plain(["won", "race"]))
        pair = self._form == "pair"
        question_ids = self._tokenizer("won", text_pair="race" if pair else None)["input_ids"]
        start = _find(first, question_ids, 0)
        end = start + len(first)
        second_start = _find(second, question_ids, end) if pair else end
        if min(start, second_start) < 0:
            return None
        after = question_ids[second_start + len(second) :] if pair else question_ids[end:]
        return _array(question_ids[:start]), _array(question_ids[end:second_start]), _array(after)


def _find(part: list[int], ids: list[int], start: int) -> int:
    """Returns the index at which a part begins, or -1 if it is missing."""
    places = range(start, len(ids) - len(part) + 1)
    return next((i for i in places if part and ids[i : i + len(part)] == part), -1)


def _array(ids: Sequence[int]) -> Ids:
    return np.array(ids, dtype=np.int32)


def _clean(text: str) -> str:
    """Replaces lone surrogates, which tokenizers reject."""
    return _SURROGATE.sub("\ufffd", text)


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
