"""`dfactscore export`: a run for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from dfactscore.cli import options as opt
from dfactscore.cli.from_settings import command, option
from dfactscore.cli.root import app

__all__: list[str] = []


@command(app)
def export(
    run: opt.RunFolder,
    out: Annotated[Path, option("Output", "Folder to write.", "--out", "-o")],
    form: Annotated[
        Literal["hf"], option("Output", "Folder for Hugging Face datasets.", "--format")
    ] = "hf",
    license: Annotated[
        str, option("Output", "License of the texts, as the Hub calls it (cc-by-4.0).")
    ] = "unknown",
    overwrite: opt.Overwrite = False,
) -> None:
    """Write a run as a dataset: Parquet files and a card.

    One table of biographies, one of facts and one of entities.
    """
    from dfactscore._util.datasets_folder import check_folder
    from dfactscore.integrations.hf import export_run
    from dfactscore.runs import load_run

    check_folder(out, inputs=[run], force=overwrite)
    rows = export_run(load_run(run), out, license=license)
    print(f"{', '.join(f'{number} {name}' for name, number in rows.items())}: {out}")
