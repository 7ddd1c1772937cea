"""Settings of a model that is asked for likelihoods."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import ClassVar, Literal

from dfactscore._asking.options import BudgetSettings, ModelSettings
from dfactscore._asking.settings import ChatModel, GGUFModel
from dfactscore._util.settings import setting

_model = partial(setting, panel="Model")


class LikelihoodSettings(ModelSettings, BudgetSettings):
    """The model that scores the likelihood of texts."""

    exclusive: ClassVar[tuple[tuple[str, str], ...]] = (
        ("hf", "gguf"),
        ("hf", "model"),
        ("hf", "base_url"),
        ("gguf", "base_url"),
    )

    files = "hf"

    hf: str | None = _model(None, "Model run with transformers: a folder, a hub id or a GGUF file.")
    bos: Literal["auto", "yes", "no"] = _model(
        "auto", "Begin texts with the model's first token; auto: as the model does."
    )
    context_tokens: int = _model(
        1024, "Maximum number of tokens of context and continuation.", ge=2
    )

    def model_for(self, role: str, name: str | None = None, *, instead: str = "") -> ChatModel:
        """As `ModelSettings.model_for`; a file gets the context that the numbers need."""
        model = super().model_for(role, name, instead=instead)
        if isinstance(model, GGUFModel):
            # One more is written than is read when the server is tried.
            model = replace(model, context=max(256, -(-(self.context_tokens + 8) // 256) * 256))
        return model
