"""Options that set several fields by key, ``--nli form=true``, and keys that only a file has."""

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
    """A key, the kind of its value, its meaning and its default."""

    key: str
    value: str
    about: str
    default: str


def keyed_options(kind: type[Settings], names: Iterable[str]) -> dict[str, dict[str, str]]:
    """The options that set several of the fields, with the field of each key.

    Args:
        kind: The model of the fields.
        names: The fields that the command offers.
    """
    offered = set(names)
    found = {
        flag: {key: name for key, name in keys.items() if name in offered}
        for flag, keys in keyed_of(kind).items()
    }
    return {flag: keys for flag, keys in found.items() if keys}


def parameter_of(flag: str) -> str:
    """The name of the parameter that takes the words of an option with keys."""
    return f"{flag.strip('-').replace('-', '_')}_keys"


def keyed_option(kind: type[Settings], flag: str, keys: Mapping[str, str]) -> Any:
    """The annotation of an option with keys."""
    field = kind.model_fields[next(iter(keys.values()))]
    about = f"{about_keyed(kind, flag)}; may be repeated."
    info = typer.Option(
        flag, metavar=_KEY, help=about, show_default="", rich_help_panel=facts_of(field).panel
    )
    return Annotated[list[str] | None, info]


def row_of(name: str, field: FieldInfo) -> Row:
    """A key as help and documentation show it; with dashes where it is one of an option's."""
    value = "|".join(choices(field)) or METAVARS[base_type(field)]
    key = flag_of(name, field).partition(" ")[2] or name
    return Row(key, value, field.description or "", default_text(field))


def read_keys(flag: str, keys: Mapping[str, str], words: Sequence[str]) -> dict[str, str]:
    """The values by field that the words of an option give; of a key's several, the last.

    Args:
        flag: The option.
        keys: The field of each key.
        words: As they were given.

    Raises:
        InputError: If one is not KEY=VALUE with a key of the option.
    """
    found = {}
    for word in words:
        key, equals, value = word.partition("=")
        name = keys.get(key.strip().replace("_", "-"))
        if name is None or not equals:
            wrong = f"expected {_KEY}, found {word!r}" if not equals else f"no key {key!r}"
            raise InputError(
                f"{flag}: {wrong}; its keys are {', '.join(keys)}{near_miss(key, keys)}"
            )
        found[name] = value
    return found


def moved(kind: type[Settings], names: Iterable[str], in_file: Iterable[str]) -> dict[str, str]:
    """Help on fields without an option of their own, by the option that their names would make.

    Args:
        kind: The model of the fields.
        names: The fields that the command offers.
        in_file: Those that only its file has.
    """
    hints: dict[str, str] = {}
    for flag, keys in keyed_options(kind, names).items():
        hints |= {name.replace("_", "-"): f"give {flag} {key}=VALUE" for key, name in keys.items()}
    for name in in_file:
        field = kind.model_fields[name]
        words = {name.replace("_", "-"), flag_of(name, field).strip("-")}
        hints |= dict.fromkeys(words, in_words(name, variable=facts_of(field).variable))
    return hints


def in_words(name: str, *, variable: bool) -> str:
    """Returns help on a key that only a file has."""
    also = f" or set {variable_of(name)}" if variable else ""
    return f"write '{name}: VALUE' into the file of --config{also}"
