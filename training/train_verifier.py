"""Trains the built-in verifier and writes its coefficients.

    python training/train_verifier.py --out dfactscore/engines/_builtin/verify/verifier.json
    python training/train_verifier.py --folds-out runs/folds

It learns from `nli_pairs` and `fact_entity_pairs` (joined with `passages`), from pairs made of
these: supported facts against another page of the same name, supported facts changed in one place
(`contrast.py`), both also on pages made longer with other people's passages; and from people's
labels of other texts (`human_labels.py`). With `--folds-out` it writes one model for each of five
folds of names, trained on the other four, and `folds.json` (name → model file), so that every name
can be scored by a model that never saw its labels. The rarities of words are counted once, over the
passages of all names, and so are the features, of which a fold takes its rows.

Three models are fitted. The first stage sees how many of a fact's words the page holds. The unit
model sees, for each name, date, number and word, its place among the others, and learns which
word of a changed fact is wrong. The second stage sees both, for the facts that the first lets
through; what it learns from is computed by inner folds, as are calibration and thresholds
(`verifier_thresholds.py`).
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")
ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / part) for part in ("training", "benchmarks", "")]

import numpy as np  # noqa: E402
from boosting import Settings, fit, fit_logistic  # noqa: E402
from contrast import HARD, contrast_pairs  # noqa: E402
from human_labels import HUMAN_WEIGHTS, human_pairs  # noqa: E402
from padding import padded  # noqa: E402
from running import default_data  # noqa: E402
from verifier_data import (  # noqa: E402
    FOLDS,
    KINDS,
    Documents,
    Pair,
    fold_of,
    group_of,
    known_names,
    load_pairs,
    pages,
)
from verifier_thresholds import balanced_accuracies, calibrate, choose_thresholds  # noqa: E402

from dfactscore.engines._builtin.language.tokens import token, words  # noqa: E402
from dfactscore.engines._builtin.verify.binding import UNIT_FEATURES, Bound, bind  # noqa: E402
from dfactscore.engines._builtin.verify.claims import prepare_claims  # noqa: E402
from dfactscore.engines._builtin.verify.features import FEATURES, align  # noqa: E402
from dfactscore.engines._builtin.verify.model import FORMAT  # noqa: E402
from dfactscore.engines._builtin.verify.premise import prepare_premise  # noqa: E402
from dfactscore.engines._builtin.verify.summary import BOUND, SORTS, summarize_units, worst_sort  # noqa: E402

WEIGHTS = {"fact_entity": 1.0, "nli": 1.0, "wrong_page": 0.2, "contrast": 0.2}
# Of the changes that words alone show; the first stage sees only these, and only on short pages.
PLAIN_CHANGES = {
    "role not there": 0.2,
    "year not there": 0.15,
    "given name": 0.15,
    "negation": 0.04,
    "birth and death": 0.04,
}
PADDED_WEIGHT = 0.35  # of what the pair weighs on its own page
PADDED_SHARE = 0.2  # of the other pairs; fact–entity pairs are all padded
# Of what another sort of contrast pair weighs: these teach the units which word is wrong, and are
# too close to the truth for the second stage, which would doubt true facts with them.
HARD_WEIGHT = {"units": 0.4, "second": 0.0}
GATE = 0.35  # of the first stage, from which the second decides
INNER_FOLDS = 4  # whose answers the second stage learns from
SECOND_INNER_FOLDS = 2  # whose answers calibration and thresholds are chosen by
SECOND_COLUMNS = (*FEATURES, *BOUND)
# A quarter of the first stage's log-odds is plain logistic regression on these: smoother where
# data are thin.
LINEAR_SHARE = 0.25
# The second stage counts by these shares: changed facts are rarer in real texts than here, and
# a word far from its event is often a paraphrase, a name at times, a number seldom.
SHARES = {"number": 1.0, "name": 0.85, "word": 0.6}
LINEAR = (
    "key_all",
    "key_idf",
    "best_idf",
    "two_idf",
    "missing_all",
    "missing_numbers",
    "missing_caps",
    "pairs",
    "triples",
    "role_conflict",
    "role_swapped",
    "head_missing",
    "name_far",
)


@dataclass(frozen=True)
class Sizes:
    """Settings of the three models."""

    first: Settings
    units: Settings
    second: Settings


def sizes(trees: int, seed: int) -> Sizes:
    return Sizes(
        Settings(trees, depth=5, seed=seed),
        Settings(trees * 5 // 3, depth=7, seed=seed + 1),
        Settings(trees, columns=0.4, l2=8.0, bags=2, seed=seed + 2),
    )


def idf_table(source: dict[str, dict[str, Documents]], names: set[str]) -> dict[str, float]:
    """Inverse document frequency of the lower-case words of the training names' passages."""
    texts = [
        text for name in sorted(names) for docs in source.get(name, {}).values() for _, text in docs
    ]
    counts: Counter[str] = Counter()
    for text in texts:
        forms = {form for form in words(text) if not form[0].isupper()}
        counts.update({token(form).key for form in forms if token(form).kind == 1})
    return {
        key: round(float(np.log(len(texts) / count)), 1)
        for key, count in sorted(counts.items())
        if count >= 4 and key.isascii()
    }


