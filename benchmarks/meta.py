"""Measures the built-in verifier on data that people labeled, set by set.

    python training/train_verifier.py --folds-out runs/folds
    python benchmarks/meta.py --folds runs/folds [--card]

Prints Markdown, with the commit and the digest of the verifier. The shipped coefficients were
trained on WiCE, Factcheck-GPT and half of Fool Me Twice. A model that was trained on neither a
claim nor, for Fool Me Twice, its page judges these claims (marked †). The shipped model judges the
other sets. With --card, the script also writes the figures about the built-in verifier for reports
and comparisons, from the sets that it was not trained on.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")
ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / part) for part in ("training", "benchmarks", "")]

from human_labels import fool_me_twice  # noqa: E402
from running import default_data  # noqa: E402
from verifier_data import FOLDS, fold_of  # noqa: E402

from dfactscore._errors import RunError  # noqa: E402
from dfactscore._records import Document  # noqa: E402
from dfactscore._runs.judge_accuracy import CARD, evaluator_rows  # noqa: E402
from dfactscore._util.jsonl import read_json, write_json  # noqa: E402
from dfactscore.comparison._comparison_tables import pvalue  # noqa: E402
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier  # noqa: E402
from dfactscore.meta import (  # noqa: E402
    DataSet,
    Item,
    Judgement,
    MetaResult,
    Options,
    Row,
    Segment,
    VerifierEvaluator,
    evaluate,
    load_data,
)
from dfactscore.meta._data_sets import LabelLevel  # noqa: E402

VERIFIER = "dfactscore/engines/_builtin/verify"
#: Sets that `train_verifier.py` reads.
TRAINED = ("wice", "factcheck", "fool-me-twice")
PLAIN = ("all", "all-claims", "last", "first-two")


class OutOfFold:
    """Judges each item with the model that was trained on neither its claim nor its page."""

    def __init__(self, folds: Path) -> None:
        files = [folds / f"fold{number}.json" for number in range(FOLDS)]
        self._by_fold = [VerifierEvaluator(BuiltinVerifier(model=file)) for file in files]

    @property
    def settings(self) -> dict[str, object]:
        """The settings of each fold's evaluator."""
        return {"name": "builtin", "folds": [dict(one.settings) for one in self._by_fold]}

    async def judge(self, item: Item) -> Sequence[Judgement]:
        """Returns one judgement per segment, in order."""
        return await self._by_fold[fold_of(item.cluster)].judge(item)


def fooled(data: Path) -> DataSet:
    """Reads Fool Me Twice, all pages, as pairs with title and name."""
    pairs = [*fool_me_twice(data, trained=True), *fool_me_twice(data, trained=False)]
    items = tuple(
        Item(id=str(number), cluster=pair.own, segments=(Segment(pair.fact, not pair.label),),
             response=pair.fact, name=pair.own.split(" (")[0],
             documents=(Document(pair.own, pair.documents[0][1]),))
        for number, pair in enumerate(pairs)
    )  # fmt: skip
    path = data / "fool_me_twice" / "dev.jsonl"
    return DataSet(kind="fool-me-twice", path=path, items=items, levels=(LabelLevel("pair"),))


def percent(row: Row, name: str, *, interval: bool = True) -> str:
    value, between = row.figures[name], row.intervals.get(name)
    if value is None:
        return "–"
    shown = f" [{100 * between.low:.1f}, {100 * between.high:.1f}]" if between and interval else ""
    return f"{100 * value:.1f}{shown}"


def test_of(row: Row) -> str:
    if row.p_holm is None:
        return ""
    return f"{pvalue(row.p_holm)} ({row.against})"


