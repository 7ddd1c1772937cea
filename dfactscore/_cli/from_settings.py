"""Commands whose options come from a settings model, and help in panels."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin

import typer
from pydantic.fields import FieldInfo
from typer.core import TyperCommand
from typer.models import ArgumentInfo

from dfactscore._cli.help_screen import ALL, SHORT, fitting, show_all
from dfactscore._cli.key_options import (
    METAVARS,
    Row,
    in_words,
    keyed_option,
    keyed_options,
    moved,
    parameter_of,
    read_keys,
    row_of,
)
from dfactscore._util.settings import (
    PANELS,
    Settings,
    base_type,
    choices,
    default_text,
    facts_of,
    first_of,
    flag_of,
    load,
    unread_variables,
)

_EPILOG = "All options but {} and {} can also be keys of --config FILE ({})"
_WITH_VARIABLES = (
    ", those of models, limits and budget also variables (DFACTSCORE_MAX_COST=5). "
    "Options override the file, the file overrides variables."
)
# Parameters of a command's function that `command` fills in.
_FILLED = frozenset({"given", "settings", "config"})
# Options by hand that are on the first screen, too.
_FIRST = frozenset({"--by", "--columns", "--config", "--format", "--help"})
_F = TypeVar("_F", bound=Callable[..., None])


class Command(TyperCommand):
    """A command whose help shows options in panels."""

    first: frozenset[str] = frozenset()
    """Options that help shows where all do not fit one screen."""

    keys: Mapping[str, list[Row]] = {}
    """Rows of the keys of parameters that set several fields."""

    in_file: Mapping[str, Row] = {}
    """Rows of the fields that only the file of ``--config`` sets."""

    moved: Mapping[str, str] = {}
    """Returns help on fields without an option, by the option they would be."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Reads the arguments of the command."""
        show_all(self, ctx, args)
        return super().parse_args(ctx, args)

    def get_help(self, ctx: Any) -> str:
        """The help: on one screen where it can be, else what is declared first."""
        return fitting(super().get_help, ctx, lines=40)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Writes one section a panel; what belongs to none comes last."""
        sections: dict[str, list[tuple[str, str]]] = {panel: [] for panel in (*PANELS, "Other")}
        left_out = 0
        for param in sorted(self.get_params(ctx), key=lambda p: p.param_type_name):
            if getattr(param, "hidden", False):
                continue
            named = param.param_type_name == "argument" or param.name in self.first
            is_first = named or _FIRST.intersection(param.opts)
            if ctx.meta[SHORT] and not is_first:
                left_out += 1
            else:
                panel = getattr(param, "rich_help_panel", None) or "Other"
                sections.setdefault(panel, []).append(_help_row(param))
                keys = [] if ctx.meta[SHORT] else self.keys.get(param.name, [])
                sections[panel] += [(f"  {row.key}={row.value}", _about(row)) for row in keys]
        if ctx.meta[SHORT]:
            sections = {"Options": [row for rows in sections.values() for row in rows]}
            sections["Options"].append((ALL, f"Show all options, {left_out} more."))
        for panel, rows in sections.items():
            if rows:
                with formatter.section(panel):
                    formatter.write_dl(rows, col_max=26)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Writes the text below all options."""
        if not ctx.meta[SHORT]:
            super().format_epilog(ctx, formatter)


def command(
    home: typer.Typer,
    settings: type[Settings] | None = None,
    *,
    only: Iterable[str] | None = None,
    defaults: bool = True,
    config: bool = False,
    name: str | None = None,
) -> Callable[[_F], _F]:
    """Adds a function as a command.

    Args:
        home: The command it is added to.
        settings: A model of settings, whose fields become options. The function takes the model
            as ``settings``, or as ``given`` the fields that were given, a dict by name, and as
            ``config`` the file.
        only: The fields that are offered; all by default.
        defaults: Whether help names the model's defaults; not where something else decides.
        config: Whether ``--config`` names a file with the settings, too.
        name: Name of the command; the function's name by default.
    """

    def register(function: _F) -> _F:
        own = inspect.signature(function, eval_str=True).parameters
        fields = {} if settings is None else settings.model_fields
        names = [name for name in fields if only is None or name in only]
        if twice := own.keys() & set(names):
            raise TypeError(f"{function.__name__}: {', '.join(twice)}: fields of the settings, too")
        in_file = tuple(name for name in names if config and facts_of(fields[name]).in_file)
        keyed = {} if settings is None else keyed_options(settings, set(names) - set(in_file))
        by_key = {name for keys in keyed.values() for name in keys.values()}
        plain = [name for name in names if name not in in_file and name not in by_key]
        made = _parameters(settings, plain, keyed, own, defaults=defaults, config=config)

        @functools.wraps(function)
        def run(**values: Any) -> None:
            if settings is not None:
                _say_unread(settings, names, in_file)
                each = {name: values.pop(name) for name in plain}
                given = {name: value for name, value in each.items() if value not in (None, [])}
                for flag, keys in keyed.items():
                    given |= read_keys(flag, keys, values.pop(parameter_of(flag)) or ())
                file = values.pop("config") if config else None
                values |= {k: v for k, v in (("given", given), ("config", file)) if k in own}
                if "settings" in own:
                    values["settings"] = load(settings, given, file, only=names)
            function(**values)

        run.__signature__ = inspect.Signature(made)  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in made}
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
        epilog = _epilog(own, keyed, in_file, "max_cost" in names) if config else None
        home.command(name, cls=kind, epilog=epilog)(run)
        return function

    return register


