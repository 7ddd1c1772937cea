"""Human evaluation of D-FActScore: annotation pages, studies, agreement, correlation."""

from typing import TYPE_CHECKING

from dfactscore._util.imports import names_on_use

if TYPE_CHECKING:
    from dfactscore.annotation._agreement import (
        adjusted_rand,
        b_cubed_f1,
        krippendorff_alpha,
        percent_agreement,
    )
    from dfactscore.annotation._answers import AnswerScores, FactAnswer, ItemAnswer, score_answer
    from dfactscore.annotation._automatic_scores import Correlation, correlate

__all__ = [
    "AnswerScores",
    "Correlation",
    "FactAnswer",
    "ItemAnswer",
    "adjusted_rand",
    "b_cubed_f1",
    "correlate",
    "krippendorff_alpha",
    "percent_agreement",
    "score_answer",
]

__getattr__ = names_on_use(
    __name__,
    {
        "_agreement": ("adjusted_rand", "b_cubed_f1", "krippendorff_alpha", "percent_agreement"),
        "_answers": ("AnswerScores", "FactAnswer", "ItemAnswer", "score_answer"),
        "_automatic_scores": ("Correlation", "correlate"),
    },
)
