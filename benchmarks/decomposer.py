"""Compares the built-in decomposer with people's facts and with released facts of a model.

python benchmarks/decomposer.py --data DIR [--half dev|test] [--show N]

People's facts and verdicts are those of FActScore (`factscore_labels`), sentence by sentence; the
topics are halved by a hash of their names; the rules were written on the first half. A person's
fact is covered if one of our facts of the sentence has at least .8 of its content words. Only facts
that the sentence itself covers are counted, since people also write implied facts. "Holds two" is
the share of our facts that cover two or more of theirs; "people" in the same column is this share
of people's lists. The merged FActScore assigns every person's fact to our fact that has most of its
words; our fact is supported if all facts assigned to it are supported.
"""

# ruff: noqa: SIM905 (word lists read better as text)

from __future__ import annotations

import argparse
import itertools
import json
import re
import statistics
from bisect import bisect_right
from hashlib import sha256
from pathlib import Path

from running import default_data

from dfactscore._readers.shown_text import strip_citations
from dfactscore._records import Biography
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer

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
    """Returns the content words in lower case."""
    return [w for w in re.findall(r"\w+", text.lower()) if w not in EMPTY]


def share(of: list[str], within: set[str]) -> float:
    return sum(w in within for w in of) / len(of) if of else 1.0


def best_f1(fact: set[str], others: list[set[str]]) -> float:
    """Returns the token F1 with the most similar fact of the other list."""
    best = 0.0
    for other in others:
        both = len(fact & other)
        if both:
            best = max(best, 2 * both / (len(fact) + len(other)))
    return best


def half_of(topic: str) -> str:
    """Returns "dev" or "test", by the hash of the name."""
    return "test" if sha256(topic.encode()).digest()[0] % 2 else "dev"


def against_people(data: Path, half: str, show: int) -> None:
    """Prints a comparison with people's facts of the same sentences."""
    print(f"\nagainst people's facts, {half} topics")
    print(
        "file | topics, sentences | facts a sentence: ours, people | covered | holds two: ours, "
        "people | best F1 | FActScore: merged to ours, people"
    )
    for name in ("ChatGPT", "InstructGPT"):
        path = data / "factscore_labels" / f"{name}.jsonl"
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        rows = [r for r in rows if r["annotations"] and half in {half_of(r["topic"]), "all"}]
        ours = sentences = 0
        covered: list[bool] = []
        holds: list[bool] = []
        holds_people: list[bool] = []
        f1: list[float] = []
        scores: list[tuple[float, float]] = []
        for row in rows:
            said = [a for a in row["annotations"] if a.get("human-atomic-facts")]
            sentences += len(row["annotations"])
            topic = set(words(row["topic"]))
            text = " ".join(a["text"] for a in said)
            made: list[list[str]] = [[] for _ in said]
            ends = list(itertools.accumulate(len(a["text"]) + 1 for a in said))
            for fact in BuiltinDecomposer().decompose(Biography("", row["topic"], text)):
                assert fact.span is not None
                made[bisect_right(ends, fact.span[0])].append(fact.text)
            merged: list[bool] = []
            for annotation, facts in zip(said, made, strict=True):
                theirs = [(set(words(h["text"])), h) for h in annotation["human-atomic-facts"]]
                mine = [set(words(fact)) for fact in facts]
                sentence = set(words(annotation["text"])) | topic
                ours += len(mine)
                for bag, _ in theirs:
                    f1.append(best_f1(bag, mine))
                    if recall(bag, sentence) >= 0.8:
                        covered.append(any(recall(bag, m) >= 0.8 for m in mine))
                    holds_people.append(sum(recall(b, bag) >= 0.8 for b, _ in theirs) > 1)
                for fact, bag in zip(facts, mine, strict=True):
                    held = [h["text"] for b, h in theirs if recall(b, bag) >= 0.8]
                    holds.append(len(held) > 1)
                    if holds[-1] and show > 0:
                        show -= 1
                        print(f"  {fact}\n      {' | '.join(held)}")
                given: dict[int, list[bool]] = {}
                for bag, human in theirs if mine else ():
                    nearest = max(range(len(mine)), key=lambda i: recall(bag, mine[i]))
                    given.setdefault(nearest, []).append(human["label"] == "S")
                merged += [all(labels) for labels in given.values()]
            labels = [h["label"] == "S" for a in said for h in a["human-atomic-facts"]]
            if merged:
                scores.append((statistics.mean(merged), statistics.mean(labels)))
        print(
            f"{name} | {len(scores)}, {sentences} | {ours / sentences:.2f}, "
            f"{len(holds_people) / sentences:.2f} | {statistics.mean(covered):.3f} | "
            f"{statistics.mean(holds):.3f}, {statistics.mean(holds_people):.3f} | "
            f"{statistics.mean(f1):.3f} | {100 * statistics.mean(s for s, _ in scores):.1f}, "
            f"{100 * statistics.mean(s for _, s in scores):.1f}"
        )


def recall(of: set[str], within: set[str]) -> float:
    return len(of & within) / len(of) if of else 1.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=default_data())
    parser.add_argument("--half", choices=["dev", "test", "all"], default="dev")
    parser.add_argument("--show", type=int, default=0, help="show this many facts that hold two")
    parser.add_argument(
        "--lost", type=int, default=0, help="show this many paragraphs that lose words"
    )
    options = parser.parse_args()
    folder = options.data / "dfactscore"
    shown = options.lost
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
    against_people(options.data, options.half, options.show)


if __name__ == "__main__":
    from running import run

    run(main)