@dataclass(frozen=True)
class Computed:
    """Features of pairs: of the facts, and of their units, whose `owner` is the pair."""

    table: np.ndarray
    units: np.ndarray
    owner: np.ndarray
    sort: np.ndarray
    wrong: np.ndarray

    def only(self, rows: np.ndarray) -> Computed:
        """Keeps the values of the pairs that a mask selects."""
        units = rows[self.owner]
        places = np.cumsum(rows) - 1
        return Computed(
            self.table[rows],
            self.units[units],
            places[self.owner[units]],
            self.sort[units],
            self.wrong[units],
        )

    def summary(self, values: np.ndarray, first: np.ndarray) -> np.ndarray:
        """The second stage's features."""
        bound = Bound(self.units, self.owner, self.sort, self.owner, self.owner)
        return np.hstack([self.table, summarize_units(bound, values, first)])


def compute(pairs: Sequence[Pair], idf: dict[str, float]) -> Computed:
    """Features of all pairs."""
    groups: dict[tuple[str, Documents], list[int]] = defaultdict(list)
    for number, pair in enumerate(pairs):
        groups[pair.name, pair.documents].append(number)
    table = np.zeros((len(pairs), len(FEATURES)), dtype=np.float32)
    units, owners, sorts, wrong = [], [], [], []
    by_documents: dict[Documents, Any] = {}
    for (name, documents), numbers in groups.items():
        premise = by_documents.get(documents)
        if premise is None:
            premise = by_documents[documents] = prepare_premise(documents)
            if len(by_documents) > 50:
                by_documents.clear()
        for start in range(0, len(numbers), 64):
            part = numbers[start : start + 64]
            claims = prepare_claims([pairs[i].fact for i in part], name, idf)
            aligned = align(claims, [premise])
            table[part] = aligned.table
            bound = bind(claims, [premise], aligned, np.arange(len(part)))
            units.append(bound.table)
            owners.append(np.array(part)[bound.owner])
            sorts.append(bound.sort)
            begins, sizes = claims.units.around[0], claims.units.sizes
            for unit, own in zip(bound.units, bound.owner, strict=True):
                bad = pairs[part[own]].wrong
                wrong.append(
                    bool(bad)
                    and any(
                        claims.keys[i] in bad
                        for i in claims.place[begins[unit] : begins[unit] + sizes[unit]]
                    )
                )
    owner = np.concatenate(owners)
    order = np.argsort(owner, kind="stable")
    return Computed(
        table,
        np.concatenate(units)[order],
        owner[order],
        np.concatenate(sorts)[order],
        np.array(wrong, dtype=bool)[order],
    )


