from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore._text.clean_text import fold_accents
from dfactscore._text.names import name_words
from dfactscore.engines._builtin.language.tokens import token
from dfactscore.retrieval._tokens import tokenize


@given(st.text())
def test_nothing_is_left_to_fold(text):
    folded = fold_accents(text)
    assert fold_accents(folded) == folded
    assert not any(map(unicodedata.combining, folded))
    if text.isascii():
        assert folded == text


@pytest.mark.parametrize(
    ("word", "plain"),
    [
        ("Þórður", "thordur"),
        ("Łódź", "lodz"),
        ("Ǿrsted", "orsted"),
        ("Ħamrun", "hamrun"),
        ("Ðuro", "duro"),
        ("Đorđe", "dorde"),
        ("Bjørnæs", "bjornaes"),
        ("Işık", "isik"),
        ("Größe", "grosse"),
        ("Nguyễn", "nguyen"),
    ],
)
def test_one_table_for_names_words_and_evidence(word, plain):
    assert name_words(word) == (plain,)
    assert tokenize(word) == [plain]
    assert token(word).exact == plain
