"""Exceptions raised in workers, in the form in which they are sent to the main process."""

from __future__ import annotations

import builtins
import traceback
from typing import Any

from dfactscore._errors import WorkerError


class _Remote(Exception):
    """The traceback of an exception in a worker, shown as the exception's cause."""

    def __str__(self) -> str:
        return f'\n"""\n{self.args[0]}"""'


class WorkerFailure:
    """An exception in a form that can be sent: its class, arguments, attributes and traceback.

    Pickle creates an exception by calling its class with only the message, which fails for classes
    that take other arguments.
    """

    def __init__(self, error: BaseException) -> None:
        from multiprocessing.reduction import ForkingPickler

        self._where = "".join(traceback.format_exception(error))
        # If the exception has values that cannot be sent, its name and message are sent.
        self._text = f"{type(error).__name__}: {error}"
        self._parts: tuple[Any, ...] | None = (type(error), error.args, dict(vars(error)))
        if type(error).__module__ == builtins.__name__:
            self._parts = (error,)
        try:
            back = ForkingPickler.loads(ForkingPickler.dumps(self))
            if str(back.exception()) != str(error):
                self._parts = None
        except Exception:
            self._parts = None

    def exception(self) -> BaseException:
        """Creates the exception, with the worker's traceback as its cause."""
        error: BaseException
        if self._parts is None:
            error = WorkerError(self._text)
        elif len(self._parts) == 1:
            error = self._parts[0]
        else:
            kind, arguments, attributes = self._parts
            error = kind.__new__(kind, *arguments)
            vars(error).update(attributes)
        error.__cause__ = _Remote(self._where)
        return error
