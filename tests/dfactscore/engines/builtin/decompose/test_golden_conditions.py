"""Each sentence notices single conditions of the rules: without one, its facts are others.

`golden_conditions.jsonl` holds the facts and the statements left out; run this file to write it
again, and read the difference.
"""

from __future__ import annotations

import json
from pathlib import Path

from dfactscore._records import Biography
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer

GOLDEN = Path(__file__).with_name("golden_conditions.jsonl")


def recorded() -> list[dict[str, object]]:
    return [json.loads(line) for line in GOLDEN.read_text("utf-8").splitlines()]


def decomposed(text: str) -> dict[str, object]:
    clauses = BuiltinDecomposer().by_clause(Biography("", "Ann Lee", text))
    return {
        "text": text,
        "facts": [fact.text for clause in clauses for fact in clause.facts],
        "left_out": [list(statement) for clause in clauses for statement in clause.left_out],
    }


def test_the_facts_of_the_sentences_are_those_that_were_read():
    rows = recorded()
    changed = [now for row in rows if (now := decomposed(str(row["text"]))) != row]
    assert changed == []


def test_no_sentence_stands_twice():
    texts = [row["text"] for row in recorded()]
    assert len(texts) == len({*texts})


if __name__ == "__main__":
    lines = [json.dumps(decomposed(str(row["text"])), ensure_ascii=False) for row in recorded()]
    GOLDEN.write_text("".join(f"{line}\n" for line in lines), "utf-8")
