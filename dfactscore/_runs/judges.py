"""Judges biographies in a worker: exchanges journal lines with the run."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from dfactscore._errors import RunError
from dfactscore._evidence.entities import gather_entities
from dfactscore._records import Biography
from dfactscore._runs.biography_spool import SpooledRecords, biography_from_line, biography_line
from dfactscore._runs.run_description import describe_settings
from dfactscore._runs.stage_keeper import StageKeeper, keep_failure
from dfactscore._scoring.biography import ScoreOptions
from dfactscore._scoring.record import STAGES, Record
from dfactscore._scoring.stages import judge
from dfactscore._util.files import dump_json
from dfactscore._util.jsonl import parse_json
from dfactscore.engines._roles import Engine
from dfactscore.work import Journal, Journals
from dfactscore.work._blocks import Do, Sent
from dfactscore.work._failures import guarded
from dfactscore.work._manifest import difference, versions

if TYPE_CHECKING:
    from dfactscore.retrieval import KnowledgeSource


_DECIDES = ("decomposer", "grouper", "verifier", "evidence", "pages", "language")


class Judges(NamedTuple):
    """Engine and source that judge biographies.

    Attributes:
        engine: The roles.
        source: Pages by title, or None to judge against the passages.
    """

    engine: Engine
    source: KnowledgeSource | None


class OpenJudges(Protocol):
    """Opens the judges in the process that calls it; can be sent to another."""

    @property
    def files(self) -> Sequence[Path]:
        """Files that it reads."""

    def __call__(self) -> Judges:
        """Opens it.

        Raises:
            DFactScoreError: If something is not there.
        """


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

    def opened_work(self) -> Do:
        """Engine and source that judge biographies that were sent, as the run's own process would.

        Raises:
            RunError: If this process would judge otherwise.
        """
        engine, source = self.opened()

        async def do(sent: tuple[str, bytes | Biography], journals: Journals) -> None:
            key, line = sent
            record = Record(biography_from_line(line) if isinstance(line, bytes) else line, key)
            judging = judge_into(StageKeeper(journals), record, engine, source)
            if failure := await guarded(judging, key, record.id):
                keep_failure(journals, record, failure.reason)

        return do


def _other(difference: str) -> RunError:
    return RunError(
        f"the worker on {platform.node()} would judge otherwise than the run: {difference} there; "
        "it needs the same version of everything and the same pages"
    )


def _plain(settings: Mapping[str, Any]) -> Any:
    """Those that decide what is judged, as a manifest has them."""
    return parse_json(dump_json({name: settings.get(name) for name in _DECIDES}))


async def judge_into(
    keeper: StageKeeper, record: Record, engine: Engine, source: KnowledgeSource | None
) -> None:
    """Judges what is not judged of a biography, and keeps it stage by stage."""
    found = keeper.resume(replace(record, status=None))
    found = found.with_entities(gather_entities(record.biography, source))
    keeper.end(await judge(found, engine, keep=keeper.keep))


def waiting_records(
    journals: Mapping[str, Journal], records: Sequence[Record]
) -> Iterator[Sent | None]:
    """The records that are not judged yet, ready to be sent; None for each that is done.

    A biography is sent as a line of JSON, or as it is where JSON does not have all of it. A record
    that was filled elsewhere is written on the way.
    """
    keeper = StageKeeper(journals)
    spool = records.spool if isinstance(records, SpooledRecords) else None
    for number in range(len(records)):
        if spool is not None and not _has(journals, key := spool.key(number)):
            yield Sent(key, (key, spool.line(number) or spool[number]), {})
            continue
        record = records[number]
        found = keeper.resume(replace(record, status=None))
        if found.status is None and record.status is not None:
            keeper.keep_all(record)
            keeper.end(record)
        if found.status is not None or record.status is not None:
            yield None
            continue
        line = biography_line(record.biography) or record.biography
        yield Sent(record.key, (record.key, line), _begun(journals, record.key))


def _has(journals: Mapping[str, Journal], key: str) -> bool:
    """Whether the journals hold anything of a biography."""
    return any(key in journals[name] for name in ("biographies", *STAGES))


def _begun(journals: Mapping[str, Journal], key: str) -> dict[str, bytes]:
    """The lines of the stages of a biography that are there."""
    lines = {name: journals[name].line(key) for name in STAGES}
    return {name: line for name, line in lines.items() if line is not None}
