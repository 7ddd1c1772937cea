"""All settings of a scoring command, from one YAML file, flags and the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from dfactscore._util.near import near_miss
from dfactscore._util.shown import shown
from dfactscore._util.yaml_file import read_yaml
from dfactscore.engines.llm.client.settings import GGUFModel, OpenAIModel
from dfactscore.errors import InputError

__all__ = ["LIBRARY_SETTINGS", "Config", "check_flags", "load_config"]

RoleChoice = Literal["builtin", "llm"]
VerifierChoice = Literal["builtin", "llm", "strict", "cascade", "no-context"]
_PREFIX = "DFACTSCORE_"
_NOT_FROM_ENV = frozenset({"input", "out", "parameters", "dry_run", "batch", "repeats"})
LIBRARY_SETTINGS = frozenset(
    [
        "engine",
        "decomposer",
        "grouper",
        "verifier",
        "strict",
        "relevance",
        "cascade_low",
        "cascade_high",
        "cascade_weight",
        "prompts",
        "facts_per_call",
        "passages_per_fact",
        "max_passages",
        "batch",
        "batch_poll",
        "cache",
        "no_cache",
        "prices",
        "max_cost",
        "max_calls",
    ]
)
"""What `Scorer` takes beside a model; the rest is the model's or the scorer's own."""
_SECRETS = frozenset({"api_key", "key", "openai_api_key", "token", "password"})


class Config(BaseModel):
    """One scoring command. A field's name is its key in YAML and, with dashes, its flag."""

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())

    # The job
    input: Path | None = None
    out: Path | None = None
    pages: Path | None = None
    dataset: Path | None = None
    limit: int | None = Field(None, ge=1)
    fs_scope: Literal["retrieved", "corpus"] | None = None
    index: Path | None = None
    candidates: Literal["retrieved", "named", "dataset"] | None = None
    link: Literal["argmax", "hungarian"] | None = None
    unreadable: Literal["unsupported", "exclude", "bounds"] | None = None
    irrelevant: Literal["keep", "exclude"] | None = None
    threshold: float | None = Field(None, ge=0, le=1)
    soft: bool | None = None
    gamma: float | None = Field(None, ge=0)
    # The engine
    engine: RoleChoice = "builtin"
    decomposer: RoleChoice | None = None
    grouper: RoleChoice | None = None
    verifier: VerifierChoice | None = None
    strict: bool = False
    relevance: bool = False
    cascade_low: float | None = Field(None, ge=0, le=1)
    cascade_high: float | None = Field(None, ge=0, le=1)
    cascade_weight: float = Field(0.5, gt=0)
    prompts: Path | None = None
    facts_per_call: int = Field(50, ge=1)
    passages_per_fact: int = Field(3, ge=1)
    max_passages: int = Field(20, ge=1)
    # The models
    model: str | None = None
    decomposer_model: str | None = None
    grouper_model: str | None = None
    verifier_model: str | None = None
    base_url: str | None = None
    api_key_env: str = "OPENAI_API_KEY"
    gguf: Path | None = None
    context: int = Field(8192, ge=256)
    threads: int | None = Field(None, ge=1)
    gpu_layers: int = Field(0, ge=0)
    temperature: float | None = Field(0.0, ge=0)
    seed: int | None = None
    parameters: dict[str, Any] = Field(default_factory=dict)
    structured: Literal["auto", "json_schema", "json_object", "text"] = "auto"
    logprobs: bool | None = None
    max_answer_tokens: int | None = Field(None, ge=1)
    # The traffic
    concurrency: int | None = Field(None, ge=1)
    requests_per_minute: float | None = Field(None, gt=0)
    tokens_per_minute: float | None = Field(None, gt=0)
    timeout: float | None = Field(None, gt=0)
    retries: int = Field(5, ge=0)
    backoff: float = Field(0.5, gt=0)
    max_wait: float = Field(120.0, gt=0)
    batch: bool = False
    batch_poll: float = Field(30.0, gt=0)
    # The purse and the memory
    cache: Path | None = None
    no_cache: bool = False
    prices: Path | None = None
    max_cost: float | None = Field(None, ge=0)
    max_calls: int | None = Field(None, ge=0)
    repeats: int = Field(1, ge=1)
    dry_run: bool = False

    @property
    def roles(self) -> tuple[RoleChoice, RoleChoice, VerifierChoice]:
        """Which engine takes each role: decomposer, grouper, verifier."""
        verifier: VerifierChoice = self.verifier or self.engine
        if self.strict and verifier == "llm":
            verifier = "strict"
        return self.decomposer or self.engine, self.grouper or self.engine, verifier

    @property
    def uses_llm(self) -> bool:
        """Whether any role asks a model."""
        decomposer, grouper, verifier = self.roles
        return self.relevance or "llm" in (decomposer, grouper) or verifier != "builtin"

    def chat_model(
        self, role: Literal["decomposer", "grouper", "verifier"]
    ) -> OpenAIModel | GGUFModel:
        """The model that takes a role.

        Raises:
            InputError: If none is named.
        """
        common: dict[str, Any] = {
            "temperature": self.temperature,
            "seed": self.seed,
            "parameters": self.parameters,
            "structured": self.structured,
            "logprobs": self.logprobs,
            "max_answer_tokens": self.max_answer_tokens,
            "retries": self.retries,
            "backoff": self.backoff,
            "max_wait": self.max_wait,
            "requests_per_minute": self.requests_per_minute,
            "tokens_per_minute": self.tokens_per_minute,
        }
        common |= {
            name: value
            for name in ("concurrency", "timeout")
            if (value := getattr(self, name)) is not None
        }
        name = getattr(self, f"{role}_model") or self.model
        if name is None and self.gguf is not None:
            return GGUFModel(
                self.gguf,
                context=self.context,
                threads=self.threads,
                gpu_layers=self.gpu_layers,
                **common,
            )
        if name is None:
            raise InputError(
                f"the {role} asks a model, and none is named: give --model NAME (with --base-url "
                "for a server of your own) or --gguf FILE"
            )
        return OpenAIModel(name, base_url=self.base_url, api_key_env=self.api_key_env, **common)


