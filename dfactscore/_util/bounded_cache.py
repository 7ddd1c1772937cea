"""A bounded cache of function results."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Question = TypeVar("Question")
Answer = TypeVar("Answer")


class BoundedCache(dict[Question, Answer]):
    """Answers by question, each found when it is first asked for.

    Looking up what is known costs what a ``dict`` costs, which counts where words are looked up.

    Args:
        find: Finds the answer to a question.
        most: Answers that are kept; with one more it begins again.

    Example:
        >>> squares = BoundedCache(lambda n: n * n, most=2)
        >>> [squares[3], squares[4], sorted(squares)]
        [9, 16, [3, 4]]
        >>> squares[5], list(squares)
        (25, [5])
    """

    def __init__(self, find: Callable[[Question], Answer], *, most: int) -> None:
        super().__init__()
        self._find = find
        self._most = most

    def __missing__(self, question: Question) -> Answer:
        if len(self) >= self._most:
            self.clear()
        answer = self[question] = self._find(question)
        return answer