def weights_of(pairs: Sequence[Pair], *, made: bool = True, hard: float = 0.0) -> np.ndarray:
    """Returns the weight of each pair; sorts of contrast pairs by the root of their number.

    An original counts as often as a changed fact was made of it, at the same weight. Without the
    made ones, the labels of the two sets, the wrong pages and `PLAIN_CHANGES` are what is left.
    """
    counts = Counter(pair.sort for pair in pairs if pair.kind == 3)
    by_sort = {
        s: WEIGHTS["contrast"] * min(1.5, (300 / n) ** 0.5) * (hard if s in HARD else 1.0)
        for s, n in counts.items()
    }
    extra: Counter[tuple[str, str, Documents]] = Counter()
    for pair in pairs:
        if pair.kind == 4:
            extra[pair.name, pair.fact, pair.documents] += by_sort.get(pair.sort, 0.0)
    found = []
    for pair in pairs:
        if pair.kind == 3:
            weight = by_sort[pair.sort] if made else PLAIN_CHANGES.get(pair.sort, 0.0)
            if not made and pair.own.endswith(_PADDED):
                weight = 0.0
        elif pair.kind == 4:
            weight = 0.0
        elif pair.kind == 5:
            weight = HUMAN_WEIGHTS[pair.sort] if made else 0.0
        else:
            weight = WEIGHTS[KINDS[pair.kind]]
            if made and pair.label and pair.kind < 2:
                weight += extra[pair.name, pair.fact, pair.documents]
        if len(pair.own) and pair.own.endswith(_PADDED):
            weight *= PADDED_WEIGHT
        found.append(weight)
    return np.array(found)


_PADDED = "\n(padded)"


def lengthened(
    pairs: Sequence[Pair], source: dict[str, dict[str, Documents]], seed: int
) -> list[Pair]:
    """The fact–entity, wrong-page and some other pairs on longer pages, one length for a page."""
    found = []
    for pair in pairs:
        if pair.kind in (4, 5) or (not pair.title and pair.kind == 3):
            continue
        chance = random.Random(f"{seed} {pair.name} {pair.title or pair.fact}")
        if pair.kind == 1 and chance.random() > PADDED_SHARE:
            continue
        length = int(2 ** chance.uniform(8, 12))
        if pair.kind == 3 and random.Random(f"{seed} {pair.fact}").random() > PADDED_SHARE * 2:
            continue
        longer = padded(pair, source, length)
        if longer is not pair:
            found.append(replace(longer, own=pair.own + _PADDED))
    return found


@dataclass(frozen=True)
class Fitted:
    """Log-odds = base + linear · features + the trees' values."""

    base: float
    linear: np.ndarray
    trees: list[Any]

    def log_odds(self, table: np.ndarray) -> np.ndarray:
        """Returns the log-odds of each row of features."""
        score = self.base + table @ self.linear
        columns = np.ascontiguousarray(table.T)
        for questions, values in self.trees:
            place = np.zeros(len(table), dtype=np.intp)
            for column, limit in questions:
                place = 2 * place + (columns[column] > np.float32(limit))
            score += np.array(values)[place]
        return score

    def record(self, names: Sequence[str]) -> dict[str, Any]:
        """Returns the stage as JSON data."""
        return {
            "base": self.base,
            "linear": {n: float(v) for n, v in zip(names, self.linear, strict=True) if v},
            "trees": [
                {"if": [[names[column], float(f"{limit:.6g}")] for column, limit in questions],
                 "add": values}
                for questions, values in self.trees
            ],
        }  # fmt: skip


def fit_trees(
    table: np.ndarray,
    labels: np.ndarray,
    weights: np.ndarray,
    settings: Settings,
    start: np.ndarray | None = None,
) -> Fitted:
    kept = weights > 0
    base, trees = fit(
        table[kept],
        labels[kept],
        weights[kept],
        settings,
        None if start is None else start[kept],
    )
    return Fitted(base, np.zeros(table.shape[1]), trees)


