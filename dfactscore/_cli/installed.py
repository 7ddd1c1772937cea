"""Reports installed extras and their packages."""

from __future__ import annotations

import platform
import re
from importlib import metadata

_DEVELOPERS = ("test", "test-slow", "recipes", "docs", "dev")
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_EXTRA = re.compile(r"extra\s*==\s*[\"']([^\"']+)[\"']")


def extras() -> dict[str, list[str]]:
    """For each extra of users the packages of it that are missing; empty if it is installed."""
    try:
        needs = metadata.requires("dfactscore") or []
    except metadata.PackageNotFoundError:
        return {}
    found: dict[str, list[str]] = {}
    for line in needs:
        extra = _EXTRA.search(line)
        package = _NAME.match(line)
        if extra is None or package is None or extra[1] in _DEVELOPERS:
            continue
        missing = found.setdefault(extra[1], [])
        try:
            metadata.version(package[0])
        except metadata.PackageNotFoundError:
            missing.append(package[0])
    return dict(sorted(found.items()))


def python_line() -> str:
    """Python, the system, and which extras are installed, in one line."""
    there = [name for name, missing in extras().items() if not missing]
    python = f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"
    return f"{python}; extras: {', '.join(there) or 'none'}"
