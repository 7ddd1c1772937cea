"""The folder of an evaluation: samples as they come, then scores, summary and manifest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dfactscore._util.csv_text import csv_text
from dfactscore._util.files import dump_json, make_folder, remove_leftovers, write_text
from dfactscore._util.jsonl import parse_json, read_json, write_json, write_jsonl
from dfactscore._util.lock import WriteLock
from dfactscore.errors import RunError
from dfactscore.factor.items import FactorItem
from dfactscore.factor.reading import BadItem
from dfactscore.factor.results import FactorResults, score_rows
from dfactscore.factor.samples import SampleLine, sample, scored_from
from dfactscore.factor.summary import Scored
from dfactscore.runs.journal import Journal
from dfactscore.runs.manifest import SCHEMA, check_same, new_manifest, write_manifest

__all__ = ["COMMAND", "FactorRun", "read_factor_manifest"]

COMMAND = "factor score"


def read_factor_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a run of `factor score`.

    Raises:
        RunError: If the folder holds something else.
    """
    path = folder / "manifest.json"
    manifest = read_json(path, error=RunError)
    if not isinstance(manifest, dict) or manifest.get("schema") != SCHEMA:
        raise RunError(f"{path}: damaged or of another version; restore it or start a new run")
    if manifest.get("command") != COMMAND:
        raise RunError(
            f"{folder}: holds a run of {manifest.get('command')!r}; choose another --out"
        )
    if not isinstance(manifest.get("settings"), dict):
        raise RunError(f"{path}: damaged (it has no settings); restore it or start a new run")
    return manifest


class FactorRun:
    """A run folder that is being written; one process at a time.

    Args:
        folder: The folder.
        manifest: Its manifest, or None where there is none yet.
    """

    def __init__(self, folder: Path, manifest: Mapping[str, Any] | None) -> None:
        self.folder = folder
        self.manifest = dict(manifest or {})
        self._lock = WriteLock(folder / ".lock", str(folder))
        try:
            remove_leftovers(folder)
            self._journal = Journal(folder / "samples.jsonl", SampleLine)
        except BaseException:
            self._lock.release()
            raise

    @classmethod
    def there(cls, folder: Path) -> FactorRun | None:
        """Opens a folder that holds a run, if it does.

        Raises:
            RunError: If it holds something else.
        """
        if not (folder / "manifest.json").exists():
            if folder.is_dir() and any(p for p in folder.iterdir() if p.name != ".lock"):
                raise RunError(f"{folder}: exists and is not a run folder; choose another --out")
            return None
        return cls(folder, read_factor_manifest(folder))

    @classmethod
    def begin(
        cls,
        folder: Path,
        settings: Mapping[str, Any],
        source: Mapping[str, Any],
        bad: Sequence[BadItem],
        opened: FactorRun | None,
    ) -> FactorRun:
        """Begins a run, or resumes one that has the same settings.

        Raises:
            RunError: If the folder holds a run with other settings.
        """
        manifest = new_manifest(command=COMMAND, source=source, settings=settings)
        manifest = parse_json(dump_json(manifest))  # as it will be read
        if opened is not None:
            parts = ("command", "settings", "versions")
            check_same(folder, {k: opened.manifest.get(k, {}) for k in parts}, manifest)
            run = opened
        else:
            make_folder(folder)
            run = cls(folder, None)
        run.manifest = manifest
        write_manifest(folder, manifest)
        if bad:
            write_jsonl(folder / "errors.jsonl", [asdict(one) for one in bad])
        return run

    @property
    def model(self) -> Mapping[str, Any]:
        """The settings of the model that scored what is there."""
        found: Mapping[str, Any] = self.manifest.get("settings", {}).get("model", {})
        return found

    def has_all(self, wanted: Iterable[tuple[str, Any]]) -> bool:
        """Whether nothing is left to be asked."""
        return all(key in self._journal for key, _ in wanted)

    def read(self, items: Mapping[str, FactorItem]) -> dict[str, Scored]:
        """What is there already, by key."""
        keys = [key for key in items if key in self._journal]
        found = {}
        for key, record in zip(keys, self._journal.records(keys), strict=True):
            if record is None:
                continue
            item = items[key]
            if len(record["completions"]) != len(item.completions):
                raise RunError(
                    f"{self._journal.path}: item {item.id!r}: {len(record['completions'])} "
                    f"completions, and it has {len(item.completions)}; restore the file or start "
                    "a new run"
                )
            found[key] = scored_from(record, item)
        return found

    def keep(self, key: str, one: Scored) -> None:
        """Appends an item."""
        brief = bool(self.manifest["settings"].get("brief"))
        self._journal.append(key, sample(one, brief=brief))

    def finish(self, keys: Sequence[str], results: FactorResults) -> None:
        """Puts samples into the order of the items; writes scores, summary and manifest."""
        journal = Journal(self.folder / "samples.jsonl")
        try:
            lost = [key for key in journal.keys() if key not in set(keys)]  # noqa: SIM118
            if lost:
                raise RunError(
                    f"{self.folder}: contains {len(lost)} items that the input does not have (a "
                    "limit may grow, not shrink); choose another --out"
                )
            journal.settle(keys)
            complete = len(journal) == len(keys)
        finally:
            journal.close()
        rows = score_rows(results.scored, results.normalize)
        write_text(self.folder / "scores.csv", csv_text(rows))
        write_json(self.folder / "summary.json", results.summary)
        self.manifest["status"] = "complete" if complete else "incomplete"
        write_manifest(self.folder, self.manifest)

    def close(self) -> None:
        """Closes the files."""
        self._journal.close()
        self._lock.release()
