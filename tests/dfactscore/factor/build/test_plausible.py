"""False completions that a reader of the prefix does not find absurd."""

from __future__ import annotations

import random
import re

import pytest

from dfactscore.factor._build.candidates import Selected
from dfactscore.factor._build.circumstances import Chronology, circumstance_candidates, is_reckoned
from dfactscore.factor._build.corpus_names import Corpus, Origin, gender_of_name, mentions
from dfactscore.factor._build.makers import _is_in_prefix, entity_candidates
from dfactscore.retrieval import Page

BORN = "Ann Lee, born on 5 May 1950 in Leeds, is a British swimmer. "


def years(prefix, sentence, latest=2025):
    known = Chronology.of(prefix, latest)
    start = re.search(r"\b[12]\d{3}\b", sentence).start()
    return known.others(sentence, start, prefix + sentence)


def changes(sentence, document="", prefix=""):
    draw = random.Random(1)
    known = Chronology.of(prefix, 2025)
    found = circumstance_candidates(sentence, draw, f"{document}{sentence}", known)
    return {(edit.old, edit.new) for one in found for edit in one.edits}


def entities(sentence, page, *others, title="Ann Lee"):
    pages = {title: Page(title, f"{page} {sentence}")}
    pages |= {f"Other {i}": Page(f"Other {i}", text) for i, text in enumerate(others)}
    selected = Selected(title, 1, page, sentence)
    found = entity_candidates(selected, Corpus.of(pages), random.Random(1))
    return {(edit.old, edit.new) for one in found for edit in one.edits}


def test_nobody_has_a_career_as_a_child():
    found = years(BORN, "In 1969 she swam for her country.")
    assert found
    assert min(found) >= 1968
    # One who began early may have begun a little later, not earlier.
    assert min(years(BORN, "In 1964 she swam for her country.")) > 1964
    assert min(years(f"{BORN}She studied law. ", "In 1972 she taught.")) >= 1971
    # A death is not part of a career.
    assert min(years(BORN, "She died in 1965.")) < 1965


def test_what_was_told_keeps_its_order():
    prefix = f"{BORN}In 1970 she won a medal. In 1980 she retired. "
    assert set(years(prefix, "In 1975 she wrote a book.")) <= set(range(1971, 1980))
    assert min(years(prefix, "In 1984 she wrote a book.")) > 1980
    assert not years(prefix, "In 1980 she wrote a book.")
    assert max(years("", "In 2015 she wrote a book.", latest=2018)) <= 2018


def test_a_birth_comes_before_what_follows():
    prefix = "She won a medal in 1970. "
    assert max(years(prefix, "Ann Lee was born in 1945 in Leeds.")) <= 1952
    # What else one did is not a birth.
    assert min(years(BORN, "Born in Leeds and trained there, she swam in 1969.")) >= 1968


@pytest.mark.parametrize(
    "sentence",
    [
        "She was sold in 2012, after fifty-one years at sea.",
        "Three years later, in 1934, she wrote a book.",
        "She was ninety years old when she died in 1990.",
        "In 1970, at the age of twenty, she won a medal.",
        "After lying idle for nearly ten years she opened in 2018.",
        "She won three titles from 1996 to 1998.",
        "In December 1941 she was at Pearl Harbor.",
        "She was far away when Japan attacked in 1941.",
        "When Parliament passed the act in 1863 she taught.",
        "She came home to fight in the Easter Rising of 1916.",
        "She was expelled after the revolution in 1948.",
        "She swam at the 2015 World Championships in Beijing.",
    ],
)
def test_years_that_could_only_be_one(sentence):
    assert not years("", sentence)


def test_years_beside_a_span_that_says_nothing_of_them():
    assert not is_reckoned("She was sold in 1982, and broken up two years later.")
    assert years("", "She was sold in 1982, and broken up two years later.")


def test_games_come_round_every_four_years():
    for sentence in ("She swam at the 2008 Summer Olympics.", "She swam at the Games of 2008."):
        assert set(years("", sentence)) == {2000, 2004, 2012, 2016}


@pytest.mark.parametrize(
    "sentence",
    [
        "About fifty-seven of them were killed.",
        "It began in the 1332nd year.",
        "She played in the 2009–2010 season.",
        "He had a brother, Cynebald, born 585.",
        "She wrote on August Hermann Francke.",
        "It ended the peace of the two countries.",
        "It was formed by two brothers, Stephen Butler and Alex Butler.",
        "She was eighteen years old in 1968.",
    ],
)
def test_numbers_that_stay(sentence):
    assert not changes(sentence)


