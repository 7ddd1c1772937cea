"""The root of the command line: names and help of all commands, and help on one screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import typer

FIRST: Final = 10
"""The number of commands, from the first, that the short help describes."""
# In the order of help: the module that adds the command to `app`, and its help.
COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "demo": ("score", "Score the shipped example: people (or ships) with one name."),
    "score": ("score", "Score a file of biographies."),
    "report": ("views", "Write a run as one HTML file."),
    "answers": (
        "compare",
        "Show how many answers tell all people of a name apart, some of them, or merge them.",
    ),
    "compare": ("compare", "Compare runs: intervals, paired tests, rank stability."),
    "annotate": (
        "annotate",
        "Evaluate runs by people: annotation pages, agreement, a report.",
    ),
    "correct": ("correct", "Correct a judge's means with labels of a few texts."),
    "ambigbio": ("ambigbio", "Build and check AmbigBio: names that several people share."),
    "index": ("index", "Build and search indexes of passages, and page stores."),
    "generate": ("experiments", "Write a biography for each name from retrieved passages."),
    "run": ("experiments", "Run an experiment, from names to a comparison."),
    "cache": ("doctor", "Show, clear or export saved answers of language models."),
    "citations": ("citations", "Score citations: recall and precision."),
    "doctor": (
        "doctor",
        "Check the installation: version, extras, built-in engine, cache, and a model's answer.",
    ),
    "explain": ("views", "Show the person, the rule and the facts of each clause."),
    "export": ("views", "Write a run as a dataset, or as texts with labeled spans."),
    "factor": (
        "factor",
        "Score models on FACTOR and AmbigFACTOR: which completion is likelier.",
    ),
    "integrations": ("views", "Print the folders that other evaluation tools need."),
    "longfact": ("safe", "List and draw the prompts of LongFact."),
    "meta": ("meta", "Measure factuality evaluators on data with human labels."),
    "mixing": ("views", "Show where a run mixes people with the same name, and the cost."),
    "popularity": ("views", "Test whether biographies are about the most viewed person."),
    "rescore": ("score", "Recompute scores from saved verdicts, with other options."),
    "safe": ("safe", "Score texts by searched evidence (SAFE, D-SAFE, F1@K)."),
    "unmix": ("unmix", "Rewrite texts that mix people, and score the result."),
}

ALL = "--help-all"
SHORT = "dfactscore.short"
"""The key of a context's ``meta`` that requests the short help."""


def fitting(write: Callable[[Any], str], ctx: Any, *, lines: int) -> str:
    """Returns the full help if it fits on the screen or was requested, or else the short help."""
    ctx.meta[SHORT] = False
    full = write(ctx)
    if full.count("\n") < lines or ctx.meta.get(ALL):
        return full
    ctx.meta[SHORT] = True
    return write(ctx)


def show_all(command: Any, ctx: Any, args: Sequence[str]) -> None:
    """Prints the full help and exits if the arguments contain ``--help-all``."""
    if ALL in args:
        ctx.meta[ALL] = True
        typer.echo(command.get_help(ctx))
        ctx.exit()


app = typer.Typer(
    name="dfactscore",
    help="FActScore and D-FActScore: factual precision of text about people who share a name.",
    no_args_is_help=True,
    context_settings={"max_content_width": 100},
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def group(name: str) -> typer.Typer:
    """Adds a command group, whose help comes from `COMMANDS`, to the root."""
    about = COMMANDS[name][1]
    commands = typer.Typer(name=name, help=about, no_args_is_help=True, rich_markup_mode=None)
    app.add_typer(commands)
    return commands
