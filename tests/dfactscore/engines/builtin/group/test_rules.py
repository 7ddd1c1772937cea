"""The rules of the grouper, on our texts and on generated ones."""

import json
from pathlib import Path

from dfactscore.engines._builtin.group.grouper import explain
from dfactscore.engines._builtin.group.paragraph import read_paragraph
from dfactscore.engines._builtin.group.rules import RULES

NAME = "Mark Hall"


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
    """The readings of our texts and of generated ones, which were checked by hand: one letter per
    stretch for its individual."""
    path = Path(__file__).with_name("golden_readings.jsonl")
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert len(rows) > 150
    for row in rows:
        order = {}
        spans = read_paragraph(row["text"], row["name"]).spans
        found = "".join(chr(97 + order.setdefault(who, len(order))) for _, _, who in spans)
        assert found == row["individuals"], row["text"][:200]
