"""A fact is at least as probable as a longer fact that contains it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore._records import Biography, Document, Entity, Fact
from dfactscore.engines._builtin.verify.contained import containment
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
    assert containment([longer, shorter]).pairs == ((0, 1),)
    assert containment([shorter, longer]).pairs == ((1, 0),)


@pytest.mark.parametrize(("longer", "other"), OTHERS)
def test_what_says_another_thing(longer, other):
    assert (0, 1) not in containment([longer, other]).pairs


def contained_in(words, other):
    """Whether a list of words is another one without the words of one adjunct."""
    places = [i for i, word in enumerate(other) if i > 1 and word in ("in", "to")]
    ends = [*places, len(other)]
    return any(words == other[:i] + other[j:] for i in places for j in ends if j > i)


words_of_fact = st.lists(st.sampled_from(["in", "to", "of", "rome"]), max_size=7)


@given(st.lists(words_of_fact, max_size=8), st.randoms())
def test_pairs_and_values_are_those_of_every_pair_compared(parts, random):
    texts = [["ann", "sang", *words] for words in parts]
    facts = [" ".join(words) for words in texts]
    found = containment(facts)
    numbers = range(len(found.same))
    words = [texts[same[0]] for same in found.same]
    assert sorted(fact for same in found.same for fact in same) == list(range(len(facts)))
    assert set(found.pairs) == {
        (a, b) for a in numbers for b in numbers if contained_in(words[b], words[a])
    }
    values = np.array([random.random() for _ in facts])
    raised = values.copy()
    for a in sorted(numbers, key=lambda a: -len(facts[found.same[a][0]])):
        for b in numbers:
            for fact in found.same[b] if contained_in(words[b], words[a]) else ():
                raised[fact] = max(raised[fact], raised[found.same[a][0]])
    assert found.raised(values).tolist() == raised.tolist()


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
    found = containment([fact.text for fact in facts])
    for longer, shorter in ((found.same[a][0], found.same[b][0]) for a, b in found.pairs):
        assert verdicts[longer].probability <= verdicts[shorter].probability
        assert verdicts[shorter].status == "supported" or verdicts[longer].status != "supported"
