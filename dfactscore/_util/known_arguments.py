"""Rejects misspelled keyword arguments and shows a TypedDict's options in signatures."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, TypeVar

from dfactscore._errors import InputError
from dfactscore._util.near import near_miss

_P = ParamSpec("_P")
_R = TypeVar("_R")


def known_arguments(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Makes a function raise InputError rather than TypeError for an unknown keyword argument.

    Example:
        >>> @known_arguments
        ... def score(*, link="argmax"):
        ...     return link
        >>> score(lnik="hungarian")
        Traceback (most recent call last):
        dfactscore._errors.InputError: score: no argument 'lnik'; did you mean link?
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


def with_options(
    kind: type, defaults: Mapping[str, Any]
) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """Lists the options of ``**options: Unpack[kind]`` one by one in a function's signature."""

    def listed(function: Callable[_P, _R]) -> Callable[_P, _R]:
        signature = inspect.signature(function)
        *parameters, _ = signature.parameters.values()
        names = [name for name in kind.__annotations__ if name not in signature.parameters]
        options = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=defaults[name],
                annotation=kind.__annotations__[name].__forward_arg__,
            )
            for name in names
        ]
        full = signature.replace(parameters=[*parameters, *options])
        function.__signature__ = full  # type: ignore[attr-defined]
        function.__annotations__ = {
            **{p.name: p.annotation for p in full.parameters.values() if p.name != "self"},
            "return": signature.return_annotation,
        }
        return function

    return listed
