"""Compares demonstrations and instructions on a real model's biographies of ambiguous names.

    python training/train_verifier.py --folds-out runs/folds
    python benchmarks/generation_real_model.py --gguf MODEL.gguf --names 20 --folds runs/folds \
        --out runs/real

The names are the first whose five passages contain at least two entities of the name. Existing
biographies in the folder are kept. The built-in engine scores them end to end; the verifier of each
name was not trained on it. `--score-only` writes no more biographies.
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

from dfactscore._asking.session import LLMSession
from dfactscore._readers import read_biographies
from dfactscore._scorer.scorer import Scorer
from dfactscore._util.tasks import run_sync
from dfactscore.citations import score_citations, summarize
from dfactscore.citations._entailment import VerifierEntailer
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.engines._builtin.group.grouper import BuiltinGrouper
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
from dfactscore.generation._config import make_generator, validated
from dfactscore.generation._request import same_name_entities
from dfactscore.generation._request_files import read_requests
from dfactscore.generation._written import write_biographies

DEMOS = ("ambiguous", "unambiguous", "disambiguating")
INSTRUCTIONS = ("vanilla", "careful")


def write(options, demos: str, instruction: str, requests, file: Path) -> None:
    settings = {
        "demos": demos,
        "instruction": instruction,
        "max_tokens": options.max_tokens,
        "context": options.context,
        "seed": options.seed,
        "threads": options.threads,
        "gguf": str(options.gguf) if options.gguf else None,
        "model": options.model,
        "base_url": options.base_url,
        "concurrency": options.concurrency,
    }
    config = validated(settings, "settings")
    session = LLMSession()
    generator = make_generator(config, session)

    async def work():
        try:
            return await write_biographies(
                requests,
                generator,
                file,
                concurrency=config.at_once,
                progress=lambda r, g: print(f"  {r.name}: {g.finish_reason}", file=sys.stderr),
            )
        finally:
            await session.aclose()

    run_sync(work())
    session.close()


def score(file: Path, names: set[str], scorers, entailers, table, label: str) -> None:
    first = sorted(scorers)[0]
    biographies = [b for b in read_biographies(file).biographies if b.name in names]
    rows, cited = [], []
    for biography in biographies:
        scorer = scorers[table.get(biography.name, first)]
        rows.append(scorer.score_many([biography])[0])
        cited += score_citations([biography], entailers[table.get(biography.name, first)])
    done = [r for r in rows if r.fs is not None and r.dfs is not None]
    citations = summarize(cited)
    kinds = Counter(r.category for r in done)
    ends = Counter(b.extra["finish_reason"] for b in biographies)
    recall = citations.citation_recall
    print(f"\n{label}: {len(biographies)} written, {len(done)} scored, ended {dict(ends)}")
    print(f"  FS {percent([r.fs for r in done])}   D-FS {percent([r.dfs for r in done])}")
    print(f"  FS - D-FS {percent([r.fs - r.dfs for r in done])}")
    print(
        f"  #bio {np.mean([r.n_bio for r in done]):.2f}   "
        f"#ent {np.mean([r.n_ent for r in done]):.2f}   kinds {dict(kinds.most_common())}"
    )
    print(
        f"  citation recall {'-' if recall is None else f'{100 * recall:.1f}'}   citations a text "
        f"{citations.n_citations / max(1, len(biographies)):.1f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gguf", type=Path)
    parser.add_argument("--model")
    parser.add_argument("--base-url")
    parser.add_argument("--names", type=int, default=20)
    parser.add_argument("--demos", nargs="*", default=DEMOS, choices=DEMOS)
    parser.add_argument("--instructions", nargs="*", default=INSTRUCTIONS, choices=INSTRUCTIONS)
    parser.add_argument("--max-tokens", type=int, default=220)
    parser.add_argument("--context", type=int, default=8192)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--concurrency", type=int)
    parser.add_argument("--folds", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--score-only", action="store_true")
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
    entailers = {
        model: VerifierEntailer(BuiltinVerifier(model=options.folds / model, evidence="citation"))
        for model in scorers
    }
    requests = [
        r
        for r in read_requests(options.data / "dfactscore" / "passages.jsonl")
        if len(r.passages) == 5 and len(same_name_entities(r.name, r.passages)) >= 2
    ][: options.names]
    options.out.mkdir(parents=True, exist_ok=True)
    for demos in options.demos:
        for instruction in options.instructions:
            file = options.out / f"{demos}-{instruction}.jsonl"
            if not options.score_only:
                write(options, demos, instruction, requests, file)
            if file.exists() and file.stat().st_size:
                names = {r.name for r in requests}
                score(file, names, scorers, entailers, table, f"{demos}, {instruction}")


if __name__ == "__main__":
    from running import run

    run(main)
