"""Scores biographies as a work: each stage is journaled and nothing is judged twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from dfactscore._runs.biography_spool import SpooledRecords
from dfactscore._runs.judges import judge_into, waiting_records
from dfactscore._runs.lines import LINES
from dfactscore._runs.records import record_keys
from dfactscore._runs.run_manifest import RunManifest
from dfactscore._runs.stage_keeper import StageKeeper, keep_failure
from dfactscore._scoring.record import Record
from dfactscore.engines._roles import Engine
from dfactscore.work import Asks, Failure, Finished, Journals, Work
from dfactscore.work._blocks import Sent
from dfactscore.work._lines import Lines

if TYPE_CHECKING:
    from dfactscore.retrieval import KnowledgeSource


_Result = TypeVar("_Result")


@dataclass(frozen=True, kw_only=True)
class RecordWork(Work[Record, _Result]):
    """The work of judging biographies, of which no more than a block is held."""

    form = RunManifest
    shared = frozenset({"documents"})
    writes_errors = True

    def all_keys(self) -> Sequence[str]:
        """The keys of the biographies, which a spool has without them."""
        return record_keys(self.items)

    @property
    def drawn_from(self) -> Sequence[str]:
        """The keys of the input, of which the biographies may be a sample."""
        return self.items.spool.of if isinstance(self.items, SpooledRecords) else ()

    def lost(self, item: Record, journals: Journals, failure: Failure) -> bool:
        """Keeps a biography's failure as its line."""
        keep_failure(journals, item, failure.reason)
        return True

    def sent(self, journals: Journals) -> Iterator[Sent | None]:
        """The biographies with what was judged of them before."""
        return waiting_records(cast("Any", journals), self.items)


def record_work(
    records: Sequence[Record],
    engine: Engine,
    source: KnowledgeSource | None,
    finish: Callable[[Finished[Record]], _Result],
    *,
    name: str = "score",
    settings: Mapping[str, Any] | None = None,
    about: Mapping[str, Any] | None = None,
    asks: Callable[[Record], Asks] = lambda record: (),
) -> RecordWork[_Result]:
    """The work of judging biographies.

    Args:
        records: In the order of the input; what is filled in them is kept as it is.
        engine: The roles.
        source: Pages by title, or None to judge against the passages.
        finish: Makes the result.
        name: The command.
        settings: All settings that can change a result.
        about: Entry of the input in the manifest.
        asks: Requests for judging a biography.
    """
    learned = [engine.decomposer]

    async def do(record: Record, journals: Journals) -> None:
        while learned:  # before the first text that is left
            learned.pop().recall(partial(_usage_of_first, journals["facts"], records))
        keeper = StageKeeper(journals)
        if record.status is not None:
            keeper.keep_all(record)
            keeper.end(record)
        else:
            await judge_into(keeper, record, engine, source)

    def done(record: Record, journals: Journals) -> bool:
        found = StageKeeper(journals).resume(replace(record, status=None))
        return found.status is not None

    return RecordWork(
        name=name,
        settings=settings or {},
        items=records,
        key=lambda record: record.key,
        label=lambda record: record.id,
        journals=LINES,
        do=do,
        finish=finish,
        done=done,
        close=engine.close,
        asks=asks,
        source=about or {},
        things="biographies",
    )


def _usage_of_first(facts: Lines, records: Sequence[Record]) -> Mapping[str, Any] | None:
    """Requests for the facts of the first text that a model decomposed."""
    for key in record_keys(records):
        usage: Mapping[str, Any] = (facts.get(key) or {}).get("usage", {})
        if {"decompose", "read"} & usage.keys():
            return usage
    return None
