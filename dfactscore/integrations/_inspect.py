"""Inspect (extra ``inspect``): a task and a scorer, registered by entry point."""

# ruff: noqa: E402
from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dfactscore._readers.harness_logs import need_inspect

need_inspect()

from inspect_ai import Task, task
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState, generate
from rich.markup import escape

from dfactscore._asking.messages import BudgetError, ModelError
from dfactscore._errors import DFactScoreError, InputError
from dfactscore._text.questions import name_in
from dfactscore.integrations._judging import Judge, details, explain, host_samples, values


class SettingsError(PrerequisiteError, InputError):
    """A mistake in the settings, which Inspect prints without a traceback."""

    def __init__(self, message: str) -> None:
        super().__init__(escape(message))
        self._plain = message

    def __str__(self) -> str:
        return self._plain


@contextmanager
def in_one_line() -> Iterator[None]:
    """Converts settings errors into errors that Inspect prints on one line."""
    try:
        yield
    except DFactScoreError as error:
        raise SettingsError(str(error)) from None


def unscored(sample: object, error: DFactScoreError) -> Score:
    """Creates a score that leaves a sample out of the means, with a warning in the log.

    An exception would end `inspect score`, as well as `inspect eval` without
    ``--no-fail-on-error``. Both commands show the warning, which explains why means are empty, for
    example because a dataset has no names.
    """
    logging.getLogger(__name__).error("scorer dfactscore, sample %s: %s", sample, error)
    return Score.unscored(reason="scoring_failed", explanation=str(error))


@scorer(metrics={"*": [mean(), stderr()]})
def dfactscore(**settings: Any) -> Scorer:
    """Scores biographies of the person named in ``metadata["name"]`` or, if missing, in the prompt.

    The value is a dict of numbers; a missing number is NaN, which Inspect's means skip.
    """
    with in_one_line():
        judge = Judge("scorer dfactscore", settings)
        judge.check_models()

    async def score(state: TaskState, target: Target) -> Score:
        name = state.metadata.get("name") or name_in(state.input_text)
        answers = [choice.message.text for choice in state.output.choices] or [""]
        sample = {"name": name, "passages": state.metadata.get("passages")}
        try:
            results = [await judge.judge({**sample, "text": text}) for text in answers]
        except (ModelError, BudgetError) as error:  # all later samples would fail as well
            raise SettingsError(str(error)) from None
        except DFactScoreError as error:
            return unscored(state.sample_id, error)
        return Score(
            value=values(results),
            answer="\n\n".join(answers),
            explanation=explain(results),
            reason="refusal" if all(r.status == "abstained" for r in results) else None,
            metadata=details(results),
        )

    return score


@task
def ambiguous_biographies(
    names: str | None = None, pages: str | None = None, passages: str | None = None, **settings: Any
) -> Task:
    """Biographies for ambiguous names; by default, those in the shipped example."""
    # `settings`: settings for the judge and the prompt (`top`, `demos`, `instruction` …).
    where, arguments = "task ambiguous_biographies", {"names": names, "pages": pages, **settings}
    with in_one_line():
        samples, judging = host_samples(where, passages=passages, **arguments)
    inspect_samples = [
        Sample(input=s.messages, id=s.id, metadata={"name": s.name, "passages": s.passages})
        for s in samples
    ]
    dataset = MemoryDataset(inspect_samples, name="ambiguous_biographies")
    return Task(dataset=dataset, solver=generate(), scorer=dfactscore(**judging))
