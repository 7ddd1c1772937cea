"""The recipes of the documentation, in processes of their own."""

from __future__ import annotations

import json
import os
import sqlite3
from importlib.util import find_spec

import pytest
import recipes
from warm import WarmHost

from dfactscore import Scorer

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("hosts")]
SCORED = 'print(Scorer(pages=Retrieved(retriever)).score(TEXT, name="Ann Lee"))'
NEEDED = {
    "LangChain": ("langchain_core",),
    "LlamaIndex": ("llama_index", "llama_index.core"),
    "LangChain: after generation": ("langchain_core",),
    "LlamaIndex: before generation": ("llama_index", "llama_index.core"),
    "LangSmith": ("langsmith",),
    "Phoenix": ("phoenix", "phoenix.client", "httpx"),
    "LlamaIndex: after generation": ("llama_index", "llama_index.core"),
    "FastAPI": ("fastapi", "httpx"),
    "MLflow": ("mlflow", "alembic"),
    "Weights & Biases": ("wandb",),
}
AROUND = {
    "LangChain": {
        "before": (
            "from dfactscore import Scorer\n"
            "from langchain_core.documents import Document\n"
            "from langchain_core.embeddings import DeterministicFakeEmbedding\n"
            "from langchain_core.vectorstores import InMemoryVectorStore\n"
            "store = InMemoryVectorStore(DeterministicFakeEmbedding(size=8))\n"
            "store.add_documents([Document(x, metadata={'title': t}) for t, x in PAGES.items()])\n"
            "retriever = store.as_retriever()"
        ),
        "after": SCORED,
    },
    "LlamaIndex": {
        "before": (
            "from dfactscore import Scorer\n"
            "from llama_index.core import SummaryIndex\n"
            "from llama_index.core.schema import TextNode\n"
            "nodes = [TextNode(text=x, metadata={'title': t}) for t, x in PAGES.items()]\n"
            "retriever = SummaryIndex(nodes).as_retriever()"
        ),
        "after": SCORED,
    },
    "LangChain: after generation": {
        "before": (
            "from langchain_core.documents import Document\n"
            "from langchain_core.runnables import RunnableLambda\n"
            "docs = [Document(x, metadata={'title': t}) for t, x in PAGES.items()]\n"
            "chain = RunnableLambda(lambda question: {'answer': TEXT, 'context': docs})"
        ),
        "after": (
            "out = (chain | repaired).invoke('Who is Ann Lee?')\n"
            "print(out['check'].mixed, out['answer'])"
        ),
    },
    "LlamaIndex: before generation": {
        "after": (
            "from llama_index.core.schema import NodeWithScore, TextNode\n"
            "nodes = [NodeWithScore(node=TextNode(text=x)) for x in (*PAGES.values(), 'Rain.')]\n"
            "found = named.postprocess_nodes(nodes, query_str='Who is Ann Lee?')\n"
            "print([scored.node.metadata.get('person') for scored in found])"
        ),
    },
    "LangSmith": {
        "after": (
            "import datetime, uuid\n"
            "from langsmith.evaluation import run_evaluator\n"
            "from langsmith.schemas import Run\n"
            "run = Run(id=uuid.uuid4(), trace_id=uuid.uuid4(), name='x', run_type='chain',\n"
            "          start_time=datetime.datetime.now(),\n"
            "          inputs={'question': 'Who is Ann Lee?'},\n"
            "          outputs={'answer': TEXT, 'context': list(PAGES.values())})\n"
            "found = run_evaluator(langsmith_evaluator).evaluate_run(run)['results']\n"
            "print({result.key: result.score for result in found})"
        ),
    },
    "Phoenix": {
        "before": (
            "import json, httpx, pandas, phoenix.client\n"
            "from phoenix.client.resources.spans import Spans\n"
            "SPANS = pandas.DataFrame([\n"
            "    {'context.span_id': 'a', 'context.trace_id': 't', 'parent_id': None,\n"
            "     'attributes.input.value': 'Who is Ann Lee?', 'attributes.output.value': TEXT,\n"
            "     'attributes.retrieval.documents': None},\n"
            "    {'context.span_id': 'b', 'context.trace_id': 't', 'parent_id': 'a',\n"
            "     'attributes.input.value': 'x', 'attributes.output.value': None,\n"
            "     'attributes.retrieval.documents': [\n"
            "         {'document.content': text} for text in PAGES.values()]},\n"
            "    {'context.span_id': 'c', 'context.trace_id': 'u', 'parent_id': None,\n"
            "     'attributes.input.value': '{\"question\": \"Who?\"}',\n"
            "     'attributes.output.value': '{\"answer\": \"I do not know.\"}',\n"
            "     'attributes.retrieval.documents': None},\n"
            "]).set_index('context.span_id')\n"
            "Spans.get_spans_dataframe = lambda *args, **kwargs: SPANS\n"
            "def serve(request):\n"
            "    rows = json.loads(request.content)['data']\n"
            "    print([(r['span_id'], r['result']) for r in rows])\n"
            "    return httpx.Response(200, json={'data': [{'id': '1'} for _ in rows]})\n"
            "whole = phoenix.client.Client\n"
            "phoenix.client.Client = lambda: whole(http_client=httpx.Client(\n"
            "    transport=httpx.MockTransport(serve), base_url='http://localhost'))"
        ),
    },
    "LlamaIndex: after generation": {
        "before": (
            "from llama_index.core.base.response.schema import Response\n"
            "from llama_index.core.schema import NodeWithScore, TextNode\n"
            "nodes = [NodeWithScore(node=TextNode(text=x, metadata={'title': t}))\n"
            "         for t, x in PAGES.items()]\n"
            "class Inner:\n"
            "    def query(self, query):\n"
            "        return Response(response=TEXT, source_nodes=nodes)"
        ),
        "after": "print(Apart(inner=Inner()).query('Who is Ann Lee?'))",
    },
    "FastAPI": {
        "after": (
            "from fastapi.testclient import TestClient\n"
            "out = TestClient(app).post('/check', params={'answer': TEXT}, json=PAGES).json()\n"
            "print(out['mixed'], out['unmixed'])"
        ),
    },
}


