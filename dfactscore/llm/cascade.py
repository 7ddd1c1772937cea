"""Two verifiers in a row: the first settles what it is sure of, the second judges the rest."""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dfactscore.engines import Verifier
from dfactscore.errors import InputError
from dfactscore.judging import Judged
from dfactscore.records import Biography, Entity, Fact, Verdict

__all__ = ["CascadeVerifier"]


class CascadeVerifier:
    """A cheap verifier decides the clear pairs, a dear one the uncertain ones.

    Args:
        first: Gives probabilities (the embedded verifier).
        second: Judges the facts whose probability lies in the band, all of a page in one call.
        low: Below it the first one's verdict stands; None: one unit of log-odds below the first
            one's own threshold.
        high: Above it likewise.

    Raises:
        InputError: If the band is none.
    """

    def __init__(
        self,
        first: Verifier,
        second: Verifier,
        *,
        low: float | None = None,
        high: float | None = None,
    ) -> None:
        around = first.threshold if first.threshold is not None else 0.5
        low = _shift(around, -1.0) if low is None else low
        high = _shift(around, 1.0) if high is None else high
        if not 0.0 <= low <= high <= 1.0:
            raise InputError(f"cascade band {low:g} to {high:g}: expected 0 <= low <= high <= 1")
        self.first = first
        self.second = second
        self.low = low
        self.high = high

    @property
    def threshold(self) -> float | None:
        """None: two scales meet here, and each verifier decides on its own."""
        return None

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change an answer."""
        return {
            "name": "cascade",
            "low": self.low,
            "high": self.high,
            "first": dict(self.first.settings),
            "second": dict(self.second.settings),
        }

    async def verify(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> Sequence[Verdict]:
        """Returns one verdict per fact, in order."""
        verdicts = list(await self._first(biography, facts, entity))
        open_ = [i for i, verdict in enumerate(verdicts) if self._unsure(verdict)]
        if open_:
            asked = self.second.verify(biography, [facts[i] for i in open_], entity)
            answers = await asked if inspect.isawaitable(asked) else asked
            for index, verdict in zip(open_, answers, strict=True):
                verdicts[index] = verdict
        return tuple(verdicts)

    async def unsure(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> list[Fact]:
        """The facts that go to the second verifier."""
        verdicts = await self._first(biography, facts, entity)
        return [fact for fact, v in zip(facts, verdicts, strict=True) if self._unsure(v)]

    async def share_sent(self, judged: Iterable[Judged]) -> float | None:
        """The share of a run's pairs that went to the second verifier; None without pairs.

        Found by asking the first one again, so that it does not depend on where a run was
        interrupted.
        """
        sent = total = 0
        for record in judged:
            if record.biography.verdicts is not None or not record.verdicts:
                continue
            for entity in record.entities:
                sent += len(await self.unsure(record.biography, record.facts, entity))
                total += len(record.facts)
        return round(sent / total, 6) if total else None

    async def _first(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> Sequence[Verdict]:
        asked = self.first.verify(biography, facts, entity)
        return await asked if inspect.isawaitable(asked) else asked

    def _unsure(self, verdict: Verdict) -> bool:
        return verdict.probability is None or self.low <= verdict.probability <= self.high


def _shift(probability: float, by: float) -> float:
    """A probability moved on the scale of log-odds."""
    if probability in (0.0, 1.0):
        return probability
    return round(1.0 / (1.0 + math.exp(-math.log(probability / (1.0 - probability)) - by)), 6)
