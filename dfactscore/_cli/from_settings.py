"""Adds commands whose options are defined by a settings class and whose help consists of panels."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, get_args, get_origin

import typer
from pydantic.fields import FieldInfo
from typer.core import TyperCommand
from typer.models import ArgumentInfo

from dfactscore._cli.root import ALL, SHORT, fitting, show_all
from dfactscore._errors import InputError
from dfactscore._util.message_text import OF_REQUESTS, near_miss
from dfactscore._util.settings import (
    PANELS,
    Settings,
    about_keyed,
    base_type,
    choices,
    default_text,
    facts_of,
    first_of,
    flag_of,
    from_environment,
    from_file,
    from_flags,
    keyed_of,
    settle,
    unread_variables,
    variable_of,
)

METAVARS = {Path: "PATH", str: "TEXT", int: "N", float: "NUMBER", dict: "YAML", bool: "true|false"}
_KEY = "KEY=VALUE"


class SettingRow(NamedTuple):
    """A key, together with the type of its value, its help text and its default."""

    key: str
    value: str
    about: str
    default: str


def keyed_options(kind: type[Settings], names: Iterable[str]) -> dict[str, dict[str, str]]:
    """Returns the options that set several of the fields, each as a mapping from keys to fields."""
    offered = set(names)
    options = {
        flag: {key: name for key, name in keys.items() if name in offered}
        for flag, keys in keyed_of(kind).items()
    }
    return {flag: keys for flag, keys in options.items() if keys}


def parameter_of(flag: str) -> str:
    """Returns the parameter name for an option with keys."""
    return f"{flag.strip('-').replace('-', '_')}_keys"


def keyed_option(kind: type[Settings], flag: str, keys: Mapping[str, str]) -> Any:
    """Returns the annotation for an option with keys."""
    field = kind.model_fields[next(iter(keys.values()))]
    about = f"{about_keyed(kind, flag)}; may be repeated."
    info = typer.Option(
        flag, metavar=_KEY, help=about, show_default="", rich_help_panel=facts_of(field).panel
    )
    return Annotated[list[str] | None, info]


def row_of(name: str, field: FieldInfo) -> SettingRow:
    """Describes a field as a key, for help and documentation; an option's keys use dashes."""
    value = "|".join(choices(field)) or METAVARS[base_type(field)]
    key = flag_of(name, field).partition(" ")[2] or name
    return SettingRow(key, value, field.description or "", default_text(field))


def read_keys(flag: str, keys: Mapping[str, str], words: Sequence[str]) -> dict[str, str]:
    """Returns the values set by an option with keys, by field; the last value of a key is used."""
    values = {}
    for word in words:
        key, equals, value = word.partition("=")
        name = keys.get(key.strip().replace("_", "-"))
        if name is None or not equals:
            problem = f"expected {_KEY}, found {word!r}" if not equals else f"no key {key!r}"
            raise InputError(
                f"{flag}: {problem}; its keys are {', '.join(keys)}{near_miss(key, keys)}"
            )
        values[name] = value
    return values


def moved(kind: type[Settings], names: Iterable[str], in_file: Iterable[str]) -> dict[str, str]:
    """Returns hints on fields without an option, by the name that the option would have."""
    hints: dict[str, str] = {}
    for flag, keys in keyed_options(kind, names).items():
        hints |= {name.replace("_", "-"): f"give {flag} {key}=VALUE" for key, name in keys.items()}
    for name in in_file:
        field = kind.model_fields[name]
        words = {name.replace("_", "-"), flag_of(name, field).strip("-")}
        hints |= dict.fromkeys(words, in_words(name, variable=facts_of(field).variable))
    if "parameters" in in_file:
        for name in OF_REQUESTS:
            hints[name.replace("_", "-")] = in_words("parameters", value=f"{{{name}: VALUE}}")
    return hints


