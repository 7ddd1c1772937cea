from __future__ import annotations

from dfactscore._util.near import near_file, near_miss


def test_near_misses():
    known = ("link", "links", "gamma")
    assert near_miss("lnk", known) == "; did you mean link?"
    assert near_miss("lnk", known, most=2) == "; did you mean link or links?"
    assert near_miss("LINK", known, show=repr) == "; did you mean 'link'?"
    assert near_miss(12, known) == ""
    assert near_miss("x" * 1_000_000, known) == ""


def test_near_files(tmp_path):
    for name in ("names.jsonl", "notes.md", ".hidden"):
        (tmp_path / name).write_text("")
    assert near_file(tmp_path / "name.jsonl") == "; did you mean names.jsonl?"
    assert near_file(tmp_path / "people-of-1900.jsonl", ".jsonl") == "; there is names.jsonl"
    assert near_file(tmp_path / "x.csv", ".csv") == ""
    assert near_file(tmp_path / "no" / "x.csv").startswith("; its folder ")
    (tmp_path / "first-run").mkdir()
    (tmp_path / "first-run" / "manifest.json").write_text("")
    assert near_file(tmp_path / "firstrun", folders="manifest.json") == "; did you mean first-run?"
    assert near_file(tmp_path / ("x" * 300) / "y").startswith("; its folder ")
