"""Claims with evidence that people labeled: WiCE, Factcheck-GPT, Fool Me Twice, FActScore."""

from __future__ import annotations

import zlib
from pathlib import Path

from verifier_data import Pair, read

HUMAN_WEIGHTS = {"wice": 0.5, "factcheck": 0.15, "fool": 0.6}


def wice(data: Path) -> list[Pair]:
    """Claims of Wikipedia with their evidence: supported or not."""
    rows = read(data / "wice" / "claim_dev.jsonl")
    return [
        Pair("", row["claim"], (("", "\n".join(row["evidence"])),),
             int(row["label"] == "supported"), 5, own=row["claim"], sort="wice")
        for row in rows
    ]  # fmt: skip


def stance(data: Path, without: tuple[str, ...] = ()) -> list[Pair]:
    """Claims of Factcheck-GPT with one piece of evidence: complete support or not."""
    rows = read(data / "factcheck_gpt" / "subtask3_claim_evidence_stance.jsonl")
    return [
        Pair("", row["claim"], (("", row["evidence"]),),
             int(row["stance"] == "completely-support"), 5, own=row["claim"], sort="factcheck")
        for row in rows
        if row["stance"] not in without
    ]  # fmt: skip


def fool_me_twice(data: Path, *, trained: bool) -> list[Pair]:
    """Claims that were written to fool, with the gold evidence; one half of the pages."""
    rows = read(data / "fool_me_twice" / "dev.jsonl")
    return [
        Pair("", row["text"], (("", "\n".join(e["text"] for e in row["gold_evidence"])),),
             int(row["label"] == "SUPPORTS"), 5, own=row["wikipedia_page"], sort="fool")
        for row in rows
        if (zlib.crc32(row["wikipedia_page"].encode()) % 2 == 0) == trained
    ]  # fmt: skip


def human_pairs(data: Path) -> list[Pair]:
    """Returns the data for training: all but the other half of Fool Me Twice."""
    return [*wice(data), *stance(data), *fool_me_twice(data, trained=True)]


def labelled_pages(data: Path) -> list[Pair]:
    """Reads facts of the nine people's biographies with their page; `own` is the biography."""
    pages = {row["title"]: row["text"] for row in read(data / "factscore_labels" / "pages.jsonl")}
    found = []
    for model in ("ChatGPT", "InstructGPT"):
        for row in read(data / "factscore_labels" / f"{model}.jsonl"):
            topic = row["topic"]
            if topic not in pages:
                continue
            for sentence in row["annotations"] or ():
                for fact in sentence.get("human-atomic-facts") or ():
                    if fact["label"] in ("S", "NS"):
                        found.append(
                            Pair(topic, fact["text"], ((topic, pages[topic]),),
                                 int(fact["label"] == "S"), 0, topic, f"{model} {topic}", model)
                        )  # fmt: skip
    return found
