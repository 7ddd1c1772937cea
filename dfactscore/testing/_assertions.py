"""`assert_dfs`: fails a test if the D-FActScore of a text is too low."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dfactscore._results.result import Result
from dfactscore._scorer.options import Pages
from dfactscore.testing._bounds import failure_of, score_text

if TYPE_CHECKING:
    from dfactscore.retrieval import KnowledgeSource


def assert_dfs(
    text: str,
    contexts: Any = None,
    *,
    name: str | None = None,
    pages: Pages | KnowledgeSource | str | None = None,
    question: str | None = None,
    at_least: float = 0.9,
    max_mixed: int | None = None,
    allow_abstention: bool = False,
    **options: Any,
) -> Result:
    """Asserts that the D-FActScore of a text is high enough.

    Args:
        text: The biography or answer.
        contexts: The evidence of an answer, as for `dfactscore.check`.
        name: The name that the text is about; with contexts, by default the name in the question or
            the first subject of the text.
        pages: The evidence, as for `dfactscore.score`; instead of contexts.
        question: The question of an answer.
        at_least: The minimum D-FActScore, as a fraction.
        max_mixed: Maximum number of people in the text that may have facts about a namesake; None
            disables this check.
        allow_abstention: Whether a text that declines to answer passes the test.
        **options: Options of `dfactscore.score`, with the same defaults; ``counts="verdicts"``
            counts each supported fact as 1.

    Returns:
        The result, for further assertions.

    Raises:
        AssertionError: If the score is lower than `at_least`, the text mixes more people than
            `max_mixed` allows, or the text has no score. The message lists the facts that cost
            points, with the pages that support them.
        InputError: If an argument is invalid.

    Example:
        >>> pages = {"Ann Lee (poet)": "Ann Lee is a poet. Ann Lee was born in 1950.",
        ...          "Ann Lee (rower)": "Ann Lee is a rower. She rowed for Canada in 1996."}
        >>> answer = "Ann Lee is a poet. She was born in 1950. She rowed for Canada."
        >>> assert_dfs(answer, name="Ann Lee", pages=pages)
        Traceback (most recent call last):
        AssertionError: Ann Lee: D-FActScore 0.666 is below 0.9 (FActScore 0.999)
        1 of 3 facts costs points:
          ≠ Ann Lee rowed for Canada.  [linked to Ann Lee (poet); true of Ann Lee (rower)]
    """
    __tracebackhide__ = True
    result, bounds = score_text(
        text,
        contexts,
        name=name,
        pages=pages,
        question=question,
        at_least=at_least,
        max_mixed=max_mixed,
        allow_abstention=allow_abstention,
        **options,
    )
    message = failure_of(result, bounds)
    if message:
        raise AssertionError(message)
    return result
