"""Signatures of evaluators: the facts that a paper must state to make a row reproducible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from dfactscore._results.signature import signature_of
from dfactscore._results.signature_fields import DIGEST_LENGTH
from dfactscore._version import __version__
from dfactscore.meta._data_sets import DataSet
from dfactscore.meta._decision_columns import Options
from dfactscore.meta._meta_work import COMMAND
from dfactscore.work import key_of


def signatures_of(
    evaluators: Mapping[str, Mapping[str, Any]],
    data: Sequence[DataSet],
    options: Options,
    limit: int | None = None,
) -> dict[str, str]:
    """Returns each evaluator's signature, by name."""
    labels = "+".join(f"{data_set.kind}/{_digest(data_set)}" for data_set in data)
    return {
        name: signature_of(
            {
                "command": COMMAND,
                "versions": {"dfactscore": __version__},
                "settings": {
                    "evaluator": {**settings, "name": name},
                    "labels": labels,
                    "threshold": str(options.threshold),
                    "limit": limit,
                },
            }
        )
        for name, settings in evaluators.items()
    }


def _digest(data: DataSet) -> str:
    """A short digest of the texts, evidence and labels that were judged and scored."""
    return key_of([asdict(item) for item in data.items])[:DIGEST_LENGTH]
