"""Meta-evaluation: the accuracy of factuality evaluators on labeled data."""

from typing import TYPE_CHECKING

from dfactscore._util.imports import names_on_use

if TYPE_CHECKING:
    from dfactscore.meta._compare import MetaComparison, compare_runs
    from dfactscore.meta._data_sets import DataSet, Item, Segment
    from dfactscore.meta._decisions import Options
    from dfactscore.meta._evaluating import MetaResult, evaluate, score_predictions
    from dfactscore.meta._figures import Row
    from dfactscore.meta._judgements import Evaluator, Judgement
    from dfactscore.meta._load import KINDS, load_data
    from dfactscore.meta._prompting import PromptEvaluator
    from dfactscore.meta._verifiers import VerifierEvaluator

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
        "_compare": ("MetaComparison", "compare_runs"),
        "_data_sets": ("DataSet", "Item", "Segment"),
        "_decisions": ("Options",),
        "_evaluating": ("MetaResult", "evaluate", "score_predictions"),
        "_figures": ("Row",),
        "_judgements": ("Evaluator", "Judgement"),
        "_load": ("KINDS", "load_data"),
        "_prompting": ("PromptEvaluator",),
        "_verifiers": ("VerifierEvaluator",),
    },
)
