"""An evaluator's judgments of a response, and the evaluator protocol."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, get_args, runtime_checkable

from dfactscore._util.role_answers import resolve, typed_answers, wrong_answer
from dfactscore.meta._labeled import Item

JudgementStatus = Literal["read", "no_claim", "no_text", "unread", "refused", "truncated", "error"]
STATUSES = frozenset(get_args(JudgementStatus))
#: The valid answers; others flag nothing and lower coverage.
READ = frozenset({"read", "no_claim", "no_text"})


@dataclass(frozen=True, slots=True)
class Judgement:
    """Judgment of one segment.

    Attributes:
        error: Whether it is flagged as an error; None if the answer could not be read.
        probability: Of *support*, in [0, 1]; None if there is none.
        status: ``"read"``; ``"no_claim"``, nothing is asserted; ``"no_text"``, judged without a
            text; ``"unread"``, ``"refused"``, ``"truncated"`` or ``"error"``, without an answer.
    """

    error: bool | None
    probability: float | None = None
    status: JudgementStatus = "read"


@dataclass(frozen=True, slots=True)
class Opinion:
    """Judgment of one response.

    Attributes:
        judgements: One a segment, in order.
        out_of_range: Numbers in the answers that match no segment.
        usage: Usage by stage and model; see `dfactscore._util.usage`.
        fallback: Whether the evaluator did without references because there are none.
    """

    judgements: tuple[Judgement, ...]
    out_of_range: int = 0
    usage: Mapping[str, Any] = field(default_factory=dict)
    fallback: bool = False


@runtime_checkable
class Evaluator(Protocol):
    """Says which segments of a response are errors."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change an answer (JSON values), ``name`` among it."""

    def judge(self, item: Item) -> Sequence[Judgement] | Awaitable[Sequence[Judgement]]:
        """Returns one judgement a segment, in order."""


@runtime_checkable
class Considers(Protocol):
    """An evaluator that also says how it came to its judgements; without it, nothing is known."""

    def consider(self, item: Item) -> Awaitable[Opinion]:
        """Returns the judgements of `Evaluator.judge`, with what else is known."""


async def opinion_of(evaluator: Evaluator, item: Item) -> Opinion:
    """Asks an evaluator about a response, and checks its answer.

    Raises:
        InputError: If it does not give one fitting judgement for each segment.
    """
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
            given = f"gave the status {judgement.status!r}"
            raise wrong_answer(evaluator, "judge", Evaluator, given, ", ".join(sorted(STATUSES)))
        if p is not None and not 0 <= p <= 1:
            given = f"gave the probability {p!r}"
            raise wrong_answer(evaluator, "judge", Evaluator, given, "None, or 0 to 1")
        if judgement.error is None and judgement.status in READ:
            given = f"gave error None with the status {judgement.status!r}"
            raise wrong_answer(evaluator, "judge", Evaluator, given, "a status that says why")
    return opinion