def in_words(name: str, *, variable: bool = False, value: str = "VALUE") -> str:
    """Returns a hint on a key that can only be set in the settings file."""
    alternative = f" or set {variable_of(name)}" if variable else ""
    return f"write '{name}: {value}' into the file of --config{alternative}"


_EPILOG = "All options except {} and {} can also be keys of --config FILE ({})"
_WITH_VARIABLES = (
    "; options of models, limits and budget also have variables (DFACTSCORE_MAX_COST=5). "
    "Options override the file, the file overrides variables."
)
# Parameters of a command's function that `command` fills in.
_FILLED = frozenset({"given", "keys", "settings", "config"})
# Options that are not settings but appear in the short help.
_FIRST = frozenset({"--by", "--columns", "--config", "--format", "--help"})
_F = TypeVar("_F", bound=Callable[..., None])


class Command(TyperCommand):
    """A command whose help shows options in panels."""

    first: frozenset[str] = frozenset()
    """The options in the short help."""

    keys: Mapping[str, list[SettingRow]] = {}
    """The keys of options that set several fields, by parameter."""

    in_file: Mapping[str, SettingRow] = {}
    """The fields that only the file of ``--config`` sets."""

    moved: Mapping[str, str] = {}
    """Hints on fields without an option, by the name that their option would have."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parses the command's arguments."""
        show_all(self, ctx, args)
        return super().parse_args(ctx, args)

    def get_help(self, ctx: Any) -> str:
        """Returns help that fits on one screen."""
        return fitting(super().get_help, ctx, lines=40)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Writes one section per panel, followed by the options that have no panel."""
        sections: dict[str, list[tuple[str, str]]] = {panel: [] for panel in (*PANELS, "Other")}
        hidden = 0
        for param in sorted(self.get_params(ctx), key=lambda p: p.param_type_name):
            if getattr(param, "hidden", False):
                continue
            is_first = param.param_type_name == "argument" or param.name in self.first
            if ctx.meta[SHORT] and not (is_first or _FIRST.intersection(param.opts)):
                hidden += 1
            else:
                panel = getattr(param, "rich_help_panel", None) or "Other"
                sections.setdefault(panel, []).append(_help_row(param))
                keys = [] if ctx.meta[SHORT] else self.keys.get(param.name, [])
                sections[panel] += [(f"  {row.key}={row.value}", _about(row)) for row in keys]
        if ctx.meta[SHORT]:
            sections = {"Options": [row for rows in sections.values() for row in rows]}
            sections["Options"].append((ALL, f"Show all options, {hidden} more."))
        for panel, rows in sections.items():
            if rows:
                with formatter.section(panel):
                    formatter.write_dl(rows, col_max=26)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Writes the text below the options, except in the short help."""
        if not ctx.meta[SHORT]:
            super().format_epilog(ctx, formatter)


