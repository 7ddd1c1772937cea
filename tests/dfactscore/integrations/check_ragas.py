"""The recipe for ragas, in an environment of its own: ``make test-ragas``."""

from __future__ import annotations

import recipes

AFTER = """
from ragas import SingleTurnSample

sample = SingleTurnSample(
    user_input="Who is Ann Lee?", response=TEXT, retrieved_contexts=list(PAGES.values())
)
found = dfs.score(sample=sample)
print(round(found.value, 1), found.reason)
"""


def test_ragas(tmp_path):
    out = recipes.run("ragas", tmp_path, after=AFTER)
    assert "0.5 Ann Lee: FActScore" in out
    assert "[only Ann Lee (" in out
