"""How many requests a build costs, counted by a real MediaWiki on loopback.

    python benchmarks/wiki_requests.py --names 500 --people 5

Sets the wiki up (Debian packages, unpacked below the cache folder; nothing is installed), fills it
with invented names, builds through its API, and prints what the server logged. Beside it stands
what wikipedia-api's page objects would cost, measured on a few names of the same wiki.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import ModuleType

import wikipediaapi

from dfactscore.ambigbio import load
from dfactscore.ambigbio.summary import summarize
from dfactscore.ambigbio.wiki_transport import PoliteTransport

ROOT = Path(__file__).resolve().parent.parent


def module(name: str) -> ModuleType:
    path = ROOT / "tests" / "ambigbio" / "mediawiki" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"mediawiki_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = loaded
    spec.loader.exec_module(loaded)
    return loaded


def through_objects(api: str, titles: list[str]) -> None:
    """The plain way: links of each page, then categories and text of each link."""
    transport = PoliteTransport(interval=0.0, max_wait=60.0)
    transport.address = api
    agent = "dfactscore-benchmark/0 (mailto:benchmark@example.org)"
    wiki = wikipediaapi.Wikipedia(user_agent=agent, transport=transport)
    for title in titles:
        for page in wiki.page(title).links.values():
            if page.namespace == 0 and page.exists():
                assert page.categories is not None
                assert page.text is not None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--names", type=int, default=500)
    parser.add_argument("--people", type=int, default=5)
    arguments = parser.parse_args()
    wiki, fixture = module("wiki"), module("fixture")
    start = time.perf_counter()
    # a few more names than are asked for, as a real category has
    pages = fixture.generated(arguments.names, arguments.people)
    made = wiki.make_wiki(pages.xml(), light=True)
    print(f"wiki of {len(pages.pages)} pages: {time.perf_counter() - start:.0f} s")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        server = wiki.Server(made, folder / "wiki")
        try:
            build(server, folder, arguments.names, arguments.people)
        finally:
            server.stop()


def build(server: object, folder: Path, names: int, people: int) -> None:
    start = time.perf_counter()
    command = [
        sys.executable, "-c", "from dfactscore.cli.app import main; main()", "ambigbio", "build",
        "--count", str(names), "--contact", "benchmark@example.org", "--interval", "0",
        "--api-url", server.api, "--out", str(folder / "out.jsonl"), "--quiet",
    ]  # type: ignore[attr-defined]  # fmt: skip
    server.clear()  # type: ignore[attr-defined]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    print(done.stdout + done.stderr, end="")
    seconds = time.perf_counter() - start
    requests = server.requests()  # type: ignore[attr-defined]
    listing = [r for r in requests if "categorymembers" in str(r["parameters"].get("list", ""))]
    gzipped = sum("gzip" in str(r["encoding"]) for r in requests)
    summary = summarize(load(folder / "out.jsonl"))
    print(
        f"server: {len(requests)} requests, {len(listing)} of them to list the category "
        f"(bar: {math.ceil(names / 500) + 1}), {len(requests) - len(listing)} after it "
        f"(bar: 120); at most {server.most_at_once()} at once; gzip asked for by {gzipped}"
    )  # type: ignore[attr-defined]
    print(f"{summary.names} names, {summary.people} people, {seconds:.1f} s")
    server.clear()  # type: ignore[attr-defined]
    some = [name.title for name in load(folder / "out.jsonl")][:5]
    through_objects(server.api, some)  # type: ignore[attr-defined]
    each = len(server.requests()) / len(some)  # type: ignore[attr-defined]
    print(f"wikipedia-api's page objects: {each:.1f} requests a name, so {each * names:.0f}")


if __name__ == "__main__":
    from running import run

    run(main)
