"""Each rule of who is who: its examples come out, and without the rule one of them does not."""

import json
from pathlib import Path

import pytest

from dfactscore.engines.builtin.group.explain import explain
from dfactscore.engines.builtin.group.paragraph import read_paragraph
from dfactscore.engines.builtin.group.rules import RULES

NAME = "Mark Hall"


def individuals(text, rules=RULES):
    """One figure a stretch, in the order in which the individuals appear."""
    order = {}
    spans = read_paragraph(text, NAME, rules).spans
    return "".join(str(order.setdefault(who, len(order))) for _, _, who in spans)


@pytest.mark.parametrize("rule", RULES, ids=[rule.id for rule in RULES])
def test_examples_come_out(rule):
    assert rule.examples
    for text, expected in rule.examples:
        assert individuals(text) == expected


@pytest.mark.parametrize("rule", RULES, ids=[rule.id for rule in RULES])
def test_without_the_rule_an_example_fails(rule):
    rest = tuple(other for other in RULES if other is not rule)
    assert any(individuals(text, rest) != expected for text, expected in rule.examples)


def test_rules_have_names_of_their_own():
    assert len({rule.id for rule in RULES}) == len(RULES)
    assert not any(rule.needs & rule.lacks for rule in RULES)


def test_explanations_name_the_rule_and_the_individual():
    found = explain("Mark Hall was a judge. He sang. Another Mark Hall is a poet.", NAME)
    assert [(e.individual, e.label, e.rule) for e in found] == [
        (0, "Mark Hall", "first person"),
        (0, "Mark Hall", "else"),
        (1, "Mark Hall", "another"),
    ]
    assert all(e.says and e.cues for e in found)


def test_golden_readings_stay():
    """Own and generated texts, read and found right: one letter a stretch, its individual."""
    path = Path(__file__).with_name("golden_readings.jsonl")
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert len(rows) > 150
    for row in rows:
        order = {}
        spans = read_paragraph(row["text"], row["name"]).spans
        found = "".join(chr(97 + order.setdefault(who, len(order))) for _, _, who in spans)
        assert found == row["individuals"], row["text"][:200]
