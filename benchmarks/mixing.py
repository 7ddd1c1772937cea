"""Detection of mixing: facts of a namesake spliced into real biographies.

A case starts from a model's facts about one person, as credited by the published judge, in one of
three kinds:

- clean: unchanged
- spliced: with three to five facts of another person of that name, at a known place
- unsupported: with as many facts of a person of another name there, with the name replaced;
  no page of this name is known to support them

The facts are joined to a paragraph. The built-in engine groups them, judges each fact against every
retrieved page of the name with a verifier trained on other names, and measures the mixing. A group
is truly mixed if it contains facts of both people.

    python training/train_verifier.py --folds-out FOLDS
    python benchmarks/mixing.py --folds FOLDS
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / part) for part in ("training", "benchmarks", "")]

from intervals import interval  # noqa: E402
from running import default_data  # noqa: E402
from verifier_data import Documents, pages, read  # noqa: E402

from dfactscore._records import Biography, Document, Entity, Fact, FactGroup  # noqa: E402
from dfactscore._scoring.matrix import support_matrix  # noqa: E402
from dfactscore._scoring.record import Record  # noqa: E402
from dfactscore.engines._builtin.group.grouper import BuiltinGrouper  # noqa: E402
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier  # noqa: E402
from dfactscore.linking import bears_name, group_mixing  # noqa: E402

KINDS = ("clean", "spliced", "unsupported")


@dataclass(frozen=True)
class Case:
    """A paragraph's facts, with inserted facts.

    `foreign` has the positions of the inserted facts, of a namesake if `kind` is "spliced".
    """

    name: str
    kind: str
    facts: tuple[str, ...]
    foreign: frozenset[int]


def credited(data: Path) -> dict[str, dict[str, list[list[str]]]]:
    """Returns by name and title the facts of each real biography credited to the person."""
    found: dict[str, dict[str, list[list[str]]]] = defaultdict(lambda: defaultdict(list))
    for model in ("tulu", "llama13b-careful"):
        for row in read(data / "dfactscore" / f"verdicts_{model}.jsonl"):
            by_title: dict[str, list[str]] = defaultdict(list)
            for fact in row["decisions"] or ():
                title = fact["supporting_topic"]
                if fact["is_supported"] and isinstance(title, str):
                    by_title[title].append(fact["atom"])
            for title, facts in by_title.items():
                if bears_name(title, row["name"]):
                    found[row["name"]][title].append(facts)
    pairs: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for row in read(data / "dfactscore" / "fact_entity_pairs.jsonl"):
        if row["supported"] and bears_name(row["title"], row["name"]):
            pairs[row["model"], row["name"], row["title"]].append(row["fact"])
    for (_, name, title), facts in pairs.items():
        found[name][title].append(facts)
    return found


def make_cases(data: Path, seed: int) -> list[Case]:
    """Makes one case of each kind per biography with a namesake that has three facts."""
    rng = random.Random(seed)
    source = pages(data)
    known = credited(data)
    donors = [
        (name, facts)
        for name in sorted(known)
        for title in sorted(known[name])
        for facts in known[name][title]
        if len(facts) >= 5
    ]
    cases = []
    for name in sorted(known):
        for title in sorted(known[name]):
            namesakes = [
                facts
                for other in sorted(known[name])
                if other != title and other in source[name]
                for facts in known[name][other]
                if len(facts) >= 3
            ]
            if title not in source[name] or not namesakes:
                continue
            base = max(known[name][title], key=len)
            if len(base) < 6:  # more than are inserted, so that it stays a biography of that person
                continue
            base = base[:12]
            size = rng.randint(3, 5)
            at = rng.randint(1, len(base))
            spliced = _cut(rng, [f for f in rng.choice(namesakes) if f not in base], size)
            strange, theirs = rng.choice([d for d in donors if d[0] != name])
            unsupported = [_rename(f, strange, name) for f in _cut(rng, theirs, len(spliced))]
            if len(spliced) < 3:
                continue
            cases.append(Case(name, "clean", tuple(base), frozenset()))
            for kind, added in (("spliced", spliced), ("unsupported", unsupported)):
                facts = (*base[:at], *added, *base[at:])
                cases.append(Case(name, kind, facts, frozenset(range(at, at + len(added)))))
    return cases


def _cut(rng: random.Random, facts: Sequence[str], size: int) -> list[str]:
    start = rng.randint(0, max(0, len(facts) - size))
    return list(facts[start : start + size])


def _rename(fact: str, old: str, new: str) -> str:
    """Replaces the old name, or its last word, by the new name."""
    fact = fact.replace(old, new)
    return re.sub(rf"\b{re.escape(old.split()[-1])}\b", new.split()[-1], fact)


def judge(
    case: Case, source: dict[str, Documents], verifier: BuiltinVerifier, *, grouped: bool
) -> Record:
    """Runs grouping and verification on a case."""
    entities = tuple(
        Entity(title, title, tuple(Document(t, text) for t, text in documents), rank)
        for rank, (title, documents) in enumerate(source.items())
    )
    facts, texts, at = [], [], 0
    for i, text in enumerate(case.facts):
        facts.append(Fact(text, i, (at, at + len(text))))
        texts.append(text)
        at += len(text) + 1
    biography = Biography(case.name, case.name, " ".join(texts))
    whole = (FactGroup(tuple(range(len(facts))), case.name, True),)
    groups = tuple(BuiltinGrouper().group(biography, facts)) if grouped else whole
    verdicts = tuple(tuple(verifier.verify(biography, facts, e)) for e in entities)
    matrix = support_matrix(entities, verdicts)
    return Record(
        biography,
        entities=entities,
        facts=tuple(facts),
        groups=groups,
        matrix=matrix,
        status="scored",
    )


@dataclass
class Tally:
    """Hits, false alarms and misses."""

    hits: int = 0
    alarms: int = 0
    misses: int = 0

    def add(self, truth: bool, found: bool) -> None:
        """Counts one case."""
        self.hits += truth and found
        self.alarms += found and not truth
        self.misses += truth and not found

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        total = 2 * self.hits + self.alarms + self.misses
        return 2 * self.hits / total if total else float("nan")

    def __str__(self) -> str:
        precision = self.hits / max(1, self.hits + self.alarms)
        recall = self.hits / max(1, self.hits + self.misses)
        return f"F1 {self.f1:.3f} (precision {precision:.3f}, recall {recall:.3f})"


def tally(
    judged: Iterable[tuple[Case, Record]], min_foreign: int | None
) -> tuple[Tally, Tally, Tally]:
    """Counts mixed groups, spliced facts in them, and unsupported facts mistaken for mixing."""
    groups, facts = Tally(), Tally()
    noise = Tally()
    for case, record in judged:
        parts = [g.facts for g in record.groups or ()]
        spliced = case.foreign if case.kind == "spliced" else frozenset()
        found = group_mixing(record.decided, parts, named=record.named, min_foreign=min_foreign)
        for part, mixing in zip(parts, found, strict=True):
            inside = spliced & set(part)
            truth = bool(inside) and len(inside) < len(part) - len(_noise(case) & set(part))
            groups.add(truth, mixing.mixed is True)
            if case.kind == "unsupported":
                noise.add(False, mixing.mixed is True)
            foreign = set(mixing.foreign) if mixing.mixed else set()
            for fact in part:
                facts.add(truth and fact in inside, fact in foreign)
    return groups, facts, noise


def _noise(case: Case) -> frozenset[int]:
    return case.foreign if case.kind == "unsupported" else frozenset()


def f1_intervals(
    by_name: dict[str, list[tuple[Case, Record]]],
    min_foreign: int | None,
    resamples: int,
    seed: int,
) -> list[tuple[float, float]]:
    """Returns intervals of both F1 scores; names are resampled."""
    counts = [tally(judged, min_foreign)[:2] for _, judged in sorted(by_name.items())]
    found = []
    for pair in zip(*counts, strict=True):
        table = np.array([(t.hits, t.alarms, t.misses) for t in pair])
        found.append(
            interval(
                range(len(table)),
                lambda i, table=table: Tally(*table[i].sum(axis=0)).f1,
                resamples,
                seed,
            )
        )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folds", type=Path, required=True, help="made by train_verifier.py")
    parser.add_argument("--data", type=Path, default=default_data())
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--resamples", type=int, default=2_000)
    options = parser.parse_args()
    source = pages(options.data)
    cases = make_cases(options.data, options.seed)
    models = json.loads((options.folds / "folds.json").read_text())
    verifiers = {
        model: BuiltinVerifier(model=options.folds / model) for model in set(models.values())
    }
    names = {c.name for c in cases}
    counts = {kind: sum(c.kind == kind for c in cases) for kind in KINDS}
    print(f"{len(cases)} cases of {len(names)} names: {counts}; seed {options.seed}")
    for grouped in (True, False):
        how = "built-in groups" if grouped else "all facts given as one group"
        judged = [
            (c, judge(c, source[c.name], verifiers[models[c.name]], grouped=grouped)) for c in cases
        ]
        by_name: dict[str, list[tuple[Case, Record]]] = defaultdict(list)
        for case, scored in judged:
            by_name[case.name].append((case, scored))
        for min_foreign in (None, 1, 2, 3):  # None: more than a twentieth of the facts
            groups, facts, noise = tally(judged, min_foreign)
            least = "more than a twentieth of the facts" if min_foreign is None else min_foreign
            print(f"\n{how}, mixed from foreign facts: {least}")
            intervals = f1_intervals(by_name, min_foreign, options.resamples, options.seed)
            for label, found, (low, high), bar in (
                ("mixed groups", groups, intervals[0], 0.80),
                ("spliced facts", facts, intervals[1], 0.70),
            ):
                verdict = "met" if found.f1 >= bar else "MISSED"
                print(f"  {label:<14}{found}, 95 % {low:.3f} to {high:.3f}; bar {bar}: {verdict}")
            total = sum(c.kind == "unsupported" for c in cases)
            print(f"  called mixed among {total} with unsupported facts: {noise.alarms}")


if __name__ == "__main__":
    from running import run

    run(main)
