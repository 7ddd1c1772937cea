from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dfactscore._util.message_text import message_line, short_repr

VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary()),
    lambda inner: st.lists(inner) | st.tuples(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)


@given(VALUES, st.integers(5, 200))
def test_it_is_one_line_and_cut(value, width):
    text = short_repr(value, width)
    assert len(text) <= width
    assert len(text.splitlines()) <= 1


@given(st.recursive(st.integers(-99, 99) | st.text(max_size=3), st.lists, max_leaves=3))
def test_small_values_look_as_python_writes_them(value):
    if "[[[[" not in repr(value):
        assert short_repr(value, 1000) == repr(value)


def test_what_would_not_end():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    assert short_repr(deep) == "[[[[…]]]]"
    wide = ["x"]
    for _ in range(40):
        wide = [wide] * 9
    assert short_repr(wide, 30).startswith("[[[[…")
    assert short_repr(10**5000) == "a very long number"
    assert short_repr({"a": 1, "b": (2,)}) == "{'a': 1, 'b': (2,)}"


@given(st.text(max_size=3000))
def test_a_message_is_one_line(text):
    said = message_line(f"a.csv:3: {text} do this")
    assert len(said.splitlines()) == 1
    assert len(said) <= 1010
    assert said.startswith("a.csv:3: ")
    assert said.endswith("do this")
