"""Exceptions of requests and answers."""

from __future__ import annotations

from typing import Literal

from dfactscore._errors import DFactScoreError


class ModelError(DFactScoreError):
    """The endpoint fails for every request: wrong key, unknown model, no credit, no answer."""


class NotThere(ModelError):
    """The endpoint lacks the model, or the address is not that of an endpoint.

    Args:
        where: The address and the status.
        reply: The server's message.
        model: The model's name.
    """

    def __init__(self, where: str, reply: str, model: str) -> None:
        super().__init__(
            f"{where}: no model {model!r} there, or a wrong address ({reply}); check --model and "
            "--base-url"
        )
        self.where = where
        self.reply = reply


class BudgetError(DFactScoreError):
    """The user's limit is reached; the same command with a higher limit resumes."""


class CacheError(DFactScoreError):
    """The answer cache cannot be read or written."""


class CallError(Exception):
    """One request failed; the run continues without its answer.

    Args:
        reason: One line for the user, without secrets.
        passing: Whether the same request may succeed later, for example after a timeout.
    """

    def __init__(self, reason: str, *, passing: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.passing = passing


class AnswerError(Exception):
    """An answer that cannot be used.

    Args:
        reason: The problem, in words for the model that repairs the answer.
        kind: ``"refused"`` if the model refused, else ``"unparsed"``.
        final: Whether the same question would give the same answer.
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
