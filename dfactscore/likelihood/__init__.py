"""Likelihoods of given texts: three engines behind one protocol."""

from typing import TYPE_CHECKING

from dfactscore._util.on_use import names_on_use

if TYPE_CHECKING:
    from dfactscore.likelihood.completions import CompletionsModel
    from dfactscore.likelihood.continuations import Continuation, LikelihoodModel, TokenizingModel
    from dfactscore.likelihood.forced import ForcedModel
    from dfactscore.likelihood.open_model import open_likelihood
    from dfactscore.likelihood.settings import LikelihoodSettings
    from dfactscore.likelihood.transformers_engine import TransformersModel

__all__ = [
    "CompletionsModel",
    "Continuation",
    "ForcedModel",
    "LikelihoodModel",
    "LikelihoodSettings",
    "TokenizingModel",
    "TransformersModel",
    "open_likelihood",
]

__getattr__ = names_on_use(
    __name__,
    {
        "completions": ("CompletionsModel",),
        "forced": ("ForcedModel",),
        "open_model": ("open_likelihood",),
        "continuations": ("Continuation", "LikelihoodModel", "TokenizingModel"),
        "settings": ("LikelihoodSettings",),
        "transformers_engine": ("TransformersModel",),
    },
)
