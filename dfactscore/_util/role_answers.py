"""Awaits and validates the return value of a role."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from typing import TypeVar

from dfactscore._errors import InputError
from dfactscore._util.tasks import together

_T = TypeVar("_T")


async def resolve(answer: _T | Awaitable[_T]) -> _T:
    """An answer that was given at once or as an awaitable."""
    return await answer if inspect.isawaitable(answer) else answer


async def resolve_all(answers: Sequence[_T | Awaitable[_T]]) -> list[_T]:
    """Answers at the same time where they take time; nothing is awaited where none does."""
    waiting = [answer for answer in answers if inspect.isawaitable(answer)]
    if not waiting:
        return [answer for answer in answers if not inspect.isawaitable(answer)]

    done = iter(await together(waiting))
    return [next(done) if inspect.isawaitable(answer) else answer for answer in answers]


def typed_answers(
    kind: type[_T], answer: object, role: object, member: str, protocol: type, count: int | None
) -> tuple[_T, ...]:
    """The answer as a tuple of one kind of thing.

    Args:
        kind: Expected type of the items.
        answer: The answer.
        role: The role that answered.
        member: The method that was called.
        protocol: The protocol that has it.
        count: The expected number; None for any number.

    Raises:
        InputError: If the answer is not that.
    """
    wanted = f"a list of {kind.__name__}"
    if isinstance(answer, (str, bytes, Mapping)) or not isinstance(answer, Iterable):
        raise wrong_answer(role, member, protocol, f"gave {_shown(answer)}", wanted)
    found = tuple(answer)
    for number, item in enumerate(found):
        if not isinstance(item, kind):
            given = f"gave {_shown(item)} as number {number}"
            raise wrong_answer(role, member, protocol, given, wanted)
    if count is not None and len(found) != count:
        raise wrong_answer(role, member, protocol, f"gave {len(found)} answers", f"{count}")
    return found


def wrong_answer(
    role: object, member: str, protocol: type, given: str, expected: str
) -> InputError:
    """The error for an answer that cannot be used; the caller raises it."""
    return InputError(
        f"{type(role).__name__}.{member} (protocol {protocol.__name__}) {given}; "
        f"expected {expected}"
    )


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
