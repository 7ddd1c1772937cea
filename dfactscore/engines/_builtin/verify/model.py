"""The trained model, read from a JSON file: two stages, thresholds and word frequencies."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dfactscore._errors import InputError
from dfactscore._util.files import read_bytes, shipped
from dfactscore._util.jsonl import JSONError, parse_json
from dfactscore.engines._builtin.verify.binding import UNIT_FEATURES
from dfactscore.engines._builtin.verify.features import FEATURES
from dfactscore.engines._builtin.verify.matrix_step import Share
from dfactscore.engines._builtin.verify.summary import BOUND, SORTS, worst_sort
from dfactscore.engines._builtin.verify.trees import Trees, read_trees
from dfactscore.measures._calibration import Calibration

DEFAULT_MODEL = shipped(__package__, "verifier.json")
FORMAT = 3
_UNCHANGED = Calibration((0.0, 1.0), (0.0, 1.0))  # for models without a map
EvidenceKind = Literal["passages", "page", "citation"]
EVIDENCE_KINDS: tuple[EvidenceKind, ...] = ("passages", "page", "citation")


@dataclass(frozen=True, eq=False)
class Model:
    """Three tree models, and the values that turn their log-odds into verdicts."""

    # Predicts the log-odds of support from `FEATURES`: how much of the fact is on the page.
    first: Trees
    # Predicts the log-odds that a name, date, number or word is right, from `UNIT_FEATURES`.
    units: Trees
    # Predicts a correction to add to the first stage's log-odds, from `FEATURES` and `BOUND`.
    second: Trees
    # The weights of the second stage if the worst unit is a number, a name or a word (which may be
    # paraphrased); shape `(3,)`.
    shares: NDArray[np.float64]
    gate: float  # First-stage log-odds at or above which the second stage decides
    # Intercept and slope to apply to each stage's log-odds.
    calibration: Mapping[str, tuple[float, float]]
    # Map from probabilities, after the shift for pages, to shares of supported facts, fitted on
    # names that the model did not see (`training/calibrate_verifier.py`).
    map: Calibration
    # `rivalry` and the fields of `Share` (except `even`) for `matrix_step`, and `contradicted`, the
    # factor for the odds of facts that a page contradicts; empty without a map.
    second_step: Mapping[str, float]
    # Minimum probability of a supported fact before applying the map, by type of evidence.
    thresholds: Mapping[EvidenceKind, float]
    idf: Mapping[str, float]  # inverse document frequency by word key
    digest: str  # SHA-256 of the file, which identifies the model in a run's settings
    training: Mapping[str, Any]

    @property
    def page_shift(self) -> float:
        """Shift in log-odds that makes the threshold for passages valid for whole pages."""
        passages, page = self.thresholds["passages"], self.thresholds["page"]
        return round(_log_odds(passages) - _log_odds(page), 4)

    @property
    def calibrated(self) -> bool:
        """Whether the file contains a map."""
        return self.map is not _UNCHANGED

    @property
    def prior(self) -> Share | None:
        """The scale of the evidence, and what is known of a text's share; None without a map."""
        step = self.second_step
        if not step:
            return None
        numbers = {name: step[name] for name in ("usual", "slope", "worth", "growth")}
        return Share(even=self.threshold("passages"), **numbers)

    def threshold(self, kind: Literal["passages", "citation"]) -> float:
        """Returns the minimum calibrated probability of a supported fact."""
        return round(float(self.map.apply(self.thresholds[kind])), 6)

    def correction(self, table: NDArray[np.float32]) -> NDArray[np.float64]:
        """Returns the correction that the second stage adds to the first stage's log-odds."""
        return np.asarray(self.shares[worst_sort(table)] * self.second.log_odds(table))

    def probability(
        self, stage: Literal["first", "second"], log_odds: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Converts a stage's log-odds to calibrated probabilities."""
        intercept, slope = self.calibration[stage]
        return np.asarray(1.0 / (1.0 + np.exp(-(intercept + slope * log_odds))))


def _log_odds(probability: float) -> float:
    return float(np.log(probability / (1.0 - probability)))


def load_model(path: Path = DEFAULT_MODEL) -> Model:
    """Reads a coefficient file."""
    raw = read_bytes(path, error=InputError)
    try:
        record = parse_json(raw)
    except JSONError as error:
        raise InputError(f"{path} is not a verifier model: {error}") from None
    try:
        if record["format"] != FORMAT:
            raise InputError(
                f"{path}: format {record['format']!r} is not {FORMAT}; train it again with "
                "training/train_verifier.py"
            )
        thresholds = {kind: float(record["thresholds"][kind]) for kind in EVIDENCE_KINDS}
        for kind, threshold in thresholds.items():
            if not 0 < threshold < 1:
                raise InputError(f"{path}: threshold {threshold} ({kind}) is not between 0 and 1")
        gate = float(record["gate"])
        if not 0 < gate < 1:
            raise InputError(f"{path}: gate {gate} is not between 0 and 1")
        lines = {stage: record["calibration"][stage] for stage in ("first", "second")}
        return Model(
            first=read_trees(record["first"], FEATURES, path),
            units=read_trees(record["units"], UNIT_FEATURES, path),
            second=read_trees(record["second"], (*FEATURES, *BOUND), path),
            shares=np.array([float(record["shares"][sort]) for sort in SORTS]),
            gate=_log_odds(gate),
            calibration={stage: (float(a), float(b)) for stage, (a, b) in lines.items()},
            map=Calibration.of(record["map"]) if "map" in record else _UNCHANGED,
            second_step={k: float(v) for k, v in record.get("second_step", {}).items()},
            thresholds=thresholds,
            idf=_frequencies(record["idf"]),
            digest=hashlib.sha256(raw).hexdigest(),
            training=record["training"],
        )
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError, IndexError) as error:
        raise InputError(f"{path} is not a verifier model: {error!r}") from error


@lru_cache(maxsize=1)
def word_frequencies() -> Mapping[str, float]:
    """Returns the inverse document frequencies of the shipped model."""
    return _frequencies(parse_json(read_bytes(DEFAULT_MODEL, error=InputError))["idf"])


def _frequencies(lines: Mapping[str, str]) -> dict[str, float]:
    return {word: float(value) for value, line in lines.items() for word in line.split()}
