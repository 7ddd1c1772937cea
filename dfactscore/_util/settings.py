"""Declarative settings: a field defines an option, a YAML key and a help text."""

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
from dfactscore._util.files import decode, open_bytes
from dfactscore._util.message_text import OF_REQUESTS, near_miss, short_repr
from dfactscore._util.reporting import MakeError

# Limits the values repeated by aliases: a few lines can expand to millions of values.
_MOST = 10_000
_LARGEST = 2**18
_DEEPEST = 100
_LONGEST_NUMBER = 300  # characters; Python does not write whole numbers of more than 4,300 digits
_TAG = "tag:yaml.org,2002:"
_TRUTH, _TEXT = f"{_TAG}bool", f"{_TAG}str"
_PLAIN = {
    f"{_TAG}{kind}" for kind in ("null", "bool", "str", "int", "float", "seq", "map", "merge")
}


def read_yaml(path: Path, *, error: MakeError) -> Any:
    """Reads a YAML file; see `parse_yaml`."""
    with open_bytes(path, error=error) as file:
        data = file.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise _too_large(path, error)
    return parse_yaml(decode(data, path, error=error), path, error=error)


def parse_yaml(text: str, name: object, *, error: MakeError) -> Any:
    """Reads a YAML document that contains only plain data."""
    import yaml

    if len(text) > _LARGEST:
        raise _too_large(name, error)
    try:
        loader = yaml.SafeLoader(text)
        node = loader.get_single_node()
        if node is None:
            return None
        _check(node, name, error)
        return loader.construct_document(node)
    except yaml.reader.ReaderError as problem:
        line = text.count("\n", 0, problem.position) + 1
        raise error(f"{name}:{line}: not valid YAML ({problem.reason})") from None
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        where = f"{name}:{mark.line + 1}" if mark else str(name)
        reason = getattr(problem, "problem", None) or " ".join(str(problem).split())
        raise error(f"{where}: not valid YAML ({reason})") from None
    except RecursionError:
        raise error(f"{name}: nested more than {_DEEPEST} levels deep") from None
    except (ValueError, TypeError, KeyError, AttributeError) as problem:
        # The constructors for dates, numbers and booleans do not check the text.
        raise error(f"{name}: not valid YAML (a value is not of its type: {problem})") from None


def _too_large(name: object, error: MakeError) -> Exception:
    return error(f"{name}: larger than {_LARGEST // 2**10} KiB; files of settings are small")


def _check(root: Any, name: object, error: MakeError) -> None:
    """Checks all nodes; the nodes of an alias count each time it is used."""
    waiting = [(root, 0)]
    count = 0
    while waiting:
        node, depth = waiting.pop()
        count += 1
        where = f"{name}:{node.start_mark.line + 1}"
        if depth > _DEEPEST:
            raise error(f"{where}: nested more than {_DEEPEST} levels deep")
        if count > _MOST:
            raise error(f"{where}: aliases make more than {_MOST:,} values of this file")
        _check_value(node, where, error)
        if node.id == "sequence":
            waiting += [(item, depth + 1) for item in node.value]
        elif node.id == "mapping":
            seen = set()
            for key, value in node.value:
                if (
                    key.id == "scalar"
                    and key.value in seen
                    and key.tag != "tag:yaml.org,2002:merge"
                ):
                    line = key.start_mark.line + 1
                    raise error(f"{name}:{line}: the key {key.value!r:.60} is repeated")
                if key.tag == _TRUTH:
                    key.tag = _TEXT  # an "on" or "no" key is a word
                seen.add(key.value if key.id == "scalar" else id(key))
                waiting += [(key, depth + 1), (value, depth + 1)]


def _check_value(node: Any, where: str, error: MakeError) -> None:
    """Rejects values that JSON cannot represent; dates and base-60 numbers are read as text."""
    kind = node.tag.removeprefix(_TAG)
    if kind == "timestamp" or (kind in ("int", "float") and ":" in node.value):
        node.tag = _TEXT
    elif kind in ("int", "float") and len(node.value) > _LONGEST_NUMBER:
        raise error(f"{where}: a number of {len(node.value):,} characters; no setting is so large")
    elif kind == "float" and node.value.lower().lstrip("+-") in (".inf", ".nan"):
        raise error(f"{where}: {node.value} is not a finite number")
    elif node.tag not in _PLAIN:
        raise error(f"{where}: {node.tag!r:.60}: only texts, numbers, lists and mappings are read")


