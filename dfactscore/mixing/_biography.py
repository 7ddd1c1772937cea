"""Mixing of people in one scored biography or answer, and the text with each part's person."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from dfactscore._errors import InputError
from dfactscore._results.result import Result
from dfactscore._scoring.record import Record, cell_values
from dfactscore.linking import GroupMixing, LostFacts, group_mixing, lost_facts

if TYPE_CHECKING:
    import pandas as pd


_ITEM = re.compile(r"(?:[-*•]|\d{1,2}[.)])\s+\S")
_HEADING = re.compile(r"#{1,6}\s+\S|\*\*[^*]{1,120}\*\*:?$|[^.]{1,80}:$")


@dataclass(frozen=True)
class BiographyMixing:
    """The mixing, in one biography, of people who share a name, and its cost.

    Attributes:
        id: The id of the biography.
        name: The target name.
        entities: Ids of the entities, in column order.
        labels: Labels of the entities, in the same order.
        n_named: The number of entities that bear the target name.
        groups: The mixing within each group of facts.
        lost: The facts that count for FS but not for D-FS, by reason.
        n_facts: The number of scored facts, which is the denominator of both scores.
        fs, dfs: FS and D-FS, without a length penalty.
        model: The model that wrote the text; empty if unknown.
        layout: The form of the text: ``"list"``, ``"headings"``, ``"paragraphs"`` or ``"prose"``.
        views: The page views of the most viewed entity of the name; None if unknown.
    """

    id: str
    name: str
    entities: tuple[str, ...]
    labels: tuple[str, ...]
    n_named: int
    groups: tuple[GroupMixing, ...]
    lost: LostFacts
    n_facts: int
    fs: float
    dfs: float
    model: str = ""
    layout: str = ""
    views: float | None = None

    @property
    def gap(self) -> float:
        """FS − D-FS, the sum of the three parts below."""
        return self.lost.total / self.n_facts

    @property
    def same_name(self) -> float:
        """The part of the gap caused by mixing people who share the name."""
        return len(self.lost.same_name) / self.n_facts

    @property
    def other_page(self) -> float:
        """The part of the gap caused by facts supported only by pages with other names."""
        return len(self.lost.other_page) / self.n_facts

    @property
    def link_conflict(self) -> float:
        """The part of the gap caused by links to an entity other than the best one."""
        return len(self.lost.link_conflict) / self.n_facts

    @property
    def mixed(self) -> int:
        """The number of mixed groups."""
        return sum(g.mixed is True for g in self.groups)

    @property
    def probability(self) -> float | None:
        """The highest probability that any group is mixed; None if there are no groups."""
        return max((g.probability for g in self.groups if g.probability is not None), default=None)

    @property
    def foreign(self) -> int:
        """The total number of foreign facts in all groups."""
        return sum(len(g.foreign) for g in self.groups)

    @property
    def switches(self) -> int:
        """The number of switches to another entity within a group."""
        return sum(len(g.switches) for g in self.groups)


def _layout(text: str) -> str:
    """Returns the form of a text: that of most of its lines, if there are several."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if sum(bool(_ITEM.match(line)) for line in lines) > 1:
        return "list"
    if sum(bool(_HEADING.match(line)) for line in lines) > 1:
        return "headings"
    return "paragraphs" if len(lines) > 1 else "prose"


def biography_mixing(
    record: Record, *, min_foreign: int | None = None, views: Mapping[str, float] | None = None
) -> BiographyMixing | None:
    """Measures the mixing in one biography.

    Args:
        record: The biography with its verdicts and links.
        min_foreign: Number of facts of a namesake at which a group counts as mixed; by default, as
            the record was scored.
        views: Page views by title.

    Returns:
        The mixing, or None if the biography has no D-FS.
    """
    scores, groups = record.scores, record.groups
    if scores is None or scores.dfs is None or groups is None or not scores.n_facts:
        return None
    matrix, named = record.decided, record.named
    parts = [g.facts for g in groups]
    candidates = np.zeros(len(matrix.entities), dtype=bool)
    candidates[list(record.candidate_columns)] = True
    may_support = [f for f in scores.facts if record.facts[f].label != "irrelevant"]
    values = cell_values(record) if record.options.counts == "expected" else None
    lost = lost_facts(
        matrix,
        parts,
        [link.entity for link in scores.links],
        named=named,
        candidates=candidates,
        facts=may_support,
        values=values,
    )
    support = matrix.support
    linked = sum(
        bool(support[f, link.entity])
        for part, link in zip(parts, scores.links, strict=True)
        if link.entity is not None
        for f in set(part) & set(may_support)
    )
    anywhere = int(support[may_support].any(axis=1).sum()) if may_support else 0
    least = record.options.min_foreign if min_foreign is None else min_foreign
    titles = [t for e in named for t in (matrix.entities[e], *record.entities[e].aliases)]
    known = [views[title] for title in titles if views and title in views]
    return BiographyMixing(
        id=record.id,
        name=record.name,
        entities=matrix.entities,
        labels=tuple(e.label for e in record.entities),
        n_named=len(named),
        groups=group_mixing(
            matrix,
            parts,
            named=named,
            named_otherwise=record.named_otherwise,
            min_foreign=least,
            values=values,
            doubts=record.doubts,
        ),
        lost=lost,
        n_facts=scores.n_facts,
        fs=anywhere / scores.n_facts,
        dfs=linked / scores.n_facts,
        model=record.biography.model,
        layout=_layout(record.biography.raw or record.biography.text),
        views=max(known, default=None),
    )


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
