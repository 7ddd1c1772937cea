"""Declarative settings: each field yields an option, a YAML key, a variable and its help.

A command's settings are a `Settings` model. The name of a field is its key in a YAML file; with
dashes it is its flag, and of models, limits and budgets, which mean the same in every command, in
capitals after ``DFACTSCORE_`` its environment variable.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, ClassVar, Literal, TypeVar, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

from dfactscore._errors import InputError
from dfactscore._util.near import near_miss
from dfactscore._util.printable import short_repr
from dfactscore._util.yaml_file import parse_yaml, read_yaml

PANELS = ("Input", "Evidence", "Scoring", "Engine", "Model", "Limits", "Output")
"""Groups of options, in the order in which help and documentation show them."""
_PREFIX = "DFACTSCORE_"
_SECRETS = frozenset({"api_key", "key", "openai_api_key", "token", "password"})
_NO_PATH = re.compile(r"wikipedia(?::|$)")  # pages that are read from there
_S = TypeVar("_S", bound="Settings")


class Settings(BaseModel):
    """Base of all settings: frozen, and no key that is not declared."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, protected_namespaces=(), defer_build=True, allow_inf_nan=False
    )

    exclusive: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Pairs of which only one can be given; the nearer source replaces the other's too."""

    only_for: ClassVar[tuple[str, Mapping[str, frozenset[str]]] | None] = None
    """A field that chooses, and for each choice the fields that no other choice uses."""

    keyed: ClassVar[str] = ""
    """The option that sets several fields, such as ``--nli`` of ``--nli form``, and its help."""

    files: ClassVar[str] = ""
    """Fields of text that may name a file or folder, besides those of the bases."""

    first: ClassVar[str] = ""
    """Fields that help shows where all do not fit one screen, besides those of the bases."""


@dataclass(frozen=True, slots=True)
class FieldFacts:
    """Metadata of a field besides type, default and limits."""

    panel: str
    flags: Sequence[str] = ()
    named: str | None = None
    variable: bool = False
    argument: bool = False
    in_file: bool = False


@dataclass(frozen=True, slots=True)
class GivenSettings:
    """Values from one source.

    Attributes:
        values: By field name.
        places: The name of each in messages, such as ``--model`` or ``job.yaml: model``.
        wide: Whether it is for all commands, so that what does not concern this one is left out.
    """

    values: Mapping[str, Any]
    places: Mapping[str, str]
    wide: bool = False


def setting(
    default: Any,
    help: str,
    *,
    panel: str,
    flags: tuple[str, ...] = (),
    named: str | None = None,
    variable: bool = False,
    argument: bool = False,
    in_file: bool = False,
    **limits: Any,
) -> Any:
    """Declares a field of `Settings`.

    Args:
        default: Its value if none is given.
        help: One sentence, for the command line and the documentation.
        panel: One of `PANELS`.
        flags: Further flags, such as ``-o``; for a switch also ``--x/--y`` instead of its own, and
            ``--nli form`` for a key of an option with several (`Settings.keyed`).
        named: The name of the default, if its value is not clear by itself.
        variable: Whether an environment variable can set it: only what means the same in every
            command that has it.
        argument: Whether it is an argument of the command instead of an option.
        in_file: Whether a command with ``--config`` has only a key of its file for it: what few
            people need.
        **limits: Limits as of `pydantic.Field`: ``ge``, ``gt``, ``le``, ``lt``.
    """
    assert panel in PANELS, panel
    facts: Any = asdict(FieldFacts(panel, list(flags), named, variable, argument, in_file))
    return Field(default, description=help, json_schema_extra={"dfactscore": facts}, **limits)


def panels(names: str) -> tuple[Callable[..., Any], ...]:
    """Functions that declare fields, one per panel."""
    return tuple(partial(setting, panel=name) for name in names.split())


def facts_of(field: FieldInfo) -> FieldFacts:
    """Metadata that `setting` stored for a field."""
    extra: Any = field.json_schema_extra
    return FieldFacts(**extra["dfactscore"])


