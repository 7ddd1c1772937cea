"""An evaluation as a work: one judgement a response and evaluator, each kept as it is made."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from pydantic import Field

from dfactscore._util.files import dump_json
from dfactscore._util.usage import collect_usage, take_usage
from dfactscore._util.validated import Count, Form, Text
from dfactscore.meta.judgements import (
    Evaluator,
    Judgement,
    JudgementStatus,
    Opinion,
    opinion_of,
)
from dfactscore.meta.labeled import DataSet, Item
from dfactscore.runs.lines import StageCounts
from dfactscore.work import Asks, AsksModel, Finished, Journals, Work

__all__ = ["COMMAND", "Heard", "MetaTask", "item_key", "meta_work", "tasks_of"]

COMMAND = "meta"
_JOURNAL = "judgements"


class _SaidOfSegment(Form):
    error: bool | None
    probability: float | None = Field(None, ge=0, le=1)
    status: JudgementStatus


class _JudgementLine(Form):
    evaluator: Text
    judgements: list[_SaidOfSegment]
    out_of_range: Count = 0
    fallback: bool = False
    usage: dict[Text, dict[Text, StageCounts]] = Field(default_factory=dict)


class MetaTask(NamedTuple):
    """A response that an evaluator is asked about.

    Attributes:
        evaluator: Its name.
        number: Of the set.
        place: Of the response in the set.
        key: What the judgement is kept under.
    """

    evaluator: str
    number: int
    place: int
    key: str


@dataclass(frozen=True)
class Heard:
    """What evaluators said.

    Attributes:
        opinions: By evaluator and set, one an item; None where it was not asked.
        seconds: By evaluator, what judging took in this call.
    """

    opinions: Mapping[str, Sequence[list[Opinion | None]]]
    seconds: Mapping[str, float]


def item_key(evaluator: str, settings: Mapping[str, Any], one: DataSet, item: Item) -> str:
    """What a judgement rests on, as a short hash: settings, texts and references, not labels."""
    content = [
        evaluator, dict(settings), one.kind, one.key(item), item.question, item.name,
        [[s.text, s.claim] for s in item.segments], [[d.title, d.text] for d in item.documents],
        list(item.links), item.search, item.each,
    ]  # fmt: skip
    text = dump_json(content)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def tasks_of(
    evaluators: Mapping[str, Evaluator],
    data: Sequence[DataSet],
    places: Mapping[str, Mapping[int, Sequence[int]]],
) -> list[MetaTask]:
    """Each response with each evaluator that is asked about it.

    Args:
        evaluators: By name.
        data: The sets.
        places: By evaluator and set, the places of the responses.
    """
    return [
        MetaTask(
            name, number, at, item_key(name, one.settings, data[number], data[number].items[at])
        )
        for name, one in evaluators.items()
        for number, own in places[name].items()
        for at in own
    ]


def meta_work(
    evaluators: Mapping[str, Evaluator],
    data: Sequence[DataSet],
    tasks: Sequence[MetaTask],
    finish: Callable[[Finished[MetaTask], Heard], Any],
    *,
    settings: Mapping[str, Any],
    source: Mapping[str, Any],
    close: Callable[[], Awaitable[None]] | None = None,
) -> Work[MetaTask, Any]:
    """The work of asking evaluators about responses.

    Args:
        evaluators: By name.
        data: The sets.
        tasks: What is asked.
        finish: Makes the result of what was said.
        settings: Of the evaluation, for the manifest.
        source: What the data were read from, for the manifest.
        close: Frees what the evaluators hold.
    """
    times: dict[str, list[float]] = {name: [0.0, 0.0] for name in evaluators}

    async def do(task: MetaTask, journals: Journals) -> None:
        one = data[task.number]
        item, span = one.items[task.place], times[task.evaluator]
        span[0] = span[0] or time.monotonic()
        with collect_usage():
            opinion = await opinion_of(evaluators[task.evaluator], item)
            usage = take_usage()
        span[1] = time.monotonic()
        opinion = Opinion(opinion.judgements, opinion.out_of_range, usage, opinion.fallback)
        journals[_JOURNAL].append(task.key, _to_json(task.evaluator, one, item, opinion))

    def finished(found: Finished[MetaTask]) -> Any:
        opinions: dict[str, list[list[Opinion | None]]] = {
            name: [[None] * len(one.items) for one in data] for name in evaluators
        }
        for task in tasks:
            line = found.journals[_JOURNAL].get(task.key)
            item = data[task.number].items[task.place]
            opinions[task.evaluator][task.number][task.place] = (
                _no_answer(item) if line is None else opinion_from_json(line)
            )
        seconds = {name: last - first for name, (first, last) in times.items()}
        return finish(found, Heard(opinions, seconds))

    def asks(task: MetaTask) -> Asks:
        one = evaluators[task.evaluator]
        item = data[task.number].items[task.place]
        return one.asks(item) if isinstance(one, AsksModel) else ()

    return Work(
        name=COMMAND,
        settings=settings,
        items=tasks,
        key=lambda task: task.key,
        label=lambda task: data[task.number].key(data[task.number].items[task.place]),
        journals={_JOURNAL: _JudgementLine},
        do=do,
        finish=finished,
        asks=asks,
        again=lambda line: any(said["status"] == "error" for said in line["judgements"]),
        close=close,
        source=source,
        things="responses",
    )


def _no_answer(item: Item) -> Opinion:
    return Opinion(tuple(Judgement(None, None, "error") for _ in item.segments))


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
