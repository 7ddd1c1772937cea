"""Rules as table rows: the first matching row of a table answers the table's question."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Generic, TypeVar

from dfactscore.engines._builtin.language.tokenizer import Token

Case = TypeVar("Case")
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class WordCase:
    """A word that a table is asked about, with its neighbors."""

    tokens: Sequence[Token]
    at: int
    end: int  # index after the last token that counts

    @property
    def token(self) -> Token:
        """The word."""
        return self.tokens[self.at]

    @property
    def low(self) -> str:
        """The word in lowercase."""
        return self.tokens[self.at].low

    @property
    def before(self) -> Token:
        """The token before the word."""
        return self.tokens[self.at - 1]

    @property
    def after(self) -> Token:
        """The token after the word."""
        return self.tokens[self.at + 1]


@dataclass(frozen=True, slots=True)
class Row(Generic[Case, Answer]):
    """One rule of a table."""

    id: str
    says: str
    example: str  # sentence about Ann Lee whose facts change without the row
    matches: Callable[[Case], object]
    answer: Answer


@dataclass(frozen=True, slots=True)
class Decision:
    """A row that determined an answer."""

    table: str
    row: str
    says: str


_DECISIONS: ContextVar[list[Decision] | None] = ContextVar("decisions", default=None)


@dataclass
class Table(Generic[Case, Answer]):
    """A list of rows that together answer one question.

    Example:
        >>> rows = (Row("long", "Ten is long.", "", lambda n: n > 9, "long"),)
        >>> size = Table("size", rows, "short")
        >>> with recorded() as decisions:
        ...     size.answer(12), size.answer(3)
        ('long', 'short')
        >>> decisions
        [Decision(table='size', row='long', says='Ten is long.')]
    """

    name: str  # table's name, as `explain --why` prints it
    rows: tuple[Row[Case, Answer], ...]  # rows, in order of precedence; the first match is used
    otherwise: Answer

    def answer(self, case: Case) -> Answer:
        """Returns the answer of the first row that matches."""
        for row in self.rows:
            if row.matches(case):
                decisions = _DECISIONS.get()
                if decisions is not None:
                    decisions.append(Decision(self.name, row.id, row.says))
                return row.answer
        return self.otherwise


@contextmanager
def recorded() -> Iterator[list[Decision]]:
    """Records the decisions made inside the context."""
    decisions: list[Decision] = []
    token = _DECISIONS.set(decisions)
    try:
        yield decisions
    finally:
        _DECISIONS.reset(token)
