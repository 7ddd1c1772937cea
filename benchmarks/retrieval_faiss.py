"""Compares dense indexes with flat FAISS on generated vectors: recall, rate, bytes, build time.

    python benchmarks/retrieval_faiss.py --sizes 10000 100000 1000000 --work FOLDER

Rates and ratios are medians of five, from the same run. On a busy machine, use the CPU ratios with
--threads 1, which count only the work of this process.
"""

from __future__ import annotations

import argparse
import os
import shutil
import time
from pathlib import Path

import faiss
import numpy as np
from retrieval_vectors import CLUSTERS, DIMENSION, Generator
from running import clock

from dfactscore.retrieval._choice import build_by_recall
from dfactscore.retrieval._dense import DenseIndex, build_dense
from dfactscore.retrieval._embeddings import Embeddings, write_embeddings
from dfactscore.retrieval._factory import IndexPlan, make_plan

K = 5


class Blocks:
    """Passes the generator's blocks to the code that writes shards."""

    dimension = DIMENSION

    def __init__(self, generator: Generator) -> None:
        self.generator = generator

    @property
    def settings(self) -> dict:
        """Returns the seed."""
        return {"kind": "generator", "seed": self.generator.seed}

    def encode(self, texts: list[str]) -> np.ndarray:
        """Returns a block; its text has its number and its rows."""
        number, rows = map(int, texts[0].split())
        return self.generator.block(number, 10_000)[:rows]


def vectors_of(work: Path, rows: int, generator: Generator) -> Embeddings:
    return write_embeddings(
        work / f"vectors-{rows}",
        Blocks(generator),
        lambda a, b: [f"{a // 10_000} {b - a}"] * (b - a),
        rows,
        chunk_rows=10_000,
    )


def recall(found: np.ndarray, truth: np.ndarray) -> float:
    return float(np.mean([len(set(a[:K]) & set(b)) / K for a, b in zip(found, truth, strict=True)]))


def drop_from_cache(folder: Path) -> None:
    for path in folder.iterdir():
        handle = os.open(path, os.O_RDONLY)
        os.fsync(handle)
        os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(handle)


def rates(search, queries: np.ndarray, singles: int, repeat: int) -> dict[str, float]:
    batch = clock(lambda: search(queries), repeat)
    single = clock(lambda: [search(queries[n : n + 1]) for n in range(singles)], repeat)
    return {
        "batch": len(queries) / batch[0],
        "batch_cpu": len(queries) / batch[1],
        "single": singles / single[0],
        "single_cpu": singles / single[1],
    }


def ratio(ours: dict[str, float], base: dict[str, float]) -> str:
    parts = [f"{name} x{ours[name] / base[name]:.2f}" for name in base]
    return ", ".join(parts)


def flat(vectors: Embeddings, queries: np.ndarray, work: Path, singles: int, repeat: int):
    """Compares our memory-mapped index with a plain IndexFlatIP, in turn."""
    hand = faiss.IndexFlatIP(DIMENSION)
    for _, block in vectors.blocks():
        hand.add(block)
    ours = build_dense(vectors, work / "flat", IndexPlan("Flat"))
    ours.search(queries[:1], K)
    base = rates(lambda q: hand.search(q, K), queries, singles, repeat)
    mine = rates(lambda q: ours.search(q, K), queries, singles, repeat)
    truth = ours.search(queries, K)[1]
    agree = recall(hand.search(queries, K)[1], truth)
    print(f"  flat by hand: {base['batch']:,.0f} batch/s, {base['single']:,.1f} single/s")
    print(f"  flat, ours:   {ratio(mine, base)}; top-5 agreement {agree:.4f}", flush=True)
    return base, truth


