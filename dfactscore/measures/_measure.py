"""Definitions of measures: name, meaning and place in tables."""

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
    """A measure of one text, and its mean over texts.

    Attributes:
        name: The key in files, and the attribute of the scores of a text and of a summary.
        title: The heading of the column.
        help: The meaning in a few words.
        of: The texts in the mean: ``"scored"`` texts, texts with ``"both"`` FS and D-FS, or
            another choice of the summary.
        compared: Whether a comparison reads the measure of each text; it computes the others.
        count: Whether the measure is a count; otherwise it is a share from 0 to 1.
        interval: Whether tables show its interval.
        place: The position among the columns of a comparison; 0 for a column that is only shown if
            it is named.
        usual: Whether the measure is shown by default, because papers report it.
    """

    name: str
    title: str
    help: str
    of: Literal["scored", "both", "other"] = "other"
    compared: bool = False
    count: bool = False
    interval: bool = False
    place: int = 0
    usual: bool = False

    def __str__(self) -> str:
        return self.name


def find_measures(
    keys: Iterable[str],
    known: Mapping[str, Measure],
    create: Callable[[str], Measure | None] = lambda _: None,
) -> tuple[Measure, ...]:
    """Returns the measures of keys, without duplicates; ``"all"`` are those with a place.

    Args:
        keys: The requested keys.
        known: The measures by name.
        create: Creates the measure of a key that is not in `known`, or returns None.

    Raises:
        InputError: If a key is unknown; the message suggests a similar one.
    """
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
