"""Reads the scores of texts from a run, a study, a released file or a table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

from dfactscore._errors import InputError
from dfactscore._readers.files import file_rows
from dfactscore._readers.record_fields import Columns, at
from dfactscore._results.judge import judge_name
from dfactscore._results.signature import signature_of
from dfactscore._util.jsonl import read_jsonl
from dfactscore._util.message_text import near_file
from dfactscore._util.numbers import decimal
from dfactscore._util.tables import TABLES, csv_rows, kind_of
from dfactscore.annotation._adjudication import answered_items
from dfactscore.annotation._paragraphs import public_text
from dfactscore.annotation._report import people_scores
from dfactscore.annotation._study import Study
from dfactscore.comparison._loading import refuse_bounds, released_rows, scored_folder
from dfactscore.comparison._scores import text_measures
from dfactscore.retrieval._normalize import normalize_title

Measured: TypeAlias = Mapping[str, str]
"""The column of each measure, if other columns than those of `scores.csv` are scores."""
_WORDS = {"true": 1.0, "false": 0.0, "yes": 1.0, "no": 0.0}
#: Measures that are shares and may be given in percent; the others are counts.
_SHARES = ("fs", "dfs", "dfs_one_group", "coverage")


@dataclass(frozen=True, slots=True)
class Text:
    """A text and its scores."""

    id: str  # text's id in the source; empty if it has none
    name: str  # target name; empty if there is none
    text: str | None  # text itself; None if the source does not contain it
    run: str  # run that the text belongs to; empty if unknown
    values: Mapping[str, float]  # scores by measure: shares in [0, 1] or counts
    place: str  # file and line, as shown in messages
    model: str = ""  # model that wrote the text; empty if unknown

    @property
    def paired_by(self) -> str:
        """The normalized name, which is used to pair texts."""
        return normalize_title(public_text(self.name))


@dataclass(frozen=True)
class Scores:
    """The texts of one source."""

    label: str
    source: str
    texts: tuple[Text, ...]
    drawn: str = ""  # description of the draw, if the source says that texts were drawn at random
    notes: tuple[str, ...] = field(default=())
    judge: str = ""  # judge; empty if it is unknown
    signature: str = ""  # signature of the run; empty for other sources

    @property
    def title(self) -> str:
        """The label, including the judge."""
        return f"{self.label} (judged by {self.judge})" if self.judge else self.label


def read_scores(
    # A run folder, a study (`.db`), JSON lines or CSV with one row per text (`id` or `name`, and
    # scores such as `dfs`), or released verdicts with names.
    path: str | Path,
    *,
    label: str = "",
    of: str = "",
    columns: Columns | None = None,
    percent: bool = False,
    measured: Measured | None = None,
) -> Scores:
    """Reads the scores of texts."""
    scores = _read(Path(path), label, columns or Columns(), percent, measured or {})
    return replace(scores, texts=tuple(replace(t, run=of) for t in scores.texts)) if of else scores


def _read(path: Path, label: str, columns: Columns, percent: bool, measured: Measured) -> Scores:
    label = label or (path.resolve().name if path.is_dir() else path.stem)
    if path.is_dir():
        return _run(path, label, measured)
    if not path.exists():
        raise InputError(f"{path}: no such run, study or file of scores{near_file(path)}")
    if path.suffix == ".db":
        return _study(path, label)
    if kind_of(path) in TABLES:
        rows: list[tuple[str, Mapping[str, Any]]] = [*csv_rows(path, (), error=InputError)]
    elif kind_of(path) in (".json", ".jsonl"):
        released = None if measured else _released(path, label)
        if released is not None:
            return released
        rows = [*file_rows(path)]
    else:
        raise InputError(
            f"{path}: scores are read from a run folder, a study (.db), a table "
            f"({', '.join(TABLES)}), .jsonl, or a released evaluation (.json)"
        )
    refuse_bounds(label, [row for _, row in rows])
    if not rows:
        raise InputError(f"{path}: has no row")
    texts = tuple(_row(place, row, columns, percent, measured) for place, row in rows)
    if not any(text.values for text in texts):
        found = ", ".join(map(str, rows[0][1]))
        wanted = ", ".join(dict.fromkeys(measured.values())) or "fs, dfs and the like"
        more = "" if measured else "; --column NAME chooses another column"
        raise InputError(f"{path}: has no scores ({wanted}): it has {found}{more}")
    return Scores(label, str(path), texts)


def _run(folder: Path, label: str, measured: Measured) -> Scores:
    scores, manifest = scored_folder(folder)
    refuse_bounds(label, [row for _, row in csv_rows(scores, (), error=InputError)])
    journal = folder / "biographies.jsonl"
    lines = read_jsonl(journal, error=InputError) if journal.exists() else ()
    texts_by_id = {str(line.get("id")): str(line.get("text", "")) for _, line in lines}
    texts = tuple(
        Text(
            row["id"],
            row.get("name", ""),
            texts_by_id.get(row["id"]),
            "",
            _chosen(place, row, measured) if measured else _values(place, row),
            place,
            row.get("model", ""),
        )
        for place, row in csv_rows(scores, ("id", "name"), error=InputError)
    )
    notes = []
    if manifest.get("status") not in (None, "complete"):
        notes.append(f"{label}: the run is {manifest['status']}, some texts have no scores")
    settings = manifest.get("settings", {})
    sample = settings.get("sample")
    each = f" for each of {sample['models']} models" if sample and "models" in sample else ""
    draw = f"{sample['n']}{each} of {sample['of']} texts (seed {sample['seed']})" if sample else ""
    judged = bool(settings.get("verifier"))
    return Scores(
        label,
        str(folder),
        texts,
        draw,
        tuple(notes),
        judge=judge_name(settings) if judged else "",
        signature=signature_of(manifest) if judged else "",
    )


def _study(path: Path, label: str) -> Scores:

    with Study(path) as study:
        items = answered_items(study)
        settings = study.settings
    texts, undecided = [], 0
    for item in items:
        scores = people_scores(item, "keep")
        if scores is None:
            continue
        assert item.gold is not None
        undecided += item.gold[0] == "undecided"
        paragraph = item.item
        texts.append(
            Text(
                paragraph.record,
                paragraph.name,
                paragraph.text,
                paragraph.run,
                _values(f"{path}: {paragraph.name}", scores),
                f"{path}: {paragraph.name} ({paragraph.record})",
            )
        )
    if not texts:
        raise InputError(f"{path}: no paragraph is finished; 'dfactscore annotate serve {path}'")
    notes = []
    if undecided:
        notes.append(
            f"{label}: annotators disagree on {undecided} of {len(texts)} paragraphs without an "
            "adjudication: the mean of their scores is used"
        )
    draw = ""
    if settings.get("sample") is not None or len(texts) == len(items):
        draw = f"{len(items)} paragraphs drawn for the study (seed {settings['seed']})"
    return Scores(label, str(path), tuple(texts), draw, tuple(notes))


def _released(path: Path, label: str) -> Scores | None:
    """Reads released verdicts; returns None for any other JSON lines file."""
    if path.suffix == ".jsonl":
        first: object = next((row for _, row in read_jsonl(path, error=InputError)), {})
        if not isinstance(first, Mapping) or "decisions" not in first:
            return None
    rows = released_rows(path)
    if any(not row["name"] for row in rows):
        raise InputError(
            f"{path}: its biographies have no names, so that scores cannot be matched to texts; "
            "give verdicts with names, as JSON lines"
        )
    texts = (
        Text(
            "",
            row["name"],
            None,
            "",
            _values(f"{path}: {row['name']}", row),
            f"{path}: {row['name']}",
        )
        for row in rows
    )
    return Scores(label, str(path), tuple(texts))


def _row(
    place: str, row: Mapping[str, Any], columns: Columns, percent: bool, measured: Measured
) -> Text:
    record = columns.rename(row)
    key, name = str(record.get("id") or ""), str(record.get("name") or "")
    if not key and not name:
        raise InputError(
            f"{place}: has neither 'id' nor 'name' (it has {', '.join(map(str, row)) or 'nothing'})"
            "; --field id=COLUMN and --field name=COLUMN choose others"
        )
    if not measured:
        record = {k: _scaled(place, k, v, percent) for k, v in record.items()}
    text = record.get("text")
    return Text(
        key,
        name,
        text if isinstance(text, str) and text else None,
        str(record.get("run") or ""),
        _chosen(place, row, measured) if measured else _values(place, record),
        place,
        str(record.get("model") or ""),
    )


def _chosen(place: str, row: Mapping[str, Any], measured: Measured) -> dict[str, float]:
    """Returns the values of the chosen columns, by measure."""
    values = {}
    for measure, column in measured.items():
        value = at(row, column)
        if value not in (None, "") and value == value:
            values[measure] = number_of(f"{place}: {column}", value)
    return values


def number_of(what: str, value: Any) -> float:
    """Returns a score or label: a number, or a word such as "yes" for 1 or 0."""
    word = str(value).strip().casefold()
    if word in _WORDS:
        return _WORDS[word]
    try:
        number = decimal(value)
    except (TypeError, ValueError):
        number = math.inf
    if not math.isfinite(number):
        words = ", ".join(_WORDS)
        raise InputError(f"{what} is {value!r}, neither a number nor one of {words}")
    return number


def scores_of(label: str, values: Mapping[str, Any], *, source: str) -> Scores:
    """Returns values in memory as scores: by measure, each by id (a mapping) or by position."""
    rows: dict[str, dict[str, float]] = {}
    sizes = {measure: len(column) for measure, column in values.items()}
    if len(set(sizes.values())) > 1 and not all(isinstance(c, Mapping) for c in values.values()):
        raise InputError(f"{source}: columns differ in length: {sizes}; give mappings by id")
    for measure, column in values.items():
        pairs = column.items() if isinstance(column, Mapping) else enumerate(column)
        for key, value in pairs:
            row = rows.setdefault(str(key), {})
            if value is not None and value == value:
                row[measure] = number_of(f"{source}: {measure} of {key!r}", value)
    texts = (Text(key, "", None, "", row, f"{source}: {key}") for key, row in rows.items())
    return Scores(label, source, tuple(texts))


def _scaled(place: str, key: str, value: Any, percent: bool) -> Any:
    """Converts a percentage to a share, if its measure is a share."""
    if key not in _SHARES and not key.startswith("f1_at_"):
        return value
    try:
        number = decimal(value)
    except (TypeError, ValueError):
        return value
    if percent:
        return number / 100
    if 1 < number <= 100:
        raise InputError(f"{place}: {key} is {value}; add --percent if scores are from 0 to 100")
    return value


def _values(place: str, row: Mapping[str, Any]) -> dict[str, float]:
    """Returns those of a text's measures that have a value."""
    values = text_measures(place, "", row)
    for key in row:
        if key.startswith("f1_at_") and row[key] not in ("", None):
            values[key] = decimal(row[key])
    status, dfs = row.get("status") or "", row.get("dfs")
    if not status:
        # Without a status, a text without scores may be an abstention or simply lack a label.
        values = {k: v for k, v in values.items() if k not in ("response_rate", "dfs_adjusted")}
    if row.get("fs") in ("", None) and dfs not in ("", None) and status != "abstained":
        values["dfs"] = text_measures(place, "", {"fs": dfs, "dfs": dfs})["dfs"]
    return {k: v for k, v in values.items() if not math.isnan(v)}


def texts_by(texts: Iterable[Text], key: str) -> dict[str, list[Text]]:
    """Groups texts by the value of an attribute, omitting texts without a value."""
    groups: dict[str, list[Text]] = {}
    for text in texts:
        value = getattr(text, key)
        if value is not None:
            groups.setdefault(public_text(value), []).append(text)
    return groups
