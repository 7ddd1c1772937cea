"""Settings for a likelihood model."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import ClassVar, Literal

from dfactscore._asking.options import BudgetSettings, ModelSettings
from dfactscore._asking.settings import ChatModel, GGUFModel
from dfactscore._util.settings import setting

_model = partial(setting, panel="Model")


class LikelihoodSettings(ModelSettings, BudgetSettings):
    """Settings for a likelihood model."""

    exclusive: ClassVar[tuple[tuple[str, str], ...]] = (
        ("hf", "gguf"),
        ("hf", "model"),
        ("hf", "base_url"),
        ("gguf", "base_url"),
    )

    files = "hf"

    hf: str | None = _model(None, "Model run with transformers: a folder, a hub id or a GGUF file.")
    bos: Literal["auto", "yes", "no"] = _model(
        "auto", "Begin texts with the beginning-of-sequence token; auto: as the model does."
    )
    context_tokens: int = _model(
        1024, "Maximum number of tokens in context and continuation together.", ge=2
    )

    def model_for(self, role: str, name: str | None = None, *, instead: str = "") -> ChatModel:
        """Like `ModelSettings.model_for`, but gives a GGUF model a large enough context window."""
        model = super().model_for(role, name, instead=instead)
        if isinstance(model, GGUFModel):
            # Testing the server takes a few more tokens.
            model = replace(model, context=max(256, -(-(self.context_tokens + 8) // 256) * 256))
        return model
