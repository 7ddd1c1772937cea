"""A command that judges records: is each text neutral? It estimates, resumes, and has a budget.

Usage: python examples/own_command.py texts.jsonl --model MODEL --base-url URL --out judged

In the package, the settings and the work are a module of their own, `app` is `_cli.root.app`, and
the command has a row in `_cli.root.COMMANDS`.
"""

import asyncio
from pathlib import Path

import typer

from dfactscore import Biography, InputError
from dfactscore._asking.client import ChatClient
from dfactscore._asking.messages import Answer, AnswerError, CallError, Request
from dfactscore._asking.options import DRY_RUN, BudgetSettings, JudgeModelSettings
from dfactscore._asking.session import LLMSession, closing, estimated_requests
from dfactscore._asking.structured import object_schema, parse_object
from dfactscore._cli import options as opt
from dfactscore._cli.from_settings import command
from dfactscore._cli.output import lines_or_json, print_usage, progress
from dfactscore._jobs.settings import ColumnSettings
from dfactscore._readers import read_biographies
from dfactscore._util.settings import panels
from dfactscore.measures import Column, Table, aligned
from dfactscore.work import Finished, Form, Journals, Later, Work, in_folder, key_of, run_async

from dfactscore.work import would_ask  # isort: skip

_PROMPT = 'Is the tone of this text neutral? Answer {"neutral": true} or {"neutral": false}.\n\n'
_SCHEMA = object_schema({"neutral": {"type": "boolean"}})
_input, _output = panels("Input Output")
app = typer.Typer(add_completion=False, rich_markup_mode=None)


class ToneSettings(ColumnSettings, JudgeModelSettings, BudgetSettings):
    """The settings, which are the options, the keys of ``--config`` and their help."""

    input: Path | None = _input(None, "Texts, in any format that 'score' reads.", argument=True)
    limit: int | None = _input(None, "Use only the first N; increasing N adds more.", ge=1)
    out: Path | None = _output(None, "Folder of the run; resumes.", flags=("--out", "-o"))
    dry_run: bool = DRY_RUN


class ToneLine(Form):
    """The journal's record of a text."""

    id: str
    neutral: bool


def tone_work(settings: ToneSettings, client: ChatClient) -> Work[Biography, dict[str, bool]]:
    """Returns the task: its items, what is asked about each, and its result."""
    if settings.input is None:
        raise InputError("tone: give a file of texts")
    reading = read_biographies(
        settings.input, limit=settings.limit, columns=settings.columns, text=settings.text
    )

    def key(text: Biography) -> str:
        return key_of(text.id, text.text)

    def request(text: Biography) -> Request:
        return Request("tone", (("user", _PROMPT + text.text),), "tone-1", 30, schema=_SCHEMA)

    def read(answer: Answer) -> bool:
        found = parse_object(answer).get("neutral")
        if not isinstance(found, bool):
            raise AnswerError("'neutral' is not true or false")
        return found

    async def do(text: Biography, journals: Journals) -> None:
        try:
            neutral = await client.ask(request(text), read)
        except CallError as error:
            raise Later(error.reason) from None  # the same command tries again
        journals["tones"].append(key(text), {"id": text.id, "neutral": neutral})

    def finish(found: Finished[Biography]) -> dict[str, bool]:
        lines = (found.journals["tones"].get(key(text)) for text in found.items)
        return {line["id"]: line["neutral"] for line in lines if line is not None}

    return Work(
        name="tone", settings=dict(client.settings), items=reading.biographies, key=key,
        label=lambda text: text.id, journals={"tones": ToneLine}, do=do, finish=finish,
        asks=lambda text: estimated_requests(client, request(text), 12), things="texts",
        source={"file": settings.input.name, "limit": settings.limit, "bad": len(reading.bad)},
    )  # fmt: skip


@command(app, ToneSettings, config=True)
def tone(
    settings: ToneSettings, *, form: opt.ShortFormat = "table", quiet: opt.Quiet = False
) -> None:
    """Judge whether texts are neutral."""
    place = None if settings.out is None else in_folder(settings.out)
    with settings.using_session() as session:
        assert isinstance(session, LLMSession)
        work = tone_work(settings, session.client(settings.model_for("judge")))
        if settings.dry_run:
            usage = would_ask(work, place).usage
            print_usage(usage, session.budget.prices, form, f"for {len(work.items)} texts")
            return
        with progress("judging", quiet=quiet) as bar:
            tones = asyncio.run(closing(session, run_async(work, place, progress=bar)))
    rows = tuple((key, "yes" if neutral else "no") for key, neutral in tones.items())
    table = Table((Column("text", left=True), Column("neutral", left=True)), rows)
    lines_or_json(form, tones, [aligned(table)])
    if len(tones) < len(work.items):
        raise typer.Exit(1)


if __name__ == "__main__":
    app()
