"""BM25, MiniLM and hybrid beside GTR's released top five, on the real passages.

    python benchmarks/retrieval_real.py --passages PASSAGES.jsonl --work FOLDER

The corpus is every released passage (names' passages mixed); each name's query is the paper's.
Agreement is with what GTR (gtr-t5-xxl over 21 million passages) retrieved for the name, so it says
how like GTR a method ranks here, not how good it is; the corpus is small, and holds only what GTR
found. Intervals are 95 % bootstrap intervals over names.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np

from dfactscore.retrieval.build import BuildOptions, build_index
from dfactscore.retrieval.dense import build_dense
from dfactscore.retrieval.documents import Passage
from dfactscore.retrieval.embeddings import Embeddings
from dfactscore.retrieval.encoders import SentenceEncoder
from dfactscore.retrieval.evaluate import bears_name
from dfactscore.retrieval.factory import IndexPlan, make_plan
from dfactscore.retrieval.retriever import Retriever, bio_query


def interval(values: list[float]) -> str:
    rng = np.random.default_rng(0)
    table = np.array(values)
    means = table[rng.integers(len(table), size=(5000, len(table)))].mean(1)
    low, high = np.quantile(means, [0.025, 0.975])
    return f"{table.mean():.3f} ({low:.3f}-{high:.3f})"


def codes(retriever: Retriever, names: list[str], work: Path) -> None:
    """Recall of compressed indexes on the same embeddings, against the exact search."""
    vectors = Embeddings(retriever.folder / "embeddings")
    queries = retriever.encoder.encode([bio_query(name) for name in names])
    truth = build_dense(vectors, work / "flat", IndexPlan("Flat")).search(queries, 5)[1]
    parts = vectors.dimension // 6
    for factory in (f"IVF32,PQ{parts}x4fs", "IVF32,RaBitQ"):
        plan = make_plan(factory, vectors.dimension)
        index = build_dense(vectors, work / factory.replace(",", "-"), plan)
        for nprobe in (4, 8, 16):
            got = []
            for top in (0, 50):
                found = index.search(queries, 5, nprobe=nprobe, rerank_top=top)[1]
                pairs = zip(found, truth, strict=True)
                got.append(np.mean([len(set(a) & set(b)) / 5 for a, b in pairs]))
            print(
                f"{factory}, nprobe {nprobe}: recall@5 of the exact top 5 {got[1]:.3f} re-ranked, "
                f"{got[0]:.3f} by codes alone"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--passages", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--encoder", default="all-MiniLM-L6-v2")
    args = parser.parse_args()
    records = [json.loads(line) for line in args.passages.read_text("utf-8").splitlines()]
    ids: dict[tuple[str, str], str] = {}
    for record in records:
        ids.setdefault((record["title"], record["text"]), str(len(ids) + 1))
    corpus = [Passage(title, text, id_) for (title, text), id_ in ids.items()]
    released: dict[str, list[dict]] = {}
    for record in sorted(records, key=lambda r: (r["name"], r["rank"])):
        released.setdefault(record["name"], []).append(record)
    encoder = SentenceEncoder(args.encoder)
    folder = args.work / "real"
    if not (folder / "manifest.json").exists():
        begin = time.perf_counter()
        build_index(corpus, folder, BuildOptions(kind="hybrid"), encoder=encoder)
        print(f"encoded and indexed in {time.perf_counter() - begin:.0f} s")
    retriever = Retriever(folder, encoder=encoder)
    names = list(released)
    print(
        f"{len(corpus):,} passages of {len({p.title for p in corpus})} titles, {len(names)} names"
    )
    known = [{r["title"] for r in released[name]} for name in names]
    own = [
        sum(bears_name(t, name) for t in titles) for name, titles in zip(names, known, strict=True)
    ]
    print("| method | GTR's titles found | GTR's passages found | first title equal | namesakes |")
    print("| --- | --- | --- | --- | --- |")
    for method in ("bm25", "dense", "hybrid"):
        titles, passages, first, namesakes = [], [], [], []
        for name, wanted, hits in zip(
            names, known, retriever.search_names(names, 5, method=method), strict=True
        ):
            found = {hit.passage.title for hit in hits}
            titles.append(len(found & wanted) / len(wanted))
            wanted_ids = {ids[r["title"], r["text"]] for r in released[name]}
            passages.append(len(wanted_ids & {h.passage.id for h in hits}) / len(wanted_ids))
            best = released[name][0]
            if best["rank"] == 1:
                first.append(float(bool(hits) and hits[0].passage.title == best["title"]))
            namesakes.append(float(sum(bears_name(title, name) for title in found)))
        cells = [interval(v) for v in (titles, passages, first, namesakes)]
        print(f"| {method} | " + " | ".join(cells) + " |")
    print(f"| GTR, released | 1 | 1 | 1 | {interval([float(n) for n in own])} |")
    codes(retriever, names, args.work)


if __name__ == "__main__":
    from running import run

    run(main)
