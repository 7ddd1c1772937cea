"""Four stages from pages to items: selection, contradictions, filters, choice."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dfactscore._util.callbacks import Progress
from dfactscore._util.files import dump_json, make_folder
from dfactscore._util.jsonl import parse_json, read_json, write_json
from dfactscore._util.validated import misfit
from dfactscore.errors import RunError
from dfactscore.factor.build.candidates import TYPES, Candidate, Edit, Type, candidate_record
from dfactscore.factor.build.entities import roles_of
from dfactscore.factor.build.filters import Contradicts, FilterOptions, Filters, Judged
from dfactscore.factor.build.forms import FORMS
from dfactscore.factor.build.mentions import given_names
from dfactscore.factor.build.names import Names
from dfactscore.factor.build.rules import rule_candidates
from dfactscore.factor.build.selection import Selected, select_sentences
from dfactscore.factor.items import Contradiction, FactorItem
from dfactscore.likelihood import LikelihoodModel
from dfactscore.retrieval import Page
from dfactscore.runs.journal import Journal
from dfactscore.runs.manifest import check_same, new_manifest

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
    """

    items: tuple[FactorItem, ...]
    about: Mapping[str, Any]


class _Journals:
    """The journals of the four stages; without a folder nothing is kept."""

    def __init__(self, folder: Path | None, settings: Mapping[str, Any]) -> None:
        self._open: dict[str, Journal] = {}
        if folder is None:
            return
        make_folder(folder)
        place = folder / "manifest.json"
        new = new_manifest(command="factor build", source={}, settings=settings)
        new = parse_json(dump_json(new))
        if place.exists():
            old = read_json(place, error=RunError)
            if not isinstance(old, dict):
                raise RunError(f"{place}: expected a JSON object; delete {folder} to start again")
            check_same(folder, old, new)
        else:
            write_json(place, new)
        for stage in FORMS:
            self._open[stage] = Journal(folder / f"{stage}.jsonl")

    def get(self, stage: str, key: str) -> dict[str, Any] | None:
        record = self._open[stage].get(key) if self._open else None
        if record is not None and (problem := misfit(FORMS[stage], record)):
            path = self._open[stage].path
            raise RunError(f"{path}: {key}: {problem}; delete {path.parent} to start again")
        return record

    def keep(self, stage: str, key: str, record: dict[str, Any]) -> None:
        if self._open:
            self._open[stage].append(key, record)

    def settle(self, keys: Sequence[str]) -> None:
        for journal in self._open.values():
            journal.settle(keys)

    def close(self) -> None:
        for journal in self._open.values():
            journal.close()


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

    Raises:
        RunError: If the folder holds the journals of other settings.
    """
    chosen = options or BuildOptions()
    settings = _settings(pages, chosen, maker, nli, fluency)
    names, people, roles = Names.of(pages), given_names(), roles_of(pages)
    filters = Filters(pages, chosen.filters, nli=nli, fluency=fluency)
    counts: Counter[str] = Counter()
    made: Counter[str] = Counter()
    kept: Counter[str] = Counter()
    items: list[FactorItem] = []
    keys: list[str] = []

    async def by_rules(selected: Selected) -> tuple[Sequence[Candidate], Mapping[str, int]]:
        text = pages[selected.title].text
        draw = random.Random(f"{chosen.seed}|{selected.key}")
        return rule_candidates(selected, names, people, roles, text, draw, chosen), {}

    journals = _Journals(stages, settings)
    try:
        titles = sorted(pages, key=lambda t: (_rank(chosen.seed, t), t))
        for done, title in enumerate(titles):
            if chosen.items is not None and len(items) >= chosen.items:
                break
            of_page: list[tuple[int, FactorItem]] = []
            most = None if make is None else chosen.per_document
            for selected in _selection(journals, pages[title], chosen, most):
                if len(of_page) == chosen.per_document:
                    break
                counts["sentences"] += 1
                keys.append(selected.key)
                candidates = await _candidates(journals, selected, make or by_rules, counts)
                judged = await _judged(journals, selected, candidates, filters)
                for one in judged:
                    made[one.candidate.type] += 1
                    if one.failed:
                        counts[f"candidate: {one.failed}"] += 1
                    else:
                        kept[one.candidate.type] += 1
                found = _choice(journals, selected, judged, chosen)
                if len(found) < _WANTED:
                    counts["item: fewer than three contradictions"] += 1
                else:
                    of_page.append((selected.number, _item(selected, found, nli is None)))
            items += [item for _, item in sorted(of_page, key=lambda one: one[0])]
            if progress is not None:
                progress(done + 1, len(titles))
        journals.settle([*(f"#{title}" for title in titles), *keys])
    finally:
        journals.close()
    items = items[: chosen.items]
    sentences = counts.pop("sentences", 0)
    about = {
        "settings": settings,
        "documents": len(pages),
        "sentences": sentences,
        "items": len(items),
        "candidates": dict(sorted(made.items())),
        "passed": dict(sorted(kept.items())),
        "drops": dict(sorted(counts.items())),
        "filters": {
            "contradiction": "nli" if nli is not None else "builtin",
            "fluency": "off" if fluency is None else "on",
        },
    }
    return Built(tuple(items), about)


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
    journals: _Journals, page: Page, options: BuildOptions, most: int | None
) -> Iterator[Selected]:
    key = f"#{page.title}"
    record = journals.get("selection", key)
    if record is not None:
        for number, start, end in record["sentences"]:
            yield Selected(page.title, number, page.text[:start], page.text[start:end])
        return
    found = select_sentences(page, most=most, min_words=options.min_words, seed=options.seed)
    spans = [[s.number, len(s.prefix), len(s.prefix) + len(s.sentence)] for s in found]
    journals.keep("selection", key, {"sentences": spans})
    yield from found


async def _candidates(
    journals: _Journals, selected: Selected, make: Make, counts: Counter[str]
) -> list[Candidate]:
    record = journals.get("contradictions", selected.key)
    if record is None:
        found, statuses = await make(selected)
        record = {
            "candidates": [candidate_record(one) for one in found],
            "statuses": dict(sorted(statuses.items())),
        }
        journals.keep("contradictions", selected.key, record)
    for status, count in record["statuses"].items():
        counts[f"answer: {status}"] += count
    return [_from_record(one) for one in record["candidates"]]


def _from_record(record: Mapping[str, Any]) -> Candidate:
    edits = tuple(Edit(e["from"], e["to"], (e["span"][0], e["span"][1])) for e in record["edits"])
    return Candidate(record["type"], record["text"], edits, record["maker"])


async def _judged(
    journals: _Journals, selected: Selected, candidates: Sequence[Candidate], filters: Filters
) -> list[Judged]:
    record = journals.get("filters", selected.key)
    if record is None:
        found = await filters.judge(selected, candidates)
        record = {
            "judged": [
                {**candidate_record(o.candidate), "failed": o.failed,
                 "margin": round(o.margin, 6), "values": dict(o.values)}
                for o in found
            ]
        }  # fmt: skip
        journals.keep("filters", selected.key, record)
    return [
        Judged(_from_record(one), one["failed"], one["margin"], one["values"])
        for one in record["judged"]
    ]


def _choice(
    journals: _Journals, selected: Selected, judged: Sequence[Judged], options: BuildOptions
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
    if journals.get("choice", selected.key) is None:
        journals.keep("choice", selected.key, record)
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
