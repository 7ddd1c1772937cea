"""Uses a few labels to correct the means of a cheap judge."""

from typing import TYPE_CHECKING

from dfactscore._util.imports import names_on_use

if TYPE_CHECKING:
    from dfactscore.correct._correcting import correct
    from dfactscore.correct._correction import Correction
    from dfactscore.correct._estimator import (
        Corrected,
        Estimate,
        Linear,
        Order,
        RunCorrection,
        Shift,
        Tuned,
        labels_alone,
        tuned,
    )
    from dfactscore.correct._labeled_runs import bound
    from dfactscore.correct._planning import Plan, labels_needed, plan

__all__ = [
    "Corrected",
    "Correction",
    "Estimate",
    "Linear",
    "Order",
    "Plan",
    "RunCorrection",
    "Shift",
    "Tuned",
    "bound",
    "correct",
    "labels_alone",
    "labels_needed",
    "plan",
    "tuned",
]

__getattr__ = names_on_use(
    __name__,
    {
        "_correcting": ("correct",),
        "_correction": ("Correction",),
        "_estimator": (
            "Corrected",
            "Estimate",
            "Linear",
            "Order",
            "RunCorrection",
            "Shift",
            "Tuned",
            "labels_alone",
            "tuned",
        ),
        "_labeled_runs": ("bound",),
        "_planning": ("Plan", "labels_needed", "plan"),
    },
)
