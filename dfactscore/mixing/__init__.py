"""Mixing of people who share a name, per biography and per run, and its removal from texts."""

from typing import TYPE_CHECKING

from dfactscore._util.imports import names_on_use

if TYPE_CHECKING:
    from dfactscore.mixing._biography import (
        BiographyMixing,
        MixedText,
        biography_mixing,
        mixed_text,
    )
    from dfactscore.mixing._mixing_plots import plot_mixing
    from dfactscore.mixing._run import MixingSummary, RunMixing, run_mixing
    from dfactscore.mixing._unmixed import Person, Unmixed, unmix

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

__getattr__ = names_on_use(
    __name__,
    {
        "_biography": ("BiographyMixing", "MixedText", "biography_mixing", "mixed_text"),
        "_mixing_plots": ("plot_mixing",),
        "_run": ("MixingSummary", "RunMixing", "run_mixing"),
        "_unmixed": ("Person", "Unmixed", "unmix"),
    },
)
