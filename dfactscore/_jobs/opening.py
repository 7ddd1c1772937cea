"""Opens the pages, dataset and engine named in the settings, in this or another process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._evidence.pages import open_dataset, open_pages
from dfactscore._jobs.engines import build_engine, engine_models
from dfactscore._jobs.job import Job
from dfactscore._jobs.settings import Config
from dfactscore._jobs.workers import check_workers, existing_files
from dfactscore._runs.worker_judges import Judges
from dfactscore.engines._wrapping import open_corpus

if TYPE_CHECKING:
    from dfactscore._asking.session import LLMSession


_PATHS = ("pages", "redirects", "index", "dataset", "calibration")
# Settings that workers do not need.
_NOT_SENT = {"input", "out", "workers", "on", "candidates", "limit"}


def open_job(
    settings: Config,
    session: LLMSession | None = None,  # state that models share; required if a role needs a model
    *,
    sample: int = 0,
) -> Job:
    """Opens the pages, the dataset and the engine."""
    check_workers(settings.workers, settings.on, settings.uses_llm)
    listed = open_dataset(settings.dataset, settings.candidates)
    source = (
        None
        if settings.pages is None
        else open_pages(
            settings.pages, settings.redirects, contact=settings.contact, listed=listed.titles
        )
    )
    engine = build_engine(settings, session, sample=sample)
    verifier = open_corpus(settings.index, engine.verifier)
    concurrency = settings.concurrency or 16
    return Job(
        engine=replace(engine, verifier=verifier),
        source=source,
        options=settings.score_options(),
        by_judge=settings.counts is None,
        candidates=settings.candidates,
        listed=listed,
        limit=settings.limit,
        session=session if settings.uses_llm else None,
        models=engine_models(settings),
        # More biographies than concurrent requests, to keep the models busy.
        concurrency=concurrency + concurrency // 2,
        pages="" if settings.pages is None else str(settings.pages),
        workers=settings.workers,
        on=settings.on,
        judges=None if settings.uses_llm else JudgesOfSettings.of(settings),
    )


@dataclass(frozen=True)
class JudgesOfSettings:
    """Callable that opens judges from settings, in any process."""

    settings: Mapping[str, Any]

    @classmethod
    def of(cls, config: Config) -> JudgesOfSettings:
        """Creates an instance from the settings of a command."""
        values = config.model_dump(mode="json", exclude_defaults=True, exclude=_NOT_SENT)
        paths = {name: Path(values[name]).absolute() for name in _PATHS if name in values}
        return cls({**values, **{name: str(p) for name, p in paths.items() if p.exists()}})

    @property
    def files(self) -> Sequence[Path]:
        """The files that contain the pages, redirects, index, dataset and calibration."""
        return existing_files(self.settings.get(name) for name in _PATHS)

    def __call__(self) -> Judges:
        """Opens the engine and pages."""
        job = open_job(Config.model_validate(self.settings))
        return Judges(job.engine, job.source)
