"""Scores evaluators and baselines on labeled data."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from dfactscore._errors import InputError
from dfactscore._results.signature import signature_lines
from dfactscore._util.callbacks import Progress
from dfactscore._util.csv_text import csv_text
from dfactscore._util.files import dump_json, write_text
from dfactscore._util.jsonl import write_jsonl
from dfactscore._util.near import near_miss
from dfactscore.meta._answers import Reading
from dfactscore.meta._baselines import BASELINES, RANDOM, Baseline
from dfactscore.meta._data_sets import DataSet
from dfactscore.meta._decision_columns import Opinions, Options
from dfactscore.meta._judgements import Evaluator, Opinion
from dfactscore.meta._load import blocks_of
from dfactscore.meta._meta_work import Heard, MetaTask, meta_work, tasks_of
from dfactscore.meta._predictions import read_predictions
from dfactscore.meta._signatures import signatures_of
from dfactscore.meta._table_rows import Row, block_rows, parts_of
from dfactscore.meta._text import render
from dfactscore.meta._unit_decisions import LabeledUnits, check_folds
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
        rows: In the order of the table.
        options: The options that turned judgements into scores.
        notes: Remarks below the tables.
        folder: The folder with the results, or None.
        unanswered: The number of responses that an evaluator did not answer.
        seconds: By evaluator, the time that judging took in this call.
        opinions: By evaluator and set, one opinion per item.
        signatures: By evaluator, the line that a paper states so that its rows can be repeated.
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
        """Balanced accuracy of each evaluator, averaged over the data sets of ``pairs``."""
        found: dict[tuple[str, str], list[float]] = {}
        for row in self.rows:
            value = row.figures["balanced_accuracy"]
            plain = row.block.startswith("pairs ") and row.block != "pairs all" and not row.variant
            if plain and value is not None:
                found.setdefault((row.evaluator, row.references), []).append(value)
        return {key: sum(v) / len(v) for key, v in found.items() if len(v) > 1}

    def to_text(self) -> str:
        """The tables for a terminal."""
        text = render(self.rows, self.options.confidence)
        for (name, references), mean in self.means().items():
            which = "" if references == "all" else " (with text)"
            text += f"mean over datasets, {name}{which}: balanced accuracy {100 * mean:.1f}\n"
        taken = [f"{name} {seconds:.1f} s" for name, seconds in self.seconds.items()]
        if taken:
            text += f"judging took {', '.join(taken)}\n"
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
    """Judges labeled data, and scores evaluators and baselines.

    Args:
        data: One or more sets from `dfactscore.meta.load_data`.
        evaluators: Evaluators by name, or a list of evaluators with ``name`` in their settings;
            ``"builtin"`` is the built-in verifier on whole segments. Baselines are always added.
        out: Folder for judgments and scores; the same call resumes. None stores nothing.
        options: The options that turn judgements into scores.
        limit: Judge only the first responses of each set.
        concurrency: Maximum number of responses that are judged at a time.
        progress: Called with the number of judged responses and the number of all.
        close: Closes connections of the evaluators, inside the event loop.

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
    sets = [limited(one, limit) for one in sets]
    if options.threshold == "fitted":
        for block, _ in blocks_of(sets):
            for _, kept in parts_of(block, options):
                check_folds(LabeledUnits.of([block.items[i] for i in kept]), block.name)
    named = _named(evaluators)
    numbers = {name: _asked(name, sets) for name in named}
    settings = {name: dict(one.settings) for name, one in named.items()}

    def finish(found: Finished[MetaTask], asked: Heard) -> MetaResult:
        rows = score_opinions(sets, asked.opinions, options, asked=numbers)
        given = (o for own in asked.opinions.values() for one in own for o in one if o is not None)
        unanswered = sum(any(j.status == "error" for j in o.judgements) for o in given)
        result = MetaResult(
            tuple(rows),
            options,
            folder=folder,
            unanswered=unanswered,
            seconds=asked.seconds,
            opinions=asked.opinions,
            signatures=signatures_of(settings, sets, options, limit),
        )
        if folder is not None:
            write_text(folder / "scores.csv", result.to_csv())
            write_text(folder / "scores.json", result.to_json())
            counted = (_of_clusters(row) for row in rows if row.clusters)
            write_jsonl(folder / "clusters.jsonl", counted)
        return result

    return meta_work(
        named,
        sets,
        tasks_of(named, sets, numbers),
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
    """Scores predictions from elsewhere.

    Args:
        predictions: JSON lines, or a CSV file of FELM's script; see `docs/meta.md`.
        data: One or more sets from `dfactscore.meta.load_data`.
        reading: The reader of raw answers; ``"stored"`` uses the decisions in the file.
        options: The options that turn judgements into scores.

    Raises:
        InputError: If the predictions cannot be used.
    """
    options = options or Options()
    sets = [data] if isinstance(data, DataSet) else list(data)
    path = Path(predictions)
    found = read_predictions(path, sets, reading)
    opinions = {path.stem: found.opinions}
    rows = score_opinions(sets, opinions, options)
    settings = {"predictions": found.digest, "reading": reading}
    return MetaResult(
        tuple(rows),
        options,
        found.notes,
        opinions=opinions,
        signatures=signatures_of({path.stem: settings}, sets, options),
    )


def _of_clusters(row: Row) -> dict[str, Any]:
    names = ("block", "references", "level", "evaluator")
    return {name: getattr(row, name) for name in names} | {
        "clusters": [[name, list(counts)] for name, counts in row.clusters.items()]
    }


def score_opinions(
    data: Sequence[DataSet],
    opinions: Mapping[str, Sequence[Sequence[Opinion | None]]],
    options: Options,
    *,
    asked: Mapping[str, Sequence[int]] | None = None,
) -> list[Row]:
    """The rows of all blocks, with baselines first.

    Args:
        data: The sets.
        opinions: By evaluator and set, one opinion per item.
        options: The options that turn judgements into scores.
        asked: By evaluator, the indices of the sets that it judges; all by default.
    """
    baselines = {name: Baseline(name) for name in BASELINES if name != RANDOM}
    rows: list[Row] = []
    for block, places in blocks_of(data):
        said = [
            Opinions(name, [Opinion(tuple(rule.judge(item))) for item in block.items])
            for name, rule in baselines.items()
        ]
        said.append(Opinions(RANDOM, ()))
        numbers = {id(one): number for number, one in enumerate(data)}
        for name, own in opinions.items():
            here = {numbers[id(one)] for one, _ in places}
            if asked is not None and not here & set(asked[name]):
                continue
            found = [own[numbers[id(one)]][place] for one, place in places]
            if any(opinion is not None for opinion in found):
                said.append(Opinions(name, found))
        rows += block_rows(block, said, options)
    return rows


def limited(one: DataSet, limit: int | None) -> DataSet:
    """The set, cut to its first items."""
    return one if limit is None else replace(one, items=one.items[:limit])


def _named(evaluators: Evaluators) -> dict[str, Evaluator]:
    if isinstance(evaluators, Mapping):
        return dict(evaluators)
    found: dict[str, Evaluator] = {}
    for one in evaluators:
        if isinstance(one, str):
            if one in BASELINES:
                continue
            if one != "builtin":
                known = ("builtin", *BASELINES)
                raise InputError(
                    f"no evaluator {one!r} without a model{near_miss(one, known)} (there are "
                    f"{', '.join(known)}; others are objects)"
                )

            found[one] = builtin_evaluator()
            continue
        name = str(one.settings.get("name") or type(one).__name__)
        if name in found:
            raise InputError(f"two evaluators are called {name!r}; give a mapping with names")
        found[name] = one
    return found


def _asked(name: str, data: Sequence[DataSet]) -> list[int]:
    """The indices of the sets that an evaluator can judge: those with the evidence it needs."""
    reads = name not in ("no-context", "prompt:vanilla", "prompt:cot")
    for one in data:
        if one.needs and reads:
            _LOG.info(f"{name} is not asked about {one.label}: it needs {one.needs}")
    return [number for number, one in enumerate(data) if not (one.needs and reads)]
