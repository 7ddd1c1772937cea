"""Rejects misspelled keyword arguments in one line, with near misses."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from dfactscore._util.near import near_miss
from dfactscore.errors import InputError

__all__ = ["known_arguments"]

_P = ParamSpec("_P")
_R = TypeVar("_R")


def known_arguments(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Makes a function raise InputError, not TypeError, for an argument that it does not have.

    Example:
        >>> @known_arguments
        ... def score(*, link="argmax"):
        ...     return link
        >>> score(lnik="hungarian")
        Traceback (most recent call last):
        dfactscore.errors.InputError: score: no argument 'lnik'; did you mean link?
    """
    known = inspect.signature(function).parameters
    name = function.__qualname__.removesuffix(".__init__")

    @functools.wraps(function)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        for word in kwargs:
            if word not in known:
                raise InputError(f"{name}: no argument {word!r}{near_miss(word, known)}")
        return function(*args, **kwargs)

    return call
