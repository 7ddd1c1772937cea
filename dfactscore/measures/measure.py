"""What a measure is called, what it means and where it is shown: each said once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Measure"]


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure of one text, and its mean over texts.

    Attributes:
        name: Its key in files, and its attribute of the scores of a text and of a summary.
        title: What stands above its column.
        help: What it means, in a few words.
        of: The texts that its mean is over: those that are scored, those with a D-FS too, or
            another choice that the summary makes.
        compared: Whether a comparison reads it of each text; others it makes of those.
        count: Whether it counts things; else it is a share from 0 to 1.
        interval: Whether its interval is shown with it.
        place: Its place among the usual columns of a comparison; 0 where it must be asked for.
    """

    name: str
    title: str
    help: str
    of: Literal["scored", "both", "other"] = "other"
    compared: bool = False
    count: bool = False
    interval: bool = False
    place: int = 0

    def __str__(self) -> str:
        return self.name
