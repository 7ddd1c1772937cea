"""Two verifiers in a row: the first settles what it is sure of, the second judges the rest."""

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
    """A cheap verifier decides the clear pairs, an expensive one the uncertain ones.

    If both give probabilities, an uncertain pair is decided by the sum of the first one's
    log-odds (from its own threshold) and `weight` times the second one's: a model that is sure
    overrules what the first one leans to, a model that guesses does not. The result is on
    the first one's scale, so that one threshold holds for all pairs.

    Args:
        first: Gives probabilities (the built-in verifier).
        second: Judges the facts whose probability lies in the band, all of a page in one call.
        low: Below it the first one's verdict is final; None: one unit of log-odds below the first
            one's own threshold.
        high: Above it likewise.
        weight: Of the second one's log-odds; None lets the second one decide alone.

    Raises:
        InputError: If the band is none or the weight is not positive.
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
        around = 0.5 if first.threshold is None else first.threshold
        low = _shift(around, -1.0) if low is None else low
        high = _shift(around, 1.0) if high is None else high
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
        """The first one's; None if the second one decides alone on a scale of its own."""
        return None if self.weight is None else self.first.threshold

    @property
    def english_only(self) -> bool:
        """Whether either of the two is."""
        return self.first.english_only or self.second.english_only

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change an answer."""
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
        """Returns one verdict per fact, in order, marked where the second one was asked."""
        return (await self.verify_together(biography, [(facts, entity)]))[0]

    async def verify_together(
        self, biography: Biography, asked: Sequence[tuple[Sequence[Fact], Entity]]
    ) -> list[tuple[Verdict, ...]]:
        """Returns one row for each of `asked`; the second one judges all open pairs together."""
        rows = [list(row) for row in await verify_together(self.first, biography, asked)]
        unsure = [[i for i, verdict in enumerate(row) if self._unsure(verdict)] for row in rows]
        open_ = [
            ([facts[i] for i in places], entity, places, row)
            for (facts, entity), places, row in zip(asked, unsure, rows, strict=True)
            if places
        ]
        answers = await verify_together(self.second, biography, [(f, e) for f, e, _, _ in open_])
        for (_, _, places, row), said in zip(open_, answers, strict=True):
            for place, verdict in zip(places, said, strict=True):
                row[place] = replace(self._combine(row[place], verdict), sent=True)
        return [tuple(row) for row in rows]

    async def unsure(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> list[Fact]:
        """The facts that go to the second verifier."""
        verdicts = await verify(self.first, biography, facts, entity)
        return [fact for fact, v in zip(facts, verdicts, strict=True) if self._unsure(v)]

    async def asks(
        self, biography: Biography, asked: Sequence[tuple[Sequence[Fact], Entity]]
    ) -> AsyncIterator[Asked]:
        """Requests of the second verifier."""
        open_ = [(await self.unsure(biography, facts, entity), entity) for facts, entity in asked]
        pairs = [(facts, entity) for facts, entity in open_ if facts]
        for one in await all_asked(self.second.asks(biography, pairs)):
            yield one

    def _combine(self, lean: Verdict, said: Verdict) -> Verdict:
        threshold = self.threshold
        if lean.probability is None or said.probability is None or threshold is None:
            return said
        if said.status not in ("supported", "not_supported") or self.weight is None:
            return said
        total = _log_odds(lean.probability) + self.weight * _log_odds(said.probability)
        probability = round(1.0 / (1.0 + math.exp(-total)), 6)
        status: Status = "supported" if probability >= threshold else "not_supported"
        return replace(said, status=status, probability=probability)

    def _unsure(self, verdict: Verdict) -> bool:
        return verdict.probability is None or self.low <= verdict.probability <= self.high


def _log_odds(probability: float) -> float:
    """Log-odds; a certainty counts as one in a million less."""
    clipped = min(max(probability, 1e-6), 1.0 - 1e-6)
    return math.log(clipped / (1.0 - clipped))


def _shift(probability: float, by: float) -> float:
    """A probability moved on the scale of log-odds."""
    return round(1.0 / (1.0 + math.exp(-_log_odds(probability) - by)), 6)
