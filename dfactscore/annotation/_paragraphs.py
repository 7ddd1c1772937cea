"""Reads the paragraphs to annotate from run folders."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._errors import InputError
from dfactscore._runs import load_run
from dfactscore._scoring.record import Record
from dfactscore._text.clean_text import clean
from dfactscore._text.sentences import split_sentences
from dfactscore.linking import CandidateMode
from dfactscore.retrieval._knowledge import MissingPage

if TYPE_CHECKING:
    from dfactscore.retrieval import KnowledgeSource


@dataclass(frozen=True, slots=True)
class RunParagraph:
    """A paragraph to annotate."""

    run: str
    record: str
    model: str  # model that wrote the text, or empty
    stratum: str  # group used for sampling and in tables: the model, the run, or both
    name: str
    text: str
    sentences: tuple[tuple[int, int], ...]
    facts: tuple[tuple[str, int | None], ...]
    pages: tuple[tuple[str, str], ...]  # title and text of each candidate page, in retrieval order
    automatic: Mapping[str, Any] = field(default_factory=dict)

    @property
    def place(self) -> tuple[str, str]:
        """The paragraph's key: run and record."""
        return self.run, self.record


def public_text(text: str) -> str:
    """Makes a text valid for databases and browsers: lone surrogates become U+FFFD."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd")


def run_labels(folders: Sequence[Path]) -> list[str]:
    """Short, unique names for run folders."""
    names = [folder.resolve().name for folder in folders]
    counts = Counter(names)
    labels = [
        name if counts[name] == 1 else f"{folder.resolve().parent.name}/{name}"
        for folder, name in zip(folders, names, strict=True)
    ]
    if len(set(labels)) < len(labels):
        twice = next(label for label, n in Counter(labels).items() if n > 1)
        raise InputError(f"two runs are called {twice!r}; give each run once, or rename a folder")
    return labels


def read_runs(
    folders: Sequence[Path],
    *,
    candidates: CandidateMode | None = None,
    source: KnowledgeSource | None = None,
    skipped: Counter[str] | None = None,
) -> list[RunParagraph]:
    """Reads the paragraphs that have facts."""
    paragraphs: list[RunParagraph] = []
    for folder, label in zip(folders, run_labels(folders), strict=True):
        run = load_run(folder)
        if run.unfinished:
            raise InputError(run.unfinished)
        mode = candidates or run.candidates
        dataset: Mapping[str, Sequence[str]] = run.settings.get("dataset") or {}
        if mode == "dataset" and not dataset:
            raise InputError(
                f"{folder}: was scored without a dataset; score it with --dataset FILE, or choose "
                "--candidates retrieved or named"
            )
        for record in run.records(candidates=mode):
            if not record.facts:
                if skipped is not None:
                    skipped[str(record.status or "no facts").replace("_", " ")] += 1
                continue
            titles = dataset.get(record.name, ()) if mode == "dataset" else ()
            paragraphs.append(_paragraph(label, record, _pages(record, mode, titles, source)))
    if not paragraphs:
        raise InputError(f"{', '.join(map(str, folders))}: no biography has facts to annotate")
    return _with_strata(paragraphs)


def _paragraph(run: str, record: Record, pages: tuple[tuple[str, str], ...]) -> RunParagraph:
    text = record.biography.text
    sentences = tuple((s.start, s.end) for s in split_sentences(text))
    facts = []
    for fact in record.facts:
        index = fact.sentence
        if fact.span is not None:
            start = fact.span[0]
            index = next((i for i, (_, end) in enumerate(sentences) if start < end), None)
        facts.append(
            (
                public_text(fact.text),
                index if index is not None and index < len(sentences) else None,
            )
        )
    return RunParagraph(
        run=public_text(run),
        record=public_text(record.id),
        model=public_text(record.biography.model),
        stratum="",
        name=public_text(record.name),
        text=public_text(text),
        sentences=sentences,
        facts=tuple(facts),
        pages=pages,
        automatic=automatic_of(record),
    )


def _pages(
    record: Record, mode: CandidateMode, titles: Iterable[str], source: KnowledgeSource | None
) -> tuple[tuple[str, str], ...]:
    """The distinct candidate pages: whole pages if the source has them, otherwise passages."""
    pages: dict[str, str] = {}
    for column in record.candidate_columns if mode != "retrieved" else range(len(record.entities)):
        entity = record.entities[column]
        text = "\n\n".join(d.text for d in entity.documents)
        if source is not None:
            page = source.lookup(entity.id)
            text = text if isinstance(page, MissingPage) else clean(page.text)
        pages.setdefault(public_text(entity.id), public_text(text))
    if source is not None:
        for title in titles:
            page = source.lookup(title)
            if not isinstance(page, MissingPage):
                pages.setdefault(public_text(page.title), public_text(clean(page.text)))
    return tuple(pages.items())


def automatic_of(record: Record) -> dict[str, Any]:
    """A run's results for a paragraph: its scores, and the verdict on each fact."""
    scores, matrix = record.scores, record.matrix
    rows: list[dict[str, Any]] = []
    link_of = {
        f: link.entity
        for group, link in zip(record.groups or (), record.links, strict=False)
        for f in group.facts
    }
    for position in range(len(record.facts)):
        row: dict[str, Any] = {"verdict": None, "probability": None, "found": None, "link": None}
        rows.append(row)
        if matrix is None:
            continue
        decided = record.decided
        row["found"] = bool(decided.support[position].any())
        if position not in link_of:
            continue
        entity = link_of[position]
        if entity is None:
            row |= {"verdict": False, "probability": 0.0}
            continue
        probability = float(decided.probability[position, entity])
        row |= {
            "verdict": bool(decided.support[position, entity])
            if decided.readable[position, entity]
            else None,
            "probability": None if probability != probability else round(probability, 6),
            "link": public_text(record.entities[entity].id),
        }
    # `{fs, dfs, n_bio, n_ent, facts: [{verdict, probability, found, link}]}`. The verdict is the
    # one for the linked page: False if no page is linked, None if unreadable.
    return {
        "fs": scores.fs if scores else None,
        "dfs": scores.dfs if scores else None,
        "n_bio": scores.n_bio if scores else None,
        "n_ent": scores.n_ent if scores else None,
        "facts": rows,
    }