PANELS = ("Input", "Evidence", "Scoring", "Engine", "Model", "Limits", "Output")
"""Groups of options, in the order in which help and documentation show them."""
_PREFIX = "DFACTSCORE_"
_SECRETS = frozenset({"api_key", "key", "openai_api_key", "token", "password"})
_NO_PATH = re.compile(r"wikipedia(?::|$)")  # values of --pages that are not paths
_S = TypeVar("_S", bound="Settings")


class Settings(BaseModel):
    """Base class of all settings; instances are frozen, and undeclared keys are rejected."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, protected_namespaces=(), defer_build=True, allow_inf_nan=False
    )

    exclusive: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Pairs of exclusive fields; one from a nearer source also replaces the other."""

    only_for: ClassVar[tuple[str, Mapping[str, frozenset[str]]] | None] = None
    """A field with choices, and the fields that only one of the choices uses, by choice."""

    keyed: ClassVar[str] = ""
    """An option that sets several fields (``--nli`` of ``--nli form``), a colon and its help."""

    files: ClassVar[str] = ""
    """Text fields that may name a file or folder, in addition to those of the base classes."""

    first: ClassVar[str] = ""
    """Fields in the short help, in addition to those of the base classes."""


@dataclass(frozen=True, slots=True)
class FieldFacts:
    """Metadata of a field in addition to its type, default and limits."""

    panel: str
    flags: Sequence[str] = ()
    named: str | None = None
    variable: bool = False
    argument: bool = False
    in_file: bool = False


@dataclass(frozen=True, slots=True)
class GivenSettings:
    """Settings from one source."""

    values: Mapping[str, Any]
    # The name of each value as shown in messages, such as `job.yaml: model` or `--model`.
    places: Mapping[str, str]
    wide: bool = False


def setting(
    default: Any,
    help: str,
    *,
    panel: str,
    # Additional flags, such as `-o`. A flag with two dashes replaces the usual one: `--x/--y` for a
    # switch, `--nli form` for a key of an option (`Settings.keyed`).
    flags: tuple[str, ...] = (),
    named: str | None = None,
    variable: bool = False,
    argument: bool = False,
    # Whether commands with `--config` offer the field only as a key in the file, not as an option,
    # because few users need it.
    in_file: bool = False,
    **limits: Any,  # limits, as for `pydantic.Field`: `ge`, `gt`, `le`, `lt`
) -> Any:
    """Declares a field of `Settings`."""
    assert panel in PANELS, panel
    facts: Any = asdict(FieldFacts(panel, list(flags), named, variable, argument, in_file))
    return Field(default, description=help, json_schema_extra={"dfactscore": facts}, **limits)


def panels(names: str) -> tuple[Callable[..., Any], ...]:
    """Returns functions that declare fields, one per panel."""
    return tuple(partial(setting, panel=name) for name in names.split())


def facts_of(field: FieldInfo) -> FieldFacts:
    """Returns the metadata that `setting` stored for a field."""
    extra: Any = field.json_schema_extra
    return FieldFacts(**extra["dfactscore"])


def in_panels(kind: type[Settings], *panels: str) -> frozenset[str]:
    """Returns the names of the fields in the given panels."""
    return frozenset(n for n, f in kind.model_fields.items() if facts_of(f).panel in panels)


def first_of(kind: type[Settings]) -> frozenset[str]:
    """Returns the names of the fields in the short help: required ones and those so declared."""
    declared = {name for base in kind.__mro__ for name in vars(base).get("first", "").split()}
    required = {name for name, field in kind.model_fields.items() if field.is_required()}
    return frozenset(declared | required)


def keyed_of(kind: type[Settings]) -> dict[str, dict[str, str]]:
    """Returns, for each option that sets several fields, these fields by the option's keys."""
    fields: dict[str, dict[str, str]] = {}
    for name, field in kind.model_fields.items():
        flag, _, key = flag_of(name, field).partition(" ")
        if key:
            fields.setdefault(flag, {})[key] = name
    return fields


def about_keyed(kind: type[Settings], flag: str) -> str:
    """Returns the help for an option that sets several fields."""
    declared = (str(vars(base).get("keyed", "")).partition(": ") for base in kind.__mro__)
    return next(about for option, _, about in declared if option == flag)


