"""The functions behind `dfactscore generate`."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

from dfactscore._asking.session import LLMSession, closing
from dfactscore._errors import InputError, RunError
from dfactscore._util.callbacks import Progress
from dfactscore._util.files import make_folder
from dfactscore._util.jsonl import read_jsonl, write_json
from dfactscore._util.outputs import check_output, refuse_input
from dfactscore._util.tasks import run_sync
from dfactscore._util.usage import Usage
from dfactscore.generation._answering import AnswerGenerator, read_prompts
from dfactscore.generation._config import GenerateSettings, make_generator
from dfactscore.generation._loading import load_requests
from dfactscore.generation._records import alce_json
from dfactscore.generation._request import Generator, Request
from dfactscore.generation._written import Written, biographies_asked, write_biographies


def begin(settings: GenerateSettings, *, overwrite: bool) -> tuple[Path, list[Request]]:
    """Returns the file to write and the requests for it: prompts, or names with their passages."""
    out, read = settings.out, (settings.names, settings.passages, settings.index)
    if out is None:
        raise InputError("generate: give --out FILE (.jsonl)")
    if settings.generator == "llm":
        settings.chat_model()  # reports a mistake before any file is read
    if settings.alce is not None:
        make_folder(settings.alce.parent)
        check_output(settings.alce, "alce", inputs=(*read, out), force=overwrite, named="--alce")
    refuse_input(out, read)
    if settings.questions is None:
        return out, load_requests(settings)
    if settings.generator != "llm":
        raise InputError("generate: --questions needs --generator llm")
    return out, read_prompts(settings.questions)[: settings.limit]


def estimate(
    settings: GenerateSettings, requests: list[Request], out: Path, session: LLMSession | None
) -> tuple[Usage, int]:
    """Returns an estimate of the remaining requests, and the number of names without passages."""
    writer, source = _writer(settings, session), _source(settings)
    usage = biographies_asked(requests, writer, out, source=source).usage
    named = requests if settings.questions is None else []
    return usage, sum(not any(p.text.strip() for p in r.passages) for r in named)


def write(
    settings: GenerateSettings,
    requests: list[Request],
    out: Path,
    session: LLMSession | None,
    *,
    progress: Progress | None = None,
) -> Written:
    """Writes the missing biographies; with ``--alce``, also writes them in ALCE's format."""
    writer, done, total = _writer(settings, session), count(1), len(requests)
    if progress is not None:
        progress(0, total)
    work = write_biographies(
        requests,
        writer,
        out,
        concurrency=settings.at_once,
        source=_source(settings),
        progress=None if progress is None else lambda *_: progress(next(done), total),
    )
    written = run_sync(closing(session, work))
    if settings.alce is not None:
        records = (record for _, record in read_jsonl(out, error=RunError))
        write_json(settings.alce, alce_json(records, settings=dict(writer.settings)), indent=1)
    return written


def _source(settings: GenerateSettings) -> dict[str, Any]:
    """Returns the input's manifest entry."""
    read = {key: getattr(settings, key) for key in ("names", "passages", "index", "questions")}
    files = {key: path.name for key, path in read.items() if path is not None}
    return {**files, "top": settings.top, "limit": settings.limit}


def _writer(settings: GenerateSettings, session: LLMSession | None) -> Generator:
    if settings.questions is None or session is None:
        return make_generator(settings, session)
    return AnswerGenerator(session.client(settings.chat_model()), max_tokens=settings.max_tokens)
