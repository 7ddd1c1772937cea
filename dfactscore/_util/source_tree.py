"""Finds `dfactscore.linking` and its like when the package is imported from a source tree.

There `linking`, `retrieval` and `ambigbio` are beside the folder of the package, from where an
installation takes them into it (``package_dir`` in ``setup.cfg``).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

_SIBLINGS = ("ambigbio", "linking", "retrieval")


class _Siblings:
    """A finder for the packages beside this one, and for no others."""

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
    """Lets the import system find the sibling folders, if this is a source tree.

    In an installed package, they are inside it and nothing is changed.

    Args:
        package: The folder of the package `dfactscore`.
    """
    root = os.path.dirname(package)
    if not os.path.isdir(os.path.join(package, _SIBLINGS[0])) and all(
        os.path.isfile(os.path.join(root, name, "py.typed")) for name in _SIBLINGS
    ):
        # Before the finder of an editable installation, which may be of another checkout.
        sys.meta_path.insert(0, _Siblings(root))
