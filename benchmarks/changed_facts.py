"""Lists the facts of real texts that a change of the rules adds and removes.

python benchmarks/changed_facts.py NEW.jsonl [--data DIR] [--before OLD.jsonl] [--draw N] [--seed N]

Writes the built-in facts of each text, and the person of each, to NEW.jsonl: the biographies of
ALCE and FActScore, the retrieved passages and the responses of QASemConsistency. Run it before and
after a change. With --before, the texts whose facts differ are counted, and N of the changed
sentences, drawn by a seed, are printed with their old (-) and new (+) facts, to be read by a
person.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from running import default_data
from verifier_people import detokenized

from dfactscore._readers.shown_text import strip_citations
from dfactscore._records import Biography
from dfactscore._util.jsonl import write_jsonl
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer, ScriptWarning
from dfactscore.engines._builtin.group.grouper import BuiltinGrouper
from dfactscore.engines._builtin.group.paragraph import read_paragraph


def lines(path: Path) -> Iterator[Any]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def texts(data: Path) -> Iterator[tuple[str, str, str]]:
    """Yields the source, the name and the text."""
    for file in ("alce_tulu.json", "alce_llama13b-careful.json"):
        for row in json.loads((data / "dfactscore" / file).read_text(encoding="utf-8"))["data"]:
            yield "alce", row["question"], strip_citations(row["output"])[0]
    for file in ("ChatGPT.jsonl", "InstructGPT.jsonl"):
        for row in lines(data / "factscore_labels" / file):
            yield "factscore", row["topic"], row["output"]
    for row in lines(data / "dfactscore" / "passages.jsonl"):
        yield "passages", row["name"], row["text"]
    for row in lines(data / "qasem_consistency" / "dev.jsonl"):
        parts = row["summary"]
        sentences = [parts] if isinstance(parts[0], str) else parts
        yield "qasem", "", detokenized(list(itertools.chain.from_iterable(sentences)))


def read(source: str, name: str, text: str) -> dict[str, Any]:
    biography = Biography("1", name, text)
    facts = BuiltinDecomposer().decompose(biography)
    groups = BuiltinGrouper().group(biography, facts)
    person = {index: number for number, group in enumerate(groups) for index in group.facts}
    sentences = read_paragraph(text, name).sentences
    by_sentence: dict[int, list[str]] = {}
    for index, fact in enumerate(facts):
        mark = "*" if fact.label == "context" else " "
        by_sentence.setdefault(fact.sentence or 0, []).append(f"{person[index]}{mark} {fact.text}")
    found = [[text[slice(*sentences[n])], *made] for n, made in by_sentence.items()]
    return {"source": source, "name": name, "sentences": found}


def compare(old: list[dict[str, Any]], new: list[dict[str, Any]], draw: int, seed: int) -> None:
    changed = []
    counts = {row["source"]: [0] * 6 for row in new}
    for before, after in zip(old, new, strict=True):
        first = {s[0]: s[1:] for s in before["sentences"]}
        last = {s[0]: s[1:] for s in after["sentences"]}
        count = counts[after["source"]]
        differ = [s for s in {**first, **last} if first.get(s) != last.get(s)]
        count[0] += 1
        count[1] += bool(differ)
        count[2] += sum(map(len, last.values()))
        for sentence in differ:
            gone = [f for f in first.get(sentence, []) if f not in last.get(sentence, [])]
            come = [f for f in last.get(sentence, []) if f not in first.get(sentence, [])]
            count[3] += len(gone)
            count[4] += len(come)
            changed.append((after["source"], sentence, gone, come))
        people = [{f[0] for s in row["sentences"] for f in s[1:]} for row in (before, after)]
        count[5] += len(people[0]) != len(people[1])
    print(
        "source | texts | texts changed | facts | facts gone | facts new | other number of people"
    )
    for source, count in counts.items():
        print(source, *count, sep=" | ")
    random.Random(seed).shuffle(changed)
    print(f"\n{len(changed)} sentences changed; {min(draw, len(changed))} drawn")
    for source, sentence, gone, come in changed[:draw]:
        print(
            f"\n[{source}] {sentence}",
            *(f"  - {f}" for f in gone),
            *(f"  + {f}" for f in come),
            sep="\n",
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("facts", type=Path)
    parser.add_argument("--data", type=Path, default=default_data())
    parser.add_argument("--before", type=Path)
    parser.add_argument("--draw", type=int, default=150)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    warnings.simplefilter("ignore", ScriptWarning)
    new = [read(*item) for item in texts(args.data)]
    write_jsonl(args.facts, new)
    if args.before:
        compare(list(lines(args.before)), new, args.draw, args.seed)


if __name__ == "__main__":
    from running import run

    run(main)
