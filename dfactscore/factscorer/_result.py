"""The result that the ``factscore`` package returns: a plain dict with keys in its order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dfactscore._scoring.length import length_penalty
from dfactscore._util.numbers import mean

#: For each text one entry per fact, in order; None if it abstains or states nothing.
Decisions = Sequence[Sequence[Mapping[str, Any]] | None]


def aggregate(
    decisions: Decisions,
    *,
    gamma: float | None = 10,
    responses: Sequence[bool] | None = None,
    config_name: str = "",
) -> dict[str, Any]:
    """The result of some decisions.

    Args:
        decisions: One entry per text, with ``is_supported`` of each fact.
        gamma: Facts below which a text is penalized: its share is multiplied by exp(1 − gamma/n)
            unless n > gamma; none for 0 or None.
        responses: For each text that counts whether it answered; by default those with decisions
            did. As in the old package a text whose given facts are none has answered, one of which
            no fact can be made has not.
        config_name: OpenFActScore's name of the models, or empty.

    Returns:
        ``score``, ``respond_ratio``, ``decisions``, ``num_facts_per_response``, with a penalty
        ``init_score``, and ``config_name`` if there is one.

    Example:
        >>> found = aggregate([[{"atom": "A.", "is_supported": True}], None], gamma=0)
        >>> found["score"], found["respond_ratio"], found["num_facts_per_response"]
        (1.0, 0.5, 1.0)
    """
    answered = [decision for decision in decisions if decision]
    said = [bool(decision) for decision in decisions] if responses is None else list(responses)
    result: dict[str, Any] = {
        "score": mean(shares(answered, gamma)),
        "respond_ratio": sum(said) / len(said) if said else 0.0,
        "decisions": [None if not d else [dict(one) for one in d] for d in decisions],
        "num_facts_per_response": mean(float(len(decision)) for decision in answered),
    }
    if gamma:
        result["init_score"] = mean(shares(answered, None))
    return result | ({"config_name": config_name} if config_name else {})


def shares(answered: Sequence[Sequence[Mapping[str, Any]]], gamma: float | None) -> list[float]:
    """Share of supported facts of each text, with the penalty on its number of facts."""
    return [
        sum(bool(one["is_supported"]) for one in decision)
        / len(decision)
        * length_penalty(len(decision), gamma or None)
        for decision in answered
    ]
