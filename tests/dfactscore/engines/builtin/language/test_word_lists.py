"""Every list of words says who uses it, and is used."""

import re
from pathlib import Path

import pytest

import dfactscore.engines._builtin.language as language
from dfactscore.engines._builtin.language.word_classes import word_heads, word_list, words_in_order

ROOT = Path(language.__file__).parents[1]
TEXT = (ROOT / "language" / "words.txt").read_text(encoding="utf-8")
LISTS = re.findall(r"^\[(\w+)\]\n(.*)", TEXT, flags=re.MULTILINE)
CODE = {path.name: path.read_text(encoding="utf-8") for path in ROOT.rglob("*.py")}


@pytest.mark.parametrize(("name", "comment"), LISTS)
def test_a_list_names_the_modules_that_use_it(name, comment):
    users = re.findall(r"\b(\w+\.py)\b", comment.partition(": ")[0])
    assert comment.startswith("# ")
    assert users
    assert all(f'"{name}"' in CODE[user] for user in users)


def test_comments_are_no_words():
    assert not any(word.startswith("#") or ".py" in word for n, _ in LISTS for word in word_list(n))


def test_the_first_line_of_a_word_counts_and_months_keep_their_order():
    assert word_heads("synonyms", "countries")["american"] == "us"
    assert words_in_order("months")[::11] == ["january", "december"]
