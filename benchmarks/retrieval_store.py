"""The page store: pages in and look-ups a second, for pages of 2.5 kB with redirects.

python benchmarks/retrieval_store.py --pages 100000
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from pathlib import Path

from dfactscore.retrieval.documents import Page
from dfactscore.retrieval.store import PageStore, build_store


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--repeat", type=int, default=5)
    args = parser.parse_args()
    rng = random.Random(0)
    words = [f"word{n}" for n in range(5000)]
    texts = [" ".join(rng.choices(words, k=284)) for _ in range(1000)]
    size = sum(map(len, texts)) / len(texts)
    pages = [
        Page(
            title=f"Title {n} (thing)",
            text=texts[n % 1000],
            id=str(n),
            redirects=(f"Alias {n}",) if n % 3 == 0 else (),
        )
        for n in range(args.pages)
    ]
    print(f"{args.pages:,} pages of {size:,.0f} bytes, every third with a redirect")
    with tempfile.TemporaryDirectory() as folder:
        rates, rates_cpu = [], []
        for n in range(args.repeat):
            path = Path(folder) / f"{n}.sqlite"
            wall, cpu = time.perf_counter(), time.process_time()
            build_store(pages, path)
            rates.append(args.pages / (time.perf_counter() - wall))
            rates_cpu.append(args.pages / (time.process_time() - cpu))
            if n:
                path.unlink()
        path = Path(folder) / "0.sqlite"
        print(
            f"  in: {statistics.median(rates):,.0f} pages/s, indexes included "
            f"({statistics.median(rates_cpu):,.0f} by CPU); "
            f"{path.stat().st_size / args.pages:,.0f} bytes a page"
        )
        store = PageStore(path)
        numbers = [rng.randrange(args.pages) for _ in range(20_000)]
        for label, titles in (
            ("exact title", [f"Title {n} (thing)" for n in numbers]),
            ("redirect", [f"Alias {n - n % 3}" for n in numbers]),
            ("normal form", [f"title_{n}_(thing)" for n in numbers]),
        ):
            rates, rates_cpu = [], []
            for _ in range(args.repeat):
                wall, cpu = time.perf_counter(), time.process_time()
                found = [store.lookup(title) for title in titles]
                rates.append(len(titles) / (time.perf_counter() - wall))
                rates_cpu.append(len(titles) / (time.process_time() - cpu))
            assert all(isinstance(page, Page) for page in found)
            print(
                f"  look-up by {label}: {statistics.median(rates):,.0f}/s "
                f"({statistics.median(rates_cpu):,.0f} by CPU)"
            )


if __name__ == "__main__":
    from running import run

    run(main)
