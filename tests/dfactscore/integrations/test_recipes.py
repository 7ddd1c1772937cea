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
            "out = (chain | repaired).invoke('Who is Ann Lee?')\nprint(out['mixed'], out['answer'])"
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
