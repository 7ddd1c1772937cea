"""Measures an evaluator of your own on data that people labeled, beside those who do not read."""

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dfactscore.meta import Item, Judgement, evaluate, load_data


class Years:
    """Flags a segment that names a year, unless the year is in a reference text."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """Returns the settings that can change an answer; the name is that of the row."""
        return {"name": "years", "version": 1}

    def judge(self, item: Item) -> Sequence[Judgement]:
        """One judgement a segment: whether it is an error, and the probability of support."""
        known = " ".join(document.text for document in item.documents)
        words = [segment.text.strip(".").split() for segment in item.segments]
        wrong = [any(w.isdigit() and w not in known for w in some) for some in words]
        return [Judgement(error, 0.1 if error else 0.8) for error in wrong]


records = [
    {
        "index": str(year),
        "prompt": "When was the mill built?",
        "segmented_response": [f"The mill was built in {year}.", "It stands in Leeds."],
        "labels": [year % 2 == 0, True],
        "ref_contents": [f"The mill in Leeds dates from {year // 2 * 2}."],
    }
    for year in range(1800, 1840)
]
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "mills.jsonl"
    path.write_text("\n".join(map(json.dumps, records)), "utf-8")
    result = evaluate(load_data(("felm", path)), [Years()])
row = result.row("years", level="segment")
print(result)
balanced = row.figures["balanced_accuracy"]
print(f"balanced accuracy {balanced:.2f}, better than not reading: {row.better}")