def _with_strata(paragraphs: list[RunParagraph]) -> list[RunParagraph]:
    """Sets each stratum to the model, plus the run if several runs use that model."""
    runs: dict[str, set[str]] = {}
    for paragraph in paragraphs:
        runs.setdefault(paragraph.model, set()).add(paragraph.run)

    def stratum(paragraph: RunParagraph) -> str:
        if not paragraph.model:
            return paragraph.run
        return (
            paragraph.model
            if len(runs[paragraph.model]) == 1
            else f"{paragraph.model} ({paragraph.run})"
        )

    return [replace(paragraph, stratum=stratum(paragraph)) for paragraph in paragraphs]


def sample_paragraphs(paragraphs: Sequence[RunParagraph], n: int, seed: int) -> list[RunParagraph]:
    """Draws at most n paragraphs per stratum, using the same order of names in all strata."""
    names = sorted({paragraph.name for paragraph in paragraphs})
    random.Random(f"sample:{seed}").shuffle(names)
    turn = {name: i for i, name in enumerate(names)}
    selected: set[tuple[str, str]] = set()
    for stratum in {paragraph.stratum for paragraph in paragraphs}:
        members = [paragraph for paragraph in paragraphs if paragraph.stratum == stratum]
        members.sort(
            key=lambda paragraph: (turn[paragraph.name], _digest(paragraph.record, str(seed)))
        )
        selected |= {paragraph.place for paragraph in members[:n]}
    return [paragraph for paragraph in paragraphs if paragraph.place in selected]


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8")).hexdigest()
