"""Reads contexts and records of other tools."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import pydantic
import pytest

from dfactscore._readers import read_biographies, read_records
from dfactscore._readers.record_fields import RecordError, passages_of

QUESTION = "Who was the painter Ann Lee?"
ANSWER = "Ann Lee was a painter. She rowed for Canada."
TEXTS = ["Ann Lee (born 1950) is an English painter.", "Ann Lee (born 1971) is a rower."]


class Sample(pydantic.BaseModel):
    """Like a sample of ragas, whose other fields are None."""

    user_input: str | None = None
    retrieved_contexts: list[str] | None = None
    reference_contexts: list[str] | None = None
    response: str | None = None


class Node(pydantic.BaseModel):
    """Like a node of LlamaIndex."""

    id_: str = "n1"
    metadata: dict = {}
    text: str = ""
    relationships: dict = {}


class NodeWithScore(pydantic.BaseModel):
    """Like a result of a LlamaIndex retriever."""

    node: Node
    score: float | None = 0.5


@dataclass
class Response:
    """Like an answer of LlamaIndex, which has no question."""

    response: str | None
    source_nodes: list = field(default_factory=list)
    metadata: dict | None = None


class Message(pydantic.BaseModel):
    """Like an answer of a LangChain chat model."""

    content: str | list
    type: str = "ai"


def _langchain(**more):
    return [
        {"page_content": text, "metadata": {"source": f"{n}.pdf"}, "type": "Document", **more}
        for n, text in enumerate(TEXTS)
    ]


SHAPES = {
    "ragas": {"user_input": QUESTION, "response": ANSWER, "retrieved_contexts": TEXTS},
    "ragas object": Sample(user_input=QUESTION, response=ANSWER, retrieved_contexts=TEXTS),
    "old ragas": {"question": QUESTION, "answer": ANSWER, "contexts": TEXTS, "ground_truth": "x"},
    "deepeval": {"input": QUESTION, "actual_output": ANSWER, "retrieval_context": TEXTS},
    "deepeval JSON": {"input": QUESTION, "actualOutput": ANSWER, "retrievalContext": TEXTS},
    "LangChain chain": {"query": QUESTION, "result": ANSWER, "source_documents": _langchain()},
    "LangChain graph": {"question": QUESTION, "answer": Message(content=ANSWER),
                        "context": [(one, 0.4) for one in _langchain()]},
    "LlamaIndex": Response(ANSWER, [NodeWithScore(node=Node(text=text)) for text in TEXTS]),
    "LlamaIndex nodes": {"name": "Ann Lee", "text": ANSWER, "source_nodes": [
        {"node": {"id_": "n1", "text": text, "metadata": {"file_name": "a.txt"}}, "score": 0.5}
        for text in TEXTS]},
    "Haystack": {"type": "GeneratedAnswer", "init_parameters": {
        "data": ANSWER, "query": QUESTION,
        "documents": [{"id": "d", "content": text, "meta": {"url": "u"}} for text in TEXTS]}},
    "columns": {"name": "Ann Lee", "text": ANSWER,
                "passages": {"title": ["", ""], "text": TEXTS}},
    "serialized": {"question": QUESTION, "answer": ANSWER, "docs": [
        {"lc": 1, "type": "constructor", "id": ["langchain", "Document"],
         "kwargs": {"page_content": text, "metadata": {"title": ""}}} for text in TEXTS]},
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_are_read_without_options(shape):
    (one,) = read_records([SHAPES[shape]]).biographies
    assert (one.name, one.text) == ("Ann Lee", ANSWER)
    assert [passage.text for passage in one.passages] == TEXTS
    assert [passage.title for passage in one.passages] == ["", ""]


def test_a_file_of_such_records_is_read_as_well(tmp_path):
    written = [shape for shape in SHAPES.values() if isinstance(shape, dict)]
    written = [shape for shape in written if not isinstance(shape.get("answer"), Message)]
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(shape) + "\n" for shape in written), "utf-8")
    reading = read_biographies(path)
    assert not reading.bad
    assert {one.name for one in reading.biographies} == {"Ann Lee"}
    assert {len(one.passages) for one in reading.biographies} == {2}


@pytest.mark.parametrize(
    ("document", "title", "source"),
    [
        ({"page_content": "x", "metadata": {"title": "Ann Lee", "source": "a.pdf"}},
         "Ann Lee", "a.pdf"),
        ({"content": "x", "meta": {"file_path": "/a/b.txt"}}, "", "/a/b.txt"),
        ({"text": "x", "doc_id": "d1", "source": "a.pdf"}, "", "d1"),
        ({"text": "x", "relationships": {"1": {"node_id": "d7"}, "2": {"node_id": "n2"}}},
         "", "d7"),
        ({"text": "x", "title": None}, "", ""),
    ],
)  # fmt: skip
def test_title_and_document_are_found(document, title, source):
    (passage,) = passages_of([document])
    assert (passage.title, passage.source) == (title, source)


@pytest.mark.parametrize(
    ("passages", "message"),
    [
        ([{"title": "x"}], r"passages\[0\].text': expected a text, found the keys title"),
        ([5], r"passages\[0\]': expected a text or"),
        ("Ann Lee", "passages': expected a list"),
        ([{"title": 5, "text": "x"}], r"passages\[0\].title': expected a text, found int 5"),
        ([{"page_content": 7}], r"passages\[0\].page_content': expected a text, found int 7"),
    ],
)
def test_what_cannot_be_read_is_named(passages, message):
    with pytest.raises(RecordError, match=message):
        passages_of(passages)


def test_a_name_is_read_from_the_text_where_no_question_names_one():
    record = {"question": "What did she do?", "answer": ANSWER, "contexts": TEXTS}
    reading = read_records([record, {"name": "What Next", "text": ANSWER, "contexts": TEXTS}])
    assert [one.name for one in reading.biographies] == ["Ann Lee", "What Next"]
    assert list(reading.cuts) == [
        "no question names a person in 1 of 2 texts; the first name in the text is used: 'Ann Lee'"
    ]


def test_what_was_asked_is_the_name_where_there_is_nothing_else():
    record = {"question": "What did she do?", "answer": "She sang.", "contexts": TEXTS}
    assert read_records([record]).biographies[0].name == "What did she do?"
    with pytest.raises(Exception, match="the text names no person"):
        read_records([{"response": "She sang.", "source_nodes": TEXTS}])
    with pytest.raises(Exception, match="field 'name': is missing"):
        read_records([{"text": ANSWER, "nmae": "Ann Lee"}])
