"""The second step of the built-in judge: adjusts a text's probabilities relative to each other.

The judge looks at one fact and one page at a time. It cannot see two things:

- *Rivals.* A fact that one page supports strongly and another page weakly probably belongs to the
  first page; the second merely shares some of its words. Every cell therefore moves further away
  from the best cell of its row, by `rivalry` times the distance between them in log-odds. The best
  cell does not change, so FActScore and the result for a single page stay the same. Cells that
  equal the best one do not change either, because a fact may be true of several people.
- *Prevalence.* A calibrated probability is valid for texts with the usual share of supported facts.
  Texts written from retrieved passages have that share; texts judged against whole pages may not.
  For these, EM estimates the share from the text itself (Saerens, Latinne and Decaestecker 2002),
  with the usual share as a prior worth `worth` facts, and all log-odds of the text shift by the
  difference. The estimate does not depend on other texts.

The result does not depend on the order of the facts or pages. Neither step changes the ranking of
the cells in a row, or of a page's cells if it is the only page.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_EDGE = 1e-4  # probabilities are clipped to this distance from 0 and 1
_ROUNDS = 100
_Array = NDArray[np.float64]


def separate_rivals(probability: _Array, rivalry: float) -> _Array:
    """Moves each cell away from the best one of its row.

    Example:
        >>> separate_rivals(np.array([[0.9, 0.5], [0.9, 0.9]]), 0.5).round(3).tolist()
        [[0.9, 0.25], [0.9, 0.9]]
    """
    # `probability`: shape `(facts, pages)`; NaN if a cell has none.
    if not rivalry or probability.shape[1] < 2:
        return probability
    odds = _log_odds(probability)
    best = np.fmax.reduce(odds, axis=1)[:, None]
    return np.where(odds < best, _share(odds - rivalry * (best - odds)), probability)


def adapt_prevalence(probability: _Array, usual: float, worth: float) -> _Array:
    """Shifts the log-odds of a text to match the estimated share of its facts that are supported.

    Example:
        >>> few = adapt_prevalence(np.array([[0.9], [0.1], [0.1]]), usual=0.8, worth=10)
        >>> few.round(2).tolist()
        [[0.83], [0.06], [0.06]]
    """
    odds = _log_odds(np.fmax.reduce(probability, axis=1, initial=np.nan))
    odds = odds[~np.isnan(odds)]
    usual_odds = odds_now = float(np.log(usual / (1 - usual)))
    for _ in range(_ROUNDS):
        share = (_share(odds + odds_now - usual_odds).sum() + worth * usual) / (len(odds) + worth)
        odds_now = float(np.log(share / (1 - share)))
    return _share(_log_odds(probability) + odds_now - usual_odds)


def _log_odds(probability: _Array) -> _Array:
    edged = np.clip(probability, _EDGE, 1 - _EDGE)
    return np.asarray(np.log(edged / (1 - edged)))


def _share(odds: _Array) -> _Array:
    return np.asarray(1 / (1 + np.exp(-odds)))
