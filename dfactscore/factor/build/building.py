"""Four stages from pages to items: selection, contradictions, filters, choice."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dfactscore._util.callbacks import Log, Progress, no_log
from dfactscore.factor.build.corpus_names import Names
from dfactscore.factor.build.filters import Contradicts, FilterOptions, Filters, Judged
from dfactscore.factor.build.name_kinds import given_names
from dfactscore.factor.build.other_names import roles_of
from dfactscore.factor.build.rules import rule_candidates
from dfactscore.factor.build.selection import Selected, select_sentences
from dfactscore.factor.build.stage_lines import FORMS
from dfactscore.factor.build.variants import TYPES, Candidate, Edit, Type, candidate_record
from dfactscore.factor.factor_items import Contradiction, FactorItem
from dfactscore.likelihood import LikelihoodModel
from dfactscore.retrieval import Page
from dfactscore.work import Failure, Finished, Journals, Later, Work, in_folder, run_async

__all__ = ["BuildOptions", "Built", "Make", "build_factor"]

_WANTED = 3

#: Makes the candidates of a sentence, and says what became of each request for them.
Make = Callable[[Selected], Awaitable[tuple[Sequence[Candidate], Mapping[str, int]]]]


@dataclass(frozen=True, kw_only=True)
class BuildOptions:
    """How items are made.

    Attributes:
        items: Most items; None for all. More keep the first ones.
        types: Which kinds of details are changed.
        per_document: Items of a document. By rules its sentences are tried, in the order in which
            they are drawn, until there are so many; by another maker no more than so many are.
        min_words: Fewest words of a sentence.
        negation: Also negate verbs barely.
        filters: Thresholds.
        seed: Seed of every draw.
    """

    items: int | None = None
    types: tuple[Type, ...] = TYPES
    per_document: int = 1
    min_words: int = 10
    negation: bool = False
    filters: FilterOptions = field(default_factory=FilterOptions)
    seed: int = 0


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
    make: Make | None = None,
    maker: Mapping[str, Any] | None = None,
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
        make: Makes candidates; by the rules of this package where None.
        maker: The settings of `make`, for the journals.
        nli: An entailment model, for the filter of contradictions.
        fluency: A model of likelihoods, for the filter of fluency.
        stages: Folder of the four journals; None keeps none.
        progress: Called with how many documents are done and how many there are.
        log: Called with what a person has to know, one line at a time.

    Raises:
        RunError: If the folder holds the journals of other settings.
    """
    chosen = options or BuildOptions()
    settings = _settings(pages, chosen, maker, nli, fluency)
    names, people, roles = Names.of(pages), given_names(), roles_of(pages)
    filters = Filters(pages, chosen.filters, nli=nli, fluency=fluency)
    made: dict[str, _OfPage] = {}

    async def by_rules(selected: Selected) -> tuple[Sequence[Candidate], Mapping[str, int]]:
        text = pages[selected.title].text
        draw = random.Random(f"{chosen.seed}|{selected.key}")
        return rule_candidates(selected, names, people, roles, text, draw, chosen), {}

    async def do(title: str, journals: Journals) -> None:
        most = None if make is None else chosen.per_document
        maker = make or by_rules
        made[title] = await _of_page(journals, pages[title], chosen, most, maker, filters, nli)

    def enough() -> bool:
        return chosen.items is not None and sum(len(p.items) for p in made.values()) >= chosen.items

    def finish(found: Finished[str]) -> Built:
        _settle(found, made)
        return _built(found, made, chosen, settings, len(pages), nli, fluency)

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


@dataclass
class _OfPage:
    """What became of a page."""

    items: list[FactorItem] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    made: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)


async def _of_page(
    journals: Journals,
    page: Page,
    options: BuildOptions,
    most: int | None,
    make: Make,
    filters: Filters,
    nli: Contradicts | None,
) -> _OfPage:
    """The items of a page.

    Raises:
        Later: If a question about one of its sentences got no answer.
    """
    found = _OfPage()
    items: list[tuple[int, FactorItem]] = []
    for selected in _selection(journals, page, options, most):
        if len(items) == options.per_document:
            break
        found.counts["sentences"] += 1
        found.keys.append(selected.key)
        candidates = await _candidates(journals, selected, make, found.counts)
        judged = await _judged(journals, selected, candidates, filters)
        for one in judged:
            found.made[one.candidate.type] += 1
            if one.failed:
                found.counts[f"candidate: {one.failed}"] += 1
            else:
                found.kept[one.candidate.type] += 1
        three = _choice(journals, selected, judged, options)
        if len(three) < _WANTED:
            found.counts["item: fewer than three contradictions"] += 1
        else:
            items.append((selected.number, _item(selected, three, nli is None)))
    found.items = [item for _, item in sorted(items, key=lambda one: one[0])]
    return found


def _settle(found: Finished[str], made: Mapping[str, _OfPage]) -> None:
    """Puts the journals into the order of the pages; what is of no page now stands behind."""
    keys = [key for title in found.items if title in made for key in made[title].keys]
    for name in ("contradictions", "filters", "choice"):
        if found.files is not None:
            found.files.settle(name, keys, others=True)


