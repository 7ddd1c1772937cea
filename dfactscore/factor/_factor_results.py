"""The results of a FACTOR evaluation and their tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._results.signature import signature_lines
from dfactscore._util.numbers import counted, number, percent
from dfactscore.factor._summary import Scored
from dfactscore.factor._verdicts import NORMALIZATIONS, Normalization
from dfactscore.measures._table import Column, Table, aligned

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class FactorResults:
    """The scores of items; printing it prints the table.

    Attributes:
        scored: The items and their likelihoods.
        summary: Means over items; if there are several contexts, they are under ``contexts``.
        normalize: What the log-probabilities were divided by.
        folder: The run folder, or None.
        signature: What a paper must state so that the scores can be reproduced.
    """

    scored: tuple[Scored, ...]
    summary: Mapping[str, Any]
    normalize: Normalization = "token"
    folder: Path | None = None
    signature: str = ""

    @property
    def accuracy(self) -> float | None:
        """The share of items whose true completion is strictly likelier than all others."""
        value: float | None = self.summary["accuracy"]
        return value

    def to_frame(self) -> pd.DataFrame:
        """One row per item and context."""
        import pandas as pd

        return pd.DataFrame(score_rows(self.scored, self.normalize))

    def __str__(self) -> str:
        text = summary_text(self.summary)
        if "ambig" in self.summary:
            text += "\n\n" + owners_text(self.summary["ambig"])
        return "\n".join([text, *signature_lines({"": self.signature})])


def score_rows(scored: tuple[Scored, ...], by: Normalization) -> list[dict[str, Any]]:
    """Returns the rows of ``scores.csv``."""
    rows = []
    for reading in scored:
        verdict = reading.verdict(by)
        row: dict[str, Any] = {
            "id": reading.item.id,
            "document": reading.item.document,
            "cluster": reading.item.cluster,
            "context": reading.context,
            "position": reading.position,
            "status": "error" if verdict is None else "scored",
            "right": None if verdict is None else verdict.right,
            "tie": None if verdict is None else verdict.tie,
            "credit": None if verdict is None else verdict.credit,
            "margin": None if verdict is None else verdict.margin,
            "picked": None if verdict is None else verdict.picked,
            "completions": len(reading.continuations),
            "tokens": len(reading.continuations[0].tokens),
            "dropped": max(c.dropped for c in reading.continuations),
        }
        for name in NORMALIZATIONS:
            scores = reading.scores(name) if verdict is not None else []
            row[f"{name}_true"] = scores[0] if scores else None
            row[f"{name}_best_false"] = max(scores[1:]) if scores else None
        row["reason"] = reading.error or None
        rows.append(row)
    return rows


def summary_text(summary: Mapping[str, Any]) -> str:
    """The summary as a table with one column per context."""
    contexts: Mapping[str, Mapping[str, Any]] = summary.get("contexts") or {"": summary}
    rows = [(label, [cell(f) for f in contexts.values()]) for label, cell in _ROWS]
    for kind in dict.fromkeys(kind for means in contexts.values() for kind in means["by_type"]):
        cells = [percent(f["by_type"].get(kind, {}).get("accuracy")) for f in contexts.values()]
        rows.append((f"  above {kind}", cells))
    return _by_context(contexts, rows)


def _by_context(contexts: Iterable[str], rows: Sequence[tuple[str, list[str]]]) -> str:
    """A table with one column per context, all equally wide."""
    titles = list(contexts)
    width = max(len(cell) for cells in (titles, *(cells for _, cells in rows)) for cell in cells)
    columns = (Column(left=True), *(Column(title, width=width) for title in titles))
    return aligned(Table(columns, tuple((label, *cells) for label, cells in rows)))


def owners_text(measures: Mapping[str, Any]) -> str:
    """A table of AmbigFACTOR's measures, with one column per context."""
    contexts: Mapping[str, Mapping[str, Any]] = measures["contexts"]
    rows: list[tuple[str, list[str]]] = []

    def add(label: str, value: Any) -> None:
        rows.append((label, [percent(value(one)) for one in contexts.values()]))

    add("accuracy %", lambda one: one["accuracy"]["mean"])
    rows.append(("  95 % interval", [_interval(one["accuracy"]) for one in contexts.values()]))
    add("  chance", lambda one: one["chance"])
    add("true above a namesake's fact", lambda one: one["true_over_namesake"])
    add("true above a stranger's fact", lambda one: one["true_over_stranger"])
    add("confusion gap", lambda one: one["confusion_gap"])
    add("errors with a namesake's fact", lambda one: one["errors_of_namesakes"])
    for name in ("shortest", "longest", "overlap", "without_prior"):
        label = "accuracy without the prior" if name == "without_prior" else f"control: {name}"
        add(label, lambda one, n=name: one["controls"][n])
    for kind, label in (("by_slot", "slot"), ("by_position", "page")):
        for name in dict.fromkeys(n for one in contexts.values() for n in one[kind]):
            add(f"  {label} {name}", lambda one, k=kind, n=name: one[k].get(n, {}).get("mean"))
    lines = [f"{counted(measures['items'], 'item')}, {counted(measures['leaks'], 'leak')} left out"]
    lines.append(_by_context(contexts, rows))
    for key, label in (
        ("prior", "after the bare name"),
        ("context_gain", "context gain (all - none)"),
        ("interference", "interference (gold - all)"),
    ):
        if key in measures:
            lines.append(f"{label}: {percent(measures[key]['mean'])} [{_interval(measures[key])}]")
    return "\n".join(lines)


def _interval(measure: Mapping[str, Any]) -> str:
    low, high = measure["interval"]
    return "-" if low is None else f"{100 * low:.1f}–{100 * high:.1f}"


_ROWS: tuple[tuple[str, Any], ...] = (
    ("items", lambda f: str(f["items"])),
    ("coverage", lambda f: percent(f["coverage"])),
    ("accuracy %", lambda f: percent(f["accuracy"])),
    ("  95 % interval", _interval),
    ("  with shared ties", lambda f: percent(f["accuracy_tie_credit"])),
    ("  ties", lambda f: str(f["ties"])),
    ("  chance", lambda f: percent(f["chance"])),
    ("pairs right %", lambda f: percent(f["pairwise_accuracy"])),
    ("mean margin", lambda f: number(f["mean_margin"], digits=3)),
    ("perplexity per token", lambda f: number(f["perplexity_token"])),
    ("perplexity per byte", lambda f: number(f["perplexity_byte"])),
    ("contexts cut", lambda f: str(f["truncated"])),
)
