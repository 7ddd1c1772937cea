"""A fact is at least as probable as a longer fact that contains it."""

from __future__ import annotations

import pytest

from dfactscore._records import Biography, Document, Entity, Fact
from dfactscore.engines._builtin.verify.contained import contained_words, containing_pairs
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier

PAIRS = [  # the second fact says less
    ("Ann Lee won the Nobel Prize for Peace in 1953.", "Ann Lee won the Nobel Prize for Peace."),
    ("Ann Lee won the Nobel Prize for Peace in 1953.", "Ann Lee won the Nobel Prize in 1953."),
    ("Ann Lee moved to York in 1990.", "Ann Lee moved to York."),
    ("Ann Lee moved in 1990 to York.", "Ann Lee moved to York."),
    ("Ann Lee left school at the age of 16.", "Ann Lee left school."),
    ("Ann Lee worked as a scout for the Islanders.", "Ann Lee worked as a scout."),
    ("Ann Lee has taught at Yale since 2001.", "Ann Lee has taught at Yale."),
    ("Ann Lee was an attorney from 1985 to 1996.", "Ann Lee was an attorney."),
    ("Ann Lee sang with the band.", "ann lee sang"),
]
OTHERS = [  # the second fact says something else
    ("Ann Lee was the son of a king.", "Ann Lee was a king."),
    ("Ann Lee was vice president.", "Ann Lee was president."),
    ("Ann Lee was born in New York.", "Ann Lee was born in New."),
    ("Ann Lee did not sing in Leeds.", "Ann Lee did sing."),
    ("Ann Lee played without success.", "Ann Lee played."),
    ("Ann Lee won bronze instead of gold.", "Ann Lee won bronze instead."),
    ("Ann Lee met Bo Hall in Rome.", "Bo Hall met Ann Lee."),
    ("Ann Lee sang.", "Ann Lee sang."),
    ("Ann Lee moved to York.", "Ann Lee moved to York in 1990."),
]


@pytest.mark.parametrize(("longer", "shorter"), PAIRS)
def test_what_says_less(longer, shorter):
    assert containing_pairs([longer, shorter]) == [(0, 1)]
    assert containing_pairs([shorter, longer]) == [(1, 0)]


@pytest.mark.parametrize(("longer", "other"), OTHERS)
def test_what_says_another_thing(longer, other):
    assert (0, 1) not in containing_pairs([longer, other])


def test_an_adjunct_is_left_out_wherever_it_stands():
    assert contained_words("Ann Lee sang.") == set()
    assert ("ann", "lee", "sang", "for", "joy") in contained_words("Ann Lee sang in Rome for joy.")


@pytest.mark.parametrize(
    "page",
    [
        "Ann Lee (born 1910) was a nurse. She received the Nobel Prize for Peace in 1953.",
        "Ann Lee went to York in 1990 and left school at the age of 16. She was with the band.",
        "Ann Lee is a scout who worked for the New York Islanders from 1985 until 1996.",
        "Another page altogether.",
    ],
)
def test_the_verifier_is_coherent(page):
    facts = [Fact(text) for pair in PAIRS for text in pair]
    entity = Entity("Ann Lee", "Ann Lee", (Document("Ann Lee", page),))
    verdicts = BuiltinVerifier().verify(Biography("1", "Ann Lee", ""), facts, entity)
    for longer, shorter in containing_pairs([fact.text for fact in facts]):
        assert verdicts[longer].probability <= verdicts[shorter].probability
        assert verdicts[shorter].status == "supported" or verdicts[longer].status != "supported"
