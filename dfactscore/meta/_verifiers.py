"""Uses verifiers as evaluators: a segment is only as well supported as its worst claim."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

from dfactscore._records import Biography, Document, Entity, Fact, Verdict
from dfactscore._text.sentences import split_sentences
from dfactscore._util.tasks import resolve
from dfactscore.engines._answers import (
    checked_facts,
    checked_settings,
    count_facts,
    verify_together,
)
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
from dfactscore.engines._roles import Decomposer, RoleError, Verifier, as_role
from dfactscore.meta._data_sets import Item
from dfactscore.meta._judgements import Judgement, JudgementStatus, Opinion
from dfactscore.meta._option_types import Unit
from dfactscore.retrieval._documents import split_text
from dfactscore.retrieval._page_bm25 import PageBM25
from dfactscore.work import Asked
from dfactscore.work._work import all_asked

_STATUS: Mapping[str, JudgementStatus] = {
    "supported": "read",
    "not_supported": "read",
    "unparsed": "unread",
    "refused": "refused",
    "error": "error",
}


@dataclass(frozen=True)
class ItemClaims:
    """The claims in a response."""

    texts: tuple[str, ...]
    segment: tuple[int, ...]


async def claims_of(item: Item, unit: Unit, decomposer: Decomposer | None) -> ItemClaims:
    """Returns the claims in a response: its segments, or their facts.

    A segment that asserts nothing has no claims. All segments are decomposed together, each on a
    separate line. A segment in which no facts are found is treated as a single claim.
    """
    asserted = {i: segment.text for i, segment in enumerate(item.segments) if segment.claim}
    by_segment: dict[int, list[str]] = {place: [] for place in asserted}
    if unit == "claim" and decomposer is not None and asserted:
        text = "\n".join(asserted.values())
        ends = list(accumulate(len(segment_text) + 1 for segment_text in asserted.values()))
        answer = await resolve(decomposer.decompose(Biography(item.id, item.name, text)))
        facts = checked_facts(answer, decomposer)
        sentences = [s.start for s in split_sentences(text)] if facts else []
        for fact in facts:
            if (start := _start(fact, sentences)) is not None:
                home = min(bisect_right(ends, start), len(ends) - 1)
                by_segment[list(asserted)[home]].append(fact.text)
    pairs = [(text, place) for place in asserted for text in by_segment[place] or [asserted[place]]]
    return ItemClaims(tuple(text for text, _ in pairs), tuple(place for _, place in pairs))


def _start(fact: Fact, sentences: Sequence[int]) -> int | None:
    if fact.span is not None:
        return fact.span[0]
    if fact.sentence is not None and fact.sentence < len(sentences):
        return sentences[fact.sentence]
    return None


class VerifierEvaluator:
    """Judges claims with a verifier against the best passages of the reference texts.

    Args:
        verifier: The verifier or, for self-consistency, several verifiers, one per sample; a
            segment's probability is then the share of samples that do not flag it.
        unit: Whether to judge whole segments or the claims in them.
        decomposer: Splits segments into claims; by default, the built-in decomposer is used.
        k: Number of passages that BM25 selects for each claim, if the reference texts are whole
            pages; other evidence is used in full.
        passage_words: Number of words in a passage.
        together: Judge all claims in a response in one call, using the passages selected for any of
            them.
        name: Name of the evaluator; by default, the verifier's name.
    """

    def __init__(
        self,
        verifier: Verifier | Sequence[Verifier],
        *,
        unit: Unit = "segment",
        decomposer: Decomposer | None = None,
        k: int = 5,
        passage_words: int = 100,
        together: bool = False,
        name: str = "",
    ) -> None:
        verifiers = verifier if isinstance(verifier, Sequence) else [verifier]
        self._verifiers: list[Verifier] = [as_role(v, Verifier, "verifier") for v in verifiers]
        self._decomposer = decomposer_of(unit, decomposer)
        self._unit: Unit = unit
        self._k = k
        self._words = passage_words
        self._together = together
        self._name = name

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings of the verifier, and those for claims and passages."""
        verifier = checked_settings(self._verifiers[0])
        return {
            "name": self._name or verifier.get("name", type(self._verifiers[0]).__name__),
            "verifier": verifier,
            "samples": len(self._verifiers),
            "unit": self._unit,
            "decomposer": self._decomposer and checked_settings(self._decomposer),
            "k": self._k,
            "passage_words": self._words,
        }

    async def judge(self, item: Item) -> Sequence[Judgement]:
        """Returns one judgment per segment, in order."""
        return (await self.consider(item)).judgements

    async def consider(self, item: Item) -> Opinion:
        """Returns the judgments; if there is no reference text, every claim is unsupported."""
        reads = self._verifiers[0].tells_entities_apart
        if reads and not item.documents:
            return Opinion(
                tuple(
                    Judgement(True, 0.0, "no_text") if s.claim else _NO_CLAIM for s in item.segments
                )
            )
        try:
            claims = await claims_of(item, self._unit, self._decomposer)
        except RoleError:
            return Opinion(
                tuple(
                    Judgement(None, None, "error") if s.claim else _NO_CLAIM for s in item.segments
                )
            )
        samples = [
            _segments(item, claims, await self._verdicts(verifier, item, claims, reads))
            for verifier in self._verifiers
        ]
        if len(samples) == 1:
            return Opinion(tuple(samples[0]))
        return Opinion(tuple(pooled(votes) for votes in zip(*samples, strict=True)))

    async def _verdicts(
        self, verifier: Verifier, item: Item, claims: ItemClaims, reads: bool
    ) -> Sequence[Verdict]:
        if not claims.texts:
            return ()
        pairs = self._pairs(item, claims, reads)
        rows = await verify_together(verifier, _biography(item), pairs)
        if len(pairs) == len(claims.texts) and all(len(facts) == 1 for facts, _ in pairs):
            return [row[0] for row in rows]
        return [_best(cells) for cells in zip(*rows, strict=True)]

    def _pairs(
        self, item: Item, claims: ItemClaims, reads: bool
    ) -> list[tuple[Sequence[Fact], Entity]]:
        """Pairs claims with evidence.

        If documents are judged separately, all claims are paired with each document; otherwise,
        each claim is paired with its own passages.
        """
        facts = [Fact(text) for text in claims.texts]
        if not reads:
            return [(facts, Entity("", "", ()))]
        if item.each:
            return [(facts, Entity(str(i), d.title, (d,))) for i, d in enumerate(item.documents)]
        chosen = self.evidence(item, claims.texts)
        title = item.documents[0].title
        if self._together:
            selected = dict.fromkeys(d for documents in chosen for d in documents)
            order = {d: i for i, d in enumerate(self._passages(item))}
            documents = tuple(sorted(selected, key=lambda d: order[d]))
            return [(facts, Entity("0", title, documents))]
        return [
            ([fact], Entity(str(i), title, documents))
            for i, (fact, documents) in enumerate(zip(facts, chosen, strict=True))
        ]

    async def asks(self, item: Item) -> AsyncIterator[Asked]:
        """Yields the requests that `consider` would send, without sending them."""
        for call in await decomposer_calls(self._decomposer, item):
            yield call
        reads = self._verifiers[0].tells_entities_apart
        if reads and not item.documents:
            return
        unit = self._unit
        claims = await claims_of(item, unit, BuiltinDecomposer() if unit == "claim" else None)
        for verifier in self._verifiers if claims.texts else ():
            pairs = self._pairs(item, claims, reads)
            for request in await all_asked(verifier.asks(_biography(item), pairs)):
                yield request

    def evidence(self, item: Item, claims: Sequence[str]) -> list[tuple[Document, ...]]:
        """The passages against which each claim is judged, best first."""
        passages = self._passages(item)
        if not item.search or len(passages) <= 1:
            return [tuple(passages)] * len(claims)

        ranked = PageBM25([p.text for p in passages]).select_many(claims, self._k)
        return [tuple(passages[place] for place in order) for order in ranked]

    def _passages(self, item: Item) -> list[Document]:
        if not item.search:
            return list(item.documents)

        return [
            replace(document, text=text)
            for document in item.documents
            for text in split_text(document.text, words=self._words)
        ]


