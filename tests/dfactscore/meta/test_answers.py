"""Answers that name wrong segments, as each reading takes them."""

from __future__ import annotations

import pytest

from dfactscore._asking.messages import Answer
from dfactscore.meta._predictions import READINGS, read_answer
from dfactscore.meta._prompting import parse_answer


@pytest.mark.parametrize(
    ("text", "flagged", "out"),
    [
        ("ALL_CORRECT", [], 0),
        ("ALL\\_CORRECT</s> 2", [], 0),
        ("ALL are CORRECT", [], 0),
        ("2", [1], 0),
        ("1, 3", [0, 2], 0),
        ("\n\n  Answer: 2,3\nAnswer: 1", [1, 2], 0),
        ("Answers: 2", [1], 0),
        ("2\nbecause 3 is right", [1], 0),
        ("0, 2, 9", [1], 2),
        ("99999999999999999999999", [], 1),
        ("1<|im_end|>2", [0], 0),
        ("1<|eot_id|>\nAnswer: 2", [0], 0),
        ("none of them", None, 0),
        ("", None, 0),
        ("</s>1", None, 0),
        ("1" * 5000, [], 1),
    ],
)
def test_strict(text, flagged, out):
    for reading in ("strict", "reasons"):
        found = READINGS[reading](text, 3)
        assert (None if found.flagged is None else sorted(found.flagged)) == flagged, reading
        assert found.out_of_range == out


@pytest.mark.parametrize(
    ("text", "strict", "reasons"),
    [
        ("1\nAnswer: 2", [0], [1]),
        ("2\n\nQuestion: Who was it?\nAnswer: 1,3", [1], [0, 2]),  # the model asks itself more
        ("ALL_CORRECT\n\nQuestion: ...\nAnswer: 3", [], [2]),
        ("Segment 3 is not right.\nAnswer: 2", [2], [1]),
        ("Answer: 2\nAnswer: 1", [1], [1]),
    ],
)
def test_a_later_answer_counts_only_behind_reasons(text, strict, reasons):
    assert sorted(READINGS["strict"](text, 3).flagged) == strict
    assert sorted(READINGS["reasons"](text, 3).flagged) == reasons
    assert read_answer(text, 3) == READINGS["strict"](text, 3)


@pytest.mark.parametrize(
    ("reading", "text", "flagged"),
    [
        ("felm-vicuna", "ALL\\_CORRECT 2", []),
        ("felm-vicuna", "ALL_CORRECT 2", [1]),
        ("felm-vicuna", "In 1990 it was 2.\nAnswer: 3", [1, 2]),
        ("felm-vicuna", "0", [2]),
        ("felm-vicuna", "nothing", []),
        ("felm-chat", "2 ... ALL_CORRECT", []),
        ("felm-chat", "1 is right. Answer: 2, 7", [1]),
        ("felm-chat", "2", []),
    ],
)
def test_felms_own_scripts(reading, text, flagged):
    assert sorted(READINGS[reading](text, 3).flagged) == flagged


@pytest.mark.parametrize(
    ("answer", "status", "flagged"),
    [
        (Answer('{"errors": [2]}'), "read", [1]),
        (Answer('{"errors": []}'), "read", []),
        (Answer('{"reasons": "1 is right", "errors": [3, 8]}'), "read", [2]),
        (Answer('```json\n{"errors": [1]}\n```'), "read", [0]),
        (Answer("<think>1 or 2?</think>Answer: 3"), "read", [2]),
        (Answer("Answer: 3", "length"), "truncated", None),
        (Answer("ALL_CORRECT", "length"), "truncated", None),
        (Answer("", refusal="no"), "refused", None),
        (Answer("", "content_filter"), "refused", None),
        (Answer("I'm sorry, I cannot help with that."), "refused", None),
        (Answer("Hard to tell."), "unread", None),
        (Answer(""), "unread", None),
    ],
)
def test_every_status(answer, status, flagged):
    parsed = parse_answer(answer, 3, reasons=True)
    assert parsed.status == status
    assert (None if parsed.read.flagged is None else sorted(parsed.read.flagged)) == flagged
