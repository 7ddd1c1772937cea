"""Experiment files, which specify names, passages, generators and scoring, and their passages."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from dfactscore._asking.options import BudgetSettings
from dfactscore._errors import InputError, RunError
from dfactscore._jobs.settings import Config, JobSettings, WorkerSettings
from dfactscore._util.files import sha256
from dfactscore._util.jsonl import read_json, write_json, write_jsonl
from dfactscore._util.message_text import short_repr
from dfactscore._util.numbers import counted
from dfactscore._util.settings import (
    GivenSettings,
    Settings,
    from_environment,
    from_flags,
    from_mapping,
    read_yaml,
    setting,
    settle,
)
from dfactscore.engines._nli.loading import open_folder
from dfactscore.examples import example
from dfactscore.generation._config import GenerationConfig, NamesSettings, validated
from dfactscore.generation._request import Request
from dfactscore.generation._request_files import load_requests, read_names, read_requests, retrieve
from dfactscore.retrieval import read_pages
from dfactscore.retrieval._build import BuildOptions, build_index
from dfactscore.retrieval._documents import split_pages

_input = partial(setting, panel="Input")
_RESERVED_NAMES = frozenset(
    {
        "index",
        "passages",
        "passages.jsonl",
        "experiment.json",
        "comparison.md",
        "comparison.csv",
        "comparison.json",
    }
)
_LABEL = re.compile(r"[\w.+-]+( [\w.+-]+)*")


class TwoJudges(Settings):
    """Two judges: a cheap one for all texts, and a better one for a sample of them."""

    all: Config
    sample: Config


class Experiment(NamesSettings, WorkerSettings, BudgetSettings):
    """A checked experiment file; paths are relative to its folder.

    A budget for the experiment covers generators and judges, and overrides a judge's own budget.
    """

    example: str | None = _input(
        None, "Shipped example to use instead of names and pages (people, ships)."
    )
    pages: Path | None = setting(
        None,
        "Pages to judge against and, without an index, to retrieve passages from.",
        panel="Evidence",
    )
    models: Mapping[str, GenerationConfig] = setting(
        {},
        "Generators by label, with the options of 'dfactscore generate' as keys.",
        panel="Engine",
    )
    score: Config = setting(
        Config(),
        "Scoring settings, with the options of 'dfactscore score' as keys.",
        panel="Scoring",
        named="",
    )
    judges: TwoJudges | None = setting(
        None,
        "Instead of 'score': settings for a judge of all texts ('all'), and for a second "
        "judge ('sample') whose scores on a random sample (n, or all) correct the first.",
        panel="Scoring",
    )
    citations: bool = setting(
        True, "Also score citations with the built-in verifier.", panel="Scoring", named="true"
    )


def load_experiment(path: str | Path, flags: Mapping[str, Any] | None = None) -> Experiment:
    """Reads an experiment file (YAML; ``docs/generation.md`` lists its keys).

    Environment variables ``DFACTSCORE_…`` supply generator and scoring options that are not set in
    the file.

    Args:
        path: The file.
        flags: Command-line options, which override the file.

    Raises:
        InputError: If the file cannot be read, a key is unknown (the message suggests a similar
            one), a value is invalid, or the file specifies no names or passages.
    """
    source = Path(path)
    data = read_yaml(source, error=InputError)
    if not isinstance(data, dict):
        raise InputError(f"{source}: expected keys like 'models:', found {short_repr(data)}")
    given = from_mapping(Experiment, data, str(source), base=source.parent)
    values = dict(given.values)
    _check_files(values, given)
    if "example" in values:
        values |= _example(values, source)
    _check_sources(values, source)
    values["models"] = _models(values.get("models"), source)
    if values.get("judges") is not None:
        if "score" in values:
            raise InputError(f"{source}: judges and score exclude each other; 'all' is the score")
        values["score"], values["judges"] = _judges(values["judges"], source)
    else:
        values["score"] = _score(values.get("score"), source)
    return settle(Experiment, GivenSettings(values, given.places), from_flags(flags or {}))


def _check_files(values: Mapping[str, Any], given: GivenSettings) -> None:
    for key in ("names", "passages", "index", "pages"):
        if key in values and not values[key].exists():
            raise InputError(f"{given.places[key]}: {values[key]} does not exist")


def _example(values: Mapping[str, Any], source: Path) -> dict[str, Path]:
    for key in ("names", "passages", "index", "pages"):
        if key in values:
            raise InputError(f"{source}: example and {key} exclude each other")
    shipped = example(str(values["example"]))
    return {"names": shipped.biographies, "pages": shipped.pages}


def _check_sources(values: Mapping[str, Any], source: Path) -> None:
    if "passages" in values or "index" in values:
        if "passages" not in values and "names" not in values:
            raise InputError(f"{source}: an index needs names to retrieve passages for")
        return
    if "names" not in values:
        raise InputError(f"{source}: give names (with index or pages), or passages, or an example")
    if "pages" not in values:
        raise InputError(f"{source}: names alone have no passages; give index, or pages to index")


def _models(value: Any, source: Path) -> dict[str, GenerationConfig]:
    if not isinstance(value, Mapping) or not value:
        raise InputError(
            f"{source}: models: expected generators by label, like 'mixing: {{generator: "
            f"extractive, mode: mixing}}'; found {short_repr(value)}"
        )
    models: dict[str, GenerationConfig] = {}
    folders: dict[str, str] = {}
    for label, settings in value.items():
        where = f"{source}: models: {str(label)[:60]}"
        if not isinstance(label, str):
            raise InputError(
                f"{where}: YAML does not read this label as a text; write it in quotes"
            )
        if not _LABEL.fullmatch(label):
            raise InputError(
                f"{where}: a label consists of letters, digits, '.', '-', '+', '_' and spaces"
            )
        if label.startswith(".") or label.casefold() in _RESERVED_NAMES:
            raise InputError(
                f"{where}: each label becomes a folder, and this one cannot (it begins with a dot, "
                "or is a name of the experiment's own files); choose another"
            )
        other = folders.setdefault(label.casefold(), label)
        if other != label:
            raise InputError(
                f"{where}: {other!r} differs only in upper and lower case, and each label becomes "
                "a folder; choose another"
            )
        models[label] = _model(settings, where, source.parent)
    return models


def _model(settings: Any, where: str, base: Path) -> GenerationConfig:
    config = validated(settings, where, os.environ, base=base)
    if config.generator == "llm":
        try:
            config.chat_model()
            config.prompt()
        except InputError as error:
            raise InputError(f"{where}: {error}") from None
    return config


def _judges(value: Any, source: Path) -> tuple[Config, TwoJudges | None]:
    """Returns the judge for all texts and, if there is a second judge, the pair of judges."""
    where = f"{source}: judges"
    if not isinstance(value, Mapping) or not {"all", "sample"} >= set(value):
        raise InputError(
            f"{where}: expected 'all: builtin' and 'sample: {{n: 30, engine: llm, model: …}}', "
            f"found {short_repr(value)}"
        )
    judges = {key: {"engine": v} if isinstance(v, str) else v for key, v in value.items()}
    first, sample = _score(judges.get("all"), source, "judges: all"), judges.get("sample")
    if sample is None:
        return first, None
    n = sample.get("n") if isinstance(sample, Mapping) else None
    if n is not None and (not isinstance(n, int) or n < 10):
        raise InputError(
            f"{where}: sample: n is {short_repr(n)}; give the number of texts (10 or more; 30 are "
            "usual), or leave n out to judge all"
        )
    if isinstance(sample, Mapping):
        sample = {k: v for k, v in sample.items() if k != "n"}
    second = _score(sample, source, "judges: sample").model_copy(update={"sample": n})
    return first, TwoJudges(all=first, sample=second)


def _score(value: Any, source: Path, key: str = "score") -> Config:
    where = f"{source}: {key}"
    given = from_mapping(JobSettings, value, where, base=source.parent)
    config = Config(**settle(JobSettings, from_environment(JobSettings), given).model_dump())
    # Report any role that lacks a model before the experiment starts.
    for name, asks in config.asks_model.items():
        if asks:
            try:
                config.chat_model(name)
            except InputError as error:
                raise InputError(f"{where}: {error}") from None
    if config.nli_name is not None:
        try:
            open_folder(config.nli_name)
        except InputError as error:
            raise InputError(f"{where}: {error}") from None
    return config


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