def in_panels(kind: type[Settings], *panels: str) -> frozenset[str]:
    """Names of the fields in some panels."""
    return frozenset(n for n, f in kind.model_fields.items() if facts_of(f).panel in panels)


def first_of(kind: type[Settings]) -> frozenset[str]:
    """Names of the fields that the first screen of help shows: declared so, or required."""
    declared = {name for base in kind.__mro__ for name in vars(base).get("first", "").split()}
    required = {name for name, field in kind.model_fields.items() if field.is_required()}
    return frozenset(declared | required)


def keyed_of(kind: type[Settings]) -> dict[str, dict[str, str]]:
    """The options that set several fields: for each, the name of the field by its key."""
    found: dict[str, dict[str, str]] = {}
    for name, field in kind.model_fields.items():
        flag, _, key = flag_of(name, field).partition(" ")
        if key:
            found.setdefault(flag, {})[key] = name
    return found


def about_keyed(kind: type[Settings], flag: str) -> str:
    """Help of an option that sets several fields."""
    said = (str(vars(base).get("keyed", "")).partition(": ") for base in kind.__mro__)
    return next(about for own, _, about in said if own == flag)


def base_type(field: FieldInfo) -> Any:
    """A field's type without ``None``."""
    inner = [_plain(a) for a in get_args(field.annotation) if a is not NoneType]
    if get_origin(field.annotation) is Literal or len(inner) != 1:
        return get_origin(field.annotation) or field.annotation
    return get_origin(inner[0]) or inner[0]


def choices(field: FieldInfo) -> tuple[str, ...]:
    """The values that a field can take, if it is a choice."""
    kinds = [_plain(kind) for kind in (field.annotation, *get_args(field.annotation))]
    return next((get_args(kind) for kind in kinds if get_origin(kind) is Literal), ())


def _plain(kind: Any) -> Any:
    """A type without its annotations."""
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def default_text(field: FieldInfo) -> str:
    """A field's default for a reader; empty if there is none worth naming."""
    said = facts_of(field).named
    if said is not None:
        return said
    if field.is_required():
        return ""
    value = field.get_default(call_default_factory=True)
    if value is None or isinstance(value, bool) or value in ("", {}, ()):
        return ""
    return f"{value:g}" if isinstance(value, float) else str(value)


def flag_of(name: str, field: FieldInfo | None = None) -> str:
    """The flag of a field: the one that it declares, else its name with dashes."""
    own = () if field is None else facts_of(field).flags
    said = next((flag for flag in own if flag.startswith("--")), f"--{name.replace('_', '-')}")
    return said.partition("/")[0]


def from_flags(values: Mapping[str, Any], kind: type[Settings] | None = None) -> GivenSettings:
    """Options given on the command line; None means not given."""
    given = {name: value for name, value in values.items() if value is not None}
    fields = {} if kind is None else kind.model_fields
    return GivenSettings(given, {name: flag_of(name, fields.get(name)) for name in given})


def from_environment(
    kind: type[Settings], environment: Mapping[str, str] | None = None
) -> GivenSettings:
    """The variables ``DFACTSCORE_…`` of the fields; empty ones count as not set."""
    values = os.environ if environment is None else environment
    found = {
        name: values[variable]
        for name, field in kind.model_fields.items()
        if facts_of(field).variable and values.get(variable := variable_of(name))
    }
    places = {name: f"environment variable {variable_of(name)}" for name in found}
    return GivenSettings(found, places, wide=True)


def variable_of(name: str) -> str:
    """The environment variable of a field."""
    return _PREFIX + name.upper()


def unread_variables(kind: type[Settings]) -> dict[str, str]:
    """Variables that are set and look like those of fields which have none, with the field."""
    return {
        variable_of(name): name
        for name, field in kind.model_fields.items()
        if not facts_of(field).variable and os.environ.get(variable_of(name))
    }


