"""Scores of invented texts of which every sentence is known to be true or false; needs no data.

    python benchmarks/known_truth.py                 all parts, with the wanted limits
    python benchmarks/known_truth.py near            one part

People, pages, sentences and events are invented and written for this project (`data/known_truth/`).
No text was changed after a score was seen. Each text is scored end to end by the built-in engine.
Its truth is the share of the facts found that come from sentences that the evidence states. Of a
text that tells two people as one, D-FS is the larger person's share. The parts:

- models: three invented models tell of 20 names with two pages each. One is right and tells the two
  people apart, with few errors; one mixes them, two thirds to one; one adds five false sentences to
  four true ones.
- doses: a stranger's sentences under the target name, against three kinds of evidence.
- lengths: the same texts on a page that grows with prose about other things.
- nothing: true texts against a sentence about a river, and false texts against their own page.
- paraphrases: forty true sentences in new words, as texts of 5, 10, 20 and 40 sentences.
- near: an event that nearly happened (nominated, acquitted, runner-up), in a sentence that says it
  did and in a true one. The judge cannot see most of the false ones; the part has no limit.

Both counts are printed: `expected` adds probabilities, `verdicts` counts supported facts. Intervals
(95 %) resample names. The exit status is 1 if the default count is outside a limit.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from intervals import interval
from numpy.typing import NDArray

from dfactscore import Biography, Result, Scorer
from dfactscore.retrieval import Passage
from dfactscore.retrieval._documents import split_text

FOLDER = Path(__file__).with_name("data") / "known_truth"
RIVER = Passage("Orme (river)", "The Orme rises in the Grauer hills and is 84 kilometers long.")
LENGTHS = (150, 500, 600, 2000)  # words; pages of more than 550 words are judged as whole pages
SIZES = (5, 10, 20, 40)  # sentences of a paraphrased text
COUNTS = ("expected", "verdicts")
FALSE = ""  # the mark of a sentence that no page states

Sentence = tuple[str, str]  # a sentence, and the title of the page that states it or FALSE
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """A text with its marks and evidence."""

    kind: str  # the model, the evidence and dose, or the size
    name: str
    sentences: tuple[Sentence, ...]
    evidence: tuple[Passage, ...]
    breaks: frozenset[int] = frozenset()  # sentences that begin a paragraph

    @property
    def text(self) -> str:
        """The sentences as a text."""
        parts = [
            ("" if not i else "\n\n" if i in self.breaks else " ") + sentence
            for i, (sentence, _) in enumerate(self.sentences)
        ]
        return "".join(parts)

    def mark(self, span: tuple[int, int] | None) -> str:
        """The mark of the sentence in which a fact's span begins."""
        assert span is not None, f"a fact of {self.name} has no span"
        place = 0
        for sentence, mark in self.sentences:
            place = self.text.index(sentence, place) + len(sentence)
            if span[0] < place:
                return mark
        raise AssertionError(f"a span of {self.name} is outside its text: {span}")


@dataclass(frozen=True)
class Figures:
    """True and measured scores of cases, one row per case; columns are FS and D-FS."""

    names: list[str]
    truth: Array
    expected: Array
    verdicts: Array
    facts: Array


@dataclass(frozen=True)
class Figure:
    """A printed line: a statistic of each count, and the limits of the default one."""

    title: str
    expected: float
    verdicts: float
    low: float = -np.inf
    high: float = np.inf
    detail: str = ""

    @property
    def holds(self) -> bool:
        """Whether the default count is within the limits."""
        return self.low <= self.expected <= self.high

    def __str__(self) -> str:
        wanted = (
            (f"≥ {self.low:g}" if np.isfinite(self.low) else "")
            + (" and " if np.isfinite(self.low) and np.isfinite(self.high) else "")
            + (f"≤ {self.high:g}" if np.isfinite(self.high) else "")
        )
        return (
            f"{self.title:54} {self.expected:8.3f} {self.verdicts:9.3f}  {wanted or '–':8}"
            f"{'' if self.holds else ' MISSED':7} {self.detail}"
        ).rstrip()


