"""Measures how a model mixes people of one name, per biography and per run."""

from dfactscore.mixing.biography import BiographyMixing, biography_mixing
from dfactscore.mixing.painted import MixedText, mixed_text
from dfactscore.mixing.plots import plot_mixing
from dfactscore.mixing.run import RunMixing, run_mixing
from dfactscore.mixing.types import MixingSummary
from dfactscore.mixing.unmixed import Person, Unmixed, unmix

__all__ = [
    "BiographyMixing",
    "MixedText",
    "MixingSummary",
    "Person",
    "RunMixing",
    "Unmixed",
    "biography_mixing",
    "mixed_text",
    "plot_mixing",
    "run_mixing",
    "unmix",
]
