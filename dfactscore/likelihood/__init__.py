"""How likely a model finds a given text: three engines behind one protocol."""

from dfactscore.likelihood.completions import CompletionsModel
from dfactscore.likelihood.forced import ForcedModel
from dfactscore.likelihood.opening import open_likelihood
from dfactscore.likelihood.protocol import Continuation, LikelihoodModel, TokenizingModel
from dfactscore.likelihood.settings import LikelihoodSettings
from dfactscore.likelihood.transformers_engine import TransformersModel
from dfactscore.likelihood.uniform import UniformModel

__all__ = [
    "CompletionsModel",
    "Continuation",
    "ForcedModel",
    "LikelihoodModel",
    "LikelihoodSettings",
    "TokenizingModel",
    "TransformersModel",
    "UniformModel",
    "open_likelihood",
]
