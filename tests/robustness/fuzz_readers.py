"""Damages every kind of file that a Python reader takes, and looks at what the reader raises.

    python tests/robustness/fuzz_readers.py --files 200

The files and the damage are those of `fuzz_files.py`. A reader may read, or raise one of the
package's own errors in one line; everything else is a fault and is printed with its seed.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fuzz_files import damage, hurry, make_files

Reader = Callable[[Path], Any]


def readers() -> dict[str, tuple[str, Reader]]:
    """Every reader with a file that it reads, relative to the folder of good files."""
    from dfactscore import ambigbio, retrieval
    from dfactscore._asking.budget import load_prices
    from dfactscore._asking.cache import AnswerCache
    from dfactscore._experiment import load_experiment
    from dfactscore._readers import read_biographies
    from dfactscore._readers.released_labels import read_annotations
    from dfactscore._runs import load_run
    from dfactscore._scoring.released_scores import read_released
    from dfactscore._text.name_lists import listed_names
    from dfactscore.ambigbio._dump import pages_in, read_site, redirects_in, regions, spans
    from dfactscore.citations._biographies import read_judged
    from dfactscore.comparison._loading import load_scores
    from dfactscore.engines._llm.roles.base import load_prompt
    from dfactscore.generation import _request_files as request_files
    from dfactscore.mixing._popularity import read_views
    from dfactscore.retrieval._evaluate import read_questions

    def pages(path: Path) -> Any:
        return list(retrieval.read_pages(path, on_error=lambda _: None))

    def passages(path: Path) -> Any:
        return list(retrieval.read_passages(path, on_error=lambda _: None))

    def store(path: Path) -> Any:
        with retrieval.PageStore(path) as opened:
            return opened.lookup_many([page.title for page in opened.pages()] + ["Dick"])

    def run(path: Path) -> Any:
        found = load_run(path.parent)
        return found.usage(), list(found.records()), found.n_bad

    def index(path: Path) -> Any:
        folder = path.parent if path.parent.name == "index" else path.parent.parent
        retriever = retrieval.Retriever(folder)
        try:
            return retriever.search(["Dick Hanley swam", "He won"], k=3)
        finally:
            retriever.close()

    def dump(path: Path) -> Any:
        read_site(path)
        pieces = [piece for part in spans(path) for piece in regions(part)]
        return [[*pages_in(piece), *redirects_in(piece)] for piece in pieces]

    def answers(path: Path) -> Any:
        cache = AnswerCache(path)
        try:
            return cache.stats(), list(cache.records()), cache.get(bytes([3]) * 16)
        finally:
            cache.close()

    found: dict[str, tuple[str, Reader]] = {}
    for name in ("bios.jsonl", "alce.json", "bios.csv", "bios.tsv", "labeled.jsonl"):
        found[f"read_biographies {name}"] = (name, read_biographies)
    for name in ("pages.jsonl", "pages.jsonl.gz", "psgs.tsv", "pages.parquet"):
        found[f"read_pages {name}"] = (name, pages)
    for name in ("psgs.tsv", "pages.jsonl"):
        found[f"read_passages {name}"] = (name, passages)
    for name in ("manifest", "biographies", "facts", "groups", "verdicts", "documents"):
        ending = "json" if name == "manifest" else "jsonl"
        found[f"load_run {name}"] = (f"run/{name}.{ending}", run)
    for name in ("manifest.json", "passages.sqlite", "bm25/bm25.json", "bm25/vocabulary.json",
                 "bm25/data.npy", "bm25/indices.npy", "bm25/indptr.npy"):  # fmt: skip
        found[f"Retriever {name}"] = (f"index/{name}", index)
    for name in ("dump.xml", "dump.xml.gz", "dump.xml.bz2"):
        found[name] = (name, dump)
    for name in ("released.json", "released.jsonl"):
        found[f"read_released {name}"] = (name, read_released)
    for name in ("run/scores.csv", "released.json", "run/manifest.json"):
        found[f"load_scores {name}"] = (
            name,
            lambda p: load_scores(p.parent if p.parent.name == "run" else p),
        )
    return found | {
        "PageStore": ("pages.sqlite", store),
        "AnswerCache": ("cache.sqlite", answers),
        "ambigbio.load": ("ambigbio.jsonl", ambigbio.load),
        "names file": ("lee.tsv", lambda path: listed_names(path, error=ambigbio.AmbigBioError)),
        "generation names": ("names.csv", request_files.read_names),
        "generation passages": ("passages.jsonl", request_files.read_requests),
        "experiment": ("experiment.yaml", load_experiment),
        "prices": ("prices.json", load_prices),
        "prompts": ("prompts/verify.txt", lambda p: load_prompt("verify", p.parent)),
        "views": ("views.jsonl", read_views),
        "questions": ("questions.jsonl", read_questions),
        "judged citations": ("judged.jsonl", read_judged),
        "human labels": ("labeled.jsonl", read_annotations),
    }


def fault(reader: Reader, path: Path) -> str:
    """Returns the problem with the outcome of a reader; empty if there is none."""
    from dfactscore._errors import DFactScoreError
    from dfactscore.ambigbio._errors import AmbigBioError
    from dfactscore.linking._errors import LinkingError
    from dfactscore.retrieval._errors import RetrievalError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            reader(path)
    except (DFactScoreError, RetrievalError, AmbigBioError, LinkingError) as error:
        return "" if str(error).strip() else "raises an error without a message"
    except Exception as error:
        import traceback

        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(last.filename).name}:{last.lineno}"
        return f"{type(error).__name__} at {place}: {str(error)[:120]}"
    return ""


def fuzz(name: str, good: Path, work: Path, files: int, seed: int) -> tuple[dict[str, str], float]:
    """The faults of one reader over damaged files, by kind, and the longest time in seconds."""
    relative, reader = readers()[name]
    data = (good / relative).read_bytes()
    faults: dict[str, str] = {}
    slowest = 0.0
    if problem := fault(reader, work / relative):
        return {f"fails on the good file: {problem}": relative}, 0.0
    for number in range(files):
        rng = random.Random(f"{seed} {name} {number}")
        (work / relative).write_bytes(damage(data, rng))
        begun = time.perf_counter()
        if problem := fault(reader, work / relative):
            faults.setdefault(problem, f"{name} #{number}")
        slowest = max(slowest, time.perf_counter() - begun)
        for suffix in ("-wal", "-shm", "-journal"):
            (work / (relative + suffix)).unlink(missing_ok=True)
    (work / relative).write_bytes(data)
    return faults, slowest


def main(arguments: list[str] | None = None) -> int:
    """Runs it all and prints a table; returns how many kinds of fault there are."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--files", type=int, default=200, help="damaged files a reader")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    hurry()
    bad = total = 0
    with tempfile.TemporaryDirectory() as place:
        good, work = Path(place) / "good", Path(place) / "work"
        good.mkdir()
        make_files(good)
        shutil.copytree(good, work)
        for name in readers():
            faults, slowest = fuzz(name, good, work, options.files, options.seed)
            total += options.files
            bad += len(faults)
            print(f"{name:<36}{options.files:>7}{len(faults):>4} kinds  {slowest:.2f} s")
            for problem, seed in faults.items():
                print(f"    {problem}  [{seed}]")
    print(f"{total:,} files, {bad} kinds of fault")
    return bad


if __name__ == "__main__":
    sys.exit(bool(main()))
