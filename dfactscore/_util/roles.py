"""Explains why an object does not fulfill a protocol or a role."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

_ABSENT = object()


def role_fault(
    role: object,
    protocol: type,
    *,
    optional: tuple[type, ...] = (),
    needed: Collection[str] | None = None,
) -> str | None:
    """Compares an object with a protocol, without reading its properties.

    Args:
        role: The given value.
        protocol: The protocol or base class.
        optional: Protocols with the members that the role may have besides; a public attribute
            that is nearly called like an optional member counts as misspelled.
        needed: The members of the protocol that the role must have; None for all public ones.

    Returns:
        One line that names the protocol, the member and what was given, or None for a role that
        can be used.

    Example:
        >>> from collections.abc import Sized
        >>> role_fault([], Sized)
        >>> role_fault(list, Sized)
        'list is a class, not a Sized: give an instance, list(...)'
    """
    name = protocol.__name__
    every = members_of(protocol)
    members = {m: shown for m, shown in every.items() if needed is None or m in needed}
    a = "an" if name[0] in "AEIOU" else "a"
    wanted = f"expected {a} {name}: an object with {_listed(members)}"
    if isinstance(role, type):
        return f"{role.__name__} is a class, not {a} {name}: give an instance, {role.__name__}(...)"
    if inspect.isroutine(role):
        return f"{getattr(role, '__name__', 'it')} is a function; {wanted}"
    given = type(role).__name__
    missing = [member for member in members if not has_member(role, member)]
    if len(missing) == len(members):
        return f"{_shown(role)} was given; {wanted}"
    for member in missing:
        near = difflib.get_close_matches(member, _public(role), 1, 0.75)
        hint = f"; {given} has {near[0]!r}" if near else ""
        if _body(protocol, member):
            hint += f"; a subclass of {name} inherits it"
        return f"{given} has no {members[member]}, which the protocol {name} needs{hint}"
    for home in (protocol, *optional):
        for member, shown in members_of(home).items():
            fault = _member_fault(role, member, shown, home)
            if fault:
                return f"{given}.{member} {fault} (protocol {home.__name__})"
    homes = {m: home for home in (protocol, *optional) for m in members_of(home)}
    return _misspelled(role, homes, members)


def _misspelled(role: object, homes: Mapping[str, type], needed: Collection[str]) -> str | None:
    """Message for a public attribute whose name is close to an optional member's."""
    public = sorted(_public(role) - homes.keys())
    for member, home in homes.items():
        default = inspect.getattr_static(home, member)
        value = _static(role, member)
        if member in needed or not (value is _ABSENT or value is default):
            continue
        for near in difflib.get_close_matches(member, public, 3, 0.85):
            if inspect.isfunction(_static(role, near)) == inspect.isfunction(default):
                return (
                    f"{type(role).__name__}.{near} belongs to no protocol; the protocol "
                    f"{home.__name__} has {member!r}"
                )
    return None


@cache
def members_of(protocol: type) -> dict[str, str]:
    """The public members of a protocol or base class with their form in a message."""
    found = {}
    for home in reversed(protocol.__mro__):
        if home is object or home.__module__ in ("abc", "typing"):
            continue
        for name, value in vars(home).items():
            if name.startswith("_") and name != "__len__":
                continue
            found[name] = _signature(name, value) if inspect.isfunction(value) else name
    return found


def _signature(name: str, function: Any) -> str:
    parameters = list(inspect.signature(function).parameters)[1:]
    return f"{name}({', '.join(parameters)})"


def _member_fault(role: object, member: str, shown: str, protocol: type) -> str | None:
    value = _static(role, member)
    if value is _ABSENT:
        return None
    wanted = inspect.getattr_static(protocol, member)
    own = inspect.isfunction(value)
    if not inspect.isfunction(wanted):
        return "is a method: make it a property or an attribute" if own else None
    if not own and hasattr(type(value), "__get__"):
        return None  # What a property or a decorator gives shows itself when it is called.
    if not callable(value):
        return f"must be a method, found {_shown(value)}"
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return None
    needed = len(inspect.signature(wanted).parameters) - 1
    bound = own and member not in getattr(role, "__dict__", {})
    try:
        signature.bind(*range(needed + bound))
    except TypeError:
        parameters = list(signature.parameters.values())[bound:]
        return f"is called as {shown}, but takes ({', '.join(map(str, parameters))})"
    return None


def _body(protocol: type, member: str) -> bool:
    """Whether a protocol has a default for a member: only then it marks the others abstract."""
    abstract: frozenset[str] = getattr(protocol, "__abstractmethods__", frozenset())
    return bool(abstract) and member not in abstract


def has_member(role: object, name: str) -> bool:
    """Whether an object has an attribute; a property is not read."""
    return _static(role, name) is not _ABSENT


def _static(role: object, name: str) -> Any:
    value = inspect.getattr_static(role, name, _ABSENT)
    if value is _ABSENT and hasattr(type(role), "__getattr__"):
        return getattr(role, name, _ABSENT)  # a wrapper that passes everything on
    return value


def _public(role: object) -> set[str]:
    return {name for name in dir(role) if not name.startswith("_")}


def _listed(members: Mapping[str, str]) -> str:
    *first, last = members.values()
    return f"{', '.join(first)} and {last}" if first else last


def _shown(value: object) -> str:
    text = repr(value)
    kind = type(value).__name__
    return f"{kind} {text[:60]}" if len(text) <= 60 and " at 0x" not in text else kind