def test_numbers_of_the_document_are_not_taken():
    assert {new for _, new in changes("It has 50 rooms.", "Of its 30, 40 or 70 rooms ")} == {"60"}


def test_relatives_keep_the_family_name():
    page = "Ann Lee was an English poet of 1900."
    other = "She met John Slade in 1900."
    assert entities("She saw her father Thomas Lee there.", page, other) == {("Thomas", "John")}
    assert entities("She was a child of Thomas Lee there.", page, other) == {("Thomas", "John")}
    # Of her own sex, where it is a woman.
    assert not entities("She saw her sister Mary Lee there.", page, other)


def test_people_of_one_sex_time_and_field():
    page = "Ann Lee was an English singer of 1900."
    near, late = "A singer met Mary Slade in 1910.", "A singer met Mary Slade in 1990."
    politics = "A senator met Mary Slade in 1910."
    abroad = "A Russian singer met Mary Slade in 1910."
    sentence = "In Oslo she met Helen Moor there."
    assert entities(sentence, page, near) == {("Helen Moor", "Mary Slade")}
    for other in (late, politics, abroad, near.replace("Mary", "John")):
        assert not entities(sentence, page, other)
    assert gender_of_name("Elizabeth Moor") == "she"


def test_the_document_s_own_subject_stays():
    page = "Helen Moor was an English singer of 1900."
    other = "A singer met Mary Slade in 1910."
    assert not entities("In Oslo they met Helen Moor there.", page, other, title="Helen Moor")


@pytest.mark.parametrize(
    "name",
    ["Sydney Symphony Orchestra", "Madison Square Garden", "Jackson County", "Albert V"],
)
def test_names_that_are_no_people(name, monkeypatch):
    people = {"madison", "jackson", "albert", "sydney"}
    monkeypatch.setattr("dfactscore.factor._build.corpus_names.SHORT_FORMS", people)
    kinds = {one.kind for one in mentions(f"He saw {name} there.")}
    assert kinds.isdisjoint({"he", "she", "kin"})


def test_schools_are_no_universities():
    page = "Ann Lee was an American poet of 1900."
    school = "She went to Ottawa Hills High School in Ohio in 1900."
    university = "She went to Cairo University in Ohio in 1900."
    sentence = "She had a degree from Union College then."
    assert entities(sentence, page, school, university) == {("Union College", "Cairo University")}


def test_places_stay_in_their_land():
    page = "Ann Lee was an English poet."
    english = "She was an English poet, born in Leeds, and lived in Bath."
    russian = "He was a Russian poet, born in Omsk."
    assert {new for _, new in entities("She taught in York.", page, english, russian)} == set()
    found = entities("She was born in York.", page, english, russian)
    assert {new for _, new in found} == {"Leeds", "Bath"}


def test_places_are_changed_with_their_region():
    page = "Ann Lee was an American poet."
    other = "He was born in Akron, Ohio, and died in Salem, Oregon. He lived in Kiev."
    found = entities("She was born in Boston, Massachusetts, then.", page, other)
    assert found == {
        ("Boston, Massachusetts", "Akron, Ohio"),
        ("Boston, Massachusetts", "Salem, Oregon"),
    }
    # Neither a part of it, nor where an institution lies.
    assert not entities("She went to school in Washington, D.C.", page, other)
    assert not entities("She taught at Far University in Boston, Massachusetts.", page, other)


def test_films_are_no_towns():
    page = "Ann Lee was an American poet who was born in Boston."
    other = "He was an American actor who starred in Creed."
    assert not entities("She died in Boston in 1900.", page, other)


@pytest.mark.parametrize(
    ("prefix", "told"),
    [("He won in 1957. ", True), ("", False), ("He won in 1956. ", False)],
)
def test_what_the_prefix_tells_is_no_question(prefix, told):
    sentence = "He swam until 1957."
    known = Chronology.of("", 2025)
    for one in circumstance_candidates(sentence, random.Random(1), sentence, known):
        assert _is_in_prefix(sentence, one, prefix) is told


def test_a_number_is_told_with_its_word():
    sentence = "He had two brothers."
    (one, *_) = circumstance_candidates(
        sentence, random.Random(1), sentence, Chronology.of("", 2025)
    )
    assert _is_in_prefix(sentence, one, "With his two brothers he left. ")
    assert not _is_in_prefix(sentence, one, "He won two medals. ")


def test_where_a_page_is_at_home():
    assert Origin.of("Kim Lee was born in Texas.").nations == {"us"}
    assert Origin.of("He was a Scottish coach from Leeds, Yorkshire.").nations == {"uk"}
    assert not Origin.of("He was the Governor of Kent Island.").nations
