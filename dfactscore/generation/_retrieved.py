"""Finds the entities with the target name among the passages."""

from __future__ import annotations

from collections.abc import Sequence

from dfactscore._text.names import bears_name
from dfactscore.retrieval import Passage


def same_name_entities(name: str, passages: Sequence[Passage]) -> tuple[str, ...]:
    """Returns the titles of distinct entities with the name, best first (paper section 5.3).

    The paper reports a mean of 2.2 such entities among five passages.

    Example:
        >>> pages = ["Dick Hanley (swimmer)", "Dick Hanley", "Hanley, Texas", "Dick Hanley"]
        >>> same_name_entities("Dick Hanley", [Passage(title, "") for title in pages])
        ('Dick Hanley (swimmer)', 'Dick Hanley')
    """
    return tuple(dict.fromkeys(p.title for p in passages if bears_name(p.title, name)))
