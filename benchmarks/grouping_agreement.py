"""Two labelers of who is who: where they agree, and the built-in grouper against each of them.

    python benchmarks/grouping_agreement.py [--data DIR] [--disagreements]

The second labeler's file holds 40 texts in which the first found several people and 15 in which the
first found one, half of them from each half. They are compared over the facts of the built-in
decomposer and over letters. Rules and format: data/grouping_labels/README.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from grouping_labels import DRAWS, HALVES, SECOND, LabeledText, interval, load, outcome, show
from running import default_data

from dfactscore.annotation.agreement import adjusted_rand, b_cubed_f1
from dfactscore.annotation.measures import exact_interval, kappa_figure
from dfactscore.engines.builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.records import Biography

People = tuple[int, ...]


@dataclass(frozen=True)
class Compared:
    """One text as two labelers read it.

    Attributes:
        first: The first labeler's labels.
        second: The second labeler's.
        facts: For each fact the two individuals that the labelers give it.
        letters: The same for each letter and digit.
    """

    first: LabeledText
    second: LabeledText
    facts: tuple[tuple[People, People], ...]
    letters: tuple[tuple[People, People], ...]

    @property
    def same_number(self) -> bool:
        """Whether both find as many individuals."""
        return self.first.individuals == self.second.individuals

    @property
    def same_facts(self) -> bool:
        """Whether both group the facts alike; those about no one are one more group."""
        return _same(self.facts)

    @property
    def same_letters(self) -> bool:
        """Whether both put every letter into the same group."""
        return _same(self.letters)

    @property
    def pairs(self) -> list[tuple[bool, bool]]:
        """For each two facts whether each labeler puts them together."""
        return [
            (one[0] == other[0], one[1] == other[1]) for one, other in combinations(self.facts, 2)
        ]


def _same(pairs: Sequence[tuple[People, People]]) -> bool:
    both = set(pairs)
    return len(both) == len({a for a, _ in both}) == len({b for _, b in both})


def compare(first: LabeledText, second: LabeledText) -> Compared:
    """Sets two labels of one text side by side.

    Raises:
        ValueError: If they are labels of two texts.
    """
    if first.text != second.text:
        raise ValueError(f"{first.id} and {second.id} are not labels of one text")
    facts = BuiltinDecomposer().decompose(Biography(first.id, first.name, first.text))
    return Compared(
        first,
        second,
        tuple((first.about(fact), second.about(fact)) for fact in facts),
        tuple(zip(_letters(first), _letters(second), strict=True)),
    )


def _letters(labeled: LabeledText) -> list[People]:
    return [
        stretch.individuals
        for stretch in labeled.stretches
        for character in labeled.text[stretch.start : stretch.end]
        if character.isalnum()
    ]


def compared(data: Path) -> tuple[list[Compared], int]:
    """All texts with two labels, and how many are left out because the data are absent."""
    first = {text.id: text for half in HALVES for text in load(half, data)[0]}
    second, absent = load(SECOND, data)
    return [compare(first[text.id], text) for text in second], absent


def _split(pairs: Sequence[tuple[People, People]]) -> tuple[list[People], list[People]]:
    return [a for a, _ in pairs], [b for _, b in pairs]


def share(title: str, values: Sequence[bool]) -> None:
    """Prints a share of texts with Clopper and Pearson's interval, which has a width at 1, too."""
    right = sum(values)
    found = exact_interval(right, len(values))
    if found:
        low, high = found
        print(
            f"  {title:<34}{right}/{len(values)} {right / len(values):.3f} [{low:.3f}, {high:.3f}]"
        )


def show_agreement(title: str, texts: Sequence[Compared]) -> None:
    """Prints the agreement of the two labelers on some texts."""
    facts = sum(len(text.facts) for text in texts)
    print(f"\n{title}: {len(texts)} texts, {facts} facts")
    if not texts:
        return
    share("same number of individuals", [text.same_number for text in texts])
    share("same groups, fact for fact", [text.same_facts for text in texts])
    share("same label, letter for letter", [text.same_letters for text in texts])
    names = [text.first.name for text in texts]
    measures: list[tuple[str, Callable[[Compared], float]]] = [
        ("B-cubed F1 over facts", lambda text: b_cubed_f1(*_split(text.facts))),
        ("adjusted Rand index over facts", lambda text: adjusted_rand(*_split(text.facts))),
        ("B-cubed F1 over letters", lambda text: b_cubed_f1(*_split(text.letters))),
    ]
    for label, measure in measures:
        print(f"  {label:<34}{interval([measure(text) for text in texts], names)}")
    by_name = [
        [pair for text in texts if text.first.name == name for pair in text.pairs]
        for name in dict.fromkeys(names)
    ]
    kappa = kappa_figure(by_name, DRAWS)
    if kappa.value is None:
        print(f"  {'kappa of pairs of facts':<34}undefined ({kappa.reason})")
    else:
        limits = "[{:.3f}, {:.3f}]".format(*kappa.interval) if kappa.interval else ""
        print(f"  {'kappa of pairs of facts':<34}{kappa.value:.3f} {limits} ({kappa.n} pairs)")


def show_disagreements(texts: Sequence[Compared]) -> None:
    """Prints every text that the two labelers see differently, with its stretches."""
    for text in texts:
        if text.same_letters and text.same_number:
            continue
        facts = "same groups of facts" if text.same_facts else "other groups of facts"
        print(f"\n{text.first.id} ({text.first.name}): {facts}")
        for who, labeled in (("first", text.first), ("second", text.second)):
            starts = [
                f"{'+'.join(map(str, s.individuals)) or '-'} at {s.start}"
                for s in labeled.stretches
            ]
            print(f"  {who:<7}{'sure' if labeled.sure else 'unsure':<7} {', '.join(starts)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=default_data())
    parser.add_argument("--disagreements", action="store_true", help="show each with its stretches")
    options = parser.parse_args()
    texts, absent = compared(options.data)
    if absent:
        print(f"{absent} labels left out: their texts are in the measurement data, not found here")
    several = [text for text in texts if text.first.individuals > 1]
    show_agreement("several people, to the first labeler", several)
    show_agreement("- both sure", [t for t in several if t.first.sure and t.second.sure])
    show_agreement(
        "one person, to the first labeler", [t for t in texts if t.first.individuals == 1]
    )
    show_agreement("all", texts)
    print(
        f"\n{'the built-in grouper':<32}{'n':>5}  {'exact number':<22}  {'same groups':<22}", end=""
    )
    print("  B-cubed F1")
    for title, wanted in (("several people", several), ("all", texts)):
        show(f"{title}, first labeler", [(t.first, outcome(t.first)) for t in wanted])
        show(f"{title}, second labeler", [(t.second, outcome(t.second)) for t in wanted])
    if options.disagreements:
        show_disagreements(texts)


if __name__ == "__main__":
    from running import run

    run(main)
