"""Measures the built-in verifier: out of fold, on human labels, and over thresholds.

    python training/train_verifier.py --folds-out runs/folds
    python benchmarks/verifier.py --folds runs/folds

A model not trained on it scores every name of `fact_entity_pairs`, `nli_pairs` and the Tulu
biographies, and every claim of WiCE and Factcheck-GPT, which people labelled. Intervals (95 %)
resample names, or claims without a name.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")
ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / part) for part in ("training", "benchmarks", "")]

import numpy as np  # noqa: E402
from human_labels import stance, wice  # noqa: E402
from intervals import interval, show  # noqa: E402
from running import default_data  # noqa: E402
from verifier_data import Pair, group_of, load_pairs, read  # noqa: E402
from verifier_evenness import evenness  # noqa: E402
from verifier_folds import model_of, out_of_fold, plain_out_of_fold  # noqa: E402
from verifier_scores import auc, balanced_accuracy, calibration_error  # noqa: E402

from dfactscore._records import Document  # noqa: E402
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier  # noqa: E402

GRID = (0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)


def row(label: str, pairs: list[Pair], values: np.ndarray, thresholds: np.ndarray) -> None:
    """Prints AUC, balanced accuracy and calibration error, with intervals."""
    labels = np.array([pair.label for pair in pairs])
    said = values >= thresholds
    clusters = [group_of(pair) for pair in pairs]
    a = auc(labels, values)
    b = balanced_accuracy(labels, said)
    print(
        f"  {label:34} AUC {show(a, interval(clusters, lambda i: auc(labels[i], values[i])))}"
        f"  balanced accuracy "
        f"{show(b, interval(clusters, lambda i: balanced_accuracy(labels[i], said[i])))}"
        f"  ECE {calibration_error(labels, values):.3f}",
        flush=True,
    )


def human(title: str, pairs: list[Pair], folds: Path) -> None:
    """Prints results on the human labels used in training, out of fold by claim, without names."""
    share = np.mean([pair.label for pair in pairs])
    print(f"{title}: {len(pairs)} pairs, {share:.0%} supported")
    values, thresholds = out_of_fold(pairs, folds)
    row("built-in verifier", pairs, values, thresholds)


def sweep(data: Path, pairs: list[Pair], values: np.ndarray, folds: Path) -> None:
    """Prints FS, D-FS, agreement with released scores and wrong-page support by threshold."""
    kind = np.array([pair.kind for pair in pairs])
    label = np.array([pair.label for pair in pairs])
    biographies = released(data, folds)
    print(
        "\nthreshold  own page  wrong page  unsupported    FS   D-FS   "
        "r(FS)  r(D-FS)   (Tulu, groups read off the released links)"
    )
    truth_fs = np.array([b["fs"] for b in biographies])
    truth_dfs = np.array([b["dfs"] for b in biographies])
    for threshold in GRID:
        support = [b["p"] >= threshold for b in biographies]
        fs = np.array([s.any(axis=1).mean() for s in support])
        dfs = np.array([_dfs(s, b["groups"]) for s, b in zip(support, biographies, strict=True)])
        print(
            f"{threshold:9.2f} {np.mean(values[(kind == 0) & (label == 1)] >= threshold):9.3f} "
            f"{np.mean(values[kind == 2] >= threshold):11.3f} "
            f"{np.mean(values[(kind == 0) & (label == 0)] >= threshold):12.3f} "
            f"{fs.mean():6.3f} {dfs.mean():6.3f} {np.corrcoef(fs, truth_fs)[0, 1]:7.3f} "
            f"{np.corrcoef(dfs, truth_dfs)[0, 1]:8.3f}"
        )
    print(f" released {'':34}{truth_fs.mean():6.3f} {truth_dfs.mean():6.3f}")


def released(data: Path, folds: Path) -> list[dict]:
    """Returns probabilities, groups and released scores of Tulu biographies with verdicts."""
    source = json.loads((data / "dfactscore" / "alce_tulu.json").read_text(encoding="utf-8"))
    found = []
    for item, verdict in zip(
        source["data"], read(data / "dfactscore" / "verdicts_tulu.jsonl"), strict=True
    ):
        facts = verdict["global_decisions"]
        if not facts:
            continue
        name = verdict["name"]
        pages: dict[str, list[Document]] = {}
        for doc in item["docs"]:
            pages.setdefault(doc["title"], []).append(Document(doc["title"], doc["text"]))
        judge = BuiltinVerifier(model=model_of(folds, name))
        texts = [fact["atom"] for fact in facts]
        table = np.stack(
            [judge.probabilities(texts, docs, name) for docs in pages.values()], axis=1
        )
        groups, last = [], None
        for fact in facts:  # an unsupported fact belongs to the group of the previous fact
            last = fact["supporting_topic"] or last
            groups.append(last)
        supported = np.mean([fact["is_supported"] for fact in facts])
        first = {f["atom"]: f["is_supported"] for f in verdict["decisions"]}
        fs = np.mean([first.get(f["atom"], f["is_supported"]) for f in facts])
        found.append({"p": table, "groups": groups, "fs": fs, "dfs": supported})
    return found


def _dfs(support: np.ndarray, groups: list) -> float:
    rows = np.array([str(group) for group in groups])
    return sum(support[rows == g].sum(axis=0).max() for g in set(rows)) / len(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=default_data())
    parser.add_argument("--folds", type=Path, required=True, help="from train_verifier.py")
    options = parser.parse_args()
    pairs = load_pairs(options.data)
    values, thresholds = out_of_fold(pairs, options.folds)
    plain, plain_thresholds = plain_out_of_fold(pairs, options.folds)
    for title, kinds in (
        ("fact_entity_pairs, out of fold", (0,)),
        ("nli_pairs, out of fold", (1,)),
        ("own page against another page of the name, out of fold", (0, 2)),
    ):
        chosen = [
            i
            for i, p in enumerate(pairs)
            if p.kind in kinds and (len(kinds) == 1 or p.label or p.kind)
        ]
        part = [pairs[i] for i in chosen]
        print(f"{title}: {len(part)} pairs, {np.mean([p.label for p in part]):.0%} supported")
        row("built-in verifier", part, values[chosen], thresholds[chosen])
        row("plain logistic regression", part, plain[chosen], plain_thresholds[chosen])
        print(f"  {'majority':34} AUC 0.500                  balanced accuracy 0.500")
    facts = [i for i, pair in enumerate(pairs) if pair.kind == 0]
    evenness("fact_entity_pairs, out of fold", [pairs[i] for i in facts],
             values[facts] >= thresholds[facts])  # fmt: skip
    human("WiCE dev claims (people), supported or not, out of fold", wice(options.data),
          options.folds)  # fmt: skip
    human("Factcheck-GPT stance (people), complete support or not, out of fold",
          stance(options.data), options.folds)  # fmt: skip
    human(
        "Factcheck-GPT stance, complete support or refuted, out of fold",
        stance(options.data, ("irrelevant", "partially-support")),
        options.folds,
    )
    sweep(options.data, pairs, values, options.folds)


if __name__ == "__main__":
    from running import run

    run(main)