def fit_first(
    table: np.ndarray, labels: np.ndarray, weights: np.ndarray, settings: Settings
) -> Fitted:
    """Trees, and a share of plain logistic regression."""
    kept = weights > 0
    table, labels, weights = table[kept], labels[kept], weights[kept]
    base, trees = fit(table, labels, weights, settings)
    columns = [FEATURES.index(name) for name in LINEAR]
    intercept, slopes = fit_logistic(table[:, columns], labels, weights)
    linear = np.zeros(table.shape[1])
    linear[columns] = np.round(LINEAR_SHARE * slopes, 6)
    share = 1 - LINEAR_SHARE
    lighter = [(questions, [round(share * v, 4) for v in values]) for questions, values in trees]
    return Fitted(round(share * base + LINEAR_SHARE * intercept, 6), linear, lighter)


@dataclass(frozen=True)
class StageWeights:
    """The weight of each pair for each of the three models."""

    first: np.ndarray
    units: np.ndarray
    second: np.ndarray

    @classmethod
    def of(cls, pairs: Sequence[Pair], kept: np.ndarray) -> StageWeights:
        """Keeps the values of the pairs that a mask selects."""
        return cls(
            weights_of(pairs, made=False)[kept],
            weights_of(pairs, hard=HARD_WEIGHT["units"])[kept],
            weights_of(pairs, hard=HARD_WEIGHT["second"])[kept],
        )


@dataclass(frozen=True)
class Trained:
    """The three models, and what inner folds say of the training pairs."""

    first: Fitted
    units: Fitted
    second: Fitted
    calibration: dict[str, list[float]]
    thresholds: dict[str, float]


def fit_all(
    pairs: Sequence[Pair],
    computed: Computed,
    weights: StageWeights,
    size: Sizes,
) -> Trained:
    """Fits the three models; the later ones on what inner folds say by the earlier ones."""
    labels = np.array([pair.label for pair in pairs], dtype=np.int64)
    is_contrast = np.array([pair.kind == 3 for pair in pairs])
    base_kind = np.array([p.kind < 2 or p.sort == "fool" for p in pairs])
    teaches = (is_contrast[computed.owner] & computed.wrong) | (
        (labels == 1) & base_kind
    )[computed.owner]  # fmt: skip
    unit_labels = 1 - computed.wrong.astype(np.int64)
    unit_weights = np.where(teaches, weights.units[computed.owner], 0.0)

    order = {g: i for i, g in enumerate(sorted({group_of(pair) for pair in pairs}))}
    group = np.array([order[group_of(pair)] for pair in pairs])
    inner = group % INNER_FOLDS
    unit_inner = inner[computed.owner]
    first_out = np.zeros(len(pairs))
    units_out = np.zeros(len(computed.owner))
    for fold in range(INNER_FOLDS):
        out, rest = inner == fold, inner != fold
        model = fit_first(computed.table[rest], labels[rest], weights.first[rest], size.first)
        first_out[out] = model.log_odds(computed.table[out])
        out, rest = unit_inner == fold, unit_inner != fold
        model = fit_trees(computed.units[rest], unit_labels[rest], unit_weights[rest], size.units)
        units_out[out] = model.log_odds(computed.units[out])
    first = fit_first(computed.table, labels, weights.first, size.first)
    units = fit_trees(computed.units, unit_labels, unit_weights, size.units)

    table = computed.summary(units_out, first_out)
    passed = first_out >= np.log(GATE / (1 - GATE))
    share = np.array([SHARES[sort] for sort in SORTS])[worst_sort(table)]
    second_weights = np.where(passed, weights.second, 0.0)
    second_out = np.full(len(pairs), -9.0)
    inner = group % SECOND_INNER_FOLDS
    for fold in range(SECOND_INNER_FOLDS):
        out, rest = inner == fold, inner != fold
        model = fit_trees(
            table[rest], labels[rest], second_weights[rest], size.second, first_out[rest]
        )
        second_out[out] = first_out[out] + share[out] * model.log_odds(table[out])
    second = fit_trees(table, labels, second_weights, size.second, first_out)
    calibration, values = calibrate(pairs, first_out, second_out, passed)
    return Trained(first, units, second, calibration, choose_thresholds(pairs, values))


