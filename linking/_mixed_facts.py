"""Entity mixing: facts of several people of one name in one group.

Only entities that bear the name count; a fact supported by a wife's or a town's page is not mixing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import log2

import numpy as np
from numpy.typing import NDArray

from dfactscore.linking._support_matrix import SupportMatrix

MIN_FOREIGN = 2
"""Facts of another entity from which on a group is mixed: the one definition of *mixed*.

Measured with true mixtures (docs/mixing.md): from one fact on, a single wrong verdict is enough;
from three on, mixtures are missed.
"""
SHORT = 5
"""Facts up to which a text is short: too few for two foreign ones, so that one clear one decides.

Set on short texts made of facts of one person and one of a namesake (docs/mixing.md).
"""
_LIKELY = 0.5


@dataclass(frozen=True, slots=True)
class GroupMixing:
    """The degree to which one group mixes several entities that bear the name.

    "Supported" below means by an entity that bears the name. Facts of no entity of that name
    (unsupported, or supported by other pages only) are in none of the measures.

    Attributes:
        home: Column of the entity that supports most facts of the group, ties by retrieval rank;
            None if no fact is supported.
        supported: Number of supported facts.
        foreign: Facts that the home entity does not support but another one does, ascending.
        credit: For each fact of the group the column it is credited to: home where home supports
            it, else the supporting entity that supports most of the group's foreign facts; None
            if it is not supported.
        min_entities: The smallest number of entities that together support every supported fact
            (a minimum set cover): 1 for a group about one person, 0 if nothing is supported.
        entropy: Mixing entropy, in bits: of the shares of the supported facts that are credited
            to each entity. 0 for one person, 1 for two in equal parts.
        switches: Facts at which the text must have moved on to another entity, ascending: the
            fewest places to cut the supported facts, in reading order, such that one entity
            supports each piece.
        mixed: Whether some other entity than home is credited with at least ``min_foreign`` facts;
            in a short text with probabilities also whether its probability is at least 0.5.
        probability: That it is mixed; None without probabilities.
    """

    home: int | None
    supported: int
    foreign: tuple[int, ...]
    credit: tuple[int | None, ...]
    min_entities: int
    entropy: float
    switches: tuple[int, ...]
    mixed: bool
    probability: float | None = None


def group_mixing(
    matrix: SupportMatrix,
    groups: Sequence[Sequence[int]],
    *,
    named: Collection[int],
    min_foreign: int = MIN_FOREIGN,
    values: NDArray[np.float64] | None = None,
) -> tuple[GroupMixing, ...]:
    """Measures the mixing of each group.

    Args:
        matrix: Verdicts, facts in reading order.
        groups: Fact indices of each group.
        named: Columns of the entities that bear the name.
        min_foreign: From how many facts of another entity on a group counts as mixed. One alone
            may be a slip of the verifier, or true of both. With another number than the
            default, the number alone decides, also in short texts.
        values: Shape ``(facts, entities)``, calibrated probabilities of support; None if there
            are none.

    Returns:
        One measure set per group.

    Example:
        The first two facts are the swimmer's, the last two the coach's, the third is true of both:

        >>> matrix = SupportMatrix.from_support(
        ...     [[1, 0], [1, 0], [1, 1], [0, 1], [0, 1]], ["swimmer", "coach"])
        >>> (group,) = group_mixing(matrix, [[0, 1, 2, 3, 4]], named=[0, 1])
        >>> group.mixed, group.home, group.foreign, group.switches, group.min_entities
        (True, 0, (3, 4), (3,), 2)
        >>> round(group.entropy, 3)
        0.971
    """
    columns = sorted(named, key=lambda e: matrix.ranks[e])
    found = tuple(_measure(matrix.support, sorted(g), columns, min_foreign) for g in groups)
    if values is None:
        return found
    short = len(values) <= SHORT
    least = 1 if short else min_foreign
    likely = [
        _probability(values[sorted(g)], columns, mixing.home, least)
        for g, mixing in zip(groups, found, strict=True)
    ]
    decides = short and min_foreign == MIN_FOREIGN
    return tuple(
        replace(mixing, probability=p, mixed=mixing.mixed or (decides and p >= _LIKELY))
        for mixing, p in zip(found, likely, strict=True)
    )


def _probability(
    values: NDArray[np.float64], columns: Sequence[int], home: int | None, least: int
) -> float:
    """Returns the probability that a group has facts of home and this many of another entity.

    A fact is one entity's alone where its page supports it and the other's does not. Of facts that
    repeat one another the clearest counts: for one foreign fact, the most probable one.
    """
    if home is None:
        return 0.0
    found = [0.0]
    for other in columns:
        if other != home:
            foreign = np.sort(values[:, other] * (1 - values[:, home]))[::-1]
            own = values[:, home] * (1 - values[:, other])
            enough = float(foreign[least - 1]) if len(foreign) >= least else 0.0
            found.append(enough * float(own.max(initial=0.0)))
    return max(found)


def _measure(
    support: NDArray[np.bool_], facts: Sequence[int], columns: Sequence[int], min_foreign: int
) -> GroupMixing:
    by_fact = {f: frozenset(e for e in columns if support[f, e]) for f in facts}
    sets = [s for s in by_fact.values() if s]
    totals = Counter(e for s in sets for e in s)
    home = max(columns, key=lambda e: totals[e], default=None) if sets else None
    foreign = tuple(f for f in facts if by_fact[f] and home not in by_fact[f])
    others = Counter(e for f in foreign for e in by_fact[f])
    credit = [_credited(by_fact[fact], columns, home, others) for fact in facts]
    credited = Counter(e for e in credit if e is not None)
    return GroupMixing(
        home=home,
        supported=len(sets),
        foreign=foreign,
        credit=tuple(credit),
        min_entities=_cover(sets),
        entropy=_entropy(list(credited.values())),
        switches=_switches(by_fact),
        mixed=any(n >= min_foreign for e, n in credited.items() if e != home),
    )


def _credited(
    by: frozenset[int], columns: Sequence[int], home: int | None, others: Counter[int]
) -> int | None:
    """The column that a fact is credited to, of those that support it."""
    if home in by:
        return home
    return max((e for e in columns if e in by), key=lambda e: others[e], default=None)


def _entropy(counts: Sequence[int]) -> float:
    total = sum(counts)
    return sum(n / total * log2(total / n) for n in counts)


def _switches(by_fact: dict[int, frozenset[int]]) -> tuple[int, ...]:
    """Cuts as late as can be, which gives the fewest pieces."""
    cuts = []
    here: frozenset[int] = frozenset()
    for fact, entities in by_fact.items():
        if not entities:
            continue
        both = here & entities
        if here and not both:
            cuts.append(fact)
        here = both or entities
    return tuple(cuts)


def _cover(sets: Sequence[frozenset[int]]) -> int:
    """Size of the smallest set of entities that meets every fact's supporters."""
    # a fact whose supporters include all those of another is met wherever that other is
    needed = [s for s in set(sets) if not any(other < s for other in sets)]
    entities = sorted(set().union(*needed)) if needed else []
    for size in range(len(entities) + 1):
        for chosen in combinations(entities, size):
            if all(s.intersection(chosen) for s in needed):
                return size
    return len(entities)
