"""Made-up items, and the released file where it is there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dfactscore.factor import Contradiction, FactorItem

PLACES = ("Oslo", "Rome", "Lund", "Ribe", "Bergen", "Turin", "Ghent", "Lyon")


def made_up(count: int) -> list[FactorItem]:
    items = []
    for n in range(count):
        true, *false = (PLACES[(n * k + k) % 8] for k in (1, 2, 3, 5))
        false = [text for text in false if text != true] or ["Paris"]
        items.append(
            FactorItem(
                str(n),
                f"document {n // 2}",
                f"Person {n} was a painter. Person {n} was born in ",
                f"{true} in {1900 + n}.",
                tuple(Contradiction(f"{text} in {1900 + n}.", "circumstance") for text in false),
                {"source": "made up"},
            )
        )
    return items


@pytest.fixture
def items() -> list[FactorItem]:
    return made_up(12)


@pytest.fixture
def items_file(tmp_path: Path) -> Path:
    from dfactscore.factor._factor_items import item_record

    path = tmp_path / "items.jsonl"
    path.write_text("".join(json.dumps(item_record(i)) + "\n" for i in made_up(12)), "utf-8")
    return path


@pytest.fixture(scope="session")
def expert(data: Path) -> Path:
    return data / "factor" / "expert_factor.csv"
