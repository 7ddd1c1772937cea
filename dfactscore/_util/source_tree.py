"""Finds `dfactscore.linking` and its siblings when the package is imported from a source tree.

In the source tree, `linking`, `retrieval` and `ambigbio` are folders next to `dfactscore`; when
installed, they are inside it (``package_dir`` in ``setup.cfg``).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

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
