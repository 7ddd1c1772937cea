"""Treats each page of an open search as evidence about its own person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from dfactscore._records import Biography, Entity, Fact, Verdict
from dfactscore.engines._answers import verify_together
from dfactscore.engines._around import Around
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
from dfactscore.engines._cascade import CascadeVerifier
from dfactscore.engines._roles import Verifier


class PageByPage(Around):
    """A fact is supported where one page supports it; no page lends another one its words.

    Passages of the same page (the same address, else the same title) are judged together.

    Args:
        inner: Judges a fact against one page; it gives probabilities and costs nothing.
    """

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change an answer."""
        return {**self.inner.settings, "pages": "each by itself"}

    async def verify(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> Sequence[Verdict]:
        """Returns for each fact the verdict of the page that supports it most."""
        pages: dict[str, list[int]] = {}
        for place, document in enumerate(entity.documents):
            pages.setdefault(document.address or document.title, []).append(place)
        if len(pages) < 2:
            return (await verify_together(self.inner, biography, [(facts, entity)]))[0]
        own = list(pages.values())
        asked = [
            (facts, replace(entity, documents=tuple(entity.documents[i] for i in places)))
            for places in own
        ]
        rows = await verify_together(self.inner, biography, asked)
        found = []
        for number in range(len(facts)):
            best = max(range(len(own)), key=lambda page: _support(rows[page][number]))
            found.append(rows[best][number].moved(own[best]))
        return found


def judge_of_pages(inner: Verifier) -> Verifier:
    """The verifier of an open search: the built-in one reads page by page.

    A language model, whose calls are paid for, reads all pages of a fact in one call.
    """
    if isinstance(inner, BuiltinVerifier):
        return PageByPage(inner)
    if isinstance(inner, CascadeVerifier) and isinstance(inner.first, BuiltinVerifier):
        return CascadeVerifier(
            PageByPage(inner.first),
            inner.second,
            low=inner.low,
            high=inner.high,
            weight=inner.weight,
        )
    return inner


def _support(verdict: Verdict) -> tuple[bool, float]:
    return verdict.status == "supported", verdict.probability or 0.0
