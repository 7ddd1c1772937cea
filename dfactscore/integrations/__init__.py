"""Integrations with Inspect, lm-eval and Hugging Face datasets."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from dfactscore._errors import InputError
from dfactscore._util.message_text import near_miss

__all__ = ["integration_path"]

_FOLDERS = {"lm-eval": "_lm_eval"}


def integration_path(host: str) -> Path:
    """Returns the folder that a host needs as an option.

    Args:
        host: ``"lm-eval"``, for its ``--include_path``.

    Raises:
        InputError: If the host does not need a folder or is unknown.

    Example:
        >>> integration_path("lm-eval").name
        '_lm_eval'
    """
    if host not in _FOLDERS:
        near = near_miss(host, _FOLDERS, cutoff=0.5)
        raise InputError(f"no folder for {host!r}{near} (known: {', '.join(_FOLDERS)})")
    return Path(str(files(__name__))) / _FOLDERS[host]
