"""Answers are found once, and begun again when there are too many."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dfactscore._util.bounded_memory import BoundedCache


@given(st.lists(st.integers(0, 6)), st.integers(1, 4))
def test_answers_are_those_of_the_function_and_few(asked: list[int], most: int) -> None:
    found = BoundedCache(lambda n: -n, most=most)
    for question in asked:
        assert found[question] == -question
        assert len(found) <= most


def test_an_answer_is_found_once() -> None:
    asked: list[str] = []

    def length(word: str) -> int:
        asked.append(word)
        return len(word)

    found = BoundedCache(length, most=2)
    assert [found[word] for word in ("a", "bc", "a", "bc")] == [1, 2, 1, 2]
    assert asked == ["a", "bc"]
