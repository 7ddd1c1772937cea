"""The adjudicated pairs hold indexes and codes, and no text."""

import adjudicated


def test_the_codes_hold_no_text_and_weigh_up_to_all_facts():
    rows = adjudicated.read(adjudicated.CODES)
    assert len(rows) == adjudicated.PAIRS
    assert {frozenset(row) for row in rows} == {
        frozenset(("file", "biography", "fact", "weight", "code"))
    }
    assert {row["file"] for row in rows} <= set(adjudicated.FILES)
    assert {row["code"] for row in rows} == {0, 1, None}
    assert len({(row["file"], row["biography"], row["fact"]) for row in rows}) == len(rows)
    assert 5000 < sum(row["weight"] for row in rows) < 6000