@pytest.fixture(scope="module")
def warm():
    """A process that has loaded this package, and runs each recipe in a fork of itself."""
    made = WarmHost(("judged_once",), recipes.environment(), ("pandas", "dfactscore._report.page"))
    yield made
    made.close()


@pytest.fixture
def done(warm, tmp_path):
    """Runs a recipe; returns its output and folder, or skips the test without its packages."""

    def done(heading):
        if not all(find_spec(name) for name in NEEDED[heading]):
            pytest.skip(f"needs {' and '.join(NEEDED[heading])}")
        around = AROUND.get(heading, {})
        if not hasattr(os, "fork"):
            return recipes.run(heading, tmp_path, **around), tmp_path
        recipes.write(heading, tmp_path, **around)
        ended = warm.run(("recipe",), tmp_path, **recipes.places(tmp_path))
        return recipes.checked(ended.returncode, ended.output, tmp_path), tmp_path

    return done


@pytest.fixture(scope="module")
def means():
    return Scorer().score_many([json.loads(line) for line in recipes.biographies()]).summary


def test_langchain(done):
    out, _ = done("LangChain")
    assert "FActScore 1.00 (2 of 2 facts), D-FActScore 0.50 (1 of 2)" in out
    assert "[only Ann Lee (" in out


def test_llamaindex(done):
    out, _ = done("LlamaIndex")
    assert "FActScore 1.00 (2 of 2 facts), D-FActScore 0.50 (1 of 2)" in out
    assert "group 1 Ann Lee -> Ann Lee (rower): 1 of 2 facts (next: Ann Lee (poet), 1)" in out


@pytest.mark.parametrize(
    "heading", ["LangChain: after generation", "LlamaIndex: after generation", "FastAPI"]
)
def test_an_answer_is_told_apart_after_generation(done, heading):
    out, _ = done(heading)
    assert "Ann Lee (poet):\nAnn Lee is a poet.\n\nAnn Lee (rower):\nAnn Lee rowed for Can" in out


def test_nodes_name_their_people(done):
    out, _ = done("LlamaIndex: before generation")
    assert out.splitlines()[-1] == "['Ann Lee (poet)', 'Ann Lee (rower)', None]"


def test_langsmith(done):
    out, _ = done("LangSmith")
    assert "{'mixed': 1, 'dfs': 0.5" in out


def test_phoenix(done):
    out, _ = done("Phoenix")
    assert "[('a', {'label': 'mixed', 'score': 1.0" in out
    assert "('c', {'label': 'nothing to check', 'explanation'" in out  # without a score


def test_mlflow(done, means):
    _, folder = done("MLflow")
    with sqlite3.connect(folder / "mlflow.db") as base:
        found = dict(base.execute("select key, value from latest_metrics"))
    assert found == {"dfs": means.dfs, "fs": means.fs}
    (report,) = (folder / "mlruns").rglob("report.html")
    assert "D-FActScore report</title>" in report.read_text(encoding="utf-8")


def test_weights_and_biases(done, means):
    _, folder = done("Weights & Biases")
    (run,) = (folder / "wandb").glob("offline-run-*")
    (log,) = run.glob("run-*.wandb")
    assert repr(means.dfs).encode() in log.read_bytes()
    (table,) = run.rglob("*.table.json")
    assert "hanley-mixed" in table.read_text(encoding="utf-8")
