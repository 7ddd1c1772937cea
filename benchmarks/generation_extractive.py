"""Scores two extractive generators end to end, against the truth known from provenance.

    python training/train_verifier.py --folds-out runs/folds
    python benchmarks/generation_extractive.py --folds runs/folds

The built-in engine decomposes, groups and verifies biographies of real names from real passages;
the verifier of each name was not trained on it. Every sentence is copied, so the true FActScore
is 1. A reader sees one individual, so the true D-FActScore is the largest share of facts that come
from one entity. Intervals are percentile bootstraps over names.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
from intervals import percent
from running import default_data

from dfactscore._readers import biography_from_record
from dfactscore._scorer.scorer import Scorer
from dfactscore._text.sentences import split_sentences
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.engines._builtin.group.grouper import BuiltinGrouper
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
from dfactscore.generation._extractive import ExtractiveGenerator
from dfactscore.generation._request import Generation
from dfactscore.generation._request_files import read_requests


def titles_of_sentences(biography, generation: Generation) -> list[str]:
    """Returns the source of each sentence of the text without citations, by shared words."""
    pieces = [
        (set(generation.output[p.start : p.end].split()), p.title) for p in generation.provenance
    ]
    return [
        max(pieces, key=lambda piece: len(piece[0] & set(s.text.split())))[1]
        for s in split_sentences(biography.text)
    ]


def truth(biography, generation: Generation, facts) -> float:
    titles = titles_of_sentences(biography, generation)
    starts = [s.start for s in split_sentences(biography.text)]
    places = [
        fact.sentence if fact.span is None else sum(start <= fact.span[0] for start in starts) - 1
        for fact in facts
    ]
    return max(Counter(titles[p] for p in places).values()) / len(facts)


def measure(mode: str, requests, scorers, table, first) -> None:
    generator = ExtractiveGenerator(mode)
    rows, left_out = [], 0
    for request in requests:
        generation = generator.write(request)
        if len({p.title for p in generation.provenance}) != (2 if mode == "mixing" else 1):
            left_out += 1
            continue
        record = {
            "id": request.id,
            "name": request.name,
            "output": generation.output,
            "passages": [{"title": p.title, "text": p.text} for p in request.passages],
        }
        biography = biography_from_record(record)
        result = scorers[table.get(request.name, first)].score_many([biography])[0]
        rows.append(
            (
                result.fs,
                result.dfs,
                truth(biography, generation, result.record.facts),
                result.n_bio,
                result.n_ent,
                result.category,
            )
        )
    fs, dfs, real = (np.array([r[i] for r in rows]) for i in range(3))
    print(f"\n{mode}: {len(rows)} names ({left_out} cannot be written so)")
    print(f"  FS                 {percent(fs)}   truth 100.0")
    print(f"  D-FS               {percent(dfs)}   truth {100 * real.mean():5.1f}")
    print(f"  FS - D-FS          {percent(fs - dfs)}   truth {100 - 100 * real.mean():5.1f}")
    print(
        f"  D-FS - truth       {percent(dfs - real)}   mean absolute "
        f"{100 * np.abs(dfs - real).mean():.1f}"
    )
    print(f"  #bio {np.mean([r[3] for r in rows]):.2f}   #ent {np.mean([r[4] for r in rows]):.2f}")
    print(f"  kinds {dict(Counter(r[5] for r in rows).most_common())}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folds", type=Path, required=True, help="train_verifier.py --folds-out")
    parser.add_argument("--data", type=Path, default=default_data())
    options = parser.parse_args()
    table = json.loads((options.folds / "folds.json").read_text())
    scorers = {
        model: Scorer(
            decomposer=BuiltinDecomposer(),
            grouper=BuiltinGrouper(),
            verifier=BuiltinVerifier(model=options.folds / model),
        )
        for model in sorted(set(table.values()))
    }
    requests = read_requests(options.data / "dfactscore" / "passages.jsonl")
    print(f"{len(requests)} names; {sum(r.name not in table for r in requests)} in no fold")
    for mode in ("mixing", "one-entity"):
        measure(mode, requests, scorers, table, sorted(scorers)[0])


if __name__ == "__main__":
    from running import run

    run(main)
