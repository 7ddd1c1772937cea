"""Corrects the means of a cheap judge with a few labels."""

from typing import TYPE_CHECKING

from dfactscore._util.on_use import names_on_use

if TYPE_CHECKING:
    from dfactscore.correct.correcting import correct
    from dfactscore.correct.estimator import Linear, Tuned, labels_alone, tuned
    from dfactscore.correct.labeled import bound
    from dfactscore.correct.planning import Plan, labels_needed, plan
    from dfactscore.correct.result import Correction
    from dfactscore.correct.types import Corrected, Estimate, Order, RunCorrection, Shift

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
        "correcting": ("correct",),
        "labeled": ("bound",),
        "estimator": ("Linear", "Tuned", "labels_alone", "tuned"),
        "planning": ("Plan", "labels_needed", "plan"),
        "result": ("Correction",),
        "types": ("Corrected", "Estimate", "Order", "RunCorrection", "Shift"),
    },
)
