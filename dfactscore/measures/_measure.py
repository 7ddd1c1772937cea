"""Declares measures: name, meaning and where each is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from dfactscore._errors import InputError
from dfactscore._util.near import near_miss

EVERY = "all"
"""The key that means every measure that has a place."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure of one text, and its mean over texts.

    Attributes:
        name: Its key in files, and its attribute of the scores of a text and of a summary.
        title: Its headings column.
        help: Its meaning, in a few words.
        of: The texts that its mean is over: those that are scored, those with a D-FS too, or
            another choice that the summary makes.
        compared: Whether a comparison reads it of each text; others it makes of those.
        count: Whether it counts things; else it is a share from 0 to 1.
        interval: Whether its interval is shown with it.
        place: Its place among the columns of a comparison; 0 if it must be named to be shown.
        usual: Whether it is shown if nothing else is asked for: what a paper prints.
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


def chosen(
    keys: Iterable[str],
    known: Mapping[str, Measure],
    made: Callable[[str], Measure | None] = lambda _: None,
) -> tuple[Measure, ...]:
    """The measures of keys, each once; ``"all"`` means those with a place, in their order.

    Args:
        keys: The requested value.
        known: The measures by name.
        made: Gives the measure of a key that is not among them; None if it has none.

    Raises:
        InputError: If a key is unknown; the near miss is named.
    """
    found: dict[str, Measure] = {}
    for key in keys:
        if key == EVERY:
            placed = sorted((m for m in known.values() if m.place), key=lambda m: m.place)
            found |= {m.name: m for m in placed}
        elif (measure := known.get(key) or made(key)) is not None:
            found[key] = measure
        else:
            names = (EVERY, *known)
            raise InputError(
                f"unknown column {key!r}; choose {', '.join(names)}{near_miss(key, names)}"
            )
    return tuple(found.values())
