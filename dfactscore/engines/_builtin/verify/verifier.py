"""The built-in verifier: judges support from alignment features, without a language model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain
from math import log
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dfactscore._errors import InputError
from dfactscore._records import Biography, Document, Entity, Fact, Verdict
from dfactscore._text.lead_names import people_of
from dfactscore.engines._builtin.verify.claims import prepare_claims
from dfactscore.engines._builtin.verify.conflict import counts_other_things, value_span
from dfactscore.engines._builtin.verify.contained import Containment, containment
from dfactscore.engines._builtin.verify.fact_subject import Pages, Subject, subject_of
from dfactscore.engines._builtin.verify.matrix_step import follow_evidence, separate_rivals
from dfactscore.engines._builtin.verify.model import (
    DEFAULT_MODEL,
    EVIDENCE_KINDS,
    EvidenceKind,
    load_model,
)
from dfactscore.engines._builtin.verify.premise import Premise, prepare_premise
from dfactscore.engines._builtin.verify.stages import DENIES, Judged, judge
from dfactscore.engines._roles import Verifier
from dfactscore.linking import Evidence

PASSAGE_WORDS = 275  # total for an entity's documents; from here on, they are partly a page, …
PAGE_WORDS = 1100  # … and from here on entirely: no word more changes a probability at once
_CACHED_CHARACTERS = 200_000  # longer pages are not cached, which bounds the memory
OTHER_NAME = 0.5  # factor for a fact whose subject has a different name
_CELLS = 4_000_000  # words × sentences in memory at once
_TOGETHER = 8  # pages judged at once
_Page = tuple[tuple[str, str], ...]  # title and text of each document


class BuiltinVerifier(Verifier):
    """Judges facts by whether their words, numbers, dates and names are close together on the page.

    English only. Needs no network, key or download; the same input always gives byte-identical
    output.

    Args:
        threshold: Minimum probability of a supported fact. If None, the model's threshold is used,
            which was chosen on its training names.
        evidence: The type of document: retrieved passages, whole pages or cited passages. For
            pages, `Model.page_shift` shifts the probabilities so that one threshold fits both
            types. With ``"auto"``, the shift grows with the total length of an entity's documents,
            from none at 275 words to all of it at 1100.
        model: A coefficient file written by ``training/train_verifier.py``. If None, the shipped
            file is used.

    Raises:
        InputError: If the threshold is not in [0, 1] or the model cannot be read.

    Example:
        >>> page = Document("Ann Lee (swimmer)", "Ann Lee (1901–1980) was a Scottish swimmer.")
        >>> verifier = BuiltinVerifier()
        >>> facts = ["Ann Lee was born in 1901.", "Ann Lee was born in 1980.", "She sang."]
        >>> found = verifier.probabilities(facts, [page], "Ann Lee")
        >>> [bool(p >= verifier.threshold) for p in found]
        [True, False, False]
    """

    english_only = True

    def __init__(
        self,
        *,
        threshold: float | None = None,
        evidence: EvidenceKind | Literal["auto"] = "auto",
        model: str | Path | None = None,
    ) -> None:
        self._model = load_model(Path(model) if model is not None else DEFAULT_MODEL)
        if evidence != "auto" and evidence not in EVIDENCE_KINDS:
            raise InputError(
                f"evidence {evidence!r} is not one of auto, {', '.join(EVIDENCE_KINDS)}"
            )
        self._evidence = evidence
        self._threshold = None if threshold is None else float(threshold)
        if self._threshold is not None and not 0.0 <= self._threshold <= 1.0:
            raise InputError(f"threshold {threshold} is not in [0, 1]")
        self._remember()

    def _remember(self) -> None:
        # Bound to the model, not to `self`: a reference cycle would keep all pages in memory.
        self._claims = lru_cache(maxsize=32)(partial(prepare_claims, idf=self._model.idf))
        self._premise = lru_cache(maxsize=64)(prepare_premise)

    def __getstate__(self) -> dict[str, Any]:
        """Returns the state to send to another process, without the caches."""
        return {k: v for k, v in vars(self).items() if k not in ("_claims", "_premise")}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        vars(self).update(state)
        self._remember()

    @property
    def settings(self) -> Mapping[str, Any]:
        """The name, the digest of the coefficient file, and the values that affect verdicts."""
        return {
            "name": "builtin",
            "model": self._model.digest[:16],
            "evidence": self._evidence,
            "threshold": self.threshold,
            "page_shift": self._model.page_shift,
            "second_step": dict(self._model.second_step),
        }

    @property
    def calibrated(self) -> bool:
        """Whether the coefficient file contains a map that calibrates probabilities."""
        return self._model.calibrated

    @property
    def threshold(self) -> float:
        """The minimum probability at which a fact counts as supported."""
        if self._threshold is not None:
            return self._threshold
        return self._model.threshold("citation" if self._evidence == "citation" else "passages")

    def verify(self, biography: Biography, facts: Sequence[Fact], entity: Entity) -> list[Verdict]:
        """Judges facts against one entity's documents.

        Args:
            biography: The text and the target name, whose words neither support nor contradict.
            facts: Any number of facts.
            entity: The entity; an entity without documents supports nothing.

        Returns:
            One verdict per fact, in order; the status is based on the rounded probability. The
            evidence is the sentence that contains most of the fact. The conflict of an unsupported
            fact is the page's differing year, number or name, or the sentence that denies the fact.
            A fact is at least as probable as any longer fact that contains it.
        """
        return self.verify_together(biography, [(facts, entity)])[0]

    def verify_together(
        self, biography: Biography, pairs: Sequence[tuple[Sequence[Fact], Entity]]
    ) -> list[list[Verdict]]:
        """Judges facts against several entities; returns the same verdicts as `verify`, but faster.

        Args:
            biography: See `verify`.
            pairs: Pairs of facts and the entity to judge them against.

        Returns:
            One row per pair, with one verdict per fact.
        """
        pages = [tuple((d.title, d.text) for d in entity.documents) for _, entity in pairs]
        people = _people(pages, [entity.aliases for _, entity in pairs], biography.name)
        subjects = [
            [subject_of(fact, biography.text, pages_people) for fact in facts]
            for (facts, _), pages_people in zip(pairs, people, strict=True)
        ]
        sharing: dict[tuple[str, ...], list[int]] = {}
        for place, row in enumerate(subjects):
            sharing.setdefault(tuple(subject.text for subject in row), []).append(place)
        rows: dict[int, list[Verdict]] = {}
        for texts, places in sharing.items():
            contained = containment(texts)
            for part in _batches(places, pages):
                results = self._judge(texts, [pages[i] for i in part], biography.name, compare=True)
                for place, (judged, premise) in zip(part, results, strict=True):
                    judged = _lower_foreign(judged, premise, subjects[place])
                    judged = replace(judged, values=contained.raised(judged.values))
                    verdicts = self._verdicts(texts, judged, premise, pages[place])
                    doubted = self._doubted(verdicts, contained)
                    rows[place] = _named_otherwise(doubted, texts, people[place], pages[place])
        return [rows[place] for place in range(len(pairs))]

    def _verdicts(
        self, facts: Sequence[str], judged: Judged, premise: Premise, documents: _Page
    ) -> list[Verdict]:
        spans = premise.spans
        threshold = self.threshold
        verdicts = []
        columns = (judged.values.tolist(), judged.best.tolist(), judged.against.tolist())
        for fact, value, place, entry in zip(facts, *columns, strict=True):
            evidence = Evidence(*spans[place]) if place >= 0 else None
            if value >= threshold:
                verdicts.append(Verdict("supported", value, evidence))
                continue
            conflict = evidence if entry == DENIES else None
            if entry >= 0:
                conflict = Evidence(*value_span(premise, entry, documents))
                text = documents[conflict.document][1]
                if counts_other_things(fact, text[: conflict.end + 60], conflict[1:]):
                    conflict = None
            verdicts.append(Verdict("not_supported", value, evidence, conflict))
        return verdicts

    def _doubted(self, verdicts: list[Verdict], contained: Containment) -> list[Verdict]:
        """Lowers the odds of contradicted facts; no verdict changes."""
        factor = self._model.second_step.get("contradicted", 1.0)
        if factor == 1.0 or not any(verdict.conflict for verdict in verdicts):
            return verdicts
        lowered = [
            p if verdict.conflict is None else factor * p / (1.0 - p + factor * p)
            for verdict in verdicts
            for p in [verdict.probability or 0.0]
        ]
        values = contained.raised(np.round(np.array(lowered), 6)).tolist()
        return [replace(v, probability=p) for v, p in zip(verdicts, values, strict=True)]

    def weigh(
        self, entities: Sequence[Entity], probability: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Weighs a text's probabilities with its share of supported facts; see `matrix_step`."""
        prior = self._model.prior
        if prior is None or not probability.size:
            return probability
        weighed = follow_evidence(probability, prior)
        return np.round(separate_rivals(weighed, self._model.second_step["rivalry"]), 6)

    def probabilities(
        self, facts: Sequence[str], documents: Sequence[Document | str], name: str = ""
    ) -> NDArray[np.float64]:
        """Returns the probability that the documents support each sentence, shape ``(facts,)``.

        Args:
            facts: The facts, as sentences.
            documents: Documents, or texts without a title.
            name: The target name, or empty.
        """
        pairs = tuple(
            ("", item) if isinstance(item, str) else (item.title, item.text) for item in documents
        )
        (people,) = _people([pairs], [()], name)
        subjects = [subject_of(Fact(fact), "", people) for fact in facts]
        texts = tuple(subject.text for subject in subjects)
        ((judged, premise),) = self._judge(texts, [pairs], name)
        return _lower_foreign(judged, premise, subjects).values

    def _page_part(self, premise: Premise) -> float:
        """Returns how far documents are a whole page: 0 for passages, 1 for a page."""
        if self._evidence != "auto" or premise.size <= PASSAGE_WORDS:
            return float(self._evidence == "page")
        return min(1.0, log(premise.size / PASSAGE_WORDS) / log(PAGE_WORDS / PASSAGE_WORDS))

    def _premise_of(self, documents: _Page) -> Premise:
        keep = _characters(documents) <= _CACHED_CHARACTERS
        return (self._premise if keep else prepare_premise)(documents)

    def _judge(
        self, facts: tuple[str, ...], pages: Sequence[_Page], name: str, *, compare: bool = False
    ) -> list[tuple[Judged, Premise]]:
        premises = [self._premise_of(documents) for documents in pages]
        parts = []
        columns = len(premises) * max(len(premise.negated) for premise in premises)
        for part in _parts(facts, columns):
            length = sum(map(len, part))
            claims = (
                self._claims(part, name)
                if length <= _CACHED_CHARACTERS
                else prepare_claims(part, name, self._model.idf)
            )
            parts.append(judge(claims, premises, self._model, compare=compare))
        empty = [not any(map(str.isalnum, fact)) for fact in facts]
        results = []
        for premise, page_parts in zip(premises, zip(*parts, strict=True), strict=True):
            values = np.concatenate([judged.values for judged in page_parts])
            if page := self._page_part(premise):
                values = _shifted(values, page * self._model.page_shift)
            values = self._model.map.apply(values)
            values[np.array(empty, dtype=np.bool_) | (not premise.size)] = 0.0
            best = np.concatenate([judged.best for judged in page_parts])
            against = np.concatenate([judged.against for judged in page_parts])
            results.append((Judged(np.round(values, 6), best, against), premise))
        return results


