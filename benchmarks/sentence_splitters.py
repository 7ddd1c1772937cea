"""Compares sentence splitters on hard sentences and on the real biographies.

    pip install sentencex nupunkt pysbd blingfire syntok
    python benchmarks/sentence_splitters.py --data DIR

A splitter that is not installed is left out.
"""

from __future__ import annotations

import argparse
import importlib
import json
import time
from collections.abc import Callable
from pathlib import Path

from dfactscore.readers.citation_marks import strip_citations
from dfactscore.text.sentences import split_sentences

Splitter = Callable[[str], list[str]]

# Written for this: "|" marks where a sentence ends.
HARD = (
    "A. E. Kahn wrote books.| He was born in London.",
    "J. R. R. Marsh met C. S. Lowe.| They wrote.",
    "Dr. Smith met St. John Rivers in Washington, D.C. in 1990.| He left.",
    "Gen. Lee and Lt. Col. Brown fought.| Capt. Hill fled.",
    "John Louis Jr. served.| Robert Sr. was his father.",
    "He was No. 3 in the U.S. Army.| He retired.",
    "He moved to the U.S.| He died there.",
    "He was ambassador to the U.S. He died in office.".replace(". He", ".| He"),
    "Sancho (c. 1850 – d. 1899) was a king.| He ruled.",
    "Ann Lee (b. 1950) is a player.| She won.",
    "He led Sears, Roebuck and Co. for years.| He retired.",
    "It ended at 5 p.m. on Monday.| He slept.",
    "He holds a Ph.D. and an M.D. from Yale.| In 1990 he was knighted.",
    "She earned a B.A. in theatre and an M.F.A. in fiction.| She wrote.",
    "He joined the band Wham! in 1990.| He sang.",
    'He wrote "Help!" and left.| He died.',
    'He said "I won."| Then he left.',
    "He played in the St. Louis Rams.| His son did too.",
    "See vol. 2, no. 5, p. 12.| It ends there.",
    "He married Ann Park.| Thomas Hill helped.",
    "She married Hermann I.| Despite this, she left.",
    "1. Ann Lee is a poet.| 2. Ann Lee is a judge.",
    "He was born in 1950.| Later, he wrote",
    "He worked with Mr. and Mrs. Hill at Smith & Co.| They sold it in Jan. 1950.",
)


def splitters() -> dict[str, Splitter]:
    """The installed splitters by name; each returns sentences."""
    found: dict[str, Splitter] = {
        "ours (sentencex, mended)": lambda t: [s.text for s in split_sentences(t)]
    }

    def add(name: str, module: str, make: Callable[[object], Splitter]) -> None:
        start = time.perf_counter()
        try:
            loaded = importlib.import_module(module)
        except ImportError:
            return
        splitter = make(loaded)
        splitter("A b. C d.")
        found[f"{name} ({1000 * (time.perf_counter() - start):.0f} ms to load)"] = splitter

    add("sentencex", "sentencex", lambda m: lambda t: m.segment("en", t))
    add("nupunkt", "nupunkt", lambda m: m.sent_tokenize)
    add("blingfire", "blingfire", lambda m: lambda t: m.text_to_sentences(t).split("\n"))
    add("pysbd", "pysbd", lambda m: m.Segmenter("en", clean=False).segment)
    add(
        "syntok",
        "syntok.segmenter",
        lambda m: lambda t: ["".join(str(token) for token in s) for p in m.process(t) for s in p],
    )
    return found


def ends(sentences: list[str]) -> set[int]:
    """How many letters and digits stand before each end."""
    out, count = set(), 0
    for sentence in sentences:
        count += sum(c.isalnum() for c in sentence)
        out.add(count)
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--wrong", action="store_true", help="show what each gets wrong")
    options = parser.parse_args()
    texts = []
    for name in ("alce_tulu.json", "alce_llama13b-careful.json"):
        path = options.data / "dfactscore" / name
        for record in json.loads(path.read_text(encoding="utf-8"))["data"]:
            texts.append(strip_citations(record["output"])[0])
    long = " ".join(texts)
    reference = [ends([s.text for s in split_sentences(text)]) for text in texts]
    print(
        "splitter | hard texts right | paragraphs split as ours | ms for all | s for 15 and 60 kB"
    )
    for name, splitter in splitters().items():
        right = 0
        for hard in HARD:
            good = ends(splitter(hard.replace("|", ""))) == ends(hard.split("|"))
            right += good
            if not good and options.wrong:
                print("   ", splitter(hard.replace("|", "")))
        start = time.perf_counter()
        split = [ends(splitter(text)) for text in texts]
        taken = time.perf_counter() - start
        same = sum(a == b for a, b in zip(split, reference, strict=True))
        growth = []
        for size in (15_000, 60_000):
            start = time.perf_counter()
            splitter(long[:size])
            growth.append(time.perf_counter() - start)
        print(
            f"{name} | {right}/{len(HARD)} | {same}/{len(texts)} | {1000 * taken:.0f} | "
            f"{growth[0]:.3f}, {growth[1]:.3f}"
        )


if __name__ == "__main__":
    from running import run

    run(main)