def base_type(field: FieldInfo) -> Any:
    """Returns the type of a field, excluding ``None``."""
    inner = [_plain(a) for a in get_args(field.annotation) if a is not NoneType]
    if get_origin(field.annotation) is Literal or len(inner) != 1:
        return get_origin(field.annotation) or field.annotation
    return get_origin(inner[0]) or inner[0]


def choices(field: FieldInfo) -> tuple[str, ...]:
    """Returns the choices of a field; empty if it has none."""
    kinds = [_plain(kind) for kind in (field.annotation, *get_args(field.annotation))]
    return next((get_args(kind) for kind in kinds if get_origin(kind) is Literal), ())


def _plain(kind: Any) -> Any:
    """Returns a type without its annotations."""
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def default_text(field: FieldInfo) -> str:
    """Formats the default of a field; empty for None, switches and empty values."""
    text = facts_of(field).named
    if text is not None:
        return text
    if field.is_required():
        return ""
    value = field.get_default(call_default_factory=True)
    if value is None or isinstance(value, bool) or value in ("", {}, ()):
        return ""
    return f"{value:g}" if isinstance(value, float) else str(value)


def flag_of(name: str, field: FieldInfo | None = None) -> str:
    """Returns the flag of a field: the declared one, or else the field's name with dashes."""
    declared = () if field is None else facts_of(field).flags
    usual = f"--{name.replace('_', '-')}"
    flag = next((flag for flag in declared if flag.startswith("--")), usual)
    return flag.partition("/")[0]


def from_flags(values: Mapping[str, Any], kind: type[Settings] | None = None) -> GivenSettings:
    """Returns the settings given on the command line; None means not given."""
    options = {name: value for name, value in values.items() if value is not None}
    fields = {} if kind is None else kind.model_fields
    return GivenSettings(options, {name: flag_of(name, fields.get(name)) for name in options})


def from_environment(
    kind: type[Settings], environment: Mapping[str, str] | None = None
) -> GivenSettings:
    """Returns the settings from ``DFACTSCORE_…`` environment variables; ignores empty variables."""
    variables = os.environ if environment is None else environment
    values = {
        name: variables[variable]
        for name, field in kind.model_fields.items()
        if facts_of(field).variable and variables.get(variable := variable_of(name))
    }
    places = {name: f"environment variable {variable_of(name)}" for name in values}
    return GivenSettings(values, places, wide=True)


def variable_of(name: str) -> str:
    """Returns the name of a field's environment variable."""
    return _PREFIX + name.upper()


def unread_variables(kind: type[Settings]) -> dict[str, str]:
    """Returns variables set for fields that do not have one, with the names of these fields."""
    return {
        variable_of(name): name
        for name, field in kind.model_fields.items()
        if not facts_of(field).variable and os.environ.get(variable_of(name))
    }


def from_file(
    kind: type[Settings], path: Path | None, *, only: Collection[str] | None = None
) -> GivenSettings:
    """Reads settings from a YAML file."""
    if path is None:
        return GivenSettings({}, {})
    values = read_yaml(path, error=InputError)
    return from_mapping(kind, values, str(path), base=path.parent, only=only)


def from_mapping(
    kind: type[Settings],
    values: Any,
    where: str,
    *,
    base: Path | None = None,  # folder for relative paths, instead of the current one
    only: Collection[str] | None = None,
) -> GivenSettings:
    """Reads settings from a mapping.

    None is treated as an explicit value if the field accepts None and has a different default
    (``temperature: null`` sends no temperature); otherwise it is treated as not given.
    """
    if not isinstance(values, Mapping | NoneType):
        raise InputError(
            f"{where}: expected settings like 'model: NAME', found {short_repr(values)}"
        )
    values = values or {}
    for key in values:
        _check_key(kind, key, where, only)
    settings = {
        str(key): value
        for key, value in values.items()
        if value is not None or _null_is_a_value(kind.model_fields[str(key)])
    }
    if base is not None:
        settings = {
            name: _resolved(kind, name, value, where, base) for name, value in settings.items()
        }
    return GivenSettings(settings, {name: f"{where}: {name}" for name in settings})


def _null_is_a_value(field: FieldInfo) -> bool:
    return NoneType in get_args(field.annotation) and field.default is not None


