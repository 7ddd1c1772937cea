"""What `dfactscore score` prints: scores, a spread over repetitions, or an estimate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dfactscore.cli.options import Format
from dfactscore.cli.output import about_run, message, print_scores, progress
from dfactscore.errors import InputError
from dfactscore.jobs.opening import open_job
from dfactscore.jobs.sampling import read_input
from dfactscore.jobs.score import repeat, score
from dfactscore.jobs.settings import Config
from dfactscore.readers import Reading

if TYPE_CHECKING:
    from dfactscore.asking.session import LLMSession

__all__ = ["run_job"]


def run_job(
    config: Config,
    *,
    form: Format,
    quiet: bool,
    f1_at: Sequence[float] = (),
    columns: Sequence[str] = (),
) -> bool:
    """Scores, repeats or estimates.

    Args:
        config: The settings.
        form: How results are printed.
        quiet: No progress.
        f1_at: K of F1@K, where it is asked for.
        columns: Measures of the table; by default what a paper prints.

    Returns:
        Whether anything failed.

    Raises:
        InputError: If the settings do not go together.
    """
    reading = read_input(config)
    if not config.uses_llm and (config.dry_run or config.repeats > 1):
        raise InputError(
            "--dry-run and --repeats are for language models; no role here asks one, and the "
            "answers are always the same (see --engine llm)"
        )
    if config.repeats > 1 and config.no_cache:
        raise InputError("--repeats takes facts and groups from the cache; leave out --no-cache")
    with config.using_session(message, needed=config.uses_llm) as session:
        if config.dry_run and session is not None:
            return _estimate(config, reading, session, form)

        def spent() -> str:
            return "" if session is None else _spent(session)

        def beat() -> str:
            pulse = "" if session is None else session.pulse()
            return f"{spent()}, {pulse}" if pulse else spent()

        with progress("scoring", quiet=quiet, note=beat if session else None) as bar:
            if bar is not None and session is not None:
                bar(0, len(reading.biographies))
            if config.repeats > 1 and session is not None:
                several, text = repeat(config, session, reading=reading, progress=bar, log=message)
                print(text, end="")
                message(spent())
                return any(one.outcome.status != "complete" for one in several)
            done = score(config, reading=reading, session=session, progress=bar, log=message)
        about = about_run(done.folder, done.manifest["settings"], done.report)
        print_scores(done.outcome.rows, done.outcome.summary, form, about, f1_at, columns)
        if session is not None:
            message(spent())
        return done.outcome.status != "complete"


def _estimate(config: Config, reading: Reading, session: LLMSession, form: Format) -> bool:
    """Prints what the job would ask and cost, with all its repetitions."""
    from dfactscore.cli.usage_table import print_usage
    from dfactscore.jobs.estimate import estimate
    from dfactscore.work import in_folder

    if config.fs_scope == "corpus":
        raise InputError("--dry-run does not count the calls of --fs-scope corpus")
    job = open_job(config, session)
    more = [open_job(config, session, sample=i).engine.verifier for i in range(1, config.repeats)]
    place = None if config.out is None or more else in_folder(config.out)
    found = estimate(reading.biographies, job.engine, job.source, more, place)
    about = f"{found.items} biographies, no model was called; tokens are estimated"
    print_usage(found.usage, session.budget.prices, form, about)
    return False


def _spent(session: LLMSession) -> str:
    total = session.usage.total()
    tokens = total.prompt_tokens + total.completion_tokens
    cost = "cost unknown" if total.cost is None else f"{total.cost:.4f}"
    if total.cost is not None:
        cost += f" {session.budget.prices.currency}"
    read = f" ({total.cached_tokens} from the server's cache)" if total.cached_tokens else ""
    return f"{total.calls} calls, {total.cached} from the cache, {tokens} tokens{read}, {cost}"
