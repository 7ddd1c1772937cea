"""Loads scores for comparison from a run folder, a released file, a table or a result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Union

from dfactscore._errors import InputError
from dfactscore._results.judge import judge_name, old_recipe, role_name
from dfactscore._results.signature import signature_of
from dfactscore._runs.judge_accuracy import accuracy_line
from dfactscore._scoring.released_scores import Released, ReleasedDecision, read_released
from dfactscore._text.clean_text import one_line
from dfactscore._util.jsonl import read_json
from dfactscore._util.message_text import near_file
from dfactscore._util.numbers import counted
from dfactscore._util.tables import csv_rows
from dfactscore.comparison._scores import RunScores, run_scores

if TYPE_CHECKING:
    import pandas as pd


_Decisions = Sequence[ReleasedDecision]


def released_scores(path: Path, *, label: str) -> RunScores:
    """Computes each biography's FS, D-FS and #ent from the stored verdicts.

    The D-FS pass of the released code dropped the first fact of each paragraph, so its
    denominators differ from those of FActScore. The ``.json`` files have no names and are therefore
    aligned by position. Of the values for ``#bio``, they contain only the mean.
    """
    released = read_released(path)
    aggregates = {}
    n_bio = released.stored.get("num_groups")
    if isinstance(n_bio, (int, float)):
        aggregates["n_bio"] = float(n_bio)
    return run_scores(
        label, released_rows(path, released), positional=not released.names, aggregates=aggregates
    )


def released_rows(path: Path, released: Released | None = None) -> list[dict[str, Any]]:
    """Returns one row of scores per biography; ``name`` is empty if the file has no names."""
    released = released or read_released(path)
    passes = released.decisions, released.global_decisions
    if len(passes[0]) != len(passes[1]):
        raise InputError(
            f"{path}: 'decisions' holds {len(passes[0])} biographies, 'global_decisions' "
            f"{len(passes[1])}; a comparison needs both for each"
        )
    names = released.names or ("",) * len(passes[0])
    return [
        {"name": name, **_row(facts, linked)}
        for name, facts, linked in zip(names, *passes, strict=True)
    ]


def _row(facts: _Decisions | None, linked: _Decisions | None) -> dict[str, Any]:
    if not facts:
        return {"status": "abstained" if facts is None else "no_facts"}
    return {
        "status": "scored",
        "fs": _share(facts),
        "dfs": _share(linked or ()),
        "n_ent": len({d.topic for d in facts if d.is_supported and d.topic is not None}),
        "n_facts": len(facts),
        "n_supported": sum(d.is_supported for d in facts),
        "n_unsupported": sum(not d.is_supported for d in facts),
    }


def _share(decisions: _Decisions) -> float | None:
    return sum(d.is_supported for d in decisions) / len(decisions) if decisions else None


By = Literal["auto", "model", "run"]

# Settings that must agree for the scores of two runs to be comparable.
_JUDGED_BY = ("evidence", "verifier", "pages", "candidates", "scores", "snapshots", "grouper",
              "decomposer")  # fmt: skip
Source = Union[RunScores, "str | Path", "pd.DataFrame", Sequence[Mapping[str, Any]]]


def runs_in(folder: str | Path) -> dict[str, Path]:
    """Returns the runs in a folder, by name; empty if the folder is itself a run."""
    folder = Path(folder)
    if not folder.is_dir() or any((folder / f).exists() for f in ("scores.csv", "manifest.json")):
        return {}
    runs = {}
    for place in sorted(path for path in folder.iterdir() if path.is_dir()):
        run = next((p for p in (place / "run", place) if (p / "scores.csv").is_file()), None)
        if run is not None:
            runs[place.name] = run
    return runs


@dataclass(frozen=True)
class _Table:
    """Rows of scores and information about their run."""

    label: str
    rows: Sequence[Mapping[str, Any]]
    evidence: str = ""
    evidence_words: float | None = None
    notes: tuple[str, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    signature: str = ""


def load_scores(
    # A run folder or the result of `load_run`, a released evaluation file (`.json`, `.jsonl`), a
    # `scores.csv`, the result of `Scorer.score_many`, a data frame or a list of records with the
    # columns of `scores.csv`.
    source: Source,
    *,
    label: str = "",
    # `"model"` returns each model's scores separately, `"run"` returns all scores together, and
    # `"auto"` separates them if the run has several models.
    by: By = "auto",
    single_run: bool = False,
    judged_by: str | Path | None = None,
) -> tuple[RunScores, ...]:
    """Reads the scores of a run, or of each model in the run."""
    if isinstance(source, RunScores):
        return (source,)
    if isinstance(source, (str, Path)):
        loaded = _from_path(Path(source), label, judged_by)
        return (loaded,) if isinstance(loaded, RunScores) else _by_model(loaded, by, single_run)
    records: Any = source
    if hasattr(records, "folder"):
        return load_scores(
            Path(records.folder), label=label, by=by, single_run=single_run, judged_by=judged_by
        )
    if hasattr(records, "to_frame"):
        records = records.to_frame()
    if hasattr(records, "to_dict") and hasattr(records, "columns"):
        records = records.to_dict("records")
    if isinstance(records, Mapping) or not isinstance(records, Sequence):
        raise InputError(
            f"cannot compare a {type(source).__name__}: give a run folder, a released file, "
            "a data frame or a list of records"
        )
    return _by_model(_Table(label or "run", records), by, single_run)


def _by_model(table: _Table, by: By, single_run: bool) -> tuple[RunScores, ...]:
    parts: dict[str, list[Mapping[str, Any]]] = {}
    for row in table.rows:
        model = row.get("model") if isinstance(row, Mapping) else None
        parts.setdefault(model if isinstance(model, str) and model else "", []).append(row)
    models = [model for model in parts if model]
    labeled = {model or "no model": rows for model, rows in parts.items()}
    if by == "run" or not models or (by == "auto" and len(parts) < 2):
        note = (
            f"{table.label}: the scores of {len(parts)} models are averaged together; --rows model "
            f"separates them: {one_line(', '.join(labeled), 80)}"
        )
        return (_scores(table, table.label, table.rows, [note] if len(parts) > 1 else []),)
    prefix = "" if single_run else f"{table.label}/"
    return tuple(_scores(table, f"{prefix}{model}", rows) for model, rows in labeled.items())


def refuse_bounds(label: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Raises an error if texts have bounds instead of scores: means would leave these texts out."""
    bounded = [
        row["status"]
        for row in rows
        if isinstance(row, Mapping)
        and (status := row.get("status")) in ("partly_judged", "not_judged")
        and (status == "partly_judged" or row.get("fs_low") not in (None, ""))
    ]
    if bounded:
        choices = "exclude'" if "not_judged" in bounded else "unsupported' (or exclude)"
        raise InputError(
            f"{label}: {len(bounded)} of {counted(len(rows), 'text')} have bounds instead of a "
            f"score (status {' and '.join(sorted(set(bounded), reverse=True))}), since pages were "
            "not judged; run the same command again, or 'rescore --unreadable "
            f"{choices}"
        )


