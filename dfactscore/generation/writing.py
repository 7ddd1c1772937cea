"""Writes many biographies into one file that can be left and taken up again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import Field

from dfactscore._util.answers import wrong_answer
from dfactscore._util.files import dump_json, make_folder
from dfactscore._util.jsonl import parse_json, read_json, write_json
from dfactscore._util.lock import WriteLock
from dfactscore._util.roles import role_fault
from dfactscore._util.tasks import map_concurrently
from dfactscore._util.validated import Count, Form, Text
from dfactscore.errors import InputError, RunError
from dfactscore.generation.records import generation_key, generation_record
from dfactscore.generation.request import Generation, Generator, Request
from dfactscore.runs.journal import Journal
from dfactscore.runs.manifest import check_same, new_manifest

__all__ = ["Written", "manifest_path", "write_biographies"]


class _Passage(Form):
    title: Text
    text: Text


class _Line(Form):
    """What is read back of a biography that is in the file already."""

    name: Text
    output: Text
    passages: list[_Passage]
    finish_reason: Text
    retrieved_entities: list[Text] = Field(default_factory=list)
    usage: dict[Text, Count] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Written:
    """What a call of `write_biographies` did.

    Attributes:
        written: Biographies generated now.
        kept: Biographies that were in the file already.
        finish_reasons: How all of them ended.
        failed: Name and reason of those that are not in the file; another call tries them again.
        n_retrieved: Mean number of entities with the target name among a name's passages.
    """

    written: int
    kept: int
    finish_reasons: Mapping[str, int]
    failed: tuple[tuple[str, str], ...] = ()
    n_retrieved: float = 0.0
    usage: Mapping[str, int] = field(default_factory=dict)


def manifest_path(out: str | Path) -> Path:
    """Where the settings that made a biographies file are kept: ``bios.manifest.json``."""
    return Path(out).with_suffix(".manifest.json")


async def write_biographies(
    requests: Sequence[Request],
    generator: Generator,
    out: str | Path,
    *,
    concurrency: int = 16,
    source: Mapping[str, Any] | None = None,
    progress: Callable[[Request, Generation], None] | None = None,
) -> Written:
    """Generates what is not yet in the file and puts the file into the order of the requests.

    Each biography is appended when it is there, so that a kill costs at most those in flight; the
    finished file is the same whether it was interrupted or not.

    Args:
        requests: What to write; ids must differ.
        generator: Who writes.
        out: A ``.jsonl`` file; if it is there, it must come from the same settings.
        concurrency: Biographies at a time.
        source: What the names and passages were read from, for the manifest.
        progress: Called after each biography.

    Raises:
        InputError: If ids repeat, the file is not JSONL or the generator is none.
        RunError: If the file holds biographies that these settings would not give, or another
            process is writing it.
    """
    fault = role_fault(generator, Generator)
    if fault:
        raise InputError(f"generator: {fault}")
    path = Path(out)
    if path.suffix.lower() != ".jsonl":
        raise InputError(f"{path}: biographies are written as .jsonl")
    repeated = [i for i, n in Counter(r.id for r in requests).items() if n > 1]
    if repeated:
        raise InputError(f"names: the id {repeated[0]!r} is used for {len(repeated)} or more names")
    if not path.parent.is_dir():
        make_folder(path.parent)
    with WriteLock(path.with_name(f".{path.name}.lock"), str(path)):
        return await _write(requests, generator, path, concurrency, source, progress)


async def _write(
    requests: Sequence[Request],
    generator: Generator,
    path: Path,
    concurrency: int,
    source: Mapping[str, Any] | None,
    progress: Callable[[Request, Generation], None] | None,
) -> Written:
    keys = [generation_key(r, generator.settings) for r in requests]
    _check_manifest(path, generator, source or {})
    journal = Journal(path, _Line)
    try:
        strange = [k for k in journal.keys() if k not in set(keys)]  # noqa: SIM118
        if strange:
            raise RunError(
                f"{path}: contains {len(strange)} biographies of other names or passages (or of "
                "more names: a limit may grow, not shrink); choose another --out"
            )
        todo = [(k, r) for k, r in zip(keys, requests, strict=True) if k not in journal]
        failed = []
        async for (key, request), generation in map_concurrently(
            lambda item: _generate(generator, item[1]), todo, concurrency=concurrency
        ):
            if progress is not None:
                progress(request, generation)
            if generation.finish_reason in ("error", "no_passages"):
                failed.append((request.name, generation.note or generation.finish_reason))
            else:
                journal.append(key, generation_record(request, generation, generator))
        journal.settle(keys)
        records = [r for r in journal.records(keys) if r is not None]
    finally:
        journal.close()
    order = {r.name: i for i, r in enumerate(requests)}
    written = _summary(records, len(todo) - len(failed), sorted(failed, key=lambda f: order[f[0]]))
    _write_manifest(path, generator, source or {}, written)
    return written


async def _generate(generator: Generator, request: Request) -> Generation:
    generation: object = await generator.generate(request)
    if not isinstance(generation, Generation):
        given = f"gave {generation!r:.60}"
        raise wrong_answer(generator, "generate", Generator, given, "a Generation")
    return generation


def _summary(
    records: Sequence[Mapping[str, Any]], fresh: int, failed: Sequence[tuple[str, str]]
) -> Written:
    usage: Counter[str] = Counter()
    for record in records:
        usage.update(record.get("usage", {}))
    found = [len(r.get("retrieved_entities", ())) for r in records]
    return Written(
        written=fresh,
        kept=len(records) - fresh,
        finish_reasons=dict(sorted(Counter(r["finish_reason"] for r in records).items())),
        failed=tuple(failed),
        n_retrieved=sum(found) / len(found) if found else 0.0,
        usage=dict(usage),
    )


def _manifest(generator: Generator, source: Mapping[str, Any]) -> dict[str, Any]:
    return new_manifest(command="generate", source=source, settings=generator.settings)


def _check_manifest(path: Path, generator: Generator, source: Mapping[str, Any]) -> None:
    """Names the setting that differs, before any biography is made for nothing."""
    place = manifest_path(path)
    if not path.exists() or not place.exists():
        if path.exists() and path.stat().st_size and not place.exists():
            raise RunError(f"{path}: exists, but was not written by generate; choose another --out")
        write_json(place, _manifest(generator, source))
        return
    if not path.stat().st_size:  # nothing was written, so nothing can differ
        write_json(place, _manifest(generator, source))
        return
    old = read_json(place, error=RunError)
    if not isinstance(old, dict):
        raise RunError(f"{place}: expected a JSON object; delete it and {path} to start again")
    new = parse_json(dump_json(_manifest(generator, source)))  # as it will be read
    parts = ("settings", "versions")
    check_same(path, {k: old.get(k, {}) for k in parts}, {k: new[k] for k in parts})


def _write_manifest(
    path: Path, generator: Generator, source: Mapping[str, Any], written: Written
) -> None:
    manifest = _manifest(generator, source)
    manifest |= {
        "status": "incomplete" if written.failed else "complete",
        "finish_reasons": dict(written.finish_reasons),
        "retrieved_entities_mean": round(written.n_retrieved, 6),
        "usage": dict(written.usage),
        "failed": [{"name": name, "reason": reason} for name, reason in written.failed],
    }
    write_json(manifest_path(path), manifest)
