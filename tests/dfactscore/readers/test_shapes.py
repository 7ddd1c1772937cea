"""Reads one answer's passages in many shapes, equally in every command and call."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dfactscore import check, score
from dfactscore._readers import read_biographies, read_records
from dfactscore._readers.record_fields import RecordError, passages_of
from dfactscore._readers.records import biography_from_record
from dfactscore._text.sentences import is_prose
from dfactscore.generation._request_files import read_requests
from dfactscore.mixing import _check

TITLES = ["Ann Lee (painter)", "Ann Lee (rower)"]
TEXTS = [
    "Ann Lee (born 1950) is an English painter.",
    "Ann Lee (born 1971) is a rower from Canada.",
]
ROWS = list(zip(TITLES, TEXTS, strict=True))
ANSWER = "Ann Lee is an English painter. She is a rower from Canada."


@dataclass
class Document:
    """Like a document of LangChain."""

    page_content: str
    metadata: dict = field(default_factory=dict)


TITLED = {
    "mappings": [{"title": title, "text": text} for title, text in ROWS],
    "pairs": [[title, text] for title, text in ROWS],
    "tuples": ROWS,
    "turned pairs": [[text, title] for title, text in ROWS],
    "titles to texts": dict(ROWS),
    "titles to lists": {title: [text] for title, text in ROWS},
    "triples": [[f"d{n}", title, text] for n, (title, text) in enumerate(ROWS)],
    "numbers": [[n, title, text, 0.5] for n, (title, text) in enumerate(ROWS)],
    "objects": [Document(text, {"title": title}) for title, text in ROWS],
    "scored": [(Document(text, {"title": title}), 0.5) for title, text in ROWS],
    "columns": {"title": TITLES, "text": TEXTS},
    "arrays": {"title": np.array(TITLES), "text": np.array(TEXTS)},
    "results": {"query": "q", "results": [{"title": a, "snippet": b} for a, b in ROWS]},
    "Qdrant": [{"id": 1, "score": 0.5, "payload": {"title": a, "text": b}} for a, b in ROWS],
    "Qdrant of LangChain": [
        {"id": "a", "payload": {"page_content": b, "metadata": {"title": a}}} for a, b in ROWS],
    "Elasticsearch": {"took": 1, "hits": {"total": {"value": 2}, "hits": [
        {"_id": "x", "_score": 1.5, "_source": {"title": a, "body": b}} for a, b in ROWS]}},
    "Pinecone": {"matches": [
        {"id": "x", "score": 0.5, "metadata": {"title": a, "text": b}} for a, b in ROWS]},
    "Chroma": {"ids": [["a", "b"]], "documents": [TEXTS], "distances": [[0.1, 0.2]],
               "metadatas": [[{"title": title} for title in TITLES]]},
    "Chroma get": {"ids": ["a", "b"], "documents": TEXTS, "embeddings": None,
                   "metadatas": [{"title": title} for title in TITLES]},
    "Milvus": [[{"id": 1, "distance": 0.5, "entity": {"title": a, "text": b}} for a, b in ROWS]],
    "Weaviate": {"objects": [{"uuid": "x", "properties": {"title": a, "content": b}}
                             for a, b in ROWS]},
    "Vertex": {"results": [{"id": "x", "document": {"derivedStructData": {
        "title": a, "extractive_segments": [{"content": b}]}}} for a, b in ROWS]},
    "OpenInference": [{"document": {"content": b, "metadata": json.dumps({"title": a})}}
                      for a, b in ROWS],
    "OpenInference flat": [{"document.content": b, "document.metadata": {"title": a}}
                           for a, b in ROWS],
    "Pyserini": [{"id": "1", "contents": f'"{a}"\n{b}'} for a, b in ROWS],
    "JSON text": json.dumps([{"title": title, "text": text} for title, text in ROWS]),
}  # fmt: skip
UNTITLED = {
    "texts": TEXTS,
    "ids": [["doc_1", TEXTS[0]], ["doc_2", TEXTS[1]]],
    "deepeval": [{"context": text, "source": "a.pdf"} for text in TEXTS],
    "Bedrock": {"retrievalResults": [
        {"content": {"text": text, "type": "TEXT"}, "location": {}} for text in TEXTS]},
    "OpenAI": [{"file_id": "f", "filename": "a.pdf", "content": [{"type": "text", "text": text}]}
               for text in TEXTS],
    "numbered": f"[1] {TEXTS[0]}\n[2] {TEXTS[1]}",
    "named": f"Passage 1: {TEXTS[0]}\n\nPassage 2: {TEXTS[1]}",
    "scores": [(text, 0.25) for text in TEXTS],
}  # fmt: skip


@pytest.mark.parametrize("shape", TITLED)
def test_titles_and_texts_are_told_apart(shape):
    passages = passages_of(TITLED[shape], "contexts")
    assert [(passage.title, passage.text) for passage in passages] == ROWS


@pytest.mark.parametrize("shape", UNTITLED)
def test_texts_without_a_title(shape):
    passages = passages_of(UNTITLED[shape], "contexts")
    assert [(passage.title, passage.text) for passage in passages] == [("", t) for t in TEXTS]


@pytest.mark.parametrize(
    "wrong",
    [
        [TITLES],
        [[TITLES[0], "Ann Lee (born 1950)"]],
        [["doc_1", "Ann Lee (painter)"]],
        [["doc_1", "doc_2"]],
        ["doc_1", "doc_2"],
        ["https://x.org/a", "b.pdf"],
        [TEXTS],
        [[TITLES[0], TITLES[1], TEXTS[0]]],
        [*ROWS[0], *ROWS[1]],
        TITLES,
        ["Ann Lee", "Earl of Kent"],
        [[TITLES[0]]],
        "Ann Lee (painter)",
        {"question": TEXTS[0]},
        {"keys": ["a", "b"], "values": TEXTS},
        {"a": 5},
        {"title": TITLES[0]},
        [{"title": TITLES[0]}],
        [[]],
        [5],
        np.array(5),
        [(TITLES[0], 0.5)],
        [(Document("x"), TEXTS[0])],
    ],
    ids=repr,
)
def test_other_shapes_are_refused(wrong):
    with pytest.raises(RecordError):
        passages_of(wrong)


def test_an_object_within_itself_is_refused():
    inside: list = []
    inside.append(inside)
    node: dict = {}
    node["node"] = node
    for wrong in (inside, [node], {"results": inside}):
        with pytest.raises(RecordError, match="nested more than 64 levels"):
            passages_of(wrong)
    (bad,) = read_records([{"name": "A", "text": inside}, {"name": "A", "text": "x"}]).bad
    assert "nested more than 64 levels" in bad.reason


def test_a_null_passage_is_left_out_and_counted_and_keeps_the_numbers():
    record = {"name": "Ann Lee", "text": "Ann Lee paints [2].", "contexts": [None, TEXTS[0]]}
    reading = read_records([record, {**record, "contexts": [{"text": None, "title": "x"}]}])
    assert [len(one.passages) for one in reading.biographies] == [2, 1]
    assert reading.biographies[0].passages[1].text == TEXTS[0]
    assert "left out 2 passages without a text" in list(reading.cuts)


def test_ids_of_contexts_are_their_documents():
    record = {"user_input": "Who is Ann Lee?", "response": ANSWER, "retrieved_contexts": TEXTS,
              "retrieved_context_ids": ["a", 7]}  # fmt: skip
    (one,) = read_records([record]).biographies
    assert [passage.source for passage in one.passages] == ["a", "7"]


@pytest.mark.parametrize("shape", [*TITLED, *UNTITLED])
def test_every_call_reads_the_same_passages(shape, tmp_path, monkeypatch):
    value = {**TITLED, **UNTITLED}[shape]
    (one,) = read_records([{"name": "Ann Lee", "text": ANSWER, "contexts": value}]).biographies
    seen = []
    judged = _check._job().fill
    monkeypatch.setattr(_check, "_job", lambda: Spy(judged, seen))
    check(ANSWER, value, name="Ann Lee")
    assert [(p.text, p.source) for p in seen[0].passages] == [
        (p.text, p.source) for p in one.passages
    ]
    if not isinstance(value, (dict, str)):
        result = score(ANSWER, name="Ann Lee", pages=value)  # as the fixture `dfs` does
        documents = [d.text for entity in result.record.entities for d in entity.documents]
        assert documents == TEXTS
    if (isinstance(value, list) and "object" in repr(type(value[0]))) or "arrays" in shape:
        return
    try:
        line = json.dumps({"id": "1", "name": "Ann Lee", "text": ANSWER, "contexts": value})
    except TypeError:
        return
    (path := tmp_path / "x.jsonl").write_text(line + "\n", "utf-8")
    (read,) = read_biographies(path).biographies  # as `score`, `safe` and `citations` do
    (request,) = read_requests(path)  # as `generate` does
    assert read.passages == one.passages == request.passages


@dataclass
class Spy:
    """Records the biographies that a job is given."""

    judge: object
    seen: list

    def fill(self, biography):
        self.seen.append(biography)
        return self.judge(biography)


_HEADS = st.sampled_from(
    [*TITLES, "doc_1", "https://x.org/a", "12", "Ann Lee", "a.pdf", "List of painters of England"]
)
_PROSE = st.sampled_from(
    [*TEXTS, "Ann Lee was born in Bath, and she moved to Leeds.", "She died. No one knew why."]
)
_CELLS = st.one_of(_HEADS, _PROSE, st.none(), st.floats(0, 1), st.integers(0, 9))
_LEAVES = st.one_of(_CELLS, st.just({}), st.just([]))
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.sampled_from(["title", "id", "text", "metadata", "payload", "x", "results", "node"]),
            inner,
            max_size=3,
        ),
    ),
    max_leaves=8,
)


_NAMES = st.sampled_from(["text", "output", "answer", "evidence", "sources", "contexts", "docs",
                          "document", "claims", "messages", "results", "x", "node_input",
                          "search_query", "retrieved_docs", "metadata", "context_note",
                          "gold_answer", "model_reply_output", "inputs.docs"])  # fmt: skip
_RECORDS = st.dictionaries(_NAMES, _VALUES, max_size=4)
_WRONG = {*TITLES, "doc_1", "https://x.org/a", "12", "a.pdf", "Ann Lee"}


def _check_evidence(passages, shape):
    """Checks that titles and ids are texts only where a field says so, or prose stands beside."""
    for passage in passages:
        if passage.text in _WRONG:
            assert '"text":' in json.dumps(shape) or any(p for p in passages if is_prose(p.text))


@pytest.mark.slow
@settings(max_examples=1000, deadline=None)
@given(_VALUES)
def test_no_title_or_id_is_read_as_evidence(value):
    with suppress(RecordError):
        _check_evidence(passages_of(value), value)


@pytest.mark.slow
@settings(max_examples=1000, deadline=None)
@given(_RECORDS)
def test_no_wrong_record_is_read(record):
    question = "Who was the painter Ann Lee?"
    record = {**record, "question": question, "search_query": question, "node_input": question}
    with suppress(RecordError):
        one = biography_from_record(record)
        _check_evidence(one.passages, record)
        assert one.name
        assert question not in [one.text, *(passage.text for passage in one.passages)]
        given = [record.get("context_note"), record.get("gold_answer")]
        assert one.text not in given or one.text in json.dumps({**record, "gold_answer": 0})
        # Each passage and the text are somewhere in the record.
        found = json.dumps(record)
        assert all(json.dumps(p.text)[1:-1] in found for p in one.passages if p.text)
