"""The position table: classes of words, gaps, dates in parentheses, and windows of a long page."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dfactscore.engines._builtin.verify.binding import UNIT_FEATURES, bind
from dfactscore.engines._builtin.verify.claims import SHAPE, UNIT_SHAPE, prepare_claims
from dfactscore.engines._builtin.verify.features import FEATURES, align
from dfactscore.engines._builtin.verify.positions import CLASSES, ENTRY
from dfactscore.engines._builtin.verify.premise import Premise, prepare_premise

BRUCE = (
    "John Bruce (1744–1826) was a Scottish academic. He studied at the University of Edinburgh "
    "from 1762 to 1764. His father was a merchant, not a priest."
)


def page(text: str, title: str = "John Bruce") -> Premise:
    return prepare_premise(((title, text),))


def field(premise: Premise, name: str) -> NDArray[np.int32]:
    return premise.entries[ENTRY.index(name)]


def entries(premise: Premise, key: str) -> list[int]:
    return np.flatnonzero(field(premise, "row") == premise.rows[key]).tolist()


def test_words_have_classes_and_the_preposition_before_them() -> None:
    premise = page(BRUCE)
    (year,) = entries(premise, "1762")
    (until,) = entries(premise, "1764")
    assert field(premise, "sort")[year] == CLASSES["year"]
    assert field(premise, "before")[year] != field(premise, "before")[until]
    (edinburgh,) = entries(premise, "edinburgh")
    assert field(premise, "sort")[edinburgh] == CLASSES["name"]
    (merchant,) = entries(premise, "merchant")
    assert field(premise, "kin")[merchant] < 5
    (priest,) = entries(premise, "priest")
    assert field(premise, "denied")[priest] < 4 < field(premise, "denied")[merchant]


def test_years_in_parentheses_stand_beside_birth_and_death() -> None:
    premise = page(BRUCE)
    born, died = entries(premise, "born")[0], entries(premise, "die")[0]
    first, last = entries(premise, "1744")[0], entries(premise, "1826")[0]
    assert born < first < died < last
    assert field(premise, "place")[first] - field(premise, "place")[born] == 1
    assert field(premise, "place")[last] - field(premise, "place")[died] == 1


def test_sentences_stand_further_apart_than_clauses() -> None:
    premise = page("He sang, then danced. He wrote.")
    at = field(premise, "place")
    sang, danced, wrote = (entries(premise, key)[0] for key in ("singer", "danc", "author"))
    assert at[danced] - at[sang] < 10 < 16 < at[wrote] - at[danced]


def test_the_names_of_a_list_stand_where_the_first_does() -> None:
    text = "He played for Durham, Leeds United (1967) and York in the league. He met Kent, a man."
    premise = page(text)
    durham, leeds, york = (entries(premise, key)[0] for key in ("durham", "leed", "york"))
    place, before = field(premise, "place"), field(premise, "before")
    assert place[durham] == place[leeds] == place[york]
    assert before[durham] == before[leeds] == before[york] > 0
    (league,) = entries(premise, "leagu")
    assert 0 < place[league] - place[durham] < 5
    (kent,) = entries(premise, "kent")
    assert place[kent] > place[league]


def holders(text: str, *keys: str) -> list[int]:
    premise = page(text)
    return [int(field(premise, "holder")[entries(premise, key)[0]]) for key in keys]


def test_words_are_said_of_the_bearer_of_a_relative_or_of_a_name_beside_them() -> None:
    text = "Bruce was a baker. His brother Neil Bruce is a sailor. He sang with the drummer Al Kay."
    assert holders(text, "baker", "sailor", "drummer") == [1, -1, -2]
    text = "Al Kay, a drummer, left. He sang in Leeds, where his father was a sailor."
    assert holders(text, "drummer", "leed", "sailor") == [-2, 1, -1]
    text = "Bruce was born to a sailor and Peter Lamb, who was a baker, sang."
    assert holders(text, "baker") == [-1]


def test_words_stand_under_a_preposition_up_to_a_verb_or_a_mark() -> None:
    premise = page("He was born to a poor sailor, a drummer with his wife Ann.")
    under = field(premise, "under")
    poor, sailor, drummer = (under[entries(premise, k)[0]] for k in ("poor", "sailor", "drummer"))
    assert poor == sailor > 0 == drummer


def test_what_was_only_hoped_for_stands_behind_its_word() -> None:
    premise = page("He won the Gold Cup and was nominated for the Silver Spoon.")
    gap = np.minimum(field(premise, "unreal"), 40)
    (spoon,), (gold,) = entries(premise, "spoon"), entries(premise, "gold")
    assert gap[spoon] < 5 < 40 == gap[gold]


def test_a_range_from_a_later_to_an_earlier_year_is_backward() -> None:
    facts = [
        "He played from 1967 to 1962.",
        "He played between May 1967 and June 1962.",
        "He played from 1962 to 1967.",
        "He played in 1967 and 1962.",
        "He won in 1967 and moved to York in 1962.",
    ]
    claims = prepare_claims(facts, "John Bruce", {})
    backward = claims.units.shape[UNIT_SHAPE.index("backward")]
    marked = {int(i) for i in claims.units.owner[backward > 0]}
    assert marked == {0, 1}
    assert claims.shape[:, SHAPE.index("fact_backward")].tolist() == [1, 1, 0, 0, 0]


def test_units_know_the_event_that_they_go_with() -> None:
    claims = prepare_claims(["In 1950 he studied in Leeds and played for York."], "", {})
    units = claims.units
    keys = [claims.keys[claims.place[i]] for i in units.around[3]]
    assert keys == ["attend", "attend", "attend", "attend", "play"]
    verb = units.shape[UNIT_SHAPE.index("verb")]
    assert verb[0] == verb[2] != verb[4] > 0


def test_facts_say_which_person_they_are_of() -> None:
    facts = ["John Bruce sang.", "He sang.", "His father sang.", "Al Kay sang.", "The town fell."]
    claims = prepare_claims(facts, "John Bruce", {})
    assert claims.shape[:, SHAPE.index("fact_subject")].tolist() == [3, 3, 2, 1, 2]


def test_a_fact_of_the_second_bearer_is_read_without_the_number() -> None:
    plain, second = (
        prepare_claims([text], "John Bruce", {})
        for text in ("John Bruce sang.", "The second John Bruce sang.")
    )
    assert plain.keys == second.keys
    assert "2th" in prepare_claims(["The second bridge collapsed."], "John Bruce", {}).keys


def test_units_are_names_dates_and_words() -> None:
    claims = prepare_claims(
        ["He was born on May 4, 1901 at the University of Edinburgh in Boston and Chicago."], "", {}
    )
    found = [
        [claims.keys[i] for i in claims.place[begin : begin + size]]
        for begin, size in zip(claims.units.around[0], claims.units.sizes, strict=True)
    ]
    assert found == [
        ["born"],
        ["month5", "4", "1901"],
        ["university", "edinburgh"],
        ["boston"],
        ["chicago"],
    ]
    assert claims.units.sort.tolist() == [0, 3, 1, 1, 1]


def table(fact: str, text: str) -> dict[str, list[float]]:
    """Features by name, with one value per unit of the fact."""
    premise = page(text)
    claims = prepare_claims([fact], "John Bruce", {})
    bound = bind(claims, [premise], align(claims, [premise]), np.array([0]))
    return {name: bound.table[:, i].tolist() for i, name in enumerate(UNIT_FEATURES)}


TEXT = "Bruce joined the navy in 1880. He sailed for ten years. He married Ann Cole in 1893."


def test_the_right_year_is_nearer_to_its_event_than_another_of_the_page() -> None:
    right = table("He married in 1893.", TEXT)
    wrong = table("He married in 1880.", TEXT)
    assert right["near"][1] > wrong["near"][1]
    assert right["lead_near"][1] > 0 > wrong["lead_near"][1]
    assert right["lead_after"][1] > 0 > wrong["lead_after"][1]


def test_other_text_on_the_page_changes_no_unit() -> None:
    other = "\n".join(f"Peter Lamb painted house number {n} in Rome." for n in range(11, 90))
    alone, among = (table("He married Ann Cole in 1893.", text) for text in (
        TEXT, f"{other}\n{TEXT}\n{other}"))  # fmt: skip
    for name in ("covered", "near", "close", "after", "ahead", "kin", "denied_there"):
        assert alone[name] == among[name], name


def test_the_window_holds_what_stands_together_on_a_long_page() -> None:
    other = "\n".join(f"Peter Lamb painted house number {n} in Rome." for n in range(11, 90))
    claims = prepare_claims(["He married Ann Cole in 1893."], "John Bruce", {})
    column = FEATURES.index("window_all")
    together = align(claims, [page(f"{other}\n{TEXT}")]).table[0, column]
    apart = page(f"He married young.\n{other}\nAnn Cole sang.\n{other}\nIt was 1893.")
    assert together == 1
    assert align(claims, [apart]).table[0, column] < 1
