"""The dataset of an exported run: tables of biographies, facts and entities, and the card."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from dfactscore._errors import MissingExtraError, RunError
from dfactscore._evidence.snapshots import describe_snapshots
from dfactscore._results.result import Result
from dfactscore._results.summary import summary_table
from dfactscore._results.tables import COLUMNS, score_row
from dfactscore._runs import Run
from dfactscore._scoring import Record, fact_values, linked_values
from dfactscore._scoring.summary import summarize_records
from dfactscore._util.datasets_folder import Card, write_card, write_table
from dfactscore._version import __version__
from dfactscore.comparison import compare
from dfactscore.measures._table import EVERY, aligned

_FIELDS = """
- `biographies`: one row per text, with the columns of `scores.csv` and the `text` without
  citations.
- `facts`: one row per atomic fact, at `start` to `end` of the text. `group` is the person that the
  fact is about according to the text, `linked_entity` the page that supports most facts of that
  group, `supported` whether this page supports the fact, and `supported_by` the pages that do.
  `evidence` and `conflict` quote the decisive words, and `why_not` tells whether a page contradicts
  an unsupported fact or does not state it. `counted` facts are in the denominator: the FActScore of
  a text is the mean of their `fs`, the D-FActScore the mean of their `dfs`{penalty}.
- `entities`: one row per text and page: the rank, whether groups can be linked to the page
  (`candidate`), the linked groups, and the number of supported facts.
