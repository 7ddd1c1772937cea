"""Verdicts a second on one core, from raw text, through `BuiltinVerifier.verify_together`.

    python benchmarks/verifier_speed.py

The facts of the released verdicts of the Tulu biographies against each retrieved page, as the
pipeline calls it: every page and fact is prepared, nothing is warm but the imports and the model.
Then the same facts against one page of 5,000 words for each name, read in the measured time, and
once the pages are read (a run keeps 64 pages). Both the wall clock and the processor time of this
process are given: on a machine that does other work the second is the steadier.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import sys
import time
from pathlib import Path

for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_variable] = "1"
sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent)]

from padding import padded  # noqa: E402
from running import default_data  # noqa: E402
from verifier_data import Pair, pages, read  # noqa: E402

from dfactscore.engines.builtin.language import tokens  # noqa: E402
from dfactscore.engines.builtin.verify import positions  # noqa: E402
from dfactscore.engines.builtin.verify.verifier import BuiltinVerifier  # noqa: E402
from dfactscore.records import Biography, Document, Entity, Fact  # noqa: E402

Job = tuple[Biography, list[Fact], list[Entity]]


def jobs(data: Path) -> list[Job]:
    source = json.loads((data / "dfactscore" / "alce_tulu.json").read_text(encoding="utf-8"))
    found = []
    for item, verdict in zip(
        source["data"], read(data / "dfactscore" / "verdicts_tulu.jsonl"), strict=True
    ):
        facts = [Fact(decision["atom"]) for decision in verdict["decisions"] or ()]
        pages: dict[str, list[Document]] = {}
        for doc in item["docs"]:
            pages.setdefault(doc["title"], []).append(Document(doc["title"], doc["text"]))
        entities = [Entity(t, t, tuple(docs), i) for i, (t, docs) in enumerate(pages.items())]
        found.append((Biography(verdict["name"], verdict["name"], item["output"]), facts, entities))
    return found


def longer(work: list[Job], data: Path, words: int) -> list[Job]:
    """The same facts, each name against one page of so many words made of all its passages."""
    source = pages(data)
    found = []
    for biography, facts, entities in work[:40]:
        documents = tuple((d.title, d.text) for d in entities[0].documents)
        pair = padded(Pair(biography.name, "", documents, 0, 0), source, words)
        page = tuple(Document(*document) for document in pair.documents)
        found.append((biography, facts, [Entity("page", "page", page)]))
    return found


def once(
    work: list[Job], model: Path | None = None, *, read_before: bool = False
) -> tuple[int, float, float]:
    tokens._cache.clear()
    positions._cache.clear()
    verifier = BuiltinVerifier(model=model)
    if read_before:
        for biography, _, entities in work:
            for entity in entities:
                verifier.verify(biography, [], entity)
    verdicts = 0
    wall, cpu = time.perf_counter(), time.process_time()
    for biography, facts, entities in work:
        rows = verifier.verify_together(biography, [(facts, entity) for entity in entities])
        verdicts += sum(map(len, rows))
    return verdicts, time.perf_counter() - wall, time.process_time() - cpu


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=default_data())
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--model", type=Path, help="another coefficient file")
    options = parser.parse_args()
    work = jobs(options.data)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    once(work[:3], options.model)
    measure("passages", work, options)
    pages_of = longer(work, options.data, 5000)
    measure("one page of 5,000 words for each name, read each time", pages_of, options)
    measure("the same, once the pages are read", pages_of, options, read_before=True)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {after:.0f} MB, of which {before:.0f} MB before the first verdict")


def measure(
    title: str, work: list[Job], options: argparse.Namespace, *, read_before: bool = False
) -> None:
    """Prints verdicts a second, median and best."""
    runs = [once(work, options.model, read_before=read_before) for _ in range(options.repeats)]
    count = runs[0][0]
    print(f"{title}: {len(work)} biographies, {count} verdicts, median (best) of {len(runs)} runs")
    for label, place in (("wall clock", 1), ("processor time", 2)):
        rates = sorted(count / run[place] for run in runs)
        print(f"  {label:15} {statistics.median(rates):9,.0f} ({rates[-1]:,.0f}) verdicts/s")


if __name__ == "__main__":
    from running import run

    run(main)
