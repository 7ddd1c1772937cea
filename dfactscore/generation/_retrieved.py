"""Counts how many people with the target name are among the passages."""

from __future__ import annotations

from collections.abc import Sequence

from dfactscore._text.names import bears_name
from dfactscore.retrieval import Passage


def same_name_entities(name: str, passages: Sequence[Passage]) -> tuple[str, ...]:
    """Titles, best first, of the distinct entities with the name (paper section 5.3).

    The paper finds 2.2 among the top five on average.

    Example:
        >>> pages = ["Dick Hanley (swimmer)", "Dick Hanley", "Hanley, Texas", "Dick Hanley"]
        >>> same_name_entities("Dick Hanley", [Passage(title, "") for title in pages])
        ('Dick Hanley (swimmer)', 'Dick Hanley')
    """
    return tuple(dict.fromkeys(p.title for p in passages if bears_name(p.title, name)))
