"""Imports: lazy public names, packages in a source tree, and libraries without output."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any


def names_on_use(package: str, homes: Mapping[str, Iterable[str]]) -> Callable[[str], Any]:
    """Returns a package's ``__getattr__``, which imports names from its modules on first use."""
    home_of = {name: home for home, names in homes.items() for name in names}

    def find(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{home_of[name]}"), name)

    return find


_SIBLINGS = ("ambigbio", "linking", "retrieval")


class _Siblings:
    """Finds the packages in the sibling folders."""

    def __init__(self, root: str) -> None:
        self.root = root

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        package, _, name = fullname.rpartition(".")
        if package != "dfactscore" or name not in _SIBLINGS:
            return None
        return PathFinder.find_spec(fullname, [self.root], target)


def find_siblings(package: str) -> None:
    """Registers a finder for the sibling folders if the package is in a source tree."""
    root = os.path.dirname(package)
    if not os.path.isdir(os.path.join(package, _SIBLINGS[0])) and all(
        os.path.isfile(os.path.join(root, name, "py.typed")) for name in _SIBLINGS
    ):
        # At the front, because another checkout may have an editable installation.
        sys.meta_path.insert(0, _Siblings(root))


@contextmanager
def quiet_transformers() -> Iterator[None]:
    """Hides transformers' progress bars and warnings while it loads a model."""
    from transformers.utils import logging as untyped

    logging: Any = untyped
    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        # No setting of the library hides its progress bar for GGUF files.
        with redirect_stderr(io.StringIO()):
            yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()