def kind(factory, vectors, queries, truth, base, work, args) -> None:
    rows = len(vectors)
    folder = work / f"index-{rows}-{factory.replace(',', '-')}"
    marks: dict[str, float] = {}

    def note(step: str, _: int) -> None:
        marks.setdefault(step, time.perf_counter())
        marks.setdefault(step + "_cpu", time.process_time())

    if (folder / "dense.json").exists() and not args.rebuild:
        index = DenseIndex(folder, vectors)
        built = "built before"
    else:
        shutil.rmtree(folder, ignore_errors=True)
        faiss.omp_set_num_threads(args.build_threads)
        if factory == "auto":
            build_by_recall(vectors, folder, progress=note)
            index = DenseIndex(folder, vectors)
        else:
            index = build_dense(vectors, folder, make_plan(factory, DIMENSION), progress=note)
        end, end_cpu = time.perf_counter(), time.process_time()
        faiss.omp_set_num_threads(args.threads)
        train, add = marks["add"] - marks["train"], end - marks["add"]
        cpu = end_cpu - marks["train_cpu"]
        built = f"train {train:.0f} s + add {add:.0f} s ({cpu:.0f} CPU s)"
    plan = index.plan
    share = vectors.rows * DIMENSION * 4 / index.nbytes
    print(f"  {plan.factory}: 1/{share:.1f} of flat resident, {built}", flush=True)
    bare = recall(index.search(queries, K, rerank_top=0)[1], truth)
    probes = args.nprobe or [plan.nprobe]
    for nprobe in probes if plan.nprobe else [0]:
        for depth in args.rerank if plan.rerank else [0]:
            options = {"nprobe": nprobe or None, "rerank_top": depth}
            found = recall(index.search(queries, K, **options)[1], truth)
            if plan.nprobe:
                bare = recall(index.search(queries, K, nprobe=nprobe, rerank_top=0)[1], truth)

            def search(q: np.ndarray, options: dict = options) -> None:
                index.search(q, K, **options)

            mine = rates(search, queries, args.singles, args.repeat)
            print(
                f"    nprobe {nprobe:4d} re-rank {depth:3d}: recall@5 {found:.3f} "
                f"(codes alone {bare:.3f}), {mine['batch']:,.0f} batch/s, "
                f"{mine['single']:,.0f} single/s; {ratio(mine, base)}",
                flush=True,
            )
    if args.cold:
        del index
        source = vectors.folder
        vectors.shards.clear()
        drop_from_cache(source)
        drop_from_cache(folder)
        vectors = Embeddings(source)
        begin = time.perf_counter()
        index = DenseIndex(folder, vectors)
        index.search(queries[:1], K)
        first = time.perf_counter() - begin
        begin = time.perf_counter()
        for n in range(1, 21):
            index.search(queries[n : n + 1], K)
        later = (time.perf_counter() - begin) / 20
        disk = sum(p.stat().st_size for p in folder.iterdir()) / 1e6
        print(
            f"    cold: open and first query {first * 1e3:,.0f} ms, next 20 {later * 1e3:,.1f} ms "
            f"each; disk {disk:,.0f} MB and vectors {vectors.nbytes / 1e6:,.0f} MB",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--kinds", nargs="+", default=["auto"])
    parser.add_argument("--work", type=Path, required=True, help="folder for vectors, indexes")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--build-threads", type=int, default=os.cpu_count())
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--singles", type=int, default=50)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--nprobe", type=int, nargs="*")
    parser.add_argument("--rerank", type=int, nargs="+", default=[100])
    parser.add_argument("--rebuild", action="store_true")
    parser.add_argument("--cold", action="store_true")
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    faiss.omp_set_num_threads(args.threads)
    print(f"faiss {faiss.__version__}, {args.threads} threads, load {os.getloadavg()[0]:.1f}")
    for rows in args.sizes:
        generator = Generator(clusters=min(CLUSTERS, rows // 50))
        begin = time.perf_counter()
        vectors = vectors_of(args.work, rows, generator)
        queries = generator.queries(args.queries)
        seconds = time.perf_counter() - begin
        print(f"{rows:,} x {DIMENSION}, written or found in {seconds:.0f} s", flush=True)
        base, truth = flat(vectors, queries, args.work, args.singles, args.repeat)
        for factory in args.kinds:
            kind(factory, vectors, queries, truth, base, args.work, args)
            vectors = Embeddings(vectors.folder)


if __name__ == "__main__":
    from running import run

    run(main)
