"""`dfactscore generate`: biographies of ambiguous names from retrieved passages."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from dfactscore._util.files import make_folder
from dfactscore._util.jsonl import read_jsonl, write_json
from dfactscore._util.outputs import check_output, refuse_input
from dfactscore.cli import options as opt
from dfactscore.cli.from_settings import command
from dfactscore.cli.output import message, progress
from dfactscore.cli.root import app
from dfactscore.errors import InputError, RunError
from dfactscore.generation.config import GenerateSettings

if TYPE_CHECKING:
    from dfactscore.asking.session import LLMSession
    from dfactscore.generation.request import Generator, Request
    from dfactscore.generation.written import Written

__all__ = ["generate"]


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
    if settings.out is None:
        raise InputError("generate: give --out FILE (.jsonl)")
    if settings.generator == "llm":
        settings.chat_model()  # a mistake in it is reported before anything is read
    if settings.alce is not None:
        make_folder(settings.alce.parent)
        read = (settings.names, settings.passages, settings.index, settings.out)
        check_output(settings.alce, "alce", inputs=read, force=overwrite, named="--alce")
    refuse_input(settings.out, (settings.names, settings.passages, settings.index))
    requests = _requests(settings)
    if settings.dry_run:
        _estimate(settings, requests, settings.out)
        return
    written, writer = _write(settings, requests, settings.out, quiet=quiet)
    if settings.alce is not None:
        _write_alce(settings.out, settings.alce, writer)
    _report(written, settings.out, len(requests))
    if written.failed:
        raise typer.Exit(1)


def _estimate(settings: GenerateSettings, requests: list[Request], out: Path) -> None:
    """Prints what is left would ask, and asks nothing."""
    from dfactscore.cli.usage_table import print_usage
    from dfactscore.generation.written import biographies_asked

    with settings.using_session(message, needed=settings.generator == "llm") as session:
        usage = biographies_asked(requests, _writer(settings, session), out)
    asked = requests if settings.questions else [r for r in requests if _has_passages(r)]
    bare = len(requests) - len(asked)
    without = f"; {bare} without passages are left out" if bare else ""
    about = f"{len(requests)} biographies{without}; no model was called; tokens are estimated"
    print_usage(usage, session.budget.prices if session else None, "table", about)


def _has_passages(request: Request) -> bool:
    return any(passage.text.strip() for passage in request.passages)


def _requests(settings: GenerateSettings) -> list[Request]:
    """What is written: prompts as they are, or names with their passages."""
    from dfactscore.generation.loading import load_requests

    if settings.questions is None:
        return load_requests(settings)
    from dfactscore.generation.answering import read_prompts

    if settings.generator != "llm":
        raise InputError("generate: --questions needs --generator llm")
    return read_prompts(settings.questions)[: settings.limit]


def _write(
    settings: GenerateSettings, requests: list[Request], out: Path, *, quiet: bool
) -> tuple[Written, Generator]:
    from dfactscore._util.tasks import run_sync
    from dfactscore.asking.session import closing
    from dfactscore.generation.written import write_biographies

    read = {key: getattr(settings, key) for key in ("names", "passages", "index", "questions")}
    source = {key: path.name for key, path in read.items() if path is not None}
    with (
        settings.using_session(message, needed=settings.generator == "llm") as session,
        progress("writing", quiet=quiet) as bar,
    ):
        writer, done, total = _writer(settings, session), count(1), len(requests)
        if bar is not None:
            bar(0, total)
        work = write_biographies(
            requests,
            writer,
            out,
            concurrency=settings.at_once,
            source={**source, "top": settings.top, "limit": settings.limit},
            progress=None if bar is None else lambda *_: bar(next(done), total),
            log=message,
        )
        return run_sync(closing(session, work)), writer


def _writer(settings: GenerateSettings, session: LLMSession | None) -> Generator:
    from dfactscore.generation.config import make_generator

    if settings.questions is None or session is None:
        return make_generator(settings, session)
    from dfactscore.generation.answering import AnswerGenerator

    return AnswerGenerator(session.client(settings.chat_model()), max_tokens=settings.max_tokens)


def _write_alce(out: Path, alce: Path, writer: Generator) -> None:
    from dfactscore.generation.records import alce_json

    records = (record for _, record in read_jsonl(out, error=RunError))
    write_json(alce, alce_json(records, settings=dict(writer.settings)), indent=1)


def _report(written: Written, out: Path, asked: int) -> None:
    ends = ", ".join(f"{n} {reason}" for reason, n in written.finish_reasons.items())
    print(f"{written.written + written.kept} of {asked} biographies in {out} ({ends or 'none'})")
    if written.kept:
        print(f"{written.kept} already existed")
    print(f"entities with the target name among the passages: {written.n_retrieved:.1f} on average")
    if written.usage:
        tokens = ", ".join(f"{v} {k.replace('_', ' ')}" for k, v in written.usage.items())
        print(f"tokens: {tokens}")
