"""Measures the built-in verifier on data that people labeled, set by set.

    python benchmarks/meta.py [--card]

Prints Markdown, with the commit and the digest of the verifier that was measured. The shipped
coefficients learned from two of these sets (`TRAINED`), whose rows are marked †: they say nothing
of unseen texts. With --card it also writes what reports and comparisons say of the built-in
verifier, from the sets that it never saw.
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
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from running import default_data  # noqa: E402

from dfactscore._util.jsonl import write_json  # noqa: E402
from dfactscore.comparison.cells import pvalue  # noqa: E402
from dfactscore.engines.builtin.verify.verifier import BuiltinVerifier  # noqa: E402
from dfactscore.meta import (  # noqa: E402
    MetaResult,
    Options,
    Row,
    VerifierEvaluator,
    evaluate,
    load_data,
)
from dfactscore.runs.measured import CARD, measured_rows  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
VERIFIER = "dfactscore/engines/builtin/verify"
#: Sets that `train_verifier.py` reads.
TRAINED = ("wice", "factcheck")
PLAIN = ("all", "all-claims", "last", "first-two")


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
    """FELM: whole segments and claims, the verifier's own threshold and one of other folds."""
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
    """The other sets: the smallest units, and claims in WiCE."""
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=default_data())
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
    stance = folder / "factcheck_gpt" / "subtask3_claim_evidence_stance.jsonl"
    sets = load_data(
        f"wice={folder}/wice/claim_dev.jsonl",
        f"factcheck-stance={stance}",
        f"factcheck-claims={folder}/factcheck_gpt/subtask4_claim_factuality.jsonl",
        f"factscore-labels={folder}/factscore_labels",
        f"qasem={folder}/qasem_consistency/dev.jsonl",
        evidence=stance,
        pages=folder / "factscore_labels" / "pages.jsonl",
    )
    result = evaluate(sets, ["builtin"], options=Options(resamples=chosen.resamples))
    others(result)
    if chosen.card:
        wk = evaluate(load_data(f"felm={folder}/felm/wk.jsonl"), ["builtin"])
        write_card(verifier, [*wk.rows, *result.rows])


def write_card(verifier: BuiltinVerifier, rows: Sequence[Row]) -> None:
    """The sets that it never saw: of those in several parts, all parts together."""
    found = [
        {key: row[key] for key in ("block", "references", "level", "n", "balanced_accuracy")}
        for row in measured_rows([row.to_dict() for row in rows], "builtin")
        if not row["block"].startswith(TRAINED)
        and (row["block"].endswith(" all") or row["references"] != "all")
    ]
    write_json(CARD, {"verifier": verifier.settings, "rows": found})


if __name__ == "__main__":
    from running import run

    run(main)
