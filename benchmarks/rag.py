"""RAG: owners of untitled passages, and short mixed answers.

- passages: real retrieved passages of two models' biographies without titles: unchanged, without
  the headings in their texts, and with the document of each; printed are the pairs of one page that
  are together and the pairs of different pages that are apart, by half of the names
- short: texts of two or three facts that the published judge credits to one page, with and without
  one more that it credits to a namesake's page

    python benchmarks/rag.py --data DATA
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "training"), str(ROOT)]

from mixing import credited  # noqa: E402
from running import default_data  # noqa: E402
from verifier_data import pages  # noqa: E402

from dfactscore import Scorer  # noqa: E402
from dfactscore._evidence.owners import with_owners  # noqa: E402
from dfactscore._records import Biography  # noqa: E402
from dfactscore.retrieval import Passage  # noqa: E402

MODELS = ("tulu", "llama13b-careful")
Row = dict[str, Any]


def rows_of(data: Path) -> list[Row]:
    """Reads the biographies of both models, with their passages."""
    return [
        {"name": re.sub(r"^Tell me a bio of ", "", row["question"]), **row}
        for model in MODELS
        for row in json.loads((data / "dfactscore" / f"alce_{model}.json").read_text())["data"]
    ]


def half(name: str) -> str:
    """Returns the half of a name; rules were chosen on A."""
    digest = hashlib.sha256(f"Tell me a bio of {name}".encode()).hexdigest()
    return "AB"[int(digest, 16) % 2]


def without_heading(title: str, text: str) -> str:
    """Removes the page's title before the first sentence of a passage."""
    return re.sub(re.escape(title) + r" (?=[\w\"“])(?=[^a-z])", "", text, count=1)


VARIANTS: dict[str, Callable[[str, str], Passage]] = {
    "as retrieved": lambda title, text: Passage("", text),
    "without headings": lambda title, text: Passage("", without_heading(title, text)),
    "with documents": lambda title, text: Passage("", text, source=title),
}


def passages(rows: Sequence[Row]) -> None:
    """Prints the shares of pairs that are correctly together and apart."""
    sets = {
        (row["name"], tuple((doc["title"], doc["text"]) for doc in row["docs"])) for row in rows
    }
    for variant, passage in VARIANTS.items():
        for part in "AB":
            pairs: Counter[tuple[bool, bool]] = Counter()
            for name, docs in sorted(sets):
                if half(name) != part:
                    continue
                given = tuple(passage(title, text) for title, text in docs)
                owned = with_owners(Biography("0", name, "x", passages=given)).owners.texts
                sure = [{o for t in owned if t.passage == n and t.certain for o in t.owners}
                        for n in range(len(docs))]  # fmt: skip
                for i, j in combinations(range(len(docs)), 2):
                    if docs[i][1] != docs[j][1]:
                        pairs[docs[i][0] == docs[j][0], bool(sure[i] & sure[j])] += 1
            together = pairs[True, True] / (pairs[True, True] + pairs[True, False])
            apart = pairs[False, False] / (pairs[False, False] + pairs[False, True])
            print(
                f"{variant}, half {part}: together {together:.3f}, apart {apart:.3f} "
                f"({pairs.total()} pairs)"
            )


def with_and_without_titles(rows: Sequence[Row], count: int = 60) -> None:
    """Prints the mean D-FS of answers of half B, with and without titles of passages."""
    chosen = [row for row in rows if half(row["name"]) == "B"][:count]
    bare = [
        {**row, "docs": [{"title": "", "text": d["text"]} for d in row["docs"]]} for row in chosen
    ]
    for label, records in (("with titles", chosen), ("without", bare)):
        dfs = [result.dfs for result in Scorer().score_many(records) if result.dfs is not None]
        print(f"{label}: D-FS {sum(dfs) / len(dfs):.3f} ({len(dfs)} answers)")


def short(data: Path, seed: int = 0) -> None:
    """Prints how many short texts with and without a foreign fact are called mixed."""
    rng, source = random.Random(seed), pages(data)
    counts: Counter[tuple[str, int, bool, bool]] = Counter()
    known = credited(data)
    for name in sorted(known):
        people = {
            title: list(dict.fromkeys(fact for facts in lists for fact in facts))
            for title, lists in sorted(known[name].items())
            if title in source[name]
        }
        for title, own in people.items():
            others = [f for other in people if other != title for f in people[other]]
            for size in (2, 3, 5):
                if len(own) < size:
                    continue
                clean = rng.sample(own, size)
                texts = [(False, clean)]
                if len(others) > 2:
                    texts.append((True, [*clean[:-1], rng.choice(others)]))
                for foreign, facts in texts:
                    text = " ".join(fact.rstrip(".") + "." for fact in facts)
                    result = Scorer(pages=_pages(source[name])).score(text, name=name)
                    scores = result.record.scores
                    mixed = scores is not None and bool(scores.mixed_groups)
                    counts[half(name), size, foreign, mixed] += 1
    for part in "AB":
        for size in (2, 3, 5):
            shares = []
            for foreign in (False, True):
                yes, no = (counts[part, size, foreign, mixed] for mixed in (True, False))
                shares.append(f"{yes / max(1, yes + no):.3f} of {yes + no}")
            print(f"half {part}, {size} facts: false alarms {shares[0]}, found {shares[1]}")


def _pages(documents: Any) -> dict[str, list[str]]:
    return {title: [text for _, text in documents] for title, documents in documents.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=default_data())
    parser.add_argument("--only", choices=("passages", "short"))
    args = parser.parse_args()
    rows = rows_of(args.data)
    if args.only in (None, "passages"):
        passages(rows)
        with_and_without_titles(rows)
    if args.only in (None, "short"):
        short(args.data)


if __name__ == "__main__":
    from running import run

    run(main)
