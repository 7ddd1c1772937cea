"""One record with very many passages, or pages of odd text: the work grows as they do."""

from __future__ import annotations

import pytest
from bounded import lines_run, processor_seconds

from dfactscore import Scorer
from dfactscore._evidence.entities import gather_entities
from dfactscore._readers import read_records

TEXT = "Ann Lee is a painter. She was born in 1950. Another Ann Lee rowed for Canada."


def record(n, *, pages):
    passages = [
        {"title": f"Ann Lee ({i % pages})", "text": f"Ann Lee won {i} prizes in {1900 + i % 90}."}
        for i in range(n)
    ]
    return {"name": "Ann Lee", "text": TEXT, "passages": passages}


@pytest.mark.slow
@pytest.mark.parametrize("pages", [1, 10**6], ids=["of one page", "each of its own"])
def test_lines_run_grow_with_the_passages(pages):
    Scorer().score_many([record(5, pages=pages)])  # what is loaded once
    few = lines_run(lambda: Scorer().score_many([record(1600, pages=pages)]))
    many = lines_run(lambda: Scorer().score_many([record(6400, pages=pages)]))
    assert many < 6 * few


@pytest.mark.parametrize(
    "pages",
    [1, pytest.param(10**6, marks=pytest.mark.slow)],
    ids=["of one page", "each of its own"],
)
def test_a_hundred_thousand_are_read(pages):
    with processor_seconds(60):
        (biography,) = read_records([record(100_000, pages=pages)]).biographies
        gathered = gather_entities(biography, None)
    assert len(biography.passages) == 100_000
    assert len(gathered.entities) == min(pages, 100_000)


def test_many_are_scored():
    """A step for each pair would be a hundred million."""
    with processor_seconds(100):
        (result,) = Scorer().score_many([record(10_000, pages=1)])
    assert result.fs is not None


ODD = (" ", "\n", "\t", "\x85", ".", "a", " a", "A.", " Ann", "(", ' "', "'", ",", " –", " 1", "1",
       "\n* ", "[1]", "<b>", "–", "?!", '."', " (born")  # fmt: skip
LONG = 100_000


@pytest.mark.parametrize("unit", ODD)
def test_a_page_of_one_thing(unit):
    """A step for each pair of characters would be minutes."""
    page = {"title": "Ann Lee", "text": "Ann Lee is a painter" + unit * (LONG // len(unit)) + "."}
    with processor_seconds(20):
        (result,) = Scorer().score_many([{"name": "Ann Lee", "text": TEXT, "passages": [page]}])
    assert result.fs is not None


@pytest.mark.parametrize("unit", ODD)
@pytest.mark.filterwarnings("ignore")
def test_a_text_of_one_thing(unit):
    record = {"name": "Ann Lee", "text": TEXT + unit * (LONG // 4 // len(unit)) + " She sang."}
    with processor_seconds(20):
        (result,) = Scorer(pages={"Ann Lee": TEXT}).score_many([record])
    assert result.record.status in ("scored", "not_english")
