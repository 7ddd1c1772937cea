"""Human labels on pages and texts not used in training, and sentences made of page words.

    python training/train_verifier.py --folds-out runs/folds
    python benchmarks/verifier_people.py --folds runs/folds

- Whole Wikipedia pages of nine people with FActScore's labels (S against NS) of two models'
  biographies: per fact, and the supported share per biography; the share of rejected true facts, by
  the share of their words on the page, and by model.
- QASemConsistency: a sentence is an error if most people reject one of its predicate–argument
  pairs; biographies (the same nine people), web answers, summaries.
- Fool Me Twice: the half of the pages not used in training.
- The scores of these biographies by the shipped engine, from the labeled facts, beside whole pages
  and beside the five 100-word passages of the page that BM25 ranks best for the text.
- Sixty false sentences made of a page's words and sixty true paraphrases, written for this project
  (`data/page_words.jsonl`).

None of these data were used in training, so the shipped model is measured, next to the mean of the
fold models' figures. Intervals (95 %) resample people, pages or texts.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")
ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / part) for part in ("training", "benchmarks", "")]

import numpy as np  # noqa: E402
from human_labels import fool_me_twice, labelled_pages  # noqa: E402
from intervals import interval, show  # noqa: E402
from running import default_data  # noqa: E402
from train_verifier import score  # noqa: E402
from verifier_data import Pair, group_of, read  # noqa: E402
from verifier_evenness import evenness  # noqa: E402
from verifier_scores import auc, balanced_accuracy, calibration_error  # noqa: E402

from dfactscore import Biography, Fact, Scorer  # noqa: E402
from dfactscore.engines._builtin.verify.model import DEFAULT_MODEL, load_model  # noqa: E402
from dfactscore.retrieval import Passage  # noqa: E402
from dfactscore.retrieval._documents import split_text  # noqa: E402
from dfactscore.retrieval._page_bm25 import PageBM25  # noqa: E402

PAGE_WORDS = Path(__file__).with_name("data") / "page_words.jsonl"


def detokenized(tokens: Sequence[str]) -> str:
    text = " ".join(tokens)
    text = re.sub(r"\s+([.,;:!?%)\]]|'s\b|n't\b|'\w+)", r"\1", text)
    return re.sub(r"(\w) - (\w)", r"\1-\2", re.sub(r"([(\[$])\s+", r"\1", text))


def qasem_sentences(data: Path) -> dict[str, list[Pair]]:
    """Reads sentences by data set; supported if most people reject none of its pairs."""
    found: dict[str, list[Pair]] = defaultdict(list)
    for row in read(data / "qasem_consistency" / "dev.jsonl"):
        parts = row["summary"]
        parts = [parts] if isinstance(parts[0], str) else parts
        answers: dict[int, list] = defaultdict(list)
        for answer in row["qas"]:
            answers[answer["sent_id"]].append(answer["annotations"])
        if max(answers, default=0) >= len(parts):
            parts = [[word for part in parts for word in part]]
            answers = defaultdict(list, {0: [a for lines in answers.values() for a in lines]})
        title = str(row["source_id"]) if row["dataset"] == "factscore" else ""
        for number, votes in answers.items():
            wrong = any(2 * sum(vote) > len(vote) for vote in votes)
            found[row["dataset"]].append(
                Pair(title.split(" (")[0], detokenized(parts[number]),
                     ((title, detokenized(row["source"])),),
                     int(not wrong), 0, title, str(row["source_id"]))
            )  # fmt: skip
    return found


def page_words() -> list[Pair]:
    """Reads the sixty false and sixty true sentences of this project."""
    found = []
    for line in PAGE_WORDS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        documents = ((row["title"], row["text"]),)
        for label, key in ((0, "false"), (1, "true")):
            found += [Pair(row["name"], f, documents, label, 0, row["title"]) for f in row[key]]
    return found


def report(
    title: str,
    pairs: Sequence[Pair],
    models: Sequence[Path],
    clusters: Sequence[str] | None = None,
) -> None:
    """Prints the figures of the shipped model, and the means of the fold models."""
    labels = np.array([pair.label for pair in pairs])
    clusters = clusters or [group_of(pair) for pair in pairs]
    print(f"{title}: {len(pairs)} pairs, {labels.mean():.0%} supported")
    rows = []
    for number, path in enumerate([DEFAULT_MODEL, *models]):
        values = score(path, pairs)
        said = values >= load_model(path).threshold("passages")
        best = max(balanced_accuracy(labels, values >= t) for t in np.arange(0.02, 0.99, 0.02))
        row = [
            auc(labels, values),
            balanced_accuracy(labels, said),
            float(said[labels == 0].mean()),
            float(said[labels == 1].mean()),
            calibration_error(labels, values),
            best,
        ]
        rows.append([*row, _by_text(pairs, labels, said)])
        if number == 0:
            a = interval(clusters, lambda i, v=values: auc(labels[i], v[i]))
            b = interval(clusters, lambda i, s=said: balanced_accuracy(labels[i], s[i]))
            print(f"  shipped     AUC {show(row[0], a)}  balanced accuracy {show(row[1], b)}  "
                  + _rest(rows[0]))  # fmt: skip
    if models:
        mean = np.mean(rows[1:], axis=0)
        print(f"  folds, mean AUC {mean[0]:.3f}{'':15}  balanced accuracy {mean[1]:.3f}{'':15}  "
              + _rest(mean), flush=True)  # fmt: skip


def scores(pairs: Sequence[Pair]) -> None:
    """Prints bias and mean error of the texts' scores, by model, evidence and count."""
    texts: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        texts[pair.own].append(pair)
    truth = np.array([np.mean([pair.label for pair in text]) for text in texts.values()])
    models = np.array([text[0].sort for text in texts.values()])
    print("scores of the biographies, points above the labels and mean error: expected, verdicts")
    for evidence, chosen in (("whole pages", _whole), ("five passages", _passages)):
        biographies = [
            Biography(own, text[0].name, " ".join(pair.fact for pair in text),
                      facts=tuple(Fact(pair.fact) for pair in text), passages=chosen(text))
            for own, text in texts.items()
        ]  # fmt: skip
        found = [result.scores for result in Scorer().score_many(biographies)]
        counts = np.array([[s.fs, s.fs_verdicts] for s in found if s], dtype=float)
        for model in (*dict.fromkeys(models.tolist()), "all"):
            rows = (models == model) | (model == "all")
            error = 100 * (counts[rows] - truth[rows, None])
            bias, size = error.mean(axis=0), np.abs(error).mean(axis=0)
            print(
                f"  {evidence:14} {model:12} {rows.sum():3} texts  bias {bias[0]:+6.1f} "
                f"{bias[1]:+6.1f}  mean error {size[0]:5.1f} {size[1]:5.1f}"
            )