def command(
    home: typer.Typer,
    # The settings class, whose fields become options. The function may take the settings as
    # `settings`, the options given on the command line as `given` (a dict by field), the keys of
    # the settings file as `keys`, and its path as `config`.
    settings: type[Settings] | None = None,
    *,
    only: Iterable[str] | None = None,
    defaults: bool = True,
    config: bool = False,
    name: str | None = None,
) -> Callable[[_F], _F]:
    """Registers a function as a command."""

    def register(function: _F) -> _F:
        parameters = inspect.signature(function, eval_str=True).parameters
        fields = {} if settings is None else settings.model_fields
        names = [name for name in fields if only is None or name in only]
        if twice := parameters.keys() & set(names):
            raise TypeError(f"{function.__name__}: {', '.join(twice)}: fields of the settings, too")
        in_file = tuple(name for name in names if config and facts_of(fields[name]).in_file)
        keyed = {} if settings is None else keyed_options(settings, set(names) - set(in_file))
        by_key = {name for keys in keyed.values() for name in keys.values()}
        plain = [name for name in names if name not in in_file and name not in by_key]
        options = _parameters(settings, plain, keyed, parameters, defaults=defaults, config=config)

        @functools.wraps(function)
        def run(**values: Any) -> None:
            if settings is not None:
                _report_unread(settings, names, in_file)
                popped = {name: values.pop(name) for name in plain}
                given = {name: value for name, value in popped.items() if value not in (None, [])}
                for flag, names_of in keyed.items():
                    given |= read_keys(flag, names_of, values.pop(parameter_of(flag)) or ())
                file = values.pop("config") if config else None
                filled = (("given", given), ("config", file))
                values |= {name: value for name, value in filled if name in parameters}
                if "settings" in parameters:
                    keys = from_file(settings, file, only=names)
                    sources = from_environment(settings), keys, from_flags(given, settings)
                    values["settings"] = settle(settings, *sources)
                    if "keys" in parameters:
                        values["keys"] = keys
            function(**values)

        run.__signature__ = inspect.Signature(options)  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in options}
        about: dict[str, Any] = {}
        if settings is not None:
            about["first"] = first_of(settings)
            about["keys"] = {
                parameter_of(flag): [row_of(name, fields[name]) for name in keys.values()]
                for flag, keys in keyed.items()
            }
            about["moved"] = moved(settings, names, in_file)
            about["in_file"] = {name: row_of(name, fields[name]) for name in in_file}
        kind = type("Command", (Command,), about)
        epilog = _epilog(parameters, keyed, in_file, "max_cost" in names) if config else None
        home.command(name, cls=kind, epilog=epilog)(run)
        return function

    return register


def _epilog(
    parameters: Mapping[str, inspect.Parameter],
    keyed: Mapping[str, Mapping[str, str]],
    in_file: Sequence[str],
    budget: bool,
) -> str:
    """Returns the note shown below the options of a command that has ``--config``."""
    flags = ["--config"]
    for name, parameter in parameters.items():
        info = None if name in _FILLED else get_args(parameter.annotation)[1]
        if info is not None and not isinstance(info, ArgumentInfo):
            words = map(
                str, (info.default, *(info.param_decls or ()))
            )  # in typer, the first is the default
            flags.append(next((word for word in words if word.startswith("--")), f"--{name}"))
    keys = (
        f"{flag} {key} is {name}" for flag, fields in keyed.items() for key, name in fields.items()
    )
    examples = ["max_cost: 5"] * budget + list(keys)[:1]
    file_only = f" Only the file has {', '.join(in_file)} (docs/commands.md)." if in_file else ""
    note = str(_EPILOG.format(", ".join(sorted(flags)[:-1]), max(flags), "; ".join(examples)))
    return note + (_WITH_VARIABLES if budget else ".") + file_only


def _parameters(
    settings: type[Settings] | None,
    names: Iterable[str],
    keyed: Mapping[str, Mapping[str, str]],
    parameters: Mapping[str, inspect.Parameter],
    *,
    defaults: bool,
    config: bool,
) -> list[inspect.Parameter]:
    """Returns a command's options: its settings, ``--config`` and other parameters."""
    options: dict[str, tuple[Any, Any]] = {}
    fields = {} if settings is None else settings.model_fields
    for name in names:
        unset = inspect.Parameter.empty if fields[name].is_required() else None
        options[name] = (_option(name, fields[name], defaults), unset)
    if settings is not None:
        for flag, keys in keyed.items():
            options[parameter_of(flag)] = (keyed_option(settings, flag, keys), None)
    if config:
        options["config"] = (_described("config", _CONFIG, None), None)
    for name, p in parameters.items():
        if name not in _FILLED:
            options[name] = (_described(name, p.annotation, p.default), p.default)
    return [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=unset, annotation=kind)
        for name, (kind, unset) in options.items()
    ]


def _of_models() -> set[str]:
    """Returns the fields that environment variables can set in commands that call a model."""
    from dfactscore._asking.options import BudgetSettings, JudgeModelSettings

    models = (JudgeModelSettings, BudgetSettings)
    return {n for kind in models for n, f in kind.model_fields.items() if facts_of(f).variable}


