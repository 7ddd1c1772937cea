"""A cascade of two verifiers: the second judges the facts the first is unsure about."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dfactscore._errors import InputError
from dfactscore._records import Biography, Entity, Fact, Verdict
from dfactscore.engines._answers import verify, verify_together
from dfactscore.engines._roles import Verifier
from dfactscore.linking import Status
from dfactscore.work import Asked
from dfactscore.work._asks import all_asked


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
