"""Every list of words says who uses it, and is used."""

import re
from pathlib import Path

import pytest

import dfactscore.engines._builtin.language as language
from dfactscore.engines._builtin.language.word_classes import word_heads, word_list, words_in_order

ROOT = Path(language.__file__).parents[1]
TEXT = (ROOT / "language" / "words.txt").read_text(encoding="utf-8")
LISTS = re.findall(r"^\[(\w+)\]\n(.*)", TEXT, flags=re.MULTILINE)
FOLDERS = {
    folder.name: "".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))
    for folder in ROOT.iterdir()
    if folder.is_dir()
}


@pytest.mark.parametrize(("name", "comment"), LISTS)
def test_a_list_names_the_folders_that_use_it(name, comment):
    assert comment.startswith("# ")
    users = comment.removeprefix("# ").partition(": ")[0].split(", ")
    assert users == sorted(folder for folder, code in FOLDERS.items() if f'"{name}"' in code)


def test_comments_are_no_words():
    assert not any(word.startswith("#") or ".py" in word for n, _ in LISTS for word in word_list(n))


def test_the_first_line_of_a_word_counts_and_months_keep_their_order():
    assert word_heads("synonyms", "countries")["american"] == "us"
    assert words_in_order("months")[::11] == ["january", "december"]
