"""The scores of one run by name, for a comparison, and F1@K."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dfactscore._errors import InputError
from dfactscore._metrics import PAPER_KS, f1_at_k, f1_key
from dfactscore._scoring.biography_scores import ANSWERS, CATEGORIES, MEASURES
from dfactscore._util.numbers import decimal
from dfactscore.retrieval._normalize import normalize_title

_REASONS = ("contradicted", "not_stated")
_COLUMNS_READ = tuple(m.name for m in MEASURES.values() if m.compared)
_Columns = dict[str, NDArray[np.float64]]  # by measure


class Counted(NamedTuple):
    """Fact counts for one text; an unknown count is None."""

    name: str
    supported: float | None
    unsupported: float | None
    n_facts: float
    silent: bool
    contradicted: float | None = None
    not_stated: float | None = None


@dataclass(frozen=True)
class RunScores:
    """The scores of one run by name.

    Attributes:
        label: The label of the run in tables.
        names: The names as first spelled, or positions (``"#1"``) if the source has no names.
        values: For each of `MEASURES`, an array of shape ``(names,)``: shares in [0, 1] or counts,
            averaged over the name's biographies, and NaN if there is no value (an abstention has no
            FS). ``"kept"`` is the mean D-FS divided by the mean FS.
        weights: For each of `MEASURES`, the number of the name's biographies with a value. For
            ``"kept"``, their total FS, so that the mean over names is also a ratio of means.
        paired: For each name, the number of its biographies with both FS and D-FS.
        fs_paired: The mean FS of the biographies with both scores, which is used for the gap; NaN
            if there are none.
        biographies: The number of biographies, including abstentions.
        positional: Whether the source has no names and is aligned by position.
        aggregates: Means for which the source does not contain the per-text values.
        evidence: The type of evidence (``"page"`` or ``"passages"``); empty if unknown.
        evidence_words: The median length of the evidence per entity, in words; None if unknown.
        notes: Notes for the reader.
        settings: The score settings by dotted name.
        signature: The run's signature; empty if unknown.
        counted: The fact counts of each text, in the order of the source.
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
        """The number of biographies that are not abstentions."""
        share = self.values["response_rate"] * self.weights["response_rate"]
        return round(float(np.nansum(share)))


def run_scores(
    label: str,
    # One mapping per biography: `name`, `status` (`"abstained"` lowers the response rate, `"error"`
    # does not) and the scores, or None.
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
    """Collects the scores of a run's biographies.

    A name may have several biographies (several samples of the model). These stay together when
    names are resampled for an interval, and two runs are compared by their means per name. A note
    says so.
    """
    rows = list(records)
    if not rows:
        raise InputError(f"{label}: no biography in it")
    names = [f"#{i + 1}" if positional else _name(label, i, row) for i, row in enumerate(rows)]
    first: dict[str, str] = {}  # the first spelling of each name, by normal form
    names = [first.setdefault(normalize_title(name), name) for name in names]
    columns = {m: np.full(len(rows), np.nan) for m in MEASURES}
    for i, row in enumerate(rows):
        for measure, value in text_measures(label, names[i], row).items():
            columns[measure][i] = value
    all_notes = list(notes)
    if len(set(names)) < len(names):
        all_notes.append(
            f"{label}: {len(rows)} biographies of {len(set(names))} names; intervals draw names "
            "with all their biographies, differences are between the means of a name"
        )
    distinct = list(dict.fromkeys(names))
    places = {name: i for i, name in enumerate(distinct)}
    name_indexes = np.array([places[name] for name in names])
    values, weights = _by_name(name_indexes, len(distinct), columns)
    paired, total = _add_kept(name_indexes, columns, values, weights)
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
        notes=tuple(all_notes),
        settings=settings or {},
        signature=signature,
        counted=tuple(_counted(label, n, row) for n, row in zip(names, rows, strict=True)),
    )


def _name(label: str, index: int, row: Mapping[str, Any]) -> str:
    name = row.get("name")
    if not isinstance(name, str) or not name:
        fields = ", ".join(map(repr, row)) or "nothing"
        raise InputError(f"{label}: record {index + 1} has no 'name' (it has {fields})")
    return name


