"""Scores of one run per biography, as a comparison needs them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dfactscore._errors import InputError
from dfactscore._scoring.category import CATEGORIES
from dfactscore._scoring.run_measures import MEASURES
from dfactscore._util.numbers import decimal
from dfactscore.retrieval._normalize import normalize_title

# The names in scores of an earlier release.
_REASONS = ("contradicted", "not_stated")
_READ = tuple(m.name for m in MEASURES.values() if m.compared)
_Columns = dict[str, NDArray[np.float64]]  # by measure


class Counted(NamedTuple):
    """The facts of one text; None if they were not counted.

    Attributes:
        name: Its name among those of the run.
        supported: Supported facts that are relevant.
        unsupported: The other relevant facts.
        n_facts: All its facts; 0 if there are none.
        silent: Whether it abstains or has no facts.
        contradicted: Unsupported facts that a page contradicts.
        not_stated: The other unsupported facts.
    """

    name: str
    supported: float | None
    unsupported: float | None
    n_facts: float
    silent: bool
    contradicted: float | None = None
    not_stated: float | None = None


@dataclass(frozen=True)
class RunScores:
    """One run's scores by name.

    Attributes:
        label: Its name in tables.
        names: One per entry, as first written; positions (``"#1"``) where the source has none.
        values: For each of `MEASURES` an array of shape ``(names,)``: shares in [0, 1] or counts,
            means over the name's biographies, NaN if it has none (an abstention has no FS).
            ``"kept"`` is D-FS / FS, the mean of one divided by that of the other.
        weights: For each of `MEASURES` how many of the name's biographies have a value; for
            ``"kept"`` their summed FS, so that its mean over names is a ratio of means, too.
        paired: For each name how many of its biographies have both FS and D-FS.
        fs_paired: Mean FS of those biographies, the one that the gap is taken from; NaN without
            any.
        biographies: Number of biographies, answered or not.
        positional: Whether the source has no names, so that only position aligns it.
        aggregates: Means that the source stores without the values they are made of.
        evidence: Kind of evidence (``"page"``, ``"passages"``), or empty.
        evidence_words: Its length: the median over entities, in words; None if unknown.
        notes: Notes for the reader.
        settings: The score settings, by dotted name.
        signature: Of the run that judged; empty if unknown.
        counted: The facts of each text, in the order of the source.
    """

    label: str
    names: tuple[str, ...]
    values: Mapping[str, NDArray[np.float64]]
    weights: Mapping[str, NDArray[np.float64]]
    paired: NDArray[np.float64]
    fs_paired: float
    biographies: int
    positional: bool = False
    aggregates: Mapping[str, float] = field(default_factory=dict)
    evidence: str = ""
    evidence_words: float | None = None
    notes: tuple[str, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    signature: str = ""
    counted: tuple[Counted, ...] = ()

    def __len__(self) -> int:
        return len(self.names)

    @property
    def answered(self) -> int:
        """Biographies that are not abstentions."""
        share = self.values["response_rate"] * self.weights["response_rate"]
        return round(float(np.nansum(share)))


def run_scores(
    label: str,
    records: Iterable[Mapping[str, Any]],
    *,
    positional: bool = False,
    aggregates: Mapping[str, float] | None = None,
    evidence: str = "",
    evidence_words: float | None = None,
    notes: Iterable[str] = (),
    settings: Mapping[str, str] | None = None,
    signature: str = "",
) -> RunScores:
    """Gathers the scores of a run's biographies.

    A name may have several biographies (several samples of the model). They stay together when
    names are resampled for an interval, and two runs are compared by the name's means; a note
    says so.

    Args:
        label: Name of the run in tables.
        records: One mapping per biography: ``name``, ``status`` (``"abstained"`` lowers the
            response rate, ``"error"`` leaves it) and the scores, None if there is none.
        positional: Whether the records have no names and are aligned by position.
        aggregates: Means known without the values they are made of.
        evidence: Kind of evidence.
        evidence_words: Its length.
        notes: Notes for the reader.
        settings: The score settings, by dotted name.
        signature: Of the run that judged.

    Raises:
        InputError: If there is no record, one has no name, or a score is not a number in range.
    """
    rows = list(records)
    if not rows:
        raise InputError(f"{label}: no biography in it")
    names = [f"#{i + 1}" if positional else _name(label, i, row) for i, row in enumerate(rows)]
    first: dict[str, str] = {}  # how a name is first written, by its normal form
    names = [first.setdefault(normalize_title(name), name) for name in names]
    columns = {m: np.full(len(rows), np.nan) for m in MEASURES}
    for i, row in enumerate(rows):
        for measure, value in text_measures(label, names[i], row).items():
            columns[measure][i] = value
    said = list(notes)
    if len(set(names)) < len(names):
        said.append(
            f"{label}: {len(rows)} biographies of {len(set(names))} names; intervals draw names "
            "with all their biographies, differences are between the means of a name"
        )
    distinct = list(dict.fromkeys(names))
    places = {name: i for i, name in enumerate(distinct)}
    of = np.array([places[name] for name in names])
    values, weights = _by_name(of, len(distinct), columns)
    paired, total = _kept(of, columns, values, weights)
    return RunScores(
        label=label,
        names=tuple(distinct),
        values=values,
        weights=weights,
        paired=paired,
        fs_paired=total / paired.sum() if paired.sum() else float("nan"),
        biographies=len(rows),
        positional=positional,
        aggregates=aggregates or {},
        evidence=evidence,
        evidence_words=evidence_words,
        notes=tuple(said),
        settings=settings or {},
        signature=signature,
        counted=tuple(_counted(label, n, row) for n, row in zip(names, rows, strict=True)),
    )


def _name(label: str, index: int, row: Mapping[str, Any]) -> str:
    name = row.get("name")
    if not isinstance(name, str) or not name:
        known = ", ".join(map(repr, row)) or "nothing"
        raise InputError(f"{label}: record {index + 1} has no 'name' (it has {known})")
    return name


def text_measures(label: str, name: str, row: Mapping[str, Any]) -> dict[str, float]:
    """The measures of one text's row of scores; NaN if it has none.

    Raises:
        InputError: If a score is not a number in range.
    """
    out = {m: _number(label, name, m, row.get(m)) for m in _READ}
    status = row.get("status") or ("scored" if not np.isnan(out["fs"]) else "abstained")
    abstained = status == "abstained"
    if np.isnan(out["fs"]):
        out = dict.fromkeys(out, np.nan)  # an abstention has no facts, not 0 of them
    out["gap"] = out["fs"] - out["dfs"]
    out["dfs_adjusted"] = 0.0 if abstained else out["dfs"]
    groups = _number(label, name, "n_mixed_groups", row.get("mixed_groups"))
    out["mixed"] = groups if np.isnan(groups) else float(groups > 0)
    out["response_rate"] = np.nan if status == "error" else float(not abstained)
    category = row.get("category")
    if category in CATEGORIES:
        out.update({c: float(c == category) for c in CATEGORIES})
    return out


def _counted(label: str, name: str, row: Mapping[str, Any]) -> Counted:
    def count(key: str) -> float | None:
        value = _number(label, name, key, row.get(key))
        return None if np.isnan(value) else value

    silent = row.get("status") in ("abstained", "no_facts")
    return Counted(
        name,
        count("n_supported"),
        count("n_unsupported"),
        count("n_facts") or 0.0,
        silent,
        count("contradicted"),
        count("not_stated"),
    )


def _number(label: str, name: str, measure: str, value: Any) -> float:
    if value is None or value == "":
        return np.nan
    try:
        number = decimal(value)
    except (TypeError, ValueError):
        number = np.inf
    top = np.inf if measure.startswith("n_") or measure in _REASONS else 1.0
    if not (np.isnan(number) or 0 <= number <= top) or number == np.inf:
        raise InputError(f"{label}, {name}: {measure} is {value!r}, not a number from 0 to {top:g}")
    return number


def _by_name(of: NDArray[np.intp], size: int, columns: _Columns) -> tuple[_Columns, _Columns]:
    """Means of each name's biographies, and how many they are made of."""
    means, weights = {}, {}
    for measure, column in columns.items():
        known = ~np.isnan(column)
        count = np.bincount(of[known], minlength=size).astype(np.float64)
        total = np.bincount(of[known], column[known], minlength=size)
        with np.errstate(invalid="ignore"):
            means[measure] = total / count  # 0 / 0 is NaN: no biography has a value
        weights[measure] = count
    return means, weights


def _kept(
    of: NDArray[np.intp], columns: _Columns, values: _Columns, weights: _Columns
) -> tuple[NDArray[np.float64], float]:
    """Fills in D-FS / FS by name; gives how many biographies have both, and their summed FS."""
    size = len(values["fs"])
    both = ~np.isnan(columns["fs"]) & ~np.isnan(columns["dfs"])
    paired = np.bincount(of[both], minlength=size).astype(np.float64)
    fs, dfs = (np.bincount(of[both], columns[m][both], minlength=size) for m in ("fs", "dfs"))
    ratio = np.divide(dfs, fs, out=np.zeros(size), where=fs > 0)
    values["kept"] = np.where(paired > 0, ratio, np.nan)
    weights["kept"] = fs.astype(np.float64)
    return paired, float(fs.sum())
