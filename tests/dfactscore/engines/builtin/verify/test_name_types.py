"""What names seem to be of."""

from __future__ import annotations

import numpy as np

from dfactscore.engines.builtin.verify.claims import prepare_claims
from dfactscore.engines.builtin.verify.name_types import (
    EVENT,
    ORGANIZATION,
    PERSON,
    PLACE,
    UNKNOWN,
)
from dfactscore.engines.builtin.verify.premise import Premise, prepare_premise

TEXT = (
    "She studied at the University of Leeds in York under Arthur Lamb. "
    "In the Battle of Hastings she carried Excalibur."
)


def of_page(premise: Premise, key: str) -> int:
    (entry,) = np.flatnonzero(premise.positions.rows == premise.rows[key])
    return int(premise.positions.type[entry])


def test_names_of_a_page_have_types() -> None:
    premise = prepare_premise((("Ann Lee", TEXT),))
    found = {key: of_page(premise, key) for key in ("york", "arthur", "lamb", "excalibur")}
    assert found == {"york": PLACE, "arthur": PERSON, "lamb": PERSON, "excalibur": UNKNOWN}
    assert of_page(premise, "battl") == EVENT
    assert of_page(premise, "studi" if "studi" in premise.rows else "attend") == UNKNOWN


def test_names_of_a_fact_have_the_same_types() -> None:
    units = prepare_claims([TEXT], "Ann Lee", {}).units
    named = units.type[units.sort == 1].tolist()
    assert named == [ORGANIZATION, PLACE, PERSON, EVENT, UNKNOWN]
