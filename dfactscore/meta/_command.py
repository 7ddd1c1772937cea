"""Runs meta-evaluations from settings, for `dfactscore meta`."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from dfactscore._errors import InputError
from dfactscore._jobs.engines import build_engine
from dfactscore._util.message_text import near_miss
from dfactscore._util.reporting import Progress
from dfactscore.engines._roles import Decomposer
from dfactscore.meta._calibrating import FittedCalibration, fit
from dfactscore.meta._data_sets import DataSet
from dfactscore.meta._evaluating import MetaResult, evaluate, evaluation_work, limited
from dfactscore.meta._judgements import BASELINES, Evaluator
from dfactscore.meta._load import load_data
from dfactscore.meta._prompting import STYLES, PromptEvaluator, Style
from dfactscore.meta._settings import MetaCalibrateSettings, MetaDataSettings, MetaRunSettings
from dfactscore.meta._verifiers import VerifierEvaluator
from dfactscore.work import WouldAsk, in_folder, would_ask

if TYPE_CHECKING:
    from dfactscore._asking.session import LLMSession

_LOG = logging.getLogger(__name__)


_VERIFIERS = ("builtin", "llm", "few", "strict", "cascade", "no-context")
_PROMPTS = tuple(f"prompt:{style}" for style in STYLES)
#: The evaluators that `-e` accepts in addition to ``nli:MODEL``.
EVALUATORS = (*BASELINES, *_VERIFIERS, *_PROMPTS)
_REASONING = ("math", "reasoning")


def open_data(settings: MetaDataSettings, data: Sequence[str]) -> list[DataSet]:
    """Reads the labeled data for a command; a file without a kind holds pairs."""
    entries = [f"pairs={e}" if "=" not in e and Path(e).exists() else e for e in data]
    return load_data(
        *entries,
        pages=settings.pages,
        evidence=settings.stances,
        irrelevant="error" if settings.irrelevant == "keep" else "drop",
    )


def asks_model(names: Sequence[str], settings: MetaRunSettings) -> bool:
    """Whether any evaluator, or the decomposer, calls a language model."""
    asking = {"llm", "few", "strict", "no-context", *_PROMPTS}
    cascade = "cascade" in names and settings.cascade_model is None
    decomposes = settings.unit == "claim" and settings.decomposer == "llm"
    return bool(asking & set(names)) or cascade or decomposes


def check_names(names: Sequence[str], settings: MetaRunSettings, data: Sequence[DataSet]) -> None:
    """Rejects evaluators that are unknown or cannot judge the data."""
    for name in names:
        if name not in EVALUATORS and not name.startswith("nli:"):
            known = f"there are {', '.join((*EVALUATORS, 'nli:MODEL'))}"
            raise InputError(f"no evaluator {name!r}{near_miss(name, EVALUATORS)} ({known})")
    if settings.samples % 2 == 0:
        raise InputError(
            f"--samples {settings.samples} is even, so that half of the answers may flag a "
            f"segment: give an odd number, such as {settings.samples + 1}"
        )
    if "prompt:doc" in names and settings.references != "all":
        for data_set in data:
            if not any(item.has_text for item in data_set.items):
                raise InputError(
                    f"prompt:doc: {data_set.label} has no reference texts; with --references all "
                    "it is asked as prompt:vanilla"
                )


def build_evaluators(
    names: Sequence[str], settings: MetaRunSettings, session: LLMSession | None
) -> dict[str, Evaluator]:
    """Builds the evaluators for a command, excluding baselines."""
    evaluators: dict[str, Evaluator] = {}
    for name in dict.fromkeys(names):
        if name in BASELINES:
            continue
        if name in _PROMPTS:
            (style,) = (s for s in get_args(Style) if name == f"prompt:{s}")
            evaluators[name] = _prompt_evaluator(style, settings, session)
        else:
            evaluators[name] = _verifier_evaluator(name, settings, session)
    return evaluators


def _prompt_evaluator(
    style: Style, settings: MetaRunSettings, session: LLMSession | None
) -> Evaluator:
    config = settings.engine_config("llm")
    if session is None:
        raise InputError(f"prompt:{style} needs a language model")
    return PromptEvaluator(
        session.client(config.chat_model("verifier")),
        style,
        unit=settings.unit,
        decomposer=_decomposer(settings, session),
        samples=settings.samples,
        prompts=settings.prompts,
    )


def _verifier_evaluator(
    name: str, settings: MetaRunSettings, session: LLMSession | None
) -> Evaluator:
    few = {"calls": "few"} if name == "few" else {}
    config = settings.engine_config("llm" if few else name)
    config = config.model_copy(update={"decomposer": "builtin", **few})
    samples = settings.samples if config.asks_model["verifier"] else 1
    verifiers = [build_engine(config, session, sample=sample).verifier for sample in range(samples)]
    return VerifierEvaluator(
        verifiers,
        unit=settings.unit,
        decomposer=_decomposer(settings, session),
        k=settings.k,
        passage_words=settings.passage_words,
        together=name in ("llm", "few"),
        name=name,
    )


def _decomposer(settings: MetaRunSettings, session: LLMSession | None) -> Decomposer | None:
    if settings.unit == "segment":
        return None
    # All samples judge the same claims, so the decomposer's temperature is unchanged.
    config = settings.engine_config("builtin").model_copy(
        update={"temperature": settings.temperature}
    )
    return build_engine(config, session).decomposer


def run_meta(
    settings: MetaRunSettings,
    data: Sequence[DataSet],
    names: Sequence[str],
    out: Path | None,
    *,
    session: LLMSession | None = None,
    progress: Progress | None = None,
) -> MetaResult:
    """Judges and scores labeled data."""
    check_names(names, settings, data)
    if settings.unit == "claim":
        domains = sorted(
            {item.group for data_set in data for item in data_set.items} & set(_REASONING)
        )
        if domains:
            _LOG.warning(
                f"--unit claim with {' and '.join(domains)}: the steps depend on each other, so "
                "judgments of separate claims mean little"
            )
    places = settings.concurrency or 16
    return evaluate(
        data,
        build_evaluators(names, settings, session),
        out=out,
        options=settings.options(),
        limit=settings.limit,
        concurrency=places + places // 2,
        progress=progress,
        close=None if session is None else session.aclose,
    )


def calibrate_judge(
    settings: MetaCalibrateSettings,
    data: Sequence[DataSet],
    *,
    session: LLMSession | None = None,
    progress: Progress | None = None,
) -> FittedCalibration:
    """Judges labeled data with one judge, then fits and writes its calibration."""
    name = settings.judge
    if not name or name in BASELINES or name in _PROMPTS:
        problem = f"{name!r} is not a verifier" if name else "is missing"
        raise InputError(f"--judge {problem}: give nli:MODEL, llm, strict, cascade or builtin")
    sets = [limited(data_set, settings.limit) for data_set in data]
    result = run_meta(settings, sets, [name], None, session=session, progress=progress)
    (evaluator,) = build_evaluators([name], settings, session).values()
    calibration = fit(sets, result.opinions[name], evaluator.settings["verifier"])
    if settings.out is not None:
        calibration.write(settings.out)
    return calibration


def estimate_meta(
    settings: MetaRunSettings, data: Sequence[DataSet], names: Sequence[str], session: LLMSession
) -> WouldAsk:
    """Estimates the remaining requests and cost of `run_meta` without calling a model.

    The number of claims is estimated with the built-in decomposer instead of a model.
    """
    check_names(names, settings, data)
    evaluators = build_evaluators(names, settings, session)
    work = evaluation_work(data, evaluators, limit=settings.limit)
    return would_ask(work, None if settings.out is None else in_folder(settings.out))
