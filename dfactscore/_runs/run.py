"""Reads run folders."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._errors import RunError
from dfactscore._results.frames import run_frames
from dfactscore._runs import record_json
from dfactscore._runs.journal_forms import JOURNAL_FORMS
from dfactscore._runs.run_manifest import read_manifest
from dfactscore._scoring.record import STAGES, Record, Stage
from dfactscore._scoring.score import score_record
from dfactscore._scoring.score_options import ScoreOptions
from dfactscore._util.usage import Usage
from dfactscore.linking import CandidateMode
from dfactscore.work._journal import Journal, read_line
from dfactscore.work._work_folder import WorkFolder

if TYPE_CHECKING:
    from dfactscore._results.frames import RunFrames


BiographyLines = tuple[bytes | None, ...]
"""The line of a biography in each journal; None if a stage has no line."""
StageRows = dict[Stage, dict[str, Any] | None]

JOURNALS = ("biographies", *STAGES, "documents")
# The stages that must have a line, by biography status.
NEEDED: dict[str, tuple[Stage, ...]] = dict.fromkeys(
    ("scored", "grouping_failed", "partly_judged", "not_judged"), STAGES
)


class Run:
    """A run folder, finished or not.

    Args:
        folder: The folder.

    Raises:
        RunError: If the folder is not a run, or this version cannot read it.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.manifest: dict[str, Any] = read_manifest(self.folder)
        self._journals = {
            name: Journal(self.folder / f"{name}.jsonl", JOURNAL_FORMS[name], read_only=True)
            for name in JOURNALS
        }

    @classmethod
    def of(cls, files: WorkFolder) -> Run:
        """Creates a run that reads files while they are open for writing."""
        run = cls.__new__(cls)
        run.folder, run.manifest = files.place.folder, files.manifest
        run._journals = files.journals
        return run

    @property
    def settings(self) -> Mapping[str, Any]:
        """All settings that can affect a result."""
        settings: Mapping[str, Any] = self.manifest["settings"]
        return settings

    @property
    def options(self) -> ScoreOptions:
        """The score options."""
        return ScoreOptions(**self.settings["scores"])

    @property
    def candidates(self) -> CandidateMode:
        """The entities that a group could be linked to."""
        candidates: CandidateMode = self.settings["candidates"]
        return candidates

    @property
    def n_bad(self) -> int:
        """Number of input records that could not be read."""
        return int(self.manifest["input"].get("bad", 0))

    @property
    def unfinished(self) -> str:
        """Message that the run is unfinished; empty if it is finished."""
        judged = len(self._journals["biographies"])
        expected = int(self.manifest["input"]["records"]) - self.n_bad
        if judged >= expected:
            return ""
        return (
            f"{self.folder}: the run is not finished: {judged} of {expected} biographies are "
            "judged; run the command that started it again to resume it"
        )

    def records(
        self,
        *,
        options: ScoreOptions | None = None,
        candidates: CandidateMode | None = None,
        dataset: Mapping[str, Collection[str]] | None = None,
        outside: Mapping[str, Collection[str]] | None = None,
        texts: bool = True,
    ) -> Iterator[Record]:
        """Yields the scored records one at a time, in input order.

        Args:
            options: Score options; by default, those of the run.
            candidates: The entities that a group may be linked to; by default as in the run.
            dataset: Titles of each name's entities, used if candidates is ``"dataset"``; by
                default, those that the run recorded.
            outside: For each name, descriptions of the bearers who have no page; by default, those
                that the run recorded.
            texts: Whether to include the texts of documents and passages in the records; scores do
                not need these texts.

        Raises:
            RunError: If a line that another journal refers to is missing.
        """
        options = options or self.options
        candidates = candidates or self.candidates
        titles = self.settings.get("dataset") or {} if dataset is None else dataset
        outside = self.settings.get("outside") or {} if outside is None else outside
        for record in self._judged(texts):
            yield score_record(
                record,
                options=options,
                candidates=candidates,
                dataset=titles.get(record.name, ()),
                outside=outside.get(record.name, ()),
            )

    def _judged(self, texts: bool) -> Iterator[Record]:
        fetch = self.document if texts else no_text
        for lines in self.lines():
            biography, stages = parse_lines(self.folder, lines)
            yield record_json.record_from_json(biography, stages, fetch)

    def lines(self) -> Iterator[BiographyLines]:
        """Yields the journal lines of each biography, in run order."""
        keys = self._journals["biographies"].keys
        rows = [self._journals[name].lines(keys()) for name in ("biographies", *STAGES)]
        for first, *others in zip(*rows, strict=True):
            assert first is not None
            yield (first, *others)

    def document(self, digest: str) -> str:
        """Returns the text of the document with a given digest.

        Raises:
            RunError: If the run lacks the document.
        """
        record = self._journals["documents"].get(digest)
        if record is None:
            raise self._lacks(digest)
        return str(record["text"])

    def document_lines(self) -> Iterator[bytes]:
        """Yields the lines of all documents, ordered by document number."""
        journal = self._journals["documents"]
        return (line for line in journal.lines(journal.keys()) if line is not None)

    def document_number(self, digest: str) -> int:
        """Returns the zero-based index of a document in the journal.

        Raises:
            RunError: If the run lacks the document.
        """
        number = self._journals["documents"].number(digest)
        if number is None:
            raise self._lacks(digest)
        return number

    def _lacks(self, digest: str) -> RunError:
        return RunError(f"{self.folder / 'documents.jsonl'}: lacks document {digest}")

    def usage(self) -> Usage:
        """Returns the usage originally recorded for the model answers in the journals."""
        total = Usage()
        for name in STAGES:
            journal = self._journals[name]
            for row in journal.records(journal.keys()):
                total.merge((row or {}).get("usage", {}))
        return total

    def frames(self) -> RunFrames:
        """Returns the run as data frames: biographies, facts, groups, links, cells."""
        return run_frames(self.records())


def load_run(folder: str | Path) -> Run:
    """Opens a run folder for reading.

    Raises:
        RunError: If the folder is not a run, or this version cannot read it.
    """
    return Run(folder)


def parse_lines(folder: Path, lines: BiographyLines) -> tuple[dict[str, Any], StageRows]:
    """Parses a biography's lines and checks that they are consistent."""
    biography, *rows = (
        None if line is None else read_line(line, folder / f"{name}.jsonl")
        for name, line in zip(("biographies", *STAGES), lines, strict=True)
    )
    assert biography is not None
    stages = dict(zip(STAGES, rows, strict=True))
    for name in NEEDED.get(biography["status"], ()):
        if stages[name] is None:
            raise RunError(
                f"{folder / name}.jsonl: lacks biography {biography['id']!r}, which the run holds "
                "as judged; restore it, or run the same command again"
            )
    problem = record_json.stages_problem(rows, biography["links"])
    if problem:
        raise RunError(
            f"{folder}: biography {biography['id']!r}: {problem}; restore the journals or start a "
            "new run"
        )
    return biography, stages


def document_digests(cells: Mapping[str, Any] | None) -> Iterator[tuple[str, ...]]:
    """Returns the digests of each entity's documents, given a row of verdicts."""
    for entity in (cells or {}).get("entities", ()):
        yield tuple(document["text"] for document in entity["documents"])


def text_digests(biography: Mapping[str, Any], cells: Mapping[str, Any] | None) -> Iterator[str]:
    """Returns the digests of all texts in a biography's rows: documents, then passages."""
    for digests in document_digests(cells):
        yield from digests
    yield from (passage["text"] for passage in biography["passages"])


def no_text(_: str) -> str:
    """Stands in for `Run.document` if texts are not needed."""
    return ""
