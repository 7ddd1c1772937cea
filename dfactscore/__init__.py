"""FActScore and D-FActScore of text about somebody whose name others share."""

from typing import TYPE_CHECKING, Any

from dfactscore._version import __version__

if TYPE_CHECKING:
    from dfactscore._util.executors import Executor, open_executor
    from dfactscore.comparison import Comparison, compare
    from dfactscore.engines.llm.client.settings import GGUFModel, OpenAIModel
    from dfactscore.engines.protocols import Decomposer, Grouper, GroupingError, RoleError, Verifier
    from dfactscore.errors import (
        DFactScoreError,
        InputError,
        LanguageWarning,
        MissingExtraError,
        RunError,
        WorkerError,
    )
    from dfactscore.mixing import RunMixing, run_mixing
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
    from dfactscore.results.result import Result, Results
    from dfactscore.runs import Run, load_run
    from dfactscore.scorer import Scorer, score
    from dfactscore.scoring import BiographyScores, Record, ScoreOptions, Summary, score_matrix

# Imported on first use, so that `import dfactscore` costs nothing that is not used.
_HOMES = {
    "dfactscore._util.executors": ("Executor", "open_executor"),
    "dfactscore.comparison": ("Comparison", "compare"),
    "dfactscore.engines.protocols": (
        "Decomposer",
        "Grouper",
        "GroupingError",
        "RoleError",
        "Verifier",
    ),
    "dfactscore.errors": (
        "DFactScoreError",
        "InputError",
        "LanguageWarning",
        "MissingExtraError",
        "RunError",
        "WorkerError",
    ),
    "dfactscore.engines.llm.client.settings": ("GGUFModel", "OpenAIModel"),
    "dfactscore.scoring": ("BiographyScores", "Record", "ScoreOptions", "Summary", "score_matrix"),
    "dfactscore.mixing": ("RunMixing", "run_mixing"),
    "dfactscore.readers": ("read_biographies",),
    "dfactscore.records": (
        "Biography",
        "Document",
        "Entity",
        "Evidence",
        "Fact",
        "FactGroup",
        "Verdict",
    ),
    "dfactscore.report": ("write_report",),
    "dfactscore.results.result": ("Result", "Results"),
    "dfactscore.runs": ("Run", "load_run"),
    "dfactscore.scorer": ("Scorer", "score"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Biography",
    "BiographyScores",
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
    "Verdict",
    "Verifier",
    "WorkerError",
    "__version__",
    "compare",
    "load_run",
    "open_executor",
    "read_biographies",
    "run_mixing",
    "score",
    "score_matrix",
    "write_report",
]


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        from importlib import import_module

        return getattr(import_module(_HOME_OF[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
