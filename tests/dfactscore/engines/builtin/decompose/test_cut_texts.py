"""Texts that were cut off anywhere, and other damaged ones, are read without an error."""

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore._readers import read_biographies
from dfactscore._records import Biography
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer, ScriptWarning
from dfactscore.engines._builtin.group.grouper import BuiltinGrouper
from dfactscore.engines._builtin.language.tokenizer import Tokens, tokenize
from dfactscore.examples import example

TEXTS = [b.text for b in read_biographies(example("people").biographies).biographies]
MARKS = st.sampled_from(
    [*",.;:()[]\"“”'’*#–— \n19aA", "\ud800", "\u0301", "\x00", " and ", " who "]
)


def facts(text, name="Ann Lee"):
    """The facts as written, after what holds for every text was checked."""
    biography = Biography("b", name, text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ScriptWarning)
        found = BuiltinDecomposer().decompose(biography)
    groups = BuiltinGrouper().group(biography, found)
    assert sorted(i for group in groups for i in group.facts) == list(range(len(found)))
    assert all(fact.text.strip() for fact in found)
    assert all(0 <= start <= end <= len(text) for start, end in (fact.span for fact in found))
    return [fact.text for fact in found]


@pytest.mark.parametrize(
    "text",
    [
        "Ann Lee was a poet. She is the daughter of mill owner Tom Hill, and",
        "Ann Lee was a poet who won a prize and made a",
        "Ann Lee was a poet, the sister of Tom Hill, 1st",
        "Ann Lee was an American",
        "She",
        "Ann Lee, the son of Tom Hill, a",
        "poet )",
    ],
)
def test_a_rule_may_look_beyond_the_end(text):
    for end in range(len(text) + 1):
        facts(text[:end])


@given(st.data())
def test_damaged_texts_are_read(data):
    text = data.draw(st.sampled_from(TEXTS))
    start = data.draw(st.integers(0, len(text)))
    text = text[start : start + data.draw(st.integers(0, 300))]
    words = text.split(" ")
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(words) - 1))
        words[at : at + 1] = data.draw(
            st.sampled_from([[], words[at : at + 1] * 2, [words[0]]]) | MARKS.map(lambda m: [m])
        ) or [""]
    facts(" ".join(words))


def test_beside_a_sentence_stands_no_word():
    found = tokenize("Ann Lee sang")
    outside = found[3], found[100], found[-1], Tokens(())[0]
    assert [t.low for t in found] == ["ann", "lee", "sang"]
    assert [t.low for t in found[1:5]] == ["lee", "sang", "", ""]
    assert not any(t.word or t.capital or t.low or t.depth for t in outside)
    assert {t.start for t in outside[:3]} == {12}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (  # what no word betrays: the noun behind "Royal" is missing
            "Ann Lee was a poet. She was born in Leeds and served in the Royal",
            ["Ann Lee was a poet.", "Ann Lee was born in Leeds."],
        ),
        ("Ann Lee was a poet. Some of her notable", ["Ann Lee was a poet."]),
        (  # no end is missing where no line of the kind has one
            "Ann Lee was a poet. She sang.\n\n- Ann Lee was born in Leeds\n- Ann Lee died in York",
            [
                "Ann Lee was a poet.",
                "Ann Lee sang.",
                "Ann Lee was born in Leeds.",
                "Ann Lee died in York.",
            ],
        ),
        ("Ann Lee was born in Leeds", ["Ann Lee was born in Leeds."]),
        (
            'Ann Lee was a poet. She wrote "The Royal"',
            ["Ann Lee was a poet.", 'Ann Lee wrote "The Royal".'],
        ),
    ],
)
def test_a_fact_that_the_end_of_a_text_tears_is_left_out(text, kept):
    assert facts(text) == kept
