"""Citation recall with the built-in verifier, compared with TRUE's T5-11B.

    python training/train_verifier.py --folds-out runs/folds
    python benchmarks/citation_recall.py --folds runs/folds

Reads `citations_vicuna.jsonl`: sentences with the passages that they cite and the T5-11B model's
judgement. The verifier of each paragraph was not trained on its name. Its threshold is the one at
which the verifiers of the other folds call as many sentences of `nli_pairs` entailed as T5-11B
does. Intervals are percentile bootstraps over paragraphs. For comparison, the verifier's default
threshold and word recall are printed.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
from intervals import interval
from running import default_data

from dfactscore._readers.shown_text import strip_citations
from dfactscore.citations import read_judged, summarize
from dfactscore.citations._entailment import Query, VerifierEntailer
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
from dfactscore.retrieval import Passage

DRAWS = 10_000


def passages_of(text: str) -> tuple[Passage, ...]:
    """Splits a ``Title: ...`` block into passages."""
    parts = re.split(r"(?:^|\n)Title: ", text)[1:]
    return tuple(Passage(*(part.partition("\n")[::2])) for part in parts)


def word_recall(query: Query) -> float:
    words = set(re.findall(r"\w{4,}", query.sentence.casefold()))
    known = set(re.findall(r"\w{4,}", " ".join(p.text for p in query.passages).casefold()))
    return len(words & known) / max(1, len(words))


def pearson(columns: np.ndarray) -> float:
    return float(np.corrcoef(columns[:, 0], columns[:, 1])[0, 1])


def gap(columns: np.ndarray) -> float:
    return 100 * float(columns[:, 1].mean() - columns[:, 0].mean())


def show(label: str, ours: list[float], theirs: list[float]) -> None:
    table = np.column_stack([theirs, ours])
    r, d = pearson(table), gap(table)
    low, high = interval(range(len(table)), lambda i: pearson(table[i]), DRAWS)
    under, over = interval(range(len(table)), lambda i: gap(table[i]), DRAWS)
    print(
        f"{label:<34} recall {100 * np.mean(ours):5.1f}   r {r:.3f} [{low:.3f}, {high:.3f}]   "
        f"difference {d:+.1f} [{under:+.1f}, {over:+.1f}]"
    )


def queries_of(row) -> list[Query]:
    return [
        Query(strip_citations(s["text"])[0], passages_of(s["cited_passages"]), row["name"])
        for s in row["sentences"]
        if s["citations"]
    ]


def judge(verifier: BuiltinVerifier, row) -> list[float]:
    return [j.probability for j in VerifierEntailer(verifier).judge(queries_of(row))]


def thresholds_of_others(data: Path, verifiers, table) -> dict[str, float]:
    """Returns each fold's threshold: the other folds' verifiers entail as many pairs at it."""
    by_fold: dict[str, list[tuple[float, bool]]] = {m: [] for m in verifiers}
    for line in (data / "dfactscore" / "nli_pairs.jsonl").read_text("utf-8").splitlines():
        pair = json.loads(line)
        model = table.get(pair["name"])
        if model is not None:
            sentence = strip_citations(pair["claim"])[0]
            query = Query(sentence, passages_of(pair["passage"]), pair["name"])
            (answer,) = VerifierEntailer(verifiers[model]).judge([query])
            by_fold[model].append((answer.probability, bool(pair["label"])))

    def same_rate(models) -> float:
        pairs = [pair for m in models for pair in by_fold[m]]
        rate = np.mean([label for _, label in pairs])
        return float(np.quantile([p for p, _ in pairs], 1 - rate))

    found = {m: same_rate([o for o in verifiers if o != m]) for m in verifiers}
    return {**found, "all": same_rate(list(verifiers))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folds", type=Path, required=True, help="train_verifier.py --folds-out")
    parser.add_argument("--data", type=Path, default=default_data())
    options = parser.parse_args()
    file = options.data / "dfactscore" / "citations_vicuna.jsonl"
    table = json.loads((options.folds / "folds.json").read_text())
    verifiers = {m: BuiltinVerifier(model=options.folds / m) for m in set(table.values())}
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    theirs = [score.recall for score in read_judged(file)]
    missing = sum(row["name"] not in table for row in rows)
    print(f"T5-11B: recall {100 * np.mean(theirs):.4f} over {len(rows)} paragraphs")
    print(f"recomputed by read_judged: {100 * summarize(read_judged(file)).citation_recall:.4f}")
    if missing:
        print(f"{missing} names are in no fold: any fold's model judges them")
    first = next(iter(verifiers))
    fold = [table.get(row["name"], first) for row in rows]
    thresholds = thresholds_of_others(options.data, verifiers, table)
    shown = ", ".join(f"{thresholds[m]:.3f}" for m in sorted(verifiers))
    print(f"thresholds by fold {shown}; over all names {thresholds['all']:.3f}")
    judged = [judge(verifiers[m], row) for m, row in zip(fold, rows, strict=True)]
    plain = []
    for row in rows:
        recalls = [word_recall(q) for q in queries_of(row)]
        plain.append(sum(r >= 0.75 for r in recalls) / len(row["sentences"]))
    ours, labels, said = [], [], []
    for m, row, found in zip(fold, rows, judged, strict=True):
        entailed = [p >= thresholds[m] for p in found]
        ours.append(sum(entailed) / len(row["sentences"]))
        said += entailed
        labels += [s["entailed"] for s in row["sentences"] if s["citations"]]
    own = [
        sum(p >= verifiers[m].threshold for p in found) / len(row["sentences"])
        for m, row, found in zip(fold, rows, judged, strict=True)
    ]
    show("built-in verifier, out of fold", ours, theirs)
    show("  at the verifier's own threshold", own, theirs)
    show("word recall >= 0.75", plain, theirs)
    truth, answers = np.array(labels), np.array(said)
    sensitivity, specificity = answers[truth].mean(), 1 - answers[~truth].mean()
    print(
        f"{len(truth)} cited sentences: balanced accuracy "
        f"{(sensitivity + specificity) / 2:.3f} (entailed found {sensitivity:.3f}, "
        f"others rejected {specificity:.3f})"
    )


if __name__ == "__main__":
    from running import run

    run(main)
