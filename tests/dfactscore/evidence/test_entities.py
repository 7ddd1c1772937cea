"""The given pages that a text is judged against."""

from __future__ import annotations

import json

import pytest

from dfactscore._evidence.entities import gather_entities, unused_titles
from dfactscore._evidence.pages import open_pages
from dfactscore._readers.record_fields import RecordError
from dfactscore._readers.records import biography_from_record
from dfactscore._records import Biography
from dfactscore._scorer.scorer import Scorer
from dfactscore.retrieval import build_store, read_pages
from dfactscore.retrieval._factscore import write_factscore_db
from dfactscore.retrieval._normalize import beginnings_of

PAGES = [
    {"title": "Robert Johnson", "text": "Robert Johnson (1911-1938) was a blues singer."},
    {"title": "Robert L. Johnson", "text": "Robert L. Johnson founded a network in 1980."},
    {"title": "Bob Roe", "text": "Bob Roe rowed.", "redirects": ["Robert Johnson (rower)"]},
    {"title": "Johnson Robert", "text": "Johnson Robert is a cricketer."},
    *({"title": f"Ann Lee ({n})", "text": f"Ann Lee was born in {n}."} for n in range(1900, 1920)),
]
BORNE = ["Robert Johnson", "Robert L. Johnson", "Bob Roe"]
TEXT = "Robert Johnson was a blues singer. He founded a network in 1980."


def _file(folder, pages=PAGES):
    path = folder / "pages.jsonl"
    path.write_text("".join(json.dumps(page) + "\n" for page in pages), "utf-8")
    return path


def _source(kind, folder):
    path = _file(folder)
    if kind == "jsonl":
        return open_pages(path)
    if kind == "table":
        return open_pages(PAGES)
    if kind == "store":
        build_store(read_pages(path), folder / "pages.sqlite")
        return open_pages(folder / "pages.sqlite")
    if kind == "factscore":
        write_factscore_db(((p["title"], [p["text"]]) for p in PAGES), folder / "pages.db")
        redirects = folder / "redirects.jsonl"
        redirects.write_text('{"title": "Robert Johnson (rower)", "target": "Bob Roe"}\n')
        return open_pages(folder / "pages.db", redirects)
    (folder / "pages").mkdir()
    for page in PAGES:
        (folder / "pages" / f"{page['title']}.txt").write_text(page["text"])
    return open_pages(folder / "pages")


def _titles(source, **fields):
    biography = Biography("0", fields.pop("name", "Robert Johnson"), TEXT, **fields)
    return [entity.id for entity in gather_entities(biography, source).entities]


@pytest.mark.parametrize("kind", ["jsonl", "table", "store", "folder", "factscore"])
def test_a_page_is_a_candidate_if_a_title_or_a_redirect_bears_the_name(kind, tmp_path):
    found = _titles(_source(kind, tmp_path))
    # ties: first the name itself, then titles with few additional words
    assert sorted(found) == sorted(BORNE if kind != "folder" else BORNE[:2])
    assert found[0] == "Robert Johnson"


@pytest.mark.parametrize("kind", ["store", "factscore"])
def test_a_store_of_many_titles_reads_those_that_begin_alike(kind, tmp_path, monkeypatch):
    monkeypatch.setattr("dfactscore.retrieval._stored_titles._MOST_READ", 3)
    assert sorted(_titles(_source(kind, tmp_path))) == sorted(BORNE)
    assert beginnings_of("José Roe (painter)") == (
        "José ",
        "José,",
        "Jose ",
        "Jose,",
        "J. ",
        "Roe,",
    )


def test_a_page_that_the_dataset_lists_under_the_name_is_a_candidate(tmp_path):
    listed = {"Robert Johnson": ["Johnson Robert", "Not there"]}
    source = open_pages(_file(tmp_path), listed=listed)
    assert _titles(source) == [*BORNE[:1], "Bob Roe", "Robert L. Johnson", "Johnson Robert"]
    scorer = Scorer(pages=PAGES, dataset=listed)
    (result,) = scorer.score_many([{"name": "Robert Johnson", "text": TEXT}])
    assert "Johnson Robert" in [entity.id for entity in result.record.entities]


def test_a_record_can_name_its_candidates(tmp_path):
    source = open_pages(_file(tmp_path))
    assert _titles(source, candidates=("Johnson Robert",)) == ["Johnson Robert"]
    record = {"name": "Ann Lee", "text": "x", "candidates": ["Bob Roe", "Bob Roe", "No one"]}
    biography = biography_from_record(record)
    assert biography.candidates == ("Bob Roe", "No one")
    gathered = gather_entities(biography, source)
    assert [entity.id for entity in gathered.entities] == ["Bob Roe"]
    assert len(gathered.missing) == 1
    assert "No one" in gathered.missing[0]
    with pytest.raises(RecordError, match="candidates"):
        biography_from_record({**record, "candidates": [{"a": 1}]})


def test_a_few_pages_are_all_offered_where_no_title_fits(tmp_path):
    few = open_pages({page["title"]: page["text"] for page in PAGES[:20]})
    gathered = gather_entities(Biography("0", "Kim Poe", TEXT), few)
    assert len(gathered.entities) == 20
    assert "Kim Poe" in gathered.missing[0]
    assert "20" in gathered.missing[0]
    many = open_pages({page["title"]: page["text"] for page in PAGES[:21]})
    assert not gather_entities(Biography("0", "Kim Poe", TEXT), many).entities


def test_pages_that_no_text_is_judged_against_are_counted():
    source = open_pages(PAGES)
    texts = [Biography("0", "Robert Johnson", TEXT)]
    total, unused = unused_titles(texts, source)
    assert total == len(PAGES)
    assert set(unused) == {page["title"] for page in PAGES} - set(BORNE)
    assert unused_titles([*texts, Biography("1", "Ann Lee", "x")], source)[1] == ("Johnson Robert",)
