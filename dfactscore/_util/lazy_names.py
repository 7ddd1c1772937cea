"""Lazy imports of a package's public names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any


def names_on_use(package: str, homes: Mapping[str, Iterable[str]]) -> Callable[[str], Any]:
    """Returns a package's ``__getattr__``, which imports names from its modules on first use."""
    home_of = {name: home for home, names in homes.items() for name in names}

    def find(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{home_of[name]}"), name)

    return find
