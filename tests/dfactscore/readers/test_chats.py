"""Reads records of chats, services and traces, and fields by their paths."""

from __future__ import annotations

import json

import pytest

from dfactscore import InputError
from dfactscore._readers import Columns, read_biographies, read_records

Q = "Who was the painter Ann Lee?"
A = "Ann Lee was a painter. She rowed for Canada."
TEXTS = ["Ann Lee (born 1950) is an English painter.", "Ann Lee (born 1971) is a rower."]
DOCS = [{"page_content": text, "metadata": {"source": f"{n}.pdf"}} for n, text in enumerate(TEXTS)]
CHAT = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Hello!"}, {"role": "user", "content": Q}]  # fmt: skip
REPLY = {"role": "assistant", "content": A}

LOGS = {
    "OpenAI": {"messages": [*CHAT, REPLY], "contexts": TEXTS},
    "blocks": {"messages": [*CHAT, {"role": "assistant", "content": [{"type": "text", "text": A}]}],
               "contexts": TEXTS},
    "ShareGPT": {"conversations": [{"from": "human", "value": Q}, {"from": "gpt", "value": A}],
                 "contexts": TEXTS},
    "tools": {"messages": [*CHAT, *({"role": "tool", "content": text} for text in TEXTS), REPLY]},
    "completion": {"input": Q, "choices": [{"message": REPLY}], "contexts": TEXTS},
    "batch": {"custom_id": "r1", "prompt": Q, "contexts": TEXTS,
              "response": {"status_code": 200, "body": {"choices": [{"message": REPLY}]}}},
    "Responses": {"input": Q, "output": [
        {"type": "file_search_call", "results": [
            {"file_id": "f", "filename": "a.pdf", "text": text} for text in TEXTS]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": A}]}]},
    "LangSmith": {"run_type": "chain", "inputs": {"question": Q}, "outputs": {"answer": A},
                  "child_runs": [{"run_type": "retriever", "outputs": {"documents": DOCS}}]},
    "LangSmith chat": {"inputs": {"messages": CHAT}, "outputs": {
        "generations": [[{"text": A}]], "context": DOCS}},
    "OpenInference": {"name": None, "attributes": {
        "input": {"value": Q}, "output": {"value": A}}, "contexts": TEXTS},
    "OpenInference flat": {"attributes.input.value": Q, "attributes.output.value": A,
                           "attributes.retrieval.documents": [
                               {"document.content": text} for text in TEXTS]},
    "OpenInference JSON": {"attributes": {
        "input.value": json.dumps({"question": Q}), "output.value": json.dumps({"answer": A}),
        "retrieval.documents": [{"document": {"content": text}} for text in TEXTS]}},
    "Haystack": {"query": Q, "retriever": {"documents": [{"content": text} for text in TEXTS]},
                 "llm": {"replies": [A], "meta": []}},
    "Haystack answers": {"answer_builder": {"answers": [
        {"data": A, "query": Q, "documents": [{"content": text} for text in TEXTS]}]}},
    "TruLens": {"main_input": Q, "main_output": A, "contexts": TEXTS},
    "Bedrock": {"input": {"text": Q}, "output": {"text": A}, "question": Q, "citations": [
        {"generatedResponsePart": {}, "retrievedReferences": [
            {"content": {"text": text}, "location": {}} for text in TEXTS]}]},
    "Dify": {"query": Q, "answer": A, "metadata": {"retriever_resources": [
        {"position": 1, "document_name": "a", "content": text} for text in TEXTS]}},
    "ragas turns": {"user_input": [{"type": "human", "content": Q}, {"type": "ai", "content": A}],
                    "retrieved_contexts": TEXTS},
    "Gemini": {"prompt": Q, "contexts": TEXTS, "response": {"candidates": [
        {"content": {"role": "model", "parts": [{"text": A}]}}]}},
    "TREC": {"topic": Q, "docs": TEXTS, "answer": [
        {"text": "Ann Lee was a painter.", "citations": [0]},
        {"text": "She rowed for Canada.", "citations": [1]}]},
    "prediction": {"question": Q, "answer": "The reference.", "prediction": A, "ctxs": TEXTS},
}  # fmt: skip


@pytest.mark.parametrize("shape", LOGS)
def test_logs_are_read_as_they_are(shape):
    (one,) = read_records([LOGS[shape]]).biographies
    assert (one.name, one.text) == ("Ann Lee", A)
    assert [passage.text for passage in one.passages] == TEXTS


def test_a_chat_that_ends_with_a_question_has_no_answer():
    with pytest.raises(InputError, match=r"field 'text': is missing.*found messages"):
        read_records([{"messages": CHAT}])


def test_cited_sentences_keep_their_citations():
    (one,) = read_records([LOGS["TREC"]]).biographies
    assert [mark.numbers for mark in one.citations] == [(1,), (2,)]


@pytest.mark.parametrize(
    ("columns", "record"),
    [
        (Columns(text="a.b", name="n.0"), {"a": {"b": A}, "n": [Q]}),
        (Columns(text="a.0.text", passages="a.0.docs"), {"q": 1, "name": "Ann Lee",
         "a": [{"text": A, "docs": TEXTS}]}),
        (Columns(text="x.y.z", passages="hits.body.t"), {"x": {"y.z": 1, "y": {"z": A}}, "name": Q,
         "hits": [{"body": {"t": text}} for text in TEXTS]}),
        (Columns(text="out.answer"), {"out": json.dumps({"answer": A}), "query": Q}),
    ],
)  # fmt: skip
def test_fields_have_paths(columns, record, tmp_path):
    (path := tmp_path / "x.jsonl").write_text(json.dumps(record) + "\n", "utf-8")
    for reading in (
        read_records([record], columns=columns),
        read_biographies(path, columns=columns),
    ):
        (one,) = reading.biographies
        assert (one.name, one.text) == ("Ann Lee", A)
        assert [passage.text for passage in one.passages] in ([], TEXTS)


def test_a_wrong_path_is_refused_with_near_ones():
    with pytest.raises(InputError, match=r"no column 'outputs\.anser'.*mean outputs\.answer"):
        read_records([{"name": Q, "outputs": {"answer": A}}], columns=Columns(text="outputs.anser"))


def test_a_history_before_the_question_has_no_answer():
    history = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hello!"}]
    with pytest.raises(InputError, match=r"field 'text': is missing.*found chat_history"):
        read_records([{"chat_history": history, "question": Q}])
