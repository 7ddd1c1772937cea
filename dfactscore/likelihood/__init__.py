"""Computes likelihoods of given texts with three engines that share one protocol."""

from typing import TYPE_CHECKING

from dfactscore._util.imports import names_on_use

if TYPE_CHECKING:
    from dfactscore.likelihood._completions import CompletionsModel
    from dfactscore.likelihood._continuations import Continuation, LikelihoodModel, TokenizingModel
    from dfactscore.likelihood._forced import ForcedModel
    from dfactscore.likelihood._open_model import open_likelihood
    from dfactscore.likelihood._settings import LikelihoodSettings
    from dfactscore.likelihood._transformers_engine import TransformersModel

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
        "_completions": ("CompletionsModel",),
        "_forced": ("ForcedModel",),
        "_open_model": ("open_likelihood",),
        "_continuations": ("Continuation", "LikelihoodModel", "TokenizingModel"),
        "_settings": ("LikelihoodSettings",),
        "_transformers_engine": ("TransformersModel",),
    },
)
