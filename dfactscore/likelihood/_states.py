"""Caches a context's states for later contexts that begin in the same way."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Sequence
from typing import Any

from dfactscore.likelihood._windows import common_start

_BLOCK = 64


class PrefixStates:
    """Processes contexts in blocks of tokens and keeps the states of the last context.

    Items from the same page have contexts that begin in the same way. A context is always split
    into the same blocks, so its results do not depend, even in the last bit, on earlier contexts.
    """

    def __init__(self, network: Any, device: str) -> None:
        self._network = network
        self._device = device
        self._ids: list[int] = []
        self._states: Any = None
        self._whole = True  # whether the states can be cropped and copied
        known = inspect.signature(network.forward).parameters
        # Only the logits after the last token of a context are needed.
        self._last: dict[str, int] = {"logits_to_keep": 1} if "logits_to_keep" in known else {}

    def read(self, ids: Sequence[int]) -> tuple[Any, Any] | None:
        """Returns the states after some tokens, and the next logits.

        The caller may change the states. The result is None if the model
        has no states or does not have one state per token.
        """
        if not self._whole:
            return None
        blocks = (len(ids) - 1) // _BLOCK * _BLOCK  # leaves at least one token
        kept = min(common_start(self._ids, ids) // _BLOCK * _BLOCK, blocks)
        if kept == 0:
            self._states = None
        elif kept < len(self._ids):
            self._states.crop(kept - len(self._ids))  # a negative number removes tokens
        self._ids = list(ids[:kept])
        for start in range(kept, blocks, _BLOCK):
            self._states = self._pass(ids[start : start + _BLOCK], self._states)[0]
            if not _can_be_cut(self._states):
                self._whole, self._states, self._ids = False, None, []
                return None
            self._ids = list(ids[: start + _BLOCK])
        states, logits = self._pass(ids[blocks:], copy.deepcopy(self._states))
        return (states, logits) if _can_be_cut(states) else None

    def _pass(self, ids: Sequence[int], states: Any) -> tuple[Any, Any]:
        import torch

        tokens = torch.tensor([list(ids)], device=self._device)
        output = self._network(tokens, past_key_values=states, use_cache=True, **self._last)
        return getattr(output, "past_key_values", None), output.logits[0, -1:]


def _can_be_cut(states: Any) -> bool:
    """Whether there is one state per token, rather than states of a window or a running sum."""
    layers: Any = getattr(states, "layers", None) or ()
    return (
        bool(layers)
        and hasattr(states, "crop")
        and hasattr(states, "batch_repeat_interleave")
        and all(type(layer).__name__ == "DynamicLayer" for layer in layers)
    )
