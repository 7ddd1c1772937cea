"""The standing of each fact: which scores count it, and why others do not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from dfactscore._records import WhyNot
from dfactscore.linking import SupportMatrix

Standing = Literal["supported", "elsewhere", "unsupported", "unreadable"]


def standings(
    matrix: SupportMatrix, groups: Sequence[Sequence[int]], links: Sequence[int | None]
) -> tuple[Standing, ...]:
    """Returns the standing of each fact.

    - ``"supported"``: the linked entity of its group supports the fact (or, without a group, any
      entity does);
    - ``"elsewhere"``: only other entities support it, so FActScore counts it but D-FActScore does
      not;
    - ``"unreadable"``: the linked entity's verdict (or, without a link, any verdict) could not be
      read;
    - ``"unsupported"``: no entity supports it.

    Example:
        >>> matrix = SupportMatrix.from_support([[1, 0], [0, 1], [0, 0]], ["a", "b"])
        >>> standings(matrix, [[0, 1, 2]], [0])
        ('supported', 'elsewhere', 'unsupported')
    """
    link_of = {f: link for group, link in zip(groups, links, strict=True) for f in group}
    anywhere = np.asarray(matrix.support.any(axis=1))
    everywhere = np.asarray(matrix.readable.all(axis=1))
    result: list[Standing] = []
    for fact in range(len(matrix.status)):
        link = link_of.get(fact)
        if anywhere[fact]:
            linked = fact not in link_of or (link is not None and bool(matrix.support[fact, link]))
            result.append("supported" if linked else "elsewhere")
        else:
            readable = everywhere[fact] if link is None else matrix.readable[fact, link]
            result.append("unsupported" if readable else "unreadable")
    return tuple(result)


def reasons(
    matrix: SupportMatrix, groups: Sequence[Sequence[int]], links: Sequence[int | None]
) -> tuple[WhyNot | None, ...]:
    """Returns whether each unsupported fact is contradicted by a page or merely not stated.

    The page is that of the linked entity or, for a fact without a link, any page. The result is
    None for all other facts, and for every fact if the verifier gives no evidence.
    """
    if matrix.evidence is None and matrix.conflict is None:
        return (None,) * len(matrix.status)
    link_of = {f: link for group, link in zip(groups, links, strict=True) for f in group}
    result: list[WhyNot | None] = []
    for fact, standing in enumerate(standings(matrix, groups, links)):
        link = link_of.get(fact)
        entities = range(len(matrix.entities)) if link is None else [link]
        contradicted = any(matrix.conflict_at(fact, entity) for entity in entities)
        reason: WhyNot = "contradicted" if contradicted else "not_stated"
        result.append(reason if standing == "unsupported" else None)
    return tuple(result)