@dataclass(frozen=True)
class Material:
    """All pairs with what is made of them, and the features of those that are not originals.

    An original given again weighs on the pair that it repeats, so its features are not needed.
    """

    idf: dict[str, float]
    pairs: list[Pair]
    lengthened: np.ndarray
    used: np.ndarray
    computed: Computed

    def only(self, groups: set[str]) -> Material:
        """Returns the members of these groups."""
        inside = np.array([group_of(pair) in groups for pair in self.pairs])
        return Material(
            self.idf,
            [pair for pair, kept in zip(self.pairs, inside, strict=True) if kept],
            self.lengthened[inside],
            self.used[inside],
            self.computed.only(inside[self.used]),
        )


def prepare(pairs: Sequence[Pair], source: Any, names: set[str], seed: int) -> Material:
    """Makes the contrast pairs and the longer pages, and computes all features."""
    idf = idf_table(source, names)
    chosen = [*pairs, *contrast_pairs(list(pairs), seed)]
    plain = len(chosen)
    chosen += lengthened(chosen, source, seed)
    used = np.array([pair.kind != KINDS.index("original") for pair in chosen])
    computed = compute([p for p, inside in zip(chosen, used, strict=True) if inside], idf)
    return Material(idf, chosen, np.arange(len(chosen)) >= plain, used, computed)


def train(material: Material, size: Sizes) -> dict[str, Any]:
    """Trains on all of the material; returns the record that `write` writes."""
    chosen, kept, idf = material.pairs, material.used, material.idf
    plain = [p for p, longer in zip(chosen, material.lengthened, strict=True) if not longer]
    used = [pair for pair, inside in zip(chosen, kept, strict=True) if inside]
    found = fit_all(used, material.computed, StageWeights.of(chosen, kept), size)
    lines: dict[str, list[str]] = defaultdict(list)
    for key, value in idf.items():
        lines[f"{value:g}"].append(key)
    return {
        "format": FORMAT,
        "about": "Log-odds = base + linear · features + for each tree add[answers read as a "
        "binary number]; an answer is 1 where feature > limit. Three models: `first` of facts, "
        "`units` of their parts, `second`, added by `shares` to the first, of facts that the first "
        "gives at least the probability `gate`; each stage's log-odds are calibrated: "
        "probability = 1 / (1 + exp(-(a + b · x))).",
        "gate": GATE,
        "shares": SHARES,
        "calibration": found.calibration,
        "thresholds": found.thresholds,
        "training": {
            "names": len({pair.name for pair in chosen if pair.name}),
            "pairs": {kind: sum(p.kind == i for p in plain) for i, kind in enumerate(KINDS)
                      if i != 4},
            "contrast": dict(sorted(Counter(p.sort for p in plain if p.kind == 3).items())),
            "people": dict(sorted(Counter(p.sort for p in plain if p.kind == 5).items())),
            "lengthened": len(chosen) - len(plain),
            "weights": WEIGHTS
            | {"hard": HARD_WEIGHT, "first": PLAIN_CHANGES, "people": HUMAN_WEIGHTS}
            | {"lengthened": PADDED_WEIGHT},
            "settings": {name: vars(value) for name, value in vars(size).items()},
        },
        "first": found.first.record(FEATURES),
        "units": found.units.record(UNIT_FEATURES),
        "second": found.second.record(SECOND_COLUMNS),
        "idf": {value: " ".join(lines[value]) for value in sorted(lines, key=float)},
    }  # fmt: skip


