"""A verifier that looks its verdicts up, and pages in every layout."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from dfactscore._records import Verdict
from dfactscore.factscorer import FactScorer


class Known:
    """Says of each fact what it was given for it; "" stands for an answer that cannot be read."""

    def __init__(self, verdicts: Mapping[int, Sequence[object]]) -> None:
        self.verdicts = verdicts
        self.settings = {"name": "known"}

    def verify(self, biography, facts, entity):
        said = self.verdicts[int(biography.id)]
        return [Verdict("unparsed" if v == "" else "supported" if v else "not_supported")
                for v in said]  # fmt: skip


@pytest.fixture
def scorer(tmp_path: Path) -> Callable[..., FactScorer]:
    """A scorer with pages called ``mine``; ``verdicts`` are looked up, by text."""

    def make(pages: object = None, verdicts: object = None, **options: object) -> FactScorer:
        if verdicts is not None:
            options["verifier"] = Known(verdicts)
        options.setdefault("counts", "verdicts")  # as the factscore package counts
        made = FactScorer(cache_dir=tmp_path / "cache", data_dir=tmp_path / "data", **options)
        if pages is not None:
            made.add_pages("mine", pages)
        return made

    return make


PAGES = [
    {"title": "Ann Lee", "text": "Ann Lee (born 1950) is an English painter. She lives in Leeds."},
    {"title": "Bob Ray", "text": ["Bob Ray was a rower.", "", "He rowed in 1936."]},
    {"title": "Bob Ray", "text": "Another Bob Ray, who is not read."},
    {"title": "Cy Moe", "text": []},
]


@pytest.fixture
def pages_file(tmp_path: Path) -> Path:
    path = tmp_path / "pages.jsonl"
    path.write_text("\n".join(map(json.dumps, PAGES)), "utf-8")
    return path