@cache
def rows(name: str) -> list[Any]:
    lines = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def page(row: Mapping[str, Any], words: int = 0, first: int = 0) -> Passage:
    """A person's page, made longer up to a number of words by prose about other things."""
    text = row["page"]
    prose = rows("surroundings")
    number = first
    while (missing := words - len(text.split())) > 0:
        text += " " + " ".join(prose[number % len(prose)].split()[:missing])
        number += 1
    return Passage(row["title"], text)


def passages(row: Mapping[str, Any], first: int) -> tuple[Passage, ...]:
    """A person's page of 300 words in passages of 100."""
    return tuple(Passage(row["title"], part) for part in split_text(page(row, 300, first).text))


def told(row: Mapping[str, Any]) -> list[Sentence]:
    return [(sentence, row["title"]) for sentence in row["told"]]


def lies(row: Mapping[str, Any]) -> list[Sentence]:
    return [(sentence, FALSE) for sentence in row["lies"]]


def people() -> Iterator[tuple[Any, Any]]:
    """The two people of each name; the first one has false sentences, too."""
    every = rows("people")
    return zip(every[::2], every[1::2], strict=True)


def strangers(number: int) -> list[Sentence]:
    """Returns the sentences of another name's first person, with this name."""
    every = list(people())
    (own, _), (other, _) = every[number], every[(number + 2) % len(every)]
    names = [(other["name"], own["name"])]
    names.append((other["name"].split()[-1], own["name"].split()[-1]))
    found = []
    for sentence in other["told"]:
        for old, new in names:
            sentence = sentence.replace(old, new)
        found.append((sentence, FALSE))
    return found


def models() -> list[Case]:
    cases = []
    for number, (a, b) in enumerate(people()):
        evidence = (page(a), page(b))
        another = [(f"Another {b['told'][0]}", b["title"]), *told(b)[1:]]
        error = lies(a)[:1] if number % 2 else []
        right = [*told(a), *error, *another]
        mixed = [told(x)[i] for x, i in ((a, 0), (a, 1), (b, 1), (a, 2), (a, 3), (b, 2), (a, 4),
                                         (a, 5), (b, 3))]  # fmt: skip
        lying = [*told(a)[:4], *lies(a)]
        breaks = frozenset([len(right) - len(another)])
        cases.append(Case("right", a["name"], tuple(right), evidence, breaks))
        cases.append(Case("mixing", a["name"], tuple(mixed), evidence))
        cases.append(Case("lying", a["name"], tuple(lying), evidence))
    return cases


def evidence_kinds(row: Mapping[str, Any], number: int) -> dict[str, tuple[Passage, ...]]:
    return {
        "a short page": (page(row),),
        "passages": passages(row, number),
        "a long page": (page(row, 2000, number),),
    }


def doses() -> list[Case]:
    cases = []
    for number, (a, _) in enumerate(people()):
        own, foreign = told(a), strangers(number)
        for dose in (0, 25, 50, 75, 100):
            k = len(own) * dose // 100
            text = (*own[: len(own) - k], *foreign[:k])
            for kind, evidence in evidence_kinds(a, number).items():
                cases.append(Case(f"{kind}: {dose}", a["name"], text, evidence))
    return cases


def lengths() -> list[Case]:
    cases = []
    for number, (a, _) in enumerate(people()):
        own = told(a)
        for words in LENGTHS:
            evidence = (page(a, words, number),)
            cases.append(Case(f"{words} true", a["name"], tuple(own), evidence))
            half = (*own[:4], *strangers(number)[:4])
            cases.append(Case(f"{words} half", a["name"], half, evidence))
    return cases


def nothing() -> list[Case]:
    cases = []
    for a, _ in people():
        away = tuple((sentence, FALSE) for sentence, _ in told(a))
        cases.append(Case("river", a["name"], away, (RIVER,)))
        cases.append(Case("lies", a["name"], tuple(lies(a)), (page(a),)))
    return cases


def paraphrases() -> list[Case]:
    cases = []
    for row in rows("paraphrases"):
        evidence = (Passage(row["title"], " ".join(row["page"])),)
        sentences = told(row)
        for size in SIZES:
            for start in range(0, len(sentences), size):
                (first, mark), *others = sentences[start : start + size]
                part = ((named(first, row["name"]), mark), *others)
                cases.append(Case(str(size), row["name"], part, evidence))
    return cases


