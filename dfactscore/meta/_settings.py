"""Settings for `dfactscore meta`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from dfactscore._asking.options import DRY_RUN, BudgetSettings, JudgeModelSettings
from dfactscore._errors import InputError
from dfactscore._jobs.settings import Config, EngineSettings, RoleChoice
from dfactscore._util.settings import Settings, panels
from dfactscore.engines._nli.forms import NLISettings
from dfactscore.meta._option_types import Reading, Threshold, Unit

if TYPE_CHECKING:
    from dfactscore.meta._decisions import Options


_input, _evidence, _scoring = panels("Input Evidence Scoring")
_engine, _model, _output = panels("Engine Model Output")


class MetaDataSettings(Settings):
    """Options for reading labeled data."""

    limit: int | None = _input(None, "Use only the first N items of each set.", ge=1)
    pages: Path | None = _evidence(
        None, "Whole pages: .jsonl, a folder of .txt, a page store; for factscore-labels."
    )
    stances: Path | None = _evidence(None, "Stance file, for factcheck-claims.")
    irrelevant: Literal["keep", "exclude"] = _scoring(
        "exclude",
        "Keep irrelevant facts of factscore-labels as errors, or exclude them.",
    )


class _ScoreSettings(MetaDataSettings):
    """Options for turning judgments into scores."""

    threshold: str = _scoring(
        "own",
        "Minimum probability at which a segment counts as supported: the evaluator's own, one "
        "fitted on the other folds, or a number.",
    )
    references: Literal["all", "with-text"] | None = _scoring(
        None, "Show rows for all responses, or for those with a reference text.", named="both"
    )
    level: Literal["segment", "response", "both"] = _scoring(
        "both",
        "Show rows for the smallest units, for whole responses (claims, in wice), or for both.",
        in_file=True,
    )
    missing: Literal["leave", "unflagged"] = _scoring(
        "leave",
        "Leave out responses without a prediction, or count them as not flagged.",
        in_file=True,
    )
    confidence: float = _scoring(
        0.95, "Confidence level of the intervals.", gt=0, lt=1, in_file=True
    )
    resamples: int = _scoring(
        10_000, "Number of bootstrap samples and permutations.", ge=100, le=1_000_000
    )
    random_seed: int = _scoring(
        0, "Random seed for sampling and resampling.", flags=("--seed",), ge=0, in_file=True
    )

    def options(self) -> Options:
        """Returns the options for turning judgments into scores."""
        from dfactscore.meta._decisions import Options

        return Options(
            threshold=_threshold(self.threshold),
            references=self.references,
            level=self.level,
            missing=self.missing,
            confidence=self.confidence,
            resamples=self.resamples,
            seed=self.random_seed,
        )


def _threshold(text: str) -> Threshold:
    words: tuple[Threshold, ...] = ("own", "fitted")
    if text in words:
        return words[words.index(text)]
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise InputError(f"--threshold {text!r}: expected own, fitted or a number from 0 to 1")
    return value


class MetaPredictionSettings(_ScoreSettings):
    """Settings for `dfactscore meta score`."""

    reading: Reading = _input(
        "strict",
        "Where to find the decision in a raw answer: the first line, the line that begins "
        "with Answer (reasons), stored decisions, or as in one of FELM's scripts.",
    )


class MetaCompareSettings(Settings):
    """Settings for `dfactscore meta compare`."""

    confidence: float = _scoring(
        0.95, "Confidence level; tests use a significance level of 1 minus this."
    )
    resamples: int = _scoring(10_000, "Number of bootstrap samples and permutations.", le=1_000_000)
    seed: int = _scoring(0, "Random seed for sampling and resampling.", ge=0)


class MetaRunSettings(
    _ScoreSettings, EngineSettings, JudgeModelSettings, NLISettings, BudgetSettings
):
    """Settings for `dfactscore meta run`."""

    first = "evaluators stances limit pages out dry_run"

    evaluators: tuple[str, ...] = _engine(
        (),
        "Evaluator (may be repeated): builtin, llm, few, strict, cascade, no-context, "
        "nli:MODEL, prompt:vanilla, prompt:cot, prompt:link or prompt:doc.",
        flags=("--evaluator", "-e"),
    )
    out: Path | None = _output(
        None, "Folder to write; the same command resumes it.", flags=("--out", "-o")
    )
    dry_run: bool = DRY_RUN
    unit: Unit = _engine("segment", "Judge whole segments, or the claims in them.")
    samples: int = _engine(
        1, "Ask a model N times (odd) at temperature 0.9; the majority decides.", ge=1
    )
    decomposer: RoleChoice = _engine(
        "builtin", "Engine that splits segments into claims, for --unit claim.", in_file=True
    )
    k: int = _evidence(5, "Number of passages from reference texts per claim (by BM25).", ge=1)
    passage_words: int = _evidence(
        100, "Number of words per passage of reference texts.", ge=1, in_file=True
    )
    decomposer_model: str | None = _model(
        None, "Model for the decomposer.", named="--model", in_file=True
    )
    verifier_model: str | None = _model(
        None, "Model for the verifier.", named="--model", in_file=True
    )

    def engine_config(self, verifier: str) -> Config:
        """Returns the corresponding `dfactscore score` settings for a verifier."""
        options = {name: getattr(self, name) for name in _PASSED}
        return Config(**{**options, "verifier": verifier, "temperature": self.sampling})

    @property
    def sampling(self) -> float | None:
        """The temperature; if several samples are drawn, it is 0.9 unless it was set."""
        is_set = "temperature" in self.model_fields_set
        return 0.9 if self.samples > 1 and not is_set else self.temperature


class MetaCalibrateSettings(MetaRunSettings):
    """Settings for `dfactscore meta calibrate`."""

    first = "judge out stances limit pages"

    judge: str = _engine(
        "", "Judge to calibrate: nli:MODEL, llm, strict, cascade or builtin.", named="needed"
    )
    out: Path | None = _output(
        Path("calibration.json"), "File to write, for use with score --calibration.", flags=("-o",)
    )


_PASSED = frozenset(
    {
        *EngineSettings.model_fields,
        *JudgeModelSettings.model_fields,
        *NLISettings.model_fields,
        *BudgetSettings.model_fields,
        "decomposer",
        "decomposer_model",
        "verifier_model",
    }
)
