"""Recognizes sentences that say nothing about the person."""

from __future__ import annotations

import pytest

from dfactscore._text.remarks import is_question, remark_of

REMARKS = {
    "a question": [
        "Who painted the ceiling?",
        "And why does it matter today?",
        "From which school did she graduate?",
        "Isn't she the one who flew to Rome?",
        "You mean the poet?",
        "What did she paint.",
        "Question: When was Ann Lee born?",
    ],
    "missing knowledge": [
        "I was not able to verify her date of birth.",
        "Regrettably, the passages contain nothing about Ann Lee.",
        "Document 3 does not say where she lived.",
        "My training data does not include anything on an Ann Lee.",
        "Ann Lee does not appear in any of the provided sources.",
        "As of my last update, there is no public information about Ann Lee.",
        "Nothing is known about her parents.",
        "Details about her death are scarce.",
        "Unfortunately, details of her youth remain undocumented in the sources at hand.",
        "It is not clear whether she ever married.",
        "The cause of her death has not been disclosed.",
        "The context does not specify when she died.",
        "No source states where she was buried.",
        "It seems that there is no Ann Lee in the documents.",
        "Her later years are poorly documented.",
        "Ann Lee is a common name, and without more context I cannot say more.",
    ],
    "about the writer": [
        "As an AI, I may be mistaken.",
        "I apologize for any errors.",
        "My knowledge ends in 2023.",
    ],
    "about the reader": [
        "You were born in 1951.",
        "Feel free to ask.",
        "If you want to know more, just say so.",
        "For further details, consult the museum's catalog.",
        "Remember to double-check the dates.",
        "Take a look at her website.",
        "Try searching for her paintings online.",
        "Be careful not to mix her up with others.",
        "Don't confuse her with the poet.",
    ],
    "about the sources": [
        "The passages above refer to different people.",
        "This summary may contain errors.",
        "The third passage is unrelated.",
        "The above covers only what the sources say.",
        "What follows is drawn from passage 2.",
        "The second document covers a different Ann Lee.",
    ],
    "talk": [
        "Sure!",
        "(Word count: 21)",
        "I'm here to help.",
        "What a great question!",
        "Here are five facts:",
    ],
    "an announcement": [
        "A brief biography of Ann Lee.",
        "The name Ann Lee is quite common in England.",
        "There are three people named Ann Lee.",
        "There's more than one Ann Lee, so I'll take the best known.",
        "There is more than one Ann Lee in the passages.",
        "Remember, there may be others of that name.",
        "Several people are called Ann Lee; the following concerns the poet.",
        "Let's take a look at her life.",
    ],
}
STATEMENTS = [
    "I Love Lucy made her famous.",
    "You Are My Sunshine was her only hit.",
    "Her body could not be found.",
    "She wrote that the documents do not exist.",
    "Although her exact date of birth is not known, she was baptized in 1750.",
    "Her parentage is unknown, but the museum names two families.",
    "Little joined the club in 1950.",
    "She asked whether art could be taught.",
    'She wrote "I Cannot Stay" in 1990.',
    "“I was very young,” she said.",
    "She appeared in Who's Afraid of Virginia Woolf? in 1962.",
    "Document 1 is about Ann Lee, a judge born in 1920.",
    "We also have Ann Lee, a poet born in Leeds.",
    "She is a household name in India.",
    "She found no work in Leeds.",
    "Set designs by Ann Lee hang in Leeds.",
    "Her records were lost in a fire.",
    "Here, she met her husband.",
    "In Germany, you pay with euros.",
]


@pytest.mark.parametrize(
    ("text", "kind"), [(text, kind) for kind, texts in REMARKS.items() for text in texts]
)
def test_what_states_nothing(text, kind):
    assert remark_of(text) == kind


@pytest.mark.parametrize("text", STATEMENTS)
def test_what_states_something(text):
    assert remark_of(text) is None


@pytest.mark.parametrize(
    "title", ["She sang in Where Are You?", "What's Up, Doc? is a film.", '"Who Am I?" is a song.']
)
def test_a_title_that_asks_is_no_question(title):
    assert not is_question(title)
