"""Failures between a request and a usable answer."""

from __future__ import annotations

from typing import Literal

from dfactscore._errors import DFactScoreError


class ModelError(DFactScoreError):
    """The endpoint refuses every request: wrong key, missing model, no credit, no answer at all."""


class NotThere(ModelError):
    """The endpoint has no such model, or the address is not that of an endpoint.

    Args:
        where: The address and its answer.
        said: In its words.
        model: The model's name.
    """

    def __init__(self, where: str, said: str, model: str) -> None:
        super().__init__(
            f"{where}: no model {model!r} there, or a wrong address ({said}); check --model and "
            "--base-url"
        )
        self.where = where
        self.said = said


class BudgetError(DFactScoreError):
    """A limit set by the user is reached; the same command with a higher one resumes."""


class CacheError(DFactScoreError):
    """The answer cache cannot be read or written."""


class CallError(Exception):
    """One request failed for good; the run continues without its answer.

    Args:
        reason: One line for the user, without secrets.
        passing: Whether the same request may be answered another time: the service was not there,
            or took too long.
    """

    def __init__(self, reason: str, *, passing: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.passing = passing


class AnswerError(Exception):
    """An answer that cannot be used.

    Args:
        kind: ``"refused"`` where the model declined, else ``"unparsed"``.
        reason: The problem with it, in words that the model can act upon.
        final: Whether the same question would bring the same answer.
    """

    passing = False

    def __init__(
        self,
        reason: str,
        kind: Literal["unparsed", "refused"] = "unparsed",
        *,
        final: bool = False,
    ) -> None:
        super().__init__(reason)
        self.final = final
        self.reason = reason
        self.kind = kind
