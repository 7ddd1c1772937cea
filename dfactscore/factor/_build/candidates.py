"""Candidates: sentences to turn into items, false variants of them, and filters."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Protocol

from dfactscore._records import Biography, Document
from dfactscore._text.names import bears_name, name_words, plain_name
from dfactscore._text.sentences import split_sentences
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
from dfactscore.engines._nli.loading import load_model
from dfactscore.factor._description import edit_distance
from dfactscore.factor._settings import BuildSettings, Type
from dfactscore.likelihood import LikelihoodModel
from dfactscore.retrieval import Page

_QUOTED = re.compile(r"^[\"“'‘]|[\"“][^\"”]{15,}[\"”]")
# A number, or a name that is not the first word: something that can be changed.
_DETAIL = re.compile(r"\d|(?<=[\s(“\"])[A-Z]")
_LIST_LINE = re.compile(r"^(?:[-*•–#]|\d+[.)])\s")


@dataclass(frozen=True, slots=True)
class Selected:
    """A sentence that may become an item."""

    title: str
    number: int
    prefix: str
    sentence: str

    @property
    def key(self) -> str:
        """A key that is unique within a corpus."""
        return f"{self.title}|{self.number}"


def select_sentences(
    page: Page, *, most: int | None = None, min_words: int = 10, seed: int = 0
) -> list[Selected]:
    """Draws sentences from a page in random order.

    Only sentences that contain a name or a number, and a fact found by the built-in decomposer, are
    drawn. The first sentence, headings, list items and quotations are excluded.
    """
    text = page.text
    sentences = split_sentences(text)
    facts = BuiltinDecomposer().decompose(Biography("page", plain_name(page.title), text))
    stated = {fact.sentence for fact in facts}
    spans = [fact.span for fact in facts if fact.span is not None]
    selected = []
    for number, one in enumerate(sentences):
        sentence = text[one.start : one.end]
        line = text[: one.start].rpartition("\n")[2] + sentence
        states = number in stated or any(one.start <= a < one.end for a, _ in spans)
        if (
            number > 0
            and len(sentence.split()) >= min_words
            and sentence.rstrip()[-1:] in ".!?"
            and sentence[:1].isupper()
            and "\n" not in sentence
            and not _LIST_LINE.match(line)
            and not _QUOTED.search(sentence)
            and _DETAIL.search(sentence)
            and states
        ):
            selected.append(Selected(page.title, number, text[: one.start], sentence))
    draw = random.Random(f"{seed}|{page.title}")
    return draw.sample(selected, len(selected))[:most]


_AT_MOST = 3


@dataclass(frozen=True, slots=True)
class Edit:
    """One change to a sentence."""

    old: str
    new: str
    span: tuple[int, int]  # position of `old` in the original, in characters


@dataclass(frozen=True, slots=True)
class Candidate:
    """A changed sentence."""

    type: Type
    text: str
    edits: tuple[Edit, ...]
    maker: str  # `"rules"`, or the name of the model


def apply_edits(sentence: str, edits: Sequence[Edit]) -> str:
    """Applies edits to a sentence.

    Example:
        >>> apply_edits("He won in 1936.", [Edit("1936", "1938", (10, 14))])
        'He won in 1938.'
    """
    text = sentence
    for edit in sorted(edits, key=lambda e: e.span, reverse=True):
        start, end = edit.span
        assert sentence[start:end] == edit.old, edit
        text = text[:start] + edit.new + text[end:]
    return text


def candidate(type: Type, sentence: str, edits: Sequence[Edit]) -> Candidate:
    """Creates a rule-based candidate from its edits."""
    ordered = tuple(sorted(edits, key=lambda e: e.span))
    return Candidate(type, apply_edits(sentence, ordered), ordered, "rules")


def drawn(
    type: Type, sentence: str, place: tuple[str, int], choices: Sequence[str], draw: Random
) -> list[Candidate]:
    """Creates up to three candidates, each with a different replacement in the same place."""
    old, start = place
    span = (start, start + len(old))
    chosen = draw.sample(choices, min(_AT_MOST, len(choices)))
    return [candidate(type, sentence, [Edit(old, new, span)]) for new in chosen]


def candidate_record(candidate: Candidate) -> dict[str, Any]:
    """A candidate as stored in journals and items."""
    return {
        "text": candidate.text,
        "type": candidate.type,
        "edits": [{"from": e.old, "to": e.new, "span": list(e.span)} for e in candidate.edits],
        "maker": candidate.maker,
    }


_BATCH = 8


class ContradictionModel:
    """A three-way NLI model from transformers."""

    def __init__(self, model: str | Path) -> None:
        self._model = load_model(
            model, form="pair", meaning="contradiction", device="cpu", dtype="float32"
        )

    @property
    def settings(self) -> Mapping[str, str]:
        """The model's name and hash."""
        return {"model": self._model.name, "sha256": self._model.digest}

    def contradiction(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """For each pair of texts, the probability that the second contradicts the first."""
        probabilities: list[float] = []
        for start in range(0, len(pairs), _BATCH):
            rows = self._model.encode(pairs[start : start + _BATCH])
            probabilities += self._model.probabilities(rows).tolist()
        return probabilities


_YEARS = re.compile(
    r"\b(?:from|between)\D{0,20}(\d{4})\D{1,20}(?:to|until|till|and)\D{0,12}(\d{4})"
)
_NEAR_WORDS = 64
_NAME = re.compile(r"(?<![\w’'-])[A-Z][\w’'.-]{1,60}(?: [A-Z][\w’'.-]{1,60})+")


class Contradicts(Protocol):
    """A model that gives the probability that one text contradicts another."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """The model's name and hash."""

    def contradiction(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """For each pair of texts, the probability that the second contradicts the first."""


@dataclass(frozen=True, slots=True)
class Filtered:
    """A candidate and the filters' results."""

    candidate: Candidate
    failed: str  # first filter that the candidate fails; empty if it passes
    margin: float  # measure of how clearly the candidate is false; larger is better
    values: Mapping[str, Any] = field(default_factory=dict)


class Filters:
    """The filters for a corpus."""

    def __init__(
        self,
        pages: Mapping[str, Page],
        settings: BuildSettings,
        *,
        nli: Contradicts | None = None,
        fluency: LikelihoodModel | None = None,
    ) -> None:
        self.pages = pages
        self.settings = settings
        self.nli = nli
        self.fluency = fluency
        self._verifier = BuiltinVerifier()
        self._words = {title: set(name_words(page.text)) for title, page in pages.items()}

    @property
    def kind(self) -> str:
        """The method used to judge contradictions: ``"builtin"`` or ``"nli"``."""
        return "builtin" if self.nli is None else "nli"

    async def judge(self, selected: Selected, candidates: Sequence[Candidate]) -> list[Filtered]:
        """Applies all filters to a sentence's candidates, ignoring duplicates."""
        unique = list({candidate.text: candidate for candidate in candidates}.values())
        if not unique:
            return []
        false = self._false(selected, unique)
        fluent = await self._fluency(selected, unique)
        elsewhere = self._elsewhere(selected, unique)
        filtered = []
        for candidate, (margin, is_false, more), drop, elsewhere_true in zip(
            unique, false, fluent, elsewhere, strict=True
        ):
            distance = edit_distance(selected.sentence, candidate.text)
            values = {"edit": distance, **more}
            if drop is not None:
                values["fluency"] = round(drop, 6)
            passes = {
                "edit": 1 <= distance <= self.settings.edit_words,
                "self_consistency": _consistent(candidate.text),
                "contradiction": is_false,
                "fluency": drop is None or drop > -self.settings.fluency_drop,
                "not_elsewhere": not elsewhere_true,
            }
            failed = next((name for name, passed in passes.items() if not passed), "")
            filtered.append(Filtered(candidate, failed, margin, values))
        return filtered

    def _false(
        self, selected: Selected, candidates: Sequence[Candidate]
    ) -> Iterator[tuple[float, bool, dict[str, float]]]:
        """For each candidate, yields the margin, whether it is clearly false, and the values."""
        settings = self.settings
        original, *changed = self._support(selected, candidates)
        contradicts = self._contradiction(selected, candidates)
        for i, one in enumerate(candidates):
            if contradicts is None:
                margin = original - changed[i]
                false = changed[i] < self._verifier.threshold and margin >= settings.drop
                values = {"support": round(changed[i], 6), "original": round(original, 6)}
            else:
                moved = one.type == "coreference"
                margin = contradicts[i] - (
                    settings.coreference if moved else settings.contradiction
                )
                false, values = margin > 0, {"contradiction": round(contradicts[i], 6)}
            yield margin, false, values

    def _support(self, selected: Selected, candidates: Sequence[Candidate]) -> list[float]:
        page = self.pages[selected.title]
        texts = [selected.sentence, *(one.text for one in candidates)]
        document = Document(page.title, page.text)
        values = self._verifier.probabilities(texts, [document], plain_name(page.title))
        return [float(value) for value in values]

    def _contradiction(
        self, selected: Selected, candidates: Sequence[Candidate]
    ) -> list[float] | None:
        if self.nli is None:
            return None
        near = " ".join(selected.prefix.split()[-_NEAR_WORDS:])
        original = f"{near} {selected.sentence}".strip()
        return self.nli.contradiction(
            [(original, f"{near} {one.text}".strip()) for one in candidates]
        )

    async def _fluency(
        self, selected: Selected, candidates: Sequence[Candidate]
    ) -> list[float | None]:
        """The mean log-probability per token of each candidate, minus that of the original."""
        if self.fluency is None:
            return [None] * len(candidates)
        texts = [selected.sentence, *(one.text for one in candidates)]
        first, *others = (
            one.logprob / len(one.tokens) if one.tokens and not one.error else float("-inf")
            for one in await self.fluency.score("", texts)
        )
        return [other - first for other in others]

    def _elsewhere(self, selected: Selected, candidates: Sequence[Candidate]) -> list[bool]:
        """Whether another document about the same subject supports each candidate."""
        name = plain_name(selected.title)
        words = set(name_words(name))
        documents = [
            Document(title, page.text)
            for title, page in self.pages.items()
            if title != selected.title and (bears_name(title, name) or words <= self._words[title])
        ]
        supported = [False] * len(candidates)
        for document in documents:
            values = self._verifier.probabilities(
                [one.text for one in candidates], [document], name
            )
            supported = [
                old or bool(value >= self._verifier.threshold)
                for old, value in zip(supported, values, strict=True)
            ]
        return supported


def _consistent(text: str) -> bool:
    """Whether each period's years are in order and no name occurs twice."""
    if any(int(first) >= int(second) for first, second in _YEARS.findall(text)):
        return False
    names = Counter(match.group() for match in _NAME.finditer(text))
    return all(count == 1 for count in names.values())
