"""Token log-probabilities: the two shapes that servers use, and what they say about a yes or no."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from dfactscore._asking.messages import TokenLogprob

_IMPOSSIBLE = -9999.0  # What servers themselves write for it.


def read_logprobs(choice: Mapping[str, Any]) -> tuple[TokenLogprob, ...]:
    """Reads the log-probabilities of an answer's tokens.

    The chat shape is ``logprobs.content[{token, logprob, top_logprobs}]``; the classic one
    ``logprobs.{tokens, token_logprobs, top_logprobs}``. Some servers answer either route in
    either shape, so both are tried; anything else gives an empty tuple.

    Args:
        choice: One element of a response's ``choices``.
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
    """Alternatives as a list of objects or as one object; whatever else counts as none."""
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
    """A log-probability; other values count as that of the impossible."""
    if type(value) not in (float, int) or value != value:
        return _IMPOSSIBLE
    return float(min(max(value, _IMPOSSIBLE), 0.0))


def token_starts(tokens: Sequence[TokenLogprob], text: str) -> list[int]:
    """Returns the start of each token in an answer, in characters; below 0 before the answer.

    Some servers take a Markdown fence or blanks off the answer and leave their tokens in the list.

    Returns:
        One number per token, or none if the tokens do not hold the answer.
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
    tokens: Sequence[TokenLogprob], starts: Sequence[int], offset: int, *, said: bool
) -> float | None:
    """The probability of *true* against *false* where an answer says one of them.

    Args:
        tokens: The answer's tokens.
        starts: Their starts in the answer, from `token_starts`.
        offset: Character at which the word ``true`` or ``false`` begins in the answer.
        said: The one of the two that was said.

    Returns:
        A number in [0, 1] rounded to six digits, or None without usable log-probabilities.

    Example:
        >>> token = TokenLogprob("true", math.log(0.6), (("false", math.log(0.2)),))
        >>> probability_of_true([token], token_starts([token], "true"), 0, said=True)
        0.75
    """
    if not starts:
        return None
    index = bisect_right(starts, offset) - 1
    return _ratio(tokens[index], offset - starts[index], said)


def _ratio(token: TokenLogprob, skip: int, said: bool) -> float | None:
    mass = {True: 0.0, False: 0.0}
    lead = token.token[:skip].strip()
    seen = False
    listed = 0.0
    for text, logprob in token.top:
        listed += math.exp(logprob)
        seen = seen or text == token.token
        word = text.strip().removeprefix(lead).strip().lower()
        if word and ("true".startswith(word) or word.startswith("true")):
            mass[True] += math.exp(logprob)
        elif word and ("false".startswith(word) or word.startswith("false")):
            mass[False] += math.exp(logprob)
    if not seen:
        mass[said] += math.exp(token.logprob)
        listed += math.exp(token.logprob)
    if not mass[not said]:
        # The other word is not listed, so that no more than what is left over can be its.
        mass[not said] = max(0.0, 1.0 - listed)
        if mass[not said] > mass[said]:
            # A grammar forced the word where the model wanted something else: nothing is known.
            return None
    total = mass[True] + mass[False]
    return round(mass[True] / total, 6) if total > 0 else None
