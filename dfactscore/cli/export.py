"""`dfactscore export`: a run for other tools."""

from __future__ import annotations

from typing import Annotated, Literal

from dfactscore._util.datasets_folder import check_folder
from dfactscore.cli import options as opt
from dfactscore.cli.from_settings import command, option
from dfactscore.cli.root import app
from dfactscore.jobs.view_settings import ExportSettings

__all__: list[str] = []


@command(app, ExportSettings)
def export(
    settings: ExportSettings,
    *,
    run: opt.RunFolder,
    form: Annotated[
        Literal["hf"], option("Output", "Folder for Hugging Face datasets.", "--format")
    ] = "hf",
    overwrite: opt.Overwrite = False,
) -> None:
    """Write a run as a dataset: Parquet files and a card.

    One table of biographies, one of facts and one of entities.
    """
    from dfactscore.integrations.hf import export_run
    from dfactscore.runs import load_run

    out = settings.out
    check_folder(out, inputs=[run], force=overwrite)
    rows = export_run(load_run(run), out, license=settings.license)
    print(f"{', '.join(f'{number} {name}' for name, number in rows.items())}: {out}")
