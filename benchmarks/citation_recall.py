"""Citation recall with the embedded verifier beside that with TRUE's T5-11B.

    python benchmarks/train_verifier.py --folds-out runs/folds
    python benchmarks/citation_recall.py --folds runs/folds

Reads `citations_vicuna.jsonl`: sentences with the passages that they cite and the T5-11B model's
judgement. Each paragraph is judged by the verifier whose fold of names it is not in. Intervals are
percentile bootstraps over paragraphs. Beside it, the same with word recall alone.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from dfactscore.citations import strip_citations
from dfactscore.citing import read_judged, summarize
from dfactscore.citing.entailment import Query
from dfactscore.citing.verifying import VerifierEntailer
from dfactscore.embedded.verifier import EmbeddedVerifier
from retrieval import Passage

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def passages_of(text: str) -> tuple[Passage, ...]:
    """The passages of a ``Title: ...`` block."""
    parts = re.split(r"(?:^|\n)Title: ", text)[1:]
    return tuple(Passage(*(part.partition("\n")[::2])) for part in parts)


def word_recall(query: Query) -> float:
    words = set(re.findall(r"\w{4,}", query.sentence.casefold()))
    known = set(re.findall(r"\w{4,}", " ".join(p.text for p in query.passages).casefold()))
    return len(words & known) / max(1, len(words))


def interval(function, columns: np.ndarray, seed: int = 1, draws: int = 10_000):
    rng = np.random.default_rng(seed)
    picks = rng.integers(0, len(columns), (draws, len(columns)))
    values = np.array([function(columns[p]) for p in picks])
    return np.percentile(values, [2.5, 97.5])


def pearson(columns: np.ndarray) -> float:
    return float(np.corrcoef(columns[:, 0], columns[:, 1])[0, 1])


def gap(columns: np.ndarray) -> float:
    return 100 * float(columns[:, 1].mean() - columns[:, 0].mean())


def show(label: str, ours: list[float], theirs: list[float]) -> None:
    table = np.column_stack([theirs, ours])
    r, (low, high) = pearson(table), interval(pearson, table)
    d, (under, over) = gap(table), interval(gap, table)
    print(
        f"{label:<34} recall {100 * np.mean(ours):5.1f}   r {r:.3f} [{low:.3f}, {high:.3f}]   "
        f"difference {d:+.1f} [{under:+.1f}, {over:+.1f}]"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folds", type=Path, required=True, help="train_verifier.py --folds-out")
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("DFACTSCORE_DATA", DATA)))
    options = parser.parse_args()
    file = options.data / "dfactscore" / "citations_vicuna.jsonl"
    table = json.loads((options.folds / "folds.json").read_text())
    verifiers = {m: EmbeddedVerifier(model=options.folds / m) for m in set(table.values())}
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    theirs = [score.recall for score in read_judged(file)]
    missing = sum(row["name"] not in table for row in rows)
    print(f"T5-11B: recall {100 * np.mean(theirs):.4f} over {len(rows)} paragraphs")
    print(f"recomputed by read_judged: {100 * summarize(read_judged(file)).citation_recall:.4f}")
    if missing:
        print(f"{missing} names are in no fold: any fold's model judges them")
    first = next(iter(verifiers))
    ours, plain, labels, probabilities = [], [], [], []
    for row in rows:
        verifier = verifiers[table.get(row["name"], first)]
        entailer = VerifierEntailer(verifier)
        asked = [s for s in row["sentences"] if s["citations"]]
        queries = [
            Query(strip_citations(s["text"])[0], passages_of(s["cited_passages"]), row["name"])
            for s in asked
        ]
        found = entailer.judge(queries)
        ours.append(sum(bool(j.entailed) for j in found) / len(row["sentences"]))
        plain.append(sum(word_recall(q) >= 0.75 for q in queries) / len(row["sentences"]))
        labels += [s["entailed"] for s in asked]
        probabilities += [(j.probability, bool(j.entailed)) for j in found]
    show("embedded verifier, out of fold", ours, theirs)
    show("word recall >= 0.75", plain, theirs)
    truth = np.array(labels)
    said = np.array([e for _, e in probabilities])
    sensitivity, specificity = said[truth].mean(), 1 - said[~truth].mean()
    print(
        f"{len(truth)} cited sentences: balanced accuracy "
        f"{(sensitivity + specificity) / 2:.3f} (entailed found {sensitivity:.3f}, "
        f"others rejected {specificity:.3f})"
    )


if __name__ == "__main__":
    main()
