"""Judges facts separately against each page found by an open search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from dfactscore._records import Biography, Entity, Fact, Verdict
from dfactscore.engines._answers import verify_together
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
from dfactscore.engines._cascade import CascadeVerifier
from dfactscore.engines._roles import Verifier
from dfactscore.engines._wrapping import WrappingVerifier


class PageByPage(WrappingVerifier):
    """A verifier that supports a fact if any single page supports it.

    Pages may be about different people, so passages are judged together only if they come from the
    same page, that is, have the same address or, if there are no addresses, the same title.
    """

    @property
    def settings(self) -> Mapping[str, Any]:
        """All settings that can change a verdict."""
        return {**self.inner.settings, "pages": "each by itself"}

    async def verify(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> Sequence[Verdict]:
        """Returns, for each fact, the verdict of the page with the strongest support."""
        pages: dict[str, list[int]] = {}
        for place, document in enumerate(entity.documents):
            pages.setdefault(document.address or document.title, []).append(place)
        if len(pages) < 2:
            return (await verify_together(self.inner, biography, [(facts, entity)]))[0]
        places_of_pages = list(pages.values())
        pairs = [
            (facts, replace(entity, documents=tuple(entity.documents[i] for i in places)))
            for places in places_of_pages
        ]
        rows = await verify_together(self.inner, biography, pairs)
        verdicts = []
        for number in range(len(facts)):
            best = max(range(len(places_of_pages)), key=lambda page: _support(rows[page][number]))
            verdicts.append(rows[best][number].moved(places_of_pages[best]))
        return verdicts


def judge_of_pages(inner: Verifier) -> Verifier:
    """Returns the verifier for open searches; a built-in verifier judges each page separately.

    A language model reads all pages for a fact in one call, because each call costs money.
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
