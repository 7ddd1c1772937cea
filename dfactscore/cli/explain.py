"""`dfactscore explain`: who each clause is about, and by which rule."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from dfactscore.cli.from_settings import argument, command
from dfactscore.cli.root import app
from dfactscore.jobs.view_settings import ExplainSettings

__all__ = ["explain"]


@command(app, ExplainSettings)
def explain(
    settings: ExplainSettings,
    *,
    file: Annotated[Path, argument("Biographies, or one plain text (.txt).")],
) -> None:
    """Show the individual and the deciding rule of each clause.

    The rules are those of the built-in grouper.
    """
    from dfactscore.jobs.explain import explain_file

    for number, (biography, found) in enumerate(explain_file(file, name=settings.name)):
        print(f"{'' if not number else chr(10)}{biography.name or biography.id}")
        for clause in found:
            others = "".join(f", {who + 1}" for who in clause.passing)
            print(f"  {clause.individual + 1}{others}  {clause.text}")
            print(f"     {clause.rule}: {clause.says}")
            if settings.cues:
                print(f"     {', '.join(clause.cues)}")
