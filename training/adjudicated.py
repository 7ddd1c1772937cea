"""Pairs of a fact and its evidence that were read for this project, against the judge.

    python training/adjudicated.py                 mean probability minus true share, by thirds
    python training/adjudicated.py --show 0        25 pairs to read, without probabilities
    python training/adjudicated.py --draw          draws the pairs again (codes are lost)

The facts are those of the released FActScore pass over 272 biographies, and the evidence is the
passages that the biography was written from. 300 were drawn by a seed: all of those to which the
judge gave less than 1/3 when they were drawn, 100 between 1/3 and 2/3, and the others above. Each
was read without its probability. `adjudicated.jsonl` has no text: the file, the biography and the
fact (as numbers), the number of facts that the pair stands for, and a code:

- 1: the passages state the fact, in whatever words, or it follows from them by reading alone
- 0: they do not, or say otherwise
- null: the sentence cannot be read as a fact

The names of these biographies are development names: the shipped judge was trained on labels of a
model for them. The codes were used for nothing but this table.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")
ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / part) for part in ("training", "benchmarks", "")]

import numpy as np  # noqa: E402
from intervals import interval, show  # noqa: E402
from numpy.typing import NDArray  # noqa: E402
from running import default_data  # noqa: E402
from verifier_data import read  # noqa: E402

from dfactscore import Biography, Fact, Scorer  # noqa: E402
from dfactscore._readers import read_biographies  # noqa: E402
from dfactscore._scoring.released_scores import read_released  # noqa: E402

CODES = Path(__file__).with_name("adjudicated.jsonl")
FILES = ("tulu", "llama13b-careful")
THIRDS = ((0.0, 1 / 3), (1 / 3, 2 / 3), (2 / 3, 1.01))
PAIRS = 300
MIDDLE = 100
BATCH = 25
SEED = 54

Key = tuple[str, int]  # file and number of a biography


def biographies(data: Path) -> dict[Key, Biography]:
    """Reads the biographies with the facts of the released FActScore pass."""
    found = {}
    for stem in FILES:
        texts = read_biographies(data / f"alce_{stem}.json").biographies
        released = read_released(data / f"verdicts_{stem}.jsonl")
        for number, (text, decisions) in enumerate(zip(texts, released.decisions, strict=True)):
            if decisions:
                facts = tuple(Fact(decision.atom) for decision in decisions)
                found[stem, number] = replace(text, id=f"{stem} {number}", facts=facts)
    return found


def probabilities(texts: dict[Key, Biography]) -> dict[Key, NDArray[np.float64]]:
    """Judges the texts; returns the best page's probability of each fact."""
    found = {}
    for key, result in zip(texts, Scorer().score_many(list(texts.values())), strict=True):
        matrix = result.record.matrix
        assert matrix is not None, (key, result.reason)
        found[key] = np.nanmax(matrix.probability, axis=1, initial=0.0)
    return found


def draw(texts: dict[Key, Biography]) -> list[dict[str, Any]]:
    """Draws pairs by thirds of their probability."""
    found = probabilities(texts)
    rows = [(key, i, p) for key, values in found.items() for i, p in enumerate(values.tolist())]
    chance = np.random.default_rng(SEED)
    parts = [[row for row in rows if low <= row[2] < high] for low, high in THIRDS]
    sizes = [min(len(parts[0]), MIDDLE), min(len(parts[1]), MIDDLE)]
    sizes.append(PAIRS - sum(sizes))
    drawn = []
    for part, size in zip(parts, sizes, strict=True):
        for place in chance.permutation(len(part))[:size].tolist():
            (stem, number), fact, _ = part[place]
            row = {"file": stem, "biography": number, "fact": fact}
            drawn.append({**row, "weight": round(len(part) / size, 4), "code": None})
    return sorted(drawn, key=lambda row: (row["file"], row["biography"], row["fact"]))


def show_batch(rows: list[dict[str, Any]], texts: dict[Key, Biography], batch: int) -> None:
    """Prints pairs; the passages of a biography stand before its facts."""
    last = None
    for place in range(batch * BATCH, min((batch + 1) * BATCH, len(rows))):
        row = rows[place]
        key = (row["file"], row["biography"])
        text = texts[key]
        if key != last:
            print(f"\n=== {text.name}")
            for passage in text.passages:
                print(f"[{passage.title}] {passage.text}")
            last = key
        print(f"#{place}: {text.facts[row['fact']].text}")  # type: ignore[index]


def report(rows: list[dict[str, Any]], texts: dict[Key, Biography]) -> None:
    """Prints mean probability minus true share, weighted to all facts, by thirds."""
    read_rows = [row for row in rows if row["code"] is not None]
    needed = {(row["file"], row["biography"]) for row in read_rows}
    found = probabilities({key: text for key, text in texts.items() if key in needed})
    p = np.array([found[row["file"], row["biography"]][row["fact"]] for row in read_rows])
    true = np.array([row["code"] for row in read_rows], dtype=float)
    weight = np.array([row["weight"] for row in read_rows])
    names = np.array([texts[row["file"], row["biography"]].name for row in read_rows])
    print(f"{len(rows)} pairs, {len(read_rows)} of them facts")
    print(
        f"{'probability':14} pairs  weighted to all facts: mean p, true, p - true     of the pairs"
    )
    for low, high in ((0.0, 1.01), *THIRDS):
        inside = (p >= low) & (p < high)
        if not inside.any():
            print(f"{low:.2f} to {min(high, 1):.2f}       0")
            continue
        x, y, w = p[inside], true[inside], weight[inside]
        of = lambda i, x=x, y=y, w=w: float(np.average(x[i] - y[i], weights=w[i]))  # noqa: E731
        every = np.arange(len(x))
        bounds = interval(names[inside].tolist(), of)
        print(
            f"{low:.2f} to {min(high, 1):.2f} {inside.sum():8}   {np.average(x, weights=w):.3f}  "
            f"{np.average(y, weights=w):.3f}   {show(of(every), bounds):24} {(x - y).mean():+.3f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=default_data())
    parser.add_argument("--draw", action="store_true", help="draw the pairs again, without codes")
    parser.add_argument("--show", type=int, help="print the pairs of a batch, counted from 0")
    options = parser.parse_args()
    texts = biographies(options.data / "dfactscore")
    if options.draw:
        lines = [json.dumps(row) + "\n" for row in draw(texts)]
        CODES.write_text("".join(lines), encoding="utf-8")
    elif options.show is not None:
        show_batch(read(CODES), texts, options.show)
    else:
        report(read(CODES), texts)


if __name__ == "__main__":
    from running import run

    run(main)
