"""Does a title or a label bear a name? Words are compared without case and accents."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from dfactscore.text.accents import fold_accents

__all__ = ["bears_name", "name_words", "plain_name"]

_PARENTHESIS = re.compile(r"(?<!\s)\s*\([^()]*\)\s*$")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼʻ`´", "'"))


@lru_cache(maxsize=65536)
def name_words(text: str) -> tuple[str, ...]:
    """The words of a name, case and accents folded, parenthesis at the end dropped.

    Example:
        >>> name_words("Adrián Pérez (disambiguation)")
        ('adrian', 'perez')
    """
    kept = fold_accents(plain_name(text).casefold().translate(_APOSTROPHES))
    return tuple(_WORD.findall(kept)) if kept.isascii() else tuple(_words(kept))


def _words(text: str) -> list[str]:
    """Runs of letters, digits, marks and inner apostrophes, for any script."""
    spaced = (
        c if c.isalnum() or c == "'" or unicodedata.category(c).startswith("M") else " "
        for c in text
    )
    return [w for w in (part.strip("'") for part in "".join(spaced).split()) if w]


def plain_name(text: str) -> str:
    """The name without a parenthesis at its end.

    Example:
        >>> plain_name("Dick Hanley (swimmer)")
        'Dick Hanley'
    """
    return _PARENTHESIS.sub("", text).strip() or text.strip()


def bears_name(title: str, name: str) -> bool:
    """Whether every word of the name is among the words of the title.

    A middle name in the title does no harm; a different, shortened or respelled one does. Initials
    count as words: ``"A. E. Kahn"`` is not borne by ``"Albert Kahn"``.

    Args:
        title: A page title, a redirect or a name as a text writes it.
        name: The target name.

    Example:
        >>> bears_name("Alfred William Lawson", "Alfred Lawson")
        True
        >>> bears_name("Glen Brown", "Glenn Brown")
        False
    """
    words = name_words(name)
    return bool(words) and set(words) <= set(name_words(title))
