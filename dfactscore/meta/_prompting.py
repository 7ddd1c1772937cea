"""Asks a language model for the wrong segments of a response in one call (FELM's method)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from dfactscore._asking.client import ChatClient
from dfactscore._asking.messages import Answer, AnswerError, CallError, Request
from dfactscore._asking.probe import Capabilities
from dfactscore._asking.session import estimated_requests
from dfactscore._asking.structured import (
    check_has_text,
    looks_refused,
    object_schema,
    parse_object,
    spoken,
)
from dfactscore._text.clean_text import clean
from dfactscore.engines._answers import checked_settings
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.engines._llm.roles.base import PromptName, fence, load_prompt
from dfactscore.engines._roles import Decomposer, RoleError
from dfactscore.meta._data_sets import Item
from dfactscore.meta._judgements import Judgement, JudgementStatus, Opinion
from dfactscore.meta._option_types import Unit
from dfactscore.meta._predictions import ReadAnswer, read_answer, read_structured
from dfactscore.meta._verifiers import (
    ItemClaims,
    claims_of,
    decomposer_calls,
    decomposer_of,
    pooled,
)
from dfactscore.retrieval._documents import split_text
from dfactscore.retrieval._page_bm25 import PageBM25
from dfactscore.work import Asked

Style = Literal["vanilla", "cot", "link", "doc"]
STYLES: tuple[Style, ...] = ("vanilla", "cot", "link", "doc")
_PROMPTS: Mapping[Style, PromptName] = {
    "vanilla": "segments_vanilla",
    "cot": "segments_cot",
    "link": "segments_link",
    "doc": "segments_doc",
}
_CHUNK_WORDS = 384
_MAX_TOKENS = 256
_MAX_TOKENS_COT = 1500
_FREE = (
    "Answer with their numbers, separated by commas, and nothing else; with ALL_CORRECT if none "
    "is wrong."
)
_FREE_COT = (
    'End with a line "Answer: " and their numbers, separated by commas; "Answer: ALL_CORRECT" if '
    "none is wrong."
)
_OBJECT = 'Answer with one JSON object: under "errors" the list of their numbers, empty if none is.'
_OBJECT_COT = (
    'Answer with one JSON object: under "reasons" what you found, then under "errors" the list of '
    "their numbers, empty if none is."
)


def _schema(reasons: bool) -> dict[str, Any]:
    fields: dict[str, Any] = {"reasons": {"type": "string"}} if reasons else {}
    return object_schema({**fields, "errors": {"type": "array", "items": {"type": "integer"}}})


@dataclass(frozen=True, slots=True)
class _ParsedAnswer:
    """An answer that has been parsed."""

    read: ReadAnswer
    status: JudgementStatus


class PromptEvaluator:
    """Asks a model for the wrong segments of a response, all in one call.

    Args:
        client: The model.
        style: ``"vanilla"``, ``"cot"`` (reasons first), ``"link"`` (with links) or ``"doc"`` (with
            the best 384-word chunk of each reference text). For items without links or texts, the
            last two use the vanilla prompt.
        unit: The units numbered in the prompt: segments, or the claims in them.
        decomposer: Splits segments into claims; by default, the built-in decomposer is used.
        samples: Number of answers per response; a segment is flagged if more than half of the
            answers flag it.
        prompts: The user's folder of templates, or None.
    """

    def __init__(
        self,
        client: ChatClient,
        style: Style = "vanilla",
        *,
        unit: Unit = "segment",
        decomposer: Decomposer | None = None,
        samples: int = 1,
        prompts: Path | str | None = None,
    ) -> None:
        self.client = client
        self.style: Style = style
        self._unit: Unit = unit
        self._decomposer = decomposer_of(unit, decomposer)
        self._samples = samples
        self._plain: Style = "vanilla" if style in ("link", "doc") else style
        self._prompts = {name: load_prompt(_PROMPTS[name], prompts) for name in STYLES}

    @property
    def settings(self) -> Mapping[str, Any]:
        """All settings that can change an answer."""
        used = dict.fromkeys((self.style, self._plain))
        return {
            "name": f"prompt:{self.style}",
            **self.client.settings,
            "prompts": [self._prompts[name].version for name in used],
            "samples": self._samples,
            "unit": self._unit,
            "decomposer": self._decomposer and checked_settings(self._decomposer),
        }

    async def judge(self, item: Item) -> Sequence[Judgement]:
        """Returns one judgment per segment, in order."""
        return (await self.consider(item)).judgements

    async def consider(self, item: Item) -> Opinion:
        """Returns the judgments; an unreadable answer flags nothing."""
        try:
            claims = await self._claims(item)
        except RoleError:
            return Opinion(tuple(Judgement(None, None, "error") for _ in item.segments))
        able = await self.client.capabilities()
        requests = self.requests(item, claims, able)
        answers = await asyncio.gather(*(self._ask(r, len(claims.texts)) for r in requests))
        votes = [_judgements(item, claims, answer) for answer in answers]
        judgements = votes[0] if len(votes) == 1 else map(pooled, zip(*votes, strict=True))
        return Opinion(
            tuple(judgements),
            out_of_range=sum(answer.read.out_of_range for answer in answers),
            fallback=self._references(item) is None and self.style in ("link", "doc"),
        )

    async def _claims(self, item: Item) -> ItemClaims:
        if self._unit == "segment":
            texts = tuple(segment.text for segment in item.segments)
            return ItemClaims(texts, tuple(range(len(texts))))
        return await claims_of(item, "claim", self._decomposer)

    def requests(self, item: Item, claims: ItemClaims, able: Capabilities) -> list[Request]:
        """Returns the requests for a response, one per sample.

        Args:
            item: The response.
            claims: The numbered segments or claims of the prompt.
            able: The endpoint's capabilities.
        """
        references = self._references(item)
        style = self._plain if references is None else self.style
        prompt = self._prompts[style]
        reasons, structured = style == "cot", able.form == "json_schema"
        form = (
            (_OBJECT_COT if reasons else _OBJECT)
            if structured
            else (_FREE_COT if reasons else _FREE)
        )
        # A list number at the start of a segment is kept because it is part of the segment.
        listed = "\n".join(f"{i}. {clean(text)}" for i, text in enumerate(claims.texts, 1))
        variables = {"question": clean(item.question), "segments": listed, "form": form}
        if references is not None:
            variables["references"] = references
        variables["fence"] = fence(*variables.values())
        return [
            Request(
                stage="judge",
                messages=prompt.render(**variables),
                version=prompt.version,
                max_tokens=_MAX_TOKENS_COT if reasons else _MAX_TOKENS,
                schema=_schema(reasons) if structured else None,
                sample=sample,
            )
            for sample in range(self._samples)
        ]

    async def asks(self, item: Item) -> AsyncIterator[Asked]:
        """The requests that `consider` would send, without calling a model."""
        places = tuple(range(len(item.segments)))
        claims = ItemClaims(tuple(segment.text for segment in item.segments), places)
        if self._unit == "claim":
            claims = await claims_of(item, "claim", BuiltinDecomposer())
        for call in await decomposer_calls(self._decomposer, item):
            yield call
        able = self.client.known_capabilities() or Capabilities("json_schema")
        tokens = 400 if self.style == "cot" else 8
        for request in self.requests(item, claims, able):
            for asked in estimated_requests(self.client, request, tokens):
                yield asked

    def _references(self, item: Item) -> str | None:
        """The references to include in the prompt, or None."""
        if self.style == "link" and item.links:
            return "\n".join(clean(link) for link in item.links)
        if self.style == "doc" and item.documents:
            return "\n\n".join(best_chunks(item))
        return None

    async def _ask(self, request: Request, n: int) -> _ParsedAnswer:
        if not n:
            return _ParsedAnswer(ReadAnswer(frozenset()), "read")
        try:
            # Any answer is accepted and cached, even if it cannot be parsed.
            answer = await self.client.ask(request, _accepted)
        except (CallError, AnswerError):
            return _ParsedAnswer(ReadAnswer(None), "error")
        return parse_answer(answer, n, reasons=self.style == "cot")


def _accepted(answer: Answer) -> Answer:
    if answer.ending not in ("refused", "cut"):
        check_has_text(answer)
    return answer


def parse_answer(answer: Answer, n: int, *, reasons: bool) -> _ParsedAnswer:
    """Reads an answer, which may be truncated, empty or a refusal."""
    if answer.ending == "refused":
        return _ParsedAnswer(ReadAnswer(None), "refused")
    if answer.ending == "cut":
        return _ParsedAnswer(ReadAnswer(None), "truncated")
    text = spoken(answer)
    read: ReadAnswer | None = None
    if text.lstrip()[:1] in ("{", "`"):
        try:
            read = read_structured(parse_object(answer), n)
        except AnswerError:
            read = None
    read = read or read_answer(text, n, reasons=reasons)
    if read.flagged is not None:
        return _ParsedAnswer(read, "read")
    return _ParsedAnswer(read, "refused" if looks_refused(text) else "unread")


def _judgements(item: Item, claims: ItemClaims, answer: _ParsedAnswer) -> list[Judgement]:
    """Returns one judgment per segment; a segment is flagged if any of its claims is."""
    flagged = answer.read.flagged
    if flagged is None:
        return [Judgement(None, None, answer.status) for _ in item.segments]
    wrong = {claims.segment[place] for place in flagged}
    return [Judgement(place in wrong) for place in range(len(item.segments))]


def best_chunks(item: Item) -> list[str]:
    """The chunk of each reference text that best matches the question and segments, by BM25."""
    query = " ".join((item.question, *(segment.text for segment in item.segments)))
    selected = []
    for document in item.documents:
        chunks = split_text(document.text, words=_CHUNK_WORDS)
        if chunks:
            best = PageBM25(chunks).select(query, 1)[0] if len(chunks) > 1 else 0
            selected.append(clean(chunks[best]))
    return selected
