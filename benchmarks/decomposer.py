"""Measures the built-in decomposer: nothing lost, and overlap with the released model facts.

python benchmarks/decomposer.py --data DIR
"""

# ruff: noqa: SIM905 (word lists read better as text)

from __future__ import annotations

import argparse
import json
import re
import statistics
from pathlib import Path

from dfactscore.engines.builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.records import Biography
from dfactscore.text.citation_marks import strip_citations

EMPTY = frozenset(
    """
    a an the of in on at to for from with by as and or but is was are were be been being has had
    have he she they it his her their its him them who which that this these those there where
    when while also however additionally furthermore finally s in addition another other
    """.split()
)
FILES = (
    ("alce_tulu.json", "verdicts_tulu.jsonl"),
    ("alce_llama13b-careful.json", "verdicts_llama13b-careful.jsonl"),
)


def words(text: str) -> list[str]:
    """Content words in lower case."""
    return [w for w in re.findall(r"\w+", text.lower()) if w not in EMPTY]


def share(of: list[str], within: set[str]) -> float:
    return sum(w in within for w in of) / len(of) if of else 1.0


def best_f1(fact: set[str], others: list[set[str]]) -> float:
    """Token F1 with the fact of the other list that is nearest."""
    best = 0.0
    for other in others:
        both = len(fact & other)
        if both:
            best = max(best, 2 * both / (len(fact) + len(other)))
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument(
        "--lost", type=int, default=0, help="show this many paragraphs that lose words"
    )
    folder = parser.parse_args().data / "dfactscore"
    shown = parser.parse_args().lost
    print("file | facts a paragraph: ours, released | words a fact: ours, released")
    print("| content words of the paragraph in: ours, released | of released words in ours")
    print("| of ours in released | nearest-fact F1 both ways")
    for name, verdicts in FILES:
        records = json.loads((folder / name).read_text(encoding="utf-8"))["data"]
        lines = (folder / verdicts).read_text(encoding="utf-8").splitlines()
        rows = []
        for record, line in zip(records, map(json.loads, lines), strict=True):
            text = strip_citations(record["output"])[0]
            theirs = [d["atom"] for d in line["decisions"] or ()]
            title = record["question"].removeprefix("Tell me a bio of ")
            ours = [f.text for f in BuiltinDecomposer().decompose(Biography("", title, text))]
            if not theirs or not ours:
                continue
            mine, other = set(words(" ".join(ours))), set(words(" ".join(theirs)))
            covered = share(words(text), mine)
            if covered < 0.97 and shown > 0:
                shown -= 1
                print(f"  {covered:.2f} {title}: {sorted(set(words(text)) - mine)}")
            bags, bags2 = [set(words(f)) for f in ours], [set(words(f)) for f in theirs]
            # fmt: off
            rows.append(
                (
                    len(ours),
                    len(theirs),
                    statistics.mean(len(f.split()) for f in ours),
                    statistics.mean(len(f.split()) for f in theirs),
                    covered,
                    share(words(text), other),
                    share(sorted(other), mine),
                    share(sorted(mine), other),
                    statistics.mean(best_f1(b, bags2) for b in bags),
                    statistics.mean(best_f1(b, bags) for b in bags2),
                )
            )
        means = [statistics.mean(column) for column in zip(*rows, strict=True)]
        print(f"{name} ({len(rows)}) | " + " | ".join(f"{m:.3f}" for m in means))


if __name__ == "__main__":
    main()
