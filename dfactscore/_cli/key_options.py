"""Options that set several fields (``--nli form=true``), and hints on keys in settings files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from pydantic.fields import FieldInfo

from dfactscore._errors import InputError
from dfactscore._util.near import near_miss
from dfactscore._util.settings import (
    Settings,
    about_keyed,
    base_type,
    choices,
    default_text,
    facts_of,
    flag_of,
    keyed_of,
    variable_of,
)

METAVARS = {Path: "PATH", str: "TEXT", int: "N", float: "NUMBER", dict: "YAML", bool: "true|false"}
_KEY = "KEY=VALUE"


class Row(NamedTuple):
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


def row_of(name: str, field: FieldInfo) -> Row:
    """Describes a field as a key, for help and documentation; an option's keys use dashes."""
    value = "|".join(choices(field)) or METAVARS[base_type(field)]
    key = flag_of(name, field).partition(" ")[2] or name
    return Row(key, value, field.description or "", default_text(field))


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
    return hints


def in_words(name: str, *, variable: bool) -> str:
    """Returns a hint on a key that can only be set in the settings file."""
    alternative = f" or set {variable_of(name)}" if variable else ""
    return f"write '{name}: VALUE' into the file of --config{alternative}"
