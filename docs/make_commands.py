"""Writes `commands.md`, the command reference, from the code: ``python docs/make_commands.py``."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from dfactscore._util.settings import PANELS, default_text, facts_of, variable_of

_SHARED = 2  # commands that have an option with the same words, from which on it stands once
_RANGE = 3  # shared options that follow one another, from which on first and last are named
_PANELS = ("Arguments", *PANELS, "Other")
PAGE = Path(__file__).with_name("commands.md")
_HEAD = """# Commands

`python docs/make_commands.py` writes this page; `dfactscore COMMAND --help-all` prints the same,
and `--help` the main options. Exit status 2 means a mistake in the command, 1 means failed records.

Commands with `--config` also read options from a YAML file (`max_cost: 5`), in which paths are
relative to the file and `null` leaves an option out. Options override the file.
The file overrides these environment variables, which mean the same in every command:

{variables}

Other variables, such as `DFACTSCORE_PAGES`, are ignored with a warning. The key of
`--nli label=1` is `nli_label`, and few people need the [other keys](#keys-of-the-settings-file).
Defaults are in parentheses.
"""


def render() -> str:
    """The whole page."""
    from dfactscore._cli.app import read_all

    commands = list(_walk(read_all(), ("dfactscore",)))
    lines = [_HEAD.format(variables=_variables())]
    shared = _shared(command for _, command in commands if not _children(command))
    lines += _shared_section(shared)
    for path, command in commands:
        lines += _section(path, command, shared)
    lines += _in_file(commands)
    lines += _experiment()
    return "\n".join(lines).rstrip() + "\n"


def _variables() -> str:
    """The environment variables, in the order of their declaration."""
    from dfactscore._jobs.settings import Config

    fields = Config.model_fields
    return ", ".join(f"`{variable_of(n)}`" for n, f in fields.items() if facts_of(f).variable) + "."


def _experiment() -> list[str]:
    """The keys of an experiment file."""
    from dfactscore._experiment import Experiment

    lines = ["## Keys of an experiment file", ""]
    lines += ["Keys that `dfactscore run` reads ([example](generation.md#experiments)).", ""]
    for name, field in Experiment.model_fields.items():
        default = default_text(field)
        about = _escape(field.description or "")
        lines.append(_row(f"`{name}`: {about}", default or ""))
    return [*lines, ""]


def _in_file(commands: Iterable[tuple[tuple[str, ...], Any]]) -> list[str]:
    """The keys that only a settings file has, with the commands that read them."""
    rows: dict[tuple[str, str], list[str]] = {}
    for path, command in commands:
        for row in getattr(command, "in_file", {}).values():
            key = f"{row.key}: {row.value}".replace("|", r"\|")
            meaning = _escape(row.about) + (f" (`{row.default}`)" if row.default else "")
            rows.setdefault((key, meaning), []).append(" ".join(path[1:]))
    most = max(rows.values(), key=len)
    lines = ["## Keys of the settings file", ""]
    lines += [
        "Only the file of `--config` sets these; few people need them. *All* means the commands"
    ]
    lines += [f"{', '.join(most)}.", "", "| key | meaning (default) | commands |"]
    lines += ["| --- | --- | --- |"]
    for (key, meaning), names in sorted(rows.items()):
        where = "all" if names == most else ", ".join(names)
        lines.append(f"| `{key}` | {meaning} | {where} |")
    return [*lines, ""]


def _children(command: Any) -> dict[str, Any]:
    return dict(sorted(getattr(command, "commands", {}).items()))


def _walk(command: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, child in _children(command).items():
        if not child.hidden:
            yield (*path, name), child
            yield from _walk(child, (*path, name))


def _shared(commands: Iterable[Any]) -> dict[str, tuple[str, str]]:
    """Panel and default of the options that mean the same in several commands, in panels, by text.

    Of an option that means several things, the commonest: the others stand with their commands.
    """
    found = [
        (_text(param), _panel(param), _default(param))
        for command in commands
        for param in _params(command)
        if not _required_option(param)
    ]
    counts = Counter(text for text, _, _ in found)
    defaults = {text: Counter(d for t, _, d in found if t == text) for text in counts}
    most: dict[str, str] = {}
    for text in counts:
        flag = text.split("`")[1]
        if counts[text] > counts[most.get(flag, "")]:
            most[flag] = text
    kept = {
        text: (panel, defaults[text].most_common(1)[0][0])
        for text, panel, _ in found
        if counts[text] >= _SHARED and text in most.values()
    }
    return dict(sorted(kept.items(), key=lambda row: _PANELS.index(row[1][0])))


def _shared_section(shared: Mapping[str, tuple[str, str]]) -> list[str]:
    """The options that several commands have, each once."""
    lines = [
        "## Shared options",
        "",
        "Each command lists its shared options; … means all options between.",
        "",
    ]
    for panel in _PANELS:
        rows = [_row(text, default) for text, (home, default) in shared.items() if home == panel]
        if rows:
            lines += [f"**{panel}**", "", *rows, ""]
    return lines


def _section(path: tuple[str, ...], command: Any, shared: Mapping[str, str]) -> list[str]:
    lines = [f"{'#' * len(path)} {' '.join(path)}", ""]
    paragraphs = (command.help or "").strip().split("\n\n")
    for paragraph in paragraphs:
        lines += [_escape(" ".join(paragraph.split())), ""]
    if _children(command):
        return lines
    params = _params(command)
    usage = [*path, *(_placeholder(p) for p in params if p.param_type_name == "argument")]
    usage += [f"{p.opts[-1]} {p.metavar}" for p in params if _required_option(p)]
    if any(p.param_type_name == "option" and not p.required for p in params):
        usage.append("[OPTIONS]")
    lines += [f"`{' '.join(usage)}`", ""]
    texts = {_text(param): param for param in _in_panels(params)}
    own = [_row(text, _default(param)) for text, param in texts.items() if text not in shared]
    if own:
        lines += [*own, ""]
    options = {t: p for t, p in texts.items() if p.param_type_name == "option" and t in shared}
    if options:
        lines += [f"[Shared](#shared-options): {', '.join(_named_all(options, shared))}.", ""]
    return lines


def _named_all(options: Mapping[str, Any], shared: Mapping[str, tuple[str, str]]) -> list[str]:
    """The shared options of a command in their order, those that follow one another as a range."""
    ranges: list[list[str]] = [[]]
    for text, (_, usual) in shared.items():
        if text not in options:
            ranges.append([])
            continue
        name = _named(options[text], usual)
        if name.endswith(")"):  # another default, which a range would hide
            ranges += [[name], []]
        else:
            ranges[-1].append(name)
    return [
        words
        for names in ranges
        for words in ([f"{names[0]}…{names[-1]}"] if len(names) >= _RANGE else names)
    ]


def _named(param: Any, usual: str) -> str:
    """A shared option, with its default where that is another than usual."""
    name, default = f"`{max(param.opts, key=len)}`", _default(param)
    return name if default == usual else f"{name} ({f'`{default}`' if default else 'no default'})"


def _params(command: Any) -> list[Any]:
    params = [p for p in command.params if p.name != "help" and not p.hidden]
    for param in params:
        param.rows = getattr(command, "keys", {}).get(param.name, [])
    return params


def _panel(param: Any) -> str:
    if param.param_type_name == "argument":
        return "Arguments"
    panel = getattr(param, "rich_help_panel", None)
    return panel if panel in PANELS else "Other"


def _in_panels(params: list[Any]) -> list[Any]:
    """Arguments, then options in the order of the help."""
    return sorted(params, key=lambda p: _PANELS.index(_panel(p)))


def _required_option(param: Any) -> bool:
    return param.param_type_name == "option" and bool(param.required)


def _placeholder(param: Any) -> str:
    name = param.metavar + ("..." if param.nargs == -1 and "..." not in param.metavar else "")
    return name if param.required else f"[{name}]"


def _row(text: str, default: str) -> str:
    return f"- {text}" + (f" (`{default}`)" if default else "")


def _default(param: Any) -> str:
    return param.show_default if isinstance(param.show_default, str) else ""


def _text(param: Any) -> str:
    """Name, kind and meaning."""
    kind = param.metavar or ""
    if param.param_type_name == "argument":
        title = f"`{_placeholder(param)}`"
    else:
        flags = [*sorted(param.opts, key=len, reverse=True), *param.secondary_opts]
        title = ", ".join(f"`{flag}`" for flag in flags)
        title += f" `{kind}`" if "|" in kind else f" {kind}" if kind else ""
    keys = [f"\n  {_row(f'`{r.key}={r.value}`: {r.about}', r.default)}" for r in param.rows]
    return f"{_escape(title)}: {_escape(param.help or '').strip()}{''.join(keys)}"


def _escape(text: str) -> str:
    return text.replace("<", "&lt;")


def main() -> None:
    """Writes the page, or says whether it is what the code says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; status 1 if stale")
    page = render()
    if parser.parse_args().check:
        if PAGE.read_text(encoding="utf-8") != page:
            sys.exit(f"{PAGE.name} is not what the code says; run python docs/make_commands.py")
        return
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
