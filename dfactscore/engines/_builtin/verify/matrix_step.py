"""The second step of the built-in judge: what a probability is worth among all those of a text.

The judge looks at one fact and one page at a time. Two things it cannot see so:

- *Rivals.* A fact that one page supports well and another page a little is probably the first
  one's: what the second page has of it are the words that the two share. So every cell moves
  further away from the best one of its row, by `rivalry` times the distance in log-odds. The best
  cell stays, and with it FActScore, and a single page; so do cells as good as the best, for a fact
  may be true of several people.
- *Prevalence.* A calibrated probability holds for texts of which the usual share of facts is
  supported. Texts written from retrieved passages are such texts; text judged against whole pages
  may be any. There the share is estimated from the text itself (by EM: Saerens, Latinne and
  Decaestecker 2002), the usual one counting as `worth` facts, and all log-odds of the text move by
  what the share differs. Other texts have no part in it.

The order of facts and pages changes nothing, nor does either step change the order of the cells of
a row, or of one page's cells if there is no other.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_EDGE = 1e-4  # a certainty counts as so much less
_ROUNDS = 100
_Array = NDArray[np.float64]


def apart(probability: _Array, rivalry: float) -> _Array:
    """Moves each cell away from the best one of its row.

    Args:
        probability: Shape ``(facts, pages)``; NaN if a cell has none.
        rivalry: By how much of its distance from the best cell; 0 changes nothing.

    Example:
        >>> apart(np.array([[0.9, 0.5], [0.9, 0.9]]), 0.5).round(3).tolist()
        [[0.9, 0.25], [0.9, 0.9]]
    """
    if not rivalry or probability.shape[1] < 2:
        return probability
    odds = _log_odds(probability)
    best = np.fmax.reduce(odds, axis=1)[:, None]
    return np.where(odds < best, _share(odds - rivalry * (best - odds)), probability)


def adapted(probability: _Array, usual: float, worth: float) -> _Array:
    """Moves the log-odds of a text to the share of its facts that are supported.

    Args:
        probability: Shape ``(facts, pages)``; NaN if a cell has none.
        usual: The share that probabilities are calibrated for.
        worth: The facts that it counts as.

    Example:
        >>> few = adapted(np.array([[0.9], [0.1], [0.1]]), usual=0.8, worth=10)
        >>> few.round(2).tolist()
        [[0.83], [0.06], [0.06]]
    """
    odds = _log_odds(np.fmax.reduce(probability, axis=1, initial=np.nan))
    odds = odds[~np.isnan(odds)]
    before = move = float(np.log(usual / (1 - usual)))
    for _ in range(_ROUNDS):
        share = (_share(odds + move - before).sum() + worth * usual) / (len(odds) + worth)
        move = float(np.log(share / (1 - share)))
    return _share(_log_odds(probability) + move - before)


def _log_odds(probability: _Array) -> _Array:
    edged = np.clip(probability, _EDGE, 1 - _EDGE)
    return np.asarray(np.log(edged / (1 - edged)))


def _share(odds: _Array) -> _Array:
    return np.asarray(1 / (1 + np.exp(-odds)))
