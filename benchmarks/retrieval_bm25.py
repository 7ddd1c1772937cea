"""Compares BM25 over a corpus with rank_bm25, and within a page with bm25s.

    python benchmarks/retrieval_bm25.py --passages 100000

Texts are drawn from a Zipf law over 200,000 words (seeded), with 100 words per passage. Queries are
names of two rare words that occur. All implementations get the same words.
"""

from __future__ import annotations

import argparse
import tempfile
import time

import numpy as np
from running import clock

from dfactscore.retrieval._bm25 import build_bm25
from dfactscore.retrieval._page_bm25 import PageBM25
from dfactscore.retrieval._tokens import tokenize


def texts(count: int, words: int, rng: np.random.Generator) -> list[str]:
    ranks = np.arange(1, 200_001)
    weights = ranks**-1.05
    edges = np.cumsum(weights / weights.sum())
    drawn = np.minimum(np.searchsorted(edges, rng.random((count, words))), len(ranks) - 1)
    return [" ".join(f"w{n:x}" for n in row) for row in drawn.tolist()]


def corpus(args: argparse.Namespace, rng: np.random.Generator) -> None:
    from rank_bm25 import BM25Okapi

    passages = texts(args.passages, 100, rng)
    names = [f"w{a:x} w{b:x}" for a, b in rng.integers(500, 20_000, (args.queries, 2))]
    with tempfile.TemporaryDirectory() as folder:
        begin = time.process_time()
        ours = build_bm25(passages, f"{folder}/bm25")
        build = time.process_time() - begin
        queries = [f"Tell me a bio of {name}" for name in names]
        mine = clock(lambda: ours.search(queries, 5), args.repeat)
        size = ours.nbytes / 1e6
    begin = time.process_time()
    theirs = BM25Okapi([tokenize(text) for text in passages])
    build_theirs = time.process_time() - begin
    few = [tokenize(name) for name in names[:5]]

    def search() -> None:
        for words in few:
            scores = theirs.get_scores(words)
            np.argpartition(-scores, 5)[:5]

    peer = clock(search, args.repeat)
    rate, rate_cpu = len(queries) / mine[0], len(queries) / mine[1]
    other, other_cpu = len(few) / peer[0], len(few) / peer[1]
    print(f"corpus of {args.passages:,} passages, {len(queries)} queries, top 5")
    print(f"  ours          {rate:,.0f} queries/s, built in {build:.1f} CPU s, {size:,.0f} MB")
    print(f"  rank_bm25     {other:,.2f} queries/s, built in {build_theirs:.1f} CPU s")
    print(f"  ratio         x{rate / other:,.0f} by wall, x{rate_cpu / other_cpu:,.0f} by CPU")


def page(args: argparse.Namespace, rng: np.random.Generator) -> None:
    import bm25s

    facts_a_page, pages = 26, 200  # mean number of facts per page in the released pairs
    passages = texts(20 * pages, 100, rng)
    facts = texts(facts_a_page * pages, 8, rng)
    work = [
        (passages[20 * n : 20 * n + 20], facts[facts_a_page * n : facts_a_page * (n + 1)])
        for n in range(pages)
    ]
    built = [PageBM25(page) for page, _ in work]

    def with_build() -> None:
        for page, asked in work:
            PageBM25(page).select_many(asked)

    def cached() -> None:
        for index, (_, asked) in zip(built, work, strict=True):
            index.select_many(asked)

    def library() -> None:
        for page, asked in work[:20]:
            index = bm25s.BM25()
            index.index([tokenize(text) for text in page], show_progress=False)
            tokens = [tokenize(fact) for fact in asked]
            index.retrieve(tokens, k=5, show_progress=False)

    count = facts_a_page * pages
    print(f"within a page of 20 passages, {facts_a_page} facts a page, {pages} pages")
    for name, call, number in (
        ("ours, built for each page", with_build, count),
        ("ours, page cached", cached, count),
        ("bm25s, built for each page", library, facts_a_page * 20),
    ):
        wall, cpu = clock(call, args.repeat)
        print(f"  {name:28s}{number / wall:>9,.0f} selections/s ({number / cpu:,.0f} by CPU)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=500)
    parser.add_argument("--repeat", type=int, default=5)
    args = parser.parse_args()
    rng = np.random.default_rng(7)
    page(args, rng)
    corpus(args, rng)


if __name__ == "__main__":
    from running import run

    run(main)