def load_config(
    path: Path | None = None,
    flags: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Config:
    """Puts the settings together: flags over the file, the file over the environment.

    Args:
        path: A YAML file with `Config`'s fields as keys, or None.
        flags: What was given on the command line; None values are left out.
        environment: Variables ``DFACTSCORE_MODEL``, ``DFACTSCORE_BASE_URL`` and so on fill in
            what neither gives; the process's own by default.

    Raises:
        InputError: If the file cannot be read, a key is unknown (the message names the near
            miss) or a value does not fit.
    """
    values: dict[str, Any] = {}
    given = {name: value for name, value in (flags or {}).items() if value is not None}
    filled = _from_environment(os.environ if environment is None else environment)
    for level in (filled, {} if path is None else _from_file(path), given):
        if {"model", "gguf"} <= set(level):
            raise InputError(
                f"model {level['model']!r} and gguf {str(level['gguf'])!r}: which one? "
                "(a role of its own is named by decomposer_model, grouper_model, verifier_model)"
            )
        if "model" in level or "gguf" in level:  # The nearer word replaces the other kind too.
            values.pop("model", None)
            values.pop("gguf", None)
        values |= level
    where = "the settings" if path is None else str(path)
    try:
        config = Config(**values)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        if first["type"] == "extra_forbidden":
            _check_key(where, field)
        if field in filled and values.get(field) is filled[field]:
            where = f"the environment variable {_PREFIX}{field.upper()}"
        else:
            where = f"{where}: {field}"
        raise InputError(
            f"{where}: {field}: {first['msg']} (it is {shown(first['input'])})"
        ) from None
    return config


def check_flags(config: Config, flags: Mapping[str, Any]) -> None:
    """Raises where a flag asks for a model's work and no role is a model's.

    Args:
        config: The settings of the command.
        flags: What was given on the command line.

    Raises:
        InputError: Naming the flag and what is missing beside it.
    """
    decomposer, grouper, verifier = config.roles
    batched = verifier in ("llm", "strict", "cascade")
    used = {
        "model": config.uses_llm,
        "gguf": config.uses_llm,
        "batch": config.uses_llm,
        "decomposer_model": decomposer == "llm" or config.relevance,
        "grouper_model": grouper == "llm",
        "verifier_model": verifier != "builtin",
        "strict": decomposer == "llm" or batched,
        "cascade_low": verifier == "cascade",
        "cascade_high": verifier == "cascade",
    }
    needs = {
        "decomposer_model": "--decomposer llm",
        "grouper_model": "--grouper llm",
        "verifier_model": "--verifier llm",
        "cascade_low": "--verifier cascade",
        "cascade_high": "--verifier cascade",
    }
    for name, fits in used.items():
        if flags.get(name) not in (None, False) and not fits:
            missing = needs.get(name, "--engine llm (or --decomposer, --grouper, --verifier llm)")
            raise InputError(
                f"--{name.replace('_', '-')} would change nothing: the roles are {decomposer}, "
                f"{grouper} and {verifier}; add {missing}"
            )


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    names = [name for name in Config.model_fields if name not in _NOT_FROM_ENV]
    return {name: value for name in names if (value := environment.get(_PREFIX + name.upper(), ""))}


def _from_file(path: Path) -> dict[str, Any]:
    data = read_yaml(path, error=InputError)
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise InputError(
            f"{path}: expected settings like 'model: NAME', found a {type(data).__name__}"
        )
    for key in data:
        _check_key(str(path), str(key))
    return {str(key): value for key, value in data.items() if value is not None}


def _check_key(path: str, key: str) -> None:
    if key in Config.model_fields:
        return
    if key.lower() in _SECRETS:
        raise InputError(
            f"{path}: {key}: keys are read from the environment only, so that no file holds one; "
            "set OPENAI_API_KEY, or name another variable with api_key_env"
        )
    near = near_miss(key.replace("-", "_"), Config.model_fields)
    raise InputError(f"{path}: no setting {shown(key)}{near} (docs/llm.md lists them)")
