"""Functions for the task's YAML file: documents and metrics."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from dfactscore._errors import DFactScoreError
from dfactscore._readers.harness_logs import answers_of
from dfactscore._util.files import dump_json
from dfactscore._util.jsonl import parse_json
from dfactscore.integrations._judging import Judge, host_samples, values

_WHERE = "task dfactscore_bios"
_judge = cache(lambda settings: Judge(_WHERE, parse_json(settings)))


def load(dfactscore: Mapping[str, Any] | None = None, **_: Any) -> dict[str, Any]:
    """Loads the task's documents."""
    # `dfactscore`: the arguments of `host_samples`, such as `names`, `pages`, `passages`.
    from datasets import Dataset

    # lm-eval also passes the arguments of its model, which are ignored.
    samples, judging = host_samples(_WHERE, **(dfactscore or {}))
    settings = dump_json(judging)
    _judge(settings)  # reports mistakes before any model is called
    rows = [
        {
            "id": s.id,
            "name": s.name,
            "prompt": s.prompt,
            "passages": s.passages,
            "settings": settings,
        }
        for s in samples
    ]
    return {"test": Dataset.from_list(rows)}


def process(doc: Mapping[str, Any], results: Sequence[Any]) -> dict[str, float]:
    """Returns a document's metrics, omitting missing ones; empty if the document has an error."""
    sample = {"name": doc.get("name"), "passages": doc.get("passages")}
    texts = answers_of(results)
    try:
        judged = _judge(doc["settings"]).judge_now([{**sample, "text": text} for text in texts])
    except DFactScoreError as error:
        logging.getLogger(__name__).error("%s, document %s: %s", _WHERE, doc.get("id"), error)
        return {}
    return {key: value for key, value in values(judged).items() if value == value}
