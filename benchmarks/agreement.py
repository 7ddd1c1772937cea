"""Agreement with the released verdicts by biography, with verifiers out of fold.

    python training/train_verifier.py --folds-out FOLDS
    python benchmarks/agreement.py --folds FOLDS [--card]

The built-in engine groups and judges the facts of the released D-FActScore pass, then scores whole
texts. Each correlation is printed next to those of all facts in one group and of one fact per
group, all by verdicts. One table compares expected scores (`counts="expected"`) with scores by
verdicts, and support by the page that the published judge linked a fact to with support by other
pages of the name.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from running import default_data

from dfactscore._errors import RunError
from dfactscore._evidence.entities import entities_of_passages
from dfactscore._readers import read_biographies
from dfactscore._records import Biography, Fact, FactGroup
from dfactscore._runs.judge_accuracy import CARD
from dfactscore._scoring import BiographyScores, Record, ScoreOptions, judge, score_record
from dfactscore._scoring.matrix import Counts
from dfactscore._scoring.released_scores import ReleasedDecision, read_released
from dfactscore._util.jsonl import read_json, write_json
from dfactscore._util.tasks import run_sync
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.engines._builtin.group.grouper import BuiltinGrouper
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
from dfactscore.engines._roles import Engine

Rows = list[dict[str, float]]
FILES = (("tulu", "tulu"), ("llama13b-careful", "llama13b-careful"))
RESAMPLES = 2000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=default_data())
    parser.add_argument("--folds", type=Path, required=True, help="from train_verifier.py")
    parser.add_argument("--card", action="store_true", help="write the shipped card's levels")
    arguments = parser.parse_args()
    data = arguments.data / "dfactscore"
    folds = json.loads((arguments.folds / "folds.json").read_text())
    verifiers = {
        file: BuiltinVerifier(model=arguments.folds / file) for file in sorted(set(folds.values()))
    }
    shipped = BuiltinVerifier()
    unseen = 0
    results: dict[str, dict[str, Rows]] = {}
    for label, stem in FILES:
        biographies = read_biographies(data / f"alce_{stem}.json").biographies
        released = read_released(data / f"verdicts_{stem}.jsonl")
        unseen += sum(b.name not in folds for b in biographies)
        results[label] = {"given": [], "own": []}
        for i, biography in enumerate(biographies):
            verifier = verifiers.get(folds.get(biography.name), shipped)
            results[label]["given"].append(
                given_facts(
                    biography, released.decisions[i], released.global_decisions[i], verifier
                )
            )
            results[label]["own"].append(
                own_facts(biography, released.decisions[i], released.global_decisions[i], verifier)
            )
    if unseen:
        print(f"{unseen} biographies have a name that no fold holds: judged by the shipped model")
    report(results)
    if arguments.card:
        write_card(results)


def given_facts(
    biography: Biography,
    first: Sequence[ReleasedDecision] | None,
    second: Sequence[ReleasedDecision] | None,
    verifier: BuiltinVerifier,
) -> dict[str, float]:
    """Scores the released facts with the engine's groups, and with other groupings."""
    if not first or not second:
        raise SystemExit(f"{biography.name}: no released verdicts")
    facts = tuple(Fact(d.atom) for d in second)
    groupings: dict[str, tuple[FactGroup, ...] | None] = {
        "own": None,
        "one": (FactGroup(tuple(range(len(facts)))),),
        "each": tuple(FactGroup((i,)) for i in range(len(facts))),
        "linked": _linked_groups(second),
    }
    row = _released_row(first, second)
    for label, groups in groupings.items():
        record = _judged(replace(biography, facts=facts, groups=groups), verifier)
        scores = _scored(record)
        if label == "own":
            soft = _scored(record, counts="expected")
            row |= {"expected_dfs": soft.dfs or 0.0, "expected_fs": soft.fs or 0.0}
            row |= _worth(record, second)
        row |= {f"{label}_dfs": scores.dfs or 0.0, f"{label}_fs": scores.fs or 0.0}
        row |= {f"{label}_bio": scores.n_bio or 0, f"{label}_ent": scores.n_ent or 0}
    return row


