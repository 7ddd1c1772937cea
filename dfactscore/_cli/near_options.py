"""Suggests options in place of unknown ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dfactscore._util.near import near_miss

# Each line lists the names that other tools use for the same option.
_ALIKE = tuple(
    frozenset(line.split())
    for line in (
        "k top top-k topk n num number",
        "n limit max head first count num number max-samples worst",
        "out output output-dir output-file output-path out-dir outdir save save-to dest",
        "workers jobs num-workers n-jobs j processes nproc parallel",
        "model llm model-name model-id lm",
        "base-url api-base endpoint url server host",
        "pages page knowledge knowledge-source corpus documents docs wiki wikipedia db db-path",
        "input file data bios biographies texts input-path",
        "max-cost budget cost-limit cost-estimate",
        "overwrite force f",
        "quiet silent q no-progress",
        "seed random-seed random-state",
        "verifier evaluators judge evaluator",
        "engine evaluator",
        "columns metric metrics measures",
        "pages evidence",
    )
)
_FORMATS = frozenset({"json", "csv", "tsv", "markdown", "latex", "table"})


def near_option(option: str, context: Any) -> str:
    """Returns suggestions for an unknown option, worded as the end of a message."""
    word = option.strip("-").replace("_", "-").casefold()
    params = [p for p in context.command.get_params(context) if not getattr(p, "hidden", False)]
    hints = getattr(context.command, "moved", {})
    if hint := hints.get(word) or hints.get(word.removeprefix("no-")):
        others = _meant(word, params) if any(word in group for group in _ALIKE) else []
        return f"; {hint}" + (f"; or did you mean {_shown(others[0])}?" if others else "")
    if word == "resume":
        return "; the same command again resumes"
    formats = next((p.metavar or "" for p in params if "--format" in p.opts), "").split("|")
    if word in _FORMATS.intersection(formats):
        return f"; did you mean --format {word}?"
    if meant := _meant(word, params):
        return f"; did you mean {' or '.join(map(_shown, meant[:2]))}?"
    forms = {word: _shown(p) for p in params for word in _words(p)}
    forms |= {
        name.replace("_", "-"): f"the key {name} of --config"
        for name in getattr(context.command, "in_file", ())
    }
    return near_miss(word, forms, most=2, show=forms.__getitem__)


def after_switch(error: str, words: Sequence[str], context: Any) -> str:
    """Returns an explanation of an unexpected argument after a switch, to end a message with."""
    value = error.rpartition("(")[2].partition(")")[0].split(" ")[0]
    previous = words[words.index(value) - 1] if value in words[1:] else ""
    params = context.command.get_params(context)
    switches = {word for p in params if getattr(p, "is_flag", False) for word in p.opts}
    if previous not in switches:
        return ""
    with_values = [p for p in params if not getattr(p, "is_flag", False)]
    meant = _meant(previous.strip("-"), with_values)
    hint = f"; did you mean {_shown(meant[0])}?" if meant else ""
    return f": {previous} takes no value{hint}"


def _meant(word: str, params: Sequence[Any]) -> list[Any]:
    """Finds options by name, or else by their names in other tools, or else by part of a name."""
    alike = set[str]().union(*(group for group in _ALIKE if word in group))
    for words in ({word}, alike, set(word.split("-"))):
        if matches := [param for param in params if _words(param) & words]:
            return matches
    return []


def _words(param: Any) -> set[str]:
    """Returns an option's names without leading dashes, or an argument's name."""
    if param.param_type_name == "argument":
        return {param.name.replace("_", "-")}
    return {name.strip("-") for name in (*param.opts, *param.secondary_opts)}


def _shown(param: Any) -> str:
    if param.param_type_name == "argument":
        return f"{param.name.upper()}, without a word before it"
    return str(max(param.opts, key=len))
