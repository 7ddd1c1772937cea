"""`dfactscore doctor` and `dfactscore cache`: check the installation, and the saved answers."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dfactscore._asking.messages import CallError, ModelError, NotThere
from dfactscore._asking.options import ModelSettings
from dfactscore._cli import options as opt
from dfactscore._cli.from_settings import argument, command, option
from dfactscore._cli.output import write_data
from dfactscore._cli.root import app, group
from dfactscore._errors import DFactScoreError, InputError, MissingExtraError
from dfactscore._jobs.settings import Config
from dfactscore._util.files import check_output, dump_json
from dfactscore._util.jsonl import write_jsonl
from dfactscore._util.message_text import message_line
from dfactscore._util.numbers import counted
from dfactscore._util.settings import Settings, panels

if TYPE_CHECKING:
    from dfactscore._asking.cache import AnswerCache
    from dfactscore._asking.transport import HTTPTransport


_SECONDS = 5.0  # for a list of models
_ANSWER_SECONDS = 60.0  # for an answer; a server may have to load the model first


@command(app, Config, only=("model", "base_url", "api_key_env", "header", "gguf"))
def doctor(
    settings: Config,
    *,
    judge: Annotated[
        bool,
        option(
            "Model",
            "Also check the model as a judge and grouper, on 20 invented pairs and 5 texts.",
            "--judge",
        ),
    ] = False,
    run: Annotated[
        Path | None,
        option("Output", "Run folder whose tables are to state the result of --judge.", "--run"),
    ] = None,
) -> None:
    """Check the installation: version, extras, built-in engine, cache, and a model's answer."""
    from dfactscore import __version__
    from dfactscore._cli.installed import extras, python_line
    from dfactscore._util.tasks import run_sync

    print(f"dfactscore {__version__}")
    print(python_line())
    for name, missing in extras().items():
        state = "installed"
        if missing:
            remedy = str(MissingExtraError("It", name)).partition(": ")[2]
            state = f"not installed ({', '.join(missing)}): {remedy}"
        print(f"extra {name:<12} {state}")
    print(f"built-in engine    {_engine()}")
    print(f"answer cache       {_cache()}")
    if judge and not (settings.model or settings.gguf):
        raise InputError("--judge needs a model: give --model NAME or --gguf FILE")
    if run is not None and not judge:
        raise InputError("--run needs --judge, whose result it receives")
    if not (settings.model or settings.base_url or os.environ.get("OPENAI_BASE_URL") or judge):
        print("model              not tested: no --model, --base-url or OPENAI_BASE_URL")
        return
    try:
        if settings.gguf is None:
            print(f"model              {message_line(run_sync(_tried(settings)))}")
        if judge:
            _judge(settings, run)
    except (DFactScoreError, CallError) as error:
        print(f"model              {message_line(str(error))}")
        raise typer.Exit(1) from None


def _judge(settings: Config, run: Path | None) -> None:
    """Prints how well a model judges and groups, by entity and with few calls."""
    from dfactscore._asking.session import closing
    from dfactscore._jobs.engines import build_engine
    from dfactscore._results.judge import judge_name
    from dfactscore._runs import load_run
    from dfactscore._util.tasks import run_sync
    from dfactscore.engines._llm.roles.judge_check import check_judge, judge_of, write_check

    verifier = {} if run is None else load_run(run).settings["verifier"]
    written = False
    with settings.open_session() as session:
        for calls in ("entity", "few"):
            config = settings.model_copy(update={"engine": "llm", "calls": calls})
            engine = build_engine(config, session)
            check = run_sync(closing(session, check_judge(engine, config.few)))
            line = f"{check.line()}; {check.calls} calls per text"
            print(f"judge, {calls + ':':<11} {line}", flush=True)
            if run is not None and judge_of(engine.verifier.settings) == judge_of(verifier):
                write_check(run, engine.verifier.settings, check)
                written = True
    if run is not None and not written:
        raise InputError(
            f"{run}: judged by {judge_name({'verifier': verifier})}, which was not checked here"
        )


def _engine() -> str:
    """Tests the built-in engine on one sentence."""
    from dfactscore._scorer.scorer import score

    pages = {"Ann Lee": "Ann Lee (born 1950) is an English painter."}
    result = score("Ann Lee is an English painter.", name="Ann Lee", pages=pages)
    fs = result.scores.fs_verdicts if result.scores else None
    return "works" if fs == 1.0 else f"scores {fs} where 1.0 is right"


