"""Reading answers about all facts and documents."""

from __future__ import annotations

import pytest

from dfactscore._asking.messages import Answer, AnswerError
from dfactscore.engines._llm.roles.joint_verifier import _letter, _read_letters
from dfactscore.linking import Evidence

PLACES = {"A": [Evidence(0, 0, 9), Evidence(0, 10, 19)], "B": [Evidence(1, 0, 5)]}


def supports(text, *, quoted=False, count=2, finish="stop"):
    columns = _read_letters(Answer(text, finish), count, PLACES, quoted=quoted)
    return ["".join("+" if v.status == "supported" else "-" for v in column) for column in columns]


@pytest.mark.parametrize(
    "text",
    [
        '{"1": ["A"], "2": []}',
        '{"1": "A", "2": ""}',
        '{"1": ["A", "A"], "2": "none"}',
        "1: A\n2:",
        "1. A\n2. -",
        "**1:** A\n**2:** none",
        "(1) A\n(2) -",
    ],
)
def test_letters_are_read_in_objects_and_lines(text):
    assert supports(text) == ["+-", "--"]


@pytest.mark.parametrize(
    "text",
    [
        "1: A\n1: B\n2: -",  # which of the two?
        "1: A",
        "1: A\n2: -\n3: B",
        "1: A supports it\n2: -",
        '{"1": ["A"], "2": ["C"]}',
        '{"1": ["a"], "2": []}',
        '{"1": ["A1"], "2": []}',
        '{"1": [true], "2": []}',
        '{"1": {"A": true}, "2": []}',
        "A",
    ],
)
def test_what_is_not_clear_is_not_read(text):
    with pytest.raises(AnswerError):
        supports(text)


def test_sentences_are_the_evidence():
    columns = _read_letters(
        Answer('{"1": ["A2", "B1", "A1"], "2": ["[B1]"]}'), 2, PLACES, quoted=True
    )
    assert [[v.evidence for v in column] for column in columns] == [
        [PLACES["A"][1], None],
        [PLACES["B"][0], PLACES["B"][0]],
    ]
    for wrong in ("A0", "A3", "A", "B2", "A99999999999"):
        with pytest.raises(AnswerError):
            supports(f'{{"1": ["{wrong}"], "2": []}}', quoted=True)


def test_an_answer_without_end_is_not_asked_for_again():
    with pytest.raises(AnswerError) as caught:
        supports('{"1": [' + '"A", ' * 200, finish="length")
    assert caught.value.final


def test_letters_go_on_behind_z():
    assert [_letter(n) for n in (0, 25, 26, 51, 52, 702)] == ["A", "Z", "AA", "AZ", "BA", "AAA"]
