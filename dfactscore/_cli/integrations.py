"""`dfactscore integrations`: paths and templates for other tools."""

from __future__ import annotations

from typing import Annotated

from dfactscore._cli.from_settings import argument, command
from dfactscore._cli.root import group

integrations_app = group("integrations")


@command(integrations_app)
def path(*, host: Annotated[str, argument("The tool: lm-eval.")]) -> None:
    """Print the folder to give to a tool (lm_eval --include_path)."""
    from dfactscore.integrations import integration_path

    print(integration_path(host))
