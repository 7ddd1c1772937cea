"""Reads, samples and writes LongFact prompts."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from dfactscore._errors import InputError
from dfactscore._util.files import read_bytes
from dfactscore._util.jsonl import read_jsonl
from dfactscore._util.near import near_miss

Task = Literal["objects", "concepts"]
_FILE = re.compile(r"longfact-(objects|concepts)_(.+)\.jsonl")
_WHO = re.compile(r"\s*who\s+(?:is|was|are|were)\b", re.IGNORECASE)
_DETAIL = "Give as many names, numbers, dates and places as you can be sure of."


@dataclass(frozen=True, slots=True)
class LongFactPrompt:
    """One prompt.

    Attributes:
        text: The question.
        task: ``"objects"`` or ``"concepts"``.
        topic: As in the name of its file.
        canary: The mark that keeps the data out of training corpora; it goes along into every file
            and into no prompt.
    """

    text: str
    task: str
    topic: str
    canary: str


@dataclass(frozen=True, slots=True)
class LongFact:
    """The prompts of a folder.

    Attributes:
        prompts: Distinct prompts, in the byte order of the files' names.
        rows: Rows read, repeated ones too.
        files: SHA-256 of each file, by name.
    """

    prompts: tuple[LongFactPrompt, ...]
    rows: int
    files: Mapping[str, str]


def read_longfact(
    folder: Path, *, task: Task | None = None, topics: Iterable[str] = ()
) -> LongFact:
    """Reads ``longfact-TASK_TOPIC.jsonl`` files ("Long-form factuality", arXiv 2403.18802).

    Args:
        folder: The folder; the order in which the file system lists it does not matter.
        task: Only these; both by default.
        topics: Only these; all by default.

    Raises:
        InputError: If there is no such file, a topic is unknown, or a line has no prompt.
    """
    found = {}
    for path in folder.iterdir() if folder.is_dir() else ():
        if name := _FILE.fullmatch(path.name):
            found[path.name.encode()] = (path, name[1], name[2])
    if not found:
        raise InputError(f"{folder}: no file is called longfact-objects_TOPIC.jsonl or -concepts_")
    known = sorted({topic for _, _, topic in found.values()})
    wanted = set(topics)
    for topic in sorted(wanted - set(known)):
        raise InputError(
            f"--topics {topic!r}: no such topic{near_miss(topic, known)} (there are "
            f"{', '.join(known)})"
        )
    prompts: dict[str, LongFactPrompt] = {}
    files, rows = {}, 0
    for _, (path, kind, topic) in sorted(found.items()):
        if (task is not None and kind != task) or (wanted and topic not in wanted):
            continue
        files[path.name] = hashlib.sha256(read_bytes(path, error=InputError)).hexdigest()
        for where, row in read_jsonl(path, error=InputError):
            text = row.get("prompt") if isinstance(row, Mapping) else None
            if not isinstance(text, str) or not text.strip():
                raise InputError(f"{where}: no field 'prompt' with a text")
            rows += 1
            prompts.setdefault(
                text, LongFactPrompt(text, kind, topic, str(row.get("canary") or ""))
            )
    return LongFact(tuple(prompts.values()), rows, files)


def sample(
    prompts: Sequence[LongFactPrompt],
    n: int = 250,
    *,
    seed: int = 1,
    who_is: bool = False,
    detail: bool = False,
) -> list[dict[str, Any]]:
    """Draws prompts.

    Args:
        prompts: Distinct prompts.
        n: The number; all if there are fewer.
        seed: Seed of the order.
        who_is: Only those that ask who a person is or was.
        detail: Ask for names, numbers, dates and places, too.

    Returns:
        Records ``{id, prompt, task, topic, canary}``.

    Raises:
        InputError: If nothing is left to draw from.
    """
    left = [p for p in prompts if not who_is or _WHO.match(p.text)]
    if not left:
        raise InputError("no prompt is left to draw from; leave out --who-is or --topics")
    # Sorted by hash, so that the draw does not depend on the version of Python's shuffle.
    order = sorted(left, key=lambda p: hashlib.sha256(f"{seed}\0{p.text}".encode()).digest())
    return [
        {
            "id": f"{p.task}-{hashlib.sha256(p.text.encode()).hexdigest()[:10]}",
            "prompt": f"{p.text} {_DETAIL}" if detail else p.text,
            "task": p.task,
            "topic": p.topic,
            "canary": p.canary,
        }
        for p in order[:n]
    ]