def text_measures(label: str, name: str, row: Mapping[str, Any]) -> dict[str, float]:
    """Returns the measures of one text, given its row of scores; NaN for a missing score."""
    out = {m: _number(label, name, m, row.get(m)) for m in _COLUMNS_READ}
    status = row.get("status") or ("scored" if not np.isnan(out["fs"]) else "abstained")
    abstained = status == "abstained"
    if np.isnan(out["fs"]):
        out = dict.fromkeys(out, np.nan)  # the number of facts of an abstention is undefined, not 0
    out["gap"] = out["fs"] - out["dfs"]
    out["dfs_adjusted"] = 0.0 if abstained else out["dfs"]
    groups = _number(label, name, "n_mixed_groups", row.get("mixed_groups"))
    out["mixed"] = groups if np.isnan(groups) else float(groups > 0)
    out["response_rate"] = np.nan if status == "error" else float(not abstained)
    category = row.get("category")
    if category in CATEGORIES:
        out.update({c: float(c == category) for c in CATEGORIES})
    if (answer := row.get("answer")) in ANSWERS:
        out.update({f"answer_{kind}": float(kind == answer) for kind in ANSWERS})
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


def _by_name(
    name_indexes: NDArray[np.intp], size: int, columns: _Columns
) -> tuple[_Columns, _Columns]:
    """Returns the mean over each name's biographies and the number of biographies in each mean."""
    means, weights = {}, {}
    for measure, column in columns.items():
        has_value = ~np.isnan(column)
        count = np.bincount(name_indexes[has_value], minlength=size).astype(np.float64)
        total = np.bincount(name_indexes[has_value], column[has_value], minlength=size)
        with np.errstate(invalid="ignore"):
            means[measure] = total / count  # 0 / 0 is NaN: no biography has a value
        weights[measure] = count
    return means, weights


def _add_kept(
    name_indexes: NDArray[np.intp], columns: _Columns, values: _Columns, weights: _Columns
) -> tuple[NDArray[np.float64], float]:
    """Adds D-FS / FS by name; returns the number of biographies with both and their total FS."""
    size = len(values["fs"])
    has_both = ~np.isnan(columns["fs"]) & ~np.isnan(columns["dfs"])
    paired = np.bincount(name_indexes[has_both], minlength=size).astype(np.float64)
    fs, dfs = (
        np.bincount(name_indexes[has_both], columns[m][has_both], minlength=size)
        for m in ("fs", "dfs")
    )
    ratio = np.divide(dfs, fs, out=np.zeros(size), where=fs > 0)
    values["kept"] = np.where(paired > 0, ratio, np.nan)
    weights["kept"] = fs.astype(np.float64)
    return paired, float(fs.sum())


def parse_ks(texts: Iterable[str]) -> tuple[float | str, ...]:
    """Parses the values of ``--f1-at``: numbers above 0, ``"median"`` or ``"max"``."""
    ks: list[float | str] = []
    for text in texts:
        if text in ("median", "max"):
            ks.append(text)
            continue
        try:
            k = float(text)
        except ValueError:
            k = 0.0
        if not 0 < k < float("inf"):
            raise InputError(f"--f1-at {text!r}: expected a number of facts, median or max")
        ks.append(k)
    return tuple(dict.fromkeys(ks))


def with_f1(
    scores: Sequence[RunScores], ks: Sequence[float | str] = PAPER_KS
) -> tuple[RunScores, ...]:
    """Adds F1@K to the measures of each run that has fact counts.

    The F1@K of an abstention or a text without facts is 0, because its recall is 0. Failed texts
    have no F1@K.
    """
    sizes = [c.n_facts for run in scores for c in run.counted if c.n_facts]
    numbers = []
    for k in ks:
        if isinstance(k, str) and not sizes:
            continue
        numbers.append(
            float(statistics.median(sizes) if k == "median" else max(sizes))
            if isinstance(k, str)
            else k
        )
    return tuple(_with_values(run, list(dict.fromkeys(numbers))) for run in scores)


def _with_values(run: RunScores, ks: Sequence[float]) -> RunScores:
    if not any(c.supported is not None for c in run.counted):
        return run
    values, weights = dict(run.values), dict(run.weights)
    places = {name: i for i, name in enumerate(run.names)}
    for k in ks:
        total, count = np.zeros(len(places)), np.zeros(len(places))
        for counts in run.counted:
            value = _value(counts, k)
            if value is not None:
                total[places[counts.name]] += value
                count[places[counts.name]] += 1
        with np.errstate(invalid="ignore"):
            values[f1_key(k)] = total / count  # 0 / 0 is NaN: no text for the name has a value
        weights[f1_key(k)] = count
    return replace(run, values=values, weights=weights)


def _value(counts: Counted, k: float) -> float | None:
    if counts.silent:
        return 0.0
    if counts.supported is None or counts.unsupported is None:
        return None
    return f1_at_k(counts.supported, counts.unsupported, k)
