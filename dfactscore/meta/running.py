"""Asks evaluators about items: resumable, no response judged twice."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import Field

from dfactscore._util.callbacks import Progress
from dfactscore._util.files import dump_json, make_folder, remove_leftovers
from dfactscore._util.lock import WriteLock
from dfactscore._util.tasks import map_concurrently
from dfactscore._util.usage import collect_usage, take_usage
from dfactscore._util.validated import Count, Form, Text
from dfactscore.errors import RunError
from dfactscore.meta.items import DataSet, Item
from dfactscore.meta.judgements import (
    Evaluator,
    Judgement,
    JudgementStatus,
    Opinion,
    opinion_of,
)
from dfactscore.runs.journal import Journal
from dfactscore.runs.lines import Counts
from dfactscore.runs.manifest import check_same, read_manifest, write_manifest

__all__ = ["Asked", "MetaFolder", "MetaManifest", "ask", "item_key"]

_JOURNAL = "judgements.jsonl"


class MetaManifest(Form):
    """What the manifest of an evaluation looks like."""

    command: Text
    status: Text
    settings: dict[Text, Any]
    versions: dict[Text, Text]


class _Said(Form):
    error: bool | None
    probability: float | None = Field(None, ge=0, le=1)
    status: JudgementStatus


class _Line(Form):
    key: Text
    evaluator: Text
    judgements: list[_Said]
    out_of_range: Count = 0
    fallback: bool = False
    usage: dict[Text, dict[Text, Counts]] = Field(default_factory=dict)


@dataclass(frozen=True)
class Asked:
    """What an evaluator said of a set.

    Attributes:
        opinions: One an item, in order; None where it was not asked.
        seconds: That judging took in this call.
    """

    opinions: list[Opinion | None]
    seconds: float


class MetaFolder:
    """A folder of judgements that is being written, for this process alone.

    Args:
        folder: The folder; one that is there is resumed.
        manifest: Describes the evaluation.

    Raises:
        RunError: If it holds something else, or cannot be written.
    """

    def __init__(self, folder: Path, manifest: Mapping[str, Any]) -> None:
        self.folder = folder
        self.manifest = dict(manifest)
        make_folder(folder)
        self._lock = WriteLock(folder / ".lock", str(folder))
        try:
            if (folder / "manifest.json").exists():
                check_same(folder, read_manifest(folder, MetaManifest), self.manifest)
                remove_leftovers(folder)
            elif others := sorted(p.name for p in folder.iterdir() if p.name[:1] != "."):
                raise RunError(
                    f"{folder}: not empty and not an evaluation ({', '.join(others[:3])}); "
                    "choose another --out"
                )
            write_manifest(folder, self.manifest)
            self.journal = Journal(folder / _JOURNAL, _Line)
        except BaseException:
            self._lock.release()
            raise

    def __enter__(self) -> MetaFolder:
        return self

    def __exit__(self, *_: object) -> None:
        self.journal.close()
        self._lock.release()

    def finish(self, keys: Sequence[str], complete: bool) -> None:
        """Puts the journal into the order of the data and notes how far the evaluation came."""
        self.journal.settle(keys)
        self.manifest["status"] = "complete" if complete else "incomplete"
        write_manifest(self.folder, self.manifest)


def item_key(evaluator: str, settings: Mapping[str, Any], one: DataSet, item: Item) -> str:
    """What a judgement rests on, as a short hash: settings, texts and references, not labels."""
    content = [
        evaluator, dict(settings), one.kind, one.key(item), item.question, item.name,
        [[s.text, s.claim] for s in item.segments], [[d.title, d.text] for d in item.documents],
        list(item.links), item.search, item.each,
    ]  # fmt: skip
    text = dump_json(content)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


async def ask(
    evaluators: Mapping[str, Evaluator],
    data: Sequence[DataSet],
    places: Mapping[str, Mapping[int, Sequence[int]]],
    *,
    folder: MetaFolder | None,
    concurrency: int,
    progress: Progress | None = None,
) -> dict[str, list[Asked]]:
    """Asks each evaluator about each item that it has not judged yet.

    Args:
        evaluators: By name.
        data: The sets.
        places: By evaluator and set, the places of the items to ask about.
        folder: Where judgements are kept as they come; None keeps none.
        concurrency: Items at a time, where an evaluator takes time.
        progress: Called with how many are done and how many there are.

    Returns:
        By evaluator, one entry a set.
    """
    total = sum(len(own) for sets in places.values() for own in sets.values())
    done, found = 0, {}
    for name, evaluator in evaluators.items():
        found[name] = [Asked([None] * len(one.items), 0.0) for one in data]
        for number, own in places[name].items():
            one, begun = data[number], time.monotonic()
            opinions = found[name][number].opinions
            open_: list[tuple[int, str]] = []
            for place in own:
                key = item_key(name, evaluator.settings, one, one.items[place])
                kept = None if folder is None else _kept(folder.journal, key)
                if kept is None:
                    open_.append((place, key))
                else:
                    opinions[place], done = kept, done + 1

            async def work(
                task: tuple[int, str], evaluator: Evaluator = evaluator, one: DataSet = one
            ) -> Opinion:
                with collect_usage():
                    opinion = await opinion_of(evaluator, one.items[task[0]])
                    usage = take_usage()
                return Opinion(opinion.judgements, opinion.out_of_range, usage, opinion.fallback)

            answers = map_concurrently(work, open_, concurrency=concurrency)
            async for (place, key), opinion in answers:
                if folder is not None:
                    record = _to_json(name, one, one.items[place], opinion)
                    folder.journal.append(key, record)
                opinions[place], done = opinion, done + 1
                if progress is not None:
                    progress(done, total)
            found[name][number] = Asked(opinions, time.monotonic() - begun)
    return found


def _kept(journal: Journal, key: str) -> Opinion | None:
    """A journaled opinion; one without an answer is forgotten, to be asked for again."""
    record = journal.get(key)
    if record is None:
        return None
    opinion = opinion_from_json(record)
    if any(j.status == "error" for j in opinion.judgements):
        journal.forget(key)
        return None
    return opinion


def _to_json(name: str, one: DataSet, item: Item, opinion: Opinion) -> dict[str, Any]:
    rows = [asdict(judgement) for judgement in opinion.judgements]
    record: dict[str, Any] = {
        "evaluator": name,
        "set": one.kind,
        "id": one.key(item),
        "judgements": rows,
    }
    if opinion.out_of_range:
        record["out_of_range"] = opinion.out_of_range
    if opinion.fallback:
        record["fallback"] = True
    return record | ({"usage": dict(opinion.usage)} if opinion.usage else {})


def opinion_from_json(record: Mapping[str, Any]) -> Opinion:
    """An opinion as the journal has it."""
    return Opinion(
        tuple(Judgement(**row) for row in record["judgements"]),
        int(record.get("out_of_range", 0)),
        record.get("usage", {}),
        bool(record.get("fallback")),
    )