def _resolved(kind: type[Settings], name: str, value: Any, where: str, base: Path) -> Any:
    """Returns a value; if it is or contains a relative path, resolves the path against a folder."""
    field = kind.model_fields[name]
    if base_type(field) is Path and value is not None:
        if not isinstance(value, str):
            raise InputError(f"{where}: {name}: expected a path, found {short_repr(value)}")
        return value if _NO_PATH.match(value) else base / Path(value).expanduser()
    files = {field for b in kind.__mro__ for field in vars(b).get("files", "").split()}
    if name not in files or not isinstance(value, str) or value in choices(field):
        return value
    scheme, colon, path = value.rpartition(":")
    return f"{scheme}{colon}{base / path}" if path and os.path.exists(base / path) else value


def load(
    kind: type[_S],
    flags: Mapping[str, Any],  # options from the command line; None values are ignored
    path: Path | None = None,
    environment: Mapping[str, str] | None = None,
    *,
    only: Collection[str] | None = None,
) -> _S:
    """Loads settings; flags override the file, which overrides the environment."""
    variables = from_environment(kind, environment)
    return settle(kind, variables, from_file(kind, path, only=only), from_flags(flags, kind))


def settle(kind: type[_S], *sources: GivenSettings) -> _S:
    """Combines and validates settings from several sources."""
    values: dict[str, Any] = {}
    names: dict[str, str] = {}  # as shown in messages
    for source in _applicable(kind, sources):
        for pair in _exclusive(kind, everywhere=source.wide):
            present = [name for name in pair if source.values.get(name) not in (None, False)]
            if len(present) == 2:
                places = " and ".join(source.places[name] for name in present)
                raise InputError(f"{places} exclude each other; give one of them")
            if present:
                for name in pair:
                    values.pop(name, None)
        values |= source.values
        names |= source.places
    for name, field in kind.model_fields.items():
        if not isinstance(values.get(name), str):
            continue
        if base_type(field) is dict:
            values[name] = parse_yaml(values[name], names[name], error=InputError)
        elif base_type(field) is Path:
            values[name] = Path(values[name]).expanduser()
        elif base_type(field) is tuple:
            values[name] = (values[name],)
    try:
        return kind(**values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = str(first["loc"][0])
        if first["type"] == "missing":
            field = kind.model_fields[name]
            raise InputError(f"{flag_of(name, field)} is missing: {field.description}") from None
        place = ".".join([names.get(name, name), *map(str, first["loc"][1:])])
        raise InputError(f"{place}: {_problem(kind, name, first)}") from None


def _exclusive(kind: type[Settings], *, everywhere: bool) -> set[tuple[str, str]]:
    """Returns pairs of exclusive fields; with `everywhere`, only pairs within one class."""
    return {
        pair
        for base in kind.__mro__
        for pair in vars(base).get("exclusive", ())
        if not everywhere or set(pair) <= set(vars(base).get("__annotations__", ()))
    }


def _applicable(kind: type[Settings], sources: Iterable[GivenSettings]) -> list[GivenSettings]:
    """Removes the fields that, according to `Settings.only_for`, the chosen value does not use."""
    every = list(sources)
    if kind.only_for is None:
        return every
    selector, uses = kind.only_for
    choice = kind.model_fields[selector].default
    for source in every:
        choice = source.values.get(selector, choice)
    # A choice that is a list or mapping is refused by the validation of all values.
    used = uses.get(choice, frozenset()) if isinstance(choice, str) else frozenset()
    homes = {name: home for home, names in uses.items() for name in names if name not in used}
    applicable = []
    for source in every:
        unused = next(
            (n for n, value in source.values.items() if n in homes and value is not None), None
        )
        if unused and not source.wide and choice in choices(kind.model_fields[selector]):
            place = source.places[unused]
            raise InputError(f"{place} is for {selector} {homes[unused]}, and this one is {choice}")
        values = {name: value for name, value in source.values.items() if name not in homes}
        applicable.append(replace(source, values=values))
    return applicable


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
    """Suggests the keys of the option with this name, or else similar keys."""
    flag = f"--{key.strip('-').replace('_', '-')}"
    fields = list(keyed_of(kind).get(flag, {}).values()) or [
        name for name, field in kind.model_fields.items() if flag_of(name, field) == flag
    ]
    if fields:
        return f"; did you mean {' or '.join(fields)}?"
    if key in OF_REQUESTS and "parameters" in kind.model_fields:
        return f"; a field of requests is given as 'parameters: {{{key}: VALUE}}'"
    return near_miss(key.replace("-", "_"), kind.model_fields, most=2)
