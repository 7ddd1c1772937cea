"""Selects the entities that a group may be linked to."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dfactscore._text.names import bears_name
from dfactscore.linking._errors import LinkingError

CandidateMode = Literal["retrieved", "named", "dataset"]


def candidate_mask(
    titles: Sequence[Sequence[str]],
    name: str,
    *,
    # `"retrieved"`: all entities, as in the paper (appendix C.1). `"named"`: entities with a title
    # or redirect that bears the name (see `bears_name`). `"dataset"`: entities that AmbigBio lists
    # for the name, as the paper's annotators saw them.
    mode: CandidateMode = "retrieved",
    dataset: Collection[str] = (),
) -> NDArray[np.bool_]:
    """Marks the entities that a group may be linked to.

    Candidates restrict only linking; FActScore always considers all entities.
    """
    if mode == "retrieved":
        return np.ones(len(titles), dtype=bool)
    if mode == "named":
        return np.array([any(bears_name(t, name) for t in row) for row in titles], dtype=bool)
    if mode == "dataset":
        if not dataset:
            raise LinkingError(f"candidates 'dataset': the dataset lists no entity for {name!r}")
        listed = set(dataset)
        return np.array([not listed.isdisjoint(row) for row in titles], dtype=bool)
    raise LinkingError(f"unknown candidates {mode!r}; choose retrieved, named or dataset")
