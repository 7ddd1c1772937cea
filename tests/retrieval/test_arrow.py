"""Parquet, Arrow and Hugging Face's folders, as pages and as passages."""

import json

import pytest

pa = pytest.importorskip("pyarrow")

from dfactscore.retrieval._documents import Page, Passage  # noqa: E402
from dfactscore.retrieval._errors import RecordError, SourceError  # noqa: E402
from dfactscore.retrieval._readers import read_pages, read_passages  # noqa: E402

ROWS = [{"id": str(n), "title": f"T{n}", "text": f"text {n}"} for n in range(2500)]


def stream(path, rows, *, as_file=False):
    table = pa.Table.from_pylist(rows)
    make = pa.ipc.new_file if as_file else pa.ipc.new_stream
    path.parent.mkdir(parents=True, exist_ok=True)
    with pa.OSFile(str(path), "wb") as sink, make(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=999)
    return path


def parquet(path, rows):
    import pyarrow.parquet as pq

    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows), path)
    return path


def saved(folder, *parts):
    """A folder from `datasets.save_to_disk`, whose order is that of the state, not of the names."""
    names = [f"data-{number:05}-of-{len(parts):05}.arrow" for number in range(len(parts))]
    for name, rows in zip(reversed(names), parts, strict=True):
        stream(folder / name, rows)
    files = [{"filename": name} for name in reversed(names)]
    (folder / "state.json").write_text(json.dumps({"_data_files": files}))
    (folder / "dataset_info.json").write_text("{}")
    return folder


def expected(rows):
    return [Passage(row["title"], row["text"], row["id"]) for row in rows]


@pytest.mark.parametrize("as_file", [False, True])
def test_an_arrow_file(tmp_path, as_file):
    path = stream(tmp_path / "a.arrow", ROWS, as_file=as_file)
    assert list(read_passages(path)) == expected(ROWS)
    assert next(read_pages(path)) == Page("T0", "text 0", id="0")


def test_a_saved_data_set_keeps_its_order(tmp_path):
    folder = saved(tmp_path / "ds", ROWS[:1200], ROWS[1200:])
    assert list(read_passages(folder)) == expected(ROWS)
    assert [page.id for page in read_pages(folder)] == [row["id"] for row in ROWS]


def test_splits_are_read_by_name(tmp_path):
    saved(tmp_path / "ds" / "train", ROWS[5:])
    saved(tmp_path / "ds" / "test", ROWS[:5])
    (tmp_path / "ds" / "dataset_dict.json").write_text('{"splits": ["train", "test"]}')
    assert list(read_passages(tmp_path / "ds")) == expected(ROWS)


def test_parquet_as_the_hub_stores_it(tmp_path):
    parquet(tmp_path / "hub" / "data" / "train-00000-of-00002.parquet", ROWS[:7])
    parquet(tmp_path / "hub" / "data" / "train-00001-of-00002.parquet", ROWS[7:])
    assert list(read_passages(tmp_path / "hub")) == expected(ROWS)


def test_what_the_library_itself_saves(tmp_path):
    datasets = pytest.importorskip("datasets")
    datasets.Dataset.from_list(ROWS[:50]).save_to_disk(tmp_path / "ds")
    assert list(read_passages(tmp_path / "ds")) == expected(ROWS[:50])


def test_passages_without_ids_are_numbered(tmp_path):
    rows = [{"title": row["title"], "text": row["text"]} for row in ROWS[:3]]
    found = read_passages(parquet(tmp_path / "a.parquet", rows), first=7)
    assert [passage.id for passage in found] == ["7", "8", "9"]


def test_what_cannot_be_read(tmp_path):
    with pytest.raises(SourceError, match="has the columns id, body; title and text are needed"):
        list(read_passages(parquet(tmp_path / "a.parquet", [{"id": "1", "body": "x"}])))
    (tmp_path / "b.arrow").write_bytes(b"no arrow at all")
    with pytest.raises(SourceError, match=r"b\.arrow: not readable as Arrow"):
        list(read_passages(tmp_path / "b.arrow"))
    folder = saved(tmp_path / "ds", ROWS[:3])
    (folder / "state.json").write_text('{"_data_files": [{"filename": "../a.parquet"}]}')
    with pytest.raises(SourceError, match="which is not in the folder"):
        list(read_passages(folder))
    (folder / "state.json").write_text("{}")
    with pytest.raises(SourceError, match="not the state of a saved data set"):
        list(read_passages(folder))
    with pytest.raises(RecordError, match="'text' of 'A' is empty"):
        list(read_passages(parquet(tmp_path / "c.parquet", [{"title": "A", "text": ""}])))
