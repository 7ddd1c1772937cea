"""Settings for models, limits and budget, shared by all commands that use a language model."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from dfactscore._asking.secrets import named_headers
from dfactscore._asking.settings import ChatModel, GGUFModel, OpenAIModel
from dfactscore._errors import InputError
from dfactscore._util.settings import Settings, setting

if TYPE_CHECKING:
    from dfactscore._asking.session import LLMSession


# These fields have the same meaning in all commands, so environment variables can set them.
_model = partial(setting, panel="Model", variable=True)
_limit = partial(setting, panel="Limits", variable=True)
_call = partial(setting, panel="Model")
DRY_RUN = setting(
    False,
    "Estimate calls, tokens and cost without calling a model.",
    panel="Output",
    flags=("--dry-run",),
)
"""The field of commands that can estimate their requests."""


class ModelSettings(Settings):
    """Settings of a model: its name, address and limits."""

    first = "model base_url gguf"

    exclusive: ClassVar[tuple[tuple[str, str], ...]] = (("model", "gguf"),)

    model: str | None = _model(None, "Model name at the endpoint.")
    base_url: str | None = _model(
        None,
        "OpenAI-compatible endpoint URL (…/v1).",
        named="$OPENAI_BASE_URL or OpenAI",
    )
    api_key_env: str = _model("OPENAI_API_KEY", "Environment variable that contains the API key.")
    header: tuple[str, ...] = _model(
        (),
        "Additional header, NAME=ENV_VARIABLE, with the variable's value; may be repeated.",
    )
    gguf: Path | None = _model(None, "Model file to run in this process.")
    context: int | None = _call(
        None,
        "Context window in tokens, for --gguf and to limit the calls of 'calls: few'.",
        ge=256,
        named=f"{GGUFModel.context}; 32768 for a server",
        in_file=True,
    )
    threads: int | None = _model(
        None, "Number of threads for --gguf.", ge=1, named="all cores", in_file=True
    )
    gpu_layers: int = _model(0, "Number of layers on the GPU for --gguf.", ge=0, in_file=True)
    temperature: float | None = _call(
        0.0, "Sampling temperature; 0 gives the most likely answer.", ge=0, in_file=True
    )
    seed: int | None = _call(
        None,
        "Random seed sent with every request.",
        flags=("--model-seed",),
        in_file=True,
    )
    parameters: dict[str, Any] = _model(
        {},
        "Additional fields of requests, such as {reasoning_effort: low}; null omits one.",
        in_file=True,
    )
    concurrency: int | None = _limit(
        None, "Maximum simultaneous requests.", ge=1, named="16; 1 for --gguf"
    )
    requests_per_minute: float | None = _limit(
        None, "Maximum requests per minute.", gt=0, in_file=True
    )
    tokens_per_minute: float | None = _limit(None, "Maximum tokens per minute.", gt=0, in_file=True)
    timeout: float | None = _limit(
        None,
        "Timeout for each attempt, in seconds.",
        gt=0,
        named="120; 1800 for --gguf",
    )
    retries: int = _limit(5, "Retries after temporary errors.", ge=0, in_file=True)
    backoff: float = _limit(
        0.5, "Delay before the first retry, in seconds; doubles each time.", gt=0, in_file=True
    )

    def model_for(self, role: str, name: str | None = None, *, instead: str = "") -> ChatModel:
        """Returns the model for a role, configured with these settings.

        Args:
            role: The role, for messages.
            name: The model's name, which overrides the one in the settings.
            instead: Alternatives to suggest in the message about a missing model.

        Raises:
            InputError: If no model is named, or the model cannot be used.
        """
        if name is None and self.gguf is not None:
            return GGUFModel(self.gguf, **self._fields_of(GGUFModel))
        name = name or self.model
        if name is None:
            raise InputError(
                f"the {role} needs a language model, and none is named: give --model NAME (with "
                f"--base-url for your own server) or --gguf FILE{instead}"
            )
        return OpenAIModel(name, **self._fields_of(OpenAIModel))

    def _fields_of(self, kind: type[ChatModel]) -> dict[str, Any]:
        """Returns the values of a model's fields, omitting None if the model has a default."""
        names = {field.name for field in fields(kind)} - {"model", "path"}
        values = {name: getattr(self, name) for name in type(self).model_fields if name in names}
        nullable = ("temperature", "seed")
        if "headers" in names:
            values["headers"] = named_headers(self.header)
        return {k: v for k, v in values.items() if v is not None or k in nullable}


class JudgeModelSettings(ModelSettings):
    """Settings of a model whose answers are parsed."""

    structured: Literal["auto", "json_schema", "json_object", "text"] = _model(
        "auto",
        "Answer format to request; auto tests which ones the endpoint supports.",
        in_file=True,
    )
    logprobs: bool | None = _model(
        None,
        "Compute verdict probabilities from token probabilities.",
        named="if the endpoint has them",
        in_file=True,
    )
    max_answer_tokens: int | None = _model(None, "Maximum tokens per answer.", ge=1, in_file=True)


class BudgetSettings(Settings):
    """Settings for limits on calls and cost, and for the answer cache."""

    first = "max_cost"

    exclusive: ClassVar[tuple[tuple[str, str], ...]] = (("cache", "no_cache"),)

    max_cost: float | None = _limit(None, "Stop before this cost is exceeded.", ge=0)
    max_calls: int | None = _limit(None, "Stop after this many calls.", ge=0)
    prices: Path | None = _limit(
        None, "Price list: JSON with prices per million tokens, or litellm's table."
    )
    cache: Path | None = _limit(None, "Answer cache file.", named="the user's cache folder")
    no_cache: bool = _limit(False, "Do not store or reuse answers.")

    def open_session(self) -> LLMSession:
        """Opens a session with a cache and a price list.

        Raises:
            DFactScoreError: If the cache or the price list cannot be used.
        """
        from dfactscore._asking.session import LLMSession

        return LLMSession(
            cache=False if self.no_cache else self.cache,
            prices=self.prices,
            max_cost=self.max_cost,
            max_calls=self.max_calls,
            dry_run=bool(getattr(self, "dry_run", False)),
        )

    def using_session(self, *, needed: bool = True) -> AbstractContextManager[LLMSession | None]:
        """Returns a context manager for a session, or for None if no session is needed."""
        return self.open_session() if needed else nullcontext()
