"""A verifier whose probabilities are calibrated by a file of `dfactscore meta calibrate`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError
from dfactscore._records import Biography, Entity, Fact, Verdict
from dfactscore._util.jsonl import read_json
from dfactscore.engines._answers import checked_settings, verify_together
from dfactscore.engines._around import Around
from dfactscore.engines._roles import Verifier
from dfactscore.measures._calibration import Calibration

FORMAT = 1
_NAMES = ("name", "model")  # what says which judge a map is of


@dataclass(frozen=True)
class CalibrationFile:
    """The contents of ``calibration.json``.

    Attributes:
        judge: The settings of the verifier that it was fitted for.
        map: The map from its probabilities to supported shares.
    """

    judge: Mapping[str, Any]
    map: Calibration


def read_calibration(path: Path) -> CalibrationFile:
    """Reads a file of ``dfactscore meta calibrate``.

    Raises:
        InputError: If it cannot be read, or is not such a file.
    """
    record = read_json(path, error=InputError)
    try:
        if record["format"] != FORMAT:
            raise ValueError(f"format {record['format']!r}, expected {FORMAT}")
        return CalibrationFile(dict(record["judge"]), Calibration.of(record["map"]))
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"{path}: not a calibration ({error}); 'dfactscore meta calibrate' writes one"
        ) from None


class CalibratedVerifier(Around):
    """Judges as another verifier does, with calibrated probabilities and the same verdicts.

    Args:
        inner: Judges.
        path: The path that `read_calibration` reads.

    Raises:
        InputError: If the file is of another judge.
    """

    def __init__(self, inner: Verifier, path: Path) -> None:
        super().__init__(inner)
        found = read_calibration(path)
        here = checked_settings(inner)
        for name in _NAMES:
            if found.judge.get(name) != here.get(name):
                raise InputError(
                    f"{path}: is of the judge with {name} {found.judge.get(name)!r}, not of that "
                    f"with {here.get(name)!r}; fit one: dfactscore meta calibrate FILE --judge ..."
                )
        self._map = found.map

    @property
    def settings(self) -> Mapping[str, Any]:
        """The inner verifier's, and the map."""
        return {**self.inner.settings, "calibration": self._map.to_dict()}

    @property
    def threshold(self) -> float | None:
        """The inner verifier's, mapped."""
        inner = self.inner.threshold
        return None if inner is None else self._mapped(inner)

    @property
    def calibrated(self) -> bool:
        """They are."""
        return True

    async def verify(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> Sequence[Verdict]:
        """Returns one verdict per fact, in order."""
        return (await self.verify_together(biography, [(facts, entity)]))[0]

    async def verify_together(
        self, biography: Biography, asked: Sequence[tuple[Sequence[Fact], Entity]]
    ) -> list[tuple[Verdict, ...]]:
        """Returns one row for each of `asked`."""
        rows = await verify_together(self.inner, biography, asked)
        return [tuple(map(self._verdict, row)) for row in rows]

    def _verdict(self, verdict: Verdict) -> Verdict:
        if verdict.probability is None:
            return verdict
        return replace(verdict, probability=self._mapped(verdict.probability))

    def _mapped(self, probability: float) -> float:
        return round(float(self._map.apply(probability)), 6)
