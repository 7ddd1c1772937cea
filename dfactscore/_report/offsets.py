"""Character offsets as JavaScript counts them."""

from __future__ import annotations

import re
from bisect import bisect_left

_WIDE = re.compile("[\U00010000-\U0010ffff]")


class Utf16:
    """Turns offsets into a text from code points into UTF-16 units.

    A character beyond U+FFFF (an emoji, a rare script) is one for Python and two for a browser.

    Example:
        >>> Utf16("a😀b")(2)
        3
    """

    def __init__(self, text: str) -> None:
        self._wide = [found.start() for found in _WIDE.finditer(text)]

    def __call__(self, offset: int) -> int:
        """The offset in UTF-16 units."""
        return offset + bisect_left(self._wide, offset)
