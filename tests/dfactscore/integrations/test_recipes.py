from __future__ import annotations

import sqlite3

import pytest
import recipes

from dfactscore import Scorer
from dfactscore.examples import example

pytestmark = pytest.mark.xdist_group("hosts")
SCORED = 'print(Scorer(pages=Retrieved(retriever)).score(TEXT, name="Ann Lee"))'


@pytest.fixture(scope="module")
def means():
    return Scorer().score_many(str(example("people").biographies)).summary


def test_langchain(tmp_path):
    pytest.importorskip("langchain_core", reason="needs langchain-core")
    out = recipes.run(
        "LangChain",
        tmp_path,
        before=(
            "from dfactscore import Scorer\n"
            "from langchain_core.documents import Document\n"
            "from langchain_core.embeddings import DeterministicFakeEmbedding\n"
            "from langchain_core.vectorstores import InMemoryVectorStore\n"
            "store = InMemoryVectorStore(DeterministicFakeEmbedding(size=8))\n"
            "store.add_documents([Document(x, metadata={'title': t}) for t, x in PAGES.items()])\n"
            "retriever = store.as_retriever()"
        ),
        after=SCORED,
    )
    assert "FActScore 1.000, D-FActScore 0.500" in out
    assert "[only Ann Lee (" in out


def test_llamaindex(tmp_path):
    pytest.importorskip("llama_index.core", reason="needs llama-index-core")
    out = recipes.run(
        "LlamaIndex",
        tmp_path,
        before=(
            "from dfactscore import Scorer\n"
            "from llama_index.core import SummaryIndex\n"
            "from llama_index.core.schema import TextNode\n"
            "nodes = [TextNode(text=x, metadata={'title': t}) for t, x in PAGES.items()]\n"
            "retriever = SummaryIndex(nodes).as_retriever()"
        ),
        after=SCORED,
    )
    assert "FActScore 1.000, D-FActScore 0.500" in out
    assert "-> Ann Lee (poet): 1 of 2 facts" in out


def test_mlflow(tmp_path, means):
    pytest.importorskip("mlflow", reason="needs mlflow-skinny")
    pytest.importorskip("alembic", reason="MLflow's SQLite store needs alembic")
    recipes.run("MLflow", tmp_path)
    with sqlite3.connect(tmp_path / "mlflow.db") as base:
        found = dict(base.execute("select key, value from latest_metrics"))
    assert found == {"dfs": means.dfs, "fs": means.fs}
    (report,) = (tmp_path / "mlruns").rglob("report.html")
    assert "D-FActScore report</title>" in report.read_text(encoding="utf-8")


def test_weights_and_biases(tmp_path, means):
    pytest.importorskip("wandb", reason="needs wandb")
    recipes.run("Weights & Biases", tmp_path)
    (run,) = (tmp_path / "wandb").glob("offline-run-*")
    (log,) = run.glob("run-*.wandb")
    assert repr(means.dfs).encode() in log.read_bytes()
    (table,) = run.rglob("*.table.json")
    assert "hanley-mixed" in table.read_text(encoding="utf-8")
