"""Fits the weights that tell whose passage it is, and writes them.

    python training/fit_owners.py --out dfactscore/_evidence/weights.json
    python training/fit_owners.py --folds

It learns from passages whose subject is known: the retrieved passages of the names of `data`, whole
and in parts, without titles, with titles, with documents and with bare titles; passages of the web
about people and things (`ramdocs`); and invented ones (`owner_cases.jsonl`).

Two models are fitted. The first weighs what two introductions share or differ in; a reason that
these data lack keeps its earlier weight (`owner_weights.json`), toward which all are drawn. The
second weighs, for each other passage, its relation to each bearer, the words that they share and
the chance that no passage introduces its bearer. With `--folds` each half of the names
is measured with the weights of the other.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / part) for part in ("training", "benchmarks", "")]

import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402
from running import default_data  # noqa: E402
from scipy.optimize import minimize  # noqa: E402
from verifier_data import fold_of, read  # noqa: E402

from dfactscore._evidence import clusters, relations  # noqa: E402
from dfactscore._evidence.asked_name import asked_name  # noqa: E402
from dfactscore._evidence.owners import with_owners  # noqa: E402
from dfactscore._records import Biography  # noqa: E402
from dfactscore.retrieval import Passage  # noqa: E402

HERE = Path(__file__).parent
DESCRIPTION = "word of the description"
PLACING = ("relation", "clear relation", "shared words", "fields")
BEARS = ("subject", "title", "mention", "short", "pronoun", "no")
FIRM, FREE = 0.004, 0.0002  # penalties, per pair of passages and per passage
SHARES = {"web": 1.5, "documents": 0.8, "bare": 0.3, "titles": 0.3}  # weights of kinds of texts
Floats = NDArray[np.float64]
Placed = tuple[Floats, Floats, NDArray[np.bool_], float]
Owned = tuple[str, Passage]  # its true subject, and a passage


@dataclass(frozen=True)
class Answer:
    """Passages about one name, with their subjects."""

    name: str
    kind: str
    passages: Sequence[Owned]


def parts(text: str, count: int) -> list[str]:
    """Splits a text into parts of as many words."""
    words = text.split()
    size = max(1, -(-len(words) // count))
    return [" ".join(words[at : at + size]) for at in range(0, len(words), size)]


def without_heading(title: str, text: str) -> str:
    return re.sub(re.escape(title) + r" (?=[\w\"“])(?=[^a-z])", "", text, count=1)


def retrieved(data: Path) -> Iterator[Answer]:
    """Yields the retrieved passages of each name in several forms."""
    by_name: dict[str, dict[tuple[str, str], None]] = defaultdict(dict)
    for row in read(data / "dfactscore" / "passages.jsonl"):
        by_name[row["name"]][row["title"], row["text"]] = None
    forms: Mapping[str, tuple[int, Callable[[str, str], Passage]]] = {
        "whole": (1, lambda title, text: Passage("", text)),
        "halves": (2, lambda title, text: Passage("", text)),
        "thirds": (3, lambda title, text: Passage("", without_heading(title, text))),
        "titles": (3, lambda title, text: Passage(title, text)),
        "documents": (3, lambda title, text: Passage("", text, source=title)),
        "bare": (3, lambda title, text: Passage(title.partition(" (")[0], text, source=title)),
    }
    for name, documents in by_name.items():
        for kind, (count, passage) in forms.items():
            owned = [(t, passage(t, part)) for t, x in documents for part in parts(x, count)]
            yield Answer(name, kind, owned)


def of_web(data: Path) -> Iterator[Answer]:
    """Yields passages of the web: those with one answer to a question are about one entity."""
    for row in read(data / "ramdocs" / "odd.jsonl"):
        titles = [re.sub(r"\s*\([^)]*\)", "", title).strip() for title in row["disambig_entity"]]
        short = [title.partition(", ")[0] for title in titles]
        chosen = short if len(set(short)) < len(set(titles)) else titles
        name = Counter(chosen).most_common(1)[0][0]
        documents = [d for d in row["documents"] if d["type"] == "correct"]
        owned = [
            (re.sub(r"\W+", " ", d["answer"].casefold()).strip(), Passage("", d["text"]))
            for d in documents
        ]
        yield Answer(name, "web", owned)


def invented() -> Iterator[Answer]:
    """Yields the invented passages without titles, with documents and with bare titles."""
    for row in read(HERE / "owner_cases.jsonl"):
        name = row["name"]
        texts = [(str(n), text) for n, own in enumerate(row["bearers"]) for text in own]
        yield Answer(name, "halves", [(n, Passage("", text)) for n, text in texts])
        yield Answer(name, "documents", [(n, Passage("", text, source=n)) for n, text in texts])
        yield Answer(name, "bare", [(n, Passage(name, text, source=n)) for n, text in texts])


def use(weights: Mapping[str, Any]) -> None:
    """Makes the package use some weights."""
    for module in (relations, clusters):
        module.WEIGHTS = weights["reasons"]  # type: ignore[attr-defined]
        module.PLACING = tuple(weights["placing"].values())  # type: ignore[attr-defined]
        module.UNSEEN = weights["unseen"]  # type: ignore[attr-defined]


def pairs_of(answers: Iterable[Answer]) -> Iterator[tuple[Counter[str], bool, float]]:
    """Yields the reasons in each pair of introductions, and whether both have one subject."""
    for answer in answers:
        truth, passages = zip(*answer.passages, strict=True) if answer.passages else ((), ())
        reading = clusters.read_passages(asked_name(answer.name), passages)
        for a, b in combinations(reading.heads, 2):
            reasons = Counter(reading.related(a, b).reasons)
            reasons[DESCRIPTION] = relations.described_alike(a, b)  # type: ignore[assignment]
            yield reasons, truth[a.passage] == truth[b.passage], SHARES.get(answer.kind, 1.0)


def placed_of(
    answers: Iterable[Answer],
) -> Iterator[Placed]:
    """Yields the evidence of each passage for each bearer, and which of them it is about."""
    for answer in answers:
        truth, passages = zip(*answer.passages, strict=True) if answer.passages else ((), ())
        reading = clusters.read_passages(asked_name(answer.name), passages)
        found = clusters.introduced(reading).bearers
        if not found:
            continue
        counts = [Counter(truth[c.passage] for c in b.members) for b in found]
        subjects = [count.most_common(1)[0][0] for count in counts]
        words = [frozenset().union(*(c.content for c in b.compared)) for b in found]
        for clues in (*reading.rest, *reading.loose):
            evidence = clusters.evidence(clues, found, words, reading.related)
            table = np.array([one.parts for one in evidence])
            own = np.array([subject == truth[clues.passage] for subject in subjects])
            place = np.zeros((len(BEARS), 2, 2))
            length = np.log1p(len(clues.content))
            place[BEARS.index(clues.bears), min(len(found), 2) - 1] = 1, length
            yield table, place.ravel(), own, SHARES.get(answer.kind, 1.0)


def fit_reasons(
    pairs: Sequence[tuple[Counter[str], bool, float]], earlier: Mapping[str, float]
) -> dict[str, float]:
    """Fits the weights of reasons by logistic regression, drawn toward the earlier ones."""
    names = list(earlier)
    table = np.array([[reasons[name] for name in names] for reasons, _, _ in pairs], dtype=float)
    labels = np.array([same for _, same, _ in pairs], dtype=float)
    shares = np.array([share for _, _, share in pairs])
    start = np.array([earlier[name] for name in names])
    # A reason for one bearer never becomes one against it.
    bounds = [(0.0, None) if value > 0 else (None, 0.0) for value in start]

    def loss(weights: Floats) -> tuple[float, Floats]:
        odds = table @ weights
        slope = table.T @ (shares * (1 / (1 + np.exp(-odds)) - labels)) / len(pairs)
        moved = weights - start
        lost = np.sum(shares * (np.logaddexp(0, odds) - labels * odds)) / len(pairs)
        return lost + FIRM * moved @ moved / 2, slope + FIRM * moved

    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x
    return {name: round(float(value), 2) for name, value in zip(names, found, strict=True)}


def fit_placing(
    placed: Sequence[Placed],
) -> tuple[dict[str, float], dict[str, list[list[float]]]]:
    """Fits the weights of evidence and the odds of an unseen bearer by a multinomial model."""
    size = len(PLACING)

    def loss(weights: Floats) -> tuple[float, Floats]:
        lost, slope = 0.0, np.zeros_like(weights)
        for table, place, own, share in placed:
            odds = np.append(table @ weights[:size], place @ weights[size:])
            shares = np.exp(odds - odds.max())
            shares /= shares.sum()
            right = shares * np.append(own, not own.any())
            lost -= share * np.log(max(right.sum(), 1e-12))
            step = share * (shares - right / max(right.sum(), 1e-12))
            slope[:size] += table.T @ step[:-1]
            slope[size:] += place * step[-1]
        count = len(placed)
        return lost / count + FREE * weights @ weights, slope / count + 2 * FREE * weights

    found = minimize(loss, np.zeros(size + 4 * len(BEARS)), jac=True, method="L-BFGS-B").x
    odds = found[size:].reshape(len(BEARS), 2, 2).round(2).tolist()
    unseen = dict(zip(BEARS, odds, strict=True))
    return dict(zip(PLACING, found.round(2).tolist(), strict=False)), unseen


def fit(answers: Sequence[Answer]) -> dict[str, Any]:
    """Fits both models."""
    earlier = json.loads((HERE / "owner_weights.json").read_text())
    weights: dict[str, Any] = {
        "reasons": earlier,
        "placing": dict.fromkeys(PLACING, 1.0),
        "unseen": {name: [[0.0, 0.0]] * 2 for name in BEARS},
    }
    use(weights)
    weights["reasons"] = fit_reasons(list(pairs_of(answers)), earlier)
    use(weights)
    weights["placing"], weights["unseen"] = fit_placing(list(placed_of(answers)))
    return weights


def joins(answers: Iterable[Answer]) -> Counter[tuple[bool, bool]]:
    """Counts pairs of passages by whether they have one subject and are put together."""
    counts: Counter[tuple[bool, bool]] = Counter()
    for answer in answers:
        passages = tuple(passage for _, passage in answer.passages)
        owners = with_owners(Biography("0", answer.name, "x", passages=passages)).owners
        sure: dict[int, set[str]] = defaultdict(set)
        for text in owners.texts if owners else ():
            sure[text.passage].update(text.owners if text.certain else ())
        for i, j in combinations(range(len(passages)), 2):
            same = answer.passages[i][0] == answer.passages[j][0]
            counts[same, bool(sure[i] & sure[j])] += 1
    return counts


def measure(answers: Sequence[Answer]) -> None:
    """Prints the shares of wrong joins and of joined passages by kind."""
    for kind in dict.fromkeys(answer.kind for answer in answers):
        counts = joins(answer for answer in answers if answer.kind == kind)
        apart, together = (counts[same, True] + counts[same, False] for same in (False, True))
        print(
            f"{kind:10} wrong joins {counts[False, True] / max(1, apart):.4f} of {apart}, "
            f"joined {counts[True, True] / max(1, together):.3f} of {together}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=default_data())
    parser.add_argument("--out", type=Path)
    parser.add_argument("--folds", action="store_true")
    args = parser.parse_args()
    answers = [*retrieved(args.data), *of_web(args.data), *invented()]
    if args.folds:
        for half in (0, 1):
            use(fit([answer for answer in answers if fold_of(answer.name) % 2 != half]))
            print(f"names of half {half}, weights of the other")
            measure([answer for answer in answers if fold_of(answer.name) % 2 == half])
    if args.out:
        args.out.write_text(json.dumps(fit(answers), indent=1) + "\n")
        print(args.out.read_text())


if __name__ == "__main__":
    from running import run

    run(main)
