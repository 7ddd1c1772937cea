"""Measures the built-in grouper: real labelled paragraphs, constructed ones, released links.

python benchmarks/grouper.py --data DIR [--wordings dev|held-out] [--labels dev|test] [--errors N]
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from grouper_cases import Case, announced_cases, labeled_cases, silent_cases, single_cases
from running import default_data

from dfactscore.engines.builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.engines.builtin.group.grouper import BuiltinGrouper
from dfactscore.readers.citation_marks import strip_citations
from dfactscore.records import Biography, Fact

LABELS = (
    Path(__file__).parent.parent / "tests/dfactscore/engines/builtin/group/grouping_labels.jsonl"
)
Grouping = Callable[[Biography, Sequence[Fact]], list[int]]


def ours(biography: Biography, facts: Sequence[Fact]) -> list[int]:
    """The group of each fact."""
    out = [0] * len(facts)
    for number, group in enumerate(BuiltinGrouper().group(biography, facts)):
        for index in group.facts:
            out[index] = number
    return out


def ours_unplaced(biography: Biography, facts: Sequence[Fact]) -> list[int]:
    """As facts made elsewhere: neither sentence nor characters are known."""
    return ours(biography, [Fact(fact.text) for fact in facts])


def all_in_one(biography: Biography, facts: Sequence[Fact]) -> list[int]:
    del biography
    return [0] * len(facts)


def per_sentence(biography: Biography, facts: Sequence[Fact]) -> list[int]:
    del biography
    return [fact.sentence or 0 for fact in facts]


def b_cubed(predicted: Sequence[int], gold: Sequence[int]) -> float:
    """B-cubed F1 over facts."""
    precision = recall = 0.0
    for p, g in zip(predicted, gold, strict=True):
        both = sum(q == p and h == g for q, h in zip(predicted, gold, strict=True))
        precision += both / predicted.count(p)
        recall += both / gold.count(g)
    n = len(gold)
    return 2 * precision * recall / (precision + recall) / n if n else 1.0


def interval(values: Sequence[float], seed: int = 0) -> tuple[float, float]:
    """95 % bootstrap interval of the mean."""
    array = np.asarray(values, dtype=float)
    picks = np.random.default_rng(seed).integers(0, len(array), (2000, len(array)))
    low, high = np.quantile(array[picks].mean(axis=1), [0.025, 0.975])
    return float(low), float(high)


def measure(cases: Sequence[Case], grouping: Grouping) -> list[tuple[bool, float, int, int]]:
    """Per case: exact number, B-cubed F1, groups found, groups labelled."""
    out = []
    for case in cases:
        biography = Biography("", case.name, case.text)
        facts = list(BuiltinDecomposer().decompose(biography))
        gold = [case.individual_at(fact.span[0] if fact.span else 0) for fact in facts]
        predicted = grouping(biography, facts)
        kept = [(p, g) for p, g in zip(predicted, gold, strict=True) if g >= 0]
        p, g = [x for x, _ in kept], [x for _, x in kept]
        out.append((len(set(p)) == len(set(g)), b_cubed(p, g), len(set(p)), len(set(g))))
    return out


def line(title: str, cases: Sequence[Case], errors: int) -> None:
    """Prints one row: ours beside the baselines."""
    if not cases:
        return
    cells = []
    for grouping in (ours, ours_unplaced, all_in_one, per_sentence):
        rows = measure(cases, grouping)
        exact, f1 = [float(r[0]) for r in rows], [r[1] for r in rows]
        if grouping is ours:
            low, high = interval(exact)
            cells.append(f"{np.mean(exact):.3f} [{low:.3f}, {high:.3f}]  F1 {np.mean(f1):.3f}")
            if errors:
                show_errors(cases, rows, errors)
        else:
            cells.append(f"{np.mean(exact):.2f}/{np.mean(f1):.2f}")
    print(f"{title:<26}{len(cases):>5}  " + "  | ".join(cells), flush=True)


def show_errors(
    cases: Sequence[Case], rows: Sequence[tuple[bool, float, int, int]], n: int
) -> None:
    wrong = [(c, r) for c, r in zip(cases, rows, strict=True) if not r[0] or r[1] < 0.95]
    for case, row in wrong[:n]:
        print(f"    {row[2]} for {row[3]}, F1 {row[1]:.2f} [{case.kind}: {case.wording}]")
        facts = BuiltinDecomposer().decompose(Biography("", case.name, case.text))
        for fact, group in zip(
            facts, ours(Biography("", case.name, case.text), facts), strict=True
        ):
            print(
                f"        {case.individual_at(fact.span[0] if fact.span else 0)} {group} "
                f"{fact.text}"
            )


def detection(data: Path) -> None:
    """More than one individual, against the links of the released pass."""
    folder = data / "dfactscore"
    records = json.loads((folder / "alce_tulu.json").read_text(encoding="utf-8"))["data"]
    lines = (folder / "verdicts_tulu.jsonl").read_text(encoding="utf-8").splitlines()
    for floor in (1, 2):
        hits = found = several = 0
        for record, line_ in zip(records, map(json.loads, lines), strict=True):
            topics: dict[str, int] = {}
            for decision in line_["global_decisions"] or ():
                topic = decision and decision["supporting_topic"]
                if isinstance(topic, str):
                    topics[topic] = topics.get(topic, 0) + 1
            gold = sum(n >= floor for n in topics.values()) > 1
            text = strip_citations(record["output"])[0]
            biography = Biography("", re.sub("^Tell me a bio of ", "", record["question"]), text)
            facts = BuiltinDecomposer().decompose(biography)
            groups = BuiltinGrouper().group(biography, facts)
            predicted = len(groups) > 1
            hits += gold and predicted
            found += predicted
            several += gold
        f1 = 2 * hits / (found + several)
        print(
            f"released links (titles with >= {floor} facts): F1 {f1:.3f}, precision "
            f"{hits / found:.3f}, recall {hits / several:.3f}, {several} of {len(records)}"
        )


def speed(data: Path) -> None:
    """Seconds for the 140 biographies, median of five."""
    path = data / "dfactscore" / "alce_tulu.json"
    records = json.loads(path.read_text(encoding="utf-8"))["data"]
    biographies = [
        Biography("", r["question"][17:], strip_citations(r["output"])[0]) for r in records
    ]
    for times in (1, 4):
        taken = []
        for _ in range(5):
            start = time.perf_counter()
            for biography in biographies * times:
                BuiltinGrouper().group(biography, BuiltinDecomposer().decompose(biography))
            taken.append(time.perf_counter() - start)
        print(f"decompose and group {len(biographies) * times}: {statistics.median(taken):.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=default_data())
    parser.add_argument("--wordings", choices=["dev", "held-out"], default="held-out")
    parser.add_argument("--labels", choices=["dev", "test", "none"], default="test")
    parser.add_argument("--errors", type=int, default=0, help="show this many per row")
    options = parser.parse_args()
    splits = {s: labeled_cases(options.data, LABELS, s) for s in ("dev", "test", "single")}
    singles = [c for cases in splits.values() for c in cases if c.kind == "single"]
    print("exact number [95 %], B-cubed F1 | without places | all in one | one per sentence")
    if options.labels != "none":
        chosen = splits[options.labels]
        for kind in ("single", "several"):
            title = f"real {options.labels}: {kind}"
            line(title, [c for c in chosen if c.kind == kind], options.errors)
    line("single", single_cases(singles), options.errors)
    line("silent mix", silent_cases(singles), options.errors)
    announced = announced_cases(singles, options.wordings == "held-out")
    line(f"announced ({options.wordings})", announced, 0)
    for way in dict.fromkeys(case.kind for case in announced):
        line(f"  {way}", [c for c in announced if c.kind == way], options.errors)
    detection(options.data)
    speed(options.data)


if __name__ == "__main__":
    from running import run

    run(main)
