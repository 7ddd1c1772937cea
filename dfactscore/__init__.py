"""Factual precision (FActScore, D-FActScore) of text about people who share a name."""

from typing import TYPE_CHECKING

from dfactscore._util.on_use import names_on_use
from dfactscore._util.source_tree import find_siblings
from dfactscore._version import __version__

if TYPE_CHECKING:
    from dfactscore.asking.errors import BudgetError, ModelError
    from dfactscore.asking.settings import GGUFModel, OpenAIModel
    from dfactscore.comparison import Comparison, compare
    from dfactscore.engines.protocols import Decomposer, Grouper, GroupingError, RoleError, Verifier
    from dfactscore.errors import (
        DFactScoreError,
        InputError,
        LanguageWarning,
        MissingExtraError,
        RunError,
        WorkerError,
    )
    from dfactscore.jobs.checked import Check, check
    from dfactscore.jobs.experiment import load_experiment, run_experiment
    from dfactscore.jobs.scored import Results
    from dfactscore.mixing import RunMixing, Unmixed, run_mixing, unmix
    from dfactscore.readers import read_biographies
    from dfactscore.records import (
        Biography,
        Document,
        Entity,
        Evidence,
        Fact,
        FactGroup,
        Verdict,
    )
    from dfactscore.report import write_report
    from dfactscore.results.result import Result
    from dfactscore.runs import Run, load_run
    from dfactscore.scorer import Scorer, score
    from dfactscore.scoring import BiographyScores, Record, ScoreOptions, Summary, score_matrix
    from dfactscore.workers import Executor, open_executor

find_siblings(__path__[0])

# Imported on first use, so that `import dfactscore` costs nothing that is not used.
__getattr__ = names_on_use(
    __name__,
    {
        "comparison": ("Comparison", "compare"),
        "engines.protocols": (
            "Decomposer",
            "Grouper",
            "GroupingError",
            "RoleError",
            "Verifier",
        ),
        "errors": (
            "DFactScoreError",
            "InputError",
            "LanguageWarning",
            "MissingExtraError",
            "RunError",
            "WorkerError",
        ),
        "asking.errors": ("BudgetError", "ModelError"),
        "asking.settings": ("GGUFModel", "OpenAIModel"),
        "scoring": ("BiographyScores", "Record", "ScoreOptions", "Summary", "score_matrix"),
        "mixing": ("RunMixing", "Unmixed", "run_mixing", "unmix"),
        "readers": ("read_biographies",),
        "records": (
            "Biography",
            "Document",
            "Entity",
            "Evidence",
            "Fact",
            "FactGroup",
            "Verdict",
        ),
        "report": ("write_report",),
        "jobs.checked": ("Check", "check"),
        "jobs.experiment": ("load_experiment", "run_experiment"),
        "jobs.scored": ("Results",),
        "results.result": ("Result",),
        "runs": ("Run", "load_run"),
        "scorer": ("Scorer", "score"),
        "workers": ("Executor", "open_executor"),
    },
)

__all__ = [
    "Biography",
    "BiographyScores",
    "BudgetError",
    "Check",
    "Comparison",
    "DFactScoreError",
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