def from_file(
    kind: type[Settings], path: Path | None, *, only: Collection[str] | None = None
) -> GivenSettings:
    """Reads settings from a YAML file.

    Args:
        kind: The model of the settings.
        path: The file; None for no settings.
        only: The fields that the command uses; all by default.

    Raises:
        InputError: If the file cannot be read or has an unknown or unused key.
    """
    if path is None:
        return GivenSettings({}, {})
    values = read_yaml(path, error=InputError)
    return from_mapping(kind, values, str(path), base=path.parent, only=only)


def from_mapping(
    kind: type[Settings],
    values: Any,
    where: str,
    *,
    base: Path | None = None,
    only: Collection[str] | None = None,
) -> GivenSettings:
    """Keys of a mapping.

    None leaves a field out: None if the default is a value and None can mean it
    (``temperature: null`` sends none), else as if it were not given.

    Args:
        kind: The model that the keys are for.
        values: The mapping.
        where: Start of messages.
        base: Folder that relative paths start from, instead of the current one.
        only: The fields that the command uses; all by default.

    Raises:
        InputError: If it is not a mapping or has an unknown or unused key.
    """
    if not isinstance(values, Mapping | NoneType):
        raise InputError(
            f"{where}: expected settings like 'model: NAME', found {short_repr(values)}"
        )
    values = values or {}
    for key in values:
        _check_key(kind, key, where, only)
    given = {
        str(key): value
        for key, value in values.items()
        if value is not None or _can_be_left_out(kind.model_fields[str(key)])
    }
    if base is not None:
        given = {name: _beside(kind, name, value, where, base) for name, value in given.items()}
    return GivenSettings(given, {name: f"{where}: {name}" for name in given})


def _can_be_left_out(field: FieldInfo) -> bool:
    return NoneType in get_args(field.annotation) and field.default is not None


def _beside(kind: type[Settings], name: str, value: Any, where: str, base: Path) -> Any:
    """A value in which a relative path starts from a folder."""
    field = kind.model_fields[name]
    if base_type(field) is Path and value is not None:
        if not isinstance(value, str):
            raise InputError(f"{where}: {name}: expected a path, found {short_repr(value)}")
        return value if _NO_PATH.match(value) else base / Path(value).expanduser()
    named = {each for b in kind.__mro__ for each in vars(b).get("files", "").split()}
    if name not in named or not isinstance(value, str) or value in choices(field):
        return value
    scheme, colon, rest = value.rpartition(":")
    return f"{scheme}{colon}{base / rest}" if rest and os.path.exists(base / rest) else value


def load(
    kind: type[_S],
    flags: Mapping[str, Any],
    path: Path | None = None,
    environment: Mapping[str, str] | None = None,
    *,
    only: Collection[str] | None = None,
) -> _S:
    """The settings of a command: flags over the file, the file over the environment.

    Args:
        kind: The model.
        flags: Options given on the command line; None values are left out.
        path: A YAML file with the fields as keys, or None.
        environment: The variables, instead of the process's own.
        only: The fields that the command uses; all by default.

    Raises:
        InputError: As `from_file` and `settle`.
    """
    variables = from_environment(kind, environment)
    return settle(kind, variables, from_file(kind, path, only=only), from_flags(flags, kind))


