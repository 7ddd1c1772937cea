"""Protocols for evaluators, their judgments of a response, and baselines that read no text."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, get_args, runtime_checkable

from dfactscore._util.tasks import resolve, typed_answers, wrong_answer
from dfactscore.meta._data_sets import Item

JudgementStatus = Literal["read", "no_claim", "no_text", "unread", "refused", "truncated", "error"]
STATUSES = frozenset(get_args(JudgementStatus))
#: Statuses of valid answers; answers with other statuses flag nothing and lower the coverage.
READ = frozenset({"read", "no_claim", "no_text"})


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judgment of one segment.

    Attributes:
        error: Whether the segment is flagged as an error; None if the answer is unreadable.
        probability: Probability that the segment is *supported*, in [0, 1], or None.
        status: ``"read"``; ``"no_claim"`` if the segment asserts nothing; ``"no_text"`` if there is
            no reference text; or, if there is no usable answer, ``"unread"``, ``"refused"``,
            ``"truncated"`` or ``"error"``.
    """

    error: bool | None
    probability: float | None = None
    status: JudgementStatus = "read"


@dataclass(frozen=True, slots=True)
class Opinion:
    """The judgments of one response."""

    judgements: tuple[Judgement, ...]  # one judgment per segment, in order
    out_of_range: int = 0  # number of listed numbers that match no segment
    usage: Mapping[str, Any] = field(default_factory=dict)
    fallback: bool = False  # whether the evaluator did without references because the item has none


@runtime_checkable
class Evaluator(Protocol):
    """Flags the segments of a response that are errors."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """All settings that can change an answer, including ``name``, as JSON values."""

    def judge(self, item: Item) -> Sequence[Judgement] | Awaitable[Sequence[Judgement]]:
        """Returns one judgment per segment, in order."""


@runtime_checkable
class Considers(Protocol):
    """An evaluator that also reports how it came to its judgments."""

    def consider(self, item: Item) -> Awaitable[Opinion]:
        """Returns the judgments, as `Evaluator.judge` does, plus usage and answer errors."""


async def opinion_of(evaluator: Evaluator, item: Item) -> Opinion:
    """Has an evaluator judge a response and checks the result."""
    if isinstance(evaluator, Considers):
        opinion = await evaluator.consider(item)
    else:
        opinion = Opinion(tuple(await resolve(evaluator.judge(item))))
    judgements = typed_answers(
        Judgement, opinion.judgements, evaluator, "judge", Evaluator, len(item.segments)
    )
    for judgement in judgements:
        p = judgement.probability
        if judgement.status not in STATUSES:
            fault = f"gave the status {judgement.status!r}"
            raise wrong_answer(evaluator, "judge", Evaluator, fault, ", ".join(sorted(STATUSES)))
        if p is not None and not 0 <= p <= 1:
            fault = f"gave the probability {p!r}"
            raise wrong_answer(evaluator, "judge", Evaluator, fault, "None, or 0 to 1")
        if judgement.error is None and judgement.status in READ:
            fault = f"gave error None with the status {judgement.status!r}"
            raise wrong_answer(evaluator, "judge", Evaluator, fault, "a status that says why")
    return opinion


RANDOM = "random"
#: Probability that `RANDOM` flags a segment; expected counts are computed, nothing is drawn.
Q = 0.5

_RULES: Mapping[str, Callable[[Item, int], bool]] = {
    "none": lambda item, place: False,
    "all": lambda item, place: True,
    "all-claims": lambda item, place: item.segments[place].claim,
    "last": lambda item, place: place == len(item.segments) - 1,
    "first-two": lambda item, place: place < 2,
}
BASELINES = (*_RULES, RANDOM)


class Baseline:
    """Flags segments based only on their position."""

    def __init__(self, name: str) -> None:
        self._rule = _RULES[name]
        self.name = name

    @property
    def settings(self) -> Mapping[str, Any]:
        """The name of the baseline."""
        return {"name": self.name}

    def judge(self, item: Item) -> Sequence[Judgement]:
        """Returns one judgment per segment, in order."""
        return [Judgement(self._rule(item, place)) for place in range(len(item.segments))]
