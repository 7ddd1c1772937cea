"""Definitions of measures: their names, meanings and positions in tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from dfactscore._errors import InputError
from dfactscore._util.near import near_miss

EVERY = "all"
"""The key for all measures with a place in tables."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure that is computed for each text and averaged over texts."""

    name: str  # key in files, and the attribute name in a text's scores and in a summary
    title: str
    help: str
    # The texts included in the mean: `"scored"` texts, texts with `"both"` FS and D-FS, or another
    # choice that the summary offers.
    of: Literal["scored", "both", "other"] = "other"
    compared: bool = False
    count: bool = False  # whether the measure is a count; otherwise it is a share from 0 to 1
    interval: bool = False
    # The position among the columns of a comparison; 0 for a column shown only if requested by
    # name.
    place: int = 0
    usual: bool = False

    def __str__(self) -> str:
        return self.name


def find_measures(
    keys: Iterable[str],
    known: Mapping[str, Measure],
    create: Callable[[str], Measure | None] = lambda _: None,
) -> tuple[Measure, ...]:
    """Returns the measures for keys, without duplicates; ``"all"`` stands for all with a place."""
    measures: dict[str, Measure] = {}
    for key in keys:
        if key == EVERY:
            placed = sorted((m for m in known.values() if m.place), key=lambda m: m.place)
            measures |= {m.name: m for m in placed}
        elif (measure := known.get(key) or create(key)) is not None:
            measures[key] = measure
        else:
            names = (EVERY, *known)
            raise InputError(
                f"unknown column {key!r}; choose {', '.join(names)}{near_miss(key, names)}"
            )
    return tuple(measures.values())