def _built(
    found: Finished[str],
    made: Mapping[str, _OfPage],
    options: BuildOptions,
    settings: Mapping[str, Any],
    n_pages: int,
    nli: Contradicts | None,
    fluency: LikelihoodModel | None,
) -> Built:
    pages = [made[title] for title in found.items if title in made]
    items = [item for page in pages for item in page.items][: options.items]
    counts: Counter[str] = sum((page.counts for page in pages), Counter())
    sentences = counts.pop("sentences", 0)
    about = {
        "settings": settings,
        "documents": n_pages,
        "sentences": sentences,
        "items": len(items),
        "candidates": dict(sorted(sum((page.made for page in pages), Counter()).items())),
        "passed": dict(sorted(sum((page.kept for page in pages), Counter()).items())),
        "drops": dict(sorted(counts.items())),
        "filters": {
            "contradiction": "nli" if nli is not None else "builtin",
            "fluency": "off" if fluency is None else "on",
        },
        **({"failed": len(found.failed)} if found.failed else {}),
    }
    return Built(tuple(items), about, tuple(found.failed))


def _rank(seed: int, title: str) -> str:
    return hashlib.sha256(f"{seed}|{title}".encode()).hexdigest()


def _settings(
    pages: Mapping[str, Page],
    options: BuildOptions,
    maker: Mapping[str, Any] | None,
    nli: Contradicts | None,
    fluency: LikelihoodModel | None,
) -> dict[str, Any]:
    total = hashlib.sha256()
    for title in sorted(pages):
        total.update(f"{title}\0{pages[title].text}\0".encode("utf-8", "surrogatepass"))
    filters = options.filters
    return {
        "corpus": total.hexdigest(),
        "engine": dict(maker or {"engine": "builtin"}),
        "types": list(options.types),
        "per_document": options.per_document,
        "min_words": options.min_words,
        "negation": options.negation,
        "thresholds": {
            "contradiction": filters.contradiction,
            "coreference": filters.coreference,
            "drop": filters.drop,
            "fluency": filters.fluency,
            "edit": list(filters.edit),
        },
        "nli": None if nli is None else dict(nli.settings),
        "fluency": None if fluency is None else dict(fluency.settings),
        "seed": options.seed,
    }


def _selection(
    journals: Journals, page: Page, options: BuildOptions, most: int | None
) -> Iterator[Selected]:
    key = f"#{page.title}"
    record = journals["selection"].get(key)
    if record is not None:
        for number, start, end in record["sentences"]:
            yield Selected(page.title, number, page.text[:start], page.text[start:end])
        return
    found = select_sentences(page, most=most, min_words=options.min_words, seed=options.seed)
    spans = [[s.number, len(s.prefix), len(s.prefix) + len(s.sentence)] for s in found]
    journals["selection"].append(key, {"sentences": spans})
    yield from found


async def _candidates(
    journals: Journals, selected: Selected, make: Make, counts: Counter[str]
) -> list[Candidate]:
    record = journals["contradictions"].get(selected.key)
    if record is None or record["statuses"].get("error"):
        found, statuses = await make(selected)
        if lost := statuses.get("error"):
            raise Later(f"{lost} questions about {selected.sentence[:60]!r} got no answer")
        record = {
            "candidates": [candidate_record(one) for one in found],
            "statuses": dict(sorted(statuses.items())),
        }
        journals["contradictions"].append(selected.key, record)
    for status, count in record["statuses"].items():
        counts[f"answer: {status}"] += count
    return [_from_record(one) for one in record["candidates"]]


def _from_record(record: Mapping[str, Any]) -> Candidate:
    edits = tuple(Edit(e["from"], e["to"], (e["span"][0], e["span"][1])) for e in record["edits"])
    return Candidate(record["type"], record["text"], edits, record["maker"])


async def _judged(
    journals: Journals, selected: Selected, candidates: Sequence[Candidate], filters: Filters
) -> list[Judged]:
    record = journals["filters"].get(selected.key)
    if record is None:
        found = await filters.judge(selected, candidates)
        record = {
            "judged": [
                {**candidate_record(o.candidate), "failed": o.failed,
                 "margin": round(o.margin, 6), "values": dict(o.values)}
                for o in found
            ]
        }  # fmt: skip
        journals["filters"].append(selected.key, record)
    return [
        Judged(_from_record(one), one["failed"], one["margin"], one["values"])
        for one in record["judged"]
    ]


def _choice(
    journals: Journals, selected: Selected, judged: Sequence[Judged], options: BuildOptions
) -> list[Judged]:
    """Three candidates: of different types first, then those that pass furthest."""
    draw = random.Random(f"choice|{options.seed}|{selected.key}")
    passed = [one for one in judged if not one.failed]
    draw.shuffle(passed)
    passed.sort(key=lambda one: -one.margin)
    first: dict[str, Judged] = {}
    for one in passed:
        first.setdefault(one.candidate.type, one)
    found = list(first.values())[:_WANTED]
    found += [one for one in passed if one not in found][: _WANTED - len(found)]
    record = {"chosen": [one.candidate.text for one in found]}
    if journals["choice"].get(selected.key) is None:
        journals["choice"].append(selected.key, record)
    return found


def _item(selected: Selected, found: Sequence[Judged], builtin: bool) -> FactorItem:
    contradictions = []
    for one in found:
        record = candidate_record(one.candidate)
        extra = {"edits": record["edits"], "maker": record["maker"], "filters": dict(one.values)}
        contradictions.append(Contradiction(one.candidate.text, one.candidate.type, extra=extra))
    return FactorItem(
        selected.key,
        selected.title,
        selected.prefix,
        selected.sentence,
        tuple(contradictions),
        {"filter": "builtin" if builtin else "nli"},
    )
