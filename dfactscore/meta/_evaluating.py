"""Scores evaluators and baselines on labeled data."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from dfactscore._errors import InputError
from dfactscore._results.signature import signature_lines
from dfactscore._util.files import dump_json, write_text
from dfactscore._util.jsonl import write_jsonl
from dfactscore._util.message_text import near_miss
from dfactscore._util.reporting import Progress
from dfactscore._util.tables import csv_text
from dfactscore.meta._data_sets import DataSet
from dfactscore.meta._decisions import LabeledUnits, Opinions, Options, check_folds
from dfactscore.meta._figures import Row, block_rows, parts_of, render
from dfactscore.meta._judgements import BASELINES, RANDOM, Baseline, Evaluator, Opinion
from dfactscore.meta._load import blocks_of
from dfactscore.meta._meta_work import Judgements, MetaTask, meta_work, signatures_of, tasks_of
from dfactscore.meta._option_types import Reading
from dfactscore.meta._predictions import read_predictions
from dfactscore.meta._verifiers import builtin_evaluator
from dfactscore.work import Finished, Work, in_folder, run

if TYPE_CHECKING:
    import pandas as pd

_LOG = logging.getLogger(__name__)


_T = TypeVar("_T")
Evaluators = Mapping[str, Evaluator] | Sequence["Evaluator | str"]


@dataclass(frozen=True)
class MetaResult:
    """The results of a meta-evaluation; `str` gives the tables.

    Attributes:
        rows: The rows, in table order.
        options: The options with which judgments were turned into scores.
        notes: Remarks below the tables.
        folder: The folder with the results, or None.
        unanswered: Number of responses for which an evaluator gave no answer.
        seconds: Time spent judging in this call, by evaluator.
        opinions: One opinion per item, by evaluator and set.
        signatures: By evaluator, the line to quote in a paper so that its rows can be reproduced.
    """

    rows: tuple[Row, ...]
    options: Options
    notes: tuple[str, ...] = ()
    folder: Path | None = None
    unanswered: int = 0
    seconds: Mapping[str, float] = field(default_factory=dict)
    opinions: Mapping[str, Sequence[Sequence[Opinion | None]]] = field(default_factory=dict)
    signatures: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.to_text()

    def row(
        self,
        evaluator: str,
        *,
        block: str = "",
        references: str = "all",
        level: str = "",
        variant: str = "",
    ) -> Row:
        """The first row with these values.

        Raises:
            KeyError: If there is no such row.
        """
        for row in self.rows:
            if (row.evaluator, row.references, row.variant) != (evaluator, references, variant):
                continue
            if block in ("", row.block) and level in ("", row.level):
                return row
        raise KeyError((evaluator, block, references, level, variant))

    def means(self) -> dict[tuple[str, str], float]:
        """Each evaluator's balanced accuracy, averaged over the data sets in ``pairs``."""
        by_evaluator: dict[tuple[str, str], list[float]] = {}
        for row in self.rows:
            value = row.figures["balanced_accuracy"]
            is_single = (
                row.block.startswith("pairs ") and row.block != "pairs all" and not row.variant
            )
            if is_single and value is not None:
                by_evaluator.setdefault((row.evaluator, row.references), []).append(value)
        return {key: sum(v) / len(v) for key, v in by_evaluator.items() if len(v) > 1}

    def to_text(self) -> str:
        """The tables, formatted for a terminal."""
        text = render(self.rows, self.options.confidence)
        for (name, references), mean in self.means().items():
            suffix = "" if references == "all" else " (with text)"
            text += f"mean over datasets, {name}{suffix}: balanced accuracy {100 * mean:.1f}\n"
        durations = [f"{name} {seconds:.1f} s" for name, seconds in self.seconds.items()]
        if durations:
            text += f"judging took {', '.join(durations)}\n"
        lines = [*self.notes, *signature_lines(self.signatures)]
        return text + "".join(f"{line}\n" for line in lines)

    def to_json(self) -> str:
        """Rows, means, notes and signatures as JSON; undefined figures are null."""
        means = [
            {"evaluator": name, "references": references, "balanced_accuracy": mean}
            for (name, references), mean in self.means().items()
        ]
        rows = [row.to_dict() for row in self.rows]
        content = {
            "rows": rows,
            "means": means,
            "notes": list(self.notes),
            "signatures": dict(self.signatures),
        }
        return dump_json(content, indent=2) + "\n"

    def to_csv(self) -> str:
        """The rows as CSV, with unrounded figures."""
        return csv_text([row.to_flat() for row in self.rows])

    def to_frame(self) -> pd.DataFrame:
        """The rows as a data frame."""
        import pandas as pd

        return pd.DataFrame([row.to_flat() for row in self.rows])


