"""Calibrates a verifier's probabilities using a file written by `dfactscore meta calibrate`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError
from dfactscore._records import Biography, Entity, Fact, Verdict
from dfactscore._util.jsonl import read_json
from dfactscore.engines._answers import checked_settings, verify_together
from dfactscore.engines._roles import Verifier
from dfactscore.engines._wrapping import WrappingVerifier
from dfactscore.measures._calibration import Calibration

FORMAT = 1
_NAMES = ("name", "model")  # the settings that identify the judge of a map


@dataclass(frozen=True)
class CalibrationFile:
    """The contents of ``calibration.json``."""

    judge: Mapping[str, Any]  # settings of the verifier for which the map was fitted
    # Map from the verifier's probabilities to the shares of facts that are supported.
    map: Calibration


def read_calibration(path: Path) -> CalibrationFile:
    """Reads a calibration file written by ``dfactscore meta calibrate``."""
    record = read_json(path, error=InputError)
    try:
        if record["format"] != FORMAT:
            raise ValueError(f"format {record['format']!r}, expected {FORMAT}")
        return CalibrationFile(dict(record["judge"]), Calibration.of(record["map"]))
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"{path}: not a calibration ({error}); 'dfactscore meta calibrate' writes one"
        ) from None


class CalibratedVerifier(WrappingVerifier):
    """Calibrates another verifier's probabilities; the verdicts stay the same."""

    def __init__(self, inner: Verifier, path: Path) -> None:
        super().__init__(inner)
        calibration, settings = read_calibration(path), checked_settings(inner)
        for name in _NAMES:
            fitted, given = calibration.judge.get(name), settings.get(name)
            if fitted != given:
                raise InputError(
                    f"{path}: is for the judge with {name} {fitted!r}, not for that with "
                    f"{given!r}; fit one: dfactscore meta calibrate FILE --judge ..."
                )
        self._map = calibration.map

    @property
    def settings(self) -> Mapping[str, Any]:
        """The inner verifier's settings, and the map."""
        return {**self.inner.settings, "calibration": self._map.to_dict()}

    @property
    def threshold(self) -> float | None:
        """The inner verifier's threshold, after applying the map."""
        inner = self.inner.threshold
        return None if inner is None else self._mapped(inner)

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
        return [tuple(map(self._verdict, row)) for row in rows]

    def _verdict(self, verdict: Verdict) -> Verdict:
        if verdict.probability is None:
            return verdict
        return replace(verdict, probability=self._mapped(verdict.probability))

    def _mapped(self, probability: float) -> float:
        return round(float(self._map.apply(probability)), 6)
