from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from dfactscore._util.settings import parse_yaml, read_yaml

VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(),
    ),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


class Refused(Exception):
    pass


def read(text):
    return parse_yaml(text, "s.yaml", error=Refused)


@given(VALUES)
def test_it_reads_what_is_written(value):
    text = yaml.safe_dump(value, allow_unicode=True)
    assert read(text) == yaml.safe_load(text)


def test_what_files_of_settings_hold():
    assert read("") is None
    assert read("a: &base {x: 1, y: 2}\nb: {<<: *base, y: 3}\n") == {
        "a": {"x": 1, "y": 2},
        "b": {"x": 1, "y": 3},
    }
    assert read("on: ray\nyes: yes\nmodels: {no: no}") == {
        "on": "ray",
        "yes": True,
        "models": {"no": False},
    }
    assert read("d: 2001-02-03\nt: 1:30:00\nf: 1:30.5") == {
        "d": "2001-02-03", "t": "1:30:00", "f": "1:30.5",
    }  # fmt: skip


BOMB = "\n".join(
    [f"a0: &a0 [{', '.join(['x'] * 9)}]"]
    + [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 9)]
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: 1\nb: [", "s.yaml:2: not valid YAML (expected the node content, but found"),
        ("a: 1\nb: 2\na: 3", "s.yaml:3: the key 'a' is repeated"),
        ("a:\n  b: 1\n  b: 1", "s.yaml:3: the key 'b' is repeated"),
        (BOMB, "aliases make more than 10,000 values of this file"),
        ("a: &a [*a]", "s.yaml:1: nested more than 100 levels deep"),
        ("[" * 3000, "s.yaml: nested more than 100 levels deep"),
        ("[" * 150 + "]" * 150, "s.yaml:1: nested more than 100 levels deep"),
        ("a: !!int x", "s.yaml: not valid YAML (a value is not of its type: invalid literal"),
        ("a: !!bool x", "s.yaml: not valid YAML (a value is not of its type"),
        (
            "a: !!python/object:os.system x",
            "s.yaml:1: 'tag:yaml.org,2002:python/object:os.system': only texts",
        ),
        ("{[1]: 2}", "s.yaml:1: not valid YAML (found unhashable key"),
        ("a: \x00", "s.yaml:1: not valid YAML (special characters are not allowed)"),
        ("x" * 300_000, "s.yaml: larger than 256 KiB; files of settings are small"),
        ("--- a\n--- b", "s.yaml:2: not valid YAML (but found another document"),
    ],
)
def test_one_line_of_error(text, said):
    with pytest.raises(Refused) as raised:
        read(text)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 200


def test_files(tmp_path):
    (tmp_path / "job.yaml").write_bytes(b"\xef\xbb\xbfa: 1\r\nb: 2\r\n")
    assert read_yaml(tmp_path / "job.yaml", error=Refused) == {"a": 1, "b": 2}
    with pytest.raises(Refused, match=r"no such file; did you mean job\.yaml\?"):
        read_yaml(tmp_path / "jobs.yaml", error=Refused)
    (tmp_path / "l.yaml").write_bytes(b"- x\n" * 2**17)
    with pytest.raises(Refused, match=r"l\.yaml: larger than 256 KiB"):
        read_yaml(tmp_path / "l.yaml", error=Refused)
    (tmp_path / "job.yaml").write_bytes(b"a: 1\nb: \xff")
    with pytest.raises(Refused, match=r"job\.yaml:2: not UTF-8 \(byte 8\)"):
        read_yaml(tmp_path / "job.yaml", error=Refused)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (f"0x{'f' * 5000}", "a number of 5,002 characters"),
        (f"{{? {'9' * 5000} : 1}}", "a number of 5,000 characters"),
        (f"[1, -{'7' * 400}]", "a number of 401 characters"),
        (".inf", ".inf is not a finite number"),
        ("{a: [-.Inf]}", "-.Inf is not a finite number"),
        (".NaN", ".NaN is not a finite number"),
        ("!!binary aGk=", "only texts, numbers, lists and mappings"),
        ("!!set {a, b}", "only texts, numbers, lists and mappings"),
        ("!!omap [a: 1]", "only texts, numbers, lists and mappings"),
        ("!!python/name:os.system", "only texts, numbers, lists and mappings"),
    ],
)
def test_what_json_cannot_hold_is_refused(value, words):
    with pytest.raises(Refused, match=r"s\.yaml:2: ") as problem:
        read(f"# first\nx: {value}\n")
    assert words in str(problem.value)