def _whole(text: Sequence[Pair]) -> tuple[Passage, ...]:
    return tuple(Passage(title, page) for title, page in text[0].documents)


def _passages(text: Sequence[Pair]) -> tuple[Passage, ...]:
    ((title, page),) = text[0].documents
    passages = split_text(page)
    query = " ".join(pair.fact for pair in text)
    return tuple(Passage(title, passages[i]) for i in PageBM25(passages).select(query, 5))


def _rest(row: Sequence[float]) -> str:
    return (
        f"unsupported accepted {row[2]:.3f}  supported kept {row[3]:.3f}  ECE {row[4]:.3f}  "
        f"best threshold {row[5]:.3f}  r by text {row[6]:.3f}"
    )


def _by_text(pairs: Sequence[Pair], labels: np.ndarray, said: np.ndarray) -> float:
    """Returns the correlation of supported shares over the texts named by `own`."""
    texts: dict[str, list[int]] = defaultdict(list)
    for number, pair in enumerate(pairs):
        texts[pair.own].append(number)
    if len(texts) < 3:
        return float("nan")
    table = np.array([[said[i].mean(), labels[i].mean()] for i in texts.values()])
    return float(np.corrcoef(table.T)[0, 1]) if table.std(axis=0).all() else float("nan")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=default_data())
    parser.add_argument("--folds", type=Path, help="from train_verifier.py")
    options = parser.parse_args()
    models = sorted(options.folds.glob("fold[0-9].json")) if options.folds else []
    facts = labelled_pages(options.data)
    report("FActScore labels, whole pages", facts, models, [p.name for p in facts])
    scores(facts)
    said = score(DEFAULT_MODEL, facts) >= load_model(DEFAULT_MODEL).threshold("passages")
    evenness("FActScore labels, whole pages, shipped", facts, said)
    for name, pairs in qasem_sentences(options.data).items():
        report(f"QASemConsistency, {name}", pairs, models, [pair.own for pair in pairs])
    fool = fool_me_twice(options.data, trained=False)
    report("Fool Me Twice, pages not trained on", fool, models)
    report("sentences made of page words, ours", page_words(), models)


if __name__ == "__main__":
    from running import run

    run(main)
