"""An experiment file: which names are written about, by which generators, and how it is scored."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from dfactscore._util.near import near_miss
from dfactscore._util.shown import shown
from dfactscore._util.yaml_file import read_yaml
from dfactscore.errors import InputError
from dfactscore.generation.config import GenerationConfig, validated
from dfactscore.jobs.settings import Config

__all__ = ["Experiment", "load_experiment"]

_KEYS = {
    "names": "names to write about (.jsonl, .csv, .tsv, .txt)",
    "passages": "passages per name, instead of names and an index",
    "index": "an index folder to retrieve from",
    "pages": "the pages: facts are judged against them, and without 'index' they are indexed",
    "example": "a shipped example instead of names and pages",
    "top": "passages for each name",
    "limit": "only the first so many names",
    "score": "settings of the scoring, as flags of 'dfactscore score'",
    "citations": "whether citations are scored too",
    "models": "generators by label",
}
_SCORE_KEYS = frozenset(Config.model_fields) - {"input", "out", "pages", "limit", "repeats"} - {
    "dry_run", "batch", "batch_poll"
}  # fmt: skip
_OWN_FILES = frozenset({
    "index", "passages", "passages.jsonl", "experiment.json", "comparison.md", "comparison.csv",
    "comparison.json",
})  # fmt: skip
_ROLES: tuple[Literal["decomposer", "grouper", "verifier"], ...] = (
    "decomposer",
    "grouper",
    "verifier",
)
_LABEL = re.compile(r"[\w.+-]+( [\w.+-]+)*")


@dataclass(frozen=True)
class Experiment:
    """A checked experiment file; paths are relative to the file until they are resolved here.

    Attributes:
        models: Generators by label, in the order of the file.
        names: Names to write about.
        passages: Passages per name, made before.
        index: An index folder.
        pages: What facts are judged against, and what is indexed where there is no index.
        top: Passages for each name; the paper takes five.
        limit: Only the first so many names.
        score: Settings of the scoring.
        citations: Whether citations are scored with the built-in verifier.
    """

    models: Mapping[str, GenerationConfig]
    names: Path | None = None
    passages: Path | None = None
    index: Path | None = None
    pages: Path | None = None
    top: int = 5
    limit: int | None = None
    score: Config = field(default_factory=Config)
    citations: bool = True


def load_experiment(path: str | Path) -> Experiment:
    """Reads an experiment file (YAML; ``docs/generation.md`` lists its keys).

    Raises:
        InputError: If it cannot be read, a key is unknown (the near miss is named), a value does
            not fit, or names and passages cannot be had from what it gives.
    """
    source = Path(path)
    data = read_yaml(source, error=InputError)
    if not isinstance(data, dict):
        raise InputError(f"{source}: expected keys like 'models:', found a {type(data).__name__}")
    _check_keys(data, _KEYS, str(source))
    files = {key: _file(data, key, source) for key in ("names", "passages", "index", "pages")}
    if data.get("example") is not None:
        files |= _example(data, files, source)
    _check_sources(files, source)
    return Experiment(
        models=_models(data.get("models"), source),
        top=_number(data, "top", source) or 5,
        limit=_number(data, "limit", source),
        score=_score(data.get("score"), source),
        citations=_flag(data, source),
        **files,
    )


def _check_keys(data: Mapping[Any, Any], known: Iterable[str], where: str) -> None:
    names = sorted(known)
    for key in data:
        if key not in names:
            near = near_miss(key, names)
            raise InputError(f"{where}: unknown key {shown(key)}{near} (known: {', '.join(names)})")


def _file(data: Mapping[str, Any], key: str, source: Path) -> Path | None:
    value = data.get(key)
    if value is None:
        return None
    if not isinstance(value, str):
        raise InputError(f"{source}: {key}: expected a path, found {shown(value)}")
    found = source.parent / Path(value).expanduser()
    if not found.exists():
        raise InputError(f"{source}: {key}: {found} is not there")
    return found


def _example(
    data: Mapping[str, Any], files: Mapping[str, Path | None], source: Path
) -> dict[str, Path | None]:
    from dfactscore.examples import example

    given = [key for key, value in files.items() if value is not None]
    if given:
        raise InputError(f"{source}: example and {given[0]} exclude each other")
    shipped = example(str(data["example"]))
    return {"names": shipped.biographies, "pages": shipped.pages}


def _check_sources(files: Mapping[str, Path | None], source: Path) -> None:
    if files["passages"] is not None:
        if files["index"] is not None:
            raise InputError(f"{source}: passages and index exclude each other")
        return
    if files["names"] is None:
        raise InputError(f"{source}: give names (with index or pages), or passages, or an example")
    if files["index"] is None and files["pages"] is None:
        raise InputError(f"{source}: names alone have no passages; give index, or pages to index")


def _models(value: Any, source: Path) -> dict[str, GenerationConfig]:
    if not isinstance(value, Mapping) or not value:
        raise InputError(
            f"{source}: models: expected generators by label, like 'mixing: {{generator: "
            f"extractive, mode: mixing}}'; found {shown(value)}"
        )
    found: dict[str, GenerationConfig] = {}
    folders: dict[str, str] = {}
    for label, settings in value.items():
        where = f"{source}: models: {label}"
        if not isinstance(label, str) or not _LABEL.fullmatch(label):
            raise InputError(f"{where}: a label is letters, digits, '.', '-', '+', '_', blanks")
        if label.startswith(".") or label.casefold() in _OWN_FILES:
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
        if settings is not None and not isinstance(settings, Mapping):
            raise InputError(f"{where}: expected settings, found {shown(settings)}")
        found[label] = _checked(dict(settings or {}), where, source)
    return found


def _checked(settings: dict[str, Any], where: str, source: Path) -> GenerationConfig:
    for key in ("gguf", "template", "instruction", "demos"):
        value = settings.get(key)
        if isinstance(value, str) and (source.parent / value).is_file():
            settings[key] = str(source.parent / value)
    config = validated(settings, where)
    if config.generator == "llm":
        try:
            config.chat_model()
            config.prompt()
        except InputError as error:
            raise InputError(f"{where}: {error}") from None
    return config


def _score(value: Any, source: Path) -> Config:
    from pydantic import ValidationError

    if value is None:
        return Config()
    if not isinstance(value, Mapping):
        raise InputError(f"{source}: score: expected settings, found {shown(value)}")
    _check_keys(value, _SCORE_KEYS, f"{source}: score")
    try:
        config = Config(**{k: v for k, v in value.items() if v is not None})
        files = {k: v for k in value if isinstance(v := getattr(config, k), Path)}
        found = {k: source.parent / v.expanduser() for k, v in files.items()}
        return _with_models(config.model_copy(update=found), source)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise InputError(
            f"{source}: score: {key}: {first['msg']} (it is {shown(first['input'])})"
        ) from None


def _with_models(config: Config, source: Path) -> Config:
    """The same settings, if every role that asks a model has one; checked first of all."""
    for name, choice in zip(_ROLES, config.roles, strict=True):
        if choice != "builtin":
            try:
                config.chat_model(name)
            except InputError as error:
                raise InputError(f"{source}: score: {error}") from None
    return config


def _number(data: Mapping[str, Any], key: str, source: Path) -> int | None:
    value = data.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InputError(f"{source}: {key}: expected a number from 1 on, found {shown(value)}")
    return value


def _flag(data: Mapping[str, Any], source: Path) -> bool:
    value = data.get("citations", True)
    if not isinstance(value, bool):
        raise InputError(f"{source}: citations: expected true or false, found {shown(value)}")
    return value
