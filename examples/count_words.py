"""A task of one's own: counts words of lines {"id": ..., "text": ...}, in a folder that resumes.

Usage: python examples/count_words.py texts.jsonl --out counts --workers 2
"""

import argparse
import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

from dfactscore import open_executor
from dfactscore.measures import Column, Table, aligned
from dfactscore.work import Asked, Elsewhere, Finished, Form, Journals, Later, Work

from dfactscore.work import in_folder, key_of, run, would_ask  # isort: skip

Text = dict[str, str]


class Line(Form):
    """The record of a text."""

    id: str
    words: int


def key(text: Text) -> str:
    """A hash of everything that a line depends on."""
    return key_of(text["id"], text["text"])


def opened() -> Callable[[Text, Journals], Awaitable[None]]:
    """Opens the model, in any process, and returns the function that processes a text."""

    async def do(text: Text, journals: Journals) -> None:
        await asyncio.sleep(0)  # a model would be called here
        words = text["text"].split()
        if "busy" in words:
            raise Later("the model is busy")
        journals["counts"].append(key(text), {"id": text["id"], "words": len(words)})

    return do


def finish(found: Finished[Text]) -> Table:
    """Makes a table of the lines; it may also write files into `found.folder`."""
    lines = [found.journals["counts"].get(key(text)) for text in found.items]
    rows = tuple((line["id"], str(line["words"])) for line in lines if line is not None)
    return Table((Column("text", left=True), Column("words")), rows)


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser()
    parser.add_argument("input", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--dry-run", action="store_true")
    options = parser.parse_args(arguments)
    work: Work[Text, Table] = Work(
        name="count-words", settings={"model": "stub"}, things="texts", key=key,
        items=[json.loads(line) for line in options.input.read_text().splitlines()],
        label=lambda text: text["id"], journals={"counts": Line}, do=opened(), finish=finish,
        asks=lambda text: [Asked("count", "stub", prompt=len(text["text"]) // 4, completion=1)],
    )  # fmt: skip
    if options.dry_run:
        total = would_ask(work, in_folder(options.out)).usage.total()
        print(f"{total.calls} calls, {total.prompt_tokens} tokens")
        return
    with open_executor(options.workers) as executor:
        there = Elsewhere(opened, ["counts"])
        table = run(work, in_folder(options.out), executor=executor, elsewhere=there)
    print(aligned(table))


if __name__ == "__main__":
    from count_words import main as start  # by its name, so that workers find it

    start()
