"""The bench of known truth: its texts are whole, its marks are right, and its limits can fail."""

from dataclasses import replace

import known_truth
import numpy as np
import pytest
from known_truth import FALSE, PARTS, Case, Figures

from dfactscore import Scorer

CASES = {name: cases() for name, (cases, _) in PARTS.items()}


def figures(cases, error=0.0):
    """Figures by kind whose scores are `error` above a truth by sentences."""
    found = {}
    for kind in dict.fromkeys(case.kind for case in cases):
        rows = [case for case in cases if case.kind == kind]
        marks = [[mark for _, mark in case.sentences] for case in rows]
        truth = np.array(
            [[np.mean([m != FALSE for m in row]), known_truth.true_dfs(case, row)]
             for case, row in zip(rows, marks, strict=True)]
        )  # fmt: skip
        size = np.array([len(row) for row in marks], dtype=float)
        names = [case.name for case in rows]
        found[kind] = Figures(names, truth, truth + error, truth.copy(), size)
    return found


def test_the_people_are_many_and_each_text_is_whole():
    pairs = list(known_truth.people())
    assert len(pairs) >= 20
    assert all(a["name"] == b["name"] and a["title"] != b["title"] for a, b in pairs)
    assert len({row["title"] for pair in pairs for row in pair}) == 2 * len(pairs)
    assert all(len(row["told"]) == 8 for pair in pairs for row in pair)
    assert all(len(a["lies"]) == 5 for a, _ in pairs)
    assert all(row["told"][0].startswith(row["name"]) for pair in pairs for row in pair)
    assert all(80 < len(row["page"].split()) < 150 for pair in pairs for row in pair)
    near = known_truth.rows("near_events")
    assert len({row["name"] for row in near}) >= 20
    assert all(
        len(row["page"]) == len(row["told"]) == 40 for row in known_truth.rows("paraphrases")
    )


@pytest.mark.parametrize("part", PARTS)
def test_a_text_holds_its_sentences_in_order(part):
    assert len({(case.name, case.kind, case.text) for case in CASES[part]}) == len(CASES[part])
    for case in CASES[part]:
        place = 0
        for sentence, mark in case.sentences:
            start = case.text.index(sentence, place)
            place = start + len(sentence)
            assert case.mark((start, place)) == mark
        assert {mark for _, mark in case.sentences} - {FALSE} <= {p.title for p in case.evidence}


def test_a_stranger_is_told_under_the_target_name():
    for number, (own, _) in enumerate(known_truth.people()):
        text = " ".join(sentence for sentence, _ in known_truth.strangers(number))
        assert own["name"] in text
        assert all(sentence not in own["told"] for sentence, _ in known_truth.strangers(number))


@pytest.mark.parametrize("words", [150, 500, 600, 2000])
def test_a_page_grows_to_the_number_of_words(words):
    row = known_truth.rows("people")[0]
    text = known_truth.page(row, words).text
    assert text.startswith(row["page"])
    assert len(text.split()) == words


@pytest.mark.parametrize("part", PARTS)
def test_true_scores_are_inside_the_limits_and_wrong_ones_are_not(part):
    report = PARTS[part][1]
    printed = list(report(figures(CASES[part])))
    assert all(figure.holds for figure in printed), [str(f) for f in printed if not f.holds]
    if part in ("models", "doses", "nothing"):
        assert not all(figure.holds for figure in report(figures(CASES[part], error=0.2)))


def test_a_step_and_a_fall_are_seen():
    found = figures(CASES["lengths"])
    longer = found["600 half"]
    found["600 half"] = replace(longer, expected=longer.expected + 0.04)
    assert sum(not figure.holds for figure in known_truth.report_lengths(found)) == 1
    found = figures(CASES["paraphrases"])
    longest = found["40"]
    found["40"] = replace(longest, expected=longest.expected - 0.1)
    assert sum(not figure.holds for figure in known_truth.report_paraphrases(found)) == 1


def test_a_mixed_text_has_the_share_of_its_larger_person():
    case = Case("mixing", "Ann Lee", (), ())
    assert known_truth.true_dfs(case, ["a", "a", "b", FALSE]) == 0.5
    apart = replace(case, breaks=frozenset([1]))
    assert known_truth.true_dfs(apart, ["a", "a", "b", FALSE]) == 0.75
    assert known_truth.true_dfs(case, [FALSE]) == 0.0


def test_the_engine_scores_a_text_of_each_kind():
    by_kind = {case.kind: case for case in reversed(CASES["nothing"])}
    found = known_truth.measure(list(by_kind.values()), Scorer())
    assert set(found) == {"river", "lies"}
    assert all(part.truth.tolist() == [[0.0, 0.0]] for part in found.values())
    assert found["river"].verdicts[0, 0] <= found["lies"].verdicts[0, 0]