def own_facts(
    biography: Biography,
    first: Sequence[ReleasedDecision] | None,
    second: Sequence[ReleasedDecision] | None,
    verifier: BuiltinVerifier,
) -> dict[str, float]:
    """Scores a biography from its text alone."""
    if not first or not second:
        raise SystemExit(f"{biography.name}: no released verdicts")
    record = _judged(biography, verifier)
    scores = _scored(record)
    soft = _scored(record, counts="expected")
    return _released_row(first, second) | {
        "expected_dfs": soft.dfs or 0.0,
        "expected_fs": soft.fs or 0.0,
        "own_dfs": scores.dfs or 0.0,
        "own_fs": scores.fs or 0.0,
        "own_bio": scores.n_bio or 0,
        "own_ent": scores.n_ent or 0,
        "facts": scores.n_facts,
    }


def _judged(biography: Biography, verifier: BuiltinVerifier) -> Record:
    engine = Engine(BuiltinDecomposer(), BuiltinGrouper(), verifier)
    record = Record(biography, entities=entities_of_passages(biography))
    return run_sync(judge(record, engine))


def _scored(record: Record, *, counts: Counts = "verdicts") -> BiographyScores:
    found = score_record(record, options=ScoreOptions(counts=counts))
    assert found.scores is not None, (found.biography.name, found.status, found.reason)
    return found.scores


def _worth(record: Record, second: Sequence[ReleasedDecision]) -> dict[str, float]:
    """Sums verdicts and probabilities of facts on their linked page, and on other pages."""
    matrix = record.matrix
    assert matrix is not None
    sums = dict.fromkeys(
        ("own_n", "own_hard", "own_soft", "wrong_n", "wrong_hard", "wrong_soft"), 0.0
    )
    titles = [entity.label for entity in record.entities]
    for i, decision in enumerate(second):
        if not decision.is_supported or decision.topic not in titles:
            continue
        for j, title in enumerate(titles):
            kind = "own" if title == decision.topic else "wrong"
            sums[f"{kind}_n"] += 1
            sums[f"{kind}_hard"] += float(matrix.support[i, j])
            sums[f"{kind}_soft"] += float(matrix.probability[i, j])
    return sums


def _released_row(
    first: Sequence[ReleasedDecision], second: Sequence[ReleasedDecision]
) -> dict[str, float]:
    """Returns the released scores, with FS on the facts of the D-FActScore pass."""
    verdict = {d.atom: d.is_supported for d in first}
    kept = [verdict[d.atom] for d in second if d.atom in verdict]
    return {
        "fs": float(np.mean(kept)) if kept else 0.0,
        "dfs": float(np.mean([d.is_supported for d in second])),
        "ent": len({d.topic for d in first if d.topic}),
        "linked": len({d.topic for d in second if d.topic}),
    }


def _linked_groups(second: Sequence[ReleasedDecision]) -> tuple[FactGroup, ...]:
    """Groups facts by linked title; an unsupported fact joins the previous fact."""
    following = next((d.topic for d in second if d.topic), "")
    members: dict[str, list[int]] = {}
    for i, decision in enumerate(second):
        following = decision.topic or following
        members.setdefault(following or "", []).append(i)
    return tuple(FactGroup(tuple(m)) for m in members.values())


