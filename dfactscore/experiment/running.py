"""Runs an experiment: names, retrieval, generation, scores, comparison."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore.errors import RunError
from dfactscore.experiment.config import Experiment
from dfactscore.generation.config import GenerationConfig, make_generator
from dfactscore.generation.request import Request
from dfactscore.generation.sources import read_names, read_requests
from dfactscore.generation.writing import Written, write_biographies
from dfactscore.metrics import ScoreOptions, Summary
from dfactscore.runs.files import atomic_write, dump_json, make_folder
from dfactscore.waiting import run_sync

if TYPE_CHECKING:
    from dfactscore.citing import CitationSummary
    from dfactscore.comparison import Comparison
    from dfactscore.judging import Engine
    from dfactscore.llm.session import LLMSession
    from retrieval import KnowledgeSource

__all__ = ["ExperimentResult", "ModelResult", "run_experiment"]

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class ModelResult:
    """What one generator came to.

    Attributes:
        label: Its label in the experiment file.
        written: How its biographies ended.
        summary: Means of the scores.
        citations: Means of the citation scores, or None where they were not asked for.
        failed: Biographies that could not be scored.
    """

    label: str
    written: Written
    summary: Summary
    citations: CitationSummary | None
    failed: int


@dataclass(frozen=True, slots=True)
class ExperimentResult:
    """A finished experiment.

    Attributes:
        folder: Where everything is.
        models: Results by generator, in the order of the file.
        comparison: The generators side by side, with intervals and tests.
    """

    folder: Path
    models: tuple[ModelResult, ...]
    comparison: Comparison

    @property
    def complete(self) -> bool:
        """Whether every name was written and scored by every generator."""
        return not any(m.written.failed or m.failed for m in self.models)


def run_experiment(
    experiment: Experiment, out: str | Path, *, say: Say = lambda line: None
) -> ExperimentResult:
    """Does what is not done yet of an experiment.

    The folder holds ``passages.jsonl`` (what was retrieved), for every generator a folder with
    ``biographies.jsonl``, a run folder ``run`` and ``citations.jsonl``, and the comparison as
    ``comparison.md``, ``.csv`` and ``.json``. The same call on the same folder goes on where it
    stopped, and a generator added to the file is added to the folder.

    Args:
        experiment: What `load_experiment` read.
        out: The folder.
        say: Told, one line at a time, what is being done.

    Raises:
        RunError: If the folder holds another experiment.
        DFactScoreError: If a model, file or index cannot be used.
    """
    from dfactscore.comparison import compare
    from dfactscore.llm.engine import open_session

    folder = Path(out)
    make_folder(folder)
    requests = _passages(experiment, folder, say)
    session = open_session(experiment.score, say) if _asks_models(experiment) else None
    try:
        models = tuple(
            _model(experiment, label, config, requests, folder, session, say)
            for label, config in experiment.models.items()
        )
    finally:
        if session is not None:
            session.close()
    comparison = compare({label: folder / label / "run" for label in experiment.models})
    for name, text in (
        ("comparison.md", comparison.to_markdown()),
        ("comparison.csv", comparison.to_csv()),
        ("comparison.json", comparison.to_json()),
    ):
        with atomic_write(folder / name) as file:
            file.write(text)
    return ExperimentResult(folder, models, comparison)


def _asks_models(experiment: Experiment) -> bool:
    generators = {config.generator for config in experiment.models.values()}
    return "llm" in generators or experiment.score.uses_llm


def _passages(experiment: Experiment, folder: Path, say: Say) -> list[Request]:
    """The names with their passages, retrieved once and kept."""
    kept = folder / "passages.jsonl"
    note = folder / "experiment.json"
    source = _describe(experiment)
    if kept.exists() and note.exists():
        old = json.loads(note.read_text(encoding="utf-8"))
        for key, value in source.items():
            if old.get(key) != value:
                raise RunError(
                    f"{folder}: holds another experiment: {key} was {old.get(key)!r} and is now "
                    f"{value!r}; choose another --out"
                )
        return read_requests(kept)
    if any(p.name not in ("experiment.json", "index") for p in folder.iterdir()):
        raise RunError(f"{folder}: is no experiment and not empty; choose another --out")
    if experiment.passages is not None:
        requests = read_requests(experiment.passages)
        if experiment.names is not None:
            found = {r.name: r for r in requests}
            requests = [found.get(r.name, r) for r in read_names(experiment.names)]
        requests = requests[: experiment.limit]
    else:
        requests = _retrieved(experiment, folder, say)
    with atomic_write(note) as file:
        file.write(dump_json(source, indent=2) + "\n")
    with atomic_write(kept) as file:
        for request in requests:
            passages = [asdict(p) for p in request.passages[: experiment.top]]
            row = {"id": request.id, "name": request.name, "passages": passages}
            file.write(dump_json(row) + "\n")
    return read_requests(kept)


def _retrieved(experiment: Experiment, folder: Path, say: Say) -> list[Request]:
    from dfactscore.generation.retrieving import retrieve

    assert experiment.names is not None
    names = read_names(experiment.names)[: experiment.limit]
    index = experiment.index
    if index is None:
        assert experiment.pages is not None
        index = folder / "index"
        _build_index(experiment.pages, index, say)
    say(f"retrieving {experiment.top} passages for each of {len(names)} names")
    return retrieve(names, index, top=experiment.top)


def _build_index(pages: Path, index: Path, say: Say) -> None:
    """A BM25 index of the pages; one that is finished is used again."""
    from retrieval import read_pages
    from retrieval.build import BuildOptions, build_index
    from retrieval.splitting import split_pages

    if (index / "manifest.json").exists():
        return
    say(f"indexing {pages.name}")
    options = BuildOptions(source=pages.name, splitting=(("words", 100), ("tail", "short")))
    build_index(split_pages(read_pages(pages)), index, options)


def _describe(experiment: Experiment) -> dict[str, Any]:
    """What decides which passages each name gets."""
    found: dict[str, Any] = {"top": experiment.top, "limit": experiment.limit}
    for key in ("names", "passages", "index", "pages"):
        path = getattr(experiment, key)
        if path is None:
            found[key] = None
        elif path.is_file():
            found[key] = f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()[:16]}"
        else:
            found[key] = path.name
    return found


def _model(
    experiment: Experiment,
    label: str,
    config: GenerationConfig,
    requests: Sequence[Request],
    folder: Path,
    session: LLMSession | None,
    say: Say,
) -> ModelResult:
    place = folder / label
    make_folder(place)
    bios = place / "biographies.jsonl"
    say(f"{label}: writing {len(requests)} biographies")
    generator = make_generator(config, session)

    async def write() -> Written:
        try:
            return await write_biographies(requests, generator, bios, concurrency=config.at_once)
        finally:
            if session is not None:
                await session.aclose()

    written = run_sync(write())
    for name, reason in written.failed[:5]:
        say(f"{label}: not written: {name}: {reason}")
    if len(written.failed) == len(requests):
        raise RunError(f"{label}: no biography could be written; the first: {written.failed[0][1]}")
    say(f"{label}: scoring")
    summary, failed = _score(experiment, bios, place / "run", session)
    citations = _cite(bios, place / "citations.jsonl") if experiment.citations else None
    return ModelResult(label, written, summary, citations, failed)


def _score(
    experiment: Experiment, bios: Path, folder: Path, session: LLMSession | None
) -> tuple[Summary, int]:
    from dfactscore.readers import read_biographies
    from dfactscore.runs import (
        Run,
        describe_input,
        describe_settings,
        execute,
        finish,
        new_manifest,
    )

    config = experiment.score
    reading = read_biographies(bios)
    engine, source = _engine(experiment, session), _source(experiment)
    given = {key: getattr(config, key) for key in asdict(ScoreOptions()) if hasattr(config, key)}
    options = ScoreOptions(**{k: v for k, v in given.items() if v is not None})
    candidates = config.candidates or "retrieved"
    settings = describe_settings(engine, source, options, candidates)
    manifest = new_manifest(
        command="score", source=describe_input(bios, reading), settings=settings
    )
    with Run(folder, manifest) as run:
        execute(run, reading.biographies, engine, source)
        outcome = finish(run, reading, options=options, candidates=candidates)
    return outcome.summary, outcome.failed


def _engine(experiment: Experiment, session: LLMSession | None) -> Engine:
    if experiment.score.uses_llm and session is not None:
        from dfactscore.llm.engine import build_engine

        return build_engine(experiment.score, session)
    from dfactscore.scorer import Scorer

    return Scorer().engine


def _source(experiment: Experiment) -> KnowledgeSource | None:
    if experiment.pages is None:
        return None
    from dfactscore.scorer import open_pages

    return open_pages(experiment.pages)


def _cite(bios: Path, out: Path) -> CitationSummary:
    """Citations by the embedded verifier; cheap, so always made anew."""
    from dfactscore.citing import citation_record, score_citations, summarize
    from dfactscore.citing.verifying import embedded_entailer
    from dfactscore.readers import read_biographies

    scores = score_citations(read_biographies(bios).biographies, embedded_entailer())
    with atomic_write(out) as file:
        for score in scores:
            file.write(dump_json(citation_record(score)) + "\n")
    return summarize(scores)
