"""The recipe for DeepEval, in an environment of its own: ``make test-deepeval``."""

from __future__ import annotations

import recipes

AFTER = """
test_answer()
try:
    test_answer(TEXT)
except AssertionError as failure:
    print(failure)
refusal = LLMTestCase(input="Ann Lee", actual_output="Sorry, I do not know.")
for metric in (deepeval_metric(PAGES), deepeval_metric(PAGES, allow_abstention=True)):
    print(metric.__name__, metric.measure(refusal), metric.is_successful())
assert_test(LLMTestCase(input="", actual_output="Ann Lee is a poet."), [deepeval_metric(PAGES)],
            run_async=False)
"""


def test_deepeval(tmp_path):
    out = recipes.run("DeepEval", tmp_path, after=AFTER)
    assert "D-FActScore (score: 0.5" in out
    assert "threshold: 0.9" in out
    assert "told as one: Ann Lee (poet) (1 fact), Ann Lee (rower) (1 fact)" in out
    assert "D-FActScore None False" in out
    assert "D-FActScore None True" in out
