"""Determines the entities that passages are about."""

from __future__ import annotations

import json

import pytest

from dfactscore import Scorer
from dfactscore._evidence.owners import Owners, with_owners
from dfactscore._readers import read_records
from dfactscore._records import Biography
from dfactscore._runs import load_run
from dfactscore.retrieval import Passage

PAINTER = "Ann Lee (born 1950) is an English painter of landscapes. She studied in Leeds."
ROWER = "Ann Lee (born 1971) is a rower. She rowed for Canada in 1996."
AGAIN = "Ann Mary Lee (born 5 May 1950) was a landscape painter. Lee exhibited in York."


def owned(*passages, choice="auto", name="Ann Lee"):
    given = [p if isinstance(p, Passage) else Passage("", p) for p in passages]
    found = with_owners(Biography("0", name, "x", passages=tuple(given)), choice)
    return [" | ".join(text.owners) for text in found.owners.texts]


def test_people_are_told_apart_and_passages_of_one_go_together():
    assert owned(PAINTER, ROWER, AGAIN) == ["Ann Mary Lee", "Ann Lee", "Ann Mary Lee"]
    assert owned(PAINTER, ROWER) == ["Ann Lee (painter)", "Ann Lee (rower)"]


def test_a_passage_joins_the_titled_one_of_its_person():
    titled = Passage("Ann Lee (artist)", PAINTER)
    assert owned(titled, AGAIN, ROWER)[:2] == ["Ann Lee (artist)"] * 2
    assert owned(titled, AGAIN, ROWER)[2] not in ("Ann Lee (artist)", "")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Bo Ray (1900–1950) was a poet.", "Bo Ray (1905–1950) was a poet."),
        ("Bo Ray is a Welsh poet.", "Bo Ray is an American boxer."),
        ("Bo Ray Jr. (born 1950) is a poet.", "Bo Ray Sr. (born 1920) is a poet."),
        ("Bo Paul Ray (born 1950) is a poet.", "Bo Peter Ray (born 1950) is a poet."),
        ("Bo Ray (born 3 May 1950) is a poet.", "Bo Ray (born 4 June 1950) is a boxer."),
    ],
)
def test_conflicts(one, other):
    assert len(set(owned(one, other, name="Bo Ray"))) == 2
    assert len(set(owned(one, one + " He sang.", name="Bo Ray"))) == 1


def test_a_chunk_goes_with_its_document():
    chunks = [
        Passage("chunk 0", PAINTER, source="lee.pdf"),
        Passage("chunk 1", "In 1990 there was a show of landscapes.", source="lee.pdf"),
        Passage("chunk 2", "In 1990 there was a regatta.", source="other.pdf"),
    ]
    assert owned(*chunks) == ["Ann Lee", "Ann Lee", "passage 3"]
    files = [Passage("lee.pdf", PAINTER), Passage("lee.pdf", "In 1990 there was a show.")]
    assert owned(*files) == ["Ann Lee", "Ann Lee"]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        # Only parts of one document share many words
        (PAINTER + " In 1990 a show of her works of forty years opened in the town hall of York.",
         "of her works of forty years opened in the town hall of York. It closed in May.", True),
        (PAINTER, "It closed in May 1990 after forty years.", False),
        # A heading names the person
        ("Ann Lee (painter) She studied in Leeds.", "Ann Lee (painter) Lee won a prize.", True),
        ("Ann Lee (painter) She studied in Leeds.", "Ann Lee (rower) She studied in Leeds.", False),
        ("# Ann Lee (rower)\nShe won.", "# Ann Lee (rower)\nIn 1996 she lost.", True),
        ("Ann M. Lee Ann Mary Lee is a painter.", "Ann M. Lee Ann Mary Lee sang.", True),
        ("Ann Lee Ann was born in Leeds.", "Ann Lee Ann grew up in York.", True),
        # A date, and words of the page
        (ROWER + " Lee was hurt on 4 May 1993 at Henley.", "On 4 May 1993 Lee left Henley.", True),
        # The first person with the surname is another, or a relative
        (ROWER + " She trained at Henley with Canada's eight.",
         "Bo Lee trained at Henley. Canada's eight rowed 1996.", False),
        (ROWER + " She trained at Henley with Canada's eight.",
         "Her father Bo Lee trained there. Lee left Henley, Canada's eight rowed 1996.", True),
    ],
)  # fmt: skip
def test_what_keeps_passages_of_one_person_together(one, other, same):
    assert (len(set(owned(one, other))) == 1) is same


def test_what_a_person_asks_for_is_done():
    named = [Passage("Ann Lee", PAINTER), Passage("Ann Lee", ROWER), Passage("a.pdf", ROWER)]
    assert owned(*named, choice="titles") == ["Ann Lee", "Ann Lee", "a.pdf"]
    told = ["Ann Lee (painter)", "Ann Lee (rower)", "Ann Lee (rower)"]
    assert owned(*named) == told
    assert len(set(owned(*named[:2], choice="passages"))) == 2
    biography = Biography("0", "Ann Lee", "x", passages=tuple(named[:2]), verdicts={})
    assert with_owners(biography) is biography  # verdicts are about titles


def test_what_was_decided_is_counted_said_and_kept(tmp_path):
    record = {
        "question": "Who is Ann Lee?",
        "answer": "Ann Lee is an English painter. She rowed for Canada in 1996.",
        "contexts": [PAINTER, ROWER, "In 1990 there was a regatta."],
    }
    reading = read_records([record], owners=Owners())
    assert list(reading.notes) == [
        "assigned 3 of 3 passages by content (2 by their introduction, 1 as entities of their "
        "own); --entities titles (entities='titles' in Python) uses titles instead"
    ]
    with pytest.warns(UserWarning, match="assigned .* by content"):
        results = Scorer().score_many([record])
    assert results[0].dfs < results[0].fs
    labels = ["Ann Lee (painter)", "Ann Lee (rower)", "passage 3"]
    assert [entity.id for entity in results[0].record.entities] == labels
    (again,) = load_run(results.save(tmp_path / "run")).records()
    notes = [entity.documents[0].note for entity in again.entities]
    assert notes == ["introduction", "introduction", "separate"]
    page = results.report(tmp_path / "report.html").read_text()
    assert "passages: 1 by their introduction" in page
    line = json.loads((tmp_path / "run" / "biographies.jsonl").read_text().splitlines()[0])
    assert line["owners"]["texts"][0][2:4] == [{"Ann Lee (painter)": 1.0}, "introduction"]
    assert again.biography.owners == results[0].record.biography.owners
