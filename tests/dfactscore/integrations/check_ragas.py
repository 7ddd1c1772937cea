"""The recipe for ragas, in an environment of its own: ``make test-ragas``."""

from __future__ import annotations

import recipes

AFTER = """
refusal = SingleTurnSample(
    user_input="Who is Ann Lee?", response="I do not know.", retrieved_contexts=["Ann Lee sang."]
)
print(round(ragas_metric().single_turn_score(sample), 1), ragas_metric().single_turn_score(refusal))
"""


def test_ragas(tmp_path):
    out = recipes.run("ragas", tmp_path, after=AFTER)
    assert "{'dfs': 0.50" in out
    assert "0.5 nan" in out
