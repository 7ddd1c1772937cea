"""Questions to tokens: a chunk is put into tokens once, however many facts it is asked about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dfactscore._errors import InputError
from dfactscore.engines._nli.forms import Form, question

Ids = NDArray[np.int32]
_AT_ONCE = 512  # questions that are held as lists of Python numbers
_SURROGATE = re.compile("[\ud800-\udfff]")
#: Evidence and facts whose ends and beginnings are such as a vocabulary may join.
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
    """The tokens of one question, and their segments where the model reads those."""

    ids: Ids
    types: Ids | None


class RowEncoder:
    """Puts evidence and facts into tokens, in one form.

    Evidence and fact are put into tokens alone and joined, if that gives what the tokenizer gives
    for the whole question; else every question is put into tokens as a whole.

    Args:
        tokenizer: Of Hugging Face's kind.
        form: The input format of the model.
        typed: Whether the model reads segments.
        name: Name of the model in messages.

    Raises:
        InputError: If the tokenizer has no mark that the form needs.
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
        self.joins = self._marks is not None and self._same(_PROBES)

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, without any marks around it."""
        return [len(ids) for ids in self._plain(texts)]

    def encode(self, pairs: Sequence[tuple[str, str]]) -> list[EncodedRow]:
        """The tokens of each question, in order."""
        return self._joined(pairs) if self.joins else self._whole(pairs)

    def _same(self, pairs: Sequence[tuple[str, str]]) -> bool:
        """Whether joining changes nothing for these questions."""
        both = zip(self._joined(pairs), self._whole(pairs), strict=True)
        return all(np.array_equal(one.ids, other.ids) for one, other in both)

    def _whole(self, pairs: Sequence[tuple[str, str]]) -> list[EncodedRow]:
        rows = []
        for start in range(0, len(pairs), _AT_ONCE):
            asked = [
                question(self._form, _clean(chunk), _clean(fact), self._separator)
                for chunk, fact in pairs[start : start + _AT_ONCE]
            ]
            found = self._tokenizer(
                [text for text, _ in asked],
                text_pair=[str(fact) for _, fact in asked] if self._form == "pair" else None,
                return_attention_mask=False,
                return_token_type_ids=self._typed,
                verbose=False,
            )
            types = found["token_type_ids"] if self._typed else [None] * len(asked)
            rows += [
                EncodedRow(_array(ids), None if segments is None else _array(segments))
                for ids, segments in zip(found["input_ids"], types, strict=True)
            ]
        return rows

    def _joined(self, pairs: Sequence[tuple[str, str]]) -> list[EncodedRow]:
        """Evidence and facts are put into tokens once each; marks come around and between."""
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
        """A question up to the seam, included."""
        if self._form == "true":
            return f"premise: {chunk} {self._seam}"
        return (
            f"predict: {chunk}{self._seam}" if self._form == "minicheck-t5" else chunk + self._seam
        )

    def _tail(self, fact: str) -> str:
        """A question from the seam on, included."""
        return f"{self._seam} {fact}" if self._form == "true" else self._seam + fact

    def _plain(self, texts: Sequence[str]) -> list[Ids]:
        """The tokens of texts, without any marks around them."""
        found: list[Ids] = []
        for start in range(0, len(texts), _AT_ONCE):
            answer = self._tokenizer(
                [_clean(text) for text in texts[start : start + _AT_ONCE]],
                add_special_tokens=False,
                return_attention_mask=False,
                return_token_type_ids=False,
                verbose=False,
            )
            found += [_array(ids) for ids in answer["input_ids"]]
        return found

    def _find_marks(self) -> tuple[Ids, Ids, Ids] | None:
        """Text before, between and after evidence and fact; None if that is not seen."""
        first, second = (ids.tolist() for ids in self._plain(["won", "race"]))
        pair = self._form == "pair"
        whole = self._tokenizer("won", text_pair="race" if pair else None)["input_ids"]
        start = _find(first, whole, 0)
        end = start + len(first)
        behind = _find(second, whole, end) if pair else end
        if min(start, behind) < 0:
            return None
        after = whole[behind + len(second) :] if pair else whole[end:]
        return _array(whole[:start]), _array(whole[end:behind]), _array(after)


def _find(part: list[int], whole: list[int], start: int) -> int:
    """Returns the start of a part; -1 if it is missing."""
    places = range(start, len(whole) - len(part) + 1)
    return next((i for i in places if part and whole[i : i + len(part)] == part), -1)


def _array(ids: Sequence[int]) -> Ids:
    return np.array(ids, dtype=np.int32)


def _clean(text: str) -> str:
    """Without lone surrogates, which no tokenizer takes."""
    return _SURROGATE.sub("\ufffd", text)
