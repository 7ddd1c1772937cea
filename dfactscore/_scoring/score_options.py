"""The scoring options."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from dfactscore._errors import InputError
from dfactscore._scoring.matrix import Counts
from dfactscore.linking import LinkMethod

Unreadable = Literal["auto", "bounds", "unsupported", "exclude"]
Irrelevant = Literal["keep", "exclude"]


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """Scoring options; the defaults are those of the paper.

    Attributes:
        link: The method that links groups to entities.
        unreadable: How unreadable cells count. ``"bounds"`` gives the scores with all of them
            counted as 0 and as 1, instead of a score that depends on them; ``"unsupported"`` counts
            them as unsupported; ``"exclude"`` drops the fact from both scores. ``"auto"`` is
            ``"bounds"`` for pages that were not judged (a refusal, no answer, or no readable
            verdict), and for texts of which fewer than 80 % of the verdicts could be read; other
            unreadable cells count as unsupported.
        irrelevant: ``"keep"`` counts irrelevant facts as unsupported, as in the published human
            FActScores; ``"exclude"`` drops them from both scores.
        threshold: Minimum probability at which a fact counts as supported; if None, the verdicts
            are used as they are.
        counts: Values that FS, D-FS and links are based on: ``"verdicts"``, or the ``"expected"``
            number of supported facts (the sum of calibrated probabilities).
        gamma: FActScore's length penalty (10 in that paper); None disables it.
        min_foreign: Number of facts of a namesake at which a group counts as mixed; if None, more
            than a twentieth of the text's facts (`dfactscore.linking.MIXED_SHARE`).
        keep_repeats: Whether F1@K counts a repeated fact every time it occurs; by default, it is
            counted once.

    Raises:
        InputError: If a choice is unknown, or a number is infinite or out of range.
    """

    link: LinkMethod = "argmax"
    unreadable: Unreadable = "auto"
    irrelevant: Irrelevant = "keep"
    threshold: float | None = None
    counts: Counts = "verdicts"
    gamma: float | None = None
    min_foreign: int | None = None
    keep_repeats: bool = False

    def __post_init__(self) -> None:
        for name, known in (
            ("link", get_args(LinkMethod)),
            ("unreadable", get_args(Unreadable)),
            ("irrelevant", get_args(Irrelevant)),
            ("counts", get_args(Counts)),
        ):
            value = getattr(self, name)
            if value not in known:
                raise InputError(f"{name}={value!r} is unknown; choose {' or '.join(known)}")
        if self.threshold is not None and not 0 <= self.threshold <= 1:
            raise InputError(f"threshold={self.threshold} is not a probability (0 to 1)")
        if self.gamma is not None and not 0 <= self.gamma < math.inf:
            raise InputError(f"gamma={self.gamma} is not a number of facts (10 in FActScore)")
        if self.min_foreign is not None and self.min_foreign < 1:
            raise InputError(f"min_foreign={self.min_foreign} is not a number of facts from 1 on")

    def changed(self, **options: Any) -> ScoreOptions:
        """Returns a copy with some options changed; None keeps an option's value.

        Raises:
            InputError: If a choice is unknown, or a number is infinite or out of range.
        """
        return replace(self, **{k: v for k, v in options.items() if v is not None})