def _people(pages: Sequence[_Page], aliases: Sequence[Sequence[str]], name: str) -> list[Pages]:
    """Returns the people on each page, along with the names of the people on all pages."""
    people = [people_of(page, other) for page, other in zip(pages, aliases, strict=True)]
    everyone = tuple(chain.from_iterable(people))
    return [Pages.of(name, names, everyone) for names in people]


def _named_otherwise(
    verdicts: list[Verdict], facts: Sequence[str], people: Pages, documents: _Page
) -> list[Verdict]:
    """Marks facts about the target as contradicted by a page that gives another middle name."""
    other, target = people.namesake, people.target.text
    places = [text.find(other) for _, text in documents] if other else []
    found = next((n for n, place in enumerate(places) if place >= 0), None)
    if found is None:
        return verdicts
    place = Evidence(found, places[found], places[found] + len(other))
    return [
        replace(verdict, conflict=place)
        if target in fact and verdict.why_not == "not_stated"
        else verdict
        for fact, verdict in zip(facts, verdicts, strict=True)
    ]


def _lower_foreign(judged: Judged, premise: Premise, subjects: Sequence[Subject]) -> Judged:
    """Lowers the values of facts whose subject has a full name that does not occur on the page."""
    is_foreign = [
        any(word not in premise.phrases for word in subject.foreign) for subject in subjects
    ]
    if not any(is_foreign):
        return judged
    factor = np.where(is_foreign, OTHER_NAME, 1.0)
    return replace(judged, values=np.round(judged.values * factor, 6))


