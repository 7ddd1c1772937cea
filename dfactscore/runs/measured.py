"""How good a verifier is, as the last meta-evaluation with its settings found it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dfactscore._util.files import make_folder
from dfactscore._util.jsonl import read_json, write_json
from dfactscore.asking.cache import default_cache_path
from dfactscore.errors import RunError

__all__ = ["measured_line", "note_measured"]

_NOT_MEASURED = "not measured (dfactscore meta run)"
# Where facts come from and how often a model is asked changes nothing about who judges.
_APART = frozenset({"fs_scope", "sample"})


def _file(verifier: Mapping[str, Any]) -> Path:
    kept = {key: value for key, value in verifier.items() if key not in _APART}
    digest = hashlib.sha256(json.dumps(kept, sort_keys=True).encode("utf-8")).hexdigest()[:24]
    return default_cache_path().parent / "measured" / f"{digest}.json"


def note_measured(verifier: Mapping[str, Any], found: Sequence[Mapping[str, Any]]) -> None:
    """Keeps what a meta-evaluation found, in the user's cache folder, instead of an earlier one.

    Args:
        verifier: The verifier's settings.
        found: For each block its name, ``n`` and ``balanced_accuracy``.

    Raises:
        RunError: If the folder cannot be written.
    """
    path = _file(verifier)
    make_folder(path.parent)
    write_json(path, {"found": [dict(one) for one in found]})


def measured_line(verifier: object) -> str:
    """What is known of a verifier, in one line.

    Args:
        verifier: Its settings, as manifests have them; anything else is not known.
    """
    if not isinstance(verifier, Mapping):
        return _NOT_MEASURED
    path = _file(verifier)
    try:
        found = read_json(path, error=RunError)["found"] if path.exists() else []
        parts = [
            f"{100 * one['balanced_accuracy']:.1f} on {one['block']} (n {one['n']})"
            for one in found
            if one["balanced_accuracy"] is not None
        ]
    except (RunError, KeyError, TypeError, ValueError):  # damaged: as if it were not there
        parts = []
    return f"balanced accuracy {', '.join(parts)}" if parts else _NOT_MEASURED
