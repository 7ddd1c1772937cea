"""Fetches public data of the benchmarks into a folder, and checks the SHA-256 of each file.

    python benchmarks/fetch_data.py FOLDER [NAME...]

The hashes identify the files behind the figures in docs/. Valid files are not fetched again; files
with another hash are not stored.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import urllib.error
import urllib.request
from pathlib import Path

SOURCES = Path(__file__).with_name("sources.json")
MOST = 64 * 2**20


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def fetch(place: Path, source: dict[str, str]) -> str:
    """Fetches a file; returns the outcome, which begins with "ok" on success."""
    if place.is_file() and digest(place.read_bytes()) == source["sha256"]:
        return "ok, there already"
    if not source["url"].startswith("http"):
        return f"to be made by hand: {source['from']}"
    try:
        with urllib.request.urlopen(source["url"], timeout=60) as answer:
            data = answer.read(MOST + 1)
    except (urllib.error.URLError, OSError) as error:
        return f"missing: {source['url']} cannot be reached ({getattr(error, 'reason', error)})"
    if digest(data) != source["sha256"]:
        return f"missing: {source['url']} holds another version (SHA-256 {digest(data)[:16]}…)"
    place.parent.mkdir(parents=True, exist_ok=True)
    part = place.with_name(f".{place.name}.part")
    part.write_bytes(data)
    part.replace(place)
    return f"ok, {len(data):,} bytes"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", help="file names as in sources.json; all by default")
    options = parser.parse_args()
    sources = json.loads(SOURCES.read_text(encoding="utf-8"))
    unknown = [name for name in options.names if name not in sources]
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}; there are {', '.join(sources)}")
    wrong = 0
    for name in options.names or sources:
        said = fetch(options.folder / name, sources[name])
        wrong += not said.startswith("ok")
        print(f"{name}: {said}")
    return 1 if wrong else 0


if __name__ == "__main__":
    from running import run

    run(main)
