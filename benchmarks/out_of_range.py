"""Shares of texts whose evidence is unlike that which the built-in judge was measured on.

Biographies with their retrieved passages; the same texts beside 60 words of one own page, and
beside a river's page; and answers of FELM with their references.

    python benchmarks/out_of_range.py --data DATA
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path

from running import default_data

from dfactscore import Scorer, score
from dfactscore._readers import read_biographies

FILES = ("alce_tulu.json", "alce_llama13b-careful.json")
RIVER = {"River Ouse": "The River Ouse flows through York and joins the Trent."}
EACH = 4  # one of so many texts is judged beside other evidence
WORDS = 1_500  # of each reference


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=default_data())
    data = parser.parse_args().data
    short: list[bool] = []
    river: list[bool] = []
    for file in FILES:
        path = data / "dfactscore" / file
        texts = Scorer().score_many(str(path))
        show(file, [bool(text.notes) for text in texts if text.fs is not None])
        for biography in read_biographies(path).biographies[::EACH]:
            about = biography.name, biography.text
            own = [p for p in biography.passages or () if p.title.split(" (")[0] == about[0]]
            if own:
                page = {own[0].title: " ".join(own[0].text.split()[:60])}
                short += out_of_range(*about, page)
            river += out_of_range(*about, RIVER)
    show("60 words of one own page", short)
    show("a river's page", river)
    answers: list[bool] = []
    for line in (data / "felm" / "wk.jsonl").read_text("utf-8").splitlines()[::2]:
        row = json.loads(line)
        references = [r for r in row.get("ref_contents") or () if r and r.strip()]
        pages = {f"source {i}": " ".join(r.split()[:WORDS]) for i, r in enumerate(references)}
        if pages:
            answers += out_of_range(row["prompt"], row["response"], pages)
    show("FELM, world knowledge", answers)


def out_of_range(name: str, text: str, pages: Mapping[str, str]) -> list[bool]:
    """Returns whether a text is out of range; nothing if it has no score."""
    result = score(text, name=name, pages=pages)
    return [] if result.fs is None else [bool(result.notes)]


def show(label: str, found: list[bool]) -> None:
    """Prints the share of texts out of range."""
    print(f"{label:<28} {sum(found):>4} of {len(found)}", flush=True)


if __name__ == "__main__":
    from running import run

    run(main)
