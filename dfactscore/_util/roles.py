"""Explains why an object cannot fill a role, and rejects misspelled arguments."""

from __future__ import annotations

import difflib
import functools
import inspect
from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import Any, ParamSpec, TypeVar

from dfactscore._errors import InputError
from dfactscore._util.message_text import near_miss

_P = ParamSpec("_P")
_R = TypeVar("_R")


def known_arguments(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Makes a function raise InputError rather than TypeError for an unknown keyword argument.

    Example:
        >>> @known_arguments
        ... def score(*, link="argmax"):
        ...     return link
        >>> score(lnik="hungarian")
        Traceback (most recent call last):
        dfactscore._errors.InputError: score: no argument 'lnik'; did you mean link?
    """
    known = inspect.signature(function).parameters
    name = function.__qualname__.removesuffix(".__init__")

    @functools.wraps(function)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        for word in kwargs:
            if word not in known:
                raise InputError(f"{name}: no argument {word!r}{near_miss(word, known)}")
        return function(*args, **kwargs)

    return call


def with_options(
    kind: type, defaults: Mapping[str, Any]
) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """Lists the options of ``**options: Unpack[kind]`` one by one in a function's signature."""

    def listed(function: Callable[_P, _R]) -> Callable[_P, _R]:
        signature = inspect.signature(function)
        *parameters, _ = signature.parameters.values()
        names = [name for name in kind.__annotations__ if name not in signature.parameters]
        options = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=defaults[name],
                annotation=kind.__annotations__[name].__forward_arg__,
            )
            for name in names
        ]
        full = signature.replace(parameters=[*parameters, *options])
        function.__signature__ = full  # type: ignore[attr-defined]
        function.__annotations__ = {
            **{p.name: p.annotation for p in full.parameters.values() if p.name != "self"},
            "return": signature.return_annotation,
        }
        return function

    return listed


_ABSENT = object()


def role_fault(
    role: object,
    base: type,
    *,
    # Protocols with optional members; a public attribute whose name is close to that of an optional
    # member is reported as misspelled.
    optional: tuple[type, ...] = (),
    needed: Collection[str] | None = None,
) -> str | None:
    """Checks an object against the base class of a role, without reading the object's properties.

    Example:
        >>> from collections.abc import Sized
        >>> role_fault([], Sized)
        >>> role_fault(list, Sized)
        'list is a class, not a Sized: give an instance, list(...)'
    """
    name = base.__name__
    members = {m: form for m, form in members_of(base).items() if needed is None or m in needed}
    a = "an" if name[0] in "AEIOU" else "a"
    wanted = f"expected {a} {name}: an object with {_listed(members)}"
    if isinstance(role, type):
        return f"{role.__name__} is a class, not {a} {name}: give an instance, {role.__name__}(...)"
    if inspect.isroutine(role):
        return f"{getattr(role, '__name__', 'it')} is a function; {wanted}"
    cls = type(role).__name__
    missing = [member for member in members if not has_member(role, member)]
    if len(missing) == len(members):
        return f"{_described(role)} was given; {wanted}"
    for member in missing:
        near = difflib.get_close_matches(member, _public(role), 1, 0.75)
        hint = f"; {cls} has {near[0]!r}" if near else ""
        if _has_default(base, member):
            hint += f"; a subclass of {name} inherits it"
        return f"{cls} has no {members[member]}, which every {name} needs{hint}"
    for home in (base, *optional):
        for member, form in members_of(home).items():
            fault = _member_fault(role, member, form, home)
            if fault:
                return f"{cls}.{member} {fault} (role {home.__name__})"
    homes = {m: home for home in (base, *optional) for m in members_of(home)}
    return _misspelled(role, homes, members)


def _misspelled(role: object, homes: Mapping[str, type], needed: Collection[str]) -> str | None:
    """Returns the message for a public attribute whose name is close to an optional member's."""
    public = sorted(_public(role) - homes.keys())
    for member, home in homes.items():
        default = inspect.getattr_static(home, member)
        value = _static(role, member)
        if member in needed or not (value is _ABSENT or value is default):
            continue
        for near in difflib.get_close_matches(member, public, 3, 0.85):
            if inspect.isfunction(_static(role, near)) == inspect.isfunction(default):
                cls = type(role).__name__
                return f"{cls}.{near} is not used; the role {home.__name__} has {member!r}"
    return None


@cache
def members_of(base: type) -> dict[str, str]:
    """Returns the public members of a base class or protocol, each as shown in messages."""
    members = {}
    for home in reversed(base.__mro__):
        if home is object or home.__module__ in ("abc", "typing"):
            continue
        for name, value in vars(home).items():
            if name.startswith("_") and name != "__len__":
                continue
            members[name] = _signature(name, value) if inspect.isfunction(value) else name
    return members


def _signature(name: str, function: Any) -> str:
    parameters = list(inspect.signature(function).parameters)[1:]
    return f"{name}({', '.join(parameters)})"


def _member_fault(role: object, member: str, form: str, base: type) -> str | None:
    value = _static(role, member)
    if value is _ABSENT:
        return None
    declared = inspect.getattr_static(base, member)
    is_function = inspect.isfunction(value)
    if not inspect.isfunction(declared):
        return "is a method: make it a property or an attribute" if is_function else None
    if not is_function and hasattr(type(value), "__get__"):
        return None  # The value of a property or decorated method is not known until it is called.
    if not callable(value):
        return f"must be a method, found {_described(value)}"
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return None
    needed = len(inspect.signature(declared).parameters) - 1
    takes_self = is_function and member not in getattr(role, "__dict__", {})
    try:
        signature.bind(*range(needed + takes_self))
    except TypeError:
        parameters = list(signature.parameters.values())[takes_self:]
        return f"is called as {form}, but takes ({', '.join(map(str, parameters))})"
    return None


def _has_default(base: type, member: str) -> bool:
    """Whether a base class implements a member; plain protocols implement none."""
    abstract: frozenset[str] = getattr(base, "__abstractmethods__", frozenset())
    return bool(abstract) and member not in abstract


def has_member(role: object, name: str) -> bool:
    """Whether an object has an attribute; does not evaluate properties."""
    return _static(role, name) is not _ABSENT


def _static(role: object, name: str) -> Any:
    value = inspect.getattr_static(role, name, _ABSENT)
    if value is _ABSENT and hasattr(type(role), "__getattr__"):
        return getattr(role, name, _ABSENT)  # a wrapper that forwards attributes
    return value


def _public(role: object) -> set[str]:
    return {name for name in dir(role) if not name.startswith("_")}


def _listed(members: Mapping[str, str]) -> str:
    *first, last = members.values()
    return f"{', '.join(first)} and {last}" if first else last


def _described(value: object) -> str:
    text = repr(value)
    kind = type(value).__name__
    return f"{kind} {text[:60]}" if len(text) <= 60 and " at 0x" not in text else kind
