"""Meta-evaluation: how good a factuality evaluator is on labeled data."""

from typing import TYPE_CHECKING

from dfactscore._util.on_use import names_on_use

if TYPE_CHECKING:
    from dfactscore.meta.compare import MetaComparison, compare_runs
    from dfactscore.meta.decision_columns import Options
    from dfactscore.meta.evaluating import MetaResult, evaluate, score_predictions
    from dfactscore.meta.judgements import Evaluator, Judgement
    from dfactscore.meta.labeled import DataSet, Item, Segment
    from dfactscore.meta.load import KINDS, load_data
    from dfactscore.meta.prompting import PromptEvaluator
    from dfactscore.meta.rows import Row
    from dfactscore.meta.verifiers import VerifierEvaluator

__all__ = [
    "KINDS",
    "DataSet",
    "Evaluator",
    "Item",
    "Judgement",
    "MetaComparison",
    "MetaResult",
    "Options",
    "PromptEvaluator",
    "Row",
    "Segment",
    "VerifierEvaluator",
    "compare_runs",
    "evaluate",
    "load_data",
    "score_predictions",
]

__getattr__ = names_on_use(
    __name__,
    {
        "decision_columns": ("Options",),
        "compare": ("MetaComparison", "compare_runs"),
        "evaluating": ("MetaResult", "evaluate", "score_predictions"),
        "labeled": ("DataSet", "Item", "Segment"),
        "judgements": ("Evaluator", "Judgement"),
        "load": ("KINDS", "load_data"),
        "prompting": ("PromptEvaluator",),
        "rows": ("Row",),
        "verifiers": ("VerifierEvaluator",),
    },
)
