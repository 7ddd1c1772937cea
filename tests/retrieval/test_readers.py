from __future__ import annotations

import gzip
import json

import pytest

from dfactscore.retrieval._documents import Page, Passage
from dfactscore.retrieval._errors import MissingExtraError, RecordError, SourceError
from dfactscore.retrieval._readers import read_pages, read_passages
from dfactscore.retrieval._store import build_store


def lines(path, *records):
    path.write_text("".join(json.dumps(r) + "\n" for r in records))
    return path


def test_jsonl_gives_every_field_and_several_texts(tmp_path):
    path = lines(
        tmp_path / "p.jsonl",
        {"title": "A", "text": ["x", "y"], "id": 7, "url": "http://a", "redirects": ["AA"]},
        {"title": "B", "text": "z", "revision": "9", "timestamp": "2020-01-01", "license": "CC"},
    )
    a, a2, b = read_pages(path)
    assert a == Page("A", "x", id="7", url="http://a", redirects=("AA",))
    assert (a2.title, a2.text, a2.redirects) == ("A", "y", ())
    assert (b.revision, b.timestamp, b.license) == ("9", "2020-01-01", "CC")
    packed = tmp_path / "p.jsonl.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert list(read_pages(packed)) == [a, a2, b]
    packed.write_bytes(packed.read_bytes()[:40])
    with pytest.raises(SourceError, match="cannot be read"):
        list(read_pages(packed))


def test_dpr_tsv(tmp_path):
    path = tmp_path / "psgs_w100.tsv"
    path.write_text(
        'id\ttext\ttitle\n1\t"He said ""no"" twice."\tA "b"\n2\tmore\tA "b"\n3\tthird\tC\n'
    )
    assert list(read_passages(path)) == [
        Passage('A "b"', 'He said "no" twice.', "1"),
        Passage('A "b"', "more", "2"),
        Passage("C", "third", "3"),
    ]
    assert [(p.title, p.text) for p in read_pages(path)] == [
        ('A "b"', 'He said "no" twice.\nmore'),
        ("C", "third"),
    ]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("4\tonly text", "2 columns where DPR's format has 3: id, text, title"),
        ("4\ta\tb\tc", "4 columns where"),
        ("\ttext\tT", "the id is empty"),
        ("4\t\tT", "the text of passage 4 ('T') is empty"),
        ("4\ttext\t ", "the title of passage 4 is empty"),
    ],
)
def test_a_bad_tsv_row_is_named_or_set_aside(tmp_path, row, message):
    path = tmp_path / "p.tsv"
    path.write_text(f"id\ttext\ttitle\n1\tx\tA\n{row}\n2\ty\tB\n")
    with pytest.raises(RecordError) as error:
        list(read_passages(path))
    assert f"{path}:3: " in str(error.value)
    assert message in str(error.value)
    bad = []
    assert [p.id for p in read_passages(path, on_error=bad.append)] == ["1", "2"]
    assert len(bad) == 1


def test_wikipedia_parquet(tmp_path):
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    for n in range(2):
        table = pa.table(
            {"id": [str(n)], "url": [f"u{n}"], "title": [f"T{n}"], "text": [f"text {n}"]}
        )
        pq.write_table(table, tmp_path / f"train-{n:05d}-of-00002.parquet")
    assert list(read_pages(tmp_path)) == [
        Page("T0", "text 0", id="0", url="u0"),
        Page("T1", "text 1", id="1", url="u1"),
    ]
    pq.write_table(pa.table({"a": [1]}), tmp_path / "x.parquet")
    with pytest.raises(SourceError, match="has the columns a; title and text are needed"):
        list(read_pages(tmp_path / "x.parquet"))
    (tmp_path / "y.parquet").write_bytes(b"no")
    with pytest.raises(SourceError, match="not readable as Parquet"):
        list(read_pages(tmp_path / "y.parquet"))


def test_parquet_without_pyarrow_names_the_command(tmp_path, monkeypatch):
    (tmp_path / "x.parquet").write_bytes(b"")
    monkeypatch.setitem(__import__("sys").modules, "pyarrow.parquet", None)
    with pytest.raises(MissingExtraError, match=r"pip install .*\[parquet\]"):
        list(read_pages(tmp_path / "x.parquet"))


def test_a_store_is_read_back(tmp_path):
    build_store([Page("A", "x"), Page("B", "y")], tmp_path / "s.sqlite")
    assert [p.title for p in read_pages(tmp_path / "s.sqlite")] == ["A", "B"]


def test_jsonl_passages_have_ids_all_or_none(tmp_path):
    some = lines(tmp_path / "a.jsonl", {"title": "A", "text": "x"}, {"title": "B", "text": "y"})
    assert [p.id for p in read_passages(some)] == ["1", "2"]
    assert [p.id for p in read_passages(some, first=5)] == ["5", "6"]
    mixed = lines(
        tmp_path / "b.jsonl", {"title": "A", "text": "x", "id": "a"}, {"title": "B", "text": "y"}
    )
    with pytest.raises(RecordError, match="2: the passage of 'B' has no id, others have one"):
        list(read_passages(mixed))
    listed = lines(tmp_path / "c.jsonl", {"title": "A", "text": ["x", "y"]})
    with pytest.raises(RecordError, match="a passage has one text"):
        list(read_passages(listed))


def test_files_that_no_reader_knows(tmp_path):
    (tmp_path / "a.xml").write_text("x")
    (tmp_path / "b.tsv").write_text("")
    (tmp_path / "c.jsonl").write_bytes(b"\xff\n")
    (tmp_path / "d").mkdir()
    for name, message in {
        "a.xml": "unknown kind of file '.xml'",
        "b.tsv": "the file is empty",
        "c.jsonl": "not UTF-8",
        "d": "contains neither .txt nor .parquet",
        "c.json": "no such file; did you mean c.jsonl?",
    }.items():
        with pytest.raises(SourceError) as error:
            list(read_pages(tmp_path / name))
        assert message in str(error.value)
        assert "\n" not in str(error.value)
    folder = tmp_path / "d"
    (folder / "A.txt").write_text("x")
    with pytest.raises(SourceError, match=r"passages are read from \.tsv"):
        list(read_passages(folder))
