"""Writes `commands.md`, the command reference, from the code: ``python docs/make_commands.py``."""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dfactscore._util.settings import PANELS, default_text, facts_of, variable_of

_SHARED = 2  # an option that so many commands share is listed once
_TOP = 2  # words of a command without a group
_RANGE = 3  # so many consecutive shared options are shown as a range
_PANELS = ("Arguments", *PANELS, "Other")
_EVERYONE = ()  # section of options that commands of several groups share
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


@dataclass(frozen=True)
class _Option:
    """An option or argument on the page; options with equal text are equal."""

    flags: str
    about: str
    kind: str = field(compare=False)
    default: str = field(compare=False)
    panel: str = field(compare=False)

    def row(self) -> str:
        return _row(f"{self.flags}{self.kind and f' {self.kind}'}: {self.about}", self.default)


#: Options that only the commands of a group share, by group, in their most common form.
_Shared = Mapping[tuple[str, ...], Mapping[_Option, _Option]]


def render() -> str:
    """Renders the page."""
    from dfactscore._cli.app import read_all

    commands = list(_walk(read_all(), ("dfactscore",)))
    lines = [_HEAD.format(variables=_variables())]
    shared = _shared((path, command) for path, command in commands if not _children(command))
    lines += _shared_section(shared[_EVERYONE])
    for path, command in commands:
        lines += _section(path, command, shared)
    lines += _in_file(commands)
    lines += _experiment(shared[_EVERYONE])
    return "\n".join(lines).rstrip() + "\n"


def _variables() -> str:
    """Lists the environment variables, in the order of their declaration."""
    from dfactscore._jobs.settings import Config

    fields = Config.model_fields
    return ", ".join(f"`{variable_of(n)}`" for n, f in fields.items() if facts_of(f).variable) + "."


def _experiment(shared: Iterable[_Option]) -> list[str]:
    """Lists the keys of an experiment file; shared options are only named."""
    from dfactscore._experiment import Experiment

    known = {(option.flags.split("`")[1], option.about) for option in shared}
    same, rows = [], []
    for name, facts in Experiment.model_fields.items():
        about = _escape(facts.description or "")
        if (f"--{name.replace('_', '-')}", about) in known:
            same.append(f"`{name}`")
        else:
            rows.append(_row(f"`{name}`: {about}", default_text(facts) or ""))
    lines = ["## Keys of an experiment file", ""]
    lines += ["Keys that `dfactscore run` reads ([example](generation.md#experiments)):"]
    lines += [f"{', '.join(same)}, as the [shared options](#shared-options), and", "", *rows]
    return [*lines, ""]


def _in_file(commands: Iterable[tuple[tuple[str, ...], Any]]) -> list[str]:
    """Lists the keys without an option, by the commands that read them."""
    commands = list(commands)
    options = {_option(p) for _, command in commands for p in getattr(command, "params", [])}
    flags = {(o.flags.split("`")[1], o.about): o.flags.split(",")[0] for o in options}
    readers: dict[str, list[str]] = defaultdict(list)
    for path, command in commands:
        for row in getattr(command, "in_file", {}).values():
            flag = flags.get((f"--{row.key.replace('_', '-')}", _escape(row.about)))
            meaning = f"as {flag}." if flag else _escape(row.about)
            about = _row(f"`{row.key}: {row.value}`: {meaning}", row.default)
            readers[about].append(" ".join(path[1:]))
    rows: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for about, names in readers.items():
        rows[tuple(names)].append(about)
    lines = ["## Keys of the settings file", ""]
    lines += ["Only the file of `--config` sets these; few people need them.", ""]
    for names in sorted(rows, key=len, reverse=True):
        lines += [f"**{', '.join(names)}**", "", *sorted(rows[names]), ""]
    return lines


def _children(command: Any) -> dict[str, Any]:
    return dict(sorted(getattr(command, "commands", {}).items()))