def _cache() -> str:
    from dfactscore._asking.cache import default_cache_path

    path = default_cache_path()
    if not path.exists():
        return f"none yet ({path})"
    return f"{path}, {path.stat().st_size / 2**20:,.1f} MiB"


async def _tried(settings: ModelSettings) -> str:
    """Sends the model a tiny question, or lists the endpoint's models if no model is named."""
    from dfactscore._asking.client import ChatClient
    from dfactscore._asking.settings import OpenAIModel
    from dfactscore._asking.transport import HTTPTransport

    seconds = _SECONDS if settings.model is None else _ANSWER_SECONDS
    impatient = settings.model_copy(update={"timeout": seconds, "retries": 0})
    model = impatient.model_for("check", settings.model or "(any)")
    assert isinstance(model, OpenAIModel)
    transport = HTTPTransport(model)
    try:
        if settings.model is None:
            return await _models(transport)
        able = await ChatClient(model, transport=transport).capabilities()
    finally:
        await transport.aclose()
    logprobs = "with" if able.logprobs else "without"
    return (
        f"{model.model} at {transport.endpoint} answers ({able.form}, {logprobs} log-probabilities)"
    )


async def _models(transport: HTTPTransport) -> str:
    """Lists the models at an endpoint."""
    from dfactscore._asking.refusals import model_names, short_list
    from dfactscore._asking.transport import Transient

    try:
        names = model_names(await transport.post("/models", None))
    except Transient as fault:
        fails = "cannot be reached" if fault.unreachable else "answers, but not as an endpoint does"
        raise ModelError(f"{transport.endpoint} {fails} ({fault})") from None
    except NotThere as fault:
        explained = await transport.explained(fault)
        if explained is not fault:
            raise explained from None
        names = None
    if names is None:
        raise ModelError(
            f"{transport.endpoint} answers, but not with a list of models; try --model"
        )
    return f"{transport.endpoint} answers; models: {short_list(names)}"


cache_app = group("cache")
_input, _output = panels("Input Output")


class _Cache(Settings):
    """The answer cache."""

    cache: Path | None = _input(None, "Answer cache file.", named="the user's cache folder")


class _Clear(_Cache):
    """The settings of `dfactscore cache clear`."""

    model: str | None = _input(None, "Only answers from this model.")
    yes: bool = _output(False, "Do not ask for confirmation.", flags=("--yes", "-y"))


@command(cache_app, _Cache)
def info(settings: _Cache) -> None:
    """Show the path and contents of the cache."""
    stats = _open(settings.cache, read_only=True).stats()
    print(f"{stats.path}: {counted(stats.answers, 'answer')}, {stats.size / 1e6:.1f} MB")
    for endpoint, model, stage, count in stats.by_model:
        print(f"  {count:>8}  {stage:<10} {model}  {endpoint}")


@command(cache_app, _Clear)
def clear(settings: _Clear) -> None:
    """Delete cached answers."""
    store, model = _open(settings.cache), settings.model
    if not settings.yes:
        answers = f"{model}'s answers" if model else "all answers"
        typer.confirm(f"Delete {answers} in {store.path}?", abort=True, err=True)
    print(f"{counted(store.clear(model=model), 'answer')} deleted from {store.path}")


@command(cache_app, _Cache)
def export(
    settings: _Cache,
    *,
    out: Annotated[
        Path,
        argument("JSONL file to write, or - for standard output.", "Output"),
    ],
    overwrite: opt.Overwrite = False,
) -> None:
    """Write all answers with their prompts as JSONL."""
    store = _open(settings.cache, read_only=True)
    if str(out) == "-":
        for record in store.records():
            write_data(dump_json(record) + "\n")
        return
    check_output(out, "answers", inputs=[store.path], force=overwrite, named="name")
    count = write_jsonl(out, store.records())
    print(f"{counted(count, 'answer')} written to {out}")


def _open(cache: Path | None, *, read_only: bool = False) -> AnswerCache:
    from dfactscore._asking.cache import AnswerCache, default_cache_path

    path = cache or default_cache_path()
    if not path.exists():
        raise InputError(f"{path}: the cache does not exist yet")
    return AnswerCache(path, read_only=read_only)
