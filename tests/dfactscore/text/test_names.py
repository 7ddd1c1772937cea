"""Who bears a name."""

from __future__ import annotations

import numpy as np
import pytest

from dfactscore.linking import LinkingError, bears_name, candidate_mask, plain_name


@pytest.mark.parametrize(
    ("title", "name", "bears"),
    [
        ("Dick Hanley (swimmer)", "Dick Hanley", True),
        ("Alfred William Lawson", "Alfred Lawson", True),
        ("Adrian Perez", "Adrián Pérez", True),
        ("Søren Ørsted", "Soren Orsted", True),
        ("JOHN SMITH", "John Smith", True),
        ("O'Neill, Thomas", "Thomas O'Neill", True),
        ("Glen Brown", "Glenn Brown", False),
        ("John Bruce", "Bruce Johnston", False),
        ("Smith", "John Smith", False),
        ("Anything", "", False),
        ("Jordan (Michael fan club)", "Michael Jordan", False),
        ("李娜", "李娜", True),
        ("नरेन्द्र मोदी", "नरेन्द्र मोदी", True),
        ("मोदी", "मीदी", False),
        ("Sean O\u2019Connor", "Sean O'Connor", True),
        ("Dick_Hanley_(swimmer)", "Dick Hanley", True),
    ],
)
def test_bears_name(title, name, bears):
    assert bears_name(title, name) is bears


def test_plain_name():
    assert plain_name("Dick Hanley (swimmer)") == "Dick Hanley"
    assert plain_name("(unknown)") == "(unknown)"


def test_candidates():
    titles = [("Ann Lee (painter)",), ("Leeds",), ("Annie", "Ann Lee (singer)")]
    mask = candidate_mask(titles, "Ann Lee", mode="named")
    assert mask.tolist() == [True, False, True]
    assert candidate_mask(titles, "Ann Lee").all()
    listed = candidate_mask(titles, "Ann Lee", mode="dataset", dataset=["Ann Lee (singer)"])
    assert listed.tolist() == [False, False, True]
    assert candidate_mask([], "Ann Lee", mode="named").dtype == np.bool_
    with pytest.raises(LinkingError, match="lists no entity for 'Ann Lee'"):
        candidate_mask(titles, "Ann Lee", mode="dataset")
    with pytest.raises(LinkingError, match="unknown candidates 'all'"):
        candidate_mask(titles, "Ann Lee", mode="all")


def test_the_name_must_be_there_word_by_word():
    assert bears_name("José M. Pérez", "Jose Perez (disambiguation)")
    assert not bears_name("John Smithson", "John Smith")
    assert not bears_name("Painter (John Smith)", "John Smith")
    assert not bears_name("Anything", "()")