"""
_LICENSES = """
The license of the texts, as specified at the export: `{license}`. `evidence` and `conflict` quote
the pages that the facts were judged against, and keep their license (Wikipedia's text is under
[CC BY-SA 4.0](https://creativecommons.org/licenses/by-sa/4.0/); its titles lead to its authors).
The engines in the settings above generated the facts and verdicts.
"""
_LIMITS = """
A machine gave the verdicts. Texts that abstain have no FActScore; the response rate is next to the
means. Splitting one person into several raises D-FActScore; the lower bound has all facts in one
group. Intervals are over names only.
"""


def run_card(run: Run, rows: Mapping[str, int], *, license: str) -> Card:
    """Describes a run."""
    import yaml

    summary = summarize_records(run.records(texts=False), n_bad=run.n_bad)
    label = run.folder.resolve().name
    settings = {
        k: v for k, v in run.settings.items() if k not in ("dataset", "outside", "snapshots")
    }
    shown = yaml.safe_dump(settings, sort_keys=True, allow_unicode=True).strip()
    dates = describe_snapshots(run.settings.get("snapshots") or {})
    levels = "nothing is scored"
    if summary.n_scored:
        levels = compare({label: run.folder}, by="run", tests=False).to_markdown()
    models = ", ".join(f"`{model or 'unknown'}`" for model in summary.models) or "unknown"
    counts = ", ".join(f"{number} {name}" for name, number in rows.items())
    penalty = "" if run.options.gamma is None else ", times the length penalty of the settings"
    return Card(
        title=f"D-FActScore of {label}",
        license=license,
        language="en",
        tags=("dfactscore", "factuality", "entity-ambiguity"),
        size=rows["biographies"],
        configs=tuple(rows),
        intro=(
            f"Texts about people who share a name, written by {models}, split into atomic facts "
            f"and judged against the pages of the people of that name: {counts}. Written by "
            f"dfactscore {__version__}."
        ),
        sections=(
            ("Metrics", f"```\n{aligned(summary_table(summary, columns=(EVERY,)))}\n```"),
            ("Intervals", levels),
            ("Fields", _FIELDS.format(penalty=penalty)),
            ("Settings", f"```yaml\n{shown}\n```" + (f"\n\nSnapshots: {dates}." if dates else "")),
            ("Limits", _LIMITS),
            ("Licenses", _LICENSES.format(license=license)),
        ),
    )


Kind = Literal["text", "whole", "number", "truth", "texts", "wholes"]


@dataclass(frozen=True, slots=True)
class RunTable:
    """A table in the export."""

    columns: Mapping[str, Kind]
    rows: Callable[[Record], Iterator[dict[str, Any]]]


def _biographies(record: Record) -> Iterator[dict[str, Any]]:
    yield {**score_row(record), "text": record.biography.text}


def _facts(record: Record) -> Iterator[dict[str, Any]]:
    result, scores = Result(record), record.scores
    judged = scores is not None and record.matrix is not None
    fs = fact_values(record) if judged else []
    dfs = linked_values(record) if judged and scores and scores.dfs is not None else []
    for i, shown in enumerate(result.facts):
        fact = shown.fact
        group = None if shown.group is None else result.groups[shown.group]
        start, end = fact.span or (None, None)
        yield {
            "id": record.id,
            "name": record.name,
            "fact": i,
            "text": fact.text,
            "sentence": fact.sentence,
            "start": start,
            "end": end,
            "label": fact.label,
            "group": shown.group,
            "individual": None if group is None else group.label,
            "linked_entity": None if group is None else group.entity,
            "supported": None if group is None else group.entity in shown.supported_by,
            "standing": shown.standing if judged else None,
            "why_not": shown.why_not if judged else None,
            "supported_by": list(shown.supported_by),
            "evidence": shown.evidence,
            "conflict": shown.conflict,
            "probability": shown.probability,
            "counted": scores is not None and i in scores.facts,
            "fs": fs[i] if fs else None,
            "dfs": dfs[i] if dfs else None,
        }


def spans_of(record: Record) -> dict[str, Any]:
    """Returns a text with the places of its facts, their verdicts, people and evidence."""
    text = record.biography.text
    labels = [
        {
            "start": row["start"],
            "end": row["end"],
            "text": None if row["start"] is None else text[row["start"] : row["end"]],
            "fact": row["text"],
            "verdict": row["standing"],
            "person": row["linked_entity"],
            "supported_by": row["supported_by"],
            "evidence": row["evidence"],
            "conflict": row["conflict"],
            "probability": row["probability"],
        }
        for row in _facts(record)
    ]
    return {
        "id": record.id,
        "name": record.name,
        "model": record.biography.model,
        "response": text,
        "labels": labels,
    }


def _entities(record: Record) -> Iterator[dict[str, Any]]:
    result = Result(record)
    for column, entity in enumerate(record.entities):
        yield {
            "id": record.id,
            "name": record.name,
            "entity": entity.id,
            "label": entity.label,
            "rank": entity.rank,
            "candidate": column in record.candidate_columns,
            "bears_name": column in record.named,
            "linked_groups": [g for g, x in enumerate(result.groups) if x.entity == entity.id],
            "supported_facts": sum(entity.id in fact.supported_by for fact in result.facts),
            "documents": len(entity.documents),
            "addresses": list(dict.fromkeys(d.address for d in entity.documents if d.address)),
        }


def _of_scores(column: str) -> Kind:
    if column in ("id", "name", "category", "status", "model", "reason", "answer"):
        return "text"
    if column == "off_target":
        return "truth"
    counts = ("mixed_groups", "shared_links", "repeats", "contradicted", "not_stated", "outside")
    if column in counts or column.startswith("n_"):
        return "whole"
    return "number"


TABLES: Mapping[str, RunTable] = {
    "biographies": RunTable({**{c: _of_scores(c) for c in COLUMNS}, "text": "text"}, _biographies),
    "facts": RunTable(
        {
            "id": "text", "name": "text", "fact": "whole", "text": "text", "sentence": "whole",
            "start": "whole", "end": "whole", "label": "text", "group": "whole",
            "individual": "text", "linked_entity": "text", "supported": "truth",
            "standing": "text", "why_not": "text", "supported_by": "texts",
            "evidence": "text", "conflict": "text",
            "probability": "number", "counted": "truth", "fs": "number", "dfs": "number",
        },
        _facts,
    ),
    "entities": RunTable(
        {
            "id": "text", "name": "text", "entity": "text", "label": "text", "rank": "whole",
            "candidate": "truth", "bears_name": "truth", "linked_groups": "wholes",
            "supported_facts": "whole", "documents": "whole", "addresses": "texts",
        },
        _entities,
    ),
}  # fmt: skip


def export_run(run: Run, folder: Path, *, license: str = "unknown") -> dict[str, int]:
    """Writes a dataset to a folder."""
    try:
        import pyarrow as pa
    except ImportError:
        raise MissingExtraError("Writing Parquet", "parquet") from None
    kinds = {
        "text": pa.string(),
        "whole": pa.int64(),
        "number": pa.float64(),
        "truth": pa.bool_(),
        "texts": pa.list_(pa.string()),
        "wholes": pa.list_(pa.int64()),
    }
    counts = {
        name: write_table(
            (row for record in run.records() for row in table.rows(record)),
            [(column, kinds[kind]) for column, kind in table.columns.items()],
            folder,
            name,
            error=RunError,
        )
        for name, table in TABLES.items()
    }
    write_card(run_card(run, counts, license=license), folder, error=RunError)
    return counts