def evaluate(
    data: DataSet | Sequence[DataSet],
    evaluators: Evaluators = (),
    *,
    out: str | Path | None = None,
    options: Options | None = None,
    limit: int | None = None,
    concurrency: int = 16,
    progress: Progress | None = None,
    close: Callable[[], Awaitable[None]] | None = None,
) -> MetaResult:
    """Judges labeled data and scores evaluators and baselines.

    Args:
        data: One or more sets from `dfactscore.meta.load_data`.
        evaluators: Evaluators by name, or a list of evaluators whose settings include ``name``;
            ``"builtin"`` is the built-in verifier applied to whole segments. Baselines are always
            added.
        out: Folder for judgments and scores; repeating the call resumes an interrupted evaluation.
            If None, nothing is stored.
        options: The options for turning judgments into scores.
        limit: Judge only this many responses from the start of each set.
        concurrency: Maximum number of responses judged at the same time.
        progress: Called with the number of judged responses and the total number of responses.
        close: Closes the evaluators' connections, inside the event loop.

    Raises:
        InputError: If an evaluator is unknown or returns invalid judgments, or a threshold cannot
            be fitted.
        RunError: If the folder contains another evaluation or cannot be written.
    """
    folder = None if out is None else Path(out)
    work = evaluation_work(data, evaluators, folder, options, limit=limit, close=close)
    place = None if folder is None else in_folder(folder)
    return run(work, place, concurrency=concurrency, progress=progress)


def evaluation_work(
    data: DataSet | Sequence[DataSet],
    evaluators: Evaluators,
    folder: Path | None = None,
    options: Options | None = None,
    *,
    limit: int | None = None,
    close: Callable[[], Awaitable[None]] | None = None,
) -> Work[MetaTask, MetaResult]:
    """The task that `evaluate` runs."""
    options = options or Options()
    sets = [data] if isinstance(data, DataSet) else list(data)
    sets = [limited(data_set, limit) for data_set in sets]
    if options.threshold == "fitted":
        for block, _ in blocks_of(sets):
            for _, places in parts_of(block, options):
                check_folds(LabeledUnits.of([block.items[i] for i in places]), block.name)
    by_name = _named(evaluators)
    numbers = {name: _judged_sets(name, sets) for name in by_name}
    settings = {name: dict(evaluator.settings) for name, evaluator in by_name.items()}

    def finish(finished: Finished[MetaTask], judgements: Judgements) -> MetaResult:
        rows = score_opinions(sets, judgements.opinions, options, judged=numbers)
        result = MetaResult(
            tuple(rows),
            options,
            folder=folder,
            unanswered=judgements.unanswered,
            seconds=judgements.seconds,
            opinions=judgements.opinions,
            signatures=signatures_of(settings, sets, options, limit),
        )
        if folder is not None:
            write_text(folder / "scores.csv", result.to_csv())
            write_text(folder / "scores.json", result.to_json())
            counts = (_cluster_counts(row) for row in rows if row.clusters)
            write_jsonl(folder / "clusters.jsonl", counts)
        return result

    return meta_work(
        by_name,
        sets,
        tasks_of(by_name, sets, numbers),
        finish,
        settings={
            "data": [{"kind": d.kind, "file": d.path.name, "sha256": d.digest} for d in sets],
            "evaluators": settings,
            "limit": limit,
        },
        source={"file": " ".join(d.path.name for d in sets), "bad": sum(len(d.bad) for d in sets)},
        close=close,
    )


