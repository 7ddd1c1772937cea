"""Counts the requests that an engine's roles would make for a text, without sending them."""

from __future__ import annotations

from collections.abc import Sequence

from dfactscore._records import Biography, Fact
from dfactscore._util.role_answers import resolve
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.engines._roles import Decomposer, Grouper
from dfactscore.work import Asked
from dfactscore.work._asks import all_asked


async def count_facts(
    biography: Biography, decomposer: Decomposer, requests: list[Asked]
) -> Sequence[Fact]:
    """Adds the requests for the facts to `requests`; returns the facts, or an estimate of them."""
    facts: Sequence[Fact] | None = biography.facts
    if facts is None:
        facts = await resolve(decomposer.known_facts(biography))
    if facts is None:
        facts = BuiltinDecomposer().decompose(biography)
    requests += await all_asked(decomposer.asks(biography, facts))
    return facts


async def count_grouping(
    biography: Biography, facts: Sequence[Fact], grouper: Grouper, requests: list[Asked]
) -> None:
    """Adds the requests for grouping the facts to `requests`."""
    if biography.groups is None:
        requests += await all_asked(grouper.asks(biography, facts))
