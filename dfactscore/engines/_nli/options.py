"""Settings of entailment models, shared by all commands that may load such a model."""

from __future__ import annotations

from functools import partial
from typing import Any

from dfactscore._util.settings import Settings, setting
from dfactscore.engines._nli.forms import Form

_model = partial(setting, panel="Model")


class NLISettings(Settings):
    """Settings for a Hugging Face entailment model: its input format and how it reads evidence."""

    keyed = "--nli: How an entailment model reads"

    nli_form: Form | None = _model(
        None,
        "Input format of the model.",
        named="by its config and name",
        flags=("--nli form",),
    )
    nli_label: int | None = _model(
        None,
        "Label of a classifier that means support.",
        ge=0,
        named="by its name",
        flags=("--nli label",),
    )
    nli_chunk_tokens: int | None = _model(
        None,
        "Tokens of evidence read at once.",
        ge=1,
        named="400; 2048 in citations",
        flags=("--nli chunk-tokens",),
    )
    nli_chunks: int | None = _model(
        None,
        "Chunks of a page read for a fact, best by BM25; 0: all.",
        ge=0,
        named="3 on a CPU, else all; all in citations",
        flags=("--nli chunks",),
    )
    nli_batch_tokens: int | None = _model(
        None,
        "Tokens in one call, with padding.",
        ge=1,
        named="16384 on CUDA, else 4096",
        flags=("--nli batch-tokens",),
    )

    def nli_options(self) -> dict[str, Any]:
        """Returns the settings as arguments for `NLIJudge`, omitting those that are None."""
        names = ("form", "label", "chunk_tokens", "chunks", "batch_tokens")
        options = {name: getattr(self, f"nli_{name}") for name in names}
        return {name: value for name, value in options.items() if value is not None}
