"""Texts with people told apart: by the released verdicts, by the report's judge, and to be read.

- released: the mixed texts of two models, before and after `unmix`. A fact counts as the released
  fact with the most words in common (F1 of at least .6). A paragraph's person is the page that the
  published judge credits most of its facts to. Printed next to FS and D-FS by the report's judge,
  with the texts without a released gap between FS and D-FS that are changed; half A of the names
  was developed on
- answers: 40 answers about invented people, written before the rules, and their new versions

    python benchmarks/unmix.py --data DATA
"""

# ruff: noqa: SIM905 (word lists read better as text)

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "training"), str(ROOT)]

from rag import MODELS, half, rows_of  # noqa: E402
from running import default_data  # noqa: E402

from dfactscore import Scorer, unmix  # noqa: E402
from dfactscore._evidence.entities import GatheredEntities  # noqa: E402
from dfactscore._jobs.engines import build_engine  # noqa: E402
from dfactscore._jobs.job import Job  # noqa: E402
from dfactscore._jobs.settings import Config  # noqa: E402
from dfactscore._scoring import Record, ScoreOptions, score_record  # noqa: E402
from dfactscore._util.tasks import run_sync  # noqa: E402
from dfactscore.mixing._unmix_work import _THRESHOLD, of_text  # noqa: E402
from dfactscore.mixing._unmixed import headings  # noqa: E402

ANSWERS = ROOT / "benchmarks" / "data" / "unmix" / "answers.jsonl"
LITTLE = frozenset(
    "a an the of in at on for to and was is were are he she his her by with from as who that it "
    "its also has had been".split()
)
LEAST = 0.6  # F1 of the words of two facts that count as the same


def words_of(fact: str, name: str) -> Counter[str]:
    left_out = LITTLE | set(re.findall(r"\w+", name.lower()))
    return Counter(w for w in re.findall(r"\w+", fact.lower()) if w not in left_out)


def likeness(first: Counter[str], second: Counter[str]) -> float:
    total = first.total() + second.total()
    return 2 * (first & second).total() / total if total else 0.0


@dataclass(frozen=True)
class Released:
    """The released verdicts on one text."""

    name: str
    facts: tuple[Counter[str], ...]
    pages: tuple[set[str], ...]  # pages that support each fact
    fs: float
    dfs: float

    def shares(self, paragraphs: Iterable[Sequence[str]]) -> tuple[float, float]:
        """Returns the shares of facts that are true, and true of their paragraph's person."""
        known = true = own = 0
        for facts in paragraphs:
            matched = [m for fact in facts if (m := self._match(fact)) is not None]
            credits = Counter(page for m in matched for page in self.pages[m])
            home = credits.most_common(1)[0][0] if credits else None
            known += len(matched)
            true += sum(bool(self.pages[m]) for m in matched)
            own += sum(home in self.pages[m] for m in matched)
        return true / max(1, known), own / max(1, known)

    def _match(self, fact: str) -> int | None:
        words = words_of(fact, self.name)
        close = [likeness(words, other) for other in self.facts]
        best = max(range(len(close)), key=close.__getitem__, default=None)
        return best if best is not None and close[best] >= LEAST else None


def released(data: Path) -> list[Released]:
    """Reads the released verdicts on the texts of both models, in their order."""
    pages: dict[tuple[str, str], set[str]] = defaultdict(set)
    for line in (data / "dfactscore" / "fact_entity_pairs.jsonl").read_text().splitlines():
        pair = json.loads(line)
        if pair["supported"]:
            pages[pair["name"], pair["fact"]].add(pair["title"])
    found = []
    for model in MODELS:
        for line in (data / "dfactscore" / f"verdicts_{model}.jsonl").read_text().splitlines():
            row = json.loads(line)
            first, second = row["decisions"] or [], row["global_decisions"] or []
            by_fact = defaultdict(set)
            for decision in (*first, *second):
                topic = decision["supporting_topic"]
                # Topics of one model's second pass are cut to one letter.
                if decision["is_supported"] and topic and len(topic) > 1:
                    by_fact[decision["atom"]].add(topic)
            shares = [
                sum(d["is_supported"] for d in part) / max(1, len(part)) for part in (first, second)
            ]
            found.append(
                Released(
                    row["name"],
                    tuple(words_of(d["atom"], row["name"]) for d in first),
                    tuple(by_fact[d["atom"]] | pages[row["name"], d["atom"]] for d in first),
                    *shares,
                )
            )
    return found


def mean(values: Iterable[float]) -> float:
    values = list(values)
    return sum(values) / max(1, len(values))


def by_released(data: Path) -> None:
    """Prints FS and D-FS of mixed texts before and after, and the texts changed without a gap."""
    rows, verdicts = rows_of(data), released(data)
    results = list(Scorer().score_many(rows))
    options = ScoreOptions(threshold=_THRESHOLD)
    job = Job(engine=build_engine(Config()), options=options)
    for part in "AB":
        known = [
            i for i, r in enumerate(results) if half(rows[i]["name"]) == part and r.dfs is not None
        ]
        told = {i: unmix(results[i]) for i in known}
        changed = [i for i in known if told[i].changed]
        even = [i for i in known if verdicts[i].fs - verdicts[i].dfs < 1e-9]
        after: dict[int, Record] = {}
        for i in changed:
            record = results[i].record
            new = of_text(record, told[i].text)
            after[i] = run_sync(job.fill(new, GatheredEntities(record.entities)))
        before = {i: score_record(results[i].record, options=options) for i in changed}
        shares = [verdicts[i].shares(paragraphs(after[i])) for i in changed]
        print(
            f"half {part}: {len(changed)} of {len(known)} texts changed; of {len(even)} without a "
            f"released gap {sum(i in changed for i in even)}; for an editor "
            f"{sum(len(told[i].needs_editor) for i in known)} sentences"
        )
        print(
            f"  released: FS {mean(verdicts[i].fs for i in changed):.3f} to "
            f"{mean(fs for fs, _ in shares):.3f}, D-FS "
            f"{mean(verdicts[i].dfs for i in changed):.3f} to {mean(dfs for _, dfs in shares):.3f}"
        )
        for measure in ("fs", "dfs"):
            old, new_mean = (
                mean(getattr(records[i].scores, measure) or 0.0 for i in changed)
                for records in (before, after)
            )
            print(f"  report: {measure} {old:.3f} to {new_mean:.3f}")


def paragraphs(record: Record) -> list[list[str]]:
    """Returns the facts of each paragraph of a text with people told apart."""
    starts = [start for start, _ in headings(record.biography.text)]
    found: dict[int, list[str]] = defaultdict(list)
    for fact in record.facts:
        at = fact.span[0] if fact.span is not None else 0
        found[sum(start <= at for start in starts)].append(fact.text)
    return list(found.values())


def answers() -> None:
    """Prints the answers of invented people and their new versions."""
    rows: list[dict[str, Any]] = [json.loads(line) for line in ANSWERS.read_text().splitlines()]
    for n, row in enumerate(rows):
        result = Scorer(pages=row["pages"]).score(row["text"], name=row["name"])
        told = unmix(result, mixed=True)
        print(f"== {n} {row['kind']}\n{row['text']}\n--\n{told.text}")
        for sentence in told.needs_editor:
            print(f"for an editor: {sentence}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=default_data())
    parser.add_argument("--only", choices=("released", "answers"))
    args = parser.parse_args()
    if args.only in (None, "released"):
        by_released(args.data)
    if args.only in (None, "answers"):
        answers()


if __name__ == "__main__":
    from running import run

    run(main)
