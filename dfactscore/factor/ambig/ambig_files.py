"""Writes what was built: the items, their pages beside them, and how they came about."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from dfactscore._util.files import make_folder
from dfactscore._util.jsonl import write_json, write_jsonl
from dfactscore.errors import InputError
from dfactscore.factor.ambig.namesakes import AmbigBuild
from dfactscore.factor.factor_items import item_record
from dfactscore.factor.without_model import baselines

__all__ = ["describe_build", "write_ambig"]


def describe_build(built: AmbigBuild) -> dict[str, Any]:
    """Counts of what was built and of what was left out."""
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
            name: found["accuracy_tie_credit"] for name, found in baselines(built.items).items()
        },
    }


def write_ambig(built: AmbigBuild, out: Path, settings: dict[str, Any]) -> dict[str, Any]:
    """Writes items, pages and counts.

    Args:
        built: What was built.
        out: The file of items (.jsonl); the pages go beside it (``.pages.jsonl``), and so do the
            counts (``.manifest.json``).
        settings: What it was built with.

    Raises:
        InputError: If the file is not called .jsonl.
    """
    if out.suffix != ".jsonl":
        raise InputError(f"{out}: items are written as .jsonl")
    make_folder(out.parent)
    about = {"command": "factor ambig", "settings": settings, **describe_build(built)}
    write_jsonl(out, map(item_record, built.items))
    pages = ({"title": page.title, "text": page.text} for page in built.pages.values())
    write_jsonl(out.with_suffix(".pages.jsonl"), pages)
    write_json(out.with_suffix(".manifest.json"), about)
    return about