def named(sentence: str, name: str) -> str:
    """Puts the name in the place of a pronoun that begins a sentence."""
    sentence = re.sub(r"^(He|She) ", f"{name} ", sentence)
    return re.sub(r"^(His|Her) ", f"{name}'s ", sentence)


def near() -> list[Case]:
    cases = []
    for row in rows("near_events"):
        evidence = (Passage(row["name"], row["page"]),)
        cases.append(Case("false", row["name"], ((row["false"], FALSE),), evidence))
        cases.append(Case("true", row["name"], ((row["true"], row["name"]),), evidence))
    return cases


def measure(cases: Sequence[Case], scorer: Scorer) -> dict[str, Figures]:
    """Scores cases; returns the figures by kind."""
    biographies = [
        Biography(f"{i} {case.kind}", case.name, case.text, passages=case.evidence)
        for i, case in enumerate(cases)
    ]
    results = scorer.score_many(biographies)
    found: dict[str, list[tuple[Case, Result]]] = {}
    for case, result in zip(cases, results, strict=True):
        assert result.scores is not None, f"{case.name}, {case.kind}: {result.reason}"
        found.setdefault(case.kind, []).append((case, result))
    return {kind: figures_of(pairs) for kind, pairs in found.items()}


def figures_of(pairs: Sequence[tuple[Case, Result]]) -> Figures:
    truth, expected, verdicts, facts = [], [], [], []
    for case, result in pairs:
        scores = result.scores
        assert scores is not None
        assert None not in (scores.fs, scores.dfs), case
        marks = [case.mark(fact.span) for fact in result.record.facts]
        truth.append([np.mean([mark != FALSE for mark in marks]), true_dfs(case, marks)])
        expected.append([scores.fs, scores.dfs])
        verdicts.append([scores.fs_verdicts, scores.dfs_verdicts])
        facts.append(len(marks))
    columns = (np.array(column, dtype=float) for column in (truth, expected, verdicts, facts))
    return Figures([case.name for case, _ in pairs], *columns)


def true_dfs(case: Case, marks: Sequence[str]) -> float:
    """Returns the share of one person's facts; of all people's if each has a paragraph."""
    kinds = {mark for mark in marks if mark != FALSE}
    shares = [np.mean([mark == kind for mark in marks]) for kind in kinds]
    return float((sum if case.breaks else max)(shares)) if shares else 0.0


def both(
    title: str,
    of: Callable[[Array], float],
    figures: Figures,
    low: float = -np.inf,
    high: float = np.inf,
) -> Figure:
    """A statistic of the rows of each count, with the interval of the default one over names."""
    bounds = interval(figures.names, lambda i: of(figures.expected[i]))
    detail = f"[{bounds[0]:.3f}, {bounds[1]:.3f}]"
    return Figure(title, of(figures.expected), of(figures.verdicts), low, high, detail)


def mean(column: int = 0) -> Callable[[Array], float]:
    return lambda values: float(np.mean(values[:, column]))


def report_models(found: Mapping[str, Figures]) -> Iterator[Figure]:
    worst = np.zeros(2)
    for column, label in enumerate(("FS", "D-FS")):
        for kind, figures in found.items():
            truth = float(figures.truth[:, column].mean())
            figure = both(f"{kind}: {label}, truth {truth:.3f}", mean(column), figures)
            yield figure
            errors = [figure.expected - truth, figure.verdicts - truth]
            worst = np.maximum(worst, np.abs(errors))
    yield Figure("three models: worst error", *worst, high=0.08)
    shares = []
    for count in COUNTS:
        right, mixing, lying = (getattr(found[kind], count)[:, 1] for kind in found)
        names = next(iter(found.values())).names
        draws: list[float] = []

        def ordered(i: NDArray[np.intp], r: Array = right, m: Array = mixing, s: Array = lying,
                    kept: list[float] = draws) -> float:  # fmt: skip
            kept.append(float(np.mean(r[i]) > np.mean(m[i]) > np.mean(s[i])))
            return kept[-1]

        interval(names, ordered)
        shares.append(float(np.mean(draws)))
    yield Figure("three models: draws of names in the right order", *shares, low=0.95)


