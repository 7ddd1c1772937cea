"""Integrations with evaluation tools, tracing, RAG frameworks and Hugging Face datasets."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from dfactscore._errors import InputError
from dfactscore._util.imports import names_on_use
from dfactscore._util.message_text import near_miss

if TYPE_CHECKING:
    from dfactscore.integrations._checking import (
        deepeval_metric,
        langchain_runnable,
        langsmith_evaluator,
        llamaindex_postprocessor,
        phoenix_annotations,
        ragas_metric,
    )

__all__ = [
    "deepeval_metric",
    "integration_path",
    "langchain_runnable",
    "langsmith_evaluator",
    "llamaindex_postprocessor",
    "phoenix_annotations",
    "ragas_metric",
]

__getattr__ = names_on_use(
    __name__,
    {
        "_checking": (
            "deepeval_metric",
            "langchain_runnable",
            "langsmith_evaluator",
            "llamaindex_postprocessor",
            "phoenix_annotations",
            "ragas_metric",
        )
    },
)

_FOLDERS = {"lm-eval": "_lm_eval"}


def integration_path(host: str) -> Path:
    """Returns the folder that a host needs as an option.

    Args:
        host: ``"lm-eval"``, for its ``--include_path``.

    Raises:
        InputError: If the host does not need a folder or is unknown.

    Example:
        >>> integration_path("lm-eval").name
        '_lm_eval'
    """
    if host not in _FOLDERS:
        near = near_miss(host, _FOLDERS, cutoff=0.5)
        raise InputError(f"no folder for {host!r}{near} (known: {', '.join(_FOLDERS)})")
    return Path(str(files(__name__))) / _FOLDERS[host]
