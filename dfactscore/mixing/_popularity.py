"""Tests whether a model writes about the best-known bearer of a name (paper section 5.3)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dfactscore._errors import InputError
from dfactscore._readers.files import file_rows
from dfactscore.generation._request import same_name_entities

if TYPE_CHECKING:
    from dfactscore._scoring.record import Record


_Z = 1.959963984540054  # the 97.5 % quantile of the normal distribution


@dataclass(frozen=True, slots=True)
class PopularityCase:
    """A biography of one person, written from passages about several people of the same name."""

    name: str
    subject: str
    retrieved: tuple[str, ...]  # titles of the passages that bear the name, including the subject


@dataclass(frozen=True, slots=True)
class PopularityResult:
    """The share of texts whose subject is the most viewed entity."""

    n: int
    # The fraction whose subject is the most viewed of the retrieved entities; a tie of m entities
    # counts 1/m. None if n is 0.
    share: float | None
    interval: tuple[float, float] | None
    chance: float | None
    left_out: Mapping[str, int]


def subjects(run: Iterable[Record]) -> tuple[list[PopularityCase], dict[str, int]]:
    """Returns the biographies that can be counted, and the number of other biographies by reason.

    A biography counts if it is about one entity, and at least two entities of the name are among
    its passages.
    """
    cases = []
    left_out = {
        "not one biography of one entity": 0,
        "fewer than two entities of the name retrieved": 0,
        "about a person of another name": 0,
    }
    for record in run:
        biography, scores = record.biography, record.scores
        if scores is None or scores.n_bio != 1 or scores.n_ent != 1:
            left_out["not one biography of one entity"] += 1
            continue
        retrieved = same_name_entities(biography.name, biography.passages)
        if len(retrieved) < 2:
            left_out["fewer than two entities of the name retrieved"] += 1
            continue
        linked = [link.entity for link in scores.links if link.entity is not None]
        subject = record.entities[linked[0]].id if linked else ""
        if subject not in retrieved:
            left_out["about a person of another name"] += 1
            continue
        cases.append(PopularityCase(biography.name, subject, retrieved))
    return cases, left_out


def popularity(
    cases: Sequence[PopularityCase],
    # Page views by title. Entities without views are ignored; a case is not counted if its subject
    # has no views, or fewer than two entities have views.
    views: Mapping[str, float],
    left_out: Mapping[str, int] | None = None,
) -> PopularityResult:
    """Computes how often the subject is the most viewed entity.

    Example:
        >>> views = {"Ann Lee": 900, "Ann Lee (rower)": 40}
        >>> cases = [PopularityCase("Ann Lee", title, tuple(views)) for title in views]
        >>> result = popularity(cases, views)
        >>> result.share, result.chance
        (0.5, 0.5)
    """
    hits, chances, unknown = 0.0, [], 0
    for case in cases:
        known = {title: views[title] for title in case.retrieved if title in views}
        if case.subject not in known or len(known) < 2:
            unknown += 1
            continue
        most = max(known.values())
        ties = sum(v == most for v in known.values())
        hits += (known[case.subject] == most) / ties
        chances.append(1 / len(known))
    n = len(chances)
    reasons = {**(left_out or {}), "page views unknown": unknown}
    if not n:
        return PopularityResult(0, None, None, None, reasons)
    return PopularityResult(n, hits / n, _wilson(hits, n), sum(chances) / n, reasons)


def _wilson(hits: float, n: int) -> tuple[float, float]:
    p, spread = hits / n, _Z * _Z / n
    middle = (p + spread / 2) / (1 + spread)
    half = _Z * math.sqrt(p * (1 - p) / n + spread / (4 * n)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def read_views(path: str | Path) -> dict[str, float]:
    """Reads page views by title, including those of redirects."""
    # `path`: an AmbigBio file that `dfactscore ambigbio popularity` wrote, or JSONL lines
    # `{"title": ..., "views": ...}`.
    source = Path(path)
    found: dict[str, float] = {}
    for where, record in file_rows(source):
        people = record.get("people", [record])
        if not isinstance(people, list) or not all(isinstance(p, Mapping) for p in people):
            raise InputError(f"{where}: expected an object with title and views")
        for person in people:
            views = person.get("views")
            if views is None or not isinstance(person.get("title"), str):
                continue
            if isinstance(views, bool) or not isinstance(views, (int, float)) or not views >= 0:
                raise InputError(f'{where}, field "views": {views!r} must be a number ≥ 0')
            aliases = person.get("aliases") or []
            if not isinstance(aliases, list):
                raise InputError(f'{where}, field "aliases": expected a list of titles')
            for title in (person["title"], *map(str, aliases)):
                found.setdefault(title, views)
    if not found:
        raise InputError(
            f"{source}: contains no page views; 'dfactscore ambigbio popularity' counts them"
        )
    return found
