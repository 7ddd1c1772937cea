"""Speed of a page database in the layout of the factscore package: opening, reading, near titles.

    python benchmarks/factscore_db.py

Makes a database of 200,000 pages and about 0.8 GB in a temporary folder first. Times are
processor time of one core.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from dfactscore.retrieval import open_source
from dfactscore.retrieval.factscore import write_factscore_db


def make(path: Path, rows: int) -> None:
    rng = random.Random(0)
    words = [f"word{i}" for i in range(5000)]
    bodies = [" ".join(rng.choices(words, k=18)) + "." for _ in range(4000)]

    def pages():
        for i in range(rows):
            yield f"Person {i * 7919 % rows:06d}", rng.choices(bodies, k=28)

    write_factscore_db(pages(), path)


def measure(path: Path, rows: int) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begun = time.process_time()
    source = open_source(path)
    opened = time.process_time() - begun
    rng = random.Random(1)
    titles = [f"Person {rng.randrange(rows):06d}" for _ in range(20_000)]
    begun = time.process_time()
    found = sum(len(source.documents(title)) > 0 for title in titles)
    took = time.process_time() - begun
    begun = time.process_time()
    for i in range(50):
        source.lookup(f"Persun {i:06d}")
        source.lookup(f"Person {i:06d} (rower)")
    near = (time.process_time() - begun) / 100
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(f"{path.stat().st_size / 1e9:.2f} GB, {rows:,} pages")
    print(f"opened in {1000 * opened:.1f} ms")
    print(f"{found / took:,.0f} pages/s")
    print(f"near titles in {1000 * near:.2f} ms")
    print(f"{grown / 1024:.1f} MB more memory")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.read:
        measure(chosen.read, chosen.rows)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pages.db"
        make(path, chosen.rows)
        # A process of its own: what making the file took is not counted.
        command = [sys.executable, __file__, "--rows", str(chosen.rows), "--read", str(path)]
        subprocess.run(command, check=True)


if __name__ == "__main__":
    from running import run

    run(main)
