"""`dfactscore doctor`: what is installed, where answers are kept, whether a model answers."""

from __future__ import annotations

import os

import typer

from dfactscore._cli.from_settings import command
from dfactscore._cli.root import app
from dfactscore._errors import MissingExtraError
from dfactscore._util.jsonl import parse_json
from dfactscore._util.settings import Settings, setting
from dfactscore._util.shown import message_line

_SECONDS = 5.0


class _Doctor(Settings):
    """One `dfactscore doctor` command."""

    base_url: str | None = setting(
        None, "Endpoint to try, up to /v1.", panel="Model", named="OPENAI_BASE_URL"
    )
    api_key_env: str = setting(
        "OPENAI_API_KEY", "Environment variable with the API key.", panel="Model"
    )


@command(app, _Doctor)
def doctor(settings: _Doctor) -> None:
    """Say what is installed, which extras, the cache, and whether a model answers."""
    from dfactscore import __version__
    from dfactscore._cli.installed import extras, python_line

    print(f"dfactscore {__version__}")
    print(python_line())
    for name, missing in extras().items():
        said = "installed"
        if missing:
            how = str(MissingExtraError("It", name)).partition(": ")[2]
            said = f"not installed ({', '.join(missing)}): {how}"
        print(f"extra {name:<12} {said}")
    print(f"built-in engine    {_engine()}")
    print(f"answer cache       {_cache()}")
    address = settings.base_url or os.environ.get("OPENAI_BASE_URL")
    if not address:
        print("model              not tried: no --base-url and no OPENAI_BASE_URL")
        return
    reached, said = _model(address, os.environ.get(settings.api_key_env, "").strip())
    print(f"model              {said}")
    if not reached:
        raise typer.Exit(1)


def _engine() -> str:
    """Whether the built-in engine scores a sentence as it should."""
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


def _model(address: str, key: str) -> tuple[bool, str]:
    """Asks an endpoint for its list of models; no text is sent, redirects are not followed."""
    from dfactscore._asking.secrets import masked
    from dfactscore._util.fetching import HTTPFault, Reply, Wire, without_credentials
    from dfactscore._util.tasks import run_sync

    async def ask() -> Reply:
        wire = Wire(seconds=_SECONDS)
        try:
            return await wire.exchange("GET", place, headers=headers)
        finally:
            await wire.aclose()

    place = f"{address.rstrip('/')}/models"
    if not place.startswith(("http://", "https://")):
        return False, f"{address!r} is not an address (http://127.0.0.1:8000/v1)"
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    shown = without_credentials(place).partition("://")[2]
    try:
        reply = run_sync(ask())
        if reply.status != 200:
            why = {401: "the key is refused", 403: "the key is refused", 404: "no list of models"}
            said = why.get(reply.status, "failed")
            return False, f"{shown} answers with status {reply.status} ({said})"
        said = masked(reply.body.decode("utf-8", "replace"), (key,))
        names = [message_line(model["id"])[:80] for model in parse_json(said)["data"]]
    except HTTPFault as error:
        return False, f"{shown} cannot be reached ({error})"
    except (KeyError, TypeError, ValueError):
        return False, f"{shown} answers, but not with a list of models"
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return True, f"{shown} answers; models: {', '.join(names[:5]) or 'none'}{more}"