def write(record: dict[str, Any], path: Path) -> None:
    """Writes the record with one tree a line, atomically."""
    parts = []
    for key, value in record.items():
        if key in ("first", "units", "second"):
            trees = ",\n".join(json.dumps(tree, separators=(",", ":")) for tree in value["trees"])
            head = json.dumps({k: v for k, v in value.items() if k != "trees"})[:-1]
            parts.append(f'"{key}": {head}, "trees": [\n{trees}\n]}}')
        elif key == "idf":
            body = ",\n".join(f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in value.items())
            parts.append(f'"idf": {{\n{body}\n}}')
        else:
            parts.append(f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as file:
        file.write("{\n" + ",\n".join(parts) + "\n}\n")
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=default_data(), help="the measurement data")
    parser.add_argument("--out", type=Path, help="where the model of all names goes")
    parser.add_argument("--folds-out", type=Path, help="folder for the five out-of-fold models")
    parser.add_argument("--only", type=int, help="only this fold (a quick check)")
    parser.add_argument("--names", type=int, help="only so many names (a quick check)")
    parser.add_argument("--trees", type=int, default=300, help="of each of the second stage's bags")
    parser.add_argument("--seed", type=int, default=Settings.seed)
    options = parser.parse_args(None if arguments is None else list(arguments))
    if not options.out and not options.folds_out:
        parser.error("nothing to do: give --out, --folds-out or both")
    size = sizes(options.trees, options.seed)
    source = pages(options.data)
    names = known_names(options.data)[: options.names]
    pairs = load_pairs(options.data, set(names))
    people = human_pairs(options.data)
    if options.names:
        people = [p for p in people if zlib.crc32(p.own.encode()) % 20 == 0]
    pairs += people
    material = prepare(pairs, source, set(names), options.seed)
    groups = sorted({group_of(pair) for pair in pairs})
    print(f"{len(names)} names, {len(pairs)} pairs, {len(SECOND_COLUMNS)} features")
    if options.out:
        record = train(material, size)
        write(record, options.out)
        print(
            f"{options.out}: thresholds {record['thresholds']}, "
            f"{options.out.stat().st_size // 1024} kB"
        )
    if options.folds_out:
        values = np.zeros(len(pairs))
        said = np.zeros(len(pairs))
        for fold in range(FOLDS) if options.only is None else [options.only]:
            kept = {g for g in groups if fold_of(g) != fold}
            record = train(material.only(kept), size)
            path = options.folds_out / f"fold{fold}.json"
            write(record, path)
            out = [i for i, pair in enumerate(pairs) if fold_of(group_of(pair)) == fold]
            values[out] = score(path, [pairs[i] for i in out])
            said[out] = values[out] >= record["thresholds"]["passages"]
            print(
                f"fold {fold}: thresholds {record['thresholds']}, {path.stat().st_size // 1024} kB",
                flush=True,
            )
        table = {name: f"fold{fold_of(name)}.json" for name in names}
        (options.folds_out / "folds.json").write_text(json.dumps(table, indent=1), encoding="utf-8")
        labels = ("fact_entity_pairs", "nli_pairs", "own against wrong page")
        for label, value in zip(labels, balanced_accuracies(pairs, said, 0.5), strict=True):
            print(f"out-of-fold balanced accuracy, {label}: {value:.4f}")


def score(path: Path, pairs: Sequence[Pair]) -> np.ndarray:
    """Probabilities of the pairs by a written model, through the public interface."""
    from dfactscore._records import Document
    from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier

    verifier = BuiltinVerifier(model=path)
    groups: dict[tuple[str, Documents], list[int]] = defaultdict(list)
    for number, pair in enumerate(pairs):
        groups[pair.name, pair.documents].append(number)
    values = np.zeros(len(pairs))
    for (name, documents), numbers in groups.items():
        facts = [pairs[i].fact for i in numbers]
        values[numbers] = verifier.probabilities(facts, [Document(*d) for d in documents], name)
    return values


if __name__ == "__main__":
    from running import run

    run(main)
