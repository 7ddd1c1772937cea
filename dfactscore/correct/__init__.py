"""Means of a cheap judge, corrected by a few labels."""

from dfactscore.correct.correct import bound, correct
from dfactscore.correct.estimate import Linear, Tuned, labels_alone, tuned
from dfactscore.correct.planning import Plan, labels_needed, plan
from dfactscore.correct.result import Corrected, Correction, Estimate, Order, RunCorrection, Shift

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
