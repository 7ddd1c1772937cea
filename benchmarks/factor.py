"""FACTOR with a real model: forward pass, forced decoding, and AmbigFACTOR.

python benchmarks/factor.py expert MODEL.gguf [--limit N]   both engines on the released expert file
python benchmarks/factor.py ambig MODEL.gguf [--limit N]    AmbigFACTOR on the shipped pages
python benchmarks/factor.py speed MODEL.gguf                forced decoding against free generation

MODEL.gguf is any model that both llama.cpp and transformers load.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from pathlib import Path
from typing import Any

from running import default_data

from dfactscore._asking.session import LLMSession
from dfactscore.examples import example
from dfactscore.factor import FactorResults, read_factor
from dfactscore.factor._ambig import build_ambig
from dfactscore.factor._contexts import readings_in
from dfactscore.factor._scoring import Asking, evaluate_factor_async, one_reading
from dfactscore.likelihood import LikelihoodSettings, open_likelihood

DATA = default_data()


def evaluate(
    items: Any, settings: LikelihoodSettings, readings: Any = one_reading
) -> FactorResults:
    session = LLMSession(cache=False)

    async def opened() -> Any:
        return await open_likelihood(settings, session)

    begun = time.perf_counter()
    found = asyncio.run(evaluate_factor_async(Asking(items, opened, readings=readings)))
    print(f"{time.perf_counter() - begun:.0f} s")
    return found


def expert(model: Path, limit: int | None) -> None:
    items = read_factor(DATA / "factor" / "expert_factor.csv").items[:limit]
    passed = evaluate(items, LikelihoodSettings(hf=str(model), bos="no"))
    print("transformers, float32, no BOS\n", passed, passed.summary["accuracy_by_normalization"])
    print([round(c.logprob / len(c.tokens), 4) for c in passed.scored[0].continuations])
    forced = evaluate(items, LikelihoodSettings(gguf=model, bos="no"))
    print("forced decoding in process\n", forced)
    pairs = [
        (a, b)
        for one, other in zip(passed.scored, forced.scored, strict=True)
        for a, b in zip(one.continuations, other.continuations, strict=True)
    ]
    same = [
        one.verdict("token").right == other.verdict("token").right
        for one, other in zip(passed.scored, forced.scored, strict=True)
    ]
    apart = [abs(a.logprob / len(a.tokens) - b.logprob / len(b.tokens)) for a, b in pairs]
    print(f"same right or wrong: {sum(same)} of {len(same)}")
    print(f"equal token counts: {sum(len(a.tokens) == len(b.tokens) for a, b in pairs)} of "
          f"{len(pairs)}")  # fmt: skip
    print(
        f"difference of the mean a token: {sum(apart) / len(apart):.4f}, at most {max(apart):.4f}"
    )


def ambig(model: Path, limit: int | None) -> None:
    built = build_ambig(example().pages)
    readings = readings_in(["none", "gold", "all", "prior"], built.pages, None)
    print(evaluate(built.items[:limit], LikelihoodSettings(hf=str(model)), readings))


def speed(model: Path) -> None:
    session = LLMSession(cache=False)
    settings = LikelihoodSettings(gguf=model, threads=1)
    text = " The first of them was an old king who ruled in the north for many years." * 6

    async def run() -> None:
        found: Any = await open_likelihood(settings, session)
        post = found.client.transport.post
        context = "A history of the kings of Denmark."
        await found.score(context, [text])
        rates: dict[str, list[float]] = {"free": [], "forced": []}
        for _ in range(3):
            begun = time.perf_counter()
            body = {"prompt": context, "max_tokens": 100, "temperature": 0, "ignore_eos": True}
            reply = await post("/completions", body)
            written = reply["usage"]["completion_tokens"]
            rates["free"].append(written / (time.perf_counter() - begun))
            begun = time.perf_counter()
            (one,) = await found.score(context, [text])
            rates["forced"].append(len(one.tokens) / (time.perf_counter() - begun))
        best = {name: max(several) for name, several in rates.items()}
        print({name: round(rate, 1) for name, rate in best.items()}, "tokens a second, best of 3")
        print(f"forced / free: {best['forced'] / best['free']:.2f}")
        await found.aclose()

    asyncio.run(run())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("expert", "ambig", "speed"))
    parser.add_argument("model", type=Path)
    parser.add_argument("--limit", type=int)
    given = parser.parse_args()
    if given.what == "speed":
        speed(given.model)
    else:
        {"expert": expert, "ambig": ambig}[given.what](given.model, given.limit)


if __name__ == "__main__":
    from running import run

    run(main)