def _report_unread(settings: type[Settings], names: Iterable[str], in_file: Iterable[str]) -> None:
    """Reports variables that are named like an option of the command but do not have any effect."""
    for variable, name in unread_variables(settings).items():
        if name in names and name not in _of_models():
            flag = f"use {flag_of(name, settings.model_fields[name])}"
            remedy = in_words(name, variable=False) if name in in_file else flag
            reason = "only models, limits and budget have variables"
            typer.echo(f"{variable} is not read: {reason}; {remedy}", err=True)


def option(panel: str, help: str, *flags: str, **details: Any) -> Any:
    """Declares an option that is not a setting."""
    return typer.Option(*flags, help=help, rich_help_panel=panel, **details)


def argument(help: str, panel: str = "Input", **details: Any) -> Any:
    """Declares an argument that is not a setting."""
    return typer.Argument(help=help, rich_help_panel=panel, **details)


_CONFIG = Annotated[
    Path | None,
    option("Input", "YAML file with these options as keys.", "--config"),
]


def _option(name: str, field: FieldInfo, defaults: bool) -> Any:
    """Returns the annotation for a field's option; the settings class validates the value later."""
    facts, kind = facts_of(field), base_type(field)
    about: dict[str, Any] = {
        "help": field.description,
        "rich_help_panel": facts.panel,
        "show_default": default_text(field) if defaults else "",
    }
    if facts.argument:
        return Annotated[Path | None, typer.Argument(metavar=name.upper(), **about)]
    flag = f"--{name.replace('_', '-')}"
    if kind is bool:
        flag += "" if name.startswith("no_") else f"/--no-{flag[2:]}"
    replaces_flag = any(other.startswith("--") for other in facts.flags)
    flags = facts.flags if replaces_flag else (flag, *facts.flags)
    if kind is bool:
        return Annotated[bool | None, typer.Option(*flags, **about)]
    if values := choices(field):
        about["autocompletion"] = lambda: list(values)
    if kind is tuple:
        return Annotated[list[str] | None, typer.Option(*flags, metavar="TEXT", **about)]
    metavar = "|".join(values) or METAVARS[kind]
    type_: Any = Path if kind is Path else str
    if not field.is_required():
        type_ = type_ | None
    return Annotated[type_, typer.Option(*flags, metavar=metavar, **about)]


def _described(name: str, annotation: Any, default: Any) -> Any:
    """Adds to an annotation the metavariable and the default that the help shows."""
    base, info = annotation.__origin__, annotation.__metadata__[0]
    kinds = [a for a in get_args(base) if a is not NoneType] or [base]
    kind = base if get_origin(base) is Literal else kinds[0]
    choice = "|".join(map(str, get_args(kind))) if get_origin(kind) is Literal else None
    described = copy(info)
    if described.metavar is None and kind is not bool:
        is_argument = isinstance(info, ArgumentInfo)
        described.metavar = choice or (name.upper() if is_argument else METAVARS.get(kind))
    if not isinstance(described.show_default, str):
        unset = any(default is x for x in (None, False, "", inspect.Parameter.empty))
        text = f"{default:g}" if isinstance(default, float) else str(default)
        described.show_default = "" if unset else text
    return Annotated[base, described]


def _help_row(param: Any) -> tuple[str, str]:
    kind = "" if param.metavar is None else f" {param.metavar}"
    if param.param_type_name == "argument":
        title = kind.strip() or param.name.upper()
    else:
        names = [", ".join(sorted(param.opts, key=len)), *param.secondary_opts]
        title = " / ".join(names) + ("" if getattr(param, "is_flag", False) else kind)
    default = param.show_default if isinstance(param.show_default, str) else ""
    default = "required" if param.required else default
    return title, _about(SettingRow("", "", param.help or "", default))


def _about(row: SettingRow) -> str:
    return f"{row.about} [{row.default}]" if row.default else row.about
