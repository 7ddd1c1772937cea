"""Outputs that are not texts: messages of services, printed objects, sentinels, damaged letters."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore._readers.shown_text import no_text, shown_text
from dfactscore._records import Biography
from dfactscore._text.clean_text import damaged_words, repair
from dfactscore._text.outputs import FAILURES, failed_output, printed_text, states_nothing

NAME = "Nora Veld"
TEXT = "Nora Veld (born 1951) is a Danish botanist. She won the 'Fen' Medal in 1988."


@pytest.mark.parametrize("form", FAILURES, ids=lambda form: form.id)
def test_each_form_has_an_example_that_needs_it(form):
    assert [row.id for row in FAILURES if row.test(form.example)] == [form.id]
    assert failed_output(form.example, NAME) == form.sentence


@pytest.mark.parametrize(
    "message",
    [
        "The connection to the host was closed.",
        "Our systems are at capacity; your request could not be processed. Try again shortly.",
        "Quota exhausted for this deployment.",
        "Oops! Something went wrong. Please refresh the page.",
        "The agent reached its limit of 15 steps.",
        "ReadTimeout: the endpoint did not respond",
        "HTTP 429",
        "Error fetching Nora Veld: timeout",
        "The prompt was flagged by our moderation policy.",
        "ECONNRESET",
        "Out of memory on device 0.",
        '{"detail": "Invalid token"}',
        "<function=search>Nora Veld</function>",
        "{response}",
        "We are having technical difficulties and could not answer you.",
        "google.cloud.errors.Exhausted: 429 Quota used up",
        "stop_reason: safety_filter",
        "We could not reach the inference server. Check the network settings.",
        "Error 1033: tunnel",
        "Calling: `lookup` with `{'name': 'Nora Veld'}`",
        "Token not valid.",
        "Search for Nora Veld failed: 504 Gateway Timeout",
    ],
)
def test_messages_are_failures(message):
    biography = Biography("1", NAME, shown_text(message, NAME).text, raw=message)
    ending = no_text(biography)
    assert ending is not None
    assert ending.status == "failed"


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        "Botanist. Born Aarhus 1951. Fen Medal 1988.",
        "Education: Aarhus School of Botany. Awards: Fen Medal.",
        "Nora Veld failed the exam, founded a network firm and denied every request to sell it.",
        "404 Not Found was her first record; Nora Veld sang on it.",
        "Error Veld is a film of 1990.",
        "Model, Aarhus. Studied at the Limits School.",
        "Note: Nora Veld is a botanist.",
        "She led the server team. The service failed in 1999.",
    ],
)
def test_texts_are_not(text):
    assert failed_output(text, NAME) is None
    assert printed_text(text) is None
    assert no_text(Biography("1", NAME, text, raw=text)) is None


@pytest.mark.parametrize(
    ("message", "status"),
    [
        ("No relevant documents found.", "abstained"),
        ("Nothing was found for this question.", "abstained"),
        ("Your search returned no results.", "abstained"),
        ("The query did not match any pages.", "abstained"),
        ("Stream(response=<Response [200]>)", "no_answer"),
        ("There are no passages about Nora Veld.", "abstained"),
        ("<generator object stream at 0x7f2c10>", "no_answer"),
        ("<think>Who is it?</think>", "no_answer"),
    ],
)
def test_other_endings(message, status):
    biography = Biography("1", NAME, shown_text(message, NAME).text, raw=message)
    ending = no_text(biography)
    assert ending is not None
    assert ending.status == status


@pytest.mark.parametrize(
    "form",
    [
        "content={text!r} additional_kwargs={{'refusal': None}} id='run-1'",
        "AIMessage(content={text!r}, response_metadata={{'finish_reason': 'stop'}})",
        "AIMessage(content=[{{'type': 'text', 'text': {text!r}}}])",
        "[TextBlock(citations=None, text={text!r}, type='text')]",
        "Response(response={text!r}, source_nodes=[NodeWithScore(node=TextNode(text='Other'))])",
        "ChatCompletion(id='c', choices=[Choice(message=ChatCompletionMessage(content={text!r}))])",
        "{{'role': 'assistant', 'content': {text!r}}}",
        "[{{'generated_text': {text!r}}}]",
        "{{'answer': {text!r}, 'context': ['Other']}}",
        "RunResult(final_output={text!r}, new_items=[])",
        "Prediction(\n    reasoning='She sang.',\n    answer={text!r}\n)",
        "({text!r}, {{'tokens': 31}})",
        "[{{'role': 'user', 'content': 'Who?'}}, {{'role': 'assistant', 'content': {text!r}}}]",
    ],
)
@given(text=st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1))
def test_the_text_of_a_printed_object_comes_back(form, text):
    text = f"Ann {text}"
    assert printed_text(form.format(text=text)) == text


def test_bytes_are_text():
    assert printed_text(repr("Zoë sang.".encode())) == "Zoë sang."


@given(st.text())
def test_any_text_is_read(text):
    assert isinstance(printed_text(text), str | None)
    assert isinstance(failed_output(text, NAME), str | None)


@pytest.mark.parametrize(
    "fact",
    [
        *(
            "None",
            "```",
            "```json",
            "No verifiable claims.",
            "N/A",
            "Facts:",
            "Here are the facts:",
        ),
        *("[]", "1.", "<facts>", "No facts to extract.", "The text contains no factual claims."),
    ],
)
def test_marks_among_given_facts_state_nothing(fact):
    assert states_nothing(fact)


@pytest.mark.parametrize(
    "fact",
    [
        "Nora Veld is none of these.",
        "Nora Veld sang in Facts.",
        "Nothing was her second record.",
        "The facts of the case are hers.",
        "Nora Veld has no facts to tell.",
    ],
)
def test_facts_state_something(fact):
    assert not states_nothing(fact)


@given(st.text(st.characters(min_codepoint=0xC0, max_codepoint=0x24F), min_size=1))
def test_misread_letters_are_restored(letters):
    misread = letters.encode().decode("latin-1")
    assert repair(f"A {misread} b") == f"A {letters} b"


@pytest.mark.parametrize(
    "text", ["São Paulo", "Ångström, Ÿ, ñandú", "100 % of C:\\users", "https://a.org/M%C3%BCller"]
)
def test_sound_letters_stay(text):
    assert repair(text) == text
    assert damaged_words(text) == []


def test_codes_of_letters_are_restored():
    assert repair(ast.literal_eval(r"'M\\u00fcller'")) == "Müller"
    assert repair("Z%C3%BCrich") == "Zürich"
    assert damaged_words("Fran?ois M�ller. Who? She.") == ["Fran?ois", "M�ller"]


@pytest.mark.parametrize(
    "damaged",
    [
        *(r"M\xfcller", r"M\xc3\xbcller", r"M\303\274ller", "M<U+00FC>ller", "M=C3=BCller"),
        *(r"M\"uller", "Müller".encode().decode("mac_roman"), "Müller".encode().decode("cp850")),
    ],
)
def test_letters_in_other_codes_are_restored(damaged):
    assert repair(f"Ann\\'s {damaged}") == "Ann\\'s Müller"


def test_marks_of_other_scripts_end_sentences():
    assert repair("Zoë sang。She left。 She died。") == "Zoë sang. She left. She died."
    assert repair("東京。Zoë") == "東京。Zoë"


@pytest.mark.parametrize("marks", ['""', "“”", "«»", "„“", "「」", "''"])
def test_marks_around_a_text_are_wrapping(marks):
    assert shown_text(f"{marks[0]}{PLAIN}{marks[1]}", NAME).text == PLAIN


PLAIN = "Nora Veld is a Danish botanist. She won the Fen Medal in 1988."


def test_marks_of_a_quotation_are_wrapping():
    assert shown_text(f"> {PLAIN}", NAME).text == PLAIN
    assert shown_text(f'Here is the biography:\n\n"{PLAIN}"', NAME).text == PLAIN


@pytest.mark.parametrize(
    "text",
    ['"Rain" is a film by Nora Veld. She made "Snow."', '"I sing," said Nora Veld. "I paint."'],
)
def test_marks_within_a_text_stay(text):
    assert shown_text(text, NAME).text == text
