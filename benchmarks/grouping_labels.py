"""Grouping of hand-labeled real texts by the built-in engine, end to end.

    python benchmarks/grouping_labels.py --half dev [--data DIR] [--errors N]

Texts of the measurement data are skipped if the data are absent; the generated texts are in the
project. Rules: data/grouping_labels/README.md. Both halves were used to write rules; "fresh" texts
have other names, and were labeled and measured once afterwards.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from intervals import show as with_bounds
from running import default_data

from dfactscore._readers.shown_text import strip_citations
from dfactscore._records import Biography, Fact
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.engines._builtin.group.grouper import BuiltinGrouper
from dfactscore.measures._resampling import clustered_interval

LABELS = Path(__file__).parent / "data" / "grouping_labels"
HALVES = ("dev", "test", "fresh")
Engine = Callable[[Biography], tuple[Sequence[Fact], Sequence[Sequence[int]]]]


@dataclass(frozen=True)
class Stretch:
    """A part of a text with the individuals that it is about, if any."""

    start: int
    end: int
    individuals: tuple[int, ...]


@dataclass(frozen=True)
class LabeledText:
    """A text with its target name and the person of each stretch.

    Attributes:
        id: Name of the label.
        source: "shared" (from the measurement data) or "generated".
        name: The target name.
        text: The text without citation marks.
        individuals: The number of people in the text.
        stretches: Spans of characters that cover `text`, with their individuals.
        ways: The way each individual after the first is introduced.
        sure: False if careful readers may disagree.
    """

    id: str
    source: str
    name: str
    text: str
    individuals: int
    stretches: tuple[Stretch, ...]
    ways: dict[int, str]
    sure: bool

    def about(self, fact: Fact) -> tuple[int, ...]:
        """Returns the individuals that a fact may be grouped with, if any.

        A fact belongs to the stretch that its span overlaps. If it overlaps several, or has no
        span, it belongs to the stretch with most of its words (words of many stretches have less
        weight), or the first of equal ones.
        """
        start, end = fact.span or (0, len(self.text))
        pieces: list[tuple[Stretch, set[str]]] = []
        for stretch in self.stretches:
            words = _words(self.text[max(start, stretch.start) : min(end, stretch.end)])
            if words:
                pieces.append((stretch, words))
        if not pieces:
            return ()
        frequency = Counter(word for _, words in pieces for word in words)
        fact_words = _words(fact.text)
        scores = [sum(1 / frequency[w] for w in fact_words & words) for _, words in pieces]
        return pieces[int(np.argmax(scores))][0].individuals


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def load(
    half: str, data: Path | None = None, labels: Path = LABELS
) -> tuple[list[LabeledText], int]:
    """Reads the labeled texts of one part: of `HALVES`, or "second" for a second labeler.

    Returns:
        The texts, and the number of texts skipped because the measurement data are absent.

    Raises:
        ValueError: If a text differs from the labeled text.
    """
    cache: dict[str, list[str]] = {}
    texts = []
    absent = 0
    for line in (labels / f"{half}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        shipped = row["file"].startswith("generated_")
        path = (
            labels / row["file"]
            if shipped
            else (data or default_data()) / "dfactscore" / row["file"]
        )
        if not shipped and not path.exists():
            absent += 1
            continue
        if row["file"] not in cache:
            cache[row["file"]] = _stored_texts(path)
        raw = cache[row["file"]][row["record"]]
        if hashlib.sha256(raw.encode()).hexdigest() != row["sha256"]:
            raise ValueError(f"{path}, record {row['record']}: not the text labeled {row['id']}")
        texts.append(_labeled(row, raw, "generated" if shipped else "shared"))
    return texts, absent


def _stored_texts(path: Path) -> list[str]:
    if path.suffix == ".json":
        data = json.loads(path.read_text(encoding="utf-8"))["data"]
        return [record["output"] for record in data]
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        row["text"] if "text" in row else " ".join(s["text"] for s in row["sentences"])
        for row in rows
    ]


def _labeled(row: dict[str, Any], raw: str, source: str) -> LabeledText:
    text = strip_citations(raw)[0]
    places = [i for i, c in enumerate(text) if c.isalnum()] or [0]
    starts = []
    for offset, _ in row["changes"]:
        before = sum(c.isalnum() for c in strip_citations(raw[:offset])[0])
        starts.append(places[min(before, len(places) - 1)] if offset else 0)
    ends = [*starts[1:], len(text)]
    stretches = []
    for start, end, (_, who) in zip(starts, ends, row["changes"], strict=True):
        individuals = tuple(who) if isinstance(who, list) else (who,) if who >= 0 else ()
        stretches.append(Stretch(start, end, individuals))
    return LabeledText(
        row["id"],
        source,
        row["name"],
        text,
        row["individuals"],
        tuple(stretches),
        {int(k): v for k, v in row["ways"].items()},
        row["sure"],
    )


@dataclass(frozen=True)
class Outcome:
    """The result for one text.

    Attributes:
        exact: Whether the engine finds as many groups as the text presents individuals.
        same: Whether its groups equal those of the label.
        b_cubed: B-cubed F1 over the facts about individuals.
        groups: The number of groups from the engine.
        opened: For each individual after the first that has facts: whether its first fact is in a
            new group, without facts of earlier individuals.
        split: The number of individuals with facts in several groups.
        pairs: The group and the individual of each fact.
    """

    exact: bool
    same: bool
    b_cubed: float
    groups: int
    opened: dict[int, bool]
    split: int
    pairs: tuple[tuple[str, int, int], ...]


def builtin(biography: Biography) -> tuple[Sequence[Fact], Sequence[Sequence[int]]]:
    """Returns facts and groups of the built-in engine."""
    facts = BuiltinDecomposer().decompose(biography)
    return facts, [group.facts for group in BuiltinGrouper().group(biography, facts)]


def outcome(labeled: LabeledText, engine: Engine = builtin) -> Outcome:
    """Runs an engine on a text and compares its groups with the label."""
    facts, groups = engine(Biography(labeled.id, labeled.name, labeled.text))
    group_of = {index: number for number, group in enumerate(groups) for index in group}
    about = [labeled.about(fact) for fact in facts]
    members: dict[int, Counter[int]] = defaultdict(Counter)
    for index, who in enumerate(about):
        if len(who) == 1:
            members[group_of[index]][who[0]] += 1
    pairs = []
    for index, who in enumerate(about):
        # a fact about several people may be grouped with any of them
        in_group = [w for w, _ in members[group_of[index]].most_common() if w in who]
        pairs.append((facts[index].text, group_of[index], (*in_group, *who, -1)[0]))
    kept = [(group, who) for _, group, who in pairs if who >= 0]
    by_group: dict[int, set[int]] = defaultdict(set)
    by_individual: dict[int, list[int]] = defaultdict(list)
    for group, who in kept:
        by_group[group].add(who)
        by_individual[who].append(group)
    opened = {
        who: not any(own[0] in by_individual[w] for w in by_individual if w < who)
        for who, own in by_individual.items()
        if who
    }
    split = sum(len(set(own)) > 1 for own in by_individual.values())
    same = not split and all(len(who) == 1 for who in by_group.values())
    return Outcome(
        len(groups) == labeled.individuals,
        same and len(by_individual) == labeled.individuals,
        _b_cubed(kept),
        len(groups),
        opened,
        split,
        tuple(pairs),
    )


def _b_cubed(pairs: Sequence[tuple[int, int]]) -> float:
    precision = recall = 0.0
    both = Counter(pairs)
    predicted = Counter(p for p, _ in pairs)
    gold = Counter(g for _, g in pairs)
    for pair in pairs:
        precision += both[pair] / predicted[pair[0]]
        recall += both[pair] / gold[pair[1]]
    return 2 * precision * recall / (precision + recall) / len(pairs) if pairs else 1.0


Row = tuple[LabeledText, Outcome]


def show(title: str, rows: Sequence[Row]) -> None:
    """Prints one line of the table; intervals resample names."""
    names = [text.name for text, _ in rows]
    cells = []
    for read in (lambda o: float(o.exact), lambda o: float(o.same), lambda o: o.b_cubed):
        values = [read(outcome) for _, outcome in rows]
        bounds = clustered_interval(values, names)
        cells.append(with_bounds(np.mean(values), bounds) if values else "-")
    print(f"{title:<32}{len(rows):>5}  " + "  ".join(f"{cell:<22}" for cell in cells))


def show_ways(rows: Sequence[Row]) -> None:
    """Prints, for each way to introduce a person, how often the person gets a new group."""
    found: dict[str, list[bool]] = defaultdict(list)
    for text, result in rows:
        for who, way in text.ways.items():
            found[way].append(result.opened.get(who, False))
    print("\nindividuals after the first, by how the text brings them in: kept apart")
    for way, values in sorted(found.items(), key=lambda item: -len(item[1])):
        print(f"  {way:<12}{len(values):>5}  {np.mean(values):.3f}")


def show_errors(rows: Sequence[Row], count: int) -> None:
    """Prints the first texts with errors: label, group and fact."""
    for text, result in [r for r in rows if not (r[1].exact and r[1].same)][:count]:
        print(f"\n{text.id} ({text.name}): {result.groups} groups for {text.individuals}")
        for fact, group, who in result.pairs:
            print(f"  {who:>3} {group:>3}  {fact}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--half", choices=HALVES, required=True)
    parser.add_argument("--data", type=Path, default=default_data())
    parser.add_argument("--errors", type=int, default=0, help="show this many wrong texts")
    options = parser.parse_args()
    texts, absent = load(options.half, options.data and Path(options.data))
    if absent:
        print(f"{absent} labels left out: their texts are in the measurement data, not found here")
    rows = [(text, outcome(text)) for text in texts]
    several = [r for r in rows if r[0].individuals > 1]
    single = [r for r in rows if r[0].individuals == 1]
    print(f"{'':<32}{'n':>5}  {'exact number':<22}  {'same groups':<22}  B-cubed F1")
    for title, chosen in (("several people", several), ("single person", single)):
        show(title, chosen)
        show("  sure labels only", [r for r in chosen if r[0].sure])
        for source in ("shared", "generated"):
            show(f"  {source} texts", [r for r in chosen if r[0].source == source])
    for number in sorted({text.individuals for text, _ in several}):
        show(f"  {number} individuals", [r for r in several if r[0].individuals == number])
    more = np.mean([o.groups > t.individuals for t, o in several])
    fewer = np.mean([o.groups < t.individuals for t, o in several])
    torn = np.mean([o.split > 0 for _, o in several])
    print(f"\nseveral people: too many groups {more:.3f}, too few {fewer:.3f}, ", end="")
    print(f"an individual in several groups {torn:.3f}")
    show_ways(several)
    show_errors(rows, options.errors)


if __name__ == "__main__":
    from running import run

    run(main)
