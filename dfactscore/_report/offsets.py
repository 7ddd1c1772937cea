"""Character offsets in UTF-16 units, as used by JavaScript."""

from __future__ import annotations

import re
from bisect import bisect_left

_WIDE = re.compile("[\U00010000-\U0010ffff]")


class Utf16:
    """Converts offsets in a text from code points to UTF-16 units.

    A character above U+FFFF (such as an emoji) has length 1 in Python and length 2 in a browser.

    Example:
        >>> Utf16("a😀b")(2)
        3
    """

    def __init__(self, text: str) -> None:
        self._wide = [match.start() for match in _WIDE.finditer(text)]

    def __call__(self, offset: int) -> int:
        """Converts an offset to UTF-16 units."""
        return offset + bisect_left(self._wide, offset)