def _characters(documents: _Page) -> int:
    return sum(len(title) + len(text) for title, text in documents)


def _batches(places: Sequence[int], pages: Sequence[_Page]) -> Iterator[list[int]]:
    """Splits the indexes of pages into batches that fit in memory."""
    part: list[int] = []
    size = 0
    for place in places:
        added = _characters(pages[place])
        if part and (len(part) == _TOGETHER or size + added > _CACHED_CHARACTERS):
            yield part
            part, size = [], 0
        part.append(place)
        size += added
    if part:
        yield part


def _shifted(values: NDArray[np.float64], shift: float) -> NDArray[np.float64]:
    """Shifts probabilities on the log-odds scale."""
    odds = values / np.maximum(1.0 - values, 1e-12) * np.exp(shift)
    return np.asarray(odds / (1.0 + odds))


def _parts(facts: tuple[str, ...], columns: int) -> Iterator[tuple[str, ...]]:
    """Splits the facts into parts whose words × sentences fit in memory."""
    size = max(1, _CELLS // max(1, columns) // 40)  # a fact has about 10 words, rarely 40
    for start in range(0, max(1, len(facts)), size):
        yield facts[start : start + size]


_shared = lru_cache(maxsize=1)(BuiltinVerifier)


def support_probability(fact: str, texts: Sequence[Document | str], *, name: str = "") -> float:
    """Returns the shipped verifier's probability that the texts together support a sentence."""
    return float(_shared().probabilities([fact], texts, name)[0])