def _epilog(
    own: Mapping[str, inspect.Parameter],
    keyed: Mapping[str, Mapping[str, str]],
    in_file: Sequence[str],
    budget: bool,
) -> str:
    """Note below the options of a command with ``--config``: which are not keys."""
    flags = ["--config"]
    for name, parameter in own.items():
        info = None if name in _FILLED else get_args(parameter.annotation)[1]
        if info is not None and not isinstance(info, ArgumentInfo):
            said = (info.default, *(info.param_decls or ()))  # typer takes the first for a default
            flags.append(next((f for f in map(str, said) if f.startswith("--")), f"--{name}"))
    named = (
        f"{flag} {key} is {name}" for flag, keys in keyed.items() for key, name in keys.items()
    )
    examples = ["max_cost: 5"] * budget + list(named)[:1]
    more = f" Only the file has {', '.join(in_file)} (docs/commands.md)." if in_file else ""
    note = str(_EPILOG.format(", ".join(sorted(flags)[:-1]), max(flags), "; ".join(examples)))
    return note + (_WITH_VARIABLES if budget else ".") + more


def _parameters(
    settings: type[Settings] | None,
    names: Iterable[str],
    keyed: Mapping[str, Mapping[str, str]],
    own: Mapping[str, inspect.Parameter],
    *,
    defaults: bool,
    config: bool,
) -> list[inspect.Parameter]:
    """The options of a command: of its settings, the file with them, and those by hand."""
    made: dict[str, tuple[Any, Any]] = {}
    fields = {} if settings is None else settings.model_fields
    for name in names:
        unset = inspect.Parameter.empty if fields[name].is_required() else None
        made[name] = (_option(name, fields[name], defaults), unset)
    if settings is not None:
        for flag, keys in keyed.items():
            made[parameter_of(flag)] = (keyed_option(settings, flag, keys), None)
    if config:
        made["config"] = (_described("config", _CONFIG, None), None)
    for name, p in own.items():
        if name not in _FILLED:
            made[name] = (_described(name, p.annotation, p.default), p.default)
    return [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=unset, annotation=kind)
        for name, (kind, unset) in made.items()
    ]


def _of_models() -> set[str]:
    """Fields that a variable sets in the commands that ask a model."""
    from dfactscore._asking.options import BudgetSettings, JudgeModelSettings

    models = (JudgeModelSettings, BudgetSettings)
    return {n for kind in models for n, f in kind.model_fields.items() if facts_of(f).variable}


def _say_unread(settings: type[Settings], names: Iterable[str], in_file: Iterable[str]) -> None:
    """Names variables that look like an option of the command and set nothing."""
    for variable, name in unread_variables(settings).items():
        if name in names and name not in _of_models():
            flag = f"use {flag_of(name, settings.model_fields[name])}"
            instead = in_words(name, variable=False) if name in in_file else flag
            why = "only models, limits and budget have variables"
            typer.echo(f"{variable} is not read: {why}; {instead}", err=True)


def option(panel: str, help: str, *flags: str, **more: Any) -> Any:
    """An option that is written by hand, in a panel."""
    return typer.Option(*flags, help=help, rich_help_panel=panel, **more)


def argument(help: str, panel: str = "Input", **more: Any) -> Any:
    """An argument that is written by hand, in a panel."""
    return typer.Argument(help=help, rich_help_panel=panel, **more)


_CONFIG = Annotated[
    Path | None,
    option("Input", "YAML file with these options as keys.", "--config"),
]


def _option(name: str, field: FieldInfo, defaults: bool) -> Any:
    """The annotation of a field's option; the model itself checks what is given."""
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
    named = any(other.startswith("--") for other in facts.flags)
    flags = facts.flags if named else (flag, *facts.flags)
    if kind is bool:
        return Annotated[bool | None, typer.Option(*flags, **about)]
    if known := choices(field):
        about["autocompletion"] = lambda: list(known)
    if kind is tuple:
        return Annotated[list[str] | None, typer.Option(*flags, metavar="TEXT", **about)]
    metavar = "|".join(known) or METAVARS[kind]
    given: Any = Path if kind is Path else str
    if not field.is_required():
        given = given | None
    return Annotated[given, typer.Option(*flags, metavar=metavar, **about)]


def _described(name: str, annotation: Any, default: Any) -> Any:
    """A written annotation, with the kind of its value and its default as help shows them."""
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
        shown = f"{default:g}" if isinstance(default, float) else str(default)
        described.show_default = "" if unset else shown
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
    return title, _about(Row("", "", param.help or "", default))


def _about(row: Row) -> str:
    return f"{row.about} [{row.default}]" if row.default else row.about
