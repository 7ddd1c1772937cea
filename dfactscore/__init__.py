"""Factual precision (FActScore, D-FActScore) of text about people who share a name."""

from typing import TYPE_CHECKING

from dfactscore._util.imports import find_siblings, names_on_use
from dfactscore._version import __version__

if TYPE_CHECKING:
    from dfactscore._asking.messages import BudgetError, ModelError
    from dfactscore._asking.settings import GGUFModel, OpenAIModel
    from dfactscore._errors import (
        DFactScoreError,
        DFactScoreWarning,
        InputError,
        LanguageWarning,
        MissingExtraError,
        RunError,
        WorkerError,
    )
    from dfactscore._experiment import load_experiment, run_experiment
    from dfactscore._readers import read_biographies
    from dfactscore._records import Biography, Document, Entity, Fact, FactGroup, Verdict
    from dfactscore._report import write_report
    from dfactscore._results.result import Result
    from dfactscore._runs import Run, load_run
    from dfactscore._scorer.results import Results
    from dfactscore._scorer.scorer import Scorer, score
    from dfactscore._scoring import BiographyScores, Record, ScoreOptions, Summary, score_matrix
    from dfactscore.comparison import Comparison, compare
    from dfactscore.engines._roles import Decomposer, Grouper, GroupingError, RoleError, Verifier
    from dfactscore.linking import Evidence
    from dfactscore.mixing import RunMixing, Unmixed, run_mixing, unmix
    from dfactscore.mixing._check import Check, check
    from dfactscore.work._executors import Executor, open_executor

find_siblings(__path__[0])

# Imported on first use, which keeps `import dfactscore` fast.
__getattr__ = names_on_use(
    __name__,
    {
        "_asking.messages": ("BudgetError", "ModelError"),
        "_asking.settings": ("GGUFModel", "OpenAIModel"),
        "_errors": (
            "DFactScoreError",
            "DFactScoreWarning",
            "InputError",
            "LanguageWarning",
            "MissingExtraError",
            "RunError",
            "WorkerError",
        ),
        "_experiment": ("load_experiment", "run_experiment"),
        "_readers": ("read_biographies",),
        "_records": ("Biography", "Document", "Entity", "Evidence", "Fact", "FactGroup", "Verdict"),
        "_report": ("write_report",),
        "_results.result": ("Result",),
        "_runs": ("Run", "load_run"),
        "_scorer.results": ("Results",),
        "_scorer.scorer": ("Scorer", "score"),
        "_scoring": ("BiographyScores", "Record", "ScoreOptions", "Summary", "score_matrix"),
        "comparison": ("Comparison", "compare"),
        "engines._roles": ("Decomposer", "Grouper", "GroupingError", "RoleError", "Verifier"),
        "mixing": ("RunMixing", "Unmixed", "run_mixing", "unmix"),
        "mixing._check": ("Check", "check"),
        "work._executors": ("Executor", "open_executor"),
    },
)

__all__ = [
    "Biography",
    "BiographyScores",
    "BudgetError",
    "Check",
    "Comparison",
    "DFactScoreError",
    "DFactScoreWarning",
    "Decomposer",
    "Document",
    "Entity",
    "Evidence",
    "Executor",
    "Fact",
    "FactGroup",
    "GGUFModel",
    "Grouper",
    "GroupingError",
    "InputError",
    "LanguageWarning",
    "MissingExtraError",
    "ModelError",
    "OpenAIModel",
    "Record",
    "Result",
    "Results",
    "RoleError",
    "Run",
    "RunError",
    "RunMixing",
    "ScoreOptions",
    "Scorer",
    "Summary",
    "Unmixed",
    "Verdict",
    "Verifier",
    "WorkerError",
    "__version__",
    "check",
    "compare",
    "load_experiment",
    "load_run",
    "open_executor",
    "read_biographies",
    "run_experiment",
    "run_mixing",
    "score",
    "score_matrix",
    "unmix",
    "write_report",
]


def __dir__() -> list[str]:
    return __all__
