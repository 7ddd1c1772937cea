"""The name that a question asks about."""

from __future__ import annotations

import pytest

from dfactscore.text.questions import name_of_question


@pytest.mark.parametrize(
    "question",
    [
        "Who is Tom Hale?",
        "Who was Tom Hale ?",
        "who's “Tom Hale”?",
        "Tell me about “Tom Hale”",
        "Tell me about Tom Hale.",
        "Please write a biography of Tom Hale.",
        "Could you tell me about Tom Hale?",
        "Write a short one-paragraph bio about Tom Hale",
        "Question: Tell me a bio of Tom Hale",
        "What do you know about Tom Hale?",
        "Provide a brief summary of Tom Hale!",
        "Tom Ha\u00adle",
        '"Tom Hale"',
        "Tom&nbsp;Hale",
        "Tom Hale (disambiguation)",
    ],
)
def test_name_is_found(question):
    assert name_of_question(question) == "Tom Hale"


@pytest.mark.parametrize(
    "name",
    [
        "Who",
        "Who Is Jill Scott",
        "Conan O'Neal",
        "Ken Griffey Jr.",
        'Frank "Tug" McGraw',
        "Tell",
        "D'Arcy O'Brien",
        "'Abd al-Malik",
        "Will Wright",
        "Bio Kim",
    ],
)
def test_name_stays(name):
    assert name_of_question(name) == name
