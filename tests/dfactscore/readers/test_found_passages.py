"""Finds passages, answers and questions by the words of their fields; names what is left."""

from __future__ import annotations

import json

import pytest

from dfactscore import InputError
from dfactscore._readers import read_records
from dfactscore._readers.found_passages import documents_in

QUESTION = "Who is Mara Voss?"
ANSWER = "Mara Voss is a Danish cellist. She teaches in Odense."
TEXTS = ["Mara Voss (born 1971) is a Danish cellist.", "Mara Voss teaches the cello in Odense."]
ROWS = [{"title": "Mara Voss", "body": text} for text in TEXTS]
RECORD = {"question": QUESTION, "answer": ANSWER}


def read(record):
    reading = read_records([record])
    return reading.biographies[0], list(reading.cuts)


@pytest.mark.parametrize(
    "fields",
    [
        {"metadata": {"retrieved_docs": ROWS}},
        {"ResultItems": [{"DocumentTitle": "Mara Voss", "Content": text} for text in TEXTS]},
        {"matches": [{"id": 1, "content": text, "metadata": {}} for text in TEXTS]},
        {"web": {"results": [{"url": "u", "description": text} for text in TEXTS]}},
        {"attributions": [{"url": "u", "text": text} for text in TEXTS]},
        {"data": ROWS},
        {"supporting_passages": TEXTS},
        {"Source 1": TEXTS[0], "Source 2": TEXTS[1]},
        {"root": {"children": [{"relevance": 0.5, "fields": row} for row in ROWS]}},
        {"documents": [{"id": "d", "data": row} for row in ROWS]},
        {"hits": [{"title": "Mara Voss", "snippets": [text]} for text in TEXTS]},
        {"children": [{"node_type": "retriever", "node_input": QUESTION, "node_output": ROWS}]},
        {"spans": [{"name": "retrieve", "output": {"output": TEXTS}}]},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_documents_are_found_by_what_their_fields_are_called_and_hold(fields):
    biography, notes = read({**RECORD, **fields})
    assert [passage.text for passage in biography.passages] == TEXTS
    assert (biography.name, biography.text) == ("Mara Voss", ANSWER)
    assert not any("did not read" in note for note in notes)


@pytest.mark.parametrize(
    "fields",
    [
        {"evidence": "The answer is fully supported by the context."},
        {"evidence": ["The claim is grounded in the sources given."]},
        {"knowledge": "Annotators knew the subject well and agreed."},
        {"source": "Written by hand in the second week of May."},
        {"metadata": {"source_note": "Mara Voss was checked by two people."}},
        {"support": [{"explanation": "Mara Voss is named in the first document."}]},
        {"node_input": QUESTION, "search_query": "Where does Mara Voss teach?"},
        {"reference_documents_expected": TEXTS, "gold_passages": TEXTS},
        {"negative_ctxs": ROWS, "hard_negative_ctxs": ROWS},
        {"few_shot_examples": [{"question": "Who is Bo Ray?", "context": TEXTS[0]}]},
        {"retrieved_from": ["https://x.org/a", "b.pdf"]},
        {"results": [{"metric": "faithfulness", "reason": "Mara Voss is named in each."}]},
        {"document_answer": ANSWER},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_remarks_questions_and_keys_are_no_evidence(fields):
    biography, _ = read({**RECORD, **fields})
    assert biography.passages == ()


def test_the_field_read_and_the_fields_left_are_named():
    rows = [{"inhalt": f"{text} She has done so since 1998, as her page says."} for text in TEXTS]
    reading = read_records([{**RECORD, "quellen": {"liste": rows}}, {**RECORD, "evidence": TEXTS}])
    assert list(reading.cuts) == [
        "read passages from 'evidence' of 1 record",
        "did not read the texts of 'quellen.liste' of 1 record; if they are passages, add "
        "--field passages=quellen.liste",
    ]


@pytest.mark.parametrize("label", ["Chat", "gpt-4o call", "RAG run 12", "Untitled thread"])
def test_a_label_is_not_the_name_of_the_person_in_the_question(label):
    assert read({"name": label, **RECORD})[0].name == "Mara Voss"
    assert read({"name": "Voss, M.", **RECORD})[0].name == "Voss, M."


def test_an_answer_is_found_by_its_name_unless_there_are_several():
    record = {"question": QUESTION, "bot_reply_answer": ANSWER, "gold_answer": "A cellist of old."}
    assert read(record)[0].text == ANSWER
    for wrong in ({"answer_a": ANSWER, "answer_b": ANSWER}, {"correct_answer": ANSWER}):
        with pytest.raises(InputError, match="field 'text': is missing"):
            read_records([{"question": QUESTION, **wrong}])


def test_columns_of_a_flattened_table_are_read_as_objects():
    row = {"inputs.question": QUESTION, "outputs.answer": ANSWER, "outputs.docs": json.dumps(TEXTS)}
    biography, _ = read(row)
    assert (biography.name, biography.text) == ("Mara Voss", ANSWER)
    assert [passage.text for passage in biography.passages] == TEXTS


def test_what_was_retrieved_is_read_rather_than_what_is_cited_of_it():
    record = {"citations": [{"document": ROWS[0]}], "retrieval": {"hits": ROWS}}
    assert documents_in(record)[1] == "retrieval"


def test_a_question_is_not_an_answer():
    asked = [{"role": "user", "content": QUESTION}]
    record = {"input_messages": asked, "output_message": {"role": "assistant", "content": ANSWER}}
    assert read(record)[0].text == ANSWER
    for wrong in ({"input_messages": asked}, {"question": QUESTION, "output": QUESTION}):
        with pytest.raises(InputError, match=r"is missing|is the question"):
            read_records([wrong])
