"""The weights that tell whose a passage is: those shipped are fitted, and read by the package."""

from __future__ import annotations

import json
from collections import Counter
from importlib.resources import files

import fit_owners


def test_the_shipped_weights_have_a_value_for_each_reason_and_place():
    shipped = json.loads(files("dfactscore._evidence").joinpath("weights.json").read_text())
    earlier = json.loads((fit_owners.HERE / "owner_weights.json").read_text())
    assert shipped["reasons"].keys() == earlier.keys()
    assert tuple(shipped["placing"]) == fit_owners.PLACING
    assert tuple(shipped["unseen"]) == fit_owners.BEARS
    assert all(value * earlier[name] >= 0 for name, value in shipped["reasons"].items())


def test_a_reason_that_misleads_loses_weight_and_an_absent_one_keeps_it():
    pairs = [(Counter({"same role": 1}), n % 2 == 0, 1.0) for n in range(200)]
    fitted = fit_owners.fit_reasons(pairs, {"same role": 2.0, "other name": -6.0})
    assert 0 <= fitted["same role"] < 0.5
    assert fitted["other name"] == -6.0


def test_invented_people_are_told_apart_by_their_documents():
    counts = fit_owners.joins(a for a in fit_owners.invented() if a.kind == "documents")
    assert counts[False, True] == 0
    assert counts[True, True] > 0.9 * (counts[True, True] + counts[True, False])
