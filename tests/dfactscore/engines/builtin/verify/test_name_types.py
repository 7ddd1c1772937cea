"""Types of names."""

from __future__ import annotations

import numpy as np

from dfactscore.engines._builtin.verify.claims import UNIT_SHAPE, prepare_claims
from dfactscore.engines._builtin.verify.name_types import (
    COARSE,
    EVENT_WORD,
    ORGANIZATION,
    PERSON,
    PLACE,
    RELATIVE,
    ROLE,
    SCHOOL,
    UNKNOWN,
    WAR,
    type_hint,
    word_type,
)
from dfactscore.engines._builtin.verify.positions import positions_of
from dfactscore.engines._builtin.verify.premise import Premise, prepare_premise

TEXT = (
    "She studied at the University of Leeds in York under Arthur Lamb. "
    "In the Battle of Hastings she carried Excalibur."
)


def of_page(premise: Premise, key: str) -> int:
    (entry,) = np.flatnonzero(premise.entries[0] == premise.rows[key])
    return int(positions_of([premise.entries]).codes[1, entry])


def test_names_of_a_page_have_types() -> None:
    premise = prepare_premise((("Ann Lee", TEXT),))
    found = {key: of_page(premise, key) for key in ("york", "arthur", "lamb", "excalibur")}
    assert found == {"york": PLACE, "arthur": PERSON, "lamb": PERSON, "excalibur": UNKNOWN}
    assert of_page(premise, "battl") == WAR
    assert of_page(premise, "attend") == EVENT_WORD
    assert of_page(premise, "carry") == UNKNOWN


def test_names_of_a_fact_have_the_same_types() -> None:
    units = prepare_claims([TEXT], "Ann Lee", {}).units
    named = units.shape[UNIT_SHAPE.index("type"), units.sort == 1].tolist()
    assert named == [SCHOOL, PLACE, PERSON, WAR, UNKNOWN]


def test_sorts_of_organizations_and_events_are_one_coarse_type() -> None:
    schools, clubs, armies = (COARSE[type_hint(word)] for word in ("college", "rovers", "navy"))
    assert schools == clubs == armies == COARSE[ORGANIZATION]
    assert COARSE[type_hint("medal")] == COARSE[type_hint("cup")] == COARSE[WAR]
    assert len({COARSE[kind] for kind in (UNKNOWN, PLACE, PERSON, WAR, SCHOOL)}) == 5


def test_words_are_relatives_roles_or_events() -> None:
    found = [word_type(word, word) for word in ("brother", "violinist", "born", "green")]
    assert found == [RELATIVE, ROLE, EVENT_WORD, UNKNOWN]


def test_a_name_continues_behind_for_where_it_names_an_organization() -> None:
    texts = ["She led the Center for Alpine Birds.", "She played in Leeds for Durham."]
    units = [prepare_claims([text], "Ann Lee", {}).units for text in texts]
    assert [(unit.sort == 1).sum() for unit in units] == [1, 2]