def report_doses(found: Mapping[str, Figures]) -> Iterator[Figure]:
    for evidence in dict.fromkeys(kind.split(": ")[0] for kind in found):
        parts = [figures for kind, figures in found.items() if kind.startswith(evidence)]
        for part, dose in zip(parts, (0, 25, 50, 75, 100), strict=True):
            limits = {100: (-np.inf, 0.06)}.get(dose, (-np.inf, np.inf))
            title = f"{evidence}, {dose} % a stranger's: FS, truth {part.truth[:, 0].mean():.3f}"
            yield both(title, mean(), part, *limits)
        whole = Figures(
            [name for part in parts for name in part.names],
            *(
                np.concatenate([getattr(part, field) for part in parts])
                for field in ("truth", "expected", "verdicts", "facts")
            ),
        )
        x = whole.truth[:, 0]
        slopes = [_slope(x, getattr(whole, count)[:, 0]) for count in COUNTS]
        bounds = interval(whole.names, lambda i, x=x, w=whole: _slope(x[i], w.expected[i, 0]))
        detail = f"[{bounds[0]:.3f}, {bounds[1]:.3f}]"
        yield Figure(f"{evidence}: slope on truth", *slopes, low=0.88, detail=detail)
        biases = [float((getattr(whole, count)[:, 0] - x).mean()) for count in COUNTS]
        yield Figure(f"{evidence}: bias", *biases)


def _slope(x: Array, y: Array) -> float:
    return float(np.polyfit(x, y, 1)[0])


def report_lengths(found: Mapping[str, Figures]) -> Iterator[Figure]:
    for share in ("true", "half"):
        parts = [found[f"{words} {share}"] for words in LENGTHS]
        for words, part in zip(LENGTHS, parts, strict=True):
            truth = part.truth[:, 0].mean()
            yield both(f"page of {words} words: FS, truth {truth:.3f}", mean(), part)
        below, above = parts[1:3]
        steps = [
            abs(mean()(getattr(above, count)) - mean()(getattr(below, count))) for count in COUNTS
        ]
        title = f"step from {LENGTHS[1]} to {LENGTHS[2]} words, {share} texts"
        yield Figure(title, *steps, high=0.03)


def report_nothing(found: Mapping[str, Figures]) -> Iterator[Figure]:
    yield both("true texts against a river: FS, truth 0", mean(), found["river"], high=0.04)
    yield both("false texts against their page: FS, truth 0", mean(), found["lies"])


def report_paraphrases(found: Mapping[str, Figures]) -> Iterator[Figure]:
    for size in SIZES:
        part = found[str(size)]
        title = f"{size} true paraphrases ({part.facts.mean():.0f} facts): FS, truth 1"
        yield both(title, mean(), part, low=0.75)
    first, last = found[str(SIZES[0])], found[str(SIZES[-1])]
    falls = [mean()(getattr(first, count)) - mean()(getattr(last, count)) for count in COUNTS]
    yield Figure(f"fall from {SIZES[0]} to {SIZES[-1]} sentences", *falls, high=0.05)


def report_near(found: Mapping[str, Figures]) -> Iterator[Figure]:
    yield both("near events: false sentences, FS, truth 0", mean(), found["false"])
    yield both("near events: true sentences, FS, truth 1", mean(), found["true"])


PARTS: Mapping[str, tuple[Callable[[], list[Case]], Callable[..., Iterator[Figure]]]] = {
    "models": (models, report_models),
    "doses": (doses, report_doses),
    "lengths": (lengths, report_lengths),
    "nothing": (nothing, report_nothing),
    "paraphrases": (paraphrases, report_paraphrases),
    "near": (near, report_near),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}: there are {', '.join(PARTS)}")
    scorer = Scorer()
    missed = 0
    print(f"{'':54} expected  verdicts  wanted (of expected)")
    for name in options.parts or PARTS:
        cases, report = PARTS[name]
        for figure in report(measure(cases(), scorer)):
            print(figure, flush=True)
            missed += not figure.holds
        print()
    print(f"{missed} outside the limits")
    return int(missed > 0)


if __name__ == "__main__":
    from running import run

    run(main)
