"""Turns pages into items in four stages: selection, contradictions, filters, choice."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dfactscore._util.callbacks import Progress
from dfactscore.factor._build.filters import Contradicts, Filters
from dfactscore.factor._build.page_items import Maker, PageItems, PageOutcome
from dfactscore.factor._build.rules import Rules
from dfactscore.factor._build.stage_lines import FORMS
from dfactscore.factor._factor_items import FactorItem
from dfactscore.factor._pages import pages_digest
from dfactscore.factor._settings import BuildSettings
from dfactscore.likelihood import LikelihoodModel
from dfactscore.retrieval import Page
from dfactscore.work import Failure, Finished, Journals, Work, in_folder, run_async


@dataclass(frozen=True)
class Built:
    """The result of the build."""

    items: tuple[FactorItem, ...]  # items, in the order in which documents were drawn
    about: Mapping[str, Any]
    failed: tuple[Failure, ...] = ()


async def build_factor(
    pages: Mapping[str, Page],
    *,
    settings: BuildSettings | None = None,
    maker: Maker | None = None,
    nli: Contradicts | None = None,
    fluency: LikelihoodModel | None = None,
    stages: Path | None = None,
    progress: Progress | None = None,
) -> Built:
    """Builds FACTOR items from a corpus (Muhlgay et al. 2024, section 3)."""
    options = settings or BuildSettings()
    filters = Filters(pages, options, nli=nli, fluency=fluency)
    most = None if maker is None else options.per_document
    making = PageItems(options, maker or Rules(pages, options), filters, most)
    decides = _settings(pages, making)
    outcomes: dict[str, PageOutcome] = {}

    async def do(title: str, journals: Journals) -> None:
        if options.items is not None and _total(outcomes.values()) >= options.items:
            return  # enough items exist
        outcomes[title] = await making.of(pages[title], journals)

    def finish(finished: Finished[str]) -> Built:
        done = [outcomes[title] for title in finished.items if title in outcomes]
        if finished.files is not None:
            # In page order; items from other pages come last.
            keys = [key for page in done for key in page.keys]
            for name in ("contradictions", "filters", "choice"):
                finished.files.settle(name, keys, others=True)
        items = tuple(item for page in done for item in page.items)[: options.items]
        about = {"settings": decides, "documents": len(pages), **_counts(done, len(items))}
        used = "off" if fluency is None else "on"
        about["filters"] = {"contradiction": filters.kind, "fluency": used}
        about |= {"failed": len(finished.failed)} if finished.failed else {}
        return Built(items, about, tuple(finished.failed))

    work = Work(
        name="factor build",
        settings=decides,
        items=sorted(pages, key=lambda t: (_rank(options.draws, t), t)),
        key=lambda title: f"#{title}",
        label=lambda title: title,
        journals=FORMS,
        do=do,
        finish=finish,
        # A line of the first journal does not mean that the page is finished.
        done=lambda title, journals: False,
        things="pages",
    )
    place = None if stages is None else in_folder(stages)
    return await run_async(work, place, concurrency=1, progress=progress)


def _total(pages: Iterable[PageOutcome]) -> int:
    return sum(len(page.items) for page in pages)


def _counts(pages: list[PageOutcome], n_items: int) -> dict[str, Any]:
    drops: Counter[str] = sum((page.counts for page in pages), Counter())
    made: Counter[str] = sum((page.made for page in pages), Counter())
    kept: Counter[str] = sum((page.kept for page in pages), Counter())
    return {
        "sentences": drops.pop("sentences", 0),
        "items": n_items,
        "candidates": dict(sorted(made.items())),
        "passed": dict(sorted(kept.items())),
        "drops": dict(sorted(drops.items())),
    }


def _rank(seed: int, title: str) -> str:
    return hashlib.sha256(f"{seed}|{title}".encode()).hexdigest()


def _settings(pages: Mapping[str, Page], making: PageItems) -> dict[str, Any]:
    settings, nli, fluency = making.settings, making.filters.nli, making.filters.fluency
    return {
        "corpus": pages_digest(pages),
        "engine": dict(making.maker.settings),
        "types": settings.kinds,
        "per_document": settings.per_document,
        "min_words": settings.min_words,
        "negation": settings.negation,
        "thresholds": {
            "contradiction": settings.contradiction,
            "coreference": settings.coreference,
            "drop": settings.drop,
            "fluency": settings.fluency_drop,
            "edit": (1, settings.edit_words),
        },
        "nli": None if nli is None else dict(nli.settings),
        "fluency": None if fluency is None else dict(fluency.settings),
        "seed": settings.draws,
    }
