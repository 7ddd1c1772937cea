"""Prompt files in ALCE's form."""

import json

import pytest

from dfactscore._errors import InputError
from dfactscore.generation._config import GenerationConfig
from dfactscore.generation._prompt import load_alce_prompt
from dfactscore.retrieval import Passage

FILE = {
    "instruction": "Write it.",
    "demo_sep": "\n\n\n",
    "demo_prompt": "{INST}\n\nQuestion: {Q}\n\n{D}\nAnswer: {A}",
    "doc_prompt": "Document [{ID}](Title: {T}): {P}\n",
    "demos": [
        {"question": "Which is it?", "answer": "This [1].",
         "docs": [{"title": "A", "text": "It is {this}."}, {"title": "B", "text": "No."}]},
        {"question": "Tell me a bio of Jo Dee (disambiguation)", "answer": "A cook [1].",
         "docs": [{"title": "Jo Dee", "text": "A cook."}]},
    ],
}  # fmt: skip


def put(tmp_path, **other):
    path = tmp_path / "prompt.json"
    path.write_text(json.dumps({**FILE, **other}))
    return path


def test_the_prompt_is_the_files(tmp_path):
    prompt = load_alce_prompt(put(tmp_path))
    ((role, text),) = prompt.messages("Ann Lee", (Passage("T", "She swam."),))
    assert role == "user"
    assert text == (
        "Write it.\n\nQuestion: Which is it?\n\nDocument [1](Title: A): It is {this}.\n"
        "Document [2](Title: B): No.\nAnswer: This [1].\n\n\n"
        "Write it.\n\nQuestion: Tell me a bio of Jo Dee\n\nDocument [1](Title: Jo Dee): A cook.\n"
        "Answer: A cook [1].\n\n\n"
        "Write it.\n\nQuestion: Tell me a bio of Ann Lee\n\nDocument [1](Title: T): She swam.\n"
        "Answer:"
    )


def test_options_of_the_command(tmp_path):
    path = put(tmp_path)
    prompt = GenerationConfig(demos=str(path), shots=1, model="m", instruction="careful").prompt()
    assert len(prompt.demonstrations) == 1
    assert "Be careful" in prompt.instruction
    assert GenerationConfig(demos=str(path), model="m").prompt().instruction == "Write it."
    with pytest.raises(InputError, match="template: the ALCE prompt file"):
        GenerationConfig(demos=str(path), model="m", template=path).prompt()


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"demo_prompt": "{INST} {X}"}, r"demo_prompt: unknown placeholder \{X\}"),
        ({"doc_prompt": "{ID}"}, "text"),
        ({"demos": {}}, "expected a list"),
        ({"demos": []}, "0 demonstrations in it, but 2 shots"),
        ({"demos": [{"question": "a"}] * 2}, r"demos\[0\]: expected an object with question"),
        ({"instruction": 3}, 'field "instruction": expected text'),
        ({"demo_sep": 3}, 'field "demo_sep"'),
    ],
)
def test_what_is_not_such_a_file(tmp_path, other, message):
    with pytest.raises(InputError, match=message) as caught:
        load_alce_prompt(put(tmp_path, **other))
    assert "prompt.json" in str(caught.value)
