"""Facts from another decomposer get a place in the paragraph."""

from dfactscore._records import Fact
from dfactscore._text.sentences import split_sentences
from dfactscore.engines._builtin.group.grouper import place_facts

TEXT = "Ann Lee was born in Leeds. She taught in York. Bea Lee was born in Hull. She sang in York."


def sentences():
    return [(s.start, s.end) for s in split_sentences(TEXT)]


def where(*facts):
    spans = sentences()
    places = place_facts(TEXT, spans, facts)
    return [next(i for i, (a, b) in enumerate(spans) if a <= start < b) for start, _ in places]


def test_words_and_order_decide():
    facts = [
        Fact("Ann Lee was born in Leeds."),
        Fact("Ann Lee taught."),
        Fact("Ann Lee taught in York."),
        Fact("Bea Lee was born in Hull."),
        Fact("Bea Lee sang."),
        Fact("Bea Lee was in York."),
    ]
    assert where(*facts) == [0, 1, 1, 2, 3, 3]


def test_a_given_place_is_kept():
    assert where(Fact("x", span=(30, 40)), Fact("x", sentence=3)) == [1, 3]


def test_a_place_outside_the_text_is_not_believed():
    assert where(Fact("She taught in York.", span=(5, 5000)), Fact("Bea Lee.", sentence=99)) == [
        1,
        2,
    ]


def test_words_that_stand_nowhere_follow_the_last_fact():
    assert where(Fact("Bea Lee was born in Hull."), Fact("Qqq zzz."), Fact("")) == [2, 2, 2]


def test_no_sentences():
    assert place_facts("", [], [Fact("She sang.")]) == [(0, 0)]
