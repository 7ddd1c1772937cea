"""Judges a block of biographies away from the run folder: lines go out, lines come back."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from dfactscore._util.files import dump_json
from dfactscore._util.jsonl import parse_json
from dfactscore._util.tasks import map_concurrently, run_sync
from dfactscore.engines.protocols import Engine
from dfactscore.errors import RunError
from dfactscore.evidence.entities import gather_entities
from dfactscore.records import Biography
from dfactscore.runs.describe import describe_settings
from dfactscore.runs.journal import MemoryJournal
from dfactscore.runs.keeping import StageKeeper
from dfactscore.runs.manifest import difference, versions
from dfactscore.runs.run import JOURNALS
from dfactscore.runs.spool import SpooledRecords, biography_from_line, biography_line
from dfactscore.scoring.biography import ScoreOptions
from dfactscore.scoring.record import Record, Stage
from dfactscore.scoring.stages import judge

if TYPE_CHECKING:
    from dfactscore.retrieval import KnowledgeSource
    from dfactscore.runs.writer import RunWriter

__all__ = [
    "JudgeBlock",
    "Judged",
    "Judges",
    "OpenJudges",
    "SameJudges",
    "Waiting",
    "waiting_records",
]

_DECIDES = ("decomposer", "grouper", "verifier", "evidence", "pages", "language")


class Judges(NamedTuple):
    """What judges biographies.

    Attributes:
        engine: The roles.
        source: Pages by title, or None to judge against the passages.
    """

    engine: Engine
    source: KnowledgeSource | None


class OpenJudges(Protocol):
    """Opens what judges, in whatever process it is called; can be sent to another."""

    @property
    def files(self) -> Sequence[Path]:
        """What it reads from the disk."""

    def __call__(self) -> Judges:
        """Opens it.

        Raises:
            DFactScoreError: If something is not there.
        """


class Waiting(NamedTuple):
    """A biography on its way to where it is judged.

    Attributes:
        key: Its key.
        biography: As a line of JSON, or as it is where JSON does not have all of it.
        begun: The lines of the stages that the run has of it already.
    """

    key: str
    biography: bytes | Biography
    begun: Mapping[Stage, bytes]


@dataclass
class Judged:
    """What came of a block.

    Attributes:
        lines: By journal, the lines that are new, with their keys.
        forgotten: Journal and key of lines that count no more.
        count: How many biographies were judged.
    """

    lines: dict[str, list[tuple[str, bytes]]] = field(default_factory=dict)
    forgotten: list[tuple[str, str]] = field(default_factory=list)
    count: int = 0


class SameJudges:
    """Opens what judges in another process, if it is what judges in this one.

    Args:
        open: Opens engine and source.
        settings: The run's settings (see `describe_settings`).
    """

    def __init__(self, open: OpenJudges, settings: Mapping[str, Any]) -> None:
        self._open = open
        self._settings = _plain(settings)
        self._versions = versions()

    def opened(self) -> Judges:
        """Engine and source.

        Raises:
            RunError: If they would judge otherwise here: another version, other pages.
        """
        if other := difference(self._versions, versions(), "versions"):
            raise _other(other)
        judges = self._open()
        here = describe_settings(judges.engine, judges.source, ScoreOptions(), "retrieved")
        if other := difference(self._settings, _plain(here), "settings"):
            raise _other(other)
        return judges


def _other(difference: str) -> RunError:
    return RunError(
        f"the worker on {platform.node()} would judge otherwise than the run: {difference} there; "
        "it needs the same version of everything and the same pages"
    )


def _plain(settings: Mapping[str, Any]) -> Any:
    """Those that decide what is judged, as a manifest has them."""
    return parse_json(dump_json({name: settings.get(name) for name in _DECIDES}))


class JudgeBlock:
    """Judges blocks of biographies as the run's own process would.

    Args:
        judges: Opens engine and source where the block is judged.
        concurrency: Biographies at a time, where the engine takes time.
    """

    def __init__(self, judges: SameJudges, concurrency: int = 16) -> None:
        self._same = judges
        self._concurrency = concurrency
        self._judges: Judges | None = None

    def __call__(self, block: Sequence[Waiting]) -> Judged:
        """Judges a block.

        Raises:
            RunError: If this process would judge otherwise.
        """
        if self._judges is None:
            self._judges = self._same.opened()
        return run_sync(self._judge(block, self._judges))

    async def _judge(self, block: Sequence[Waiting], judges: Judges) -> Judged:
        journals = {name: MemoryJournal() for name in JOURNALS}
        keeper = StageKeeper(journals)
        engine, source = judges

        async def one(waiting: Waiting) -> None:
            biography = waiting.biography
            if isinstance(biography, bytes):
                biography = biography_from_line(biography)
            for name, line in waiting.begun.items():
                journals[name].give(waiting.key, line)
            found = keeper.resume(Record(biography, waiting.key))
            found = found.with_entities(gather_entities(biography, source))
            keeper.end(await judge(found, engine, keep=keeper.keep))

        at_once = max(1, min(self._concurrency, len(block)))
        try:
            async for _ in map_concurrently(one, block, concurrency=at_once):
                pass
        finally:
            if engine.close:
                await engine.close()
        return Judged(
            {name: journal.taken() for name, journal in journals.items()},
            [(name, key) for name, journal in journals.items() for key in journal.forgotten],
            len(block),
        )


def waiting_records(run: RunWriter, records: Sequence[Record]) -> Iterator[Waiting | None]:
    """The records that are not judged yet, ready to be sent; None for each that is done.

    A record that was filled elsewhere is written on the way.
    """
    spool = records.spool if isinstance(records, SpooledRecords) else None
    for number in range(len(records)):
        if spool is not None and not run.has(key := spool.key(number)):
            yield Waiting(key, spool.line(number) or spool[number], {})
            continue
        record = records[number]
        found = run.resume(replace(record, status=None))
        if found.status is None and record.status is not None:
            run.keep_all(record)
            run.end(record)
        if found.status is not None or record.status is not None:
            yield None
            continue
        line = biography_line(record.biography)
        yield Waiting(record.key, line or record.biography, run.begun(record.key))
