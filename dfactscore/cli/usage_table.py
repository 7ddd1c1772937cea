"""Calls, tokens and cost as a table."""

from __future__ import annotations

from dfactscore._util.csv_text import csv_text
from dfactscore._util.usage import Tally, Usage
from dfactscore.asking.prices import PriceList
from dfactscore.cli.options import Format
from dfactscore.cli.output import message, print_json, write
from dfactscore.measures.table import Column, Table, aligned

__all__ = ["print_usage"]

_HEAD = ("stage", "model", "calls", "cached", "prompt tokens", "answer tokens", "cost")


def print_usage(usage: Usage, prices: PriceList, form: Format, about: str) -> None:
    """Prints one row a stage and model, and the sum.

    Args:
        usage: The counts.
        prices: Where the cost comes from.
        form: Table, JSON or CSV.
        about: A line for standard error.
    """
    rows = [_row(stage, model, tally) for (stage, model), tally in sorted(usage.tallies.items())]
    rows.append(_row("total", "", usage.total()))
    if form == "json":
        print_json([dict(zip(_HEAD, row, strict=True)) for row in rows])
    elif form == "csv":
        write(csv_text([dict(zip(_HEAD, row, strict=True)) for row in rows], _HEAD))
    else:
        shown = tuple(tuple(_cell(value) for value in row) for row in rows)
        columns = tuple(Column(title, left=i < 2) for i, title in enumerate(_HEAD))
        print(aligned(Table(columns, shown)))
    message(about)
    if usage.total().cost is None:
        message(
            "cost unknown: a model is not in the price list; give your own list with --prices FILE"
        )
    elif usage.total().cost:
        message(f"prices in {prices.currency} as of {prices.date or 'the file'}; check them")


def _row(stage: str, model: str, tally: Tally) -> tuple[str | int | float | None, ...]:
    return (
        stage,
        model,
        tally.calls,
        tally.cached,
        tally.prompt_tokens,
        tally.completion_tokens,
        tally.cost,
    )


def _cell(value: str | float | None) -> str:
    if value is None:
        return "?"
    return f"{value:.4f}" if isinstance(value, float) else str(value)