def report(results: dict[str, dict[str, Rows]]) -> None:
    pooled = {k: [r for rows in results.values() for r in rows[k]] for k in ("given", "own")}
    print("\nPearson r with the released D-FS, given facts (95 % intervals over biographies)")
    head = ("", "n", "own groups", "one group", "one fact per group", "released links")
    print("{:<18} {:>4} {:>20} {:>20} {:>20} {:>20}".format(*head))
    for label, rows in [
        *((k, v["given"]) for k, v in results.items()),
        ("pooled", pooled["given"]),
    ]:
        cells = [_r(rows, lambda r, g=g: r[f"{g}_dfs"], lambda r: r["dfs"]) for g in GROUPINGS]
        if label != "tulu":
            cells[-1] = "-"  # the titles in that file are cut to one letter
        print(f"{label:<18} {len(rows):>4} " + " ".join(f"{c:>20}" for c in cells))
    print("\nr of the gap FS - D-FS, and of FS")
    for label, rows in [
        *((k, v["given"]) for k, v in results.items()),
        ("pooled", pooled["given"]),
    ]:
        gap = _r(rows, lambda r: r["own_fs"] - r["own_dfs"], lambda r: r["fs"] - r["dfs"])
        fs = _r(rows, lambda r: r["own_fs"], lambda r: r["fs"])
        print(f"{label:<18} {len(rows):>4} {gap:>20} {fs:>20}")
    print("\nown facts, end to end: r of D-FS, of the gap")
    for label, rows in [*((k, v["own"]) for k, v in results.items()), ("pooled", pooled["own"])]:
        dfs = _r(rows, lambda r: r["own_dfs"], lambda r: r["dfs"])
        gap = _r(rows, lambda r: r["own_fs"] - r["own_dfs"], lambda r: r["fs"] - r["dfs"])
        print(f"{label:<18} {len(rows):>4} {dfs:>20} {gap:>20}")
    print("\nby verdicts, and expected: r of D-FS, of the gap, of FS; means; mean error of D-FS")
    for kind in ("given", "own"):
        for way in ("own", "expected"):
            rows = pooled[kind]
            dfs = _r(rows, lambda r, w=way: r[f"{w}_dfs"], lambda r: r["dfs"])
            gap = _r(
                rows, lambda r, w=way: r[f"{w}_fs"] - r[f"{w}_dfs"], lambda r: r["fs"] - r["dfs"]
            )
            fs = _r(rows, lambda r, w=way: r[f"{w}_fs"], lambda r: r["fs"])
            mean = np.mean([[r[f"{way}_fs"], r[f"{way}_dfs"]] for r in rows], axis=0) * 100
            named = {"own": "verdicts", "expected": "expected"}[way]
            error = np.mean([abs(r[f"{way}_dfs"] - r["dfs"]) for r in rows])
            print(
                f"{kind:<6} {named:<14} {dfs} {gap} {fs}   FS {mean[0]:.1f} D-FS {mean[1]:.1f}"
                f"   {100 * error:.1f}"
            )
    print("\nown facts, points above the released means: FS, D-FS, the gap")
    for label, kinds in [*results.items(), ("pooled", pooled)]:
        for way in ("own", "expected"):
            print(
                f"{label:<18} {'verdicts' if way == 'own' else way:<9} {_bias(kinds['own'], way)}"
            )
    rows = results["tulu"]["given"]
    total = {k: sum(r[k] for r in rows) for k in rows[0]}
    for page in ("own", "wrong"):
        hard, soft = (total[f"{page}_{k}"] / total[f"{page}_n"] for k in ("hard", "soft"))
        print(f"{page} page: verdicts {hard:.3f}, probabilities {soft:.3f}")
    print(
        "\nmeans: own (released)           FS             D-FS           #bio    #ent         facts"
    )
    for label, kinds in results.items():
        for kind, rows in kinds.items():
            m = {k: float(np.mean([r[k] for r in rows])) for k in rows[0]}
            head = f"{label}, {kind} facts"
            print(
                f"{head:<30} {100 * m['own_fs']:5.1f} ({100 * m['fs']:.1f})"
                f"   {100 * m['own_dfs']:5.1f} ({100 * m['dfs']:.1f})   {m['own_bio']:5.2f}"
                f"   {m['own_ent']:5.2f} ({m['ent']:.2f})   {m.get('facts', float('nan')):.1f}"
            )


def write_card(results: dict[str, dict[str, Rows]]) -> None:
    """Writes the judge's levels for comparisons: points above the released means, by model."""
    levels = [
        {
            "model": model,
            "n": len(kinds["own"]),
            "counts": counts,
            **{m: round(float(np.mean([r[f"{way}_{m}"] - r[m] for r in kinds["own"]])), 4)
               for m in ("fs", "dfs")},
        }
        for model, kinds in results.items()
        for counts, way in (("expected", "expected"), ("verdicts", "own"))
    ]  # fmt: skip
    write_json(CARD, {**read_json(CARD, error=RunError), "levels": levels})


def _bias(rows: Rows, way: str) -> str:
    pairs = [[r[f"{way}_fs"] - r["fs"], r[f"{way}_dfs"] - r["dfs"]] for r in rows]
    fs, dfs = 100 * np.mean(pairs, axis=0)
    return f"{fs:+.1f} {dfs:+.1f} {fs - dfs:+.1f}"


GROUPINGS = ("own", "one", "each", "linked")
Value = Callable[[dict[str, float]], float]


def _r(rows: Rows, ours: Value, theirs: Value) -> str:
    x, y = np.array([ours(r) for r in rows]), np.array([theirs(r) for r in rows])
    generator = np.random.default_rng(0)
    draws = []
    for _ in range(RESAMPLES):
        pick = generator.integers(0, len(x), len(x))
        if x[pick].std() > 0 and y[pick].std() > 0:
            draws.append(np.corrcoef(x[pick], y[pick])[0, 1])
    low, high = np.percentile(draws, [2.5, 97.5])
    return f"{np.corrcoef(x, y)[0, 1]:.3f} [{low:.2f}, {high:.2f}]"


if __name__ == "__main__":
    from running import run

    run(main)