def _scores(
    table: _Table, label: str, rows: Sequence[Mapping[str, Any]], notes: Sequence[str] = ()
) -> RunScores:
    refuse_bounds(label, rows)
    return run_scores(
        label,
        rows,
        evidence=table.evidence,
        evidence_words=table.evidence_words,
        notes=[*table.notes, *notes],
        settings=table.settings,
        signature=table.signature,
    )


def _from_path(path: Path, label: str, judged_by: str | Path | None) -> _Table | RunScores:
    if path.is_dir():
        return _from_folder(path, label or path.name or path.resolve().name, judged_by)
    if not path.exists():
        raise InputError(f"{path}: no such run or file{near_file(path)}")
    if path.suffix == ".csv":
        return _Table(label or path.stem, _rows(path))
    if path.suffix in (".json", ".jsonl"):
        return released_scores(path, label=label or path.stem)
    raise InputError(
        f"{path}: cannot compare a {path.suffix or 'nameless'} file; give a run folder, "
        "a scores.csv or a released evaluation file (.json, .jsonl)"
    )


def scored_folder(folder: Path) -> tuple[Path, Mapping[str, Any]]:
    """Returns the path of a run's scores, and the run's manifest (empty if there is none)."""
    scores, manifest = folder / "scores.csv", folder / "manifest.json"
    if not scores.exists():
        state = "an unfinished run" if manifest.exists() else "not a run"
        raise InputError(f"{folder}: {state}, it has no scores.csv")
    content = read_json(manifest, error=InputError) if manifest.exists() else {}
    if not isinstance(content, Mapping) or not isinstance(content.get("settings", {}), Mapping):
        raise InputError(f"{manifest}: damaged: expected an object with settings")
    return scores, {**content, "settings": content.get("settings", {})}


def _from_folder(folder: Path, label: str, judged_by: str | Path | None) -> _Table:
    scores, manifest = scored_folder(folder)
    settings = manifest["settings"]
    notes = []
    if manifest.get("status") not in (None, "complete"):
        notes.append(f"{label}: the run is {manifest['status']}, some biographies are not scored")
    if older := old_recipe(settings):
        notes.append(f"{label}: {older}")
    if settings.get("verifier"):
        judge = judge_name(settings)
        measured = accuracy_line(settings["verifier"], judged_by, run=folder)
        judge_phrase = "the built-in judge" if judge == "builtin" else f"the judge {judge}"
        notes.append(f"{label}: {judge_phrase} {measured}")
    words = manifest.get("evidence_words")
    return _Table(
        label,
        _rows(scores),
        evidence=str(settings.get("evidence") or ""),
        evidence_words=float(words) if isinstance(words, (int, float)) and words > 0 else None,
        notes=tuple(notes),
        settings=_flat({key: settings.get(key) for key in _JUDGED_BY} | _package_version(manifest))
        | _role_names(settings),
        signature=signature_of(manifest) if settings.get("verifier") else "",
    )


def _role_names(settings: Mapping[str, Any]) -> dict[str, str]:
    """Returns the names of the roles and pages given in the settings."""
    mappings = {part: value for part, value in settings.items() if isinstance(value, Mapping)}
    roles = ("verifier", "grouper", "decomposer")
    names = {role: role_name(mappings[role]) for role in roles if mappings.get(role)}
    if pages := mappings.get("pages"):
        names["pages"] = str(pages.get("path") or pages.get("kind"))
    return names


def _package_version(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the version of this package that judged the run."""
    versions = manifest.get("versions")
    version = versions.get("dfactscore") if isinstance(versions, Mapping) else None
    return {"versions": {"dfactscore": version}}


def _flat(settings: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for key, value in settings.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{prefix}{key}.")
        elif value not in (None, "", []):
            values = value if isinstance(value, (list, tuple)) else (value,)
            flat[f"{prefix}{key}"] = ", ".join(map(str, values))
    return flat


def _rows(path: Path) -> list[dict[str, str]]:
    return [row for _, row in csv_rows(path, ("dfs", "fs", "name"), error=InputError)]