def score_predictions(
    predictions: str | Path,
    data: DataSet | Sequence[DataSet],
    *,
    reading: Reading = "strict",
    options: Options | None = None,
) -> MetaResult:
    """Scores predictions made by other programs.

    Args:
        predictions: JSON lines, or a CSV file written by FELM's script; see `docs/meta.md`.
        data: One or more sets from `dfactscore.meta.load_data`.
        reading: The reader of raw answers; ``"stored"`` uses the decisions in the file.
        options: The options for turning judgments into scores.

    Raises:
        InputError: If the predictions cannot be used.
    """
    options = options or Options()
    sets = [data] if isinstance(data, DataSet) else list(data)
    path = Path(predictions)
    parsed = read_predictions(path, sets, reading)
    opinions = {path.stem: parsed.opinions}
    rows = score_opinions(sets, opinions, options)
    settings = {"predictions": parsed.digest, "reading": reading}
    return MetaResult(
        tuple(rows),
        options,
        parsed.notes,
        opinions=opinions,
        signatures=signatures_of({path.stem: settings}, sets, options),
    )


def _cluster_counts(row: Row) -> dict[str, Any]:
    names = ("block", "references", "level", "evaluator")
    return {name: getattr(row, name) for name in names} | {
        "clusters": [[name, list(counts)] for name, counts in row.clusters.items()]
    }


def score_opinions(
    data: Sequence[DataSet],
    opinions: Mapping[str, Sequence[Sequence[Opinion | None]]],
    options: Options,
    *,
    judged: Mapping[str, Sequence[int]] | None = None,
) -> list[Row]:
    """The rows for all blocks, with baselines first."""
    baselines = {name: Baseline(name) for name in BASELINES if name != RANDOM}
    rows: list[Row] = []
    for block, places in blocks_of(data):
        judgments = [
            Opinions(name, [Opinion(tuple(rule.judge(item))) for item in block.items])
            for name, rule in baselines.items()
        ]
        judgments.append(Opinions(RANDOM, ()))
        numbers = {id(data_set): number for number, data_set in enumerate(data)}
        for name, by_set in opinions.items():
            set_numbers = {numbers[id(data_set)] for data_set, _ in places}
            if judged is not None and not set_numbers & set(judged[name]):
                continue
            block_opinions = [by_set[numbers[id(data_set)]][place] for data_set, place in places]
            if any(opinion is not None for opinion in block_opinions):
                judgments.append(Opinions(name, block_opinions))
        rows += block_rows(block, judgments, options)
    return rows


def limited(data_set: DataSet, limit: int | None) -> DataSet:
    """Returns the set, truncated to its first `limit` items."""
    return data_set if limit is None else replace(data_set, items=data_set.items[:limit])


def _named(evaluators: Evaluators) -> dict[str, Evaluator]:
    if isinstance(evaluators, Mapping):
        return dict(evaluators)
    by_name: dict[str, Evaluator] = {}
    for evaluator in evaluators:
        if isinstance(evaluator, str):
            if evaluator in BASELINES:
                continue
            if evaluator != "builtin":
                known = ("builtin", *BASELINES)
                raise InputError(
                    f"no evaluator {evaluator!r} without a model{near_miss(evaluator, known)} "
                    f"(there are {', '.join(known)}; others are objects)"
                )

            by_name[evaluator] = builtin_evaluator()
            continue
        name = str(evaluator.settings.get("name") or type(evaluator).__name__)
        if name in by_name:
            raise InputError(f"two evaluators are called {name!r}; give a mapping with names")
        by_name[name] = evaluator
    return by_name


def _judged_sets(name: str, data: Sequence[DataSet]) -> list[int]:
    """Indices of the sets that an evaluator can judge: those with the evidence it needs."""
    reads = name not in ("no-context", "prompt:vanilla", "prompt:cot")
    for data_set in data:
        if data_set.needs and reads:
            _LOG.info(f"{name} does not judge {data_set.label}: it needs {data_set.needs}")
    return [number for number, data_set in enumerate(data) if not (data_set.needs and reads)]
