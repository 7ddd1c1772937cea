"""Thoughts of reasoning models: all marks, unfinished thoughts, and lookalikes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore._text.thoughts import split_thoughts

ANSWER = "Tom Hale is an English painter."
WHIM = "Tom Hale was a rower. Is he?"

FINISHED = {
    "tag": f"<think>\n{WHIM}\n</think>\n\n{ANSWER}",
    "upper case": f"<THINK>{WHIM}</THINK>{ANSWER}",
    "repeated": f"<think>{WHIM}</think>\n<think>again {WHIM}</think>\n{ANSWER}",
    "after the answer": f"{ANSWER}\n<think>{WHIM}</think>",
    "closing mark only": f"{WHIM}\n</think>\n{ANSWER}",
    "closed by another word": f"<think>{WHIM}</thinking>{ANSWER}",
    "nested": f"<thinking>{WHIM}<reflection>wait</reflection></thinking><output>{ANSWER}</output>",
    "nested in itself": f"<think>{WHIM} <think> {WHIM}</think> x</think>{ANSWER}",
    "Magistral": f"[THINK]{WHIM}[/THINK]{ANSWER}",
    "Kimi": f"◁think▷{WHIM}◁/think▷{ANSWER}",
    "thought": f"<thought>{WHIM}</thought>{ANSWER}",
    "reasoning and answer": f"<reasoning>{WHIM}</reasoning>\n<answer>{ANSWER}</answer>",
    "namespace": f"<seed:think>{WHIM}</seed:think>{ANSWER}",
    "Cohere": f"<|START_THINKING|>{WHIM}<|END_THINKING|><|START_RESPONSE|>{ANSWER}<|END_RESPONSE|>",
    "begin of thought": f"<|begin_of_thought|>{WHIM}<|end_of_thought|>\n<|begin_of_solution|>"
    f"{ANSWER}<|end_of_solution|>",
    "harmony": f"<|channel|>analysis<|message|>{WHIM}<|end|><|start|>assistant<|channel|>final"
    f"<|message|>{ANSWER}<|return|>",
    "harmony with a tool": f"<|start|>assistant<|channel|>analysis<|message|>{WHIM}<|end|><|start|>"
    "assistant<|channel|>commentary to=functions.x <|constrain|>json<|message|>{}<|call|>"
    f"<|start|>assistant<|channel|>final<|message|>{ANSWER}",
    "harmony, prefilled": f"{WHIM}<|end|><|start|>assistant<|channel|>final<|message|>{ANSWER}",
    "harmony without tokens": f"analysis{WHIM}assistantfinal{ANSWER}",
    "harmony with a next turn": f"<|channel|>analysis<|message|>{WHIM}<|end|><|start|>assistant"
    f"<|channel|>final<|message|>{ANSWER}<|end|><|start|>user<|message|>Ada?<|end|><|start|>"
    "assistant<|channel|>final<|message|>Ada Quill sang.",
    "role": f"<|im_start|>think\n{WHIM}<|im_start|>answer\n{ANSWER}",
    "Gemma": f"<|channel>thought\n{WHIM}<channel|>{ANSWER}",
    "MedGemma": f"<unused94>thought\n{WHIM}<unused95>{ANSWER}",
    "Apertus": f"<|inner_prefix|>{WHIM}<|inner_suffix|>{ANSWER}",
    "Ollama": f"Thinking...\n{WHIM}\n...done thinking.\n\n{ANSWER}",
    "Granite": f"Here is my thought process: {WHIM}\n\nHere is my response: {ANSWER}",
    "labels": f"**Reasoning:** {WHIM}\n\n**Answer:** {ANSWER}",
    "headings": f"## Thinking\n\n{WHIM}\n\n## Biography\n\n{ANSWER}",
    "Open WebUI": '<details type="reasoning" done="true" duration="3">\n<summary>Thought for 3 '
    f"seconds</summary>\n> {WHIM}\n</details>\n{ANSWER}",
    "fence": f"```thinking\n{WHIM}\n```\n{ANSWER}",
    "quotation": f"*Thinking...*\n\n> {WHIM}\n> more\n\n{ANSWER}",
    "folded": f"Thought for 12 seconds\n\n{ANSWER}",
    "escaped": f"&lt;think&gt;{WHIM}&lt;/think&gt;\n{ANSWER}",
    "analysis": f"<analysis>{WHIM}</analysis>\n\n{ANSWER}",
    "attribute": f'<think signature="abc">{WHIM}</think>{ANSWER}',
    "empty": f"<think>\n\n</think>\n\n{ANSWER}",
    "empty tag": f"<think/>{ANSWER}",
    "wrapped answer": f"<answer>{ANSWER}</answer>",
}
UNFINISHED = [
    f"<think>{WHIM}",
    f"  \n<Thought>\n{WHIM}",
    f"[THINK]{WHIM}",
    f"◁think▷{WHIM}",
    f"<think>a</think><think>{WHIM}",
    f"<think>{WHIM}<answer>{ANSWER}",
    f"<|begin_of_thought|>{WHIM}",
    f"<|channel|>analysis<|message|>{WHIM}",
    f"analysis{WHIM}",
    f"Thinking...\n{WHIM}",
    f"Here is my thought process: {WHIM}",
    f"```thinking\n{WHIM}",
]
PLAIN = [
    'He wrote "<think>" tags.',
    "He was [thought to be 1920] old.",
    "[Thinking about it], he left.",
    "He was [thinking] aloud.",
    "Analysis: he is good.\n\nAnswer: yes and no.",
    "Reasoning was his field.\nAnswer me!",
    "He coined `<reasoning>` and `</reasoning>`.",
    "analysis of his work shows",
    "Thinking of England is a film.",
    "He <b>sang</b>.",
    "Thoughts\nHe published Thoughts.",
    "[Reflection] He sang.",
    "Tom Hale {thinking} was",
    "```\ncode\n```\n",
    "<details><summary>Life</summary>He sang.</details>",
    "Thought for Food is a film by Tom Hale. Thought for a minute he wrote",
    '{"1": "</think>"} {"2": true}',
]


@pytest.mark.parametrize("text", FINISHED.values(), ids=list(FINISHED))
def test_thought_is_taken_off(text):
    assert split_thoughts(text)[::2] == (ANSWER, True)


@pytest.mark.parametrize("text", UNFINISHED)
def test_unfinished_thought_leaves_no_text(text):
    assert split_thoughts(text)[::2] == ("", False)


def test_thought_that_ends_without_an_answer_leaves_no_text():
    assert split_thoughts(f"<think>{WHIM}</think>\n")[::2] == ("", True)


def test_text_between_thoughts_stays():
    found = split_thoughts(f"<think>a</think>{ANSWER}\n<think>b</think>\nHe swam.")
    assert found == (f"{ANSWER}\n\nHe swam.", "<think>a</think>\n<think>b</think>", True)


@pytest.mark.parametrize("text", PLAIN)
def test_what_only_looks_like_a_thought_stays_as_it_is(text):
    assert split_thoughts(text) == (text, "", True)


PIECES = st.sampled_from(
    [
        "<think>",
        "</think>",
        "[THINK]",
        "[/THINK]",
        "<|channel|>final<|message|>",
        "<|end|>",
        "\n",
        "<|channel|>analysis<|message|>",
        "Thinking...\n",
        "a b",
        "<answer>",
        "</answer>",
        "```",
        "<",
    ]
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_what_is_left_has_no_thought(text):
    left = split_thoughts(text).text
    assert split_thoughts(left).text == left


@given(st.text(alphabet="abT .,\n\"'()-:*#", max_size=200))
def test_prose_stays_byte_for_byte(text):
    assert split_thoughts(text) == (text, "", True)
