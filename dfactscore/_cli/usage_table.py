"""Prints tables of calls, tokens and cost."""

from __future__ import annotations

from dfactscore._asking.budget import PriceList
from dfactscore._cli.options import Format
from dfactscore._cli.output import message, print_json, write_data
from dfactscore._util.csv_text import csv_text
from dfactscore._util.usage import Tally, Usage
from dfactscore.measures._table import Column, Table, aligned

_HEAD = ("stage", "model", "calls", "cached", "prompt tokens", "answer tokens", "cost")


def print_usage(usage: Usage, prices: PriceList | None, form: Format, about: str) -> None:
    """Prints one row per stage and model, and the total."""
    tallies = [*sorted(usage.tallies.items()), (("total", ""), usage.total())]
    rows = [dict(zip(_HEAD, (*of, *_row(tally)), strict=True)) for of, tally in tallies]
    if form == "json":
        print_json(rows)
    elif form == "csv":
        write_data(csv_text(rows))
    else:
        cells = tuple(tuple(map(_cell, row.values())) for row in rows)
        columns = tuple(Column(title, left=i < 2) for i, title in enumerate(_HEAD))
        print(aligned(Table(columns, cells)))
    message(about)
    if usage.total().cost is None:
        message(
            "cost unknown: a model is not in the price list; give your own list with --prices FILE"
        )
    elif prices is not None and usage.total().cost:
        message(f"prices in {prices.currency} as of {prices.date or 'the file'}; check them")


def _row(tally: Tally) -> tuple[int | float | None, ...]:
    tokens = (tally.prompt_tokens, tally.completion_tokens)
    return (tally.calls, tally.cached, *tokens, tally.cost)


def _cell(value: str | float | None) -> str:
    if value is None:
        return "?"
    return f"{value:.4f}" if isinstance(value, float) else str(value)
