"""Modules by the names that they had in an earlier release, for one release."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from types import ModuleType

__all__ = ["MOVED", "find_moved"]

#: Old name and present one, within the package; what lies below them moved with them.
MOVED = {
    "engines.llm.client.retry": "_util.patience",
    "engines.llm.client": "asking",
    "comparison.agreement": "measures.agreement",
    "comparison.bootstrap": "measures.bootstrap",
    "comparison.permutation": "measures.permutation",
    "searching": "asking.search",
    "text.citation_marks": "readers.citation_marks",
}


class _Moved(Loader):
    """Finds a module by its old name, and gives the one module that it is now."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if _present_name(fullname) else None

    def exec_module(self, module: ModuleType) -> None:
        name = _present_name(module.__name__)
        assert name is not None
        # Never a second copy: its classes would not be those that the rest of the package knows.
        sys.modules[module.__name__] = import_module(name)
        said = f"{module.__name__} is {name} now; the old name works for one release"
        warnings.warn(said, DeprecationWarning, stacklevel=2)


def _present_name(fullname: str) -> str | None:
    package, _, name = fullname.partition(".")
    if package != "dfactscore":
        return None
    for old, new in MOVED.items():
        if name == old or name.startswith(f"{old}."):
            return f"{package}.{new}{name[len(old) :]}"
    return None


def find_moved() -> None:
    """Lets the import system find what moved."""
    sys.meta_path.insert(0, _Moved())
