"""A text in which each part is labeled with the person it is about."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Any

from dfactscore._errors import InputError
from dfactscore._results.result import Result
from dfactscore._scoring.record import Record
from dfactscore.mixing._biography import biography_mixing

if TYPE_CHECKING:
    import pandas as pd


_COLORS = ("#bfdcf2", "#fbd3b0", "#bfe8d6", "#efd0e2")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class MixedText:
    """A text in pieces, each about one person; notebooks show them in colors.

    Attributes:
        people: Labels of the people, in the order in which they appear in the text.
        pieces: Parts of the text, each with the indices of the people it is credited to: none if no
            fact is supported, two if facts about two people share the words.
        facts: One mapping per fact: ``fact``, ``credited to``, ``foreign`` (the main entity of
            the group does not support it), ``switch before`` (the text moves on to another
            person before this fact).
    """

    people: tuple[str, ...]
    pieces: tuple[tuple[str, tuple[int, ...]], ...]
    facts: tuple[dict[str, Any], ...]

    def to_frame(self) -> pd.DataFrame:
        """Returns one row per fact, in the order of the groups."""
        import pandas as pd

        return pd.DataFrame(list(self.facts))

    def __str__(self) -> str:
        parts = [f"{t}[{_letters(people)}]" if people else t for t, people in self.pieces]
        legend = [f"{_letters((n,))} {label}" for n, label in enumerate(self.people)]
        return "".join(parts) + "\n" + ", ".join(legend)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))

    def _repr_html_(self) -> str:
        parts = [_tint(text, people) if people else escape(text) for text, people in self.pieces]
        legend = " ".join(_tint(label, (n,)) for n, label in enumerate(self.people))
        style = "line-height:1.9;max-width:46em"
        return f'<p style="{style}">{"".join(parts)}</p><p>{legend}</p>'


def mixed_text(record: Record | Result) -> MixedText:
    """Marks the person that each fact in a scored text is credited to.

    Args:
        record: A result of `Scorer`, or a record of a run.

    Raises:
        InputError: If the text has no D-FActScore, or its facts have no spans.
    """
    record = record.record if isinstance(record, Result) else record
    mixing = biography_mixing(record)
    if mixing is None or record.groups is None:
        raise InputError(f"{record.id}: has no D-FActScore, so no fact is credited to a person")
    credited = [
        (index, entity, mixed)
        for group, mixed in zip(record.groups, mixing.groups, strict=True)
        for index, entity in zip(sorted(group.facts), mixed.credit, strict=True)
    ]
    spans = {index: record.facts[index].span for index, _, _ in credited}
    if spans and not any(spans.values()):
        raise InputError(f"{record.id}: its facts have no places in the text ('span')")
    facts = tuple(
        {
            "fact": record.facts[index].text,
            "credited to": None if entity is None else mixing.labels[entity],
            "foreign": index in mixed.foreign,
            "switch before": index in mixed.switches,
        }
        for index, entity, mixed in credited
    )
    people = list(dict.fromkeys(entity for _, entity, _ in credited if entity is not None))
    text = record.biography.text
    at: list[dict[int, None]] = [{} for _ in text]  # in the order of the facts, without repeats
    for index, entity, _ in credited:
        if entity is not None:
            for i in range(*(spans[index] or (0, 0))):
                at[i][people.index(entity)] = None
    pieces = tuple(
        ("".join(text[i] for i in places), credits)
        for credits, places in groupby(range(len(text)), key=lambda i: tuple(at[i]))
    )
    return MixedText(tuple(mixing.labels[e] for e in people), pieces, facts)


def _letters(people: tuple[int, ...]) -> str:
    return "".join(_LETTERS[n % len(_LETTERS)] for n in people)


def _tint(text: str, people: tuple[int, ...]) -> str:
    """Colors a text by person and adds the person's letter; uses two colors for several people."""
    first, last = (_COLORS[n % len(_COLORS)] for n in (people[0], people[-1]))
    style = f"background:linear-gradient(90deg,{first} 50%,{last} 50%);color:#111"
    return f'<span style="{style}">{escape(text)}<sub>{_letters(people)}</sub></span>'
