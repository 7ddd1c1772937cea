"""`dfactscore doctor`: check the installation, the answer cache and a model."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import typer

from dfactscore._asking.messages import CallError, ModelError, NotThere
from dfactscore._asking.options import ModelSettings
from dfactscore._cli.from_settings import command
from dfactscore._cli.root import app
from dfactscore._errors import DFactScoreError, MissingExtraError
from dfactscore._util.message_text import message_line

if TYPE_CHECKING:
    from dfactscore._asking.transport import HTTPTransport

_SECONDS = 5.0  # for a list of models
_ANSWER_SECONDS = 60.0  # for an answer; a server may have to load the model first


@command(app, ModelSettings, only=("model", "base_url", "api_key_env", "header"))
def doctor(settings: ModelSettings) -> None:
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
    if not (settings.model or settings.base_url or os.environ.get("OPENAI_BASE_URL")):
        print("model              not tested: no --model, --base-url or OPENAI_BASE_URL")
        return
    try:
        print(f"model              {message_line(run_sync(_tried(settings)))}")
    except (DFactScoreError, CallError) as error:
        print(f"model              {message_line(str(error))}")
        raise typer.Exit(1) from None


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
