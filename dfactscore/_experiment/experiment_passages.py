"""An experiment's names and passages, retrieved once and stored in its folder."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dfactscore._errors import RunError
from dfactscore._experiment.experiment_file import Experiment
from dfactscore._util.files import sha256
from dfactscore._util.jsonl import read_json, write_json, write_jsonl
from dfactscore._util.numbers import counted
from dfactscore.generation._request import Request
from dfactscore.generation._request_files import load_requests, read_names, read_requests, retrieve
from dfactscore.retrieval import read_pages
from dfactscore.retrieval._build import BuildOptions, build_index
from dfactscore.retrieval._splitting import split_pages

_LOG = logging.getLogger(__name__)


def passages_of(
    experiment: Experiment, folder: Path, *, scratch: Path | None = None
) -> list[Request]:
    """Returns the names with their passages, retrieved only once; a larger limit adds names."""
    target = scratch or folder
    passages, manifest = folder / "passages.jsonl", folder / "experiment.json"
    source = _describe(experiment)
    if manifest.exists() and (passages.exists() or (folder / "index").exists()):
        grows = _grows(manifest, source)
        if passages.exists() and not grows:
            return read_requests(passages)[: experiment.limit]
    else:
        paths = folder.iterdir() if folder.is_dir() else ()
        names = (path.name for path in paths if not path.name.startswith("."))
        if any(name != "experiment.json" for name in names):
            raise RunError(f"{folder}: is not an experiment and not empty; choose another --out")
        write_json(target / manifest.name, source)  # first: it marks the folder as an experiment
    requests = read_requests(passages) if passages.exists() else []
    ids = {request.id for request in requests}
    has_index = (folder / "index" / "manifest.json").exists()
    new = _load_requests(experiment, folder if has_index else target)
    requests += [request for request in new if request.id not in ids]
    _write_passages(target / passages.name, requests, experiment.top)
    write_json(target / manifest.name, source)
    return read_requests(target / passages.name)


def _grows(manifest: Path, source: Mapping[str, Any]) -> bool:
    """Whether the limit is larger than that of the existing experiment in the folder."""
    old = read_json(manifest, error=RunError)
    if not isinstance(old, dict):
        raise RunError(f"{manifest}: expected a JSON object; choose another --out")
    before, limit = old.get("limit"), source["limit"]
    grows = before is not None and (limit is None or limit > before)
    for key, value in source.items():
        if old.get(key) != value and not (key == "limit" and grows):
            raise RunError(
                f"{manifest.parent}: contains another experiment: {key} was {old.get(key)!r} and "
                f"is now {value!r}; choose another --out"
            )
    return grows


def _load_requests(experiment: Experiment, folder: Path) -> list[Request]:
    """Loads the experiment's names, with passages from a file or an index."""
    if experiment.passages is None:
        return _retrieved(experiment, folder)
    return load_requests(experiment.model_copy(update={"index": None}))


def _write_passages(path: Path, requests: Sequence[Request], top: int) -> None:
    rows = (
        {"id": r.id, "name": r.name, "passages": [asdict(p) for p in r.passages[:top]]}
        for r in requests
    )
    write_jsonl(path, rows)


def _retrieved(experiment: Experiment, folder: Path) -> list[Request]:
    assert experiment.names is not None
    names = read_names(experiment.names)[: experiment.limit]
    index = experiment.index
    if index is None:
        assert experiment.pages is not None
        index = folder / "index"
        _build_index(experiment.pages, index)
    passages = counted(experiment.top, "passage")
    _LOG.info(f"retrieving {passages} for each of {counted(len(names), 'name')}")
    return retrieve(names, index, top=experiment.top)


def _build_index(pages: Path, index: Path) -> None:
    """Builds a BM25 index of the pages if it does not exist yet."""
    if (index / "manifest.json").exists():
        return
    _LOG.info(f"indexing {pages.name}")
    options = BuildOptions(source=pages.name, splitting=(("words", 100), ("tail", "short")))
    build_index(split_pages(read_pages(pages)), index, options)


def _describe(experiment: Experiment) -> dict[str, Any]:
    """Returns the settings that determine the passages for each name."""
    settings: dict[str, Any] = {"top": experiment.top, "limit": experiment.limit}
    for key in ("names", "passages", "index", "pages"):
        path = getattr(experiment, key)
        if path is None:
            settings[key] = None
        elif path.is_file():
            settings[key] = f"{path.name} {sha256(path)[:16]}"
        else:
            settings[key] = path.name
    return settings
