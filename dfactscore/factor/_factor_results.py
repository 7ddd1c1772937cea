"""The results of a FACTOR evaluation: verdicts on items, means over items, and tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from dfactscore._results.signature import signature_lines
from dfactscore._util.numbers import counted, finite, mean, number, percent
from dfactscore.factor._factor_items import FactorItem
from dfactscore.likelihood import Continuation
from dfactscore.measures._resampling import clustered_interval
from dfactscore.measures._table import Column, Table, aligned

if TYPE_CHECKING:
    import pandas as pd


Normalization = Literal["token", "sum", "character", "byte"]
NORMALIZATIONS: tuple[Normalization, ...] = get_args(Normalization)
# Means of equal numbers can differ in the last digit, depending on the order of addition.
_EQUAL = 1e-9


@dataclass(frozen=True, slots=True)
class ItemVerdict:
    """Verdicts based on the scores of an item's completions, of which the true one comes first."""

    right: bool
    tie: bool
    # 1 divided by the number of completions with the highest score if the true one is among them,
    # otherwise 0.
    credit: float
    margin: float
    picked: int
    beaten: tuple[bool, ...]


def normalized(continuation: Continuation, by: Normalization) -> float:
    """The log-probability of a continuation, per token, character or byte, or in total.

    The result is NaN if the continuation has no likelihood.
    """
    size = {
        "token": len(continuation.tokens),
        "sum": 1,
        "character": continuation.characters,
        "byte": continuation.bytes,
    }[by]
    return continuation.logprob / size if size and not continuation.error else math.nan


def judge(scores: Sequence[float]) -> ItemVerdict | None:
    """Compares the score of the true completion with the others; None if a score is NaN.

    Example:
        >>> judge([-1.0, -2.0, -1.0]).right, judge([-1.0, -2.0, -1.0]).credit
        (False, 0.5)
    """
    if not all(map(math.isfinite, scores)):
        return None
    true, best = scores[0], max(scores[1:])
    near = max(_EQUAL, 1e-12 * max(abs(score) for score in scores))
    top = max(true, best)
    equal = [abs(score - top) <= near for score in scores]
    return ItemVerdict(
        right=true > best + near,
        tie=equal[0] and sum(equal) > 1,
        credit=1 / sum(equal) if equal[0] else 0.0,
        margin=true - best,
        picked=equal.index(True),
        beaten=tuple(true > score + near for score in scores[1:]),
    )


Policy = Literal["unsupported", "exclude"]


@dataclass(frozen=True, slots=True)
class Scored:
    """An item with the likelihoods of its completions, in one context."""

    item: FactorItem
    context: str  # type of context, such as `"none"`
    position: str  # position of the target's page if there are several pages; otherwise empty
    continuations: tuple[Continuation, ...]
    passages: tuple[str, ...] = ()

    @property
    def error(self) -> str:
        """Why the item has no score; empty if it has one."""
        named = zip(("true completion", *map(str, range(99))), self.continuations, strict=False)
        return next((f"{which}: {c.error}" for which, c in named if c.error), "")

    def scores(self, by: Normalization) -> list[float]:
        """The scores of the completions, starting with the true one."""
        return [normalized(continuation, by) for continuation in self.continuations]

    def verdict(self, by: Normalization) -> ItemVerdict | None:
        """The verdict; None if a completion has no likelihood."""
        return None if self.error else judge(self.scores(by))


Judged = tuple[Scored, ItemVerdict | None]
"""A reading with its verdict; None if a completion has no likelihood."""
Value = Callable[[Scored, ItemVerdict | None], float | None]
"""Returns the value of a reading; None excludes it."""


