"""`dfactscore popularity`: is the subject the best known of those retrieved?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

from dfactscore._util.csv_text import csv_text
from dfactscore.cli import options as opt
from dfactscore.cli.from_settings import command
from dfactscore.cli.output import lines_or_json, write
from dfactscore.cli.root import app
from dfactscore.jobs.view_settings import ViewsSettings

if TYPE_CHECKING:
    from dfactscore.mixing.popularity import PopularityResult

__all__ = ["popularity"]


@command(app, ViewsSettings)
def popularity(
    settings: ViewsSettings, *, run: opt.RunFolder, form: opt.OutputFormat = "table"
) -> None:
    """Test whether biographies are about the most viewed entity.

    Of the biographies that describe one individual and one entity, with passages about at least two
    entities of the name: the share about the most viewed entity. The paper finds 45 to 55 %.
    """
    from dfactscore.mixing.popularity import popularity as count
    from dfactscore.mixing.popularity import read_views, subjects
    from dfactscore.runs import load_run

    known = read_views(settings.views)
    cases, left_out = subjects(load_run(run).records(texts=False))
    result = count(cases, known, left_out)
    low, high = result.interval or (None, None)
    if form == "csv":
        row = {"n": result.n, "share": result.share, "low": low, "high": high}
        write(csv_text([{**row, "chance": result.chance}]))
    else:
        lines_or_json(form, asdict(result), _lines(result))


def _lines(result: PopularityResult) -> Iterator[str]:
    if result.share is None or result.interval is None or result.chance is None:
        yield "no biography can be counted"
    else:
        low, high = result.interval
        yield (
            f"most viewed of those retrieved: {100 * result.share:.1f} % "
            f"[{100 * low:.1f}, {100 * high:.1f}] of {result.n} biographies; "
            f"by chance {100 * result.chance:.1f} %"
        )
    for reason, number in result.left_out.items():
        if number:
            yield f"left out: {number}, {reason}"
