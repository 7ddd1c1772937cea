"""The recipe for DeepEval, in an environment of its own: ``make test-deepeval``."""

from __future__ import annotations

import recipes

AFTER = """
from deepeval import assert_test
from deepeval.test_case import LLMTestCase

metric = DFactScore(PAGES)
true = LLMTestCase(input="Ann Lee", actual_output="Ann Lee is a poet.")
mixed = LLMTestCase(input="Ann Lee", actual_output=TEXT)
assert round(metric.measure(mixed), 1) == 0.5 and not metric.is_successful()
assert metric.measure(LLMTestCase(input="Ann Lee", actual_output="Sorry.")) is None
assert not metric.is_successful()
assert_test(true, [metric], run_async=False)
found = LLMTestCase(
    input="Who is Ann Lee?", actual_output=TEXT, retrieval_context=list(PAGES.values())
)
assert round(DFactScore().measure(found), 1) == 0.5
try:
    assert_test(mixed, [metric], run_async=False)
except AssertionError as failure:
    print(failure)
"""


def test_deepeval(tmp_path):
    out = recipes.run("DeepEval", tmp_path, after=AFTER)
    assert "score: 0.52" in out
    assert "threshold: 0.9" in out
    assert "[only Ann Lee (" in out  # either may be linked: one fact each