def settle(kind: type[_S], *sources: GivenSettings) -> _S:
    """Puts settings together.

    Args:
        kind: The model.
        *sources: The sources of values; a later one overrides those before it.

    Raises:
        InputError: If a value does not fit or two exclude each other. The message names the
            flag, key or variable.
    """
    values: dict[str, Any] = {}
    places: dict[str, str] = {}
    for source in _fitting(kind, sources):
        for pair in _exclusive(kind, everywhere=source.wide):
            said = [name for name in pair if source.values.get(name) not in (None, False)]
            if len(said) == 2:
                both = " and ".join(source.places[name] for name in said)
                raise InputError(f"{both} exclude each other; give one of them")
            if said:
                for name in pair:
                    values.pop(name, None)
        values |= source.values
        places |= source.places
    for name, field in kind.model_fields.items():
        if not isinstance(values.get(name), str):
            continue
        if base_type(field) is dict:
            values[name] = parse_yaml(values[name], places[name], error=InputError)
        elif base_type(field) is Path:
            values[name] = Path(values[name]).expanduser()
        elif base_type(field) is tuple:
            values[name] = (values[name],)
    try:
        return kind(**values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        wrong = str(first["loc"][0])
        if first["type"] == "missing":
            field = kind.model_fields[wrong]
            raise InputError(f"{flag_of(wrong, field)} is missing: {field.description}") from None
        place = ".".join([places.get(wrong, wrong), *map(str, first["loc"][1:])])
        raise InputError(f"{place}: {_problem(kind, wrong, first)}") from None


def _exclusive(kind: type[Settings], *, everywhere: bool) -> set[tuple[str, str]]:
    """Pairs that exclude each other; `everywhere`: in every command that has both of them."""
    return {
        pair
        for base in kind.__mro__
        for pair in vars(base).get("exclusive", ())
        if not everywhere or set(pair) <= set(vars(base).get("__annotations__", ()))
    }


def _fitting(kind: type[Settings], sources: Iterable[GivenSettings]) -> list[GivenSettings]:
    """Without what the choice of `Settings.only_for` does not use; refused where asked for."""
    given = list(sources)
    if kind.only_for is None:
        return given
    selector, uses = kind.only_for
    chosen = kind.model_fields[selector].default
    for source in given:
        chosen = source.values.get(selector, chosen)
    # A list or mapping in the place of a name is refused with the other values, below.
    own = uses.get(chosen, frozenset()) if isinstance(chosen, str) else frozenset()
    homes = {name: home for home, names in uses.items() for name in names if name not in own}
    found = []
    for source in given:
        wrong = next(
            (n for n, value in source.values.items() if n in homes and value is not None), None
        )
        if wrong is not None and not source.wide and chosen in choices(kind.model_fields[selector]):
            raise InputError(
                f"{source.places[wrong]} is for {selector} {homes[wrong]}, and this one is {chosen}"
            )
        values = {name: value for name, value in source.values.items() if name not in homes}
        found.append(replace(source, values=values))
    return found


def _problem(kind: type[Settings], name: str, error: Mapping[str, Any]) -> str:
    value = error["input"]
    known = choices(kind.model_fields[name])
    if error["type"] == "literal_error":
        hint = near_miss(value, known)
        return f"{short_repr(value)} is unknown; choose one of {', '.join(known)}{hint}"
    expected = str(error["msg"]).replace("Input should be", "expected", 1).partition(",")[0]
    return f"{expected}, found {short_repr(value)}"


def _check_key(kind: type[Settings], key: object, where: str, only: Collection[str] | None) -> None:
    if key in kind.model_fields:
        if only is not None and key not in only:
            hint = near_miss(key, only, most=2)
            raise InputError(f"{where}: {key} has no effect on this command; remove it{hint}")
        return
    if str(key).lower() in _SECRETS:
        raise InputError(
            f"{where}: {key}: keys are read from the environment only, so that no file contains "
            "one; set OPENAI_API_KEY, or name another variable with api_key_env"
        )
    raise InputError(f"{where}: no setting {short_repr(key)}{_meant_key(kind, str(key))}")


def _meant_key(kind: type[Settings], key: str) -> str:
    """The end of a message about an unknown key: the keys of the option that is called so."""
    flag = f"--{key.strip('-').replace('_', '-')}"
    fields = list(keyed_of(kind).get(flag, {}).values()) or [
        name for name, field in kind.model_fields.items() if flag_of(name, field) == flag
    ]
    if fields:
        return f"; did you mean {' or '.join(fields)}?"
    return near_miss(key.replace("-", "_"), kind.model_fields, most=2)
