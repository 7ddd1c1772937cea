"""Runs experiments: retrieval, generation, scoring, comparison; and estimates their requests."""

from __future__ import annotations

import logging
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from dfactscore._asking.budget import PriceList
from dfactscore._asking.messages import ModelError
from dfactscore._asking.options import BudgetSettings
from dfactscore._asking.session import closing
from dfactscore._errors import RunError
from dfactscore._experiment.experiment_file import Experiment, passages_of
from dfactscore._jobs.engines import calls_to_check
from dfactscore._jobs.estimate import asking_work, estimate
from dfactscore._jobs.opening import open_job
from dfactscore._jobs.sampling import sampled, seed_of
from dfactscore._jobs.workers import check_workers
from dfactscore._readers import Reading, read_biographies
from dfactscore._records import Biography
from dfactscore._report import write_report
from dfactscore._scorer.command import score
from dfactscore._scoring import Summary
from dfactscore._util.files import make_folder, remove_leftovers, write_text
from dfactscore._util.jsonl import write_jsonl
from dfactscore._util.numbers import counted
from dfactscore._util.tasks import run_sync
from dfactscore._util.usage import Usage
from dfactscore.citations import citation_record, score_citations, summarize
from dfactscore.citations._entailment import builtin_entailer
from dfactscore.comparison import compare
from dfactscore.correct import correct
from dfactscore.correct._correcting import TooFewLabels
from dfactscore.correct._correction import save, with_corrected
from dfactscore.generation._config import GenerationConfig, make_generator
from dfactscore.generation._request import Request
from dfactscore.generation._written import Written, biographies_asked, write_biographies
from dfactscore.work import Asked, count_asked, in_folder, would_ask

if TYPE_CHECKING:
    import pandas as pd

    from dfactscore._asking.session import LLMSession
    from dfactscore._jobs.settings import Config, WorkerSettings
    from dfactscore.citations import CitationSummary
    from dfactscore.comparison import Comparison


_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ModelResult:
    """The results of one generator."""

    label: str
    written: Written  # counts of the biographies written and their finish reasons
    summary: Summary
    citations: CitationSummary | None
    failed: int


