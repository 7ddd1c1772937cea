"""Writes AmbigFACTOR items along with their pages and provenance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError
from dfactscore._util.files import make_folder
from dfactscore._util.jsonl import write_json, write_jsonl
from dfactscore._util.outputs import check_output
from dfactscore.factor._ambig.namesakes import AmbigBuild
from dfactscore.factor._factor_items import item_record
from dfactscore.factor._without_model import baselines


def check_ambig(out: Path, *, inputs: Iterable[Path | None], overwrite: bool) -> None:
    """Checks that the item file and the files next to it can be written."""
    if out.suffix != ".jsonl":
        raise InputError(f"{out}: items are written as .jsonl")
    make_folder(out.parent)
    pages, manifest = _beside(out)
    read = list(inputs)
    for file in (out, manifest):
        check_output(file, "ambigfactor", inputs=read, force=overwrite)
    # A page file does not show which program wrote it; next to an item file, it belongs to it.
    check_output(pages, "ambigfactor", inputs=read, force=overwrite or out.exists())


def _beside(out: Path) -> tuple[Path, Path]:
    return out.with_suffix(".pages.jsonl"), out.with_suffix(".manifest.json")


def describe_build(built: AmbigBuild) -> dict[str, Any]:
    """Describes the number of items, and how many were left out."""
    kinds = Counter(one.kind for item in built.items for one in item.contradictions)
    leaks = sum(bool(item.extra["leak"]) for item in built.items)
    return {
        "items": len(built.items),
        "names": len({item.extra["name"] for item in built.items}),
        "names_offered": built.names,
        "people": len({item.document for item in built.items}),
        "completions": dict(sorted(kinds.items())),
        "leaks": leaks,
        "leak_share": leaks / len(built.items) if built.items else None,
        "slots": dict(sorted(Counter(item.extra["slot"] for item in built.items).items())),
        "facts": dict(built.facts),
        "empty_slots": list(built.empty_slots),
        "drops": {reason: count for reason, count in built.drops.items() if count},
        "baselines": {
            name: counts["accuracy_tie_credit"] for name, counts in baselines(built.items).items()
        },
    }


def write_ambig(built: AmbigBuild, out: Path, settings: dict[str, Any]) -> dict[str, Any]:
    """Writes items, pages and counts, replacing existing files."""
    pages, manifest = _beside(out)
    about = {"command": "factor ambig", "settings": settings, **describe_build(built)}
    write_jsonl(out, map(item_record, built.items))
    rows = ({"title": page.title, "text": page.text} for page in built.pages.values())
    write_jsonl(pages, rows)
    write_json(manifest, about)
    return about
