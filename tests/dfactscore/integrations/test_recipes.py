"""The recipes of the documentation, in processes of their own that run at the same time."""

from __future__ import annotations

import json
import sqlite3
from importlib.util import find_spec

import pytest
import recipes

from dfactscore import Scorer

pytestmark = pytest.mark.xdist_group("hosts")
SCORED = 'print(Scorer(pages=Retrieved(retriever)).score(TEXT, name="Ann Lee"))'
NEEDED = {
    "LangChain": ("langchain_core",),
    "LlamaIndex": ("llama_index", "llama_index.core"),
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
}


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """The recipes whose packages are there, begun, with their folders."""
    found = {}
    for heading, needed in NEEDED.items():
        if all(find_spec(name) for name in needed):
            folder = tmp_path_factory.mktemp("recipe")
            found[heading] = recipes.start(heading, folder, **AROUND.get(heading, {})), folder
    yield found
    for process, _ in found.values():
        process.kill()
        process.communicate()


@pytest.fixture
def done(begun):
    """What a recipe printed, and its folder; without its packages the test is skipped."""

    def done(heading):
        if heading not in begun:
            pytest.skip(f"needs {' and '.join(NEEDED[heading])}")
        process, folder = begun[heading]
        return recipes.ended(process, folder), folder

    return done


@pytest.fixture(scope="module")
def means():
    return Scorer().score_many([json.loads(line) for line in recipes.biographies()]).summary


def test_langchain(done):
    out, _ = done("LangChain")
    assert "FActScore 1.000, D-FActScore 0.500" in out
    assert "[only Ann Lee (" in out


def test_llamaindex(done):
    out, _ = done("LlamaIndex")
    assert "FActScore 1.000, D-FActScore 0.500" in out
    assert "-> Ann Lee (poet): 1 of 2 facts" in out


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
