"""People's judgment: a page to annotate D-FActScore, its database, agreement, correlation."""

from dfactscore.annotation.agreement import (
    adjusted_rand,
    b_cubed_f1,
    cohen_kappa,
    krippendorff_alpha,
    percent_agreement,
)
from dfactscore.annotation.answers import AnswerScores, FactAnswer, ItemAnswer, score_answer
from dfactscore.annotation.correlation import Correlation, correlate

__all__ = [
    "AnswerScores",
    "Correlation",
    "FactAnswer",
    "ItemAnswer",
    "adjusted_rand",
    "b_cubed_f1",
    "cohen_kappa",
    "correlate",
    "krippendorff_alpha",
    "percent_agreement",
    "score_answer",
]
