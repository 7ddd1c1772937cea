"""Reports which extras are installed and which packages are missing."""

from __future__ import annotations

import platform
import re
from importlib import metadata

_DEVELOPERS = ("test", "test-slow", "recipes", "docs", "dev")
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_EXTRA = re.compile(r"extra\s*==\s*[\"']([^\"']+)[\"']")


def extras() -> dict[str, list[str]]:
    """Returns the missing packages for each user-facing extra; empty if the extra is installed."""
    try:
        needs = metadata.requires("dfactscore") or []
    except metadata.PackageNotFoundError:
        return {}
    missing_by_extra: dict[str, list[str]] = {}
    for line in needs:
        extra = _EXTRA.search(line)
        package = _NAME.match(line)
        if extra is None or package is None or extra[1] in _DEVELOPERS:
            continue
        missing = missing_by_extra.setdefault(extra[1], [])
        try:
            metadata.version(package[0])
        except metadata.PackageNotFoundError:
            missing.append(package[0])
    return dict(sorted(missing_by_extra.items()))


def python_line() -> str:
    """Describes the Python version, the system and the installed extras on one line."""
    installed = [name for name, missing in extras().items() if not missing]
    python = f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"
    return f"{python}; extras: {', '.join(installed) or 'none'}"
