"""Keys are masked in whatever form they come."""

from __future__ import annotations

import html
import json
from urllib.parse import quote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dfactscore._asking.secrets import MASK, masked

KEY = 'sk-canary/01"23\\x'
WAYS = {
    "plain": lambda key: key,
    "json": lambda key: json.dumps(key)[1:-1],
    "json in json": lambda key: json.dumps(json.dumps(key))[3:-3],
    "all escaped": lambda key: "".join(f"\\u{ord(c):04x}" for c in key),
    "some escaped": lambda key: "".join(
        f"\\u{ord(c):04X}" if n % 3 else json.dumps(c)[1:-1] for n, c in enumerate(key)
    ),
    "escaped slash": lambda key: json.dumps(key)[1:-1].replace("/", "\\/"),
    "escaped in json": lambda key: json.dumps("".join(f"\\u{ord(c):04x}" for c in key))[1:-1],
    "html": html.escape,
    "html numbers": lambda key: "".join(f"&#{ord(c)};" for c in key),
    "html hex": lambda key: "".join(f"&#x{ord(c):x};" for c in key),
    "address": lambda key: quote(key, safe=""),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_key_is_masked_however_it_is_written(way):
    written = WAYS[way](KEY)
    assert masked(f"a {written} b", [KEY]) == f"a {MASK} b"


@given(
    st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=8, max_size=30),
    st.text(),
    st.sampled_from(sorted(WAYS)),
)
@example("0000000\\", "", "plain")
def test_any_key_in_any_text(key, text, way):
    assert key not in masked(text + WAYS[way](key), [key]).replace(text, "", 1) or key in text
    # What is JSON stays so, and what it says has no key.
    answer = json.dumps({"text": text, "said": [key, {"inner": json.dumps({"k": key})}]})
    read = json.loads(masked(answer, [key]))
    assert read["said"][0] == MASK or key in MASK


def test_other_texts_stay_as_they_are():
    text = "sk-canar/01 \\u0073k %73k &#115;k"
    assert masked(text, [KEY, ""]) == text
    assert masked("password abc", ["abc"]) == "password abc"


def test_a_key_that_begins_another_does_not_shield_it():
    assert masked("secret-key-long secret-key", ["secret-key", "secret-key-long"]) == "*** ***"
