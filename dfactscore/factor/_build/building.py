"""Four stages from pages to items: selection, contradictions, filters, choice."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dfactscore._util.callbacks import Progress
from dfactscore.factor._build.filters import Contradicts, Filters
from dfactscore.factor._build.page_items import Maker, OfPage, PageItems
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
    """The result of the build.

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
    settings: BuildSettings | None = None,
    maker: Maker | None = None,
    nli: Contradicts | None = None,
    fluency: LikelihoodModel | None = None,
    stages: Path | None = None,
    progress: Progress | None = None,
) -> Built:
    """Makes FACTOR items of a corpus (Muhlgay et al. 2024, section 3).

    Args:
        pages: Pages by title.
        settings: The settings of the build; the pages and files that they name are not read.
        maker: Makes candidates; by the rules of this package if None.
        nli: An entailment model, for the filter of contradictions.
        fluency: A model of likelihoods, for the filter of fluency.
        stages: Folder of the four journals; None keeps none.
        progress: Called with how many documents are done and how many there are.

    Raises:
        RunError: If the folder holds the journals of other settings.
    """
    how = settings or BuildSettings()
    filters = Filters(pages, how, nli=nli, fluency=fluency)
    most = None if maker is None else how.per_document
    making = PageItems(how, maker or Rules(pages, how), filters, most)
    decides = _settings(pages, making)
    made: dict[str, OfPage] = {}

    async def do(title: str, journals: Journals) -> None:
        if how.items is not None and _total(made.values()) >= how.items:
            return  # enough are made
        made[title] = await making.of(pages[title], journals)

    def finish(found: Finished[str]) -> Built:
        done = [made[title] for title in found.items if title in made]
        if found.files is not None:
            # In the order of the pages; items of no current page come last.
            keys = [key for page in done for key in page.keys]
            for name in ("contradictions", "filters", "choice"):
                found.files.settle(name, keys, others=True)
        items = tuple(item for page in done for item in page.items)[: how.items]
        about = {"settings": decides, "documents": len(pages), **_counts(done, len(items))}
        used = "off" if fluency is None else "on"
        about["filters"] = {"contradiction": filters.kind, "fluency": used}
        about |= {"failed": len(found.failed)} if found.failed else {}
        return Built(items, about, tuple(found.failed))

    work = Work(
        name="factor build",
        settings=decides,
        items=sorted(pages, key=lambda t: (_rank(how.draws, t), t)),
        key=lambda title: f"#{title}",
        label=lambda title: title,
        journals=FORMS,
        do=do,
        finish=finish,
        # A line of the first journal is only a page's beginning: it is taken up where it was left.
        done=lambda title, journals: False,
        things="pages",
    )
    place = None if stages is None else in_folder(stages)
    return await run_async(work, place, concurrency=1, progress=progress)


def _total(pages: Iterable[OfPage]) -> int:
    return sum(len(page.items) for page in pages)


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
    how, nli, fluency = making.how, making.filters.nli, making.filters.fluency
    return {
        "corpus": pages_digest(pages),
        "engine": dict(making.maker.settings),
        "types": how.kinds,
        "per_document": how.per_document,
        "min_words": how.min_words,
        "negation": how.negation,
        "thresholds": {
            "contradiction": how.contradiction,
            "coreference": how.coreference,
            "drop": how.drop,
            "fluency": how.fluency_drop,
            "edit": (1, how.edit_words),
        },
        "nli": None if nli is None else dict(nli.settings),
        "fluency": None if fluency is None else dict(fluency.settings),
        "seed": how.draws,
    }
