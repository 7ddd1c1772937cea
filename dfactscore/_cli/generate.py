"""`dfactscore generate`: biographies of ambiguous names from retrieved passages."""

from __future__ import annotations

import typer

from dfactscore._cli import options as opt
from dfactscore._cli.from_settings import command
from dfactscore._cli.output import print_usage, progress
from dfactscore._cli.root import app
from dfactscore._util.numbers import counted
from dfactscore.generation._config import GenerateSettings


@command(app, GenerateSettings, config=True)
def generate(
    settings: GenerateSettings,
    *,
    overwrite: opt.Overwrite = False,
    quiet: opt.Quiet = False,
) -> None:
    """Write a biography for each name from retrieved passages.

    The biographies cite the passages.
    """
    from dfactscore.generation._written import begin, estimate, write

    out, requests = begin(settings, overwrite=overwrite)
    with settings.using_session(needed=settings.generator == "llm") as session:
        if settings.dry_run:
            usage, bare = estimate(settings, requests, out, session)
            skipped = f"; {bare} without passages are left out" if bare else ""
            about = (
                f"{counted(len(requests), 'biography')}{skipped}; no model was called; "
                "tokens are estimated"
            )
            print_usage(usage, session.budget.prices if session else None, "table", about)
            return
        with progress("writing", quiet=quiet) as bar:
            written = write(settings, requests, out, session, progress=bar)
    ends = ", ".join(f"{n} {reason}" for reason, n in written.finish_reasons.items()) or "none"
    count = written.written + written.kept
    print(f"{count} of {counted(len(requests), 'biography')} in {out} ({ends})")
    if written.kept:
        print(f"{written.kept} already existed")
    print(f"entities with the target name among the passages: {written.n_retrieved:.1f} on average")
    if written.usage:
        tokens = ", ".join(f"{v} {k.replace('_', ' ')}" for k, v in written.usage.items())
        print(f"tokens: {tokens}")
    if written.failed:
        raise typer.Exit(1)
