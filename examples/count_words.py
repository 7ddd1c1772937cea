"""A task of one's own: a model counts the words of texts, in a folder that resumes.

    python examples/count_words.py texts.jsonl --out counts --workers 2

Each line of the input is {"id": ..., "text": ...}.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

from dfactscore.measures import Column, Table, aligned, to_csv
from dfactscore.work import Asked, Elsewhere, Finished, Form, Journals, Later, Work

from dfactscore.work import count_asked, in_folder, run  # isort: skip
from dfactscore import open_executor

Text = dict[str, str]


class Line(Form):
    """What is kept of a text."""

    id: str
    words: int


class Model:
    """Stands for something that costs; it is busy with a text that says so."""

    name = "stub"

    async def count(self, text: str) -> int | None:
        """How many words a text has."""
        await asyncio.sleep(0)
        return None if "busy" in text else len(text.split())


def key(text: Text) -> str:
    """Everything that a line rests on, as a hash."""
    return hashlib.sha256(json.dumps([text["id"], text["text"]]).encode()).hexdigest()[:32]


def opened() -> Callable[[Text, Journals], Awaitable[None]]:
    """Opens the model, in whatever process, and gives what does a text: asks, and keeps a line."""
    model = Model()

    async def do(text: Text, journals: Journals) -> None:
        words = await model.count(text["text"])
        if words is None:
            raise Later("the model is busy")
        journals["counts"].append(key(text), {"id": text["id"], "words": words})

    return do


def asks(text: Text) -> Iterator[Asked]:
    """What counting a text would ask."""
    yield Asked("count", Model.name, prompt=len(text["text"]) // 4, completion=1)


def finish(found: Finished[Text]) -> Table:
    """The lines as a table, which is also written."""
    lines = [found.journals["counts"].get(key(text)) for text in found.items]
    rows = tuple((line["id"], str(line["words"])) for line in lines if line is not None)
    table = Table((Column("text", left=True), Column("words")), rows)
    if found.folder is not None:
        (found.folder / "counts.csv").write_text(to_csv(table))
    return table


def counting(texts: list[Text]) -> Work[Text, Table]:
    """The task as a value."""
    return Work(
        name="count-words",
        settings={"model": Model.name},
        items=texts,
        key=key,
        label=lambda text: text["id"],
        journals={"counts": Line},
        do=opened(),
        finish=finish,
        asks=asks,
        things="texts",
    )


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser()
    parser.add_argument("input", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--dry-run", action="store_true")
    given = parser.parse_args(arguments)
    work = counting([json.loads(line) for line in given.input.read_text().splitlines()])
    if given.dry_run:
        total = count_asked(one for text in work.items for one in work.asks(text)).total()
        print(f"{total.calls} calls, {total.prompt_tokens} tokens")
        return
    there = Elsewhere(opened, ["counts"])
    with open_executor(given.workers) as executor:
        table = run(work, in_folder(given.out), executor=executor, elsewhere=there, log=print)
    print(aligned(table))


if __name__ == "__main__":
    from count_words import main as start  # by its name, so that workers find it

    start()
