"""What `dfactscore score` does once its settings are known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._util.tasks import run_sync
from dfactscore.cli.options import Format
from dfactscore.cli.output import message, print_scores, progress
from dfactscore.cli.score import about_run, add_report, changed_options, open_dataset
from dfactscore.engines.cascade import CascadeVerifier
from dfactscore.engines.protocols import Engine
from dfactscore.errors import InputError
from dfactscore.evidence.snapshots import describe_snapshots, gather_snapshots, snapshots_differ
from dfactscore.jobs.settings import Config
from dfactscore.readers import Reading, read_biographies
from dfactscore.runs import (
    Outcome,
    Run,
    describe_input,
    describe_settings,
    execute,
    finish,
    load_run,
    new_manifest,
)
from dfactscore.scoring import ScoreOptions

if TYPE_CHECKING:
    from dfactscore.engines.llm.client.session import LLMSession
    from dfactscore.retrieval import KnowledgeSource

__all__ = ["run_job"]


def run_job(config: Config, *, form: Format, quiet: bool) -> bool:
    """Scores, repeats or estimates.

    Args:
        config: The settings.
        form: How results are printed.
        quiet: No progress.

    Returns:
        Whether anything failed.

    Raises:
        InputError: If the settings do not go together.
    """
    if config.input is None:
        raise InputError("no input: name a file of biographies, or give 'input' in --config")
    reading = read_biographies(config.input, limit=config.limit)
    source = _open_pages(config.pages)
    if not config.uses_llm:
        if config.dry_run or config.repeats > 1:
            raise InputError(
                "--dry-run and --repeats are for language models; the built-in engine asks "
                "nobody and always answers the same (see --engine llm)"
            )
        from dfactscore.scorer import Scorer

        job = _Job(config, reading, source, form, quiet, None)
        return job.score(_scoped(config, Scorer().engine), config.out) != "complete"
    from dfactscore.jobs.engines import build_engine, open_session

    if config.repeats > 1 and config.no_cache:
        raise InputError("--repeats takes facts and groups from the cache; leave out --no-cache")
    session = open_session(config, message)
    try:
        job = _Job(config, reading, source, form, quiet, session)
        if config.dry_run:
            if config.fs_scope == "corpus":
                raise InputError("--dry-run does not count the calls of --fs-scope corpus")
            engines = [build_engine(config, session, sample=i) for i in range(config.repeats)]
            return job.estimate(engines)
        if config.repeats > 1:
            engines = [
                _scoped(config, build_engine(config, session, sample=i))
                for i in range(config.repeats)
            ]
            return job.repeat(engines)
        engine = _scoped(config, build_engine(config, session))
        return job.score(engine, config.out) != "complete"
    finally:
        session.close()


class _Job:
    """One command: its settings, its input, and what it prints."""

    def __init__(
        self,
        config: Config,
        reading: Reading,
        source: KnowledgeSource | None,
        form: Format,
        quiet: bool,
        session: LLMSession | None,
    ) -> None:
        self.config = config
        self.reading = reading
        self.source = source
        self.form = form
        self.quiet = quiet
        self.session = session
        self.scoring = changed_options(
            ScoreOptions(),
            config.link,
            config.unreadable,
            config.irrelevant,
            config.threshold,
            config.soft,
            config.gamma,
        )
        self.candidates = config.candidates or "retrieved"
        self.titles, names_date = open_dataset(config.dataset, self.candidates)
        self.snapshots = gather_snapshots(reading.biographies, source, names=names_date)
        if snapshots_differ(self.snapshots):
            message(f"warning: snapshot dates differ: {describe_snapshots(self.snapshots)}")

    def score(self, engine: Engine, out: Path | None) -> str:
        """Scores into one run folder and prints the scores; returns the run's status."""
        outcome, run = self._run(engine, out)
        about = about_run(run.folder, run.manifest["settings"])
        about |= add_report(run.folder, len(outcome.rows))
        print_scores(outcome.rows, outcome.summary, self.form, about)
        if outcome.rows and all(row["status"] == "no_candidates" for row in outcome.rows):
            message(f"nothing to judge against: {self._no_evidence()}")
        if self.session is not None:
            message(self._spent())
        self._report(outcome, run)
        return outcome.status

    def repeat(self, engines: Sequence[Engine]) -> bool:
        """Judges several times, each into a folder of its own, and prints the spread."""
        from dfactscore._util.files import atomic_write, dump_json
        from dfactscore.scoring.repeats import spread

        if self.config.out is None:
            raise InputError("--repeats needs --out FOLDER")
        outcomes, runs = [], []
        for number, engine in enumerate(engines, start=1):
            outcome, run = self._run(engine, self.config.out / f"repeat-{number}")
            self._report(outcome, run)
            outcomes.append(outcome)
            runs.append(list(load_run(run.folder).scored(texts=False)))
        text = dump_json(spread(runs), indent=2) + "\n"
        with atomic_write(self.config.out / "repeats.json") as file:
            file.write(text)
        print(text, end="")
        message(self._spent())
        return any(o.status != "complete" for o in outcomes)

    def estimate(self, engines: Sequence[Engine]) -> bool:
        """Prints what the job would ask and cost, with all its repetitions."""
        assert self.session is not None
        from dfactscore.cli.usage_table import print_usage
        from dfactscore.jobs.estimate import estimate

        more = [engine.verifier for engine in engines[1:]]
        found = run_sync(estimate(self.reading.biographies, engines[0], self.source, more))
        about = f"{found.biographies} biographies, nothing was asked; tokens are estimated"
        print_usage(found.usage, self.session.budget.prices, self.form, about)
        return False

    def _run(self, engine: Engine, out: Path | None) -> tuple[Outcome, Run]:
        assert self.config.input is not None
        settings = describe_settings(
            engine,
            self.source,
            self.scoring,
            self.candidates,
            dataset=self.titles,
            snapshots=self.snapshots,
            limit=self.config.limit,
        )
        manifest = new_manifest(
            command="score",
            source=describe_input(self.config.input, self.reading),
            settings=settings,
        )
        folder = out or _default_out(self.config.input, manifest)
        with Run(folder, manifest) as run:
            with progress("scoring", quiet=self.quiet, note=self._note()) as bar:
                execute(
                    run,
                    self.reading.biographies,
                    engine,
                    self.source,
                    concurrency=self._concurrency(engine),
                    progress=bar,
                    session=self._session_report,
                )
            outcome = finish(
                run,
                self.reading,
                options=self.scoring,
                candidates=self.candidates,
                dataset=self.titles,
                more=self._more(run, engine),
            )
        return outcome, run

    def _concurrency(self, engine: Engine) -> int:
        """Biographies at a time: enough to keep every place of the models taken."""
        if self.config.batch:
            return max(1, len(self.reading.biographies))
        places = self.config.concurrency or 16
        return places + places // 2

    def _more(self, run: Run, engine: Engine) -> dict[str, Any]:
        """What the manifest says of the models, beyond their settings."""
        if self.session is None:
            return {}
        more: dict[str, Any] = {"llm": self.session.report()}
        verifier = engine.verifier
        if isinstance(verifier, CascadeVerifier):
            more["cascade_share"] = run_sync(verifier.share_sent(run.judged()))
        return more

    def _session_report(self) -> dict[str, Any]:
        if self.session is None:
            return {}
        usage = self.session.usage
        problems = dict(usage.problems.most_common(20))
        return {"asked": usage.to_dict(), **({"problems": problems} if problems else {})}

    def _note(self) -> Callable[[], str] | None:
        return self._spent if self.session else None

    def _spent(self) -> str:
        assert self.session is not None
        total = self.session.usage.total()
        tokens = total.prompt_tokens + total.completion_tokens
        cost = "cost unknown" if total.cost is None else f"{total.cost:.4f}"
        if total.cost is not None:
            cost += f" {self.session.budget.prices.currency}"
        return f"{total.calls} calls, {total.cached} from the cache, {tokens} tokens, {cost}"

    def _no_evidence(self) -> str:
        if self.config.pages is None:
            return "the texts bring no passages along; give the pages with --pages"
        return f"{self.config.pages} holds no page of these names, and the texts bring no passages"

    def _report_missing(self, run: Run) -> None:
        missing = list(run.missing()) if self.source is not None else []
        if missing:
            texts = len({id for id, _ in missing})
            message(
                f"warning: {self.config.pages} lacks {len(missing)} of the titles (in {texts} of "
                f"{len(self.reading.biographies)} texts); passages that the texts bring were used "
                f"instead ('missing' in {run.folder / 'biographies.jsonl'}); the first: "
                f"{missing[0][1]}"
            )

    def _report(self, outcome: Outcome, run: Run) -> None:
        for bad in self.reading.bad:
            message(f"set aside: {bad}")
        self._report_missing(run)
        if outcome.failed:
            message(
                f"{outcome.failed} failed: see {run.folder / 'errors.jsonl'}; "
                "the same command tries them again"
            )
        if outcome.unanswered:
            message(
                f"{outcome.unanswered} verdicts got no answer (status 'error'); "
                "the same command asks for them again"
            )
        if self.session is not None and (problems := self.session.usage.problems):
            reason, count = problems.most_common(1)[0]
            message(
                f"{problems.total()} questions without a usable answer, {count} of them: {reason} "
                f"(more in {run.folder / 'timing.json'})"
            )
        share = run.manifest.get("cascade_share")
        if share is not None:
            message(f"cascade: {100 * share:.1f} % of the pairs went to the model")


def _scoped(config: Config, engine: Engine) -> Engine:
    """The engine whose verifier also searches the corpus, where that is asked for."""
    from dataclasses import replace

    from dfactscore.engines.corpus import open_corpus

    return replace(engine, verifier=open_corpus(config.fs_scope, config.index, engine.verifier))


def _open_pages(pages: Path | None) -> KnowledgeSource | None:
    if pages is None:
        return None
    from dfactscore.scorer import open_pages

    return open_pages(pages)


def _default_out(input: Path, manifest: dict[str, Any]) -> Path:
    """A folder of its own for each input and settings, so that the same command resumes."""
    import hashlib

    from dfactscore._util.files import dump_json

    content = dump_json([manifest["input"], manifest["settings"]])
    digest = hashlib.sha256(content.encode("utf-8")).hexdigest()[:8]
    return Path("runs") / f"{input.stem}-{digest}"
