"""Links the packages under their installed names.

The folders `ambigbio`, `linking` and `retrieval` are installed as `dfactscore.ambigbio` and so on.
mypy and the documentation read this tree of sources, since they do not support import hooks.

    python docs/link_sources.py      # writes .types/dfactscore
"""

from __future__ import annotations

import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TREE = ROOT / ".types" / "dfactscore"


def link_sources() -> Path:
    """Updates the tree of links and returns its parent."""
    wanted = {p.name: p for p in (ROOT / "dfactscore").iterdir() if p.name != "__pycache__"}
    wanted |= {name: ROOT / name for name in ("ambigbio", "linking", "retrieval")}
    TREE.mkdir(parents=True, exist_ok=True)
    for old in TREE.iterdir():
        if old.name not in wanted or not old.is_symlink():
            shutil.rmtree(old) if old.is_dir() and not old.is_symlink() else old.unlink()
    for name, source in wanted.items():
        link = TREE / name
        if link.is_symlink():
            continue
        try:
            link.symlink_to(source, target_is_directory=source.is_dir())
        except OSError:  # without permission to create links: copies, renewed at each call
            copy = shutil.copytree if source.is_dir() else shutil.copy
            copy(source, link)
    return TREE.parent


if __name__ == "__main__":
    link_sources()