def decomposer_of(unit: Unit, decomposer: Decomposer | None) -> Decomposer | None:
    """The decomposer that splits segments into claims; None if whole segments are judged."""
    if unit != "claim":
        return None
    role: Decomposer = as_role(decomposer or BuiltinDecomposer(), Decomposer, "decomposer")
    return role


async def decomposer_calls(decomposer: Decomposer | None, item: Item) -> list[Asked]:
    """The requests that a decomposer would send for a response."""
    if decomposer is None:
        return []
    text = "\n".join(segment.text for segment in item.segments if segment.claim)
    calls: list[Asked] = []
    await count_facts(Biography(item.id, item.name, text), decomposer, calls)
    return calls


def _biography(item: Item) -> Biography:
    return Biography(item.id, item.name, item.response)


_NO_CLAIM = Judgement(False, 1.0, "no_claim")


def _best(verdicts: Sequence[Verdict]) -> Verdict:
    """The best verdict: supported before unsupported before unreadable, then the most probable."""

    def worth(verdict: Verdict) -> tuple[bool, bool, float]:
        supported = verdict.status == "supported"
        return supported, verdict.status == "not_supported", verdict.probability or 0.0

    return max(verdicts, key=worth)


def _segments(item: Item, claims: ItemClaims, verdicts: Sequence[Verdict]) -> list[Judgement]:
    by_segment: dict[int, list[Verdict]] = {}
    for place, verdict in zip(claims.segment, verdicts, strict=True):
        by_segment.setdefault(place, []).append(verdict)
    return [
        _worst(by_segment.get(place, [])) if segment.claim else _NO_CLAIM
        for place, segment in enumerate(item.segments)
    ]


def _worst(verdicts: Sequence[Verdict]) -> Judgement:
    """Judges a segment, which is an error if any of its claims is not supported."""
    chances = [v.probability for v in verdicts]
    probability = None if None in chances else min(c for c in chances if c is not None)
    if any(v.status == "not_supported" for v in verdicts):
        return Judgement(True, probability)
    for verdict in verdicts:
        if verdict.status != "supported":
            return Judgement(None, None, _STATUS[verdict.status])
    return Judgement(False, probability)


def pooled(votes: Sequence[Judgement]) -> Judgement:
    """Merges the judgments from several samples by majority vote over all samples."""
    known = [vote for vote in votes if vote.error is not None]
    if not known:
        return votes[0]
    if all(vote.status == "no_claim" for vote in known):
        return _NO_CLAIM
    share = sum(bool(vote.error) for vote in known) / len(votes)
    return Judgement(share > 0.5, round(1 - share, 6))


def builtin_evaluator() -> VerifierEvaluator:
    """The evaluator called ``builtin`` on the command line."""
    return VerifierEvaluator(BuiltinVerifier(), name="builtin")
