"""Recall of the chosen dense index on text of installed packages, against flat FAISS and a peer.

    python benchmarks/retrieval_recall.py --passages 100000 --work FOLDER
    python benchmarks/retrieval_recall.py --vectors TABLE.npy --work FOLDER

Passages of 24 words are cut from docstrings and documents and encoded with all-MiniLM-L6-v2; the
rows of a table are used unchanged. The last 1,000 are queries and are not indexed.
"""

from __future__ import annotations

import argparse
import ast
import random
import shutil
import sysconfig
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import faiss
import numpy as np

from dfactscore.retrieval._choice import build_by_recall
from dfactscore.retrieval._dense import DenseIndex, build_dense
from dfactscore.retrieval._embeddings import Embeddings, append_rows
from dfactscore.retrieval._factory import make_plan

K, QUERIES, WORDS = 5, 1000, 24
FORMS = (".py", ".rst", ".md", ".txt")


def texts_of(path: Path) -> Iterator[str]:
    text = path.read_text("utf-8", errors="ignore")
    if path.suffix != ".py":
        yield text
        return
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    named = ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef
    for node in ast.walk(tree):
        if isinstance(node, named) and (text := ast.get_docstring(node) or ""):
            yield f"{getattr(node, 'name', path.stem)} {text}"


def passages(count: int) -> list[str]:
    """Yields distinct passages that are mostly letters, from files in a seeded order."""
    folders = {sysconfig.get_path("purelib"), sysconfig.get_path("stdlib")}
    files = sorted(p for f in folders for p in Path(f).rglob("*") if p.suffix in FORMS)
    random.Random(0).shuffle(files)
    kept: dict[str, None] = {}
    for text in (text for path in files for text in texts_of(path)):
        words = text.split()
        for start in range(0, len(words) - WORDS, WORDS):
            passage = " ".join(words[start : start + WORDS])
            if sum(c.isalpha() or c == " " for c in passage) > 0.8 * len(passage):
                kept[passage] = None
        if len(kept) >= count:
            break
    return list(kept)[:count]


def encoded(count: int) -> np.ndarray:
    from dfactscore.retrieval._encoders import SentenceEncoder

    return SentenceEncoder("all-MiniLM-L6-v2", batch_size=128).encode(passages(count))


def stored(rows: np.ndarray, folder: Path, dtype: str) -> Embeddings:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    meta = {"format": 1, "done": 0, "rows": len(rows), "dimension": rows.shape[1], "dtype": dtype}
    append_rows(folder, {**meta, "shard_rows": 2**18, "encoder": {}, "corpus": ""}, rows)
    return Embeddings(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--vectors", type=Path, help="rows made elsewhere (.npy)")
    parser.add_argument("--recalls", type=float, nargs="+", default=[0.95, 0.98])
    parser.add_argument("--peers", nargs="+", default=["IVF512,RaBitQ", "HNSW32"])
    parser.add_argument("--work", type=Path, required=True, help="folder for vectors, indexes")
    args = parser.parse_args()
    warnings.simplefilter("ignore")  # from reading installed packages
    rows = encoded(args.passages + QUERIES) if args.vectors is None else np.load(args.vectors)
    rows = np.ascontiguousarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)
    rows, queries = rows[:-QUERIES], rows[-QUERIES:]
    truth = faiss.knn(queries, rows, K, metric=faiss.METRIC_INNER_PRODUCT)[1]
    full = stored(rows, args.work / "float32", "float32")
    half = stored(rows, args.work / "float16", "float16")
    print(f"{len(rows):,} x {rows.shape[1]}, {QUERIES:,} queries that are not indexed")

    def show(label: str, index: DenseIndex) -> None:
        pairs = zip(index.search(queries, K)[1], truth, strict=True)
        recall = np.mean([len(set(a) & set(b)) / K for a, b in pairs])
        begin = time.process_time()
        index.search(queries, K)
        rate = QUERIES / (time.process_time() - begin)
        share = rows.nbytes / index.nbytes
        plan = f"{index.plan.factory}, {index.plan.nprobe} lists, {index.plan.rerank} re-ranked"
        print(f"{label}: {plan}: recall@5 {recall:.3f}, 1/{share:.1f}, {rate:,.0f} a CPU second")

    for recall in args.recalls:
        folder, begin = args.work / f"chosen-{recall}", time.process_time()
        chosen = build_by_recall(half, folder, recall=recall)
        seconds = time.process_time() - begin
        show(f"chosen for {recall} (measured {chosen.recall:.3f})", DenseIndex(folder, half))
        show(f"  its candidates re-ranked by float32, {seconds:.0f} s", DenseIndex(folder, full))
    for factory in args.peers:
        plan = make_plan(factory, rows.shape[1])
        show("peer", build_dense(half, args.work / f"peer-{factory}", plan))


if __name__ == "__main__":
    from running import run

    run(main)
