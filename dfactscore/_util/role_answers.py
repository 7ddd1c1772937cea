"""Awaits and validates the values that roles return."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from typing import TypeVar

from dfactscore._errors import InputError
from dfactscore._util.tasks import together

_T = TypeVar("_T")


async def resolve(answer: _T | Awaitable[_T]) -> _T:
    """Returns an answer, after awaiting it if it is awaitable."""
    return await answer if inspect.isawaitable(answer) else answer


async def resolve_all(answers: Sequence[_T | Awaitable[_T]]) -> list[_T]:
    """Returns answers in order; concurrently awaits those that are awaitable."""
    pending = [answer for answer in answers if inspect.isawaitable(answer)]
    if not pending:
        return [answer for answer in answers if not inspect.isawaitable(answer)]

    results = iter(await together(pending))
    return [next(results) if inspect.isawaitable(answer) else answer for answer in answers]


def typed_answers(
    kind: type[_T], answer: object, role: object, member: str, base: type, count: int | None
) -> tuple[_T, ...]:
    """Checks the items of an answer and returns them as a tuple."""
    expected = f"a list of {kind.__name__}"
    if isinstance(answer, (str, bytes, Mapping)) or not isinstance(answer, Iterable):
        raise wrong_answer(role, member, base, f"gave {_short(answer)}", expected)
    items = tuple(answer)
    for number, item in enumerate(items):
        if not isinstance(item, kind):
            problem = f"gave {_short(item)} as number {number}"
            raise wrong_answer(role, member, base, problem, expected)
    if count is not None and len(items) != count:
        raise wrong_answer(role, member, base, f"gave {len(items)} answers", f"{count}")
    return items


def wrong_answer(role: object, member: str, base: type, problem: str, expected: str) -> InputError:
    """Returns the error for an unusable answer, for the caller to raise."""
    return InputError(
        f"{type(role).__name__}.{member} (role {base.__name__}) {problem}; expected {expected}"
    )


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
