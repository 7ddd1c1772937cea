"""A spool gives back every biography as it was."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from run_records import complete

from dfactscore._errors import InputError, RunError
from dfactscore._readers import read_biographies
from dfactscore._records import Biography, Evidence, Fact, FactGroup, Verdict
from dfactscore._runs import begin_records, describe_input
from dfactscore._runs.biography_json import biography_key
from dfactscore._runs.biography_spool import BiographySpool
from dfactscore._runs.input_records import record_keys, snapshot_dates
from dfactscore.examples import example
from dfactscore.retrieval import Passage

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8) | st.just("\ud800")
PLACES = st.none() | st.builds(Evidence, *(st.integers(0, 9) for _ in range(3)))
VERDICTS = st.builds(
    Verdict,
    st.sampled_from(["supported", "not_supported", "error"]),
    st.none() | st.floats(0, 1),
    PLACES,
    PLACES,
    st.booleans(),
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=4,
)
ODD = st.sampled_from([{"a": float("nan")}, {"a": b"x"}, {"a": (1, 2)}, {1: "a"}, {"a": {1, 2}}])
BIOGRAPHIES = st.builds(
    Biography,
    TEXTS,
    TEXTS,
    TEXTS,
    passages=st.lists(st.builds(Passage, TEXTS, TEXTS, TEXTS), max_size=2).map(tuple),
    raw=TEXTS,
    model=TEXTS,
    facts=st.none()
    | st.lists(
        st.builds(Fact, TEXTS, st.none() | st.integers(0, 3), st.none() | st.just((0, 1))),
        max_size=2,
    ).map(tuple),
    groups=st.none() | st.lists(st.builds(FactGroup, st.just((0,)), TEXTS), max_size=1).map(tuple),
    links=st.none() | st.lists(st.none() | TEXTS, max_size=2).map(tuple),
    verdicts=st.none()
    | st.dictionaries(TEXTS, st.lists(VERDICTS, max_size=2).map(tuple), max_size=2),
    extra=st.dictionaries(TEXTS, VALUES, max_size=2) | ODD,
)


@given(biographies=st.lists(BIOGRAPHIES, max_size=4))
def test_round_trip(biographies):
    spool = BiographySpool()
    for biography in biographies:
        spool.append(biography)
    assert len(spool) == len(biographies)
    for found, biography in zip(spool, biographies, strict=True):
        if "nan" in repr(biography.extra):
            assert found is biography
        assert found == biography
        assert [type(v) for v in found.extra.values()] == [*map(type, biography.extra.values())]
    records, usual = begin_records(spool), begin_records(list(biographies))
    assert list(record_keys(records)) == [record.key for record in usual]
    assert list(records) == list(usual)
    assert snapshot_dates(records) == snapshot_dates(usual)


def test_all_that_a_record_begins_with():
    biography = replace(complete().biography, extra={"snapshot": "2020-01-02"})
    spool = BiographySpool()
    spool.append(biography)
    assert spool[0] == spool[-1] == biography
    assert spool[0:1] == [biography]
    assert spool.key(0) == biography_key(biography)
    assert snapshot_dates(begin_records(spool)) == {"2020-01-02"}
    with pytest.raises(IndexError):
        spool[1]


@pytest.mark.parametrize("name", ["people", "ships"])
def test_a_file_is_read_the_same_into_a_spool(name):
    file = example(name).biographies
    plain, spooled = read_biographies(file), read_biographies(file, into=BiographySpool())
    assert tuple(spooled.biographies) == plain.biographies
    assert spooled.bad == plain.bad
    ours, theirs = begin_records(spooled.biographies), begin_records(plain.biographies)
    assert describe_input("x", ours) == describe_input("x", theirs)


def test_ids_that_come_twice_and_blank_files(tmp_path):
    file = tmp_path / "b.jsonl"
    row = json.dumps({"id": "a", "name": "Ann", "text": "Ann sang."})
    file.write_text(f"\n{row}\n{row}\n")
    reading = read_biographies(file, into=BiographySpool())
    assert len(reading.biographies) == 1
    assert "'a' is already the id of line 2" in str(reading.bad[0])
    for blank in (b"", b"\n \t\r\n" * 50_000, b"\xef\xbb\xbf", b"\x00\x00"):
        file.write_bytes(blank)
        with pytest.raises(InputError, match="the file is empty"):
            read_biographies(file)


def test_no_room(monkeypatch):
    spool = BiographySpool()

    class Full:
        def seek(self, _):
            pass

        def write(self, _):
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(spool, "_file", Full())
    with pytest.raises(RunError, match=r"No space left on device.*TMPDIR"):
        spool.append(complete().biography)
