from __future__ import annotations

import random
import sqlite3
import threading

import pytest

from dfactscore._util.sqlite import SQLiteReader, open_sqlite, sqlite_errors


class Refused(Exception):
    pass


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "it.sqlite"
    db = open_sqlite(path, "journal_mode=WAL")
    db.execute("CREATE TABLE t (k TEXT PRIMARY KEY, v TEXT)")
    db.execute("BEGIN")
    db.executemany("INSERT INTO t VALUES (?, ?)", [(f"k{n}", "x" * n) for n in range(500)])
    db.execute("COMMIT")
    db.close()
    return path


def test_a_reader_writes_nothing(file):
    reader = SQLiteReader(file, error=Refused)
    assert reader.rows("SELECT v FROM t WHERE k = ?", "k3") == [("xxx",)]
    assert reader.rows("SELECT v FROM t WHERE k = ?", "\ud800") == []
    assert len(list(reader.each("SELECT v FROM t"))) == 500
    with pytest.raises(Refused, match=r"it\.sqlite: cannot be read \(attempt to write"):
        reader.rows("DELETE FROM t")
    reader.close()
    assert reader.rows("SELECT count(*) FROM t") == [(500,)]
    reader.close()
    with pytest.raises(sqlite3.OperationalError):
        open_sqlite(file.with_name("none.sqlite"), read_only=True)
    assert not file.with_name("none.sqlite").exists()


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_rows_that_are_given_up(file):
    reader = SQLiteReader(file, error=Refused)
    rows = reader.each("SELECT k FROM t")
    next(rows)
    reader.close()
    rows.close()


def test_a_read_only_disk(file):
    """A superuser may write all the same; for everyone else the folder takes no journal."""
    file.parent.chmod(0o500)
    try:
        assert SQLiteReader(file, error=Refused).rows("SELECT count(*) FROM t") == [(500,)]
    finally:
        file.parent.chmod(0o700)


@pytest.mark.parametrize("seed", range(60))
def test_a_damaged_file_is_one_line(file, seed):
    rng = random.Random(seed)
    data = bytearray(file.read_bytes())
    if seed % 3 == 0:
        del data[rng.randrange(len(data)) :]
    for _ in range(rng.randrange(1, 2000)):
        if data:
            data[rng.randrange(len(data))] = rng.randrange(256)
    file.write_bytes(data)
    said = []
    try:
        reader = SQLiteReader(file, error=Refused)
        reader.rows("SELECT * FROM t")
        for n in range(0, 500, 7):
            reader.rows("SELECT v FROM t WHERE k = ?", f"k{n}")
    except Refused as error:
        said.append(str(error))
    try:
        with sqlite_errors(file, "cannot be written", error=Refused):
            db = open_sqlite(file)
            db.execute("CREATE TABLE IF NOT EXISTS u (x)")
            db.execute("INSERT INTO t VALUES ('new', 'row')")
            db.close()
    except Refused as error:
        said.append(str(error))
    for line in said:
        assert line.startswith(f"{file}: cannot be ")
        assert "\n" not in line


def test_a_second_writer_waits(file):
    first, second = open_sqlite(file), open_sqlite(file, "busy_timeout=100")
    first.execute("BEGIN IMMEDIATE")
    with (
        pytest.raises(Refused, match="database is locked"),
        sqlite_errors(file, "cannot be written", error=Refused),
    ):
        second.execute("BEGIN IMMEDIATE")
    first.execute("COMMIT")
    second.execute("BEGIN IMMEDIATE")
    second.execute("COMMIT")


def test_the_journal_mode_is_set_once_another_has_written(tmp_path):
    """SQLite refuses it at once while someone writes, as when processes make a file together."""
    first = open_sqlite(tmp_path / "it.sqlite", any_thread=True)
    first.execute("CREATE TABLE t (k)")
    first.execute("BEGIN IMMEDIATE")
    first.execute("INSERT INTO t VALUES (1)")
    later = threading.Timer(0.2, first.execute, ["COMMIT"])
    later.start()
    second = open_sqlite(tmp_path / "it.sqlite", "journal_mode=WAL", wait=60)
    later.join()
    assert second.execute("SELECT k FROM t").fetchall() == [(1,)]
    first.execute("BEGIN IMMEDIATE")
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        open_sqlite(tmp_path / "it.sqlite", "journal_mode=DELETE", wait=0)
    first.close()
    second.close()
