"""The work of judging biographies, which uses a separate journal for each stage."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from dfactscore._evidence.entities import gather_entities
from dfactscore._runs.biography_json import biography_line
from dfactscore._runs.biography_spool import SpooledRecords
from dfactscore._runs.input_records import record_keys
from dfactscore._runs.journal_forms import JOURNAL_FORMS
from dfactscore._runs.run_manifest import RunManifest
from dfactscore._runs.run_writer import RunWriter
from dfactscore._scoring.record import STAGES, Record
from dfactscore._scoring.stages import judge
from dfactscore.engines._roles import Engine
from dfactscore.work import Asks, Failure, Finished, Journal, Journals, Work
from dfactscore.work._blocks import Sent
from dfactscore.work._journal import LineStore

if TYPE_CHECKING:
    from dfactscore.retrieval import KnowledgeSource


_Result = TypeVar("_Result")


@dataclass(frozen=True, kw_only=True)
class RecordWork(Work[Record, _Result]):
    """The work of judging biographies; at most one block of them is in memory at a time."""

    form = RunManifest
    shared = frozenset({"documents"})
    writes_errors = True

    def all_keys(self) -> Sequence[str]:
        """The keys of the biographies; with a spool, no biography is read."""
        return record_keys(self.items)

    @property
    def drawn_from(self) -> Sequence[str]:
        """The keys of the whole input, if the biographies are a sample of it."""
        return self.items.spool.input_keys if isinstance(self.items, SpooledRecords) else ()

    def lost(self, item: Record, journals: Journals, failure: Failure) -> bool:
        """Writes a line that records a biography's failure."""
        RunWriter(journals).write_failure(item, failure.reason)
        return True

    def sent(self, journals: Journals) -> Iterator[Sent | None]:
        """Yields the biographies as they are sent to a worker; None for each finished one.

        A biography is sent together with its stages from earlier calls, as a line of JSON or, if
        JSON cannot represent it, as an object. Records that were judged elsewhere are written
        immediately.
        """
        writer = RunWriter(journals)
        spool = self.items.spool if isinstance(self.items, SpooledRecords) else None
        for number in range(len(self.items)):
            if spool is not None and not writer.has_lines(key := spool.key(number)):
                yield Sent(key, (key, spool.line(number) or spool[number]), {})
                continue
            record = self.items[number]
            if writer.is_finished(record):
                yield None
            elif record.status is not None:
                writer.write_record(record)
                yield None
            else:
                line = biography_line(record.biography) or record.biography
                yield Sent(record.key, (record.key, line), _stage_lines(journals, record.key))


def _stage_lines(journals: Journals, key: str) -> dict[str, bytes]:
    """Returns the existing lines for a biography's stages, by journal."""
    files = cast("Mapping[str, Journal]", journals)
    lines = {name: files[name].line(key) for name in STAGES}
    return {name: line for name, line in lines.items() if line is not None}


def record_work(
    records: Sequence[Record],
    engine: Engine,
    source: KnowledgeSource | None,
    finish: Callable[[Finished[Record]], _Result],
    *,
    name: str = "score",
    settings: Mapping[str, Any] | None = None,
    input_entry: Mapping[str, Any] | None = None,
    asks: Callable[[Record], Asks] = lambda record: (),
) -> RecordWork[_Result]:
    """Creates the work of judging biographies."""
    decomposers = [engine.decomposer]

    async def do(record: Record, journals: Journals) -> None:
        while decomposers:  # once, before the first biography that is judged
            decomposers.pop().recall(partial(_first_usage, journals["facts"], records))
        writer = RunWriter(journals)
        if record.status is not None:
            writer.write_record(record)
        else:
            await judge_record(writer, record, engine, source)

    return RecordWork(
        name=name,
        settings=settings or {},
        items=records,
        key=lambda record: record.key,
        label=lambda record: record.id,
        journals=JOURNAL_FORMS,
        do=do,
        finish=finish,
        done=lambda record, journals: RunWriter(journals).is_finished(record),
        close=engine.close,
        asks=asks,
        source=input_entry or {},
        things="biographies",
    )


async def judge_record(
    writer: RunWriter, record: Record, engine: Engine, source: KnowledgeSource | None
) -> None:
    """Runs the missing stages of a biography and writes each one when it is finished."""
    resumed = writer.resume(record)
    resumed = resumed.with_entities(gather_entities(record.biography, source))
    writer.write_end(await judge(resumed, engine, keep=writer.write_stage))


def _first_usage(facts: LineStore, records: Sequence[Record]) -> Mapping[str, Any] | None:
    """Returns the usage for the facts of the first text that a model decomposed."""
    for key in record_keys(records):
        usage: Mapping[str, Any] = (facts.get(key) or {}).get("usage", {})
        if {"decompose", "read"} & usage.keys():
            return usage
    return None
