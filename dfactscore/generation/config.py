"""All settings of a generator, from flags or a YAML mapping."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from dfactscore._util.near import near_miss
from dfactscore._util.shown import shown
from dfactscore.engines.llm.client.settings import ChatModel, GGUFModel, OpenAIModel
from dfactscore.errors import InputError
from dfactscore.generation.request import Generator

if TYPE_CHECKING:
    from dfactscore.engines.llm.client.session import LLMSession
    from dfactscore.generation.prompt import Prompt

__all__ = ["GenerationConfig", "make_generator", "validated"]


_ONLY_FOR = {
    "extractive": ("mode", "sentences", "entities"),
    "llm": ("model", "base_url", "gguf", "instruction", "demos", "shots", "template", "layout"),
}


class GenerationConfig(BaseModel):
    """One generator. A field's name is its key in YAML and, with dashes, its flag."""

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())

    generator: Literal["llm", "extractive"] = "llm"
    # Extractive
    mode: Literal["one-entity", "mixing"] = "one-entity"
    sentences: int = Field(6, ge=1)
    entities: int = Field(2, ge=2)
    # The prompt
    instruction: str = "vanilla"
    demos: str = "ambiguous"
    shots: int = Field(2, ge=0)
    template: Path | None = None
    layout: Literal["single", "turns"] = "single"
    # The model
    model: str | None = None
    base_url: str | None = None
    api_key_env: str = "OPENAI_API_KEY"
    gguf: Path | None = None
    threads: int | None = Field(None, ge=1)
    gpu_layers: int = Field(0, ge=0)
    temperature: float | None = Field(1.0, ge=0)
    top_p: float | None = Field(0.95, gt=0, le=1)
    seed: int | None = 1
    parameters: dict[str, Any] = Field(default_factory=dict)
    max_tokens: int = Field(512, ge=1)
    context: int | None = Field(None, ge=256)
    # The traffic
    concurrency: int | None = Field(None, ge=1)
    requests_per_minute: float | None = Field(None, gt=0)
    tokens_per_minute: float | None = Field(None, gt=0)
    timeout: float | None = Field(None, gt=0)
    retries: int = Field(5, ge=0)

    def chat_model(self) -> ChatModel:
        """The model with its sampling settings.

        Raises:
            InputError: If none is named, or two are.
        """
        sampling = dict(self.parameters)
        if self.top_p is not None:
            sampling.setdefault("top_p", self.top_p)
        common: dict[str, Any] = {
            "temperature": self.temperature,
            "seed": self.seed,
            "parameters": sampling,
            "retries": self.retries,
            "requests_per_minute": self.requests_per_minute,
            "tokens_per_minute": self.tokens_per_minute,
        }
        for name in ("concurrency", "timeout"):
            if getattr(self, name) is not None:
                common[name] = getattr(self, name)
        if self.gguf is not None:
            if self.model is not None:
                raise InputError("give either a model's name or a GGUF file, not both")
            return GGUFModel(
                self.gguf,
                context=self.context or GGUFModel.context,
                threads=self.threads,
                gpu_layers=self.gpu_layers,
                **common,
            )
        if self.model is None:
            raise InputError(
                "the generator is a language model, and none is named: give --model NAME (with "
                "--base-url for a server of your own) or --gguf FILE, or --generator extractive"
            )
        return OpenAIModel(
            self.model, base_url=self.base_url, api_key_env=self.api_key_env, **common
        )

    def prompt(self) -> Prompt:
        """Instruction, demonstrations and template.

        Raises:
            InputError: If a file or a shipped set is not there or not in form.
        """
        from dfactscore.generation.demonstration import load_demonstrations
        from dfactscore.generation.prompt import load_prompt

        return load_prompt(
            instruction=self.instruction,
            demonstrations=load_demonstrations(self.demos, shots=self.shots),
            template=self.template,
            layout=self.layout,
        )

    @property
    def at_once(self) -> int:
        """Biographies under way at once."""
        return self.concurrency or (1 if self.gguf is not None else 16)


def validated(values: Mapping[str, Any], where: str) -> GenerationConfig:
    """Checks settings.

    Args:
        values: Settings; None stands for the default.
        where: What messages begin with.

    Raises:
        InputError: If a key is unknown (the near miss is named) or a value does not fit.
    """
    for key in values:
        if key not in GenerationConfig.model_fields:
            near = near_miss(str(key).replace("-", "_"), GenerationConfig.model_fields, most=2)
            raise InputError(f"{where}: no setting {shown(key)}{near}")
    given = {k: v for k, v in values.items() if v is not None}
    chosen = given.get("generator", "llm")
    for kind, keys in _ONLY_FOR.items():
        wrong = next((k for k in keys if k in given), None)
        if wrong is not None and chosen != kind:
            raise InputError(f"{where}: {wrong} is for generator {kind}, and this one is {chosen}")
    try:
        return GenerationConfig(**given)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise InputError(
            f"{where}: {field}: {first['msg']} (it is {shown(first['input'])})"
        ) from None


def make_generator(config: GenerationConfig, session: LLMSession | None = None) -> Generator:
    """Makes the generator that the settings describe.

    Args:
        config: The settings.
        session: What the models of a command share: cache, budget; needed for a language model.

    Raises:
        InputError: If a file, a set of demonstrations or the model cannot be used.
    """
    if config.generator == "extractive":
        from dfactscore.generation.extractive import ExtractiveGenerator

        return ExtractiveGenerator(
            config.mode, sentences=config.sentences, entities=config.entities
        )
    from dfactscore.engines.llm.client.session import LLMSession
    from dfactscore.generation.llm import LLMGenerator

    prompt = config.prompt()
    model = config.chat_model()
    context = model.context if isinstance(model, GGUFModel) else config.context
    client = (session or LLMSession()).client(model)
    return LLMGenerator(client, prompt, max_tokens=config.max_tokens, context=context)