def summarize(
    scored: Sequence[Scored],
    *,
    by: Normalization = "token",
    policy: Policy = "unsupported",
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> dict[str, Any]:
    """Summarizes items in one context.

    An item with several readings (positions of the page) counts once, using their mean.
    """
    rows = [(reading, reading.verdict(by)) for reading in scored]
    known = [(reading, v) for reading, v in rows if v is not None]
    items = {reading.item.id for reading in scored}
    n_scored = len(items - {reading.item.id for reading, v in rows if v is None})
    counted = counting(rows, policy)
    accuracy = by_item(counted, is_right)
    interval = item_interval(accuracy, confidence=confidence, resamples=resamples, seed=seed)
    pairs = _pairs(counted)
    true = [reading.continuations[0] for reading, _ in known]
    return {
        "items": len(items),
        "scored": n_scored,
        "coverage": n_scored / len(items) if items else None,
        "right": sum(value for value, _ in accuracy.values()),
        "accuracy": mean(value for value, _ in accuracy.values()),
        "interval": interval,
        "accuracy_tie_credit": _mean(by_item(counted, _credit)),
        "ties": sum(v.tie for _, v in known),
        "chance": mean(1 / len(reading.continuations) for reading in scored),
        "pairwise_accuracy": mean(float(beaten) for _, beaten in pairs),
        "mean_margin": mean(v.margin for _, v in known),
        "accuracy_by_normalization": {
            other: _accuracy(scored, other, policy) for other in NORMALIZATIONS
        },
        "by_type": _by_type(pairs),
        "perplexity_token": _perplexity(true, [len(c.tokens) for c in true]),
        "perplexity_byte": _perplexity(true, [c.bytes for c in true]),
        "truncated": len({o.item.id for o in scored if any(c.dropped for c in o.continuations)}),
        "tokens_alone_differ": _alone(scored),
    }


def _accuracy(scored: Sequence[Scored], by: Normalization, policy: Policy) -> float | None:
    return _mean(
        by_item(counting([(reading, reading.verdict(by)) for reading in scored], policy), is_right)
    )


def counting(rows: Iterable[Judged], policy: Policy) -> list[Judged]:
    """The readings to count; `policy` decides whether those without a likelihood are included."""
    return [row for row in rows if row[1] is not None or policy != "exclude"]


def by_item(rows: Iterable[Judged], value: Value) -> dict[str, tuple[float, str]]:
    """The mean value and the cluster of each item, ignoring readings whose value is None."""
    values: dict[str, list[float]] = {}
    clusters: dict[str, str] = {}
    for reading, verdict in rows:
        number = value(reading, verdict)
        if number is not None:
            values.setdefault(reading.item.id, []).append(number)
            clusters[reading.item.id] = reading.item.cluster
    return {key: (math.fsum(v) / len(v), clusters[key]) for key, v in values.items()}


def item_interval(
    values: Mapping[str, tuple[float, str]], *, confidence: float, resamples: int, seed: int
) -> list[float | None]:
    """The bootstrap interval of the mean over items, obtained by resampling clusters."""
    if not values:
        return [None, None]
    bounds = clustered_interval(
        [value for value, _ in values.values()],
        [cluster for _, cluster in values.values()],
        confidence=confidence,
        resamples=resamples,
        seed=seed,
    )
    return [finite(bound) for bound in bounds]


def is_right(reading: Scored, verdict: ItemVerdict | None) -> float:
    """1 if the true completion scores higher than every false one, otherwise 0."""
    return float(verdict is not None and verdict.right)


def _credit(reading: Scored, verdict: ItemVerdict | None) -> float:
    return 0.0 if verdict is None else verdict.credit


def _mean(values: Mapping[str, tuple[float, str]]) -> float | None:
    return mean(value for value, _ in values.values())


def _pairs(rows: Iterable[Judged]) -> list[tuple[str, bool]]:
    """The type of each false completion, and whether the true one scores strictly higher."""
    return [
        (false.type or false.kind, verdict is not None and verdict.beaten[number])
        for reading, verdict in rows
        for number, false in enumerate(reading.item.contradictions)
    ]


def _by_type(pairs: Sequence[tuple[str, bool]]) -> dict[str, Mapping[str, Any]]:
    return {
        kind: {
            "contradictions": sum(k == kind for k, _ in pairs),
            "accuracy": mean(float(beaten) for k, beaten in pairs if k == kind),
        }
        for kind in sorted({k for k, _ in pairs if k})
    }


def _perplexity(continuations: Sequence[Continuation], sizes: Sequence[int]) -> float | None:
    total = sum(sizes)
    if not total:
        return None
    return finite(math.exp(min(700.0, -math.fsum(c.logprob for c in continuations) / total)))


def _alone(scored: Sequence[Scored]) -> int | None:
    """The number of items with a completion that is tokenized differently without its context."""
    known = [
        reading for reading in scored if all(c.alone is not None for c in reading.continuations)
    ]
    if not known:
        return None
    return len(
        {
            o.item.id
            for o in known
            if any(c.alone != len(c.tokens) for c in o.continuations if not c.error)
        }
    )


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
