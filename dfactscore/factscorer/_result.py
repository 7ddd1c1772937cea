"""Results in the format of the ``factscore`` package: dicts with its keys, in its order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dfactscore._scoring.length import length_penalty
from dfactscore._util.numbers import mean

#: For each text, one entry per fact, in order; None for abstentions and texts without facts.
Decisions = Sequence[Sequence[Mapping[str, Any]] | None]


def aggregate(
    decisions: Decisions,  # one entry per text, which gives `is_supported` for each fact
    *,
    # Number of facts below which a text is penalized: if a text has n ≤ gamma facts, its share is
    # multiplied by exp(1 − gamma/n). 0 and None mean no penalty.
    gamma: float | None = 10,
    # Whether each text is an answer; by default, every text that has decisions counts as one. As in
    # the original package, a text with an empty list of given facts is an answer, and a text in
    # which the decomposer finds no facts is not.
    responses: Sequence[bool] | None = None,
    config_name: str = "",
) -> dict[str, Any]:
    """Computes the result from decisions.

    Example:
        >>> found = aggregate([[{"atom": "A.", "is_supported": True}], None], gamma=0)
        >>> found["score"], found["respond_ratio"], found["num_facts_per_response"]
        (1.0, 0.5, 1.0)
    """
    answered = [decision for decision in decisions if decision]
    is_answer = [bool(decision) for decision in decisions] if responses is None else list(responses)
    result: dict[str, Any] = {
        "score": mean(shares(answered, gamma)),
        "respond_ratio": sum(is_answer) / len(is_answer) if is_answer else 0.0,
        "decisions": [None if not d else [dict(fact) for fact in d] for d in decisions],
        "num_facts_per_response": mean(float(len(decision)) for decision in answered),
    }
    if gamma:
        result["init_score"] = mean(shares(answered, None))
    # `score`, `respond_ratio`, `decisions` and `num_facts_per_response`; if there is a penalty,
    # also `init_score`; and `config_name` unless it is empty.
    return result | ({"config_name": config_name} if config_name else {})


def shares(answered: Sequence[Sequence[Mapping[str, Any]]], gamma: float | None) -> list[float]:
    """Each text's share of supported facts, with the length penalty applied."""
    return [
        sum(bool(fact["is_supported"]) for fact in decision)
        / len(decision)
        * length_penalty(len(decision), gamma or None)
        for decision in answered
    ]
