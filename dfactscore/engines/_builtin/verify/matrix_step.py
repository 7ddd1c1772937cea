"""The second step of the built-in judge: weighs a text's probabilities together.

The judge looks at one fact and one page at a time. It cannot see two things:

- *Share.* A probability from the map is valid for texts like those that the map was fitted on, most
  of whose facts are supported. Another text may be about someone else, or invented. Each
  probability is therefore turned back into evidence: how far it lies above or below the probability
  `even`, at which evidence speaks neither for nor against a fact. The text's own facts then say
  what share of them is supported (EM: Saerens, Latinne and Decaestecker 2002), beginning with the
  usual share, which also counts as a number of facts; and each fact's odds are its evidence times
  the odds of that share. This number of facts grows with the text, or else a long text of uncertain
  facts would fall to a share far below that of a short one. The share does not depend on other
  texts, nor on the kind or length of the pages.
- *Rivals.* A fact that one page supports strongly and another page weakly probably belongs to the
  first page; the second merely shares some of its words. Every cell therefore moves further away
  from the best cell of its row, by `rivalry` times the distance between them in log-odds. The best
  cell does not change, so FActScore and the result for a single page stay the same. Cells that
  equal the best one do not change either, because a fact may be true of several people.

The result does not depend on the order of the facts or pages. Neither step changes the ranking of
the cells in a row, or of a page's cells if it is the only page; so no unsupported fact is worth
more than a supported one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_EDGE = 1e-4  # probabilities are clipped to this distance from 0 and 1
ROUNDS = 10_000  # a limit that no text reaches
STILL = 1e-9  # a share that moves less has arrived
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


@dataclass(frozen=True, slots=True)
class Share:
    """The scale that turns probabilities into evidence, and prior knowledge of a text's share."""

    even: float  # the probability at which evidence speaks neither for nor against a fact
    usual: float  # the share of supported facts before any evidence
    slope: float = 1.0  # log-odds of evidence per log-odds of probability
    worth: float = 1.0  # number of facts that the usual share counts as, …
    growth: float = 0.2  # … and how much it grows with each fact


def follow_evidence(probability: _Array, prior: Share) -> _Array:
    """Weighs each fact's evidence with the share of supported facts that its text suggests.

    Example:
        >>> few = follow_evidence(np.array([[0.9], [0.1], [0.1]]), Share(even=0.5, usual=0.8))
        >>> few.round(2).tolist()
        [[0.91], [0.11], [0.11]]
    """
    evidence = prior.slope * (_log_odds(probability) - _log_odds(np.float64(prior.even)))
    best = np.fmax.reduce(evidence, axis=1, initial=np.nan)
    # Sorted, so that the sum is the same in every order of the facts.
    share = _share_of(np.sort(best[~np.isnan(best)]), prior)
    return _share(evidence + _log_odds(share))


def _share_of(best: _Array, prior: Share) -> np.float64:
    """Returns the share of supported facts: the limit of repeated estimates, which are monotone."""
    worth = prior.worth + prior.growth * len(best)
    share = np.float64(prior.usual)
    for _ in range(ROUNDS):
        supported = _share(best + _log_odds(share)).sum()
        before, share = share, (supported + worth * prior.usual) / (len(best) + worth)
        if abs(share - before) < STILL:
            break
    return share


def shifted(probability: _Array, by: _Array) -> _Array:
    """Adds to the log-odds of each column of probabilities."""
    return np.where(by == 0, probability, _share(_log_odds(probability) + by))


def _log_odds(probability: _Array | np.float64) -> _Array:
    edged = np.clip(probability, _EDGE, 1 - _EDGE)
    return np.asarray(np.log(edged / (1 - edged)))


def _share(odds: _Array) -> _Array:
    return np.asarray(1 / (1 + np.exp(-odds)))
