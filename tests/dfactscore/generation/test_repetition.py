"""Endless repetition is cut; other text is unchanged."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore.generation._llm import cut_repetition

CUT = {
    "He swam [1]. He won the race [1]. He won the race [2]. He won the race [1]. He": (
        "He swam [1]. He won the race [1]."
    ),
    "Al swam. He won. He lost. He won. He lost. He won. He lost. He": "Al swam. He won. He lost.",
    "Al swam and won and won and won and won and won": "Al swam and won",
    "Al won a medal in Rome in Rome in Rome in Rome in Rome in": "Al won a medal in Rome",
    "no no no no no no": "no",
    "- He won\n- He won\n- He won\n- He": "- He won",
    "".join(f"He won race {i}. He was glad. " for i in range(5)): (
        "He won race 0. He was glad. He won race 1."
    ),
}


@pytest.mark.parametrize("text", CUT)
def test_cut(text):
    assert cut_repetition(text) == (CUT[text], True)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Al swam. He won [1]. Later he won [2]. He won.",
        "He was born in 1901, played in 1921, in 1922, in 1923 and in 1924.",
        "He said no, no, no. [1] He left. [1] He sang. [1]",
        "J. R. R. R. Smith.",
        "# Al (a)\n**Early life**\nIn Leeds.\n# Al (b)\n**Early life**\nIn Hull.\n# Al (c)\n"
        "**Early life**\nIn York.",
        "1. Al of Leeds\nHe was a rower. He won.\n2. Al of Hull\nHe was a rower. He sank.\n"
        "3. Al of York\nHe was a rower. He sang.",
    ],
)
def test_left_alone(text):
    assert cut_repetition(text) == (text, False)


@pytest.mark.data
@pytest.mark.parametrize("file", ["alce_tulu.json", "alce_llama13b-careful.json"])
def test_real_biographies_are_left_alone(data, file):
    for row in json.loads((data / "dfactscore" / file).read_text())["data"]:
        assert cut_repetition(row["output"]) == (row["output"], False)


@given(st.text(alphabet="ab .\n[1]", max_size=80))
def test_a_prefix_stays(text):
    kept, cut = cut_repetition(text)
    assert text.startswith(kept)
    assert cut == (kept != text)
