"""Two people's answers to three paragraphs, and studies made of scored biographies."""

from __future__ import annotations

import re

import pytest

from dfactscore.annotation import FactAnswer, ItemAnswer

LABELS = {"S": "supported", "N": "not_supported", "I": "irrelevant"}

#: Facts as biography, label and page they were found in; pages of the biographies.
WORKED = {
    "b1": (
        ("P", "1SP 1SP 1NQ 1SP 1SP 1N- 1I- 1SP"),
        ("P", "1SP 1SP 1NQ 1NQ 1SP 1N- 1I- 1SP"),
    ),
    "b2": (
        ("P Q", "1SP 1N- 1NQ 2N- 2SQ 2SQ"),
        ("P Q", "1SP 1N- 1SP 2N- 2SQ 2I-"),
    ),
    "b3": (
        ("P", "1SP 1SP 1SP 1SP 1NQ 1SP 1SP 1SP 1SP 1SP"),
        ("P R", "1SP 1SP 1SP 1SP 1NQ 1SP 2N- 2SR 2SR 2SR"),
    ),
}


def answer(pages: str, facts: str) -> ItemAnswer:
    made = []
    for biography, label, page in re.findall(r"(\d)(\w)(\S)", facts):
        made.append(FactAnswer(int(biography), LABELS[label], None if page == "-" else page))
    return ItemAnswer(tuple(made), tuple(pages.split()))


@pytest.fixture(scope="session")
def worked():
    """For each paragraph the answers of two people."""
    return {name: tuple(answer(*side) for side in both) for name, both in WORKED.items()}
