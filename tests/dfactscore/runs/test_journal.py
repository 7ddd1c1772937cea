"""Journals keep what was written, whatever happens."""

from __future__ import annotations

import errno
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore._errors import RunError
from dfactscore.work._journal import Journal, journal_line, read_line


def test_round_trip(tmp_path):
    journal = Journal(tmp_path / "j.jsonl")
    journal.append("a", {"x": "é\ud800\n"})
    journal.append("b", {"x": 2})
    journal.append("a", {"x": 3})
    assert "a" in journal
    assert len(journal) == 2
    assert journal.get("a")["x"] == 3
    assert journal.get("c") is None
    journal.close()
    again = Journal(tmp_path / "j.jsonl", read_only=True)
    assert [r and r["x"] for r in again.records(["b", "a", "c"])] == [2, 3, None]


def test_settle_orders_and_drops(tmp_path):
    journal = Journal(tmp_path / "j.jsonl")
    for key in "cab":
        journal.append(key, {"x": key})
    journal.append("c", {"x": "new"})
    journal.settle(["a", "b", "c", "missing"])
    expected = b"".join(
        journal_line(k, {"x": x}) for k, x in zip("abc", ["a", "b", "new"], strict=True)
    )
    assert (tmp_path / "j.jsonl").read_bytes() == expected
    journal.append("d", {"x": 1})
    assert journal.get("d")["x"] == 1
    assert list(journal.keys()) == ["a", "b", "c", "d"]


@given(cut=st.integers(0, 10_000), tail=st.binary(max_size=20))
def test_any_cut_is_survived(tmp_path_factory, cut, tail):
    path = tmp_path_factory.mktemp("j") / "j.jsonl"
    journal = Journal(path)
    for i in range(5):
        journal.append(str(i), {"x": "é" * i})
    journal.close()
    whole = path.read_bytes()
    kept = whole[: cut % (len(whole) + 1)]
    path.write_bytes(kept + tail.replace(b"\n", b""))
    again = Journal(path)
    assert len(again) == kept.count(b"\n")
    again.append("new", {"x": 1})
    again.close()
    assert Journal(path, read_only=True).get("new") == {"key": "new", "x": 1}


@given(
    st.dictionaries(st.text(), st.text() | st.integers() | st.booleans() | st.floats(0, 1)),
    st.data(),
)
def test_a_flipped_bit_is_noticed(record, data):
    line = journal_line("k", record)
    assert read_line(line, "j.jsonl:1") == {"key": "k", **record}
    assert json.loads(line).keys() == {"key", "crc32", *record}
    place = data.draw(st.integers(0, len(line) - 2))
    damaged = bytearray(line)
    damaged[place] ^= 1 << data.draw(st.integers(0, 7))
    with pytest.raises(RunError, match=r"^j\.jsonl:1: not a line of a journal"):
        read_line(bytes(damaged), "j.jsonl:1")


def test_a_line_of_an_earlier_release_has_no_check_sum():
    assert read_line(b'{"key": "a", "x": "0000"}\n', "j.jsonl:1") == {"key": "a", "x": "0000"}


@pytest.mark.parametrize("step", ["get", "records", "append", "settle", "open"])
def test_a_file_that_fails_is_named(tmp_path, monkeypatch, step):
    path = tmp_path / "j.jsonl"
    journal = Journal(path)
    for key in "ab":
        journal.append(key, {"x": key})
    before = path.read_bytes()

    class Failing:
        def __getattr__(self, name):
            raise OSError(errno.EMFILE, "Too many open files")

        def truncate(self, size):
            pass

    def fail(*_, **__):
        raise OSError(errno.EMFILE, "Too many open files")

    if step == "append":
        journal._file = Failing()
    else:
        monkeypatch.setattr("builtins.open", fail)
        monkeypatch.setattr("io.open", fail)
    steps = {
        "get": lambda: journal.get("a"),
        "records": lambda: list(journal.records("ab")),
        "append": lambda: journal.append("c", {"x": 1}),
        "settle": lambda: journal.settle("ba"),
        "open": lambda: Journal(path),
    }
    with pytest.raises(RunError, match=r"j\.jsonl: cannot be (used|read) \(Too many open files\)"):
        steps[step]()
    monkeypatch.undo()
    assert path.read_bytes() == before


def test_damage_elsewhere_is_an_error(tmp_path):
    path = tmp_path / "j.jsonl"
    path.write_text('{"key": "a"}\nbroken\n{"key": "b"}\n')
    with pytest.raises(RunError, match=r"j\.jsonl:2: not a line of a journal"):
        Journal(path)
