"""Parses names into words, titles, honors, nicknames and suffixes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore._text.person_names import PARTICLES, SUFFIXES, TITLES, mention_at, read_name
from dfactscore._text.word_files import word_lists

PLAIN = ("ann", "hill")


@pytest.mark.parametrize(
    "text",
    [
        "Ann Hill", "Dr. Ann Hill", "Dr Ann Hill", "The Rev. Dr. Ann Hill", "Frau Ann Hill",
        "Lieutenant General Ann Hill", "Lt.-Gen. Ann Hill", "Rear-Admiral Ann Hill",
        "The Right Honourable the Baroness Ann Hill", "Her Royal Highness Princess Ann Hill",
        "Maulana Ann Hill", "Professor Emerita Ann Hill", "the late Ann Hill", "U Ann Hill",
        "Doña Ann Hill", "Ann Hill KBE", "Ann Hill, PhD, FRS", "Ann Hill, Ph.D.", "Hill, Ann",
        "Hill, Dame Ann", "Ann “Annie” Hill", "Ann (Annie) Hill", "Ann 'Annie' Hill", "ANN HILL",
        "Ann von Hill", "Ann Hill, 1st Baroness Hill of Oxford", "Ann Hill (poet)", "Ann Graf Hill",
        "Sqn Ldr. Ann Hill", "Matron Ann Hill RRC", "The Rt Hon. Ann Hill", "Ann ‹Annie› Hill",
        "Lt-Col. (Ret.) Ann Hill CEng MIMechE", "Hafiz Ann Hill (RA)", "MP Ann Hill",
        "Ann Hill, B.Sc. (Hons), M.A. (Oxon.)",
    ],
)  # fmt: skip
def test_what_is_not_name_is_no_word(text: str) -> None:
    assert read_name(text).words == PLAIN


@pytest.mark.parametrize(
    ("text", "words", "suffix"),
    [
        ("Dean Hill", ("dean", "hill"), ""),
        ("Dean Ann Hill", ("ann", "hill"), ""),
        ("Alexander Pope", ("alexander", "pope"), ""),
        ("Yo-Yo Ma", ("yo", "yo", "ma"), ""),
        ("J.R.R. Hill", ("j", "r", "r", "hill"), ""),
        ("JRR Hill", ("j", "r", "r", "hill"), ""),
        ("U. Hill", ("u", "hill"), ""),
        ("M.P. Hill", ("m", "p", "hill"), ""),
        ("Ben Hill", ("ben", "hill"), ""),
        ("Prince", ("prince",), ""),
        ("Cyril VI", ("cyril",), "vi"),
        ("Ann Hill, Jr.", PLAIN, "jr"),
        ("Pliny the Elder", ("pliny",), "elder"),
        ("Ann V. Hill", ("ann", "v", "hill"), ""),
    ],
)
def test_words_and_suffix(text: str, words: tuple[str, ...], suffix: str) -> None:
    name = read_name(text)
    assert (name.words, name.suffix) == (words, suffix)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Sir Tom Hill was knighted.", " was knighted."),
        ("Tom Hill.", "."),
        ("Dr. T. J. Hill's wife was Ann.", "'s wife was Ann."),
        ("Tom Hill, OBE, sang.", " sang."),
        ("Tom Hill Jr. sang.", " sang."),
        ("Tom Hill, a poet, sang.", ", a poet, sang."),
        ("Tom Hill and Ann Lee sang.", " and Ann Lee sang."),
        ('Tom "Tommy" Hill (1901–1980) sang.', " (1901–1980) sang."),
        ("Tom Hill, 2nd Earl of Elm, sang.", " sang."),
        ("Tom Hill's songs", "'s songs"),
        ("Tom Hill (dit «Le Vieux») sang.", " sang."),
        ("Tom Hill (“Tommy”) sang.", " sang."),
        ("Tom Hill, DSO & Bar, sang.", " sang."),
        ("The Rt Hon. Tom Hill sang.", " sang."),
    ],
)
def test_mention_ends_before_what_is_said(text: str, rest: str) -> None:
    mention = mention_at(text)
    assert mention is not None
    assert text[mention.end :] == rest
    assert mention.name.words[-1] == "hill"


@pytest.mark.parametrize(
    ("text", "name", "titles"),
    [
        ("Major (later Colonel) Tom Hill was", "Tom Hill", ("major", "colonel")),
        ("Captain (afterwards Vice Admiral) Sir Tom Hill", "Tom Hill", (
            "captain", "vice", "admiral", "sir",
        )),
        ("Brigadier (temporary Major-General) Tom Hill was", "Tom Hill", (
            "brigadier", "major", "general",
        )),
        ("Colonel (ret.) Tom Hill was", "Tom Hill", ("colonel", "ret")),
        ("His Grace Tom, 7th Duke of Elm", "Tom", ("his", "grace", "7th", "duke", "of", "elm")),
        ("Her Royal Highness Princess Ann was", "Ann", ("her", "royal", "highness", "princess")),
        ("The Most Noble Tom Hill was", "Tom Hill", ("the", "most", "noble")),
        ("The Right Honourable Tom, 3rd Baron Ashby, was", "Tom", (
            "the", "right", "honourable", "3rd", "baron", "ashby",
        )),
        ("Tom (later Tommy) Hill was", "Tom Hill", ()),
        ("Grace Kelly was", "Grace Kelly", ()),
    ],
)  # fmt: skip
def test_titles_in_brackets_and_styles(text: str, name: str, titles: tuple[str, ...]) -> None:
    mention = mention_at(text)
    assert mention is not None
    assert (mention.name.text, mention.name.titles) == (name, titles)


@pytest.mark.parametrize(
    "text",
    [
        "His Grace was born",
        "Her Majesty was",
        "The Most Noble Order of the Elm",
        "The Most Wanted Man",
    ],
)
def test_styles_without_a_name(text: str) -> None:
    assert mention_at(text) is None


def test_no_mention_without_capital() -> None:
    assert mention_at("he sang") is None
    assert mention_at("1901 was a year") is None
    assert mention_at("") is None


@given(st.text(max_size=60))
def test_any_text_is_read(text: str) -> None:
    name = read_name(text)
    assert all(name.words)
    mention = mention_at(text)
    assert mention is None or 0 < mention.end <= len(text)


@given(st.lists(st.sampled_from(sorted(TITLES - {"u"})), min_size=1, max_size=3))
def test_any_combination_of_titles(titles: list[str]) -> None:
    written = " ".join(title.title() for title in titles)
    assert read_name(f"{written} Ann Maria Hill").words == ("ann", "maria", "hill")
    assert read_name(f"{written}. Ann Maria Hill").words == ("ann", "maria", "hill")


def test_lists_are_sorted_and_distinct() -> None:
    for name, text in word_lists("dfactscore._text", "name_words.txt").items():
        words = text.split()
        assert words == sorted(set(words)), name
    assert TITLES.isdisjoint(SUFFIXES - {"elder", "pere", "sr"})
    assert {"st"} == TITLES & PARTICLES
