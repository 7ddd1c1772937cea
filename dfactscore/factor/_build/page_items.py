"""Builds the items of one page, stage by stage."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from dfactscore.factor._build.filters import Filtered, Filters
from dfactscore.factor._build.selection import Selected, select_sentences
from dfactscore.factor._build.variants import Candidate, Edit, candidate_record
from dfactscore.factor._factor_items import Contradiction, FactorItem
from dfactscore.factor._settings import BuildSettings
from dfactscore.retrieval import Page
from dfactscore.work import Journals, Later

_WANTED = 3


class Maker(Protocol):
    """Generates candidates for a sentence."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings that affect the candidates."""

    async def make(self, selected: Selected) -> tuple[Sequence[Candidate], Mapping[str, int]]:
        """Returns the candidates, and how often each outcome occurred."""


@dataclass
class PageOutcome:
    """The outcome for a page."""

    items: list[FactorItem] = field(default_factory=list)  # items, in the order of their sentences
    keys: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    made: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class PageItems:
    """Builds the items for pages."""

    settings: BuildSettings
    maker: Maker
    filters: Filters
    # Maximum number of sentences to try per page; if None, all are tried until there are enough
    # items.
    most: int | None = None

    async def of(self, page: Page, journals: Journals) -> PageOutcome:
        """Builds a page's items."""
        outcome = PageOutcome()
        items: list[tuple[int, FactorItem]] = []
        for selected in self._selection(page, journals):
            if len(items) == self.settings.per_document:
                break
            outcome.counts["sentences"] += 1
            outcome.keys.append(selected.key)
            candidates = await self._candidates(selected, journals, outcome.counts)
            judged = await self._filtered(selected, candidates, journals)
            for one in judged:
                outcome.made[one.candidate.type] += 1
                if one.failed:
                    outcome.counts[f"candidate: {one.failed}"] += 1
                else:
                    outcome.kept[one.candidate.type] += 1
            three = self._choice(selected, judged, journals)
            if len(three) < _WANTED:
                outcome.counts["item: fewer than three contradictions"] += 1
            else:
                items.append((selected.number, self._item(selected, three)))
        outcome.items = [item for _, item in sorted(items, key=lambda one: one[0])]
        return outcome

    def _selection(self, page: Page, journals: Journals) -> Iterator[Selected]:
        key = f"#{page.title}"
        record = journals["selection"].get(key)
        if record is not None:
            for number, start, end in record["sentences"]:
                yield Selected(page.title, number, page.text[:start], page.text[start:end])
            return
        settings = self.settings
        sentences = select_sentences(
            page, most=self.most, min_words=settings.min_words, seed=settings.draws
        )
        spans = [[s.number, len(s.prefix), len(s.prefix) + len(s.sentence)] for s in sentences]
        journals["selection"].append(key, {"sentences": spans})
        yield from sentences

    async def _candidates(
        self, selected: Selected, journals: Journals, counts: Counter[str]
    ) -> list[Candidate]:
        record = journals["contradictions"].get(selected.key)
        if record is None or record["statuses"].get("error"):
            candidates, statuses = await self.maker.make(selected)
            if lost := statuses.get("error"):
                raise Later(f"{lost} questions about {selected.sentence[:60]!r} got no answer")
            record = {
                "candidates": [candidate_record(one) for one in candidates],
                "statuses": dict(sorted(statuses.items())),
            }
            journals["contradictions"].append(selected.key, record)
        for status, count in record["statuses"].items():
            counts[f"answer: {status}"] += count
        return [_from_record(one) for one in record["candidates"]]

    async def _filtered(
        self, selected: Selected, candidates: Sequence[Candidate], journals: Journals
    ) -> list[Filtered]:
        record = journals["filters"].get(selected.key)
        if record is None:
            rows = [
                {
                    **candidate_record(o.candidate),
                    "failed": o.failed,
                    "margin": round(o.margin, 6),
                    "values": dict(o.values),
                }
                for o in await self.filters.judge(selected, candidates)
            ]
            record = {"judged": rows}
            journals["filters"].append(selected.key, record)
        return [
            Filtered(_from_record(one), one["failed"], one["margin"], one["values"])
            for one in record["judged"]
        ]

    def _choice(
        self, selected: Selected, judged: Sequence[Filtered], journals: Journals
    ) -> list[Filtered]:
        """Selects three candidates, preferring different types and then larger margins."""
        draw = random.Random(f"choice|{self.settings.draws}|{selected.key}")
        passed = [one for one in judged if not one.failed]
        draw.shuffle(passed)
        passed.sort(key=lambda one: -one.margin)
        first: dict[str, Filtered] = {}
        for one in passed:
            first.setdefault(one.candidate.type, one)
        chosen = list(first.values())[:_WANTED]
        chosen += [one for one in passed if one not in chosen][: _WANTED - len(chosen)]
        if journals["choice"].get(selected.key) is None:
            record = {"chosen": [one.candidate.text for one in chosen]}
            journals["choice"].append(selected.key, record)
        return chosen

    def _item(self, selected: Selected, chosen: Sequence[Filtered]) -> FactorItem:
        contradictions = []
        for filtered in chosen:
            record = candidate_record(filtered.candidate)
            extra = {"edits": record["edits"], "maker": record["maker"], "filters": filtered.values}
            contradictions.append(
                Contradiction(filtered.candidate.text, filtered.candidate.type, extra=extra)
            )
        return FactorItem(
            selected.key,
            selected.title,
            selected.prefix,
            selected.sentence,
            tuple(contradictions),
            {"filter": self.filters.kind},
        )


def _from_record(record: Mapping[str, Any]) -> Candidate:
    edits = tuple(Edit(e["from"], e["to"], (e["span"][0], e["span"][1])) for e in record["edits"])
    return Candidate(record["type"], record["text"], edits, record["maker"])
