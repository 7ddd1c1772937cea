"""The judges of a worker process, which must give the same results as those of the main process."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from dfactscore._errors import RunError
from dfactscore._records import Biography
from dfactscore._runs.biography_json import biography_from_line
from dfactscore._runs.run_description import describe_settings
from dfactscore._runs.run_writer import RunWriter
from dfactscore._runs.scoring_work import judge_record
from dfactscore._scoring.record import Record
from dfactscore._scoring.score_options import ScoreOptions
from dfactscore._util.files import dump_json
from dfactscore._util.jsonl import parse_json
from dfactscore.engines._roles import Engine
from dfactscore.work import Journals
from dfactscore.work._blocks import Do, guarded
from dfactscore.work._work_folder import difference as first_difference
from dfactscore.work._work_folder import versions

if TYPE_CHECKING:
    from dfactscore.retrieval import KnowledgeSource


# The settings that determine what is judged.
_SETTINGS = ("decomposer", "grouper", "verifier", "evidence", "pages", "language")


class Judges(NamedTuple):
    """The engine and source used to judge biographies."""

    engine: Engine
    source: KnowledgeSource | None  # pages by title, or None to judge against the passages


class OpenJudges(Protocol):
    """Callable that opens judges in the process that calls it; can be sent to another process."""

    @property
    def files(self) -> Sequence[Path]:
        """The files that the judges read."""

    def __call__(self) -> Judges:
        """Opens the judges."""


class CheckedJudges:
    """Opens judges in a worker and checks that they match those of the main process."""

    def __init__(self, open: OpenJudges, settings: Mapping[str, Any]) -> None:
        self._open = open
        self._settings = _deciding(settings)
        self._versions = versions()

    def open(self) -> Judges:
        """Opens engine and source."""
        if difference := first_difference(self._versions, versions(), "versions"):
            raise _refusal(difference)
        judges = self._open()
        settings = describe_settings(judges.engine, judges.source, ScoreOptions(), "retrieved")
        if difference := first_difference(self._settings, _deciding(settings), "settings"):
            raise _refusal(difference)
        return judges

    def open_work(self) -> Do:
        """Opens the judges for biographies that `RecordWork.sent` sent."""
        engine, source = self.open()

        async def do(sent: tuple[str, bytes | Biography], journals: Journals) -> None:
            key, line = sent
            record = Record(biography_from_line(line) if isinstance(line, bytes) else line, key)
            writer = RunWriter(journals)
            judging = judge_record(writer, record, engine, source)
            if failure := await guarded(judging, key, record.id):
                writer.write_failure(record, failure.reason)

        return do


def _refusal(difference: str) -> RunError:
    return RunError(
        f"the worker on {platform.node()} would judge otherwise than the run: {difference} there; "
        "it needs the same version of everything and the same pages"
    )


def _deciding(settings: Mapping[str, Any]) -> Any:
    """Returns the settings that determine the judgments, in manifest format."""
    return parse_json(dump_json({name: settings.get(name) for name in _SETTINGS}))
