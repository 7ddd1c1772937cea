from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache

import pytest

from dfactscore import Scorer, read_biographies
from dfactscore._errors import InputError
from dfactscore._records import Document, Entity, Fact
from dfactscore.examples import example
from dfactscore.mixing import unmix
from dfactscore.mixing._unmix_work import _is_better
from dfactscore.mixing._unmixed import assigned, bare_title, described, opener, retell

PAGES = {
    "Ann Lee (painter)": "Ann Lee is an English painter of landscapes. She was born in York.",
    "Ann Lee (rower)": "Ann Lee is a rower. She rowed for Canada. She won a medal in Rome in 1960.",
}
TEXT = (
    "Ann Lee is an English painter of landscapes who rowed for Canada. She was born in York. "
    "She won a medal in Rome in 1960. She keeps eleven parrots."
)


@cache
def scored(text=TEXT):
    return Scorer(pages=PAGES).score(text, name="Ann Lee")


def test_each_supported_fact_is_given_to_one_entity_that_supports_it():
    for result in examples():
        record = result.record
        credit = assigned(record)
        for fact, entity in enumerate(credit):
            able = record.decided.support[fact]
            assert bool(able.any()) == (entity is not None)
            assert entity is None or able[entity]
        told = Counter(f for person in unmix(result).people for f in person.facts)
        assert told == Counter(
            record.facts[f].text for f, entity in enumerate(credit) if entity is not None
        )


@cache
def examples():
    biographies = read_biographies(example().biographies).biographies
    return [r for r in Scorer(pages=str(example().pages)).score_many(biographies) if r.scores]


def test_texts_that_mix_people_are_told_apart_and_others_stay():
    changed = 0
    for result in examples():
        found = unmix(result)
        assert found.changed == bool(result.scores.mixed_groups)
        if not found.changed:
            assert found.text == result.record.biography.text
            continue
        changed += 1
        pages = {e.id: [d.text for d in e.documents] for e in result.record.entities}
        after = Scorer().score(found.text, name=result.name, pages=pages)
        assert after.scores.mixed_groups == 0
        assert after.dfs > result.dfs + 0.1
        assert after.dfs > 0.95
    assert changed > 5


def test_clauses_are_told_in_the_words_of_the_text():
    found = unmix(scored())
    painter, rower = found.text.split("\n\n")
    assert painter.startswith("Ann Lee (painter):\nAnn Lee is an English painter of landscapes")
    assert "She was born in York." in painter
    assert "rowed for Canada" in rower
    assert "She won a medal in Rome in 1960." in rower
    assert "parrots" not in found.text
    assert found.unsupported == ("Ann Lee keeps eleven parrots.",)
    assert [(p.name, p.description) for p in found.people] == [
        ("Ann Lee", "painter"), ("Ann Lee", "rower"),
    ]  # fmt: skip
    assert found.people[0].passages == (PAGES["Ann Lee (painter)"],)


def test_unsupported_facts():
    assert "She keeps eleven parrots." in unmix(scored(), unsupported="keep").text.split("\n\n")[1]
    last = unmix(scored(), unsupported="mark").text.split("\n\n")[2]
    assert last == "Not found:\nAnn Lee keeps eleven parrots."


@pytest.mark.parametrize("mark", ["- ", "* ", "1. ", "• ", "**"])
def test_marks_of_lists_are_left_out(mark):
    close = "**" if mark == "**" else ""
    lines = ("Ann Lee is a painter", "She was born in York", "She rowed for Canada")
    found = unmix(scored("\n".join(f"{mark}{line}{close}." for line in lines)))
    assert found.text == (
        "Ann Lee (painter):\nAnn Lee is a painter. She was born in York.\n\n"
        "Ann Lee (rower):\nAnn Lee rowed for Canada."
    )


def test_a_text_without_a_dfs_is_neither_better_nor_worse():
    known = scored().record
    unknown = replace(known, scores=replace(known.scores, dfs=None, dfs_bounds=(0.0, 1.0)))
    higher = replace(known, scores=replace(known.scores, dfs=1.0))
    assert _is_better(higher, known)
    assert not _is_better(higher, unknown)
    assert not _is_better(unknown, known)


def test_what_is_not_judged_is_refused(make_scored):
    with pytest.raises(InputError, match="is not judged"):
        unmix(make_scored(status="abstained"))


@pytest.mark.parametrize(
    ("title", "text", "words"),
    [
        ("Ann Lee (rower)", "", "rower"),
        ("Ann Lee (rower, born 1960)", "", "rower, born 1960"),
        ("Ann Lee", "Ann Lee (1901–1960) was an English rower and poet.", "English rower and poet"),
        ("Ann Lee", "and so on. Ann Lee Ann B. Lee is a judge who sat in York.", "judge"),
        ("Ann Lee (born 1960)", "Ann Lee (born 1960) is a chess player from Rome.", "chess player"),
        ("Ann Lee (born 1960)", "No one.", "born 1960"),
        ("Ann Lee", "Ann Lee was born in Rome. She is the daughter of Bo Lee.", ""),
        ("Ann Lee", "Ann Lee is the daughter of Bo Lee.", ""),
        ("Ann Lee", "Lee was one of the best-known judges of Rome.", "best-known judges"),
        ("USS Lee", "USS Lee is a destroyer of the navy.", "destroyer"),
    ],
)
def test_what_a_page_calls_its_person(title, text, words):
    entity = Entity(title, title, (Document(title, text),) if text else ())
    assert described(entity) == words
    assert opener(entity).startswith(bare_title(entity))


def facts_of(text, *rows):
    return [Fact(said, 0, (text.index(words), text.index(words) + len(words)))
            for said, words in rows]  # fmt: skip


def test_a_clause_keeps_its_words_and_loses_what_another_says():
    text = "Ann Lee sang in Rome and Oslo, and rowed in 1960."
    facts = facts_of(
        text,
        ("Ann Lee sang in Rome.", "sang in Rome"),
        ("Ann Lee sang in Oslo.", "sang in Rome and Oslo"),
        ("Ann Lee rowed.", "rowed"),
        ("Ann Lee rowed in 1960.", "rowed in 1960"),
    )
    told = retell(text, facts, range(4), {0, 1})
    assert told == ["Ann Lee sang in Rome and Oslo."]
    assert retell(text, facts, range(4), {1, 2, 3}) == ["Ann Lee sang in Oslo.",
                                                        "Ann Lee rowed in 1960."]  # fmt: skip
    assert retell(text, facts, range(4), set()) == []
