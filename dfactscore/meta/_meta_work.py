"""Defines a meta-evaluation as a task, and the signatures that make its rows reproducible."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

from pydantic import Field

from dfactscore._results.signature import signature_of
from dfactscore._results.signature_fields import DIGEST_LENGTH
from dfactscore._runs.journal_forms import StageCounts
from dfactscore._util.usage import collect_usage, take_usage
from dfactscore._util.validated import Count, Form, Text
from dfactscore._version import __version__
from dfactscore.meta._data_sets import DataSet, Item
from dfactscore.meta._decisions import Options
from dfactscore.meta._judgements import Evaluator, Judgement, JudgementStatus, Opinion, opinion_of
from dfactscore.work import Asks, AsksModel, Finished, Journals, Work, key_of

COMMAND = "meta"
_JOURNAL = "judgements"


class _SegmentJudgement(Form):
    error: bool | None
    probability: float | None = Field(None, ge=0, le=1)
    status: JudgementStatus


class _JudgementLine(Form):
    evaluator: Text
    judgements: list[_SegmentJudgement]
    out_of_range: Count = 0
    fallback: bool = False
    usage: dict[Text, dict[Text, StageCounts]] = Field(default_factory=dict)


class MetaTask(NamedTuple):
    """A response for an evaluator to judge."""

    evaluator: str
    number: int
    place: int
    key: str


@dataclass(frozen=True)
class Judgements:
    """The evaluators' judgments."""

    # One opinion per item, by evaluator and set; None for sets that the evaluator does not judge.
    opinions: Mapping[str, Sequence[list[Opinion | None]]]
    seconds: Mapping[str, float]

    @property
    def unanswered(self) -> int:
        """Number of opinions for which a request failed."""
        every = (o for sets in self.opinions.values() for opinions in sets for o in opinions)
        return sum(any(j.status == "error" for j in o.judgements) for o in every if o is not None)


def item_key(evaluator: str, settings: Mapping[str, Any], data_set: DataSet, item: Item) -> str:
    """A short hash of a judgment's inputs (settings, texts and references, but not labels)."""
    return key_of(
        evaluator, dict(settings), data_set.kind, data_set.key(item), item.question, item.name,
        [[s.text, s.claim] for s in item.segments], [[d.title, d.text] for d in item.documents],
        list(item.links), item.search, item.each,
    )  # fmt: skip


def tasks_of(
    evaluators: Mapping[str, Evaluator],
    data: Sequence[DataSet],
    asked: Mapping[str, Sequence[int]],
) -> list[MetaTask]:
    """Pairs each evaluator with each response of the sets that it judges."""
    return [
        MetaTask(name, number, place, item_key(name, evaluator.settings, data[number], item))
        for name, evaluator in evaluators.items()
        for number in asked[name]
        for place, item in enumerate(data[number].items)
    ]


def meta_work(
    evaluators: Mapping[str, Evaluator],
    data: Sequence[DataSet],
    tasks: Sequence[MetaTask],
    finish: Callable[[Finished[MetaTask], Judgements], Any],
    *,
    settings: Mapping[str, Any],
    source: Mapping[str, Any],
    close: Callable[[], Awaitable[None]] | None = None,
) -> Work[MetaTask, Any]:
    """The task of judging responses."""
    times: dict[str, list[float]] = {name: [0.0, 0.0] for name in evaluators}

    def item_of(task: MetaTask) -> Item:
        return data[task.number].items[task.place]

    async def do(task: MetaTask, journals: Journals) -> None:
        item, span = item_of(task), times[task.evaluator]
        span[0] = span[0] or time.monotonic()
        with collect_usage():
            opinion = await opinion_of(evaluators[task.evaluator], item)
            opinion = replace(opinion, usage=take_usage())
        span[1] = time.monotonic()
        line = _to_json(task.evaluator, data[task.number], item, opinion)
        journals[_JOURNAL].append(task.key, line)

    def finish_judged(finished: Finished[MetaTask]) -> Any:
        opinions: dict[str, list[list[Opinion | None]]] = {
            name: [[None] * len(data_set.items) for data_set in data] for name in evaluators
        }
        for task in tasks:
            line = finished.journals[_JOURNAL].get(task.key)
            opinion = opinion_from_json(line) if line else _no_answer(item_of(task))
            opinions[task.evaluator][task.number][task.place] = opinion
        seconds = {name: last - first for name, (first, last) in times.items()}
        return finish(finished, Judgements(opinions, seconds))

    return Work(
        name=COMMAND,
        settings=settings,
        items=tasks,
        key=lambda task: task.key,
        label=lambda task: data[task.number].key(item_of(task)),
        journals={_JOURNAL: _JudgementLine},
        do=do,
        finish=finish_judged,
        asks=lambda task: _asks(evaluators[task.evaluator], item_of(task)),
        again=lambda line: any(segment["status"] == "error" for segment in line["judgements"]),
        close=close,
        source=source,
        things="responses",
    )


def _asks(evaluator: Evaluator, item: Item) -> Asks:
    return evaluator.asks(item) if isinstance(evaluator, AsksModel) else ()


def _no_answer(item: Item) -> Opinion:
    return Opinion(tuple(Judgement(None, None, "error") for _ in item.segments))


def _to_json(name: str, data_set: DataSet, item: Item, opinion: Opinion) -> dict[str, Any]:
    rows = [asdict(judgement) for judgement in opinion.judgements]
    record: dict[str, Any] = {
        "evaluator": name,
        "set": data_set.kind,
        "id": data_set.key(item),
        "judgements": rows,
    }
    if opinion.out_of_range:
        record["out_of_range"] = opinion.out_of_range
    if opinion.fallback:
        record["fallback"] = True
    return record | ({"usage": dict(opinion.usage)} if opinion.usage else {})


def opinion_from_json(record: Mapping[str, Any]) -> Opinion:
    """Reads an opinion from a journal line."""
    return Opinion(
        tuple(Judgement(**row) for row in record["judgements"]),
        int(record.get("out_of_range", 0)),
        record.get("usage", {}),
        bool(record.get("fallback")),
    )


def signatures_of(
    evaluators: Mapping[str, Mapping[str, Any]],
    data: Sequence[DataSet],
    options: Options,
    limit: int | None = None,
) -> dict[str, str]:
    """Returns each evaluator's signature, by name."""
    labels = "+".join(f"{data_set.kind}/{_digest(data_set)}" for data_set in data)
    return {
        name: signature_of(
            {
                "command": COMMAND,
                "versions": {"dfactscore": __version__},
                "settings": {
                    "evaluator": {**settings, "name": name},
                    "labels": labels,
                    "threshold": str(options.threshold),
                    "limit": limit,
                },
            }
        )
        for name, settings in evaluators.items()
    }


def _digest(data: DataSet) -> str:
    """A short digest of the texts, evidence and labels that were judged and scored."""
    return key_of([asdict(item) for item in data.items])[:DIGEST_LENGTH]