def felm(data: Path, verifier: BuiltinVerifier, resamples: int) -> None:
    """Measures FELM: segments and claims, with the default threshold and one of other folds."""
    print("\n| FELM | unit | n (errors) | F1 of errors | balanced accuracy | AUC | p after Holm |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name in ("wk", "math"):
        one = load_data(f"felm={data}/felm/{name}.jsonl")
        parts: dict[tuple[str, str], list[Row]] = {}
        for threshold in ("own", "fitted") if name == "wk" else ("own",):
            fitted = ", fitted threshold" if threshold == "fitted" else ""
            evaluators = {
                f"builtin{', claims' if unit == 'claim' else ''}{fitted}": VerifierEvaluator(
                    verifier, unit=unit
                )
                for unit in ("segment", "claim")
            }
            options = Options(threshold=threshold, resamples=resamples)
            for row in evaluate(one, evaluators, options=options).rows:
                if row.evaluator in evaluators or (row.evaluator in PLAIN and not fitted):
                    parts.setdefault((row.references, row.level), []).append(row)
        for (references, level), rows in parts.items():
            if level != "segment":
                continue
            which = f"{name}{', with text' if references != 'all' else ''}"
            for row in rows:
                mark = "°" if row.better is False else ""
                figures = (percent(row, n) for n in ("f1", "balanced_accuracy", "auc"))
                cells = [f"{which}: {row.evaluator}{mark}", level, f"{row.n} ({row.errors})"]
                print("| " + " | ".join([*cells, *figures, test_of(row)]) + " |")


def others(result: MetaResult) -> None:
    """Measures the other sets: the smallest units, and claims in WiCE."""
    head = "F1, all flagged | F1 of errors | balanced accuracy | AUC | p after Holm"
    print(f"\n| data | unit | n (errors) | {head} |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for row in result.rows:
        if row.evaluator != "builtin" or row.level == "response":
            continue
        everything = result.row("all", block=row.block, level=row.level)
        r = row.figures.get("r")
        cells = [
            row.block
            + ("†" if row.block.startswith(TRAINED) else "")
            + ("°" if row.better is False else ""),
            row.level,
            f"{row.n} ({row.errors})",
            percent(everything, "f1", interval=False),
            percent(row, "f1"),
            percent(row, "balanced_accuracy"),
            percent(row, "auc"),
            test_of(row) + (f"; r {r:.3f}" if r is not None else ""),
        ]
        print("| " + " | ".join(cells) + " |")


def learned(data: Path, folds: Path, options: Options) -> None:
    """Measures the sets used in training, out of fold."""
    stance = data / "factcheck_gpt" / "subtask3_claim_evidence_stance.jsonl"
    sets = load_data(
        f"wice={data}/wice/claim_dev.jsonl",
        f"factcheck-stance={stance}",
        f"factcheck-claims={data}/factcheck_gpt/subtask4_claim_factuality.jsonl",
        fooled(data),
        evidence=stance,
    )
    others(evaluate(sets, {"builtin": OutOfFold(folds)}, options=options))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=default_data())
    parser.add_argument("--folds", type=Path, help="from train_verifier.py; without, no rows †")
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--card", action="store_true", help="write the shipped card, too")
    chosen = parser.parse_args()
    folder = chosen.data
    commit = subprocess.run(
        ["git", "log", "-1", "--format=%h", "--", VERIFIER],
        capture_output=True, text=True, cwd=ROOT, check=True,
    ).stdout.strip()  # fmt: skip
    verifier = BuiltinVerifier()
    print(f"Built-in verifier of commit {commit}, model {verifier.settings['model']}.")
    begun = time.perf_counter()
    felm(folder, verifier, chosen.resamples)
    print(f"\n(FELM: {time.perf_counter() - begun:.1f} s with all intervals)", file=sys.stderr)
    options = Options(resamples=chosen.resamples)
    if chosen.folds:
        learned(folder, chosen.folds, options)
    unseen = load_data(
        f"factscore-labels={folder}/factscore_labels",
        f"qasem={folder}/qasem_consistency/dev.jsonl",
        pages=folder / "factscore_labels" / "pages.jsonl",
    )
    result = evaluate(unseen, ["builtin"], options=options)
    others(result)
    if chosen.card:
        wk = evaluate(load_data(f"felm={folder}/felm/wk.jsonl"), ["builtin"])
        write_card(verifier, [*wk.rows, *result.rows])


def write_card(verifier: BuiltinVerifier, rows: Sequence[Row]) -> None:
    """Writes the figures of sets; several parts of a set are joined."""
    found = [
        {key: row[key] for key in ("block", "references", "level", "n", "balanced_accuracy")}
        for row in evaluator_rows([row.to_dict() for row in rows], "builtin")
        if row["block"].endswith(" all") or row["references"] != "all"
    ]
    card = read_json(CARD, error=RunError)
    write_json(CARD, {**card, "verifier": verifier.settings, "rows": found})


if __name__ == "__main__":
    from running import run

    run(main)
