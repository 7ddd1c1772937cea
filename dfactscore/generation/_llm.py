"""Biographies written by a language model, from passages (paper section 2.2) or without."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dfactscore._asking.client import ChatClient
from dfactscore._asking.messages import Answer, AnswerError, CallError
from dfactscore._asking.messages import Request as ModelRequest
from dfactscore._asking.session import estimated_requests
from dfactscore._asking.settings import GGUFModel
from dfactscore._asking.structured import check_has_text
from dfactscore._errors import InputError
from dfactscore._text.answer_ends import cut_run_on, unwrap
from dfactscore._text.clean_text import clean, one_line
from dfactscore._text.outputs import failed_output
from dfactscore._text.sentences import split_sentences
from dfactscore._text.thoughts import split_thoughts
from dfactscore._util.jsonl import read_jsonl
from dfactscore._util.message_text import short_repr
from dfactscore.generation._prompt import Prompt
from dfactscore.generation._request import Generation, Request, Trim
from dfactscore.retrieval import Passage
from dfactscore.work import Asked


def estimate_tokens(text: str) -> int:
    """Estimates the number of tokens in a text without a tokenizer.

    The estimate is one token per three UTF-8 bytes; English text has about one token per four
    bytes.
    """
    return -(-len(text.encode("utf-8")) // 3)


def sentences_of(text: str) -> list[str]:
    """Returns the sentences of a text, including all spaces: joining them gives the text."""
    starts = [sentence.start for sentence in split_sentences(text)]
    if not starts:
        return [text] if text else []
    starts[0] = 0
    return [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]


def fit_passages(
    passages: Sequence[Passage], budget: int, count: Callable[[str], int] = estimate_tokens
) -> tuple[tuple[Passage, ...], tuple[Trim, ...]]:
    """Removes the last sentence of the longest passage until all texts fit.

    A passage whose first sentence does not fit loses its whole text. The other passages keep their
    first sentence for as long as possible; after that, they lose it too, starting with the last
    passage. Passages without text keep their numbers and titles.
    """
    parts = [sentences_of(p.text) for p in passages]
    counts = [len(p) for p in parts]
    sizes = [[count(s) for s in p] for p in parts]
    for i, size in enumerate(sizes):
        if (
            size and size[0] > budget
        ):  # removed first, so that other passages are not shortened to make room for it
            parts[i], sizes[i] = [], []
    while any(parts) and sum(map(sum, sizes)) > budget:
        several = [i for i, sentences in enumerate(parts) if len(sentences) > 1]
        longest = max(several, key=lambda i: (sum(sizes[i]), i), default=None)
        if longest is None:
            longest = max(i for i, sentences in enumerate(parts) if sentences)
        parts[longest].pop()
        sizes[longest].pop()
    fitted = tuple(
        p if len(sentences) == n else Passage(p.title, "".join(sentences).rstrip(), p.id)
        for p, sentences, n in zip(passages, parts, counts, strict=True)
    )
    trims = tuple(
        Trim(i, n - len(sentences), dropped=not sentences)
        for i, (sentences, n) in enumerate(zip(parts, counts, strict=True), 1)
        if len(sentences) != n
    )
    return fitted, trims


_CITATION = re.compile(r"\[[\d,\s–-]*\]")
# Simpler than `split_sentences`: a loop may end within a sentence, and a wrong split at "Dr." does
# not matter for finding repetitions.
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?]+|\n|$)[\"”')\]]*")
_REPEATS = 3
_ENDLESS = 5  # a sentence with this many copies is an endless repetition
_LONGEST_UNIT = 40  # words; longer units are found as repeated sentences


def cut_repetition(text: str) -> tuple[str, bool]:
    """Cuts a text where it starts to repeat itself.

    If a sentence occurs five times in all, or three times with no new sentence between the last two
    copies, the text is cut before its second copy. If words are repeated until the end, the text is
    cut after their first copy. Citations, case and spaces are ignored. Headings and lines without a
    period may recur as long as new text follows: an answer about three people may have the heading
    "Early life" three times.

    Example:
        >>> cut_repetition("He swam [1]. He won. He won. He won. He won. He")
        ('He swam [1]. He won.', True)
    """
    first: dict[str, int] = {}
    places: dict[str, list[int]] = {}
    keys: list[str] = []
    starts: list[int] = []
    for match in _SENTENCE.finditer(text):
        key = " ".join(re.findall(r"\w+", _CITATION.sub(" ", match[0]).casefold()))
        if not key:
            continue
        first.setdefault(key, len(keys))
        seen = places.setdefault(key, [])
        seen.append(len(keys))
        keys.append(key)
        starts.append(match.start())
        if len(seen) < _REPEATS or " " not in key:
            continue
        second, last = seen[1], seen[-2]
        nothing_new = all(first[k] < second for k in keys[last:])
        if nothing_new or (len(seen) >= _ENDLESS and set(match[0]) & set(".!?")):
            return text[: starts[second]].rstrip(), True
    words = list(re.finditer(r"\S+", text))
    folded = [w[0].casefold() for w in words]
    for unit in range(1, min(_LONGEST_UNIT, len(folded) // _REPEATS) + 1):
        length = unit
        while length < len(folded) and folded[-length - 1] == folded[-length - 1 + unit]:
            length += 1
        if length >= unit * (_REPEATS if unit > 2 else 5):
            return text[: words[len(words) - length + unit - 1].end()].rstrip(), True
    return text, False


_VERSION = "generate-1"
_TOO_LONG = re.compile(
    r"context|too (?:long|large)|maximum (?:number of )?tokens|exceed\w*.{0,40}tokens",
    re.IGNORECASE,
)


class LLMGenerator:
    """Asks a model for one biography per name.

    Args:
        client: The model; its temperature, top-p and seed are settings of the model.
        prompt: The instruction, demonstrations and template.
        max_tokens: Maximum number of tokens in a biography.
        context: The model's context length in tokens, if known; passages are shortened to fit. They
            are also shortened if a server rejects a prompt as too long.
        count: Callable that counts the tokens in a text; by default, a conservative estimate is
            used.

    Raises:
        InputError: If the prompt does not fit in the context even without passages.
    """

    def __init__(
        self,
        client: ChatClient,
        prompt: Prompt,
        *,
        max_tokens: int = 512,
        context: int | None = None,
        count: Callable[[str], int] = estimate_tokens,
    ) -> None:
        if max_tokens < 1:
            raise InputError(f"max_tokens={max_tokens}: must be at least 1")
        self.client = client
        self.prompt = prompt
        self.max_tokens = max_tokens
        self.context = context
        self._count = count
        if not self._in_process:  # a local model counts tokens exactly, later
            self._frame("", ())

    @property
    def name(self) -> str:
        """The name of the model, as given by the user."""
        return self.client.model.model

    @property
    def settings(self) -> Mapping[str, Any]:
        """The model's settings and a hash of the constant texts in the prompt."""
        shown = [self.prompt.instruction, self.prompt.template, self.prompt.document]
        shown += [f"{d.name}\0{d.documents}\0{d.answer}" for d in self.prompt.demonstrations]
        if self.prompt.query:
            shown += [self.prompt.query, self.prompt.between, self.prompt.gap]
        digest = hashlib.sha256("\0".join(shown).encode()).hexdigest()[:16]
        return {
            "generator": "llm",
            **self.client.settings,
            "max_tokens": self.max_tokens,
            "context": self.context,
            "layout": self.prompt.layout,
            "shots": len(self.prompt.demonstrations),
            "prompt": digest,
        }

    async def generate(self, request: Request) -> Generation:
        """Writes one biography; shortens the passages each time the server rejects the prompt."""
        if not any(p.text.strip() for p in request.passages):
            return Generation("", "no_passages", note=f"no passages for {request.name!r}")
        passages, trims = request.passages, ()  # type: tuple[Passage, ...], tuple[Trim, ...]
        if self.context is not None:
            try:
                count = await self._counter(request)
                budget = self._frame(request.name, request.passages, count)
            except InputError as error:
                return Generation("", "error", note=str(error))
            except CallError as error:
                return Generation("", "error", note=error.reason)
            passages, trims = fit_passages(passages, budget, count)
            if not any(p.text for p in passages):
                note = (
                    f"no whole sentence of the passages fits the context of {self.context} tokens"
                )
                return Generation("", "error", trims, note=note)
        while True:
            try:
                return await self._ask(request.name, passages, trims)
            except CallError as error:
                if not _TOO_LONG.search(error.reason):
                    return Generation("", "error", trims, note=error.reason)
                size = sum(self._count(p.text) for p in passages)
                passages, trims = fit_passages(request.passages, size * 2 // 3, self._count)
                if not any(p.text for p in passages):
                    return Generation("", "error", trims, note=error.reason)

    def asks(self, request: Request) -> Iterator[Asked]:
        """Estimates the requests needed for a biography, assuming that no passage is shortened."""
        if any(p.text.strip() for p in request.passages):
            question = self._question(request.name, request.passages)
            yield from estimated_requests(self.client, question, self.max_tokens)

    def _question(self, name: str, passages: tuple[Passage, ...]) -> ModelRequest:
        return ModelRequest(
            stage="generate",
            messages=tuple(self.prompt.messages(name, passages)),
            version=_VERSION,
            max_tokens=self.max_tokens,
        )

    async def _ask(
        self, name: str, passages: tuple[Passage, ...], trims: tuple[Trim, ...]
    ) -> Generation:
        def read(answer: Answer) -> Generation:
            return generation_of(answer, name, trims)

        try:
            return await self.client.ask(self._question(name, passages), read)
        except AnswerError as error:
            raise CallError(error.reason) from error

    async def _counter(self, request: Request) -> Callable[[str], int]:
        """Returns a function that counts tokens, using the tokenizer if the model is local.

        The estimate is never too low, so the tokenizer is not needed if the estimated number fits.
        """
        frame = self.prompt.messages(request.name, [Passage(p.title, "") for p in request.passages])
        texts = [text for _, text in frame]
        sentences = [s for p in request.passages for s in sentences_of(p.text)]
        assert self.context is not None
        fits = (
            sum(map(self._count, [*texts, *sentences])) + 8 * len(texts)
            <= self.context - self.max_tokens
        )
        if fits or self._count is not estimate_tokens or not self._in_process:
            return self._count
        known: dict[str, int] = {}
        for text in dict.fromkeys([*texts, *sentences]):
            reply = await self.client.transport.post("//tokenize", {"content": text})
            tokens = reply.get("tokens")
            if not isinstance(tokens, list):
                return self._count
            known[text] = len(tokens)
        return lambda text: known[text] if text in known else self._count(text)

    @property
    def _in_process(self) -> bool:
        return isinstance(self.client.model, GGUFModel)

    def _frame(
        self,
        name: str,
        passages: tuple[Passage, ...],
        count: Callable[[str], int] | None = None,
    ) -> int:
        """Returns the number of tokens that the context leaves for the texts of passages."""
        if self.context is None:
            return 0
        count = count or self._count
        bare = tuple(Passage(p.title, "") for p in passages)
        frame = sum(count(text) + 8 for _, text in self.prompt.messages(name, bare))
        available = self.context - self.max_tokens - frame
        if available <= 0:
            raise InputError(
                f"context of {self.context} tokens: the prompt without passages takes about "
                f"{frame} and the answer up to {self.max_tokens}; use fewer --shots, a smaller "
                "--max-tokens or a larger context"
            )
        return available


def generation_of(answer: Answer, name: str, trims: tuple[Trim, ...]) -> Generation:
    """Returns the text of an answer without reasoning, repetition or an invented next prompt."""
    usage = {
        "prompt_tokens": answer.prompt_tokens,
        "completion_tokens": answer.completion_tokens,
    }
    if answer.ending == "refused":
        note = answer.refusal or "stopped by the server's content filter"
        return Generation("", "refused", trims, usage=usage, note=note)
    check_has_text(answer)
    uncut = unwrap(split_thoughts(answer.text).text).strip()
    reason = {"cut": "length", "unknown": answer.finish}.get(answer.ending, "stop")
    text, run_on = cut_run_on(uncut, name)
    text, repeated = cut_repetition(text)
    if run_on:
        reason = "run_on"
    if repeated:
        reason = "repetition"
    if not text:
        return Generation("", "empty", trims, usage=usage, note="the model returned nothing")
    if (kind := failed_output(text, name)) is not None:
        return Generation("", "error", trims, usage=usage, note=f"{kind}: {one_line(text)}")
    return Generation(text, reason, trims, usage=usage, uncut=uncut if text != uncut else "")


_ANSWER_VERSION = "answer-1"

_PROMPT = ("prompt", "question")


def read_prompts(path: Path) -> list[Request]:
    """Reads ``{id, prompt}`` lines; other fields are copied to the answers."""
    requests: dict[str, Request] = {}
    for number, (where, row) in enumerate(read_jsonl(path, error=InputError)):
        if not isinstance(row, Mapping):
            raise InputError(f"{where}: expected an object with 'prompt', found {short_repr(row)}")
        field = next((f for f in _PROMPT if isinstance(row.get(f), str) and row[f].strip()), None)
        if field is None:
            keys = ", ".join(map(str, list(row)[:8]))
            raise InputError(f"{where}: no field 'prompt' with a text; found {keys}")
        identity = str(row.get("id", number))
        if identity in requests:
            raise InputError(f"{where}: the id {identity!r} is repeated")
        text = clean(row[field])
        extra = {k: v for k, v in row.items() if k not in ("id", field)} | {"prompt": text}
        requests[identity] = Request(identity, text, (), extra)
    if not requests:
        raise InputError(f"{path}: contains no prompts")
    return list(requests.values())


class AnswerGenerator:
    """Sends each prompt to a model without an instruction, passages or examples."""

    def __init__(self, client: ChatClient, *, max_tokens: int = 512) -> None:
        self.client = client
        self.max_tokens = max_tokens

    @property
    def name(self) -> str:
        """The name of the model, as given by the user."""
        return self.client.model.model

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can affect an answer."""
        return {
            "generator": "llm-answer",
            **self.client.settings,
            "max_tokens": self.max_tokens,
        }

    def asks(self, request: Request) -> Iterator[Asked]:
        """Estimates the requests needed for an answer."""
        yield from estimated_requests(self.client, self._question(request), self.max_tokens)

    def _question(self, request: Request) -> ModelRequest:
        return ModelRequest(
            stage="generate",
            messages=(("user", request.name),),
            version=_ANSWER_VERSION,
            max_tokens=self.max_tokens,
        )

    async def generate(self, request: Request) -> Generation:
        """Answers one prompt; on failure, returns a `Generation` that states the reason."""

        def read(answer: Answer) -> Generation:
            # Without a name, a repetition of the prompt in the answer is not cut off.
            return generation_of(answer, "", ())

        try:
            return await self.client.ask(self._question(request), read)
        except (AnswerError, CallError) as error:
            return Generation("", "error", note=error.reason)
