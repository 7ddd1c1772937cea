"""Rescores a run from its verdicts, using different options."""

from __future__ import annotations

import shutil
import statistics
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError
from dfactscore._evidence.pages import open_dataset
from dfactscore._metrics import PAPER_KS, f1_at_k, f1_key
from dfactscore._readers.released_labels import (
    has_model_labels,
    human_counts,
    human_factscore,
    labeled_scores,
    read_annotations,
)
from dfactscore._results.judge import old_recipe
from dfactscore._results.signature import signature_of
from dfactscore._results.tables import scores_csv, tabulate
from dfactscore._runs import load_run
from dfactscore._runs.run import JOURNALS
from dfactscore._scoring.released_scores import read_released, recompute
from dfactscore._scoring.summary import Summary
from dfactscore._util.files import atomic_path, make_folder, write_text
from dfactscore._util.jsonl import read_jsonl, write_json
from dfactscore.linking import CandidateMode


@dataclass(frozen=True, slots=True)
class Rescored:
    """A run's scores under different options."""

    # One row per biography, with the same fields as in `scores.csv`.
    rows: tuple[Mapping[str, Any], ...]
    summary: Summary
    settings: Mapping[str, Any]
    signature: str  # line to quote in a paper so that others can reproduce the scores
    unfinished: str  # message that the run is unfinished; empty if it is finished
    older: str  # message that the probabilities come from an older recipe; usually empty


def rescore(
    run: str | Path,
    *,
    candidates: CandidateMode | None = None,
    dataset: str | Path | None = None,  # AmbigBio file, used if candidates is `"dataset"`
    **changes: Any,
) -> Rescored:
    """Rescores a run without judging it again."""
    loaded = load_run(run)
    candidates = candidates or loaded.candidates
    options = loaded.options.changed(**changes)
    recorded = loaded.settings.get("dataset")
    titles: Mapping[str, Collection[str]] | None = None
    outside: Mapping[str, Collection[str]] | None = None
    if dataset or not recorded:
        listed = open_dataset(None if dataset is None else Path(dataset), candidates)
        titles, outside = listed.titles, listed.outside
    records = loaded.records(
        options=options, candidates=candidates, dataset=titles, outside=outside, texts=False
    )
    rows, summary = tabulate(records, n_bad=loaded.n_bad)
    settings = {**loaded.settings, "candidates": candidates, "scores": asdict(options)}
    for key, listed_of in (("dataset", titles), ("outside", outside)):
        if dataset and listed_of is not None:
            settings[key] = {name: list(listed_of[name]) for name in listed_of}
    return Rescored(
        rows=tuple(rows),
        summary=summary,
        settings=settings,
        signature=signature_of({**loaded.manifest, "settings": settings}),
        unfinished=loaded.unfinished,
        older=old_recipe(settings) and f"{loaded.folder}: {old_recipe(settings)}",
    )


def save_rescored(run: Path, scored: Rescored, out: Path) -> None:
    """Writes a run folder with the journals of a run and its new scores."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"{out}: exists; --out names a new folder")
    make_folder(out, error=InputError)
    for name in (*(f"{journal}.jsonl" for journal in JOURNALS), "errors.jsonl"):
        if (run / name).exists():
            with atomic_path(out / name) as place:
                shutil.copyfile(run / name, place)
    write_text(out / "scores.csv", scores_csv(scored.rows))
    write_json(out / "summary.json", scored.summary.to_dict())
    manifest = load_run(run).manifest
    write_json(out / "manifest.json", {**manifest, "settings": dict(scored.settings)})


def rescore_file(
    path: Path,
    *,
    gamma: float | None = None,
    of: int | None = None,
    # Values of K for F1@K with human labels; `"median"` and `"max"` are the median and maximum
    # number of facts.
    f1_at: Sequence[float | str] = (),
) -> dict[str, Any]:
    """Returns the scores of a released or labeled file: fractions, keyed by score name."""
    first = _first_line(path)
    if first is not None and has_model_labels(first):
        return dict(labeled_scores(path, of=of))
    if first is None or "annotations" not in first:
        return dict(recompute(read_released(path), gamma=gamma))
    records = read_annotations(path)
    return {
        "human_factscore": human_factscore(records),
        "human_factscore_irrelevant_sentences": human_factscore(records, irrelevant_sentences=True),
        "respond_ratio": sum(r["annotations"] is not None for r in records) / len(records),
        **_human_f1(human_counts(records), f1_at),
    }


def _human_f1(
    counts: Sequence[tuple[int, int, int]], f1_at: Sequence[float | str]
) -> dict[str, float]:
    """Computes the mean F1@K of the outputs that have facts."""
    if not counts:
        return {}
    sizes = [n for *_, n in counts]
    named = {"median": statistics.median(sizes), "max": max(sizes)}
    ks = [named[k] if isinstance(k, str) else k for k in f1_at or PAPER_KS]
    return {f1_key(k): statistics.fmean(f1_at_k(s, ns, k) for s, ns, _ in counts) for k in ks}


def _first_line(path: Path) -> Mapping[str, Any] | None:
    """Returns the first record of a JSONL file; None for other files."""
    if path.suffix.lower() != ".jsonl":
        return None
    record = next((record for _, record in read_jsonl(path, error=InputError)), None)
    return record if isinstance(record, Mapping) else None