@dataclass(frozen=True, slots=True)
class ExperimentResult:
    """A finished experiment."""

    folder: Path
    models: tuple[ModelResult, ...]
    comparison: Comparison  # comparison of the generators, including confidence intervals and tests
    without: Mapping[str, str] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether every generator has a scored biography for every name."""
        return not self.without and not any(m.written.failed or m.failed for m in self.models)

    def to_frame(self) -> pd.DataFrame:
        """Returns a row per generator: citation recall and precision, FS and D-FS, as fractions."""
        import pandas as pd

        columns = ["generator", "citation_recall", "citation_precision", "fs", "dfs"]
        rows = [
            (
                m.label,
                m.citations.citation_recall if m.citations else None,
                m.citations.citation_precision if m.citations else None,
                m.summary.fs,
                m.summary.dfs,
            )
            for m in self.models
        ]
        return pd.DataFrame(rows, columns=columns)


def run_experiment(
    experiment: Experiment,
    out: str | Path,
    *,
    judged_by: str | Path | None = None,
) -> ExperimentResult:
    """Runs those parts of an experiment that are not finished yet.

    The folder contains the retrieved passages (``passages.jsonl``), a folder per generator with
    ``biographies.jsonl``, a run folder ``run`` and ``citations.jsonl``, and the comparison as
    ``comparison.md``, ``.csv`` and ``.json``. The same call resumes the experiment, even with a
    larger limit or additional generators. If one generator's server fails, the other generators
    still run.

    Args:
        experiment: The experiment, from `load_experiment`.
        out: The folder.
        judged_by: A folder written by ``meta run`` that contains the verifier's accuracy.

    Raises:
        RunError: If the folder holds another experiment.
        DFactScoreError: If a model, file or index cannot be used.
    """
    folder = Path(out)
    check_workers(**_workers(experiment), uses_llm=experiment.score.uses_llm)
    make_folder(folder)
    requests = passages_of(experiment, folder)
    models, without = [], {}
    with session_of(experiment) as session:
        for label, config in experiment.models.items():
            result = _model(experiment, label, config, requests, folder, session)
            if isinstance(result, str):
                without[label] = result
            else:
                models.append(result)
    if not models:
        label, reason = next(iter(without.items()))
        raise RunError(f"no model has biographies to compare; the first reason: {label}: {reason}")
    remove_leftovers(folder)
    runs = {model.label: folder / model.label / "run" for model in models}
    comparison = compare(runs, judged_by=judged_by)
    if experiment.judges is not None:
        comparison = _corrected(comparison, runs)
    for name, text in (
        ("comparison.md", comparison.to_markdown()),
        ("comparison.csv", comparison.to_csv()),
        ("comparison.json", comparison.to_json()),
    ):
        write_text(folder / name, text)
    return ExperimentResult(folder, tuple(models), comparison, without)


def _corrected(comparison: Comparison, runs: Mapping[str, Path]) -> Comparison:
    """Adds means corrected by the second judge to the comparison, if it judged enough texts."""
    try:
        corrected = correct(
            runs, by={label: [run.parent / "sample"] for label, run in runs.items()}
        )
    except TooFewLabels as error:
        return replace(comparison, notes=(*comparison.notes, f"not corrected: {error}"))
    for path in save(corrected, runs):
        _LOG.info(f"corrected: {write_report(path.parent)}")
    return with_corrected(comparison, corrected)


def session_of(
    experiment: Experiment, *, dry_run: bool = False
) -> AbstractContextManager[LLMSession | None]:
    """Returns the state that models share; its budget is the experiment's or the last judge's."""
    judges = [judge for judge in judges_of(experiment) if judge.uses_llm]
    generators = {config.generator for config in experiment.models.values()}
    names = experiment.model_fields_set.intersection(BudgetSettings.model_fields)
    budget = {name: getattr(experiment, name) for name in names}
    judge = judges[-1] if judges else experiment.score
    judge = judge.model_copy(update={**budget, "dry_run": dry_run})
    return judge.using_session(needed="llm" in generators or bool(judges))


def judges_of(experiment: Experiment) -> tuple[Config, ...]:
    """Returns the judge for all texts and, if there are two judges, the one for the sample."""
    judges = experiment.judges
    return (experiment.score,) if judges is None else (judges.all, judges.sample)


def second_judge(judge: Config, texts: int) -> Config:
    """Returns the second judge's settings, limiting the sample to the number of texts."""
    return judge.model_copy(update={"sample": min(judge.sample or texts, texts)})


def _model(
    experiment: Experiment,
    label: str,
    config: GenerationConfig,
    requests: Sequence[Request],
    folder: Path,
    session: LLMSession | None,
) -> ModelResult | str:
    """Returns a generator's results, or the reason why it has none."""
    model_folder = folder / label
    make_folder(model_folder)
    biographies = model_folder / "biographies.jsonl"
    _LOG.info(f"{label}: writing {counted(len(requests), 'biography')}")
    generator = make_generator(config, session)
    work = write_biographies(requests, generator, biographies, concurrency=config.at_once)
    try:
        written = run_sync(closing(session, work))
    except ModelError as error:
        return str(error)
    for name, reason in written.failed[:5]:
        _LOG.info(f"{label}: not written: {name}: {reason}")
    if len(written.failed) == len(requests):
        return written.failed[0][1]
    _LOG.info(f"{label}: scoring")
    summary, failed = _score(
        experiment, experiment.score, biographies, model_folder / "run", session
    )
    if experiment.judges is not None:
        judge = second_judge(experiment.judges.sample, written.written + written.kept)
        _LOG.info(f"{label}: the second judge judges {counted(judge.sample or 0, 'text')}")
        failed += _score(experiment, judge, biographies, model_folder / "sample", session)[1]
    if failed:
        lost = counted(failed, "biography")
        _LOG.info(f"{label}: {lost} could not be scored; the same command tries again")
    citations = None
    if experiment.citations:
        citations = _cite(biographies, model_folder / "citations.jsonl")
    return ModelResult(label, written, summary, citations, failed)