def _walk(command: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, child in _children(command).items():
        if not child.hidden:
            yield (*path, name), child
            yield from _walk(child, (*path, name))


def _shared(commands: Iterable[tuple[tuple[str, ...], Any]]) -> _Shared:
    """Returns the options that several commands share, in panels.

    If an option has several meanings, the most common is returned; the others are listed with
    their commands.
    """
    found: dict[_Option, list[_Option]] = defaultdict(list)
    groups: dict[_Option, set[tuple[str, ...]]] = defaultdict(set)
    for path, command in commands:
        for param in _params(command):
            if not _required_option(param):
                option = _option(param)
                found[option].append(option)
                groups[option].add(path[:-1] if len(path) > _TOP else path)
    usual = {o: _usual(same) for o, same in found.items() if len(same) >= _SHARED}
    shared: dict[tuple[str, ...], dict[_Option, _Option]] = {_EVERYONE: {}}
    most: dict[tuple[tuple[str, ...], str], int] = {}
    for option in sorted(usual, key=lambda o: _PANELS.index(usual[o].panel)):
        home = min(groups[option]) if len(groups[option]) == 1 else _EVERYONE
        flag = home, option.flags.split("`")[1]
        if len(found[option]) <= most.get(flag, 0):
            continue
        options = shared.setdefault(home, {})
        for other in [o for o in options if o.flags.split("`")[1] == flag[1]]:
            del options[other]
        most[flag] = len(found[option])
        options[option] = usual[option]
    return shared


def _usual(options: list[_Option]) -> _Option:
    """Returns the option with the most common kind of values, default and panel."""
    most = Counter((o.kind, o.default, o.panel) for o in options).most_common(1)[0][0]
    return replace(options[0], kind=most[0], default=most[1], panel=most[2])


def _shared_section(shared: Mapping[_Option, _Option]) -> list[str]:
    """Renders the section of shared options."""
    lines = [
        "## Shared options",
        "",
        "Each command lists its shared options; … means all options between.",
        "",
    ]
    for panel in _PANELS:
        rows = [option.row() for option in shared.values() if option.panel == panel]
        if rows:
            lines += [f"**{panel}**", "", *rows, ""]
    return lines


def _section(path: tuple[str, ...], command: Any, shared: _Shared) -> list[str]:
    lines = [f"{'#' * len(path)} {' '.join(path)}", ""]
    paragraphs = (command.help or "").strip().split("\n\n")
    for paragraph in paragraphs:
        lines += [_escape(" ".join(paragraph.split())), ""]
    if _children(command):
        rows = [option.row() for option in shared.get(path, {}).values()]
        return [*lines, "Its commands share:", "", *rows, ""] if rows else lines
    params = _params(command)
    usage = [*path, *(_placeholder(p) for p in params if p.param_type_name == "argument")]
    usage += [f"{p.opts[-1]} {p.metavar}" for p in params if _required_option(p)]
    if any(p.param_type_name == "option" and not p.required for p in params):
        usage.append("[OPTIONS]")
    if usage != [*path, "[OPTIONS]"]:  # the heading shows the path
        lines += [f"`{' '.join(usage)}`", ""]
    options = {(o := _option(p)): o for p in _in_panels(params)}
    group, everyone = shared.get(path[:-1], {}), shared[_EVERYONE]
    own = [o.row() for o in options if o not in group and o not in everyone]
    if own:
        lines += [*own, ""]
    links = {" ".join(path[:-1]).replace(" ", "-"): group, "shared-options": everyone}
    named = {link: _named_all(options, found) for link, found in links.items()}
    places = [f"[Shared](#{link}): {', '.join(names)}." for link, names in named.items() if names]
    return [*lines, " ".join(places), ""] if places else lines


def _named_all(options: Mapping[_Option, _Option], shared: Mapping[_Option, _Option]) -> list[str]:
    """Names the shared options of a command in order; consecutive ones form a range."""
    ranges: list[list[str]] = [[]]
    for key, usual in shared.items():
        if usual.panel == _PANELS[0]:  # the usage shows arguments
            continue
        if key not in options:
            ranges.append([])
            continue
        name = _named(options[key], usual)
        if name.endswith(")"):  # a range would hide different values or defaults
            ranges += [[name], []]
        else:
            ranges[-1].append(name)
    return [
        words
        for names in ranges
        for words in ([f"{names[0]}…{names[-1]}"] if len(names) >= _RANGE else names)
    ]


def _named(option: _Option, usual: _Option) -> str:
    """Names a shared option, with unusual values and default."""
    name = max(option.flags.split("`")[1::2], key=len)
    others = [option.kind] if option.kind != usual.kind else []
    if option.default != usual.default:
        others.append(f"`{option.default}`" if option.default else "no default")
    return f"`{name}` ({', '.join(others)})" if others else f"`{name}`"


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
    """Groups arguments, then options, in the order of the help."""
    return sorted(params, key=lambda p: _PANELS.index(_panel(p)))


def _required_option(param: Any) -> bool:
    return param.param_type_name == "option" and bool(param.required)


def _placeholder(param: Any) -> str:
    name = param.metavar + ("..." if param.nargs == -1 and "..." not in param.metavar else "")
    return name if param.required else f"[{name}]"


def _row(text: str, default: str) -> str:
    return f"- {text}" + (f" (`{default}`)" if default else "")


def _option(param: Any) -> _Option:
    kind = param.metavar or ""
    if param.param_type_name == "argument":
        flags, kind = f"`{_placeholder(param)}`", ""
    else:
        names = [*sorted(param.opts, key=len, reverse=True), *param.secondary_opts]
        flags = ", ".join(f"`{name}`" for name in names)
        kind = f"`{kind}`" if "|" in kind else kind
    keys = [f"\n  {_row(f'`{r.key}={r.value}`: {r.about}', r.default)}" for r in param.rows]
    about = f"{_escape(param.help or '').strip()}{''.join(keys)}"
    default = param.show_default if isinstance(param.show_default, str) else ""
    return _Option(_escape(flags), about, _escape(kind), default, _panel(param))


def _escape(text: str) -> str:
    return text.replace("<", "&lt;")


def main() -> None:
    """Writes the page, or checks whether it is up to date."""
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
