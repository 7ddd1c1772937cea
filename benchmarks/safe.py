"""SAFE, D-SAFE and F1@K on the shipped examples and on released data, without a network.

    python benchmarks/safe.py                      examples, F1@K, subjects of results
    python benchmarks/safe.py --folds FOLDS        the released texts out of fold as well

Each figure is printed with its reference: the true scores of the examples, the released
D-FActScore, or the same verifier on given evidence.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from running import default_data

from dfactscore._asking.search import SearchClient, SearchResult, open_search
from dfactscore._errors import InputError
from dfactscore._evidence.entities import gather_entities
from dfactscore._jobs.engines import build_engine
from dfactscore._jobs.job import Job
from dfactscore._jobs.settings import Config
from dfactscore._metrics import f1_at_k
from dfactscore._readers import read_biographies
from dfactscore._records import Biography, Entity, Fact
from dfactscore._scoring import Record
from dfactscore._scoring.released_scores import read_released
from dfactscore._util.jsonl import read_jsonl
from dfactscore._util.tasks import run_sync
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
from dfactscore.examples import example
from dfactscore.linking import bears_name
from dfactscore.retrieval import Passage, build_index, open_source, read_pages, split_pages
from dfactscore.retrieval._documents import split_text
from dfactscore.safe import People, SafeScores, SearchVerifier, safe_scores

RESAMPLES = 10_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=default_data())
    parser.add_argument("--folds", type=Path, help="from train_verifier.py")
    arguments = parser.parse_args()
    data = arguments.data
    with tempfile.TemporaryDirectory() as folder:
        examples(Path(folder))
        about()
        if (data / "factscore_labels").is_dir():
            human_f1(data / "factscore_labels")
        if (data / "dfactscore").is_dir():
            released(data / "dfactscore", Path(folder), arguments.folds)
        if (data / "factcheck_gpt").is_dir():
            claims(data / "factcheck_gpt")


def fill(
    biographies: Sequence[Biography], index: Path, verifiers: Any, source: Any, **options: Any
) -> list[Record]:
    client = SearchClient(open_search(f"index:{index}"))

    async def work() -> list[Record]:
        records = []
        for biography in biographies:
            verifier = SearchVerifier(verifiers(biography), client, **options)
            job = Job(replace(build_engine(Config()), verifier=verifier), source=source)
            records.append(await job.fill(biography))
        return records

    return run_sync(work())


def examples(folder: Path) -> None:
    people = example("people")
    build_index(split_pages(read_pages(people.pages)), folder / "examples")
    gold = {row["id"]: row for _, row in read_jsonl(people.gold, error=InputError)}
    biographies = read_biographies(people.biographies).biographies
    shipped = BuiltinVerifier()
    print("shipped examples, index of the shipped pages (gold: FS, D-FS)")
    for all_columns in (False, True):
        records = fill(
            biographies, folder / "examples", lambda b: shipped, open_source(people.pages),
            per_entity=True, all_columns=all_columns,
        )  # fmt: skip
        rows = [(gold[r.id], s) for r in records if (s := safe_scores(r)) is not None]
        rows = [(g, s) for g, s in rows if g.get("dfs") is not None]
        print(f"  {'all columns' if all_columns else 'those that open support names'}")
        for kind in ("all", "mixed", "clean"):
            _examples_row(kind, [(g, s) for g, s in rows if kind in ("all", g["kind"])])


def _examples_row(kind: str, rows: Sequence[tuple[dict[str, Any], SafeScores]]) -> None:
    gold = np.array([(g["fs"], g["dfs"]) for g, _ in rows])
    own = np.array([(s.safe, s.d_safe or 0.0) for _, s in rows])
    line = (
        f"    {kind:<6} {len(rows):>3} texts  SAFE {own[:, 0].mean():.3f} ({gold[:, 0].mean():.3f})"
    )
    line += f"  D-SAFE {own[:, 1].mean():.3f} ({gold[:, 1].mean():.3f})"
    line += f"  |error| {np.abs(own[:, 1] - gold[:, 1]).mean():.3f}"
    line += f"  namesake facts {sum(s.namesake for _, s in rows)}"
    if kind == "all":
        r = [np.corrcoef(own[:, i], gold[:, i])[0, 1] for i in (0, 1)]
        gap = np.corrcoef(own[:, 0] - own[:, 1], gold[:, 0] - gold[:, 1])[0, 1]
        crossed = np.corrcoef(own[:, 0], gold[:, 1])[0, 1]
        line += f"  r SAFE, FS {r[0]:.3f}; D-SAFE, D-FS {r[1]:.3f}; gaps {gap:.3f}"
        line += f"; SAFE, D-FS {crossed:.3f}"
    print(line)


def about() -> None:
    people = example("people")
    source = open_source(people.pages)
    right = wrong = total = 0
    for biography in read_biographies(people.biographies).biographies:
        entities = gather_entities(biography, source).entities
        told = People(biography.name, entities)
        for place, own in enumerate(entities):
            if bears_name(own.id, biography.name):
                for text in split_text(own.documents[0].text):
                    said = told.give(SearchResult(own.id, text)).entity
                    total += 1
                    right += said == place
                    wrong += said not in (None, place)
    print("who a passage of a page is about, by its words alone")
    print(f"  {total} passages: right {right / total:.3f}, a wrong person {wrong / total:.3f}")


def human_f1(folder: Path) -> None:
    print("F1@K of people's labels (S, NS; irrelevant facts in neither count)")
    for name in ("ChatGPT", "InstructGPT"):
        counts = []
        for _, row in read_jsonl(folder / f"{name}.jsonl", error=InputError):
            if row.get("annotations") is None:
                continue
            labels = [
                fact["label"]
                for sentence in row["annotations"]
                for fact in sentence.get("human-atomic-facts") or ()
            ]
            if labels:
                counts.append((labels.count("S"), labels.count("NS"), len(labels)))
        median = float(np.median([n for *_, n in counts]))
        values = [
            f"@{k:g} {np.mean([f1_at_k(s, n, k) for s, n, _ in counts]):.6f}"
            for k in (64, 100, 178, median)
        ]
        print(f"  {name:<12} {len(counts)} texts  " + "  ".join(values))


def released(data: Path, folder: Path, folds: Path | None) -> None:
    biographies = read_biographies(data / "alce_tulu.json").biographies
    passages = {(p.title, p.text): p for b in biographies for p in b.passages}
    build_index(
        [Passage(t, text, str(i)) for i, (t, text) in enumerate(passages)], folder / "released"
    )
    decisions = read_released(data / "verdicts_tulu.jsonl")
    truth = []
    for second in decisions.global_decisions:
        truth.append(np.mean([d.is_supported for d in second or ()]))
    shipped = BuiltinVerifier()
    kinds: dict[str, Any] = {"shipped verifier": lambda b: shipped}
    if folds is not None:
        of = json.loads((folds / "folds.json").read_text())
        models = {file: BuiltinVerifier(model=folds / file) for file in sorted(set(of.values()))}
        kinds["out of fold"] = lambda b: models[of[b.name]]
    print(f"released texts (Tulu), index of their {len(passages)} passages, D-FS released")
    for label, verifiers in kinds.items():
        records = fill(biographies, folder / "released", verifiers, None, per_entity=True)
        scored = [safe_scores(r) for r in records]
        rows = np.array(
            [(s.safe, s.d_safe or 0.0, t) for s, t in zip(scored, truth, strict=True) if s]
        )
        print(f"  {label}: {len(rows)} texts, SAFE {rows[:, 0].mean():.3f}, ", end="")
        print(f"D-SAFE {rows[:, 1].mean():.3f} (released {rows[:, 2].mean():.3f}); ", end="")
        print(f"r D-SAFE {_r(rows[:, 1], rows[:, 2])}, SAFE {_r(rows[:, 0], rows[:, 2])}; ", end="")
        print(f"difference {_difference(rows)}")


def _r(x: np.ndarray, y: np.ndarray) -> str:
    draws = _draws(len(x))
    values = [np.corrcoef(x[d], y[d])[0, 1] for d in draws]
    low, high = np.nanpercentile(values, [2.5, 97.5])
    return f"{np.corrcoef(x, y)[0, 1]:.3f} [{low:.2f}, {high:.2f}]"


def _difference(rows: np.ndarray) -> str:
    def one(d: np.ndarray) -> float:
        r = np.corrcoef(rows[d].T)
        return float(r[1, 2] - r[0, 2])

    values = [one(d) for d in _draws(len(rows))]
    low, high = np.nanpercentile(values, [2.5, 97.5])
    return f"{one(np.arange(len(rows))):.3f} [{low:.2f}, {high:.2f}]"


def _draws(n: int) -> np.ndarray:
    return np.random.default_rng(0).integers(0, n, (RESAMPLES // 10, n))


def claims(data: Path) -> None:
    """Rates claims on their given evidence, by the search verifier and directly."""
    from sklearn.metrics import roc_auc_score

    from dfactscore._records import Document

    rows = [
        row
        for _, row in read_jsonl(data / "subtask3_claim_evidence_stance.jsonl", error=InputError)
    ]
    found = {row["claim"]: [] for row in rows}
    for row in rows:
        found[row["claim"]].append(row)

    class Given:
        settings: ClassVar = {"service": "given"}
        evidence = ""

        async def search(self, query: str, k: int) -> list[SearchResult]:
            return [SearchResult("", self.evidence)]

        async def aclose(self) -> None: ...

    judge, service = BuiltinVerifier(), Given()
    label, searched, direct = [], [], []

    async def work() -> None:
        for row in rows:
            service.evidence = row["evidence"]
            verifier = SearchVerifier(judge, SearchClient(service))
            facts, biography = [Fact(row["claim"])], Biography("0", "", row["claim"])
            answer = await verifier.find_and_verify(biography, facts, verifier.columns(()))
            entity = Entity("e", "e", (Document("", row["evidence"]),))
            label.append(row["stance"] == "completely-support")
            searched.append(answer.rows[0][0].probability)
            direct.append(judge.verify(biography, facts, entity)[0].probability)

    run_sync(work())
    print("claims with their given evidence as results (Factcheck-GPT, stance by people)")
    print(
        f"  {len(rows)} pairs: rating AUC {roc_auc_score(label, searched):.3f}, "
        f"the verifier directly {roc_auc_score(label, direct):.3f}"
    )


if __name__ == "__main__":
    from running import run

    run(main)
