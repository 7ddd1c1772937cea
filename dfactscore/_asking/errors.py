"""Exceptions raised for requests and answers."""

from __future__ import annotations

from typing import Literal

from dfactscore._errors import DFactScoreError


class ModelError(DFactScoreError):
    """Every request to the endpoint fails, for example because the key or the model is wrong."""


class NotThere(ModelError):
    """The endpoint does not have the model, or there is no endpoint at the address."""

    def __init__(self, where: str, reply: str, model: str) -> None:
        super().__init__(
            f"{where}: no model {model!r} there, or a wrong address ({reply}); check --model and "
            "--base-url"
        )
        self.where = where
        self.reply = reply


class BudgetError(DFactScoreError):
    """The user's limit has been reached; the command can be resumed with a higher limit."""


class CacheError(DFactScoreError):
    """The answer cache cannot be read or written."""


class CallError(Exception):
    """A single request failed; the run continues without its answer."""

    def __init__(self, reason: str, *, passing: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.passing = passing


class AnswerError(Exception):
    """An answer cannot be used."""

    passing = False

    def __init__(
        self,
        reason: str,  # problem, worded for the model that is asked to repair the answer
        kind: Literal["unparsed", "refused"] = "unparsed",
        *,
        final: bool = False,
    ) -> None:
        super().__init__(reason)
        self.final = final
        self.reason = reason
        self.kind = kind
