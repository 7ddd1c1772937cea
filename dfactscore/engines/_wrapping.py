"""Verifiers that wrap others: calibrated, searching the whole corpus, or a cascade of two."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from dfactscore._errors import InputError
from dfactscore._records import Biography, Document, Entity, Fact, Verdict
from dfactscore._text.clean_text import clean
from dfactscore._util.jsonl import read_json
from dfactscore.engines._answers import checked_settings, verify, verify_together
from dfactscore.engines._roles import Verifier
from dfactscore.linking import Status
from dfactscore.measures._calibration import Calibration
from dfactscore.retrieval import Retriever
from dfactscore.work import Asked
from dfactscore.work._work import all_asked

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from dfactscore.retrieval import Hit
    from dfactscore.work import Asks


class WrappingVerifier(Verifier):
    """A verifier that uses another verifier's verdicts."""

    def __init__(self, inner: Verifier) -> None:
        self.inner = inner

    @property
    def threshold(self) -> float | None:
        """The threshold of the inner verifier."""
        return self.inner.threshold

    @property
    def calibrated(self) -> bool:
        """Whether the inner verifier is calibrated."""
        return self.inner.calibrated

    @property
    def tells_entities_apart(self) -> bool:
        """Whether the inner verifier tells entities apart."""
        return self.inner.tells_entities_apart

    @property
    def english_only(self) -> bool:
        """Whether the inner verifier supports only English."""
        return self.inner.english_only

    def weigh(
        self, entities: Sequence[Entity], probability: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Returns the probabilities as adjusted by the inner verifier."""
        return self.inner.weigh(entities, probability)

    def asks(self, biography: Biography, pairs: Sequence[tuple[Sequence[Fact], Entity]]) -> Asks:
        """Lists the requests that the inner verifier would make."""
        return self.inner.asks(biography, pairs)


FORMAT = 2
MAP_WORDS = 550  # documents with more words in total get the map for pages
_NAMES = ("name", "model")  # the settings that identify the judge of a map

MapKind = Literal["any", "passages", "page"]


def map_kind(documents: Sequence[Document]) -> MapKind:
    """Returns whether documents are passages or a page."""
    words = sum(len(document.text.split()) for document in documents)
    return "page" if words > MAP_WORDS else "passages"


@dataclass(frozen=True)
class CalibrationMap:
    """A map, and the share of supported facts among the labels on which it was fitted."""

    map: Calibration
    base_rate: float

    def __post_init__(self) -> None:
        if not 0 < self.base_rate < 1:
            raise ValueError(f"base rate {self.base_rate} is not between 0 and 1")

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> CalibrationMap:
        """Creates the map from the result of `to_dict`."""
        return cls(Calibration.of(record), float(record["base_rate"]))

    def to_dict(self) -> dict[str, Any]:
        """Returns the map as a JSON object."""
        return {**self.map.to_dict(), "base_rate": self.base_rate}


@dataclass(frozen=True)
class CalibrationFile:
    """The contents of ``calibration.json``."""

    judge: Mapping[str, Any]  # settings of the verifier for which the maps were fitted
    maps: Mapping[MapKind, CalibrationMap]  # one for `any`, or for `passages` and `page`

    def of(self, documents: Sequence[Document]) -> CalibrationMap:
        """Returns the map for an entity's documents."""
        return self.maps["any"] if "any" in self.maps else self.maps[map_kind(documents)]


def read_calibration(path: Path) -> CalibrationFile:
    """Reads a calibration file written by ``dfactscore meta calibrate``."""
    record = read_json(path, error=InputError)
    try:
        if record["format"] == 1:
            raise InputError(
                f"{path}: has no base rate, the share of supported facts among its labels, without "
                "which scores are wrong; fit it again: dfactscore meta calibrate FILE --judge ..."
            )
        if record["format"] != FORMAT:
            raise ValueError(f"format {record['format']!r}, expected {FORMAT}")
        kinds: tuple[MapKind, ...] = ("any",) if "any" in record["maps"] else (
            "passages", "page"
        )  # fmt: skip
        maps = {kind: CalibrationMap.of(record["maps"][kind]) for kind in kinds}
        return CalibrationFile(dict(record["judge"]), maps)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise InputError(
            f"{path}: not a calibration ({error}); 'dfactscore meta calibrate' writes one"
        ) from None


class CalibratedVerifier(WrappingVerifier):
    """Calibrates another verifier's probabilities; the verdicts stay the same."""

    def __init__(self, inner: Verifier, path: Path) -> None:
        super().__init__(inner)
        self._file, settings = read_calibration(path), checked_settings(inner)
        for name in _NAMES:
            fitted, given = self._file.judge.get(name), settings.get(name)
            if fitted != given:
                raise InputError(
                    f"{path}: is for the judge with {name} {fitted!r}, not for that with "
                    f"{given!r}; fit one: dfactscore meta calibrate FILE --judge ..."
                )

    @property
    def settings(self) -> Mapping[str, Any]:
        """The inner verifier's settings, and the maps."""
        maps = {kind: one.to_dict() for kind, one in self._file.maps.items()}
        return {**self.inner.settings, "calibration": maps}

    @property
    def threshold(self) -> float | None:
        """The inner verifier's threshold, after applying the map for passages."""
        inner = self.inner.threshold
        return None if inner is None else _mapped(self._file.of(()), inner)

    @property
    def calibrated(self) -> bool:
        """Always true."""
        return True

    async def verify(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> Sequence[Verdict]:
        """Returns one verdict per fact, in order."""
        return (await self.verify_together(biography, [(facts, entity)]))[0]

    async def verify_together(
        self, biography: Biography, pairs: Sequence[tuple[Sequence[Fact], Entity]]
    ) -> list[tuple[Verdict, ...]]:
        """Returns one row per pair of facts and entity."""
        rows = await verify_together(self.inner, biography, pairs)
        return [
            tuple(_calibrated(verdict, self._file.of(entity.documents)) for verdict in row)
            for row, (_, entity) in zip(rows, pairs, strict=True)
        ]

    def weigh(
        self, entities: Sequence[Entity], probability: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Weighs a text's probabilities with the share of supported labels as the usual share."""
        if not probability.size:
            return probability
        import numpy as np

        from dfactscore.engines._builtin.verify.matrix_step import (
            Share,
            follow_evidence,
            separate_rivals,
            shifted,
        )

        rates = np.array([self._file.of(entity.documents).base_rate for entity in entities])
        usual = float(rates.mean())
        # Evidence is what a probability says beyond the base rate of its own map.
        alike = shifted(probability, np.log(usual / (1 - usual) * (1 - rates) / rates))
        weighed = follow_evidence(alike, Share(even=usual, usual=usual))
        rivalry = self.inner.settings.get("second_step", {}).get("rivalry", 0.0)
        return np.round(separate_rivals(weighed, rivalry), 6)


def _calibrated(verdict: Verdict, calibration: CalibrationMap) -> Verdict:
    if verdict.probability is None:
        return verdict
    return replace(verdict, probability=_mapped(calibration, verdict.probability))


def _mapped(calibration: CalibrationMap, probability: float) -> float:
    return round(float(calibration.map.apply(probability)), 6)


#: The column of verdicts against the passages retrieved for each fact. It only affects FS: it is
#: not an entity, so groups are not linked to it, and facts are not credited to it.
CORPUS = "(corpus)"
#: The column of verdicts against the results of an unrestricted search for each fact; likewise.
OPEN = "(open)"
FS_ONLY = frozenset({CORPUS, OPEN})


class CorpusVerifier(WrappingVerifier):
    """Adds a column in which each fact is judged against passages from the whole index.

    "Any page of the source" (appendix B.1 of the paper) is approximated by retrieving passages for
    each fact, using FActScore's query: the name followed by the fact.
    """

    def __init__(self, inner: Verifier, retriever: Retriever, *, passages: int = 5) -> None:
        super().__init__(inner)
        self._retriever = retriever
        self._passages = passages

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings of the inner verifier, of the index and of the search."""
        manifest = self._retriever.manifest
        return {
            **self.inner.settings,
            "fs_scope": {
                "scope": "corpus",
                "method": manifest.kind,
                "passages": self._passages,
                "index": manifest.corpus_hash,
                "snapshot": manifest.snapshot,
                "encoder": dict(manifest.encoder),
            },
        }

    def extra_entities(self, entities: Sequence[Entity]) -> tuple[Entity, ...]:
        """Returns the additional column, ranked last."""
        rank = max((entity.rank for entity in entities), default=-1) + 1
        return (Entity(CORPUS, "any page of the corpus", (), rank),)

    def asks(self, biography: Biography, pairs: Sequence[tuple[Sequence[Fact], Entity]]) -> Asks:
        """Lists the inner verifier's requests; for `CORPUS`, each fact has its own passages."""
        parts = [self._parts(biography, facts, entity) for facts, entity in pairs]
        return self.inner.asks(biography, [part for row in parts for part in row if part])

    async def verify(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> Sequence[Verdict]:
        """Returns one verdict per fact; for `CORPUS`, each is based on the fact's own passages."""
        return (await self.verify_together(biography, [(facts, entity)]))[0]

    async def verify_together(
        self, biography: Biography, pairs: Sequence[tuple[Sequence[Fact], Entity]]
    ) -> list[tuple[Verdict, ...]]:
        """Returns one row per pair of facts and entity."""
        parts = [self._parts(biography, facts, entity) for facts, entity in pairs]
        flat = [part for row in parts for part in row if part is not None]
        answers = iter(await verify_together(self.inner, biography, flat))
        rows = []
        for (_, entity), row in zip(pairs, parts, strict=True):
            if entity.id != CORPUS:
                rows.append(next(answers))
                continue
            verdicts = [
                Verdict("not_supported", 0.0) if p is None else next(answers)[0] for p in row
            ]
            # The evidence is in the passages for one fact, not in the documents of the column.
            rows.append(tuple(replace(v, evidence=None, conflict=None) for v in verdicts))
        return rows

    def _parts(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> list[tuple[Sequence[Fact], Entity] | None]:
        """Returns the inner calls: one for all facts, or one per fact with its passages."""
        if entity.id != CORPUS:
            return [(facts, entity)]
        hits_of_facts = self._retriever.search_facts(
            biography.name, [fact.text for fact in facts], self._passages
        )
        return [
            ([fact], replace(entity, documents=_documents(hits))) if hits else None
            for fact, hits in zip(facts, hits_of_facts, strict=True)
        ]


def _documents(hits: Sequence[Hit]) -> tuple[Document, ...]:
    return tuple(Document(hit.passage.title, clean(hit.passage.text)) for hit in hits)


def open_corpus(index: Path | None, inner: Verifier) -> Verifier:
    """Wraps a verifier so that it computes FS over the corpus of an index, if one is given."""
    if index is None:
        return inner
    if not inner.tells_entities_apart:
        raise InputError("--index needs a verifier that reads documents")
    return CorpusVerifier(inner, Retriever(index))


class CascadeVerifier(Verifier):
    """Lets a cheap verifier decide the clear cases and an expensive one the uncertain cases.

    If both verifiers give probabilities, the log-odds of an uncertain pair are those of the first
    verifier plus `weight` times those of the second: a second verifier overrules the first if it is
    confident, but not if it is guessing. The result is on the scale of the first verifier, so that
    one threshold applies to all pairs.
    """

    def __init__(
        self,
        first: Verifier,
        second: Verifier,
        *,
        low: float | None = None,
        high: float | None = None,
        weight: float | None = 0.5,
    ) -> None:
        center = 0.5 if first.threshold is None else first.threshold
        low = _shift(center, -1.0) if low is None else low
        high = _shift(center, 1.0) if high is None else high
        if not 0.0 <= low <= high <= 1.0:
            raise InputError(f"cascade band {low:g} to {high:g}: expected 0 <= low <= high <= 1")
        if weight is not None and weight <= 0:
            raise InputError(f"cascade weight {weight:g}: expected a number above 0, or none")
        self.first = first
        self.second = second
        self.low = low
        self.high = high
        self.weight = weight

    @property
    def threshold(self) -> float | None:
        """The threshold of `first`; None if `second` decides alone, on its own scale."""
        return None if self.weight is None else self.first.threshold

    @property
    def english_only(self) -> bool:
        """Whether either verifier supports only English."""
        return self.first.english_only or self.second.english_only

    @property
    def settings(self) -> Mapping[str, Any]:
        """All settings that can change a verdict."""
        return {
            "name": "cascade",
            "low": self.low,
            "high": self.high,
            "weight": self.weight,
            "first": dict(self.first.settings),
            "second": dict(self.second.settings),
        }

    async def verify(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> Sequence[Verdict]:
        """Returns one verdict per fact, in order, marking those from the second verifier."""
        return (await self.verify_together(biography, [(facts, entity)]))[0]

    async def verify_together(
        self, biography: Biography, pairs: Sequence[tuple[Sequence[Fact], Entity]]
    ) -> list[tuple[Verdict, ...]]:
        """Returns one row per pair of facts and entity, calling the second verifier only once."""
        rows = [list(row) for row in await verify_together(self.first, biography, pairs)]
        places_of = [[i for i, verdict in enumerate(row) if self._unsure(verdict)] for row in rows]
        open_pairs = [
            ([facts[i] for i in places], entity, places, row)
            for (facts, entity), places, row in zip(pairs, places_of, rows, strict=True)
            if places
        ]
        answers = await verify_together(
            self.second, biography, [(f, e) for f, e, _, _ in open_pairs]
        )
        for (_, _, places, row), second_verdicts in zip(open_pairs, answers, strict=True):
            for place, verdict in zip(places, second_verdicts, strict=True):
                row[place] = replace(self._combine(row[place], verdict), sent=True)
        return [tuple(row) for row in rows]

    async def unsure(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> list[Fact]:
        """Returns the facts that go to the second verifier."""
        verdicts = await verify(self.first, biography, facts, entity)
        return [fact for fact, v in zip(facts, verdicts, strict=True) if self._unsure(v)]

    async def asks(
        self, biography: Biography, pairs: Sequence[tuple[Sequence[Fact], Entity]]
    ) -> AsyncIterator[Asked]:
        """Yields the requests that the second verifier would make."""
        unsure = [(await self.unsure(biography, facts, entity), entity) for facts, entity in pairs]
        open_pairs = [(facts, entity) for facts, entity in unsure if facts]
        for request in await all_asked(self.second.asks(biography, open_pairs)):
            yield request

    def _combine(self, first: Verdict, second: Verdict) -> Verdict:
        threshold = self.threshold
        if first.probability is None or second.probability is None or threshold is None:
            return second
        if second.status not in ("supported", "not_supported") or self.weight is None:
            return second
        total = _log_odds(first.probability) + self.weight * _log_odds(second.probability)
        probability = round(1.0 / (1.0 + math.exp(-total)), 6)
        status: Status = "supported" if probability >= threshold else "not_supported"
        return replace(second, status=status, probability=probability)

    def _unsure(self, verdict: Verdict) -> bool:
        return verdict.probability is None or self.low <= verdict.probability <= self.high


def _log_odds(probability: float) -> float:
    """Returns the log-odds of a probability after clipping it to [1e-6, 1 - 1e-6]."""
    clipped = min(max(probability, 1e-6), 1.0 - 1e-6)
    return math.log(clipped / (1.0 - clipped))


def _shift(probability: float, shift: float) -> float:
    """Shifts a probability on the log-odds scale."""
    return round(1.0 / (1.0 + math.exp(-_log_odds(probability) - shift)), 6)
