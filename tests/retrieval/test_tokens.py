from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore.retrieval._tokens import tokenize


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("O'Brien’s 1,250 votes", ["obriens", "1250", "votes"]),
        ("Élodie, ELODIE; élodie", ["elodie"] * 3),
        ("E\u0301lodie", ["elodie"]),
        ("Łukasz Øl Straße Æthelred", ["lukasz", "ol", "strasse", "aethelred"]),
        ("1936–1970, 3.5", ["1936", "1970", "3", "5"]),
        ("Лев Толстой", ["лев", "толстои"]),
        ("snake_case\ttab\nline", ["snake", "case", "tab", "line"]),
        ("王小明是詩人。", ["王小", "小明", "明是", "是詩", "詩人"]),
        ("第2回 東京 abc東京都", ["第", "2", "回", "東京", "abc", "東京", "京都"]),
        ("김철수는 시인이다", unicodedata.normalize("NFKD", "김철수는 시인이다").split()),
        ("", []),
        ("…!?", []),
    ],
)
def test_case_accents_and_numbers(text, words):
    assert tokenize(text) == words


@given(st.text())
def test_words_hold_letters_and_digits_only_and_folding_is_stable(text):
    words = tokenize(text)
    assert all(re.fullmatch(r"[^\W_]+", word) for word in words)
    assert tokenize(" ".join(words)) == words or any(
        unicodedata.normalize("NFKD", word.casefold()) != word for word in words
    )
