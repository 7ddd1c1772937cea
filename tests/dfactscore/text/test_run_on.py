"""Cuts answers where the next turn or prompt begins."""

from __future__ import annotations

import pytest

from dfactscore._text.answer_ends import cut_run_on


@pytest.mark.parametrize(
    "tail",
    [
        "\n\nDocument [1] (Title: X)",
        "\n\nName of the person: Bo",
        "\n### Instruction: write",
        "\n**Name:** Bo",
    ],
)
def test_run_on(tail):
    assert cut_run_on("Al swam [1]." + tail, "Al Shaw") == ("Al swam [1].", True)


@pytest.mark.parametrize(
    "text",
    [
        "Al swam [1].\n\nHe documented it.",
        "About Al:\n\nName: Al Shaw\nBorn: 1950 [1]",
        "There are two.\n\nDocument [1] is about a swimmer [1].\nDocument 2 is about a poet [2].",
    ],
)
def test_no_run_on(text):
    assert cut_run_on(text, "Al Shaw") == (text, False)


@pytest.mark.parametrize("unit", ["\n", " ", "\n \t", "\n#", "\n\n\nName", "\nDocument "])
def test_what_never_ends_takes_no_longer_than_it_is(unit):
    text = "Al swam." + unit * (200_000 // len(unit))
    assert cut_run_on(text, "Al Shaw") == (text, False)


def test_blank_lines_before_a_next_prompt_go_with_it():
    text = "Al swam." + "\n" * 100_000 + "Instruction: write"
    assert cut_run_on(text) == ("Al swam.", True)
