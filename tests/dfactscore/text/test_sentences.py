"""Sentences: the splitter, our corrections, and properties for any text."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore._text.sentences import split_sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A. E. Kahn wrote books. He left.", ["A. E. Kahn wrote books.", "He left."]),
        (
            "Dr. Smith met St. John Rivers in Washington, D.C. in 1990. He left.",
            ["Dr. Smith met St. John Rivers in Washington, D.C. in 1990.", "He left."],
        ),
        (
            "John Louis Jr. served. He was No. 3 in the U.S. Army.",
            ["John Louis Jr. served.", "He was No. 3 in the U.S. Army."],
        ),
        ("Dr.-Ing. habil. K. O. Brandt wrote.", ["Dr.-Ing. habil. K. O. Brandt wrote."]),
        ("He met Sqn Ldr. Hill. She left.", ["He met Sqn Ldr. Hill.", "She left."]),
        ("He moved to the U.S. He died there.", ["He moved to the U.S.", "He died there."]),
        (
            "Sancho (c. 1850 – d. 1899) was a king. Robert Sr. was his father.",
            ["Sancho (c. 1850 – d. 1899) was a king.", "Robert Sr. was his father."],
        ),
        (
            "He married Ann Park. Thomas Hill helped.",
            ["He married Ann Park.", "Thomas Hill helped."],
        ),
        (
            "He joined the band Wham! in 1990. He sang.",
            ["He joined the band Wham! in 1990.", "He sang."],
        ),
        ("He was born in 1950. Later, he wrote", ["He was born in 1950.", "Later, he wrote"]),
        (
            "Keller taught at the College of Art. Keller married Ann Hall in May. Keller died.",
            [
                "Keller taught at the College of Art.",
                "Keller married Ann Hall in May.",
                "Keller died.",
            ],
        ),
        (
            "In 1990, Acme Corp. Chairman Bill Roe resigned from Roe Inc. Magazine sales fell.",
            ["In 1990, Acme Corp. Chairman Bill Roe resigned from Roe Inc. Magazine sales fell."],
        ),
        (
            "1. Ann Lee is a poet. 2. Ann Lee is a judge.",
            ["1. Ann Lee is a poet.", "2. Ann Lee is a judge."],
        ),
        (
            "2. Ann Lee (born 1831) - a physicist. She is known.",
            ["2. Ann Lee (born 1831) - a physicist.", "She is known."],
        ),
        (
            'He drew "Watchmen. Born in Leeds, he moved. He died.',
            ['He drew "Watchmen.', "Born in Leeds, he moved.", "He died."],
        ),
        ("# Ann Lee\nAnn Lee sang.\n\n- a poet", ["# Ann Lee", "Ann Lee sang.", "- a poet"]),
    ],
)
def test_hard_sentences(text, expected):
    assert [s.text for s in split_sentences(text)] == expected


@given(st.text(alphabet=st.characters(), max_size=300))
def test_every_character_lies_in_one_sentence(text):
    sentences = split_sentences(text)
    end = 0
    for sentence in sentences:
        assert sentence.start >= end
        assert text[sentence.start : sentence.end] == sentence.text
        assert sentence.text.strip()
        assert not text[end : sentence.start].strip()
        end = sentence.end
    assert not text[end:].strip()


def test_a_very_long_line_is_split_without_loss():
    text = "He was born in the U.S. “and " * 20_000
    sentences = split_sentences(text)
    assert sum(len(s.text) for s in sentences) + sum(
        b.start - a.end for a, b in itertools.pairwise(sentences)
    ) == len(text.rstrip())


def test_a_sentence_of_hundreds_of_words_is_split():
    text = "Ann Lee sang " + ", ".join(f"in {year}" for year in range(1000, 1400)) + ". She died."
    sentences = split_sentences(text)
    assert [len(sentence.text.split()) <= 300 for sentence in sentences] == [True] * len(sentences)
    assert [text[s.start : s.end] for s in sentences] == [s.text for s in sentences]
    assert " ".join(s.text for s in sentences) == text
    assert all(s.text.endswith(",") for s in sentences[:-2])
    assert sentences[-1].text == "She died."
    assert len(split_sentences("to and from " * 400)) == 4


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("bell quil is a botanist. quil studied in Lund. He moved.", 3),
        ("omar al-Shaq is a poet. al-Shaq was born in Basra. von Trapp sang there.", 3),
        ("iQuil is a firm. iQuil was founded in 1990.", 2),
        ("nora veld is a judge. she was born in 1950. veld lives in oslo.", 3),
        ("Nora Veld lived there, approx. van Dyck's age.", 1),
    ],
)
def test_sentences_may_begin_with_a_small_letter(text, count):
    assert len(split_sentences(text)) == count