def _workers(experiment: Experiment) -> dict[str, Any]:
    """Returns number and location of scoring processes, set by the experiment or its scoring."""
    settings: WorkerSettings = experiment.score
    if experiment.workers != 1 or experiment.on:
        settings = experiment
    return {"workers": settings.workers, "on": settings.on}


def _score(
    experiment: Experiment,
    config: Config,
    biographies: Path,
    folder: Path,
    session: LLMSession | None,
) -> tuple[Summary, int]:
    files = {"input": biographies, "pages": experiment.pages}
    workers = {} if config.uses_llm else _workers(experiment)
    settings = config.model_copy(update={**files, **workers})
    outcome = score(settings, out=folder, session=session).outcome
    return outcome.summary, outcome.failed


def _cite(biographies: Path, out: Path) -> CitationSummary:
    """Scores citations with the built-in verifier, from scratch each time because that is fast."""
    scores = score_citations(read_biographies(biographies).biographies, builtin_entailer())
    write_jsonl(out, map(citation_record, scores))
    return summarize(scores)


_STAND_IN_WORDS = 120  # assumed length of a biography that has not been written yet


def estimate_experiment(
    experiment: Experiment, out: str | Path
) -> tuple[Usage, PriceList | None, str]:
    """Estimates calls, tokens and cost of the generators and judges.

    A text that has not been written yet is replaced by the first words of its passages.
    """
    folder = Path(out)
    with TemporaryDirectory() as scratch:
        requests = passages_of(experiment, folder, scratch=Path(scratch))
    usage, counted_once, written = Usage(), set[Hashable](), 0
    with session_of(experiment, dry_run=True) as session:
        for label, config in experiment.models.items():
            path = folder / label / "biographies.jsonl"
            asked = [*biographies_asked(requests, make_generator(config, session), path).asked]
            texts = read_biographies(path).biographies if path.exists() else ()
            written += len(texts)
            asked += _judges_asked(experiment, requests, texts, folder / label, session)
            # Generators are counted separately: stand-ins give identical prompts, real texts do
            # not.
            count_asked((r for r in asked if not r.once or r.key not in counted_once), usage)
            counted_once |= {r.key for r in asked if r.once}
        prices = None if session is None else session.budget.prices
    total = len(requests) * len(experiment.models)
    about = f"{total} biographies, {written} of them written; no model was called, tokens are about"
    # The counts by stage and model, the price list (None if no model is used), and a line
    # describing the estimate.
    return usage, prices, about


def _judges_asked(
    experiment: Experiment,
    requests: Sequence[Request],
    written: Sequence[Biography],
    folder: Path,
    session: LLMSession | None,
) -> Iterator[Asked]:
    """Yields the requests needed to judge one generator's texts."""
    ids = {biography.id for biography in written}
    stand_ins = _stand_ins(r for r in requests if r.id not in ids)
    all_texts = Reading([*written, *stand_ins], ())
    for judge, run in zip(judges_of(experiment), ("run", "sample"), strict=False):
        if run == "sample":
            judge = second_judge(judge, len(all_texts.biographies))
        judge = judge.model_copy(update={"pages": experiment.pages})
        reading = all_texts
        if judge.sample is not None:
            reading = sampled(all_texts, judge.sample, seed_of(judge))
        # A sample drawn from texts that are not written yet differs from that of an existing run.
        drawn_later = judge.sample is not None and stand_ins
        place = None if drawn_later else in_folder(folder / run)
        if judge.uses_llm and session is not None:
            count = len(reading.biographies)
            earlier = None if place is None else folder / run
            judge, checks = calls_to_check(judge, session, count, earlier)
            yield from checks
        job = open_job(judge, session)
        if judge.uses_llm:
            yield from estimate(job, reading.biographies, place, reading.drawn).asked
        else:  # checks the folder; there are no requests
            would_ask(asking_work(job, reading.biographies, lambda _: (), reading.drawn), place)


def _stand_ins(requests: Iterable[Request]) -> list[Biography]:
    """Creates stand-in texts of typical length from the passages for each name."""
    return [
        Biography(
            r.id,
            r.name,
            " ".join(" ".join(p.text for p in r.passages).split()[:_STAND_IN_WORDS]),
            passages=r.passages,
        )
        for r in requests
    ]
