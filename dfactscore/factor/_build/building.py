"""Turns pages into items in four stages: selection, contradictions, filters, choice."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol

from pydantic import Field

from dfactscore._errors import InputError
from dfactscore._util.files import check_output, make_folder
from dfactscore._util.jsonl import write_json, write_jsonl
from dfactscore._util.reporting import Progress
from dfactscore._util.validated import Count, Form, Pair, Text
from dfactscore.factor._build.candidates import (
    Candidate,
    ContradictionModel,
    Contradicts,
    Edit,
    Filtered,
    Filters,
    Selected,
    candidate_record,
    select_sentences,
)
from dfactscore.factor._build.makers import ModelMaker, Rules
from dfactscore.factor._contexts import all_pages, pages_digest
from dfactscore.factor._factor_items import Contradiction, FactorItem, item_record
from dfactscore.factor._settings import BuildSettings, Type
from dfactscore.likelihood import LikelihoodModel
from dfactscore.retrieval import Page
from dfactscore.work import Failure, Finished, Journals, Later, Work, in_folder, run_async

if TYPE_CHECKING:
    from dfactscore._asking.session import LLMSession


class _Selection(Form):
    sentences: list[Annotated[tuple[Count, Count, Count], Field(strict=False)]]


class _Edit(Form):
    span: Pair
    old: Text = Field(alias="from")
    to: Text


class _Candidate(Form):
    type: Type
    text: Text
    edits: list[_Edit]
    maker: Text


class _Contradictions(Form):
    candidates: list[_Candidate]
    statuses: dict[str, Count]


class _Judgment(_Candidate):
    failed: Text
    margin: float
    values: dict[str, Any]


class _Filters(Form):
    judged: list[_Judgment]


class _Choice(Form):
    chosen: list[Text]


FORMS: Mapping[str, type[Form]] = {
    "selection": _Selection,
    "contradictions": _Contradictions,
    "filters": _Filters,
    "choice": _Choice,
}

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


async def build_items(
    settings: BuildSettings,
    session: LLMSession | None,  # command's cache and budget, used if a language model is called
    *,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> Built:
    """Builds a file of items, and writes counts and the stages' journals next to it."""
    if settings.pages is None:
        raise InputError("factor build: name the pages")
    if settings.out is None or settings.out.suffix != ".jsonl":
        raise InputError("factor build: give --out FILE (.jsonl)")
    out = settings.out
    make_folder(out.parent)
    for file in (out, _manifest(out)):
        check_output(file, "factor_items", inputs=[settings.pages], force=overwrite)
    kinds = settings.kinds
    more: dict[str, Any] = {}
    if settings.nli is not None:
        more["nli"] = ContradictionModel(settings.nli)
    if settings.fluency is not None:
        from dfactscore.likelihood import TransformersModel

        more["fluency"] = TransformersModel(
            settings.fluency, cache=None if session is None else session.cache
        )
    if settings.engine == "llm":
        if session is None:
            raise InputError("factor build: --engine llm needs a session")
        client = session.client(settings.model_for("builder", instead=", or --engine builtin"))
        more["maker"] = ModelMaker(client, kinds)
    built = await build_factor(
        all_pages(settings.pages),
        settings=settings,
        stages=out.with_suffix(".stages"),
        progress=progress,
        **more,
    )
    _write(built, out)
    return built


def _manifest(out: Path) -> Path:
    return out.with_suffix(".manifest.json")


def _write(built: Built, out: Path) -> None:
    kinds = Counter(one.type for item in built.items for one in item.contradictions)
    about = {"command": "factor build", **built.about, "types": dict(sorted(kinds.items()))}
    write_jsonl(out, map(item_record, built.items))
    write_json(_manifest(out), about)
