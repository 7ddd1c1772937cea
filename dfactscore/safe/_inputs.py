"""Reads input for `dfactscore safe`: answers, biographies, SAFE's output, LongFact's prompts."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from dfactscore._errors import InputError
from dfactscore._readers.files import file_rows
from dfactscore._util.files import read_bytes
from dfactscore._util.message_text import near_miss

Task = Literal["objects", "concepts"]
_FILE = re.compile(r"longfact-(objects|concepts)_(.+)\.jsonl")
_WHO = re.compile(r"\s*who\s+(?:is|was|are|were)\b", re.IGNORECASE)
_DETAIL = "Give as many names, numbers, dates and places as you can be sure of."


@dataclass(frozen=True, slots=True)
class LongFactPrompt:
    """A LongFact prompt."""

    text: str
    task: str  # `"objects"` or `"concepts"`
    topic: str
    # The string that marks the data for exclusion from training corpora; files include it, but
    # prompts do not.
    canary: str


@dataclass(frozen=True, slots=True)
class LongFact:
    """The prompts in a folder."""

    prompts: tuple[LongFactPrompt, ...]  # distinct prompts, in byte order of their file names
    rows: int
    files: Mapping[str, str]


def read_longfact(
    folder: Path, *, task: Task | None = None, topics: Iterable[str] = ()
) -> LongFact:
    """Reads ``longfact-TASK_TOPIC.jsonl`` files ("Long-form factuality", arXiv 2403.18802)."""
    paths = {}
    for path in folder.iterdir() if folder.is_dir() else ():
        if name := _FILE.fullmatch(path.name):
            paths[path.name.encode()] = (path, name[1], name[2])
    if not paths:
        raise InputError(f"{folder}: no file is called longfact-objects_TOPIC.jsonl or -concepts_")
    known = sorted({topic for _, _, topic in paths.values()})
    selected = set(topics)
    for topic in sorted(selected - set(known)):
        raise InputError(
            f"--topics {topic!r}: no such topic{near_miss(topic, known)} (there are "
            f"{', '.join(known)})"
        )
    prompts: dict[str, LongFactPrompt] = {}
    files, rows = {}, 0
    for _, (path, kind, topic) in sorted(paths.items()):
        if (task is not None and kind != task) or (selected and topic not in selected):
            continue
        files[path.name] = hashlib.sha256(read_bytes(path, error=InputError)).hexdigest()
        for line, row in file_rows(path):
            text = row.get("prompt")
            if not isinstance(text, str) or not text.strip():
                raise InputError(f"{line}: no field 'prompt' with a text")
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
    detail: bool = False,  # append a request for names, numbers, dates and places
) -> list[dict[str, Any]]:
    """Draws prompts at random."""
    candidates = [p for p in prompts if not who_is or _WHO.match(p.text)]
    if not candidates:
        raise InputError("no prompt to draw; leave out --who-is or --topics")
    # Hashes, unlike Python's shuffle, give the same order in all versions.
    order = sorted(candidates, key=lambda p: hashlib.sha256(f"{seed}\0{p.text}".encode()).digest())
    # Records `{id, prompt, task, topic, canary}`.
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
