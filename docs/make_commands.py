"""Writes `commands.md`, the command reference, from the code: ``python docs/make_commands.py``."""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import typer

PAGE = Path(__file__).with_name("commands.md")
_HEAD = """# Commands

Written from the code by `python docs/make_commands.py`. `dfactscore COMMAND --help` prints it
in a terminal. A mistake in a command is one line on standard error and exit status 2; status 1
means that the work was done but single records failed, and says which.
"""
_METAVARS = {bool: "", Path: "PATH", str: "TEXT", int: "N", float: "NUMBER"}


def render() -> str:
    """The whole page."""
    from dfactscore.cli import app as home

    for name in home._COMMANDS:
        import_module(f"dfactscore.cli.{name}")
    root = typer.main.get_command(home.app)
    commands = list(_walk(root, ("dfactscore",)))
    lines = [_HEAD, "| command | what it does |", "| --- | --- |"]
    for path, command in commands:
        if not _children(command):
            title = " ".join(path)
            lines.append(f"| [`{title}`](#{title.replace(' ', '-')}) | {_summary(command)} |")
    lines.append("")
    for path, command in commands:
        lines += _section(path, command)
    return "\n".join(lines).rstrip() + "\n"


def _children(command: Any) -> dict[str, Any]:
    return dict(sorted(getattr(command, "commands", {}).items()))


def _walk(command: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, child in _children(command).items():
        if not child.hidden:
            yield (*path, name), child
            yield from _walk(child, (*path, name))


def _summary(command: Any) -> str:
    return (command.help or "").strip().splitlines()[0]


def _section(path: tuple[str, ...], command: Any) -> list[str]:
    lines = [f"{'#' * len(path)} {' '.join(path)}", ""]
    paragraphs = (command.help or "").strip().split("\n\n")
    for paragraph in paragraphs:
        lines += [_escape(" ".join(paragraph.split())), ""]
    if _children(command):
        return lines
    hints = get_type_hints(command.callback, include_extras=True)
    signature = inspect.signature(command.callback).parameters
    further = _further_defaults(path[-1])
    params = [p for p in command.params if p.name in hints and not p.hidden]
    usage = [*path, *(_placeholder(p) for p in params if p.param_type_name == "argument")]
    usage += [f"{p.opts[0]} {_kind(hints[p.name])}" for p in params if _required_option(p)]
    if any(p.param_type_name == "option" and not p.required for p in params):
        usage.append("[OPTIONS]")
    lines += ["```", " ".join(usage), "```", ""]
    if params:
        lines += ["| option | meaning | default |", "| --- | --- | --- |"]
        for param in params:
            default = signature[param.name].default
            if default is None:
                default = further.get(param.name)
            lines.append(_row(param, hints[param.name], default))
        lines.append("")
    return lines


def _further_defaults(command: str) -> dict[str, Any]:
    """Defaults of the options that are also keys of a settings file, and stand there."""
    from dfactscore import Scorer
    from dfactscore.generation.config import GenerationConfig
    from dfactscore.jobs.settings import Config

    if command == "generate":
        return GenerationConfig().model_dump()
    if command != "score":
        return {}
    scorer = {n: p.default for n, p in inspect.signature(Scorer).parameters.items()}
    return scorer | {n: v for n, v in Config().model_dump().items() if v is not None}


def _required_option(param: Any) -> bool:
    return param.param_type_name == "option" and bool(param.required)


def _placeholder(param: Any) -> str:
    name = param.name.upper() + ("..." if param.nargs == -1 else "")
    return name if param.required else f"[{name}]"


def _row(param: Any, hint: Any, default: Any) -> str:
    if param.param_type_name == "argument":
        title = f"`{_placeholder(param)}`"
    else:
        flags = [*param.opts, *param.secondary_opts]
        title = ", ".join(f"`{flag}`" for flag in flags)
    kind = _kind(hint)
    about = _escape(param.help or "")
    if choices := _choices(hint):
        about += " One of " + ", ".join(f"`{c}`" for c in choices) + "."
    elif kind and param.param_type_name == "option":
        title += f" {kind}"
    if limits := _limits(hint):
        about += f" {limits}."
    return f"| {title} | {about.strip()} | {_default(param, default)} |"


def _bare(hint: Any) -> Any:
    """The type without `Annotated`, `None` and the list around it."""
    while True:
        inner = [a for a in get_args(hint) if a is not NoneType]
        if hasattr(hint, "__metadata__"):
            hint = hint.__origin__
        elif get_origin(hint) is Literal or not inner:
            return hint
        else:
            hint = inner[0]


def _choices(hint: Any) -> tuple[Any, ...]:
    bare = _bare(hint)
    return get_args(bare) if get_origin(bare) is Literal else ()


def _kind(hint: Any) -> str:
    return "CHOICE" if _choices(hint) else _METAVARS.get(_bare(hint), "VALUE")


def _limits(hint: Any) -> str:
    info = next(iter(getattr(hint, "__metadata__", ())), None)
    low, high = getattr(info, "min", None), getattr(info, "max", None)
    if low is not None and high is not None:
        return f"From {low:g} to {high:g}"
    if low is not None:
        return f"At least {low:g}"
    return f"At most {high:g}" if high is not None else ""


def _default(param: Any, default: Any) -> str:
    if param.required:
        return "required"
    if default is None or default is inspect.Parameter.empty or default in ("", []):
        return ""
    if isinstance(default, bool):
        if not param.secondary_opts:
            return ""
        return f"`{param.opts[0] if default else param.secondary_opts[0]}`"
    if isinstance(default, (list, tuple)):
        return ", ".join(f"`{v}`" for v in default)
    return f"`{default:g}`" if isinstance(default, float) else f"`{default}`"


def _escape(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


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
