"""Journals keep what was written, whatever happens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore._errors import RunError
from dfactscore._util.files import dump_json
from dfactscore.work._journal import Journal


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
    expected = "".join(
        dump_json({"key": k, "x": x}) + "\n" for k, x in zip("abc", ["a", "b", "new"], strict=True)
    )
    assert (tmp_path / "j.jsonl").read_text() == expected
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


def test_damage_elsewhere_is_an_error(tmp_path):
    path = tmp_path / "j.jsonl"
    path.write_text('{"key": "a"}\nbroken\n{"key": "b"}\n')
    with pytest.raises(RunError, match=r"j\.jsonl:2: not a line of a journal"):
        Journal(path)
