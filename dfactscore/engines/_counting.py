"""Counts the calls of an engine's roles for a text, without making them."""

from __future__ import annotations

from collections.abc import Sequence

from dfactscore._records import Biography, Fact
from dfactscore._util.role_answers import resolve
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.engines._roles import Decomposer, Grouper
from dfactscore.work import Asked
from dfactscore.work._asks import all_asked


async def count_facts(
    biography: Biography, decomposer: Decomposer, found: list[Asked]
) -> Sequence[Fact]:
    """Counts what making the facts asks; facts near those that would be made."""
    facts: Sequence[Fact] | None = biography.facts
    if facts is None:
        facts = await resolve(decomposer.known_facts(biography))
    if facts is None:
        facts = BuiltinDecomposer().decompose(biography)
    found += await all_asked(decomposer.asks(biography, facts))
    return facts


async def count_grouping(
    biography: Biography, facts: Sequence[Fact], grouper: Grouper, found: list[Asked]
) -> None:
    """Counts the calls for grouping the facts."""
    if biography.groups is None:
        found += await all_asked(grouper.asks(biography, facts))
