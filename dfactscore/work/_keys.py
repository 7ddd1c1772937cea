"""Hashes that identify items."""

from __future__ import annotations

import hashlib
from typing import Any

from dfactscore._util.files import dump_json


def key_of(*content: Any) -> str:
    """Returns a hash of everything an item's line depends on.

    Args:
        content: JSON values; the order of the keys in an object matters.

    Example:
        >>> key_of("id", "text") == key_of("id", "text") != key_of("id", "Text")
        True
    """
    return hashlib.sha256(dump_json(content).encode("utf-8")).hexdigest()[:32]
