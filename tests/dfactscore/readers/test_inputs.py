"""Thirty formats of the same 12 texts have the same scores."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
from pathlib import Path

import pandas as pd
import pytest

from dfactscore import Scorer
from dfactscore._errors import InputError
from dfactscore._readers import Columns, read_biographies, read_records
from dfactscore._util.tables import read_table
from dfactscore.examples import example

PEOPLE = example("people")
N = 12


def _rows():
    pages = {
        json.loads(line)["title"]: json.loads(line)["text"]
        for line in PEOPLE.pages.read_text(encoding="utf-8").splitlines()
    }
    rows = []
    for biography in read_biographies(PEOPLE.biographies, limit=N).biographies:
        titles = [p.title for p in biography.passages]
        titles = titles or [t for t in pages if t.startswith(biography.name)][:3]
        rows.append(
            {
                "id": biography.id,
                "name": biography.name,
                "text": biography.raw + " She said \"è, 12; 3|4\".\nThen 'no', – it\tended.",
                "passages": [{"title": t, "text": pages[t].split("\n\n")[0]} for t in titles],
                "model": "m",
            }
        )
    return rows


ROWS = _rows()


def _csv(rows, *, head=None, encoding="utf-8", as_python=False, **dialect):
    out = io.StringIO(newline="")
    names = list(rows[0])
    writer = csv.writer(out, **dialect)
    writer.writerow([(head or {}).get(n, n) for n in names])
    for row in rows:
        cells = [row[n] for n in names]
        dump = str if as_python else json.dumps
        writer.writerow([dump(c) if isinstance(c, list) else c for c in cells])
    return out.getvalue().encode(encoding)


def _latin(rows):
    return [{**r, "text": r["text"].replace("−", "-"), "passages": r["passages"]} for r in rows]


def _excel(rows, head=None):
    out = io.BytesIO()
    flat = [{**r, "passages": json.dumps(r["passages"])} for r in rows]
    frame = pd.DataFrame(flat).rename(columns=head or {})
    frame.to_excel(out, index=False)
    return out.getvalue()


def _parquet(rows, compression="snappy"):
    out = io.BytesIO()
    pd.DataFrame(rows).to_parquet(out, index=False, compression=compression)
    return out.getvalue()


def _lines(rows, end="\n"):
    return "".join(json.dumps(r, ensure_ascii=False) + end for r in rows).encode()


def _alce(rows):
    data = [
        {"id": r["id"], "question": f"Tell me a bio of {r['name']} (disambiguation)",
         "output": r["text"], "docs": r["passages"], "model": "m"}
        for r in rows
    ]  # fmt: skip
    return json.dumps({"args": {}, "data": data}).encode()


def _factscore(rows):
    return _lines(
        [{"id": r["id"], "input": f"Question: Tell me a bio of {r['name']}.", "topic": r["name"],
          "output": r["text"], "passages": r["passages"], "model": "m"} for r in rows]
    )  # fmt: skip


LOUD = {n: n.upper() for n in ROWS[0]}
OWN = {"text": "answer", "name": "person", "id": "key", "passages": "evidence", "model": "system"}
SHUFFLED = random.Random(0).sample(list(ROWS[0]), 5)

FILES = {
    "own.jsonl": lambda: _lines(ROWS),
    "crlf.jsonl": lambda: _lines(ROWS, "\r\n"),
    "mark.jsonl": lambda: b"\xef\xbb\xbf" + _lines(ROWS),
    "packed.jsonl.gz": lambda: gzip.compress(_lines(ROWS)),
    "lines.ndjson": lambda: _lines([{k.title(): v for k, v in r.items()} for r in ROWS]),
    "list.json": lambda: json.dumps(ROWS, indent=1).encode(),
    "alce.json": lambda: _alce(ROWS),
    "factscore.jsonl": lambda: _factscore(ROWS),
    "comma.csv": lambda: _csv(ROWS),
    "unix.csv": lambda: _csv(ROWS, lineterminator="\n"),
    "quoted.csv": lambda: _csv(ROWS, quoting=csv.QUOTE_ALL),
    "packed.csv.gz": lambda: gzip.compress(_csv(ROWS)),
    "semicolon.csv": lambda: _csv(ROWS, delimiter=";"),
    "bar.csv": lambda: _csv(ROWS, delimiter="|"),
    "tab.csv": lambda: _csv(ROWS, delimiter="\t"),
    "tab.tsv": lambda: _csv(ROWS, delimiter="\t"),
    "excel mark.csv": lambda: b"\xef\xbb\xbf" + _csv(ROWS, delimiter=";"),
    "excel said.csv": lambda: b"sep=;\r\n" + _csv(ROWS, delimiter=";"),
    "excel unicode.csv": lambda: _csv(ROWS, delimiter="\t", encoding="utf-16"),
    "windows.csv": lambda: _csv(_latin(ROWS), delimiter=";", encoding="cp1252"),
    "capitals.csv": lambda: _csv(ROWS, head=LOUD),
    "shuffled.csv": lambda: _csv([{n: r[n] for n in SHUFFLED} for r in ROWS]),
    "python lists.csv": lambda: _csv(ROWS, as_python=True),
    "table.parquet": lambda: _parquet(ROWS),
    "gzip.parquet": lambda: _parquet(ROWS, "gzip"),
    "sheet.xlsx": lambda: _excel(ROWS),
    "capitals.xlsx": lambda: _excel(ROWS, LOUD),
}


def _dataset(rows):
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    return datasets.Dataset.from_list(rows)


def _splits(rows):
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    parts = {"train": _dataset(rows[:5]), "test": _dataset(rows[5:])}
    return datasets.DatasetDict(parts)


MEMORY = {
    "list of dicts": lambda: ROWS,
    "generator": lambda: (r for r in ROWS),
    "dict of columns": lambda: {n: [r[n] for r in ROWS] for n in ROWS[0]},
    "data frame": lambda: pd.DataFrame(ROWS),
    "data frame of Arrow": lambda: pd.read_parquet(io.BytesIO(_parquet(ROWS))),
    "Dataset": lambda: _dataset(ROWS),
    "DatasetDict": lambda: _splits(ROWS),
}


def fields(reading):
    assert reading.bad == ()
    return [(b.id, b.name, b.text, b.passages, b.model) for b in reading.biographies]


@pytest.fixture(scope="module")
def expected():
    return fields(read_records(ROWS))


@pytest.mark.parametrize("name", FILES)
@pytest.mark.filterwarnings("ignore:.*read as Windows-1252")
def test_files(name, tmp_path, expected):
    path = tmp_path / name
    path.write_bytes(FILES[name]())
    assert fields(read_biographies(path)) == expected


@pytest.mark.parametrize("name", MEMORY)
def test_memory(name, expected):
    assert fields(read_records(MEMORY[name]())) == expected


def test_there_are_thirty():
    assert len(FILES) + len(MEMORY) >= 30
    assert len(ROWS) == N


@pytest.mark.filterwarnings("ignore:.*read as Windows-1252")
def test_the_same_scores(tmp_path):
    """Scores of all inputs agree exactly; equal biographies are scored only once."""
    distinct = []
    for name, make in FILES.items():
        (tmp_path / name).write_bytes(make())
        distinct.append((name, read_biographies(tmp_path / name).biographies))
    distinct += [(name, read_records(make()).biographies) for name, make in MEMORY.items()]
    frames = {}
    scored = []
    for name, biographies in distinct:
        known = next((frame for seen, frame in scored if list(seen) == list(biographies)), None)
        if known is None:
            known = Scorer().score_many(list(biographies)).to_frame()
            scored.append((biographies, known))
        frames[name] = known
    assert len(frames) == len(FILES) + len(MEMORY)
    first = frames["own.jsonl"]
    assert len(first) == N
    for frame in frames.values():
        pd.testing.assert_frame_equal(frame, first)


def test_columns_with_names_of_their_own(tmp_path, expected):
    own = pd.DataFrame(ROWS).rename(columns=OWN)
    own["text"] = "another text, that was not chosen"
    columns = Columns(**OWN)
    assert fields(read_records(own, columns=columns)) == expected
    path = tmp_path / "own.csv"
    path.write_bytes(_csv(ROWS, head=OWN))
    assert fields(read_biographies(path, columns=columns)) == expected
    path.write_bytes(_lines([{OWN[k]: v for k, v in r.items()} for r in ROWS]))
    path = path.rename(tmp_path / "own.jsonl")
    assert fields(read_biographies(path, columns=columns)) == expected
    kept = read_records(own, columns=columns).biographies[0].extra
    assert kept == {"column text": "another text, that was not chosen"}


def test_a_file_in_another_encoding_is_named(tmp_path):
    path = tmp_path / "windows.csv"
    path.write_bytes(FILES[path.name]())
    with pytest.warns(UserWarning, match=r"windows\.csv:\d+: not UTF-8 .*; read as Windows-1252"):
        read_biographies(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.filterwarnings("ignore:.*read as Windows-1252")
def test_a_table_of_many_blocks_is_read_as_one_in_memory(tmp_path, encoding, end):
    """Characters and rows cross the blocks in which the encoding is detected."""
    path = tmp_path / "many.csv"
    rows = [f'{n},"né {end}{"é€" * (n % 90)}",\x00x' for n in range(6000)]
    data = end.join(["id,text,more", *rows]).encode(encoding)
    assert len(data) > 1 << 19
    path.write_bytes(data)
    packed = tmp_path / "many.csv.gz"
    packed.write_bytes(gzip.compress(data, 1))
    expected = list(read_table(path, data, error=ValueError))
    assert len(expected) == 6000
    assert expected[5].cells["text"] == f"né {end}" + "é€" * 5
    assert expected[5].cells["more"] == "\ufffdx"
    assert list(read_table(path, error=ValueError)) == expected
    assert list(read_table(packed, error=ValueError)) == expected


@pytest.mark.parametrize("place", [3, (1 << 18) - 1, 1 << 18, (1 << 18) + 1, (1 << 19) + 7])
def test_what_is_not_text_is_named_with_its_byte_and_line(tmp_path, place):
    lines = ("aé\n" * (1 << 18)).encode()[:place].decode(errors="ignore").encode()
    path = tmp_path / "odd.csv"
    path.write_bytes(lines + b"\x81\xff rest\n")
    line = lines.count(b"\n") + 1
    wrong = rf"odd\.csv:{line}: not UTF-8 \(byte {len(lines)}\), nor UTF-16 or Windows-1252"
    with pytest.raises(ValueError, match=wrong):
        list(read_table(path, error=ValueError))


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_table_is_not_held(tmp_path, suffix):
    import tracemalloc

    path, text = tmp_path / f"large{suffix}", "Ann Lee is a poet. " * 60
    frame = pd.DataFrame({"name": [f"Ann {n}" for n in range(6000)], "text": text})
    frame.to_csv(path, index=False) if suffix == ".csv" else frame.to_parquet(path)
    tracemalloc.start()
    try:
        assert sum(1 for _ in read_table(path, error=ValueError)) == 6000
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 3_000_000 < 6000 * len(text)


def test_a_column_that_is_not_there():
    from dfactscore._errors import InputError

    with pytest.raises(InputError, match=r"no column 'anser' for the text; it has .*did you mean"):
        read_records(
            pd.DataFrame({"answer": ["A."], "name": ["Ann Lee"]}), columns=Columns("anser")
        )


def test_numbers_dates_and_gaps_of_a_frame():
    frame = pd.DataFrame(
        {"id": [7, None], "name": ["Ann Lee", "Bo"], "text": ["Sang.", "Ran."],
         "when": pd.to_datetime(["2020-01-02", None]), "score": [0.5, float("nan")]}
    )  # fmt: skip
    a, b = read_records(frame).biographies
    assert (a.id, b.id) == ("7", "1")
    assert a.extra == {"when": "2020-01-02T00:00:00", "score": 0.5}
    assert b.extra == {}


BLANK = [
    {"name": "Ann Lee", "text": "Ann sang.", "model": "m", "note": "x"},
    {"name": "Bo Day", "text": None, "model": None, "note": None},
    {"name": None, "text": "Who?", "model": "m", "note": None},
]


def _blank(kind, path, head):
    frame = pd.DataFrame(BLANK).rename(columns=head)
    if kind == "data frame":
        return frame
    if kind == "data frame with NaN":
        return frame.where(frame.notna(), float("nan"))
    if kind == "columns":
        return {str(name): list(frame[name]) for name in frame}
    if kind in (".csv", ".tsv"):
        frame.to_csv(path, index=False, sep="\t" if kind == ".tsv" else ",")
    elif kind == "short rows.csv":  # the text is there, and what follows it is not
        path.write_text(frame.to_csv(index=False).replace("Bo Day,,,", "Bo Day,"))
    else:
        getattr(frame, {".xlsx": "to_excel", ".parquet": "to_parquet"}[kind])(path, index=False)
    return path


@pytest.mark.parametrize("head", [{}, {"text": "Output"}, {"text": "answer"}], ids=str)
@pytest.mark.parametrize(
    "kind",
    [".csv", ".tsv", "short rows.csv", ".xlsx", ".parquet", "data frame", "data frame with NaN",
     "columns"],
)  # fmt: skip
def test_an_empty_cell_of_the_text_is_an_empty_text(tmp_path, kind, head):
    table = _blank(kind, tmp_path / f"table{kind}", head)
    columns = Columns(text="answer") if "answer" in head.values() else Columns()
    read = read_biographies if isinstance(table, Path) else read_records
    reading = read(table, columns=columns)
    assert [(b.name, b.text, b.model) for b in reading.biographies] == [
        ("Ann Lee", "Ann sang.", "m"), ("Bo Day", "", ""),
    ]  # fmt: skip
    assert [b.extra for b in reading.biographies] == [{"note": "x"}, {}]
    (bad,) = reading.bad
    assert "field 'name': is empty" in str(bad)


def test_another_column_with_the_text_counts(tmp_path):
    path = tmp_path / "both.csv"
    path.write_text("name,text,output\nAnn Lee,,Ann sang.\nBo Day,,\n")
    assert [b.text for b in read_biographies(path).biographies] == ["Ann sang.", ""]


@pytest.mark.parametrize("names", [("text", "text"), ("Text", "text"), ("note", "note")])
@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".xlsx", ".parquet"])
def test_a_column_that_is_there_twice_is_refused(tmp_path, suffix, names):
    path = tmp_path / f"twice{suffix}"
    head, row = ("name", *names), ("Ann Lee", "Ann sang.", "Ann left.")
    if suffix == ".xlsx":
        openpyxl = pytest.importorskip("openpyxl", reason="XLSX needs openpyxl (extra xlsx)")
        book = openpyxl.Workbook()
        for cells in (head, row):
            book.active.append(cells)
        book.save(path)
    elif suffix == ".parquet":
        pa = pytest.importorskip("pyarrow", reason="Parquet needs pyarrow (extra parquet)")
        parquet = pytest.importorskip("pyarrow.parquet")
        parquet.write_table(pa.Table.from_arrays([pa.array([c]) for c in row], names=head), path)
    else:
        sign = "\t" if suffix == ".tsv" else ","
        path.write_text("\n".join(map(sign.join, (head, row))) + "\n")
    with pytest.raises(InputError, match=rf"twice\{suffix}: has 2 columns {names[1]}; keep one"):
        read_biographies(path)
