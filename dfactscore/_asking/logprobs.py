"""Reads token log-probabilities in the two formats that servers use, and computes P(*true*)."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from dfactscore._asking.messages import TokenLogprob

_IMPOSSIBLE = -9999.0  # as servers write it


def read_logprobs(choice: Mapping[str, Any]) -> tuple[TokenLogprob, ...]:
    """Reads the log-probabilities of an answer's tokens.

    The chat format is ``logprobs.content[{token, logprob, top_logprobs}]``, the completion format
    ``logprobs.{tokens, token_logprobs, top_logprobs}``. Some servers use either format for either
    route, so both are tried; anything else yields an empty tuple.
    """
    data = choice.get("logprobs")
    if not isinstance(data, dict):
        return ()
    if isinstance(content := data.get("content"), list) and content:
        return tuple(
            TokenLogprob(
                str(one.get("token", "")),
                _number(one.get("logprob")),
                _top(one.get("top_logprobs")),
            )
            for one in content
            if isinstance(one, dict)
        )
    tokens, values, tops = (data.get(n) for n in ("tokens", "token_logprobs", "top_logprobs"))
    if not isinstance(tokens, list) or not isinstance(values, list):
        return ()
    if not isinstance(tops, list) or len(tops) != len(tokens):
        tops = [None] * len(tokens)
    return tuple(
        TokenLogprob(str(token), _number(value), _top(top))
        for token, value, top in zip(tokens, values, tops, strict=False)
        if value is not None
    )


def _top(listed: Any) -> tuple[tuple[str, float], ...]:
    """Reads alternatives from a list of objects or a single object; ignores other values."""
    if isinstance(listed, dict):
        return tuple([(str(token), _number(value)) for token, value in listed.items()])
    if not isinstance(listed, list):
        return ()
    return tuple(
        [
            (str(one.get("token", "")), _number(one.get("logprob")))
            for one in listed
            if isinstance(one, dict)
        ]
    )


def _number(value: Any) -> float:
    """Reads a log-probability; values that are not numbers are read as impossible."""
    if type(value) not in (float, int) or value != value:
        return _IMPOSSIBLE
    return float(min(max(value, _IMPOSSIBLE), 0.0))


def token_starts(tokens: Sequence[TokenLogprob], text: str) -> list[int]:
    """Returns the character position at which each token of an answer starts.

    The position is negative for tokens before the answer: some servers strip a Markdown fence or
    spaces from the answer but not from the tokens.
    """
    joined = "".join(token.token for token in tokens)
    position = -joined.find(text)
    if position > 0 or not text:
        return []
    starts = []
    for token in tokens:
        starts.append(position)
        position += len(token.token)
    return starts


def probability_of_true(
    tokens: Sequence[TokenLogprob], starts: Sequence[int], offset: int, *, value: bool
) -> float | None:
    """Returns the probability of *true* relative to *false* where an answer contains either word.

    Example:
        >>> token = TokenLogprob("true", math.log(0.6), (("false", math.log(0.2)),))
        >>> probability_of_true([token], token_starts([token], "true"), 0, value=True)
        0.75
    """
    # Returns a number in [0, 1] rounded to six digits; None if there are no usable
    # log-probabilities.
    if not starts:
        return None
    index = bisect_right(starts, offset) - 1
    return _ratio(tokens[index], offset - starts[index], value)


def _ratio(token: TokenLogprob, skip: int, value: bool) -> float | None:
    mass = {True: 0.0, False: 0.0}
    lead = token.token[:skip].strip()
    is_listed = False
    total_mass = 0.0
    for text, logprob in token.top:
        total_mass += math.exp(logprob)
        is_listed = is_listed or text == token.token
        word = text.strip().removeprefix(lead).strip().lower()
        if word and ("true".startswith(word) or word.startswith("true")):
            mass[True] += math.exp(logprob)
        elif word and ("false".startswith(word) or word.startswith("false")):
            mass[False] += math.exp(logprob)
    if not is_listed:
        mass[value] += math.exp(token.logprob)
        total_mass += math.exp(token.logprob)
    if not mass[not value]:
        # The other word is not listed, so it has at most the remaining probability.
        mass[not value] = max(0.0, 1.0 - total_mass)
        if mass[not value] > mass[value]:
            # A grammar forced the model to write this word when it preferred something else.
            return None
    total = mass[True] + mass[False]
    return round(mass[True] / total, 6) if total > 0 else None
