"""`dfactscore mixing`."""

from __future__ import annotations

import sys

from dfactscore._util.files import write_text
from dfactscore._util.outputs import check_output
from dfactscore.cli import options as opt
from dfactscore.cli.from_settings import command
from dfactscore.cli.output import columns_of, show
from dfactscore.cli.root import app
from dfactscore.errors import InputError
from dfactscore.jobs.view_settings import MixingSettings

__all__: list[str] = []


@command(app, MixingSettings)
def mixing(
    settings: MixingSettings,
    *,
    run: opt.RunFolder,
    form: opt.OutputFormat = "table",
    width: opt.Width = None,
    overwrite: opt.Overwrite = False,
) -> None:
    """Show how a run mixes entities of one name, and the cost."""
    from dfactscore.mixing import run_mixing
    from dfactscore.runs import load_run

    out, graphml, plot = settings.out, settings.graphml, settings.plot
    by_number = settings.by_number
    check_output(out, "mixing", inputs=[run], force=overwrite)
    check_output(graphml, "graphml", inputs=[run], force=overwrite, named="--graphml")
    check_output(plot, "figure", inputs=[run], force=overwrite, named="--plot")
    check_output(by_number, "figure", inputs=[run], force=overwrite, named="--by-number")
    found = run_mixing(load_run(run).records(), min_foreign=settings.min_foreign)
    if out is not None and out.suffix not in (".csv", ".json"):
        raise InputError(f"{out}: cannot write a {out.suffix!r} file; choose .csv or .json")
    table = {"width": columns_of(width), "color": sys.stdout.isatty(), "top": settings.top}
    show(found, form if out is None else out.suffix[1:], out, table=table)
    if graphml is not None:
        write_text(graphml, found.to_graphml())
    if plot is not None:
        found.plot("graph", plot)
    if by_number is not None:
        found.plot("by_number", by_number)
