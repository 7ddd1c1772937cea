"""The support matrix: the values of its cells, the standing of each fact, and credited entities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dfactscore._records import Entity, Verdict, WhyNot
from dfactscore.linking import SupportMatrix

Counts = Literal["verdicts", "expected"]


def support_matrix(entities: Sequence[Entity], rows: Sequence[Sequence[Verdict]]) -> SupportMatrix:
    """Builds the support matrix, shape ``(facts, entities)``."""
    columns = [verdict_column(row) for row in rows]
    ranks = [entity.rank for entity in entities]
    return SupportMatrix.from_columns([entity.id for entity in entities], columns, ranks)


def matrix_values(matrix: SupportMatrix, *, counts: Counts = "verdicts") -> NDArray[np.float64]:
    """Returns the value of each cell, shape ``(facts, entities)``: 1 for support, otherwise 0."""
    verdicts = matrix.support.astype(float)
    if counts == "verdicts":
        return verdicts
    has_probability = matrix.readable & ~np.isnan(matrix.probability)
    return np.where(has_probability, matrix.probability, verdicts)


def verdict_column(verdicts: Sequence[Verdict]) -> dict[str, list[Any]]:
    """Returns an entity's verdicts as one list per field; empty optional fields are omitted."""
    column: dict[str, list[Any]] = {
        "status": [v.status for v in verdicts],
        "probability": [v.probability for v in verdicts],
        "evidence": [v.evidence for v in verdicts],
    }
    if any(v.conflict is not None for v in verdicts):
        column["conflict"] = [v.conflict for v in verdicts]
    if any(v.sent for v in verdicts):
        column["sent"] = [v.sent for v in verdicts]
    if any(v.reason for v in verdicts):
        column["reason"] = [v.reason for v in verdicts]
    return column


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


def credited_entities(
    support: NDArray[np.bool_], ranks: Sequence[int] | None = None
) -> tuple[int | None, ...]:
    """Assigns each supported fact to the entity that supports the most facts in the paragraph.

    The number of distinct entities is ``#ent`` (paper section 2.4 and appendix B.2). Ties go to the
    entity with the better retrieval rank.

    Example:
        >>> import numpy as np
        >>> credited_entities(np.array([[1, 1], [0, 1], [0, 0]], dtype=bool))
        (1, 1, None)
    """
    width = support.shape[1]
    order = np.arange(width) if ranks is None else np.asarray(ranks)
    totals = support.sum(axis=0)
    best = sorted(range(width), key=lambda e: (-int(totals[e]), int(order[e])))
    credit: list[int | None] = [None] * support.shape[0]
    for entity in reversed(best):
        for fact in np.flatnonzero(support[:, entity]):
            credit[fact] = entity
    return tuple(credit)
