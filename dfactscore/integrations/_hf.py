"""Exports a run as a dataset: Parquet files and a card, for ``datasets.load_dataset``."""

from __future__ import annotations

from pathlib import Path

from dfactscore._errors import MissingExtraError, RunError
from dfactscore._runs import Run
from dfactscore._util.datasets_folder import write_card, write_table
from dfactscore.integrations._run_dataset import TABLES, run_card


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
