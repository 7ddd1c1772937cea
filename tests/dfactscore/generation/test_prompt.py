"""Prompts: numbered documents with whole titles, demonstrations, one's own parts."""

from __future__ import annotations

import pytest

from dfactscore._errors import InputError
from dfactscore._readers.shown_text import strip_citations
from dfactscore.citations import cited_sentences
from dfactscore.generation._prompt import (
    DEMONSTRATION_SETS,
    INSTRUCTIONS,
    load_demonstrations,
    load_prompt,
)
from dfactscore.linking import bears_name
from dfactscore.retrieval import Passage

PASSAGES = (Passage("Dick Hanley (swimmer)", "Hanley swam for $5."), Passage("B", "{{name}} {x}"))


@pytest.mark.parametrize("source", DEMONSTRATION_SETS)
def test_shipped_demonstrations(source):
    shown = load_demonstrations(source)
    assert len(shown) == 2
    for demonstration in shown:
        assert len(demonstration.documents) == 5
        sentences = cited_sentences(*strip_citations(demonstration.answer))
        cited = {n for s in sentences for n in s.citations}
        assert cited <= {1, 2, 3, 4, 5}
        assert all(len(s.citations) <= 3 for s in sentences)
        bearers = {
            p.title for p in demonstration.documents if bears_name(p.title, demonstration.name)
        }
        used = {demonstration.documents[n - 1].title for n in cited}
        if source == "unambiguous":
            assert len(bearers) == 1
        else:
            assert len(bearers) == 2
            assert len(bearers & used) == (1 if source == "ambiguous" else 2)


def test_disambiguating_shows_the_documents_of_ambiguous():
    one, other = (load_demonstrations(s) for s in ("ambiguous", "disambiguating"))
    assert [(d.name, d.documents) for d in one] == [(d.name, d.documents) for d in other]
    assert [d.answer for d in one] != [d.answer for d in other]


@pytest.mark.parametrize("instruction", INSTRUCTIONS)
def test_single_message(instruction):
    prompt = load_prompt(instruction=instruction, demonstrations=load_demonstrations("ambiguous"))
    ((role, text),) = prompt.messages("Dick Hanley", PASSAGES)
    assert role == "user"
    assert text.count(prompt.instruction) == 3
    assert "Document [1] (Title: Dick Hanley (swimmer))\nHanley swam for $5." in text
    assert "Document [2] (Title: B)\n{{name}} {x}" in text  # passages are data, not template
    assert text.endswith("Name of the person: Dick Hanley\n\nBiography:")
    assert text.index("Edwin Tarrow") < text.index("Lena Marquist") < text.index("Dick Hanley")


def test_turns():
    prompt = load_prompt(demonstrations=load_demonstrations("ambiguous", shots=1), layout="turns")
    roles, texts = zip(*prompt.messages("Al", PASSAGES), strict=True)
    assert roles == ("user", "assistant", "user")
    assert texts[1] == prompt.demonstrations[0].answer


def test_none():
    assert load_demonstrations("none") == load_demonstrations("ambiguous", shots=0) == ()
    assert len(load_prompt().messages("Al", PASSAGES)) == 1


def test_own_files(tmp_path):
    (tmp_path / "i.txt").write_text("Write about them.")
    (tmp_path / "t.txt").write_text("{{instruction}} Costs $5. <{{ documents }}> {{name}}:")
    (tmp_path / "d.yaml").write_text(
        "- {name: Al, documents: [{title: Al, text: Al swam.}], answer: 'Al swam [1].'}"
    )
    prompt = load_prompt(
        instruction=tmp_path / "i.txt",
        template=tmp_path / "t.txt",
        demonstrations=load_demonstrations(tmp_path / "d.yaml", shots=1),
        layout="turns",
    )
    assert prompt.messages("Bo", PASSAGES[:1])[2][1] == (
        "Write about them. Costs $5. <Document [1] (Title: Dick Hanley (swimmer))\n"
        "Hanley swam for $5.> Bo:"
    )


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("{{documents}} {{nam}}", "did you mean {{name}}?"),
        ("{{documents}}", "does not use {{name}}"),
        ("${name} {{documents}}", "a variable is written {{name}}, not ${name}; and a $ is only"),
        ("{{name}} $documents", "a variable is written {{documents}}, not $documents"),
    ],
)
def test_bad_templates(tmp_path, template, words):
    (tmp_path / "t.txt").write_text(template)
    with pytest.raises(InputError) as error:
        load_prompt(template=tmp_path / "t.txt")
    assert words in str(error.value)
    assert str(error.value).startswith(f"{tmp_path / 't.txt'}: ")


def test_a_template_without_answers_shows_no_demonstrations(tmp_path):
    (tmp_path / "t.txt").write_text("{{documents}} {{name}}")
    shown = load_demonstrations("ambiguous")
    with pytest.raises(InputError, match="so demonstrations would show no answer"):
        load_prompt(template=tmp_path / "t.txt", demonstrations=shown)
    assert load_prompt(template=tmp_path / "t.txt")
    assert load_prompt(template=tmp_path / "t.txt", demonstrations=shown, layout="turns")


def test_bad_choices(tmp_path):
    with pytest.raises(InputError, match="did you mean careful"):
        load_prompt(instruction="carefull")
    (tmp_path / "i.txt").write_text(" \n")
    with pytest.raises(InputError, match=r"i\.txt': the file is empty"):
        load_prompt(instruction=tmp_path / "i.txt")
    with pytest.raises(InputError, match="choose single or turns"):
        load_prompt(layout="chat")
    with pytest.raises(InputError, match="did you mean ambiguous"):
        load_demonstrations("ambigous")
    with pytest.raises(InputError, match="but 3 shots asked for; use --shots 2"):
        load_demonstrations("ambiguous", shots=3)
    with pytest.raises(InputError, match="cannot be negative"):
        load_demonstrations("ambiguous", shots=-1)
    for text, words in {
        "- [": "d.yaml:1: not valid YAML",
        "a: 1": "expected a list",
        "- 3": "demonstration 1: expected an object",
        "- {name: Al, answer: ''}": 'field "answer"',
        "- {name: Al, anwser: x, documents: no}": "unknown field 'anwser'; did you mean answer?",
        "- {name: Al, answer: 'x [2]', documents: [{title: A, text: a}]}": "cites [2], but has 1",
        "- {name: Al, answer: x, documents: no}": 'field "documents"',
        "- {name: Al, answer: x, documents: [{title: A}]}": 'document 1, field "text"',
    }.items():
        (tmp_path / "d.yaml").write_text(text)
        with pytest.raises(InputError) as error:
            load_demonstrations(tmp_path / "d.yaml")
        assert words in str(error.value)
