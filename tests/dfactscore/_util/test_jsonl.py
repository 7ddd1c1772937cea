from __future__ import annotations

import gzip
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dfactscore._util.files import dump_json
from dfactscore._util.jsonl import (
    JSONError,
    iter_lines,
    parse_json,
    read_json,
    read_jsonl,
    write_json,
    write_jsonl,
)

BREAKS = "\u2028\u2029\x85\x0b\x0c\x1c\x1d\x1e\r"
STRANGE = st.text(
    st.one_of(st.characters(), st.sampled_from(BREAKS + '\n\x00\ufeff"\\[{]}'))
).filter(lambda text: not any("\ud800" <= c <= "\udbff" for c in text) or "\udc00" not in text)
VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        STRANGE,
    ),
    lambda inner: st.lists(inner) | st.dictionaries(STRANGE, inner),
    max_leaves=20,
)


def joined(value):
    """Halves of a surrogate pair that stand side by side are one character to every reader."""
    return json.loads(json.dumps(value))


class Refused(Exception):
    pass


@settings(max_examples=15, deadline=None)
@given(st.lists(st.dictionaries(STRANGE, VALUES)))
def test_what_is_written_is_read(tmp_path_factory, records):
    path = tmp_path_factory.mktemp("x") / "records.jsonl"
    assert write_jsonl(path, records, error=Refused) == len(records)
    assert [value for _, value in read_jsonl(path, error=Refused)] == joined(records)
    crlf = b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n")
    (path.parent / "records.jsonl.gz").write_bytes(gzip.compress(crlf))
    found = read_jsonl(path.parent / "records.jsonl.gz", error=Refused)
    assert [value for _, value in found] == joined(records)
    write_json(path, records, error=Refused)
    assert read_json(path, error=Refused) == joined(records)


@given(VALUES)
def test_it_reads_what_the_library_reads(value):
    text = json.dumps(value, ensure_ascii=False)
    assert parse_json(text) == json.loads(text)
    assert parse_json(f" \r\n\ufeff{text}".lstrip(" \r\n") + "\n\t") == json.loads(text)


@given(st.text(st.sampled_from('[]{},:"\\ 1a\n'), max_size=40))
def test_it_refuses_what_the_library_refuses(text):
    try:
        wanted = json.loads(text)
    except ValueError:
        with pytest.raises(JSONError, match=r"^not valid JSON: "):
            parse_json(text)
    else:
        assert parse_json(text) == wanted


@pytest.mark.parametrize("breaker", BREAKS)
def test_lines_end_at_line_feeds_only(tmp_path, breaker):
    path = tmp_path / "r.jsonl"
    text = f"one{breaker}two"
    path.write_bytes(dump_json({"text": text}).encode() + b"\n \r\n" + b'{"text": 2}')
    found = list(read_jsonl(path, error=Refused))
    assert found == [(f"{path}:1", {"text": text}), (f"{path}:3", {"text": 2})]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"{}\n{", "r.jsonl:2: not valid JSON: Expecting property name enclosed in double quotes"
                   " (column 2)"),
        (b'{"a": "b\x00"}', "r.jsonl:1: not valid JSON: Invalid control character at (column 9)"),
        (b"{} {}", "r.jsonl:1: not valid JSON: something follows the value (column 4)"),
        (b'{"a": NaN}', "r.jsonl:1: not valid JSON: NaN is not a JSON value"),
        (b"\n\n" + b"[" * 200_000, "r.jsonl:3: not valid JSON: nested more than 100 levels deep"),
        (b"[" * 101 + b"]" * 101, "r.jsonl:1: not valid JSON: nested more than 100 levels deep"),
        (b'{"a":' * 500 + b"1" + b"}" * 500,
         "r.jsonl:1: not valid JSON: nested more than 100 levels deep"),
        (b"1" * 5000, "r.jsonl:1: not valid JSON: Exceeds the limit"),
        (b'"\xff"', "r.jsonl:1: not UTF-8 (byte 1); convert it first (iconv -t utf-8)"),
        (b'"\xed\xa0\x80"', "r.jsonl:1: not UTF-8 (byte 1)"),
        (b"\x00", "r.jsonl:1: not valid JSON: Expecting value (column 1)"),
    ],
)  # fmt: skip
def test_messages(tmp_path, data, said):
    path = tmp_path / "r.jsonl"
    path.write_bytes(data)
    with pytest.raises(Refused) as raised:
        list(read_jsonl(path, error=Refused))
    assert str(raised.value).startswith(f"{tmp_path}/{said}")
    if b"{} {}" not in data and b"{}\n" not in data:
        with pytest.raises(Refused) as raised:
            read_json(path, error=Refused)
        assert str(raised.value).startswith(f"{tmp_path}/{said}")


def test_depth_counts_brackets_outside_of_texts_only():
    deep = "[" * 100 + "]" * 100
    assert parse_json(deep)
    wide = [["[[{{\\", '"]"'] * 300, [{"}": "{"}] * 300]
    assert parse_json(json.dumps(wide)) == wide


def test_python_s_own_nan_where_fields_are_not_read(tmp_path):
    (line,) = iter_lines([b'{"x": NaN}'], name="r.jsonl", error=Refused)
    assert line.where == "r.jsonl:1"
    assert str(parse_json(line.raw, strict=False)) == "{'x': nan}"


def test_files_that_cannot_be_read(tmp_path):
    (tmp_path / "recrods.jsonl").write_text("{}\n")
    with pytest.raises(Refused, match=r"no such file; did you mean recrods\.jsonl\?$"):
        read_json(tmp_path / "records.jsonl", error=Refused)
    (tmp_path / "cut.jsonl.gz").write_bytes(gzip.compress(b"{}\n" * 1000)[:-9])
    with pytest.raises(Refused, match=r"cut\.jsonl\.gz: cannot be read \("):
        list(read_jsonl(tmp_path / "cut.jsonl.gz", error=Refused))
    damaged = bytearray(gzip.compress(bytes(range(256)) * 9, mtime=0))
    damaged[12] ^= 255
    (tmp_path / "bad.json.gz").write_bytes(damaged)
    with pytest.raises(Refused, match=r"bad\.json\.gz: cannot be read \("):
        read_json(tmp_path / "bad.json.gz", error=Refused)
    with pytest.raises(Refused, match="is a folder, not a file"):
        read_json(tmp_path, error=Refused)
    with pytest.raises(Refused, match="File name too long"):
        read_json(tmp_path / ("x" * 300), error=Refused)


def test_a_value_that_json_does_not_know_leaves_the_old_file(tmp_path):
    path = tmp_path / "x.json"
    write_json(path, {"a": 1}, error=Refused)
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(path, float("nan"), error=Refused)
    assert path.read_text() == '{\n  "a": 1\n}\n'
    assert [p.name for p in tmp_path.iterdir()] == ["x.json"]


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ('{"a": 1\n', 8),
        ('{"a": 1,\r\n', 9),
        ('{"a": \n', 6),
        ('{"a": "x\n', 7),
        ('{"a": 1} x\n', 10),
    ],
)
def test_a_value_that_is_cut_breaks_where_it_ends(text, column):
    with pytest.raises(JSONError) as problem:
        parse_json(text)
    assert (problem.value.line, problem.value.column) == (1, column)
