"""Four stages from pages to items: selection, contradictions, filters, choice."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dfactscore._util.callbacks import Log, Progress, no_log
from dfactscore.factor.build.filters import Contradicts, Filters
from dfactscore.factor.build.page_items import BuildOptions, Maker, OfPage, PageItems
from dfactscore.factor.build.rules import Rules
from dfactscore.factor.build.stage_lines import FORMS
from dfactscore.factor.factor_items import FactorItem
from dfactscore.factor.pages import pages_digest
from dfactscore.likelihood import LikelihoodModel
from dfactscore.retrieval import Page
from dfactscore.work import Failure, Finished, Journals, Work, in_folder, run_async

__all__ = ["BuildOptions", "Built", "build_factor"]


@dataclass(frozen=True)
class Built:
    """What was built.

    Attributes:
        items: The items, in the order in which documents were drawn.
        about: Counts: sentences, candidates by type, drops by reason.
        failed: Pages that were not done; the same call tries them again.
    """

    items: tuple[FactorItem, ...]
    about: Mapping[str, Any]
    failed: tuple[Failure, ...] = ()


async def build_factor(
    pages: Mapping[str, Page],
    *,
    options: BuildOptions | None = None,
    maker: Maker | None = None,
    nli: Contradicts | None = None,
    fluency: LikelihoodModel | None = None,
    stages: Path | None = None,
    progress: Progress | None = None,
    log: Log = no_log,
) -> Built:
    """Makes FACTOR items of a corpus (Muhlgay et al. 2024, section 3).

    Args:
        pages: Pages by title.
        options: What is made.
        maker: Makes candidates; by the rules of this package where None.
        nli: An entailment model, for the filter of contradictions.
        fluency: A model of likelihoods, for the filter of fluency.
        stages: Folder of the four journals; None keeps none.
        progress: Called with how many documents are done and how many there are.
        log: Called with what a person has to know, one line at a time.

    Raises:
        RunError: If the folder holds the journals of other settings.
    """
    chosen = options or BuildOptions()
    most = None if maker is None else chosen.per_document
    filters = Filters(pages, chosen.filters, nli=nli, fluency=fluency)
    making = PageItems(
        chosen, maker or Rules(pages, chosen.types, chosen.negation, chosen.seed), filters, most
    )
    settings = _settings(pages, making)
    made: dict[str, OfPage] = {}

    async def do(title: str, journals: Journals) -> None:
        made[title] = await making.of(pages[title], journals)

    def enough() -> bool:
        return chosen.items is not None and sum(len(p.items) for p in made.values()) >= chosen.items

    def finish(found: Finished[str]) -> Built:
        done = [made[title] for title in found.items if title in made]
        # In the order of the pages; what is of no page now stands behind.
        keys = [key for page in done for key in page.keys]
        for name in ("contradictions", "filters", "choice"):
            if found.files is not None:
                found.files.settle(name, keys, others=True)
        items = tuple(item for page in done for item in page.items)[: chosen.items]
        about = {
            "settings": settings,
            "documents": len(pages),
            **_counts(done, len(items)),
            "filters": {
                "contradiction": filters.kind,
                "fluency": "off" if fluency is None else "on",
            },
            **({"failed": len(found.failed)} if found.failed else {}),
        }
        return Built(items, about, tuple(found.failed))

    work = Work(
        name="factor build",
        settings=settings,
        items=sorted(pages, key=lambda t: (_rank(chosen.seed, t), t)),
        key=lambda title: f"#{title}",
        label=lambda title: title,
        journals=FORMS,
        do=do,
        finish=finish,
        # A line of the first journal is only a page's beginning: it is taken up where it was left.
        done=lambda title, journals: False,
        enough=enough,
        things="pages",
    )
    place = None if stages is None else in_folder(stages)
    return await run_async(work, place, concurrency=1, progress=progress, log=log)


def _counts(pages: list[OfPage], n_items: int) -> dict[str, Any]:
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
    nli, fluency = making.filters.nli, making.filters.fluency
    how = asdict(making.options)
    del how["items"]
    thresholds, seed = how.pop("filters"), how.pop("seed")
    return {
        "corpus": pages_digest(pages),
        "engine": dict(making.maker.settings),
        **how,
        "thresholds": thresholds,
        "nli": None if nli is None else dict(nli.settings),
        "fluency": None if fluency is None else dict(fluency.settings),
        "seed": seed,
    }
